import MarqueeDiff
package import MarqueeModel

/// The user's favorites: what the server has confirmed, and what waits in the outbox, laid over it. A change of one
/// favorite costs what it touches, however many wait.
package struct FavoriteOverlay: Sendable {
    /// Confirmed subjects, newest first.
    package private(set) var confirmed: [String]
    /// Not yet confirmed: whether the subject is to be a favorite; by number, newest last.
    package private(set) var pending: [Pending]
    /// Why a subject's last change was rolled back, until the subject is changed again.
    package private(set) var rejected: [String: String] = [:]

    package struct Pending: Hashable, Sendable {
        /// Of the mutation.
        package var number: UInt64
        package var subject: String
        package var on: Bool
        /// Whether it was sent, perhaps: then nothing is folded into it any more.
        package var isFrozen: Bool
        /// What is shown of it before the server sends it.
        package var placeholder: Item?

        package init(
            number: UInt64 = 0, subject: String, on: Bool, isFrozen: Bool = false, placeholder: Item? = nil
        ) {
            self.number = number
            self.subject = subject
            self.on = on
            self.isFrozen = isFrozen
            self.placeholder = placeholder
        }
    }

    private var confirmedSet: Set<String>
    /// The wishes that wait of each subject, newest last.
    private var wishes: [String: [Wish]] = [:]
    /// What was shown of each subject that was touched since the changes were taken.
    private var before: [String: Shown] = [:]
    /// Rises with each change: equal stamps of one overlay are equal contents.
    package private(set) var stamp: UInt64 = 0

    private struct Wish: Hashable, Sendable {
        var number: UInt64
        var on: Bool
    }

    private struct Shown: Hashable, Sendable {
        var mark: FavoriteMark
        var rejection: String?
    }

    /// Subjects about which something waits, however many entries there are of each.
    package var pendingCount: Int { wishes.count }

    package init(confirmed: [String] = [], pending: [Pending] = []) {
        self.confirmed = confirmed
        self.pending = pending
        confirmedSet = Set(confirmed)
        for entry in pending {
            wishes[entry.subject, default: []].append(Wish(number: entry.number, on: entry.on))
        }
    }

    // MARK: - What is shown

    package func mark(of subject: String) -> FavoriteMark {
        guard !subject.isEmpty else { return .no }
        switch wishes[subject]?.last?.on {
        case true?: return confirmedSet.contains(subject) ? .yes : .pendingYes
        case false?: return confirmedSet.contains(subject) ? .pendingNo : .no
        case nil: return confirmedSet.contains(subject) ? .yes : .no
        }
    }

    /// Whether a subject looks the same here and there.
    func marks(_ subject: String, like other: FavoriteOverlay) -> Bool { shown(subject) == other.shown(subject) }

    /// Confirmed and pending, newest first.
    package var list: [(subject: Subject, mark: FavoriteMark)] {
        let fresh = pending.reversed().map(\.subject).filter {
            wishes[$0]?.last?.on == true && !confirmedSet.contains($0)
        }
        var seen: Set<String> = []
        return (fresh + confirmed).filter { seen.insert($0).inserted && mark(of: $0).isFavorite }
            .map { (Subject($0), mark(of: $0)) }
    }

    /// A list of favorites with the pending ones laid over it: unset ones hidden, set ones first.
    /// - Parameters:
    ///   - items: what is confirmed of the list, or its first part.
    ///   - total: favorites in the whole list.
    package func laid(over items: [Item], of total: UInt32) -> (items: [Item], total: UInt32) {
        let present = Set(items.map(\.subject))
        var seen: Set<String> = []
        let fresh = pending.reversed().filter { entry in
            wishes[entry.subject]?.last?.on == true && !present.contains(entry.subject)
                && seen.insert(entry.subject).inserted
        }
        let kept = items.filter { wishes[$0.subject]?.last?.on != false }
        let shown =
            fresh.map { entry in
                entry.placeholder
                    ?? Item(id: entry.subject, kind: .movie, subject: entry.subject, body: [])
            } + kept
        // One that is confirmed and not among the items is further down, and counted.
        let added = fresh.count { !confirmedSet.contains($0.subject) }
        let wished = Int(total) + added - (items.count - kept.count)
        return (shown, UInt32(clamping: max(wished, shown.count)))
    }

    // MARK: - Changes

    /// What the server has confirmed, newest first.
    mutating func confirm(_ subjects: [String]) {
        guard subjects != confirmed else { return }
        let new = Set(subjects)
        for subject in new.symmetricDifference(confirmedSet) { touch(subject) }
        stamp += 1
        confirmed = subjects
        confirmedSet = new
    }

    /// Something was stored in the outbox, with the highest number so far. What was stored about its subject and
    /// never sent is folded into it.
    mutating func put(_ entry: Pending) {
        remove(
            (wishes[entry.subject] ?? []).compactMap { wish in
                index(of: wish.number).flatMap { pending[$0].isFrozen ? nil : wish.number }
            })
        touch(entry.subject)
        rejected[entry.subject] = nil
        pending.append(entry)
        wishes[entry.subject, default: []].append(Wish(number: entry.number, on: entry.on))
    }

    /// An entry is about to be sent.
    mutating func freeze(_ number: UInt64) {
        if let index = index(of: number) { pending[index].isFrozen = true }
    }

    /// Entries have left the outbox.
    mutating func remove(_ numbers: [UInt64]) {
        for number in numbers {
            guard let index = index(of: number) else { continue }
            let subject = pending[index].subject
            touch(subject)
            pending.remove(at: index)
            wishes[subject]?.removeAll { $0.number == number }
            if wishes[subject]?.isEmpty == true { wishes[subject] = nil }
        }
    }

    /// An entry was rolled back.
    mutating func reject(_ number: UInt64, subject: String, reason: String) {
        touch(subject)
        rejected[subject] = reason
        remove([number])
    }

    /// Everything that waits has other numbers now. Placeholders that are known stay.
    mutating func replacePending(_ entries: [Pending]) {
        let known = Dictionary(pending.map { ($0.subject, $0.placeholder) }) { _, new in new }
        for subject in Set(pending.map(\.subject)).union(entries.map(\.subject)) { touch(subject) }
        pending = entries.map { entry in
            var entry = entry
            entry.placeholder = entry.placeholder ?? known[entry.subject] ?? nil
            return entry
        }
        wishes = [:]
        for entry in pending {
            wishes[entry.subject, default: []].append(Wish(number: entry.number, on: entry.on))
        }
    }

    /// What was rolled back before this program began.
    mutating func remember(rejected reasons: [(subject: String, reason: String)]) {
        for (subject, reason) in reasons where wishes[subject] == nil {
            touch(subject)
            rejected[subject] = reason
        }
    }

    /// Somebody has seen what was rolled back.
    mutating func forgetRejections() {
        for subject in rejected.keys { touch(subject) }
        rejected = [:]
    }

    /// Subjects that are shown without an item, the newest few.
    func lackingPlaceholders(_ count: Int) -> [String] {
        pending.reversed().lazy.filter { $0.on && $0.placeholder == nil }.prefix(count).map(\.subject)
    }

    /// Shows a pending subject by an item that was not known when it was set.
    mutating func setPlaceholder(_ item: Item, of subject: String) {
        for index in pending.indices where pending[index].subject == subject && pending[index].placeholder == nil {
            touch(subject)
            pending[index].placeholder = item
        }
    }

    /// What changed since this was called the last time.
    mutating func takeChanges() -> Changes {
        defer { before = [:] }
        return Changes(
            subjects: Set(before.filter { $0.value != shown($0.key) }.keys), touched: !before.isEmpty)
    }

    struct Changes {
        /// Those that are marked in another way now.
        var subjects: Set<String>
        /// Whether lists of favorites may look different.
        var touched: Bool
    }

    private mutating func touch(_ subject: String) {
        stamp += 1
        if before[subject] == nil { before[subject] = shown(subject) }
    }

    private func shown(_ subject: String) -> Shown {
        Shown(mark: mark(of: subject), rejection: rejected[subject])
    }

    private func index(of number: UInt64) -> Int? {
        var low = 0
        var high = pending.count
        while low < high {
            let middle = (low + high) / 2
            if pending[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low < pending.count && pending[low].number == number ? low : nil
    }
}
