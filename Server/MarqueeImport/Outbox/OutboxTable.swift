import MarqueeTypes

/// The table of an outbox, over a connection of its own that also listens. Blocks; used by one thread at a time.
package final class OutboxTable {
    /// The most rows whose order is read at once: one more than the changes of a publication, so a transaction that is
    /// cut off here doesn't fit into one anyway.
    private static let rowsAtOnce = 65_537
    /// The most rows that a statement deletes.
    private static let deletedAtOnce = 10_000
    private static let reasonBytes = 1_000

    package let feed: OutboxFeed
    let connection: PostgresSource
    private var name: String { feed.quotedName }

    /// - Throws: when the database can't be reached.
    package init(_ feed: OutboxFeed) throws(ImportError) {
        self.feed = feed
        connection = try PostgresSource(feed.url, isReadOnly: false)
        // A claim that a crash of the database could take back would let rows be published again.
        _ = try connection.rows("SELECT set_config('synchronous_commit', 'on', false)")
    }

    /// The database's identifier and its timeline.
    package func identity() throws(ImportError) -> (system: String, timeline: UInt32) {
        let row = try connection.rows(
            "SELECT system_identifier::text, left(pg_walfile_name(pg_current_wal_lsn()), 8) FROM pg_control_system()"
        ).first
        guard let row, row.count == 2, let system = row[0], let timeline = row[1].flatMap({ UInt32($0, radix: 16) })
        else { throw ImportError(.noInput, "\(feed.url) doesn't say who it is") }
        return (system, timeline)
    }

    /// Whether this process is the one that empties it. Another may be while its connection lasts.
    package func takeTurn() throws(ImportError) -> Bool {
        try connection.rows(
            "SELECT pg_try_advisory_lock(hashtextextended($1, 0))::text", ["marquee outbox " + feed.fullName]
        ).first?.first == "true"
    }

    // MARK: - Waiting

    /// Has the database notify of new rows.
    /// - Returns: why it doesn't; `nil` if it does.
    package func listen() -> String? {
        do throws(ImportError) {
            _ = try connection.rows("LISTEN \(PostgresSource.quoted(feed.channel))")
            return nil
        } catch {
            return error.message
        }
    }

    /// Forgets the notifications that have arrived.
    /// - Throws: when the connection has ended.
    package func takeNotifications() throws(ImportError) { _ = try connection.takeNotifications() }

    /// Waits for a notification.
    /// - Returns: whether one has arrived.
    /// - Throws: when the connection has ended.
    package func wait(milliseconds: Int32) throws(ImportError) -> Bool {
        if try connection.takeNotifications() { return true }
        connection.wait(milliseconds: milliseconds)
        return try connection.takeNotifications()
    }

    // MARK: - Rows

    /// The order of the rows that are to be published.
    /// - Returns: with whether these are all that are there.
    package func order() throws(ImportError) -> (places: [OutboxPlace], isAll: Bool) {
        let rows = try connection.rows(
            """
            SELECT id::text, last::text
            FROM (SELECT id, max(id) OVER (PARTITION BY xid) AS last FROM \(name) WHERE refused IS NULL) o
            ORDER BY o.last, o.id LIMIT \(Self.rowsAtOnce)
            """)
        let places = rows.compactMap { row -> OutboxPlace? in
            guard row.count == 2, let id = row[0].flatMap({ Int64($0) }), let last = row[1].flatMap({ Int64($0) })
            else { return nil }
            return OutboxPlace(id: id, last: last)
        }
        return (places, rows.count < Self.rowsAtOnce)
    }

    /// A row as it was read.
    package enum Read {
        case row(OutboxRow)
        /// Can't be published, whatever the server says.
        case bad(id: Int64, reason: String)
    }

    /// Reads rows; those that somebody has deleted meanwhile are left out.
    package func read(_ ids: [Int64]) throws(ImportError) -> [Read] {
        let rows = try connection.rows(
            """
            SELECT id::text, CASE WHEN octet_length(changes::text) <= \(OutboxRow.bytes) THEN changes::text END
            FROM \(name) WHERE id = ANY ($1::bigint[]) AND refused IS NULL
            """, [Self.list(ids)])
        var found: [Int64: String?] = [:]
        for row in rows where row.count == 2 {
            if let id = row[0].flatMap({ Int64($0) }) { found[id] = .some(row[1]) }
        }
        return ids.compactMap { id in
            guard let text = found[id] else { return nil }
            do throws(RecordError) {
                return .row(try OutboxRow(id: id, text: text))
            } catch {
                return .bad(id: id, reason: error.description)
            }
        }
    }

    /// Claims rows for a publication.
    package func claim(_ ids: [Int64], _ claim: Int64) throws(ImportError) {
        _ = try connection.rows(
            "UPDATE \(name) SET claim = $2::bigint WHERE id = ANY ($1::bigint[])", [Self.list(ids), "\(claim)"])
    }

    /// Whether rows are claimed that may have been published, or may be any moment.
    package func hasClaims() throws(ImportError) -> Bool {
        try connection.rows("SELECT 1 FROM \(name) WHERE claim IS NOT NULL LIMIT 1").isEmpty == false
    }

    /// Gives claims back: these rows aren't published.
    package func release(_ ids: [Int64]) throws(ImportError) {
        _ = try connection.rows("UPDATE \(name) SET claim = NULL WHERE id = ANY ($1::bigint[])", [Self.list(ids)])
    }

    /// Gives all claims back.
    package func release() throws(ImportError) {
        _ = try connection.rows("UPDATE \(name) SET claim = NULL WHERE claim IS NOT NULL")
    }

    /// Deletes rows that are published, by their claim.
    /// - Throws: also when it is stopped; some may be left then.
    package func remove(claim: Int64, shouldContinue: () -> Bool) throws(ImportError) {
        while shouldContinue() {
            let gone = try connection.rows(
                """
                DELETE FROM \(name) WHERE id IN
                    (SELECT id FROM \(name) WHERE claim = $1::bigint AND refused IS NULL LIMIT \(Self.deletedAtOnce))
                RETURNING 1
                """, ["\(claim)"])
            if gone.count < Self.deletedAtOnce { return }
        }
        throw ImportError(.cancelled, "stopped")
    }

    /// Deletes rows that are published.
    package func remove(_ ids: [Int64]) throws(ImportError) {
        for start in stride(from: 0, to: ids.count, by: Self.deletedAtOnce) {
            let some = ids[start..<min(ids.count, start + Self.deletedAtOnce)]
            _ = try connection.rows(
                "DELETE FROM \(name) WHERE id = ANY ($1::bigint[]) AND refused IS NULL", [Self.list(some)])
        }
    }

    /// Leaves a row for a person, with the reason.
    package func setAside(_ id: Int64, _ reason: String) throws(ImportError) {
        var reason = reason
        while reason.utf8.count > Self.reasonBytes { reason.removeLast() }
        _ = try connection.rows(
            "UPDATE \(name) SET claim = NULL, refused = $2 WHERE id = $1::bigint", ["\(id)", reason])
    }

    /// How it is doing.
    package struct State: Sendable {
        /// Rows that were refused, and the reason of the last.
        package var refused = 0
        package var last: (id: Int64, reason: String)?
        /// The age of the oldest row that is to be published, in milliseconds.
        package var waiting: UInt64?

        /// All that is wrong, in one line; `nil` if nothing is.
        package func error(of table: String) -> String? {
            last.map { last in
                "\(refused == 1 ? "1 row" : "\(refused) rows") of \(table) refused, the last is row \(last.id): "
                    + last.reason
            }
        }
    }

    package func state() throws(ImportError) -> State {
        let row = try connection.rows(
            """
            SELECT count(*) FILTER (WHERE refused IS NOT NULL)::text,
                (extract(epoch FROM clock_timestamp() - min(written) FILTER (WHERE refused IS NULL)) * 1000)::bigint::text
            FROM \(name)
            """
        ).first
        var state = State()
        guard let row, row.count == 2 else { return state }
        state.refused = row[0].flatMap { Int($0) } ?? 0
        state.waiting = row[1].flatMap { Int64($0) }.map { UInt64(max(0, $0)) }
        guard state.refused > 0 else { return state }
        let last = try connection.rows(
            "SELECT id::text, refused FROM \(name) WHERE refused IS NOT NULL ORDER BY id DESC LIMIT 1"
        ).first
        if let last, last.count == 2, let id = last[0].flatMap({ Int64($0) }) { state.last = (id, last[1] ?? "") }
        return state
    }

    private static func list(_ ids: some Sequence<Int64>) -> String {
        "{\(ids.map(String.init).joined(separator: ","))}"
    }
}
