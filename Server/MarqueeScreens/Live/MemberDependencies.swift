/// What the items of a section's members are made of, beside that which makes the members themselves: finds the items
/// that a change touches without looking at the others.
struct MemberDependencies: Sendable {
    private var triggersOfMembers: [Member: [Trigger]] = [:]
    private var membersOfTriggers: [Trigger: Set<Member>] = [:]
    /// Since it was last taken.
    private var change = TriggerChange()

    var triggers: some Collection<Trigger> { membersOfTriggers.keys }

    func contains(_ trigger: Trigger) -> Bool { membersOfTriggers[trigger] != nil }

    func members(dependingOn trigger: Trigger) -> Set<Member> { membersOfTriggers[trigger] ?? [] }

    /// The item of a member was made anew, or is gone.
    mutating func set(_ triggers: [Trigger], of member: Member) {
        if triggers.isEmpty, triggersOfMembers.isEmpty { return }
        let before = triggersOfMembers[member] ?? []
        guard before != triggers else { return }
        for trigger in before {
            membersOfTriggers[trigger]?.remove(member)
            if membersOfTriggers[trigger]?.isEmpty == true {
                membersOfTriggers[trigger] = nil
                change.remove(trigger)
            }
        }
        triggersOfMembers[member] = triggers.isEmpty ? nil : triggers
        for trigger in triggers where membersOfTriggers[trigger, default: []].insert(member).inserted {
            if membersOfTriggers[trigger]?.count == 1 { change.add(trigger) }
        }
    }

    /// Forgets the members that are not shown any more.
    mutating func remove(from before: [Member], except now: [Member]) {
        if triggersOfMembers.isEmpty || before == now { return }
        for member in Set(before).subtracting(now) { set([], of: member) }
    }

    mutating func removeAll() {
        for member in Array(triggersOfMembers.keys) { set([], of: member) }
    }

    /// What is to be listened to more and less than when it was last asked.
    mutating func takeChange() -> TriggerChange {
        defer { change = TriggerChange() }
        return change
    }
}
