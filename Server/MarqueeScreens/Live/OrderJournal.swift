import MarqueeCatalogue
import MarqueeModel

/// The moves in an order since the last journal, for all windows of the order. A window follows each move by comparing
/// a few numbers, without querying the order.
struct OrderJournal: Sendable {
    struct Move: Sendable {
        var id: String
        /// The rank before; `nil` for an added record.
        var from: Int?
        /// The rank after; `nil` for a removed record. The same as before if the record didn't move.
        var to: Int?
    }

    /// The most moves; beyond that, windows find their rows again.
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

    /// The finished journal, for the windows.
    var closed: OrderJournal {
        var closed = self
        closed.members = Set(moves.map { .text($0.id) })
        return closed
    }
}
