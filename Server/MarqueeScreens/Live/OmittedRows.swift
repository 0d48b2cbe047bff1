import MarqueeModel

/// The rows of an order that aren't shown. They translate between ranks in the order and ranks among the shown rows
/// without visiting those.
struct OmittedRows: Sendable {
    /// Up to this many omitted rows within a window are read and skipped; beyond that, each shown row is looked up.
    private static let maximumSkipped = 64

    private var keys = CandidateList<RecordKey>()
    private var known: [String: RecordKey] = [:]

    var count: Int { keys.count }

    /// - Parameter key: its place in the order; `nil` if it isn't in the order.
    mutating func set(_ id: String, at key: RecordKey?, _ work: inout ScreenCounters) {
        keys.replace(known[id], by: key, &work)
        known[id] = key
    }

    /// The number of shown rows before a place.
    ///
    /// - Parameter rank: the number of all rows before it.
    func shownRank(of key: RecordKey, rank: Int) -> Int { rank - keys.keys.partitioningIndex { !($0 < key) } }

    /// The rank in the order of a shown row.
    ///
    /// - Parameters:
    ///   - shownRank: its rank among the shown rows.
    ///   - rankOf: the rank in the order of an omitted row.
    func rank(of shownRank: Int, rankOf: (RecordKey) -> Int) -> Int {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if rankOf(keys.keys[middle]) - middle > shownRank { high = middle } else { low = middle + 1 }
        }
        return shownRank + low
    }

    /// The shown rows at these ranks.
    ///
    /// - Parameters:
    ///   - shownRanks: ranks of rows that exist; not empty.
    ///   - ids: the rows at ranks in the order.
    func ids(
        at shownRanks: Range<Int>, rankOf: (RecordKey) -> Int, ids: (Range<Int>) -> [String]
    ) -> (ids: [String], ranks: Range<Int>) {
        let first = rank(of: shownRanks.lowerBound, rankOf: rankOf)
        let end = rank(of: shownRanks.upperBound - 1, rankOf: rankOf) + 1
        if end - first <= shownRanks.count + Self.maximumSkipped {
            return (ids(first..<end).filter { known[$0] == nil }, first..<end)
        }
        let found = shownRanks.flatMap { shown in
            let place = self.rank(of: shown, rankOf: rankOf)
            return ids(place..<place + 1)
        }
        return (found, first..<end)
    }
}
