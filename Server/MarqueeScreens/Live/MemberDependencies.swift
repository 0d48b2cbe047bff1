/// An index of the inputs of a section's items besides their members' own records. It finds the items touched by a
/// change without visiting the others.
struct MemberDependencies: Sendable {
    private var triggersOfMembers: [Member: [Trigger]] = [:]
    private var membersOfTriggers: [Trigger: Set<Member>] = [:]
    /// The change since the last `takeChange`.
    private var change = TriggerChange()

    var triggers: some Collection<Trigger> { membersOfTriggers.keys }

    func contains(_ trigger: Trigger) -> Bool { membersOfTriggers[trigger] != nil }

    func members(dependingOn trigger: Trigger) -> Set<Member> { membersOfTriggers[trigger] ?? [] }

    /// Replaces the dependencies of a member whose item was rebuilt or removed.
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

    /// Removes the members that are no longer shown.
    mutating func remove(from before: [Member], except now: [Member]) {
        if triggersOfMembers.isEmpty || before == now { return }
        for member in Set(before).subtracting(now) { set([], of: member) }
    }

    mutating func removeAll() {
        for member in Array(triggersOfMembers.keys) { set([], of: member) }
    }

    /// Returns how `triggers` has changed since the last call.
    mutating func takeChange() -> TriggerChange {
        defer { change = TriggerChange() }
        return change
    }
}
