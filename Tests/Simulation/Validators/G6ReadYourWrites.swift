import MarqueeClient
import MarqueeMirror
import MarqueeModel
import MarqueeStore

/// A confirmed member of a collection is never seen undone by its writer; a pending one is seen immediately, on every
/// screen.
struct G6ReadYourWrites: Validator {
    /// Devices whose app was notified since they were last judged.
    private var changed: Set<Int> = []
    /// By device, the log and the minimum revision of the favorites its app has seen.
    private var seen: [Int: (epoch: UInt64, revision: UInt64)] = [:]
    /// By device, the log of the collections that last came to this process.
    private var came: [Int: UInt64] = [:]
    /// Devices that showed content their disks had no room for. The next process starts with what is stored.
    private var ahead: Set<Int> = []

    mutating func judge(_ event: Event, _ scene: Scene, _ truth: Truth) throws(Violation) {
        switch event {
        case .shown(let device, let state):
            changed.insert(device)
            // While the disk is full, what comes is shown from memory, and storing it isn't tried again each time.
            if !state.isStored { ahead.insert(device) }
            if scene.hasCollections(device), state.cut.userEpoch != 0 { came[device] = state.cut.userEpoch }
        case .queued(let device, _, _), .rejected(let device, _, _), .stored(let device, _),
            .renumbered(let device, _, _):
            changed.insert(device)
        case .kept(let device, _):
            changed.insert(device)
            ahead.insert(device)
        case .opened(let device, _, let outbox):
            if ahead.remove(device) != nil { seen[device] = nil }
            came[device] = nil
            try checkOutbox(outbox, device, scene)
        case .settled(let device, let lists?):
            // Content that came while the disk was full may be on no screen.
            if scene.devices[device].favorites == nil, scene.hasCollections(device) {
                came[device] = scene.devices[device].greetedBy
            }
            guard changed.remove(device) != nil else { return }
            try checkMarks(device, lists, scene, truth)
        default: break
        }
    }

    /// When another process opens the mirror, it finds exactly what was stored.
    private func checkOutbox(_ outbox: [OutboxEntry], _ device: Int, _ scene: Scene) throws(Violation) {
        let expected = scene.operations.byDevice[device].filter(\.isPending).sorted { $0.number < $1.number }
        guard outbox.map(\.number) == expected.map(\.number) else {
            throw violation(
                "device \(device) finds the operations \(outbox.map(\.number)), stored were \(expected.map(\.number))")
        }
        for (entry, operation) in zip(outbox, expected) {
            guard entry.name == operation.name, entry.on == operation.on, entry.value == operation.value,
                (entry.state != .pending) == operation.isSent
            else {
                throw violation("device \(device) finds operation \(entry.number) changed: \(entry)")
            }
        }
    }

    /// One revision, not older than any already seen, explains all stars.
    private mutating func checkMarks(
        _ device: Int, _ lists: Lists, _ scene: Scene, _ truth: Truth
    ) throws(Violation) {
        let states = Array(scene.devices[device].shown.values)
        let pending = scene.operations.byDevice[device].filter(\.isPending).sorted { $0.number < $1.number }
        // Reported as damaged, or not known yet: better none than wrong ones.
        let noted = scene.devices[device].favoritesInMemory ?? scene.devices[device].favorites
        if noted == nil || !scene.devices[device].damagedCollections.isEmpty,
            Self.explains([], pending, lists, states)
        {
            return
        }
        if let noted { return try checkMarks(device, lists, of: noted, scene, truth) }
        // A new mirror without room records neither its user nor what is kept. The screens reveal which log it belongs
        // to; after a restore they may still show the log before, while the favorites are already those of the new one.
        // Where a token does not allow the collections of the new log, those that came before stay. Their log comes
        // first, as waiting operations can make both explain what is listed.
        let before = scene.hasCollections(device) ? nil : came[device]
        let shown = states.first { !$0.isStored && $0.cut.userEpoch != 0 }?.cut.userEpoch
        let greetedBy = scene.devices[device].greetedBy
        var result = violation("device \(device) shows favorites it can't know")
        for epoch in [before, shown, greetedBy] {
            guard let epoch, seen[device]?.epoch != greetedBy || epoch == greetedBy else { continue }
            do throws(Violation) {
                return try checkMarks(device, lists, of: (epoch, 0), scene, truth)
            } catch {
                result = error
            }
        }
        throw result
    }

    /// - Parameter stored: the log that the favorites belong to, and at least their revision.
    private mutating func checkMarks(
        _ device: Int, _ lists: Lists, of stored: (epoch: UInt64, revision: UInt64), _ scene: Scene, _ truth: Truth
    ) throws(Violation) {
        let states = Array(scene.devices[device].shown.values)
        let user = scene.devices[device].user
        let pending = scene.operations.byDevice[device].filter(\.isPending).sorted { $0.number < $1.number }
        guard let logs = truth.lineage(ofUsers: stored.epoch) else {
            throw violation("device \(device) shows favorites it can't know")
        }
        var lowest = stored.revision
        if let known = seen[device], known.epoch == stored.epoch { lowest = max(lowest, known.revision) }
        // Operations that have left are contained in what is shown.
        for operation in scene.operations.byDevice[device] where operation.state == .left {
            if let revision = operation.effects[stored.epoch] { lowest = max(lowest, revision) }
        }
        let newest = max(lowest, logs.newest(of: user))
        let damaged = scene.devices[device].damagedCollections
        for revision in lowest...newest {
            guard let members = logs.members(of: user, at: revision) else { continue }
            let choices = Self.shown(of: members, damaged)
            guard choices.contains(where: { Self.explains($0, pending, lists, states) }) else { continue }
            seen[device] = (stored.epoch, revision)
            return
        }
        let members = logs.members(of: user, at: lowest) ?? []
        let wrong = states.filter { !Self.explains(members, pending, $0) }.map(\.id.description).sorted()
        throw violation(
            "device \(device) has seen collections of revision \(lowest), \(members.map { "\($0.name)" }), operations "
                + "\(pending.map { "\($0.name) \($0.on)" }); it lists \(lists), and other stars are on \(wrong)")
    }

    /// Returns the members that an app may show: of a damaged collection none, or all that it has in memory.
    private static func shown(of members: [StoredMember], _ damaged: Set<String>) -> [[StoredMember]] {
        damaged.reduce([members]) { choices, name in
            choices + choices.map { $0.filter { $0.collection.name != name } }
        }
    }

    /// By collection, what the app lists of its members.
    private typealias Lists = [CollectionName: [String]]

    /// Whether the lists and all stars match these members overlaid with these operations.
    private static func explains(
        _ members: [StoredMember], _ pending: [Operation], _ lists: Lists, _ states: [ScreenState]
    ) -> Bool {
        lists.allSatisfy { $1 == expected($0, members, pending) }
            && states.allSatisfy { explains(members, pending, $0) }
    }

    /// Returns the list of a collection: members set or changed here, the newest first, then the other confirmed ones.
    private static func expected(
        _ collection: CollectionName, _ members: [StoredMember], _ pending: [Operation]
    ) -> [String] {
        var operations: [String: Operation] = [:]
        for operation in pending where operation.collection == collection { operations[operation.subject] = operation }
        let confirmed = members.filter { $0.collection == collection }
        var fresh: [String] = []
        for subject in pending.reversed().filter({ $0.collection == collection }).map(\.subject) {
            guard let operation = operations[subject], operation.on, !fresh.contains(subject) else { continue }
            let known = confirmed.first { $0.subject == subject }
            if known == nil || known.flatMap(Collections.value) != operation.value { fresh.append(subject) }
        }
        let kept = confirmed.filter { operations[$0.subject]?.on != false && !fresh.contains($0.subject) }
        return fresh.map { Collections.text($0, operations[$0]?.value) }
            + kept.map { Collections.text($0.subject, Collections.value(of: $0)) }
    }

    private static func explains(_ members: [StoredMember], _ pending: [Operation], _ state: ScreenState) -> Bool {
        var operations: [CollectionName: [String: Bool]] = [:]
        for operation in pending { operations[operation.collection, default: [:]][operation.subject] = operation.on }
        let favorites = Set(members.filter { $0.collection == .favorites }.map(\.subject))
        for section in state.sections {
            for item in section.shown.items where !item.subject.isEmpty {
                let expected = operations[.favorites]?[item.subject] ?? favorites.contains(item.subject)
                guard state.favorites.mark(of: item.subject).isFavorite == expected else { return false }
            }
            guard let listed = section.head.collection else { continue }
            // Removed subjects are gone, and set ones are present.
            let subjects = section.shown.items.map(\.subject)
            for (subject, on) in operations[listed] ?? [:] {
                guard subjects.contains(subject) == on || isBeyond(section, subject, members, pending) else {
                    return false
                }
            }
        }
        return true
    }

    /// Whether the subject may lie beyond the part a section shows, because its operation is already confirmed.
    private static func isBeyond(
        _ section: ScreenState.Section, _ subject: String, _ members: [StoredMember], _ pending: [Operation]
    ) -> Bool {
        guard section.head.window > 0 || section.head.anywhere > 0, let listed = section.head.collection,
            let operation = pending.last(where: { $0.collection == listed && $0.subject == subject }), operation.on
        else { return false }
        // Members that were just set come first.
        if section.head.first > 0 { return true }
        return members.contains {
            $0.collection == listed && $0.subject == subject && Collections.value(of: $0) == operation.value
        }
    }

    private func violation(_ message: String) -> Violation { Violation(guarantee: .readYourWrites, message: message) }
}
