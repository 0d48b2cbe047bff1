import MarqueeCatalogue
import MarqueeModel

/// The moves in an order since they were last told, for all windows of it. A window follows them with a few comparisons
/// of numbers for each, and doesn't ask the order.
struct OrderJournal: Sendable {
    struct Move: Sendable {
        var id: String
        /// The rank before; `nil` for a record that came.
        var from: Int?
        /// The rank then; `nil` for a record that went. The same as before if the record didn't move.
        var to: Int?
    }

    /// The most moves, after which windows find their rows again.
    private static let maximumMoves = 4_096

    let order: RecordOrder
    private(set) var moves: [Move] = []
    /// Whether moves are missing.
    private(set) var isIncomplete = false
    /// The records of the moves, once it is closed.
    private(set) var members: Set<Member> = []

    init(of order: RecordOrder) { self.order = order }

    mutating func add(_ move: RecordOrderMove, of record: RecordID) {
        guard moves.count < Self.maximumMoves, !isIncomplete else {
            (moves, isIncomplete) = ([], true)
            return
        }
        moves.append(Move(id: record.id, from: move.from, to: move.to))
    }

    /// The journal, to be told.
    var closed: OrderJournal {
        var closed = self
        closed.members = Set(moves.map { .text($0.id) })
        return closed
    }
}
