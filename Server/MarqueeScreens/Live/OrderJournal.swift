import MarqueeCatalogue
import MarqueeModel

/// The moves in an order since the last journal, for all windows of the order. A window follows each move by comparing
/// a few numbers, without querying the order.
struct OrderJournal: Sendable {
    struct Move: Sendable {
        var id: String
        /// The rank before; `nil` for an added row.
        var from: Int?
        /// The rank after; `nil` for a removed row. The same as before if the row didn't move.
        var to: Int?
    }

    /// The most moves; beyond that, windows find their rows again.
    private static let maximumMoves = 4_096

    let order: OrderID
    private(set) var moves: [Move] = []
    /// Whether moves are missing.
    private(set) var isIncomplete = false
    /// The rows of the moves, once it is closed.
    private(set) var members: Set<Member> = []

    init(of order: OrderID) { self.order = order }

    /// - Parameters:
    ///   - id: the row's id within the order.
    ///   - from: the rank before; `nil` for an added row.
    ///   - to: the rank after; `nil` for a removed row.
    mutating func add(_ id: String, from: Int?, to: Int?) {
        guard moves.count < Self.maximumMoves, !isIncomplete else {
            (moves, isIncomplete) = ([], true)
            return
        }
        moves.append(Move(id: id, from: from, to: to))
    }

    /// The finished journal, for the windows.
    var closed: OrderJournal {
        var closed = self
        closed.members = Set(moves.map { .text($0.id) })
        return closed
    }
}
