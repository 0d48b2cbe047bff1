import MarqueeModel

/// The keys of everything a section could show, in order. Finding one costs O(log n) comparisons.
struct CandidateList<Key: Comparable & Sendable>: Sendable {
    private(set) var keys: [Key] = []

    init() {}

    init(_ keys: [Key]) { self.keys = keys.sorted() }

    var count: Int { keys.count }

    /// Moves an element from its old key to its new one; adds it without an old key, removes it without a new one.
    mutating func replace(_ old: Key?, by new: Key?, _ work: inout ScreenCounters) {
        guard old != new else { return }
        if let old { remove(old, &work) }
        if let new { insert(new, &work) }
    }

    /// - Returns: its index.
    @discardableResult
    mutating func insert(_ key: Key, _ work: inout ScreenCounters) -> Int {
        let place = place(of: key, &work)
        keys.insert(key, at: place)
        return place
    }

    /// - Returns: its former index; `nil` if it wasn't present.
    @discardableResult
    mutating func remove(_ key: Key, _ work: inout ScreenCounters) -> Int? {
        let place = place(of: key, &work)
        guard place < keys.count, keys[place] == key else { return nil }
        keys.remove(at: place)
        return place
    }

    private func place(of key: Key, _ work: inout ScreenCounters) -> Int {
        keys.partitioningIndex { candidate in
            work.comparisons += 1
            return !(candidate < key)
        }
    }
}
