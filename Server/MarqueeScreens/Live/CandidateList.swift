import MarqueeModel

/// The movies that a section could show, in its order. Finding one costs O(log n) comparisons.
struct CandidateList: Sendable {
    private(set) var keys: [SortKey] = []

    init() {}

    init(_ keys: [SortKey]) { self.keys = keys.sorted() }

    var count: Int { keys.count }

    func members(first limit: Int) -> [Member] { keys.prefix(limit).map { .number($0.id) } }

    mutating func insert(_ key: SortKey, _ work: inout ScreenCounters) {
        keys.insert(key, at: place(of: key, &work))
    }

    /// - Returns: `false` when it was not there.
    @discardableResult
    mutating func remove(_ key: SortKey, _ work: inout ScreenCounters) -> Bool {
        let place = place(of: key, &work)
        guard place < keys.count, keys[place] == key else { return false }
        keys.remove(at: place)
        return true
    }

    private func place(of key: SortKey, _ work: inout ScreenCounters) -> Int {
        keys.firstPlace { candidate in
            work.comparisons += 1
            return !(candidate < key)
        }
    }
}
