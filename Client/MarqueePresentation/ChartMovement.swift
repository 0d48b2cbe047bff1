package import MarqueeModel
import MarqueePresets

/// How a chart entry moved since the previous list.
package enum ChartMovement: Hashable, Sendable, CustomStringConvertible {
    case new
    /// By this many ranks.
    case rose(UInt32)
    case fell(UInt32)
    case stayed

    /// - Returns: `nil` if the source doesn't say.
    init?(to rank: Int, from previous: UInt32?, isNew: Bool) {
        if isNew {
            self = .new
            return
        }
        guard let previous, let rank = UInt32(exactly: rank) else { return nil }
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
    /// The rank of the item at a place, from 0, in a ranked section: its own if it has one.
    package func rank(at place: Int) -> Int { ownRank.map { Int($0) } ?? place + 1 }

    /// How the item at a place, from 0, in a ranked section moved since the previous list; `nil` if it does not say.
    package func movement(at place: Int) -> ChartMovement? {
        switch decoded {
        case .preset(.chartEntry(let entry)):
            ChartMovement(to: rank(at: place), from: entry.previousRank, isNew: entry.isNew)
        case .card(let card):
            card.rank.flatMap { ChartMovement(to: rank(at: place), from: $0.previous, isNew: $0.isNew) }
        default: nil
        }
    }

    private var ownRank: UInt32? {
        switch decoded {
        case .preset(.chartEntry(let entry)): entry.rank
        case .card(let card): card.rank?.place
        default: nil
        }
    }
}
