import MarqueeDiff
package import MarqueeModel

/// One collection of the user: the confirmed members, with the outbox laid over them. Changing one member costs the
/// same however many changes are pending.
package struct CollectionOverlay: Sendable {
    /// Confirmed subjects, newest first.
    package private(set) var confirmed: [String]
    /// Changes not confirmed yet, by number, newest last.
    package private(set) var pending: [Pending]
    /// Why a subject's last change was rolled back, until the subject is changed again.
    package private(set) var rejected: [String: ClientError] = [:]

    package struct Pending: Hashable, Sendable {
        /// The mutation's number.
        package var number: UInt64
        package var subject: String
        package var on: Bool
        package var value: CollectionValue?
        /// Whether it may have been sent: later changes of the subject then no longer replace it.
        package var isFrozen: Bool
        /// Shown until the server sends the item.
        package var placeholder: Item?

        package init(
            number: UInt64 = 0, subject: String, on: Bool, value: CollectionValue? = nil, isFrozen: Bool = false,
            placeholder: Item? = nil
        ) {
            self.number = number
            self.subject = subject
            self.on = on
            self.value = value
            self.isFrozen = isFrozen
            self.placeholder = placeholder
        }
    }

    /// The confirmed subjects with their values, if they have any.
    private var confirmedValues: [String: CollectionValue?]
    /// The pending changes of each subject, newest last.
    private var pendingMarks: [String: [PendingMark]] = [:]
    /// For each subject changed since the last `takeChanges`, its state before.
    private var before: [String: Shown] = [:]
    /// Rises with each change: within one overlay, equal stamps mean equal contents.
    package private(set) var stamp: UInt64 = 0

    private struct PendingMark: Hashable, Sendable {
        var number: UInt64
        var on: Bool
        var value: CollectionValue?

        init(_ entry: Pending) { (number, on, value) = (entry.number, entry.on, entry.value) }
    }

    private struct Shown: Hashable, Sendable {
        var mark: FavoriteMark
        var value: CollectionValue?
        var rejection: ClientError?
    }

    /// Subjects with pending changes.
    package var pendingCount: Int { pendingMarks.count }

    /// - Parameter values: the values of those confirmed subjects that have one.
    package init(confirmed: [String] = [], values: [String: CollectionValue] = [:], pending: [Pending] = []) {
        self.confirmed = confirmed
        self.pending = pending
        confirmedValues = Self.byName(confirmed, values)
        for entry in pending { pendingMarks[entry.subject, default: []].append(PendingMark(entry)) }
    }

    private static func byName(
        _ subjects: [String], _ values: [String: CollectionValue]
    ) -> [String: CollectionValue?] {
        Dictionary(subjects.map { ($0, values[$0]) }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: - What is shown

    package func mark(of subject: String) -> FavoriteMark {
        guard !subject.isEmpty else { return .no }
        let isConfirmed = confirmedValues[subject] != nil
        switch pendingMarks[subject]?.last {
        case let mark? where mark.on: return isConfirmed && !isChanged(subject) ? .yes : .pendingYes
        case .some: return isConfirmed ? .pendingNo : .no
        case nil: return isConfirmed ? .yes : .no
        }
    }

    /// The value shown for a subject; `nil` if it has none, or isn't a member.
    package func value(of subject: String) -> CollectionValue? {
        guard let mark = pendingMarks[subject]?.last else { return confirmedValues[subject] ?? nil }
        return mark.value
    }

    /// Whether a pending change gives a confirmed member another value.
    private func isChanged(_ subject: String) -> Bool {
        guard let mark = pendingMarks[subject]?.last, mark.on, let confirmed = confirmedValues[subject] else {
            return false
        }
        return mark.value != confirmed
    }

    /// Whether a change is not confirmed yet.
    func isPending(_ number: UInt64) -> Bool { index(of: number) != nil }

    /// The changes of a subject that a new one would replace.
    func unsent(_ subject: String) -> [UInt64] {
        (pendingMarks[subject] ?? []).map(\.number).filter { number in
            index(of: number).map { !pending[$0].isFrozen } ?? false
        }
    }

    /// Members with a pending removal, newest change first.
    var pendingRemovals: [Subject] {
        var seen: Set<String> = []
        return pending.reversed().map(\.subject).filter { subject in
            mark(of: subject) == .pendingNo && seen.insert(subject).inserted
        }.map { Subject($0) }
    }

    /// Whether a subject looks the same in both overlays.
    func marks(_ subject: String, like other: CollectionOverlay) -> Bool { shown(subject) == other.shown(subject) }

    /// Confirmed and pending, newest first.
    package var list: [(subject: Subject, mark: FavoriteMark)] {
        let fresh = pending.reversed().map(\.subject).filter {
            pendingMarks[$0]?.last?.on == true && (confirmedValues[$0] == nil || isChanged($0))
        }
        var seen: Set<String> = []
        return (fresh + confirmed).filter { seen.insert($0).inserted && mark(of: $0).isFavorite }
            .map { (Subject($0), mark(of: $0)) }
    }

    /// Lays the pending members over a list: removed ones are hidden, those set or changed come first.
    /// - Parameters:
    ///   - items: the confirmed list, or a part of it.
    ///   - total: the number of members in the whole list.
    ///   - first: the rank of the first item. The members that come first aren't in a part that begins further down.
    package func laid(
        over items: [Item], of total: UInt32, from first: UInt32 = 0
    ) -> (items: [Item], total: UInt32, first: UInt32) {
        let present = Dictionary(items.map { ($0.subject, $0) }, uniquingKeysWith: { first, _ in first })
        var seen: Set<String> = []
        let fresh = pending.reversed().filter { entry in
            pendingMarks[entry.subject]?.last?.on == true && (present[entry.subject] == nil || isChanged(entry.subject))
                && seen.insert(entry.subject).inserted
        }
        let kept = items.filter { pendingMarks[$0.subject]?.last?.on != false }
        let top = first == 0 ? fresh : []
        let shown =
            top.map { entry in present[entry.subject] ?? entry.placeholder ?? Self.bareItem(entry.subject) }
            + kept.filter { !seen.contains($0.subject) }
        // A confirmed member that isn't among the items is further down, and already counted.
        let added = fresh.count { confirmedValues[$0.subject] == nil && present[$0.subject] == nil }
        let whole = Int(total) + added - (items.count - kept.count)
        let rose = first == 0 ? 0 : fresh.count { confirmedValues[$0.subject] == nil || present[$0.subject] != nil }
        return (shown, UInt32(clamping: max(whole, shown.count)), UInt32(clamping: Int(first) + rose))
    }

    /// A placeholder for a subject about which nothing is known.
    private static func bareItem(_ subject: String) -> Item {
        Item(id: subject, kind: .card, subject: subject, body: [])
    }

    // MARK: - Changes

    /// Replaces the confirmed members with the server's, newest first.
    /// - Parameter values: the values of those subjects that have one.
    mutating func confirm(_ subjects: [String], values: [String: CollectionValue] = [:]) {
        let new = Self.byName(subjects, values)
        guard subjects != confirmed || new != confirmedValues else { return }
        for subject in Set(new.keys).union(confirmedValues.keys) where new[subject] != confirmedValues[subject] {
            touch(subject)
        }
        stamp += 1
        confirmed = subjects
        confirmedValues = new
    }

    /// Adds a change stored in the outbox, with the highest number so far. It replaces unsent changes of the same
    /// subject.
    mutating func put(_ entry: Pending) {
        remove(unsent(entry.subject))
        touch(entry.subject)
        rejected[entry.subject] = nil
        pending.append(entry)
        pendingMarks[entry.subject, default: []].append(PendingMark(entry))
    }

    /// Marks an entry that is about to be sent.
    mutating func freeze(_ number: UInt64) {
        if let index = index(of: number) { pending[index].isFrozen = true }
    }

    /// Removes entries that have left the outbox.
    mutating func remove(_ numbers: [UInt64]) {
        for number in numbers {
            guard let index = index(of: number) else { continue }
            let subject = pending[index].subject
            touch(subject)
            pending.remove(at: index)
            pendingMarks[subject]?.removeAll { $0.number == number }
            if pendingMarks[subject]?.isEmpty == true { pendingMarks[subject] = nil }
        }
    }

    /// Removes an entry that was rolled back, and keeps the reason.
    mutating func reject(_ number: UInt64, subject: String, _ error: ClientError) {
        touch(subject)
        rejected[subject] = error
        remove([number])
    }

    /// Replaces all pending changes after they were renumbered. Known placeholders stay.
    mutating func replacePending(_ entries: [Pending]) {
        let known = Dictionary(pending.map { ($0.subject, $0.placeholder) }) { _, new in new }
        for subject in Set(pending.map(\.subject)).union(entries.map(\.subject)) { touch(subject) }
        pending = entries.map { entry in
            var entry = entry
            entry.placeholder = entry.placeholder ?? known[entry.subject] ?? nil
            return entry
        }
        pendingMarks = [:]
        for entry in pending { pendingMarks[entry.subject, default: []].append(PendingMark(entry)) }
    }

    /// Keeps the errors of changes rolled back before this process started.
    mutating func remember(rejected errors: [(subject: String, error: ClientError)]) {
        for (subject, error) in errors where pendingMarks[subject] == nil {
            touch(subject)
            rejected[subject] = error
        }
    }

    /// Forgets the errors, because the person has seen them.
    mutating func forgetRejections() {
        for subject in rejected.keys { touch(subject) }
        rejected = [:]
    }

    /// The newest subjects shown without an item.
    func lackingPlaceholders(_ count: Int) -> [String] {
        pending.reversed().lazy.filter { $0.on && $0.placeholder == nil }.prefix(count).map(\.subject)
    }

    /// Shows a pending subject with an item that wasn't known when it was set.
    mutating func setPlaceholder(_ item: Item, of subject: String) {
        for index in pending.indices where pending[index].subject == subject && pending[index].placeholder == nil {
            touch(subject)
            pending[index].placeholder = item
        }
    }

    /// Returns the changes since the last call.
    mutating func takeChanges() -> Changes {
        defer { before = [:] }
        return Changes(
            subjects: Set(before.filter { $0.value != shown($0.key) }.keys), touched: !before.isEmpty)
    }

    struct Changes {
        /// Subjects whose mark, value or refusal changed.
        var subjects: Set<String>
        /// Whether lists of the members may look different.
        var touched: Bool
    }

    private mutating func touch(_ subject: String) {
        stamp += 1
        if before[subject] == nil { before[subject] = shown(subject) }
    }

    private func shown(_ subject: String) -> Shown {
        Shown(mark: mark(of: subject), value: value(of: subject), rejection: rejected[subject])
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
