import MarqueeCatalogue
import MarqueeModel

/// A database as one look at it found it.
struct PostgresMoment {
    /// The transactions that were visible, as `pg_current_snapshot` writes them.
    var snapshot: String
    /// The server's history: it changes when a standby is promoted, or a backup restored. Numbers of transactions are
    /// comparable within one.
    var history: String
    var epochs: (catalogue: UInt64, users: UInt64)
    var catalogueRevision: UInt64
    /// Of the user who was asked for; `nil` if there is no such user.
    var userRevision: UInt64?
    /// The server's clock, in seconds since 1970.
    var seconds: Int64

    /// The most moves read at once.
    static let movesAtOnce = 1_024

    /// Begins a transaction that sees this moment, and reads everything but moves. The caller ends it.
    /// - Parameter user: whose revision is read.
    init(_ connection: PostgresConnection, user: String?) throws {
        let results = try connection.run([
            PostgresStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
            PostgresStatement(
                """
                SELECT pg_current_snapshot()::text,
                    left(pg_walfile_name(pg_current_wal_lsn()), 8)
                        || ' ' || (SELECT system_identifier FROM pg_control_system()),
                    (SELECT value FROM marquee_meta WHERE name = '\(PostgresSchema.Meta.catalogueEpoch)'),
                    (SELECT value FROM marquee_meta WHERE name = '\(PostgresSchema.Meta.usersEpoch)'),
                    (SELECT revision FROM catalogue_head),
                    (SELECT revision FROM user_log WHERE name = $1),
                    extract(epoch FROM clock_timestamp())::int8
                """, [.text(user ?? "")]),
        ])
        guard let row = results.last?.first else { throw MalformedRow() }
        snapshot = try row.text(0)
        history = try row.text(1)
        guard let catalogue = UInt64(try row.text(2), radix: 16), let users = UInt64(try row.text(3), radix: 16) else {
            throw MalformedRow()
        }
        epochs = (catalogue, users)
        catalogueRevision = try row.unsigned(4)
        userRevision = try row.optionalUnsigned(5)
        seconds = try row.integer(6)
    }

    /// Moves of users that an earlier moment of the same history did not show and this one does, in the order in which
    /// they were made. A transaction that began early may commit late, so numbers alone don't tell what is new.
    ///
    /// - Parameters:
    ///   - mark: of the moves that are left out.
    ///   - number: of the move after which to go on, as the previous page's last.
    /// - Returns: at most `movesAtOnce`, and the number of the last.
    static func moves(
        since earlier: PostgresMoment, not mark: Int64, after number: Int64, _ connection: PostgresConnection
    ) throws -> (moves: [UserMove], last: Int64) {
        let rows = try connection.run(
            """
            SELECT seq, user_name, collection, subject, value, revision FROM user_move
            WHERE xid >= pg_snapshot_xmin($1::text::pg_snapshot)
                AND NOT pg_visible_in_snapshot(xid, $1::text::pg_snapshot) AND node <> $2 AND seq > $3
            ORDER BY seq LIMIT \(movesAtOnce)
            """, [.text(earlier.snapshot), .integer(mark), .integer(number)])
        var last = number
        let moves = try rows.map { row in
            last = try row.integer(0)
            let effect: MemberChange.Effect
            if let value = try row.optionalBlob(4) { effect = .set(value: value) } else { effect = .remove }
            let change = MemberChange(
                collection: CollectionName(try row.text(2)), subject: try row.text(3), effect: effect)
            return UserMove(user: try row.text(1), move: MemberMove(change, revision: try row.unsigned(5)))
        }
        return (moves, last)
    }
}
