import CPostgreSQL
import Foundation
package import MarqueeStore

/// A connection by which a database tells what its transactions do. Blocks; used by one thread.
package final class PostgresStream {
    private static let connectSeconds = 10
    /// How often it looks whether a command is still wanted.
    private static let lookMilliseconds: Int32 = 100
    private static let deadPeerMilliseconds = 30_000
    /// The seconds between PostgreSQL's year 2000 and 1970.
    private static let epochSeconds = 946_684_800.0

    /// - Parameter time: as PostgreSQL has it, in microseconds since 2000.
    package static func secondsSince1970(_ time: Int64) -> Double { Double(time) / 1_000_000 + epochSeconds }

    private let raw: OpaquePointer
    private let url: PostgresURL
    private let shouldContinue: () -> Bool
    private var publication = ""
    /// Whether the database has ended the stream because the publication wasn't there yet when the log was written.
    package private(set) var lacksPublication = false
    /// The SQLSTATE of an object that doesn't exist, and the field of a result that has it.
    private static let undefinedObject = "42704"
    private static let stateField = Int32(UInt8(ascii: "C"))

    /// - Parameter shouldContinue: asked while the database works on a command, which ends when it says no.
    /// - Throws: `noInput` when nobody answers there, or the role may not follow.
    package init(_ url: PostgresURL, shouldContinue: @escaping () -> Bool) throws(ImportError) {
        (self.url, self.shouldContinue) = (url, shouldContinue)
        let settings = [
            ("connect_timeout", "\(Self.connectSeconds)"), ("application_name", "marquee follow"),
            ("tcp_user_timeout", "\(Self.deadPeerMilliseconds)"), ("keepalives_idle", "10"),
            ("keepalives_interval", "5"), ("keepalives_count", "3"), ("dbname", url.text),
            ("client_encoding", "UTF8"), ("replication", "database"),
            ("options", "-c datestyle=ISO,YMD -c timezone=UTC -c intervalstyle=iso_8601 -c extra_float_digits=1"),
        ]
        let words = settings.map { [strdup($0.0), strdup($0.1)] }
        defer { for word in words.joined() { free(word) } }
        guard
            let raw = PQconnectdbParams(
                words.map { UnsafePointer($0[0]) } + [nil], words.map { UnsafePointer($0[1]) } + [nil], 1)
        else { throw ImportError(.noInput, "there is no memory for a connection to \(url)") }
        self.raw = raw
        guard PQstatus(raw) == CONNECTION_OK else { throw failure("can't be reached") }
        PQsetNoticeProcessor(raw, { _, _ in }, nil)
    }

    deinit { PQfinish(raw) }

    private func failure(_ what: String) -> ImportError {
        let words = url.redacted(String(cString: PQerrorMessage(raw)))
        return ImportError(.noInput, "\(url) \(what)\(words.isEmpty ? "" : ": \(words)")")
    }

    /// The first row of a command's answer. A new slot waits for all transactions that run.
    private func row(_ command: String) throws(ImportError) -> [String] {
        guard PQsendQuery(raw, command) == 1 else { throw failure("can't be followed") }
        var row: [String] = []
        while let result = try nextResult() {
            defer { PQclear(result) }
            guard [PGRES_TUPLES_OK, PGRES_COMMAND_OK].contains(PQresultStatus(result)) else {
                throw failure("can't be followed")
            }
            guard PQntuples(result) > 0 else { continue }
            row = (0..<PQnfields(result)).map { String(cString: PQgetvalue(result, 0, $0)) }
        }
        return row
    }

    private func nextResult() throws(ImportError) -> OpaquePointer? {
        while PQisBusy(raw) == 1 {
            guard shouldContinue() else { throw ImportError(.cancelled, "stopped") }
            wait(milliseconds: Self.lookMilliseconds)
            guard PQconsumeInput(raw) == 1 else { throw failure("has ended the connection") }
        }
        return PQgetResult(raw)
    }

    /// The database's identifier, its timeline, and the end of its log.
    package func identity() throws(ImportError) -> (system: String, timeline: UInt32, newest: LogLocation) {
        let row = try row("IDENTIFY_SYSTEM")
        guard row.count >= 3, let timeline = UInt32(row[1]), let newest = LogLocation(row[2]) else {
            throw ImportError(.noInput, "\(url) doesn't say who it is")
        }
        return (row[0], timeline, newest)
    }

    /// - Returns: where the slot begins.
    package func makeSlot(_ name: String) throws(ImportError) -> LogLocation {
        let row = try row("CREATE_REPLICATION_SLOT \(PostgresSource.quoted(name)) LOGICAL pgoutput NOEXPORT_SNAPSHOT")
        guard row.count >= 2, let start = LogLocation(row[1]) else {
            throw ImportError(.noInput, "\(url) doesn't say where the slot '\(name)' begins")
        }
        return start
    }

    package func dropSlot(_ name: String) throws(ImportError) {
        _ = try row("DROP_REPLICATION_SLOT \(PostgresSource.quoted(name))")
    }

    /// Has the database tell everything that follows.
    package func start(slot: String, publication: String, from location: LogLocation) throws(ImportError) {
        self.publication = publication
        let names = PostgresSource.quoted(publication).replacing("'", with: "''")
        let command = """
            START_REPLICATION SLOT \(PostgresSource.quoted(slot)) LOGICAL \(location) \
            (proto_version '1', publication_names '\(names)')
            """
        guard PQsendQuery(raw, command) == 1, let result = try nextResult() else {
            throw failure("can't be followed")
        }
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COPY_BOTH else { throw failure("can't be followed") }
    }

    /// The next bytes from the database; `nil` if nothing is there yet.
    /// - Throws: when it has ended.
    package func next() throws(ImportError) -> [UInt8]? {
        var buffer: UnsafeMutablePointer<CChar>?
        var count = PQgetCopyData(raw, &buffer, 1)
        if count == 0 {
            guard PQconsumeInput(raw) == 1 else { throw failure("has ended the connection") }
            count = PQgetCopyData(raw, &buffer, 1)
        }
        defer { PQfreemem(buffer) }
        switch count {
        case 0: return nil
        case 1...:
            return buffer.map { [UInt8](UnsafeRawBufferPointer(start: $0, count: Int(count))) }
        default:
            // Its words about the end; none if it is being stopped.
            let result = PQgetResult(raw)
            defer { PQclear(result) }
            let state = PQresultErrorField(result, Self.stateField).map { String(cString: $0) }
            let error = failure("has ended the connection")
            // In any language the message has the name.
            lacksPublication = state == Self.undefinedObject && error.message.contains("\"\(publication)\"")
            throw error
        }
    }

    /// Waits for what the database sends.
    package func wait(milliseconds: Int32) {
        var descriptor = pollfd(fd: PQsocket(raw), events: Int16(POLLIN), revents: 0)
        _ = poll(&descriptor, 1, milliseconds)
    }

    /// Tells the database that all before a place is durable elsewhere.
    package func acknowledge(_ end: LogLocation) throws(ImportError) {
        let time = Int64((Date().timeIntervalSince1970 - Self.epochSeconds) * 1_000_000)
        let status = StreamFrame.status(end, time: time)
        let isSent = status.withUnsafeBytes { bytes in
            PQputCopyData(raw, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count)) == 1
        }
        guard isSent, PQflush(raw) == 0 else { throw failure("doesn't listen") }
    }
}
