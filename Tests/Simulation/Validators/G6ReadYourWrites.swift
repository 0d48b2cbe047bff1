import MarqueeClient
import MarqueeMirror
import MarqueeModel

/// A confirmed favorite is never seen undone by its writer; one that waits is seen at once, on every screen.
struct G6ReadYourWrites: Validator {
    /// Devices whose app was told something since it was judged.
    private var changed: Set<Int> = []
    /// By device, the log and at least the revision that its app has seen of the favorites.
    private var seen: [Int: (epoch: UInt64, revision: UInt64)] = [:]
    /// Devices that showed what their disks had no room for. What another process shows begins with what is stored.
    private var ahead: Set<Int> = []

    mutating func judge(_ event: Event, _ scene: Scene, _ truth: Truth) throws(Violation) {
        switch event {
        case .shown(let device, _), .queued(let device, _, _), .rejected(let device, _, _), .stored(let device, _),
            .renumbered(let device, _, _):
            changed.insert(device)
        case .kept(let device, _):
            changed.insert(device)
            ahead.insert(device)
        case .opened(let device, _, let outbox):
            if ahead.remove(device) != nil { seen[device] = nil }
            try checkOutbox(outbox, device, scene)
        case .settled(let device, let list?):
            guard changed.remove(device) != nil else { return }
            try checkMarks(device, list, scene, truth)
        default: break
        }
    }

    /// What was stored is there when another process opens the mirror, and nothing else.
    private func checkOutbox(_ outbox: [OutboxEntry], _ device: Int, _ scene: Scene) throws(Violation) {
        let expected = scene.wishes.byDevice[device].filter(\.isPending).sorted { $0.number < $1.number }
        guard outbox.map(\.number) == expected.map(\.number) else {
            throw violation(
                "device \(device) finds the wishes \(outbox.map(\.number)), stored were \(expected.map(\.number))")
        }
        for (entry, wish) in zip(outbox, expected) {
            guard entry.subject == wish.subject, entry.on == wish.on, (entry.state != .pending) == wish.isSent else {
                throw violation("device \(device) finds wish \(entry.number) changed: \(entry)")
            }
        }
    }

    /// There is one revision, not before any that was seen, that explains all stars.
    private mutating func checkMarks(
        _ device: Int, _ list: [String], _ scene: Scene, _ truth: Truth
    ) throws(Violation) {
        let states = Array(scene.devices[device].shown.values)
        let user = scene.devices[device].user
        let pending = scene.wishes.byDevice[device].filter(\.isPending).sorted { $0.number < $1.number }
        // A new mirror without room does not note whose it is, nor what is kept: what is shown tells which log it
        // belongs to.
        let unnoted = states.first { !$0.isStored && $0.cut.userEpoch != 0 }.map {
            (epoch: $0.cut.userEpoch, revision: UInt64(0))
        }
        let noted = scene.devices[device].favoritesInMemory ?? scene.devices[device].favorites
        if noted == nil, Self.explains([], pending, list, states) { return }
        guard let stored = noted ?? unnoted, let logs = truth.lineage(ofUsers: stored.epoch) else {
            // Nothing is known of this user's favorites yet.
            guard Self.explains([], pending, list, states) else {
                throw violation("device \(device) shows favorites that it can't know")
            }
            return
        }
        // Said to be damaged: better none than wrong ones.
        if scene.devices[device].favoritesAreDamaged, Self.explains([], pending, list, states) { return }
        var lowest = stored.revision
        if let known = seen[device], known.epoch == stored.epoch { lowest = max(lowest, known.revision) }
        // What has left is contained in what is shown.
        for wish in scene.wishes.byDevice[device] where wish.state == .left {
            if let revision = wish.effects[stored.epoch] { lowest = max(lowest, revision) }
        }
        let newest = max(lowest, logs.newest(of: user))
        for revision in lowest...newest {
            guard let favorites = logs.favorites(of: user, at: revision)?.map(\.subject) else { continue }
            guard Self.explains(favorites, pending, list, states) else { continue }
            seen[device] = (stored.epoch, revision)
            return
        }
        let favorites = logs.favorites(of: user, at: lowest)?.map(\.subject) ?? []
        let wrong = states.filter { !Self.explains(favorites, pending, $0) }.map(\.id.description).sorted()
        throw violation(
            "device \(device) has seen favorites of revision \(lowest), \(favorites), wishes "
                + "\(pending.map { "\($0.subject) \($0.on)" }); it lists \(list), and other stars are on \(wrong)")
    }

    /// Whether the list and all stars are these favorites with these wishes over them.
    private static func explains(
        _ favorites: [String], _ pending: [Wish], _ list: [String], _ states: [ScreenState]
    ) -> Bool {
        var wishes: [String: Bool] = [:]
        for wish in pending { wishes[wish.subject] = wish.on }
        var expected: [String] = []
        for wish in pending.reversed()
        where wishes[wish.subject] == true && !favorites.contains(wish.subject) && !expected.contains(wish.subject) {
            expected.append(wish.subject)
        }
        expected += favorites.filter { wishes[$0] ?? true }
        return list == expected && states.allSatisfy { explains(favorites, pending, $0) }
    }

    private static func explains(_ favorites: [String], _ pending: [Wish], _ state: ScreenState) -> Bool {
        var wishes: [String: Bool] = [:]
        for wish in pending { wishes[wish.subject] = wish.on }
        for section in state.sections {
            for item in section.shown.items where !item.subject.isEmpty {
                let expected = wishes[item.subject] ?? favorites.contains(item.subject)
                guard state.favorites.mark(of: item.subject).isFavorite == expected else { return false }
            }
            guard section.head.kind == .favorites else { continue }
            // What was unset is gone, and what was set is there.
            let subjects = section.shown.items.map(\.subject)
            for (subject, on) in wishes {
                guard subjects.contains(subject) == on else { return false }
            }
        }
        return true
    }

    private func violation(_ message: String) -> Violation { Violation(guarantee: .readYourWrites, message: message) }
}
