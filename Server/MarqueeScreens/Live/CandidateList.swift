import MarqueeModel

/// What a section could show, in its order. Finding one costs O(log n) comparisons.
struct CandidateList: Sendable {
    private(set) var keys: [SortKey] = []

    init() {}

    init(_ keys: [SortKey]) { self.keys = keys.sorted() }

    var count: Int { keys.count }

    /// Moves, adds or takes out what had one key and has another one now.
    mutating func replace(_ old: SortKey?, by new: SortKey?, _ work: inout ScreenCounters) {
        guard old != new else { return }
        if let old { remove(old, &work) }
        if let new { insert(new, &work) }
    }

    /// - Returns: its place.
    @discardableResult
    mutating func insert(_ key: SortKey, _ work: inout ScreenCounters) -> Int {
        let place = place(of: key, &work)
        keys.insert(key, at: place)
        return place
    }

    /// - Returns: the place that it had; `nil` when it wasn't there.
    @discardableResult
    mutating func remove(_ key: SortKey, _ work: inout ScreenCounters) -> Int? {
        let place = place(of: key, &work)
        guard place < keys.count, keys[place] == key else { return nil }
        keys.remove(at: place)
        return place
    }

    private func place(of key: SortKey, _ work: inout ScreenCounters) -> Int {
        keys.firstPlace { candidate in
            work.comparisons += 1
            return !(candidate < key)
        }
    }
}
