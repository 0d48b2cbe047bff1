import MarqueeCatalogue
import MarqueeModel

/// The state of a database, as one look sees it.
struct PostgresMoment {
    /// The transactions that were visible, as `pg_current_snapshot` writes them.
    var snapshot: String
    /// One more than the highest number of a transaction that has ended.
    private let next: UInt64
    /// The place within which transaction numbers can be compared.
    private let place: HistoryPlace
    /// The newest point of the catalogue's log.
    var catalogue: LogPoint
    /// The server's clock, in seconds since 1970.
    var seconds: Int64
    /// Differs whenever drafts differ; `nil` until it was read.
    var drafts: String?

    /// The most moves read at once.
    static let movesAtOnce = 1_024

    /// Begins a transaction that sees this moment, and reads everything but moves. The caller ends it.
    /// - Throws: also if the database doesn't have the history that this process has seen.
    init(_ connection: PostgresConnection, _ gate: PostgresGate) throws {
        let question = gate.question()
        let results = try connection.run(
            [
                PostgresStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
                PostgresStatement("SELECT s::text, pg_snapshot_xmax(s)::text FROM pg_current_snapshot() AS s (s)"),
            ] + question.statements)
        guard results.count == 2 + PostgresQuestion.count, let row = results[1].first else { throw MalformedRow() }
        guard let next = UInt64(try row.text(1)) else { throw MalformedRow() }
        (snapshot, self.next) = (try row.text(0), next)
        let answer = try question.answer(results[2...], of: connection, PostgresDurability(allowsLostCommits: true))
        try gate.accept(answer, to: question)
        place = answer.found.place
        catalogue = answer.found.catalogue
        seconds = Int64(clamping: answer.wall / 1_000)
    }

    /// Whether transaction numbers show what has happened since an earlier moment. They don't on another server, nor on
    /// one whose disk was reset to an earlier state.
    func continues(from earlier: PostgresMoment) -> Bool {
        place == earlier.place && next >= earlier.next
    }

    /// Moves of users that an earlier moment of the same history did not show and this one does, in the order in which
    /// they were made. A transaction that began early may commit late, so numbers alone don't tell what is new.
    ///
    /// - Parameters:
    ///   - mark: the mark of moves to leave out.
    ///   - number: the number of the move after which to continue, such as the last one of the previous page.
    /// - Returns: at most `movesAtOnce` moves, the number of the last one, and the users' points after them, in the
    ///   order in which they moved; without users moved by a server of a version without chains.
    static func moves(
        since earlier: PostgresMoment, not mark: Int64, after number: Int64, _ connection: PostgresConnection
    ) throws -> (moves: [UserMove], last: Int64, points: [(user: String, LogPoint)]) {
        let rows = try connection.run(
            """
            SELECT seq, user_name, collection, subject, value, revision, chain FROM user_move
            WHERE xid >= pg_snapshot_xmin($1::text::pg_snapshot)
                AND NOT pg_visible_in_snapshot(xid, $1::text::pg_snapshot) AND node <> $2 AND seq > $3
            ORDER BY seq LIMIT \(movesAtOnce)
            """, [.text(earlier.snapshot), .integer(mark), .integer(number)])
        var last = number
        var points: [(user: String, LogPoint)] = []
        let moves = try rows.map { row in
            last = try row.integer(0)
            let effect: MemberChange.Effect
            if let value = try row.optionalBlob(4) { effect = .set(value: value) } else { effect = .remove }
            let change = MemberChange(
                collection: CollectionName(try row.text(2)), subject: try row.text(3), effect: effect)
            let (user, revision) = (try row.text(1), try row.unsigned(5))
            if let chain = try row.optionalInteger(6) {
                points.append((user, LogPoint(revision: revision, chain: UInt64(bitPattern: chain))))
            }
            return UserMove(user: user, move: MemberMove(change, revision: revision))
        }
        return (moves, last, points)
    }
}
