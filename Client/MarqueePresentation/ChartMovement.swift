package import MarqueeModel

/// How an entry of a chart moved since the list before.
package enum ChartMovement: Hashable, Sendable, CustomStringConvertible {
    case new
    /// By so many ranks.
    case rose(UInt32)
    case fell(UInt32)
    case stayed

    /// - Parameter rank: the entry's.
    /// - Returns: `nil` when the chart's source does not say.
    package init?(of entry: ChartEntryContent, at rank: Int) {
        if entry.isNew {
            self = .new
            return
        }
        guard let previous = entry.previousRank, let rank = UInt32(exactly: rank) else { return nil }
        self = previous > rank ? .rose(previous - rank) : previous < rank ? .fell(rank - previous) : .stayed
    }

    package var description: String {
        switch self {
        case .new: "NEW"
        case .rose(let ranks): "▲\(ranks)"
        case .fell(let ranks): "▼\(ranks)"
        case .stayed: "="
        }
    }
}

extension ItemContent {
    /// The rank of an item that stands at a place of a ranked section, from 0: its own where it has one.
    package func rank(at place: Int) -> Int {
        if case .chartEntry(let entry) = self, let rank = entry.rank { Int(rank) } else { place + 1 }
    }
}
