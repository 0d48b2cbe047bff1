import CPostgreSQL
import Foundation

/// One connection to a database, used by one thread at a time.
///
/// Statements that are run together are sent together, and cost one round trip.
// Unchecked: libpq lets a connection move between threads, and its owners hand it to one at a time.
final class PostgresConnection: @unchecked Sendable {
    let url: PostgresURL
    private let raw: OpaquePointer
    private let stop: PostgresStop?
    /// The names of prepared statements by their text.
    private var prepared: [String: String] = [:]
    private var lastName = 0
    /// Statements sent: a measure of work.
    private(set) var statements = 0
    /// Whether the connection is no longer usable.
    private(set) var isLost = false
    /// The place of the server at the other end, which stays the same as long as the connection lasts; `nil` for a
    /// standby.
    private(set) var place: HistoryPlace?
    /// The session's number on the server.
    private(set) var process: Int64 = 0
    /// When the server was started, which tells servers apart; in microseconds since 1970.
    private(set) var started: Int64 = 0
    private let timeouts: PostgresTimeouts
    /// The session that keeps this connection waiting for a lock, as last determined.
    private var blocker: PostgresBlocker?
    /// Whether this connection is only used to find out something about another one.
    private let isDiagnosis: Bool

    /// Connects and logs in.
    /// - Parameters:
    ///   - use: the purpose, as the server's operator sees it.
    ///   - host: the host of the URL to connect to; `nil` for the first that takes writes.
    ///   - takesStandby: whether a standby is accepted.
    ///   - isDiagnosis: whether it is only used to find out something about another connection.
    ///   - stop: ends the waiting; the connection counts as lost then.
    /// - Throws: `PostgresError`; `StoreError` if there is a pooler in between that can't be used.
    init(
        _ url: PostgresURL, timeouts: PostgresTimeouts = .ordinary, use: String = "", host: PostgresURL.Host? = nil,
        takesStandby: Bool = false, isDiagnosis: Bool = false, stop: PostgresStop? = nil
    ) throws {
        self.url = url
        self.timeouts = timeouts
        self.isDiagnosis = isDiagnosis
        self.stop = stop
        // Settings before the URL are defaults that it may override; those after it can't be overridden.
        let settings: [(String, String)] =
            [
                ("connect_timeout", "\(PostgresBounds.connectSeconds)"),
                ("application_name", PostgresSession.name(for: use)),
                ("tcp_user_timeout", "\(PostgresBounds.deadPeerMilliseconds)"),
                ("keepalives_idle", "\(PostgresBounds.keepalive.idleSeconds)"),
                ("keepalives_interval", "\(PostgresBounds.keepalive.betweenSeconds)"),
                ("keepalives_count", "\(PostgresBounds.keepalive.count)"),
                ("dbname", url.text), ("target_session_attrs", takesStandby ? "any" : "read-write"),
                ("client_encoding", "UTF8"),
            ]
        let start = ContinuousClock.now
        guard let raw = Self.connect(settings, to: host, otherwise: host == nil ? url.hosts : [], stop) else {
            throw PostgresError(state: "53200", message: "there is no memory for a connection")
        }
        self.raw = raw
        if PQstatus(raw) != CONNECTION_OK, let failure = failureToConnect(since: start) { throw failure }
        // Keeps the server's notices out of the node's output.
        PQsetNoticeProcessor(raw, { _, _ in }, nil)
        try runScript(PostgresSession.settings(timeouts))
        guard PQsetnonblocking(raw, 1) == 0 else { throw lost() }
        let session = try PostgresSession(self)
        if !isDiagnosis { try session.check(timeouts, clientsView: Int64(PQbackendPID(raw)), url) }
        (process, place, started) = (session.process, session.place, session.started)
    }

    deinit { PQfinish(raw) }

    /// libpq tries the next host only if nothing accepts the connection. A balancer accepts it and then closes it while
    /// the server behind it is away, which would keep libpq from all other hosts; so each host is then tried by itself.
    /// - Parameters:
    ///   - host: the host of the URL to connect to; `nil` for all of them.
    ///   - hosts: the hosts to try by themselves if that fails.
    /// - Returns: the first attempt unless another one has succeeded; `nil` if there is no memory for it.
    private static func connect(
        _ settings: [(String, String)], to host: PostgresURL.Host?, otherwise hosts: [PostgresURL.Host],
        _ stop: PostgresStop?
    ) -> OpaquePointer? {
        let first = connect(settings + (host?.settings ?? []))
        if PQstatus(first) == CONNECTION_OK { return first }
        for host in hosts where hosts.count > 1 && stop?.isSet != true {
            guard let next = connect(settings + host.settings) else { break }
            if PQstatus(next) == CONNECTION_OK {
                PQfinish(first)
                return next
            }
            PQfinish(next)
        }
        return first
    }

    private static func connect(_ settings: [(String, String)]) -> OpaquePointer? {
        let words = settings.map { [strdup($0.0), strdup($0.1)] }
        defer { for word in words.joined() { free(word) } }
        let keywords = words.map { UnsafePointer($0[0]) } + [nil]
        let values = words.map { UnsafePointer($0[1]) } + [nil]
        return PQconnectdbParams(keywords, values, 1)
    }

    /// The descriptor to wait on until the server sends something.
    var socket: Int32 { PQsocket(raw) }

    /// The host that was chosen from the URL's.
    var host: PostgresURL.Host {
        PostgresURL.Host(
            name: PQhost(raw).map { String(cString: $0) } ?? "", port: PQport(raw).map { String(cString: $0) } ?? "")
    }

    /// The server's version, such as 150004 for 15.4.
    var serverVersion: Int { Int(PQserverVersion(raw)) }

    /// A setting that the server reports, such as `server_encoding`.
    func parameter(_ name: String) -> String { PQparameterStatus(raw, name).map { String(cString: $0) } ?? "" }

    /// Runs a statement.
    @discardableResult
    func run(_ sql: String, _ values: [PostgresValue] = []) throws -> PostgresRows {
        guard let rows = try run([PostgresStatement(sql, values)]).first else { throw MalformedRow() }
        return rows
    }

    /// Runs statements one after the other, and stops at the first that fails.
    /// - Returns: the rows of each.
    /// - Throws: `PostgresError`. If the connection is lost, it isn't known which of the statements took effect.
    func run(_ batch: [PostgresStatement]) throws -> [PostgresRows] {
        let (results, failure) = try attempt(batch)
        if let failure { throw failure }
        return results
    }

    /// Like `run`, but also returns the rows of the statements before a failure.
    func attempt(_ batch: [PostgresStatement]) throws -> (results: [PostgresRows], failure: PostgresError?) {
        guard !isLost, PQenterPipelineMode(raw) == 1 else { throw lost() }
        var expected: [Expected] = []
        for statement in batch {
            if prepared[statement.sql] == nil {
                lastName += 1
                let name = "m\(lastName)"
                guard statement.values.withTypes({ PQsendPrepare(raw, name, statement.sql, $0, $1) }) == 1 else {
                    throw lost()
                }
                prepared[statement.sql] = name
                expected.append(.prepared(statement.sql))
            }
            guard let name = prepared[statement.sql], send(name, statement.values) else { throw lost() }
            expected.append(.rows)
            statements += 1
        }
        guard PQpipelineSync(raw) == 1 else { throw lost() }
        let outcome = try receive(expected)
        guard PQexitPipelineMode(raw) == 1 else { throw lost() }
        return outcome
    }

    private enum Expected {
        case prepared(String)
        case rows
    }

    private func send(_ name: String, _ values: [PostgresValue]) -> Bool {
        let contents = values.map(\.encoded)
        let lengths = contents.map { Int32(clamping: $0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: values.count)
        return contents.withPointers { pointers in
            PQsendQueryPrepared(raw, name, Int32(clamping: values.count), pointers, lengths, formats, 1)
        } == 1
    }

    private func receive(_ expected: [Expected]) throws -> (results: [PostgresRows], failure: PostgresError?) {
        try flush()
        var results: [PostgresRows] = []
        var failure: PostgresError?
        var next = expected.makeIterator()
        while true {
            // Each statement's results end with nil.
            guard let result = try nextResult() else { continue }
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC:
                PQclear(result)
                return (results, failure)
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
                if case .prepared? = next.next() { PQclear(result) } else { results.append(PostgresRows(result)) }
            case let status:
                if case .prepared(let sql)? = next.next() { prepared[sql] = nil }
                if status != PGRES_PIPELINE_ABORTED, failure == nil { failure = error(of: result) }
                PQclear(result)
                if PQstatus(raw) == CONNECTION_BAD || failure?.isLost == true { throw lost(failure) }
            }
        }
    }

    /// Runs a statement without preparing it under a name that another client of the same session may have taken.
    func runUnnamed(_ sql: String) throws -> PostgresRows {
        guard !isLost, PQsendQueryParams(raw, sql, 0, nil, nil, nil, nil, 1) == 1 else { throw lost() }
        statements += 1
        try flush()
        var rows: PostgresRows?
        var failure: PostgresError?
        while let result = try nextResult() {
            if PQresultStatus(result) == PGRES_TUPLES_OK, rows == nil {
                rows = PostgresRows(result)
            } else {
                failure = failure ?? error(of: result)
                PQclear(result)
            }
        }
        if let failure { throw failure.isLost ? lost(failure) : failure }
        guard let rows else { throw MalformedRow() }
        return rows
    }

    /// Runs statements without parameters, separated by semicolons.
    func runScript(_ sql: String) throws {
        guard !isLost, PQsendQuery(raw, sql) == 1 else { throw lost() }
        statements += 1
        try flush()
        var failure: PostgresError?
        while let result = try nextResult() {
            let status = PQresultStatus(result)
            if status != PGRES_COMMAND_OK, status != PGRES_TUPLES_OK, failure == nil { failure = error(of: result) }
            PQclear(result)
        }
        if let failure { throw failure.isLost ? lost(failure) : failure }
    }

    // MARK: - Waiting

    private func flush() throws {
        while true {
            switch PQflush(raw) {
            case 0: return
            case 1:
                // The server may wait for its answers to be read before it reads on.
                let ready = try wait(for: Int16(POLLIN | POLLOUT))
                if ready & Int16(POLLIN) != 0, PQconsumeInput(raw) != 1 { throw lost() }
            default: throw lost()
            }
        }
    }

    private func nextResult() throws -> OpaquePointer? {
        while PQisBusy(raw) == 1 {
            _ = try wait(for: Int16(POLLIN))
            guard PQconsumeInput(raw) == 1 else { throw lost() }
        }
        let result = PQgetResult(raw)
        if result == nil, PQstatus(raw) == CONNECTION_BAD { throw lost() }
        return result
    }

    private func wait(for events: Int16) throws -> Int16 {
        let deadline = Deadline(seconds: timeouts.answer)
        // Looks for the blocker only if the lock's timeout comes before the answer's.
        let isAsking = !isDiagnosis && timeouts.answer > timeouts.lock
        var asking = isAsking ? Deadline(milliseconds: Int32(clamping: timeouts.lock * 750)) : nil
        blocker = nil
        while true {
            if let time = asking, time.milliseconds == 0 {
                asking = nil
                blocker = try? PostgresBlocker(of: process, url, host)
            }
            var descriptor = pollfd(fd: socket, events: events, revents: 0)
            if stop?.isSet == true { throw lost(PostgresError(state: nil, message: "the store was closed")) }
            switch poll(&descriptor, 1, min(deadline.milliseconds, PostgresBounds.stopMilliseconds)) {
            case 0 where deadline.milliseconds > 0: continue
            case 0: throw lost(.silent(seconds: timeouts.answer))
            case -1 where errno == EINTR: continue
            case -1: throw lost(PostgresError(state: nil, message: String(cString: strerror(errno))))
            default: return descriptor.revents
            }
        }
    }

    /// Waits for a notice on a channel that the connection listens to.
    /// - Returns: its payload; `nil` if none came in time.
    /// - Throws: `PostgresError`.
    func notice(within milliseconds: Int32) throws -> String? {
        let deadline = Deadline(milliseconds: milliseconds)
        while true {
            guard !isLost, PQconsumeInput(raw) == 1 else { throw lost() }
            if let notice = PQnotifies(raw) {
                defer { PQfreemem(notice) }
                return String(cString: notice.pointee.extra)
            }
            var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let ready = poll(&descriptor, 1, deadline.milliseconds)
            if ready == 0 { return nil }
            if ready < 0, errno != EINTR { throw lost() }
        }
    }

    // MARK: - Errors

    private func lost(_ error: PostgresError? = nil) -> PostgresError {
        isLost = true
        return error ?? PostgresError(state: nil, message: message)
    }

    /// Why the connection couldn't be made; `nil` if it has been made since.
    private func failureToConnect(since start: ContinuousClock.Instant) -> PostgresError? {
        let first = message
        if let state = stateWithoutServer {
            isLost = true
            return PostgresError(state: state, message: first)
        }
        var state: String?
        // libpq has no error code for a connection that the server refuses, but its verbose messages contain the
        // server's. They can be switched on only after an attempt to connect; so there is a second one, unless the
        // first took so long that the server seems to be away.
        if start.duration(to: .now) < .seconds(PostgresBounds.connectSeconds) {
            PQsetErrorVerbosity(raw, PQERRORS_VERBOSE)
            PQreset(raw)
            if PQstatus(raw) == CONNECTION_OK {
                PQsetErrorVerbosity(raw, PQERRORS_DEFAULT)
                return nil
            }
            state = PostgresError.state(ofFirstHostIn: String(cString: PQerrorMessage(raw))) ?? stateWithoutServer
        }
        isLost = true
        return PostgresError(state: state, message: first)
    }

    /// The SQLSTATE of problems that libpq detects itself: a missing password, or a server that takes no writes.
    private var stateWithoutServer: String? {
        if PQconnectionNeedsPassword(raw) == 1 { return "28P01" }
        let readOnly = ["in_hot_standby", "default_transaction_read_only"]
        return readOnly.contains { parameter($0) == "on" } ? "25006" : nil
    }

    private var message: String { url.redacted(String(cString: PQerrorMessage(raw))) }

    private func error(of result: OpaquePointer) -> PostgresError {
        func field(_ code: UInt8) -> String? { PQresultErrorField(result, Int32(code)).map { String(cString: $0) } }
        let message = field(UInt8(ascii: "M")) ?? String(cString: PQresultErrorMessage(result))
        return PostgresError(state: field(UInt8(ascii: "C")), message: url.redacted(message), blocker: blocker)
    }
}

extension PostgresURL.Host {
    /// The host as libpq's settings.
    fileprivate var settings: [(String, String)] { [("host", name), ("port", port)] }
}
