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

    mutating func insert(_ key: SortKey, _ work: inout ScreenCounters) {
        keys.insert(key, at: place(of: key, &work))
    }

    mutating func remove(_ key: SortKey, _ work: inout ScreenCounters) {
        let place = place(of: key, &work)
        if place < keys.count, keys[place] == key { keys.remove(at: place) }
    }

    private func place(of key: SortKey, _ work: inout ScreenCounters) -> Int {
        keys.firstPlace { candidate in
            work.comparisons += 1
            return !(candidate < key)
        }
    }
}
