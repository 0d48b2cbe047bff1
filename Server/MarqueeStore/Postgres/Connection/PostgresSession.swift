import Foundation

/// A server's answer about a new session: the settings in force, and the server's place.
struct PostgresSession {
    /// The session's number on the server.
    let process: Int64
    /// `nil` for a standby.
    let place: HistoryPlace?
    /// When the server was started, in microseconds since 1970.
    let started: Int64
    /// The settings in force, in milliseconds.
    private let settings: [String: Int64]

    /// This machine and process, as `application_name` shows them.
    private static let node: String = {
        var name = [CChar](repeating: 0, count: 64)
        guard gethostname(&name, name.count - 1) == 0 else { return "\(getpid())" }
        let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // The server cuts the whole name at 63 bytes.
        return "\(host.prefix(30)) \(getpid())"
    }()

    /// The session's name for the server's operator: `marquee HOST PROCESS USE`.
    static func name(for use: String) -> String {
        ["marquee", node, use].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The script that applies the settings of a session.
    static func settings(_ timeouts: PostgresTimeouts) -> String {
        let (idle, between, count) = PostgresBounds.keepalive
        return timeouts.settings.map { "SET \($0.name) = \($0.milliseconds);" }.joined(separator: " ") + """
             SET client_min_messages = warning; SET tcp_user_timeout = \(PostgresBounds.deadPeerMilliseconds);
            SET tcp_keepalives_idle = \(idle); SET tcp_keepalives_interval = \(between);
            SET tcp_keepalives_count = \(count);
            """
    }

    init(_ connection: PostgresConnection) throws {
        let names = PostgresTimeouts.ordinary.settings.map(\.name)
        let read = names.map { "(SELECT setting FROM pg_settings WHERE name = '\($0)')::int8" }
        let row = try connection.runUnnamed(
            """
            SELECT pg_backend_pid()::int8, (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::int8,
                (SELECT system_identifier FROM pg_control_system()),
                CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END,
                \(read.joined(separator: ", "))
            """
        ).first
        guard let row else { throw MalformedRow() }
        process = try row.integer(0)
        started = try row.integer(1)
        let system = UInt64(bitPattern: try row.integer(2))
        place = try row.optionalText(3).map { text in
            guard let timeline = UInt32(text, radix: 16) else { throw MalformedRow() }
            return HistoryPlace(system: system, timeline: timeline)
        }
        var settings: [String: Int64] = [:]
        for (index, name) in names.enumerated() { settings[name] = try row.integer(4 + index) }
        self.settings = settings
    }

    /// - Parameter clientsView: the session's number, as the server told libpq when it connected.
    /// - Throws: `invalid` if a pooler lends the session to others between transactions, or a setting isn't in force.
    func check(_ timeouts: PostgresTimeouts, clientsView: Int64, _ url: PostgresURL) throws {
        for (name, milliseconds) in timeouts.settings where settings[name] != Int64(milliseconds) {
            throw StoreError(
                .invalid, "\(url) doesn't keep a session's \(name)" + (process == clientsView ? "" : Self.pooler))
        }
        guard process != clientsView, try isLent(url) else { return }
        throw StoreError(.invalid, "\(url) is behind a pooler that lends sessions by transaction" + Self.pooler)
    }

    static let pooler =
        ": the server there is a pooler, such as PgBouncer with pool_mode = transaction; let servers connect to "
        + "PostgreSQL itself, or set pool_mode = session for this database"

    /// Whether another connection gets this session while its own connection is still open. A pooler may have several
    /// sessions to lend, so several connections are made at once.
    private func isLent(_ url: PostgresURL) throws -> Bool {
        var others: [PostgresConnection] = []
        for _ in 1...4 {
            others.append(
                try PostgresConnection(
                    url, timeouts: PostgresTimeouts(answer: 1), use: "diagnosis", isDiagnosis: true))
        }
        return others.contains { $0.process == process }
    }
}

/// The session that holds the lock for which another one waits; if it waits itself, the session at the end of that
/// chain.
struct PostgresBlocker: Sendable, CustomStringConvertible {
    private let process: Int64
    private let name: String
    private let state: String
    private let table: String

    /// - Parameter session: the session that waits.
    /// - Throws: if the server can't be asked.
    init?(of session: Int64, _ url: PostgresURL, _ host: PostgresURL.Host) throws {
        let connection = try PostgresConnection(
            url, timeouts: PostgresTimeouts(answer: 1), use: "diagnosis", host: host, isDiagnosis: true)
        let row = try connection.run(
            """
            WITH RECURSIVE blocking (pid) AS (
                SELECT unnest(pg_blocking_pids($1::int8::int4))
                UNION SELECT unnest(pg_blocking_pids(b.pid)) FROM blocking b
            )
            SELECT b.pid::int8, coalesce(a.application_name, ''), coalesce(a.state, ''), coalesce((
                SELECT string_agg(DISTINCT c.relname::text, ', ') FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
                WHERE l.pid = $1 AND (NOT l.granted OR l.locktype = 'tuple')), '')
            FROM blocking b LEFT JOIN pg_stat_activity a ON a.pid = b.pid
            ORDER BY cardinality(pg_blocking_pids(b.pid)) LIMIT 1
            """, [.integer(session)]
        ).first
        guard let row else { return nil }
        (process, name, state, table) = (try row.integer(0), try row.text(1), try row.text(2), try row.text(3))
    }

    var description: String {
        let what = table.isEmpty ? "a row or a table" : "the table \(table)"
        let who = [name.isEmpty ? "" : "'\(name)'", state].filter { !$0.isEmpty }.joined(separator: ", ")
        return "\(what) is locked by process \(process)" + (who.isEmpty ? "" : " (\(who))")
    }
}
