import Foundation
import MarqueeModel
package import MarqueeStore
package import MarqueeTypes

/// A PostgreSQL database that is followed: its tables, what is missing for following them, and their rows. Only read.
package final class FollowedDatabase {
    package let source: SourceFile
    package let url: PostgresURL
    let connection: PostgresSource
    private let types: TypeSet
    /// Those that can be followed.
    package private(set) var tables: [TableRecords] = []
    /// Why others can't, by their full names as far as these are known.
    package private(set) var unusable: [String: String] = [:]
    /// Those that were left out, as they were.
    private var left: [String: TableRecords] = [:]

    /// Of the mapping, see `FollowedPosition`.
    package var shape: String {
        let texts = tables.flatMap(\.shape) + [types.document.declarations, "\(types.document.descriptors)"]
        return String(Fingerprint.of(texts: texts), radix: 16)
    }

    /// - Throws: when it can't be reached, or the source file doesn't fit it.
    package init(_ source: SourceFile, types: TypeSet) throws(ImportError) {
        guard case .database(.postgres(let url)) = source.origin else {
            throw ImportError(.malformed, "only a source with 'postgres' can be followed")
        }
        (self.source, self.types, self.url) = (source, types, url)
        connection = try PostgresSource(url)
        try source.checkTypes()
        var first: ImportError?
        for table in source.tables {
            do throws(ImportError) {
                tables.append(try records(table))
            } catch {
                guard error.code != .malformed else { throw error }
                try checkConnection()
                first = first ?? error
                unusable[Self.fullName(of: table)] = error.message
            }
        }
        if tables.isEmpty, let first { throw first }
    }

    /// As good as it can be told without the database.
    private static func fullName(of table: SourceFile.Table) -> String {
        table.name.contains(".") ? table.name : "public." + table.name
    }

    /// - Throws: when the database itself is away.
    private func checkConnection() throws(ImportError) { _ = try connection.rows("SELECT 1") }

    private func records(_ table: SourceFile.Table) throws(ImportError) -> TableRecords {
        let found = try connection.table(named: table.name)
        let columns = try connection.columns(of: found)
        return try TableRecords(
            table, of: found, columns: columns, generated: try connection.generatedColumns(of: found),
            typeNumbers: try connection.typeNumbers(of: found), key: try connection.primaryKey(of: found), types: types)
    }

    // MARK: - Tables that change

    /// How a table is now, beside how it was.
    package enum Look {
        /// Records are made of it as before.
        case same(TableRecords)
        /// They would be others now, so that all rows have to be compared.
        case changed(TableRecords, reason: String)
        /// No records can be made of it.
        case unusable(reason: String)
    }

    /// Reads a table's columns again.
    /// - Parameter name: its full name, of one of `tables` or `unusable`.
    /// - Throws: when the database is away.
    package func look(at name: String) throws(ImportError) -> Look {
        let old = tables.first { $0.fullName == name } ?? left[name]
        guard
            let table = source.tables.first(where: {
                old.map { $0.name } ?? "" == $0.name || Self.fullName(of: $0) == name
            })
        else { return .unusable(reason: "the source doesn't name it") }
        do throws(ImportError) {
            let new = try records(table)
            guard let old else { return .changed(new, reason: "it can be followed now") }
            if let reason = old.loss(in: new) { return .unusable(reason: reason) }
            return old.changes(in: new).map { .changed(new, reason: $0) } ?? .same(new)
        } catch {
            try checkConnection()
            return .unusable(reason: error.message)
        }
    }

    /// Whether it is still the same table that has the name.
    package func exists(_ table: TableRecords) throws(ImportError) -> Bool {
        try connection.rows(
            """
            SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE c.oid = $1::oid AND n.nspname || '.' || c.relname = $2
            """, [table.oid, table.fullName]
        ).isEmpty == false
    }

    /// Takes a table as it is now.
    package func adopt(_ table: TableRecords) {
        unusable[table.fullName] = nil
        left[table.fullName] = nil
        guard let place = tables.firstIndex(where: { $0.fullName == table.fullName }) else {
            // In the order of the file, by which the shape is made.
            let order = source.tables.map(\.name)
            tables.append(table)
            tables.sort { (order.firstIndex(of: $0.name) ?? 0) < (order.firstIndex(of: $1.name) ?? 0) }
            return
        }
        tables[place] = table
    }

    /// Leaves a table out that can't be followed at present.
    /// - Parameter old: as it was when it could; `nil`: as it is among `tables`.
    package func leaveOut(_ table: String, _ reason: String, asIt old: TableRecords? = nil) {
        if let place = tables.firstIndex(where: { $0.fullName == table }) { left[table] = tables.remove(at: place) }
        left[table] = old ?? left[table]
        unusable[table] = reason
    }

    // MARK: - Whose turn it is

    /// Whether this process is the one that follows. Another may be while its connection lasts.
    package func takeTurn() throws(ImportError) -> Bool {
        try connection.rows(
            "SELECT pg_try_advisory_lock(hashtextextended($1, 0))::text", ["marquee follow " + source.slot]
        ).first?.first == "true"
    }

    // MARK: - The slot

    package func slotState() throws(ImportError) -> FollowStart.SlotState {
        let rows = try connection.rows(
            """
            SELECT plugin, database = current_database(), confirmed_flush_lsn::text, restart_lsn::text,
                to_jsonb(s) ->> 'wal_status'
            FROM pg_catalog.pg_replication_slots s WHERE slot_name = $1
            """, [source.slot])
        guard let row = rows.first, row.count == 5 else { return .absent }
        guard row[0] == "pgoutput", row[1] == "t" else {
            throw ImportError(
                .refused,
                "the slot '\(source.slot)' is there for something else; name another one as 'slot' in the source file")
        }
        guard row[4] != "lost", row[3] != nil, let confirmed = row[2].flatMap({ LogLocation($0) }) else { return .lost }
        return .there(confirmed: confirmed)
    }

    /// The most bytes of log that a database keeps for a slot without a word, and the least that it may still take.
    private static let keptBytes: Int64 = 1 << 30
    private static let leastBytes: Int64 = 256 << 20

    /// That the database keeps much of its log for the slot, or is about to give the slot up, in words.
    package func keptLog() throws(ImportError) -> String? {
        let row = try connection.rows(
            """
            SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::int8::text, to_jsonb(s) ->> 'safe_wal_size'
            FROM pg_catalog.pg_replication_slots s WHERE slot_name = $1
            """, [source.slot]
        ).first
        guard let row, row.count == 2, let kept = row[0].flatMap({ Int64($0) }) else { return nil }
        return Self.keptLog(kept, left: row[1].flatMap { Int64($0) }, slot: source.slot)
    }

    /// - Parameter left: the bytes after which the slot is lost; `nil`: never.
    static func keptLog(_ kept: Int64, left: Int64?, slot: String) -> String? {
        let isShort = left.map { $0 < leastBytes } ?? false
        guard kept >= keptBytes || isShort else { return nil }
        return "the database keeps \(kept >> 20) MiB of its log for the slot '\(slot)'"
            + (left.map { ", and loses it after \(max(0, $0) >> 20) MiB more" } ?? "")
            + "; transactions that last long hold it back (pg_stat_activity)"
    }

    /// For how long a commit that doesn't wait for the disk may be seen before it is in the log: 3 times
    /// `wal_writer_delay`, which is 10 s at most.
    private static let lateMilliseconds: UInt64 = 30_000

    /// Waits until everything that could be seen so far is in the log, which takes a moment with
    /// `synchronous_commit = off`: then the end of the log is after all that a comparison has read.
    package func settle(shouldContinue: () -> Bool) throws(ImportError) {
        let row = try connection.rows(
            """
            SELECT pg_current_wal_insert_lsn()::text, (SELECT 3 * setting::int FROM pg_settings
                WHERE name = 'wal_writer_delay')::text
            """
        ).first
        guard let row, row.count == 2, let written = row[0].flatMap({ LogLocation($0) }) else { return }
        let patience = min(row[1].flatMap { UInt64($0) } ?? 600, Self.lateMilliseconds) + 100
        let began = DispatchTime.now().uptimeNanoseconds
        // Log records outside of commits may reach the disk later: the wait is bounded.
        while shouldContinue(), try newest() < written,
            (DispatchTime.now().uptimeNanoseconds - began) / 1_000_000 < patience
        {
            usleep(10_000)
        }
    }

    /// The end of everything that could be read so far, in the log or on its way there.
    package func seen() throws(ImportError) -> LogLocation { try location("pg_current_wal_insert_lsn()") }

    /// The end of what other transactions have written.
    package func newest() throws(ImportError) -> LogLocation {
        try location("pg_current_wal_flush_lsn()")
    }

    private func location(_ function: String) throws(ImportError) -> LogLocation {
        let text = try connection.rows("SELECT \(function)::text").first?.first ?? nil
        guard let location = text.flatMap({ LogLocation($0) }) else {
            throw ImportError(.noInput, "\(url) doesn't say where its log ends")
        }
        return location
    }

    // MARK: - Rows

    /// The outcome of reading a row.
    package enum Row {
        case record(id: String, bytes: [UInt8])
        /// With the id, if that can be read.
        case bad(id: String?, reason: String)
    }

    /// Hands out all rows of a table, some at a time in the order of its key, so that no transaction is long.
    package func each(_ table: TableRecords, _ body: (Row) throws -> Void) throws {
        guard !table.key.isEmpty else {
            // The rows are held, as `body` may throw.
            var failure: (any Error)?
            try connection.each(table.selectAll) { (values) throws(ImportError) in
                if failure != nil { return }
                do { try body(row(values, of: table)) } catch { failure = error }
            }
            if let failure { throw failure }
            return
        }
        var last: [String] = []
        while true {
            let rows = try connection.rows(table.selectNext(isFirst: last.isEmpty), last)
            for values in rows { try body(row(values, of: table)) }
            guard rows.count == TableRecords.rowsAtOnce, let end = rows.last?.suffix(table.key.count) else { return }
            last = end.map { $0 ?? "" }
        }
    }

    /// The most milliseconds for which a commit may be in the log and others don't see it yet.
    private static let commitMilliseconds: UInt64 = 30_000

    /// Waits until everybody sees what transactions have changed: the log has a commit a moment before that, longer
    /// where the commit waits for a standby. They hold their ids' locks until then.
    /// - Throws: when that takes too long, as where the commit waits for the very reader of the log.
    package func see(_ transactions: [UInt32], shouldContinue: () -> Bool) throws(ImportError) {
        let list = "{\(transactions.map(String.init).joined(separator: ","))}"
        let began = DispatchTime.now().uptimeNanoseconds
        while shouldContinue() {
            let held = try connection.rows(
                """
                SELECT 1 FROM pg_catalog.pg_locks WHERE locktype = 'transactionid' AND granted
                    AND mode = 'ExclusiveLock' AND transactionid::text = ANY ($1::text[]) LIMIT 1
                """, [list])
            if held.isEmpty { return }
            guard (DispatchTime.now().uptimeNanoseconds - began) / 1_000_000 < Self.commitMilliseconds else {
                throw ImportError(
                    .noInput,
                    "\(url) has a commit in its log that waits for a standby; leave this reader out of "
                        + "'synchronous_standby_names'")
            }
            usleep(1_000)
        }
    }

    /// A row that is read again; `nil` if it isn't there, or doesn't meet the condition.
    package func read(_ table: TableRecords, key: [String]) throws(ImportError) -> Row? {
        try connection.rows(table.selectOne, key).first.map { row($0, of: table) }
    }

    private func row(_ values: [String?], of table: TableRecords) -> Row {
        let cells = table.cells(values)
        do throws(BadRow) {
            let record = try table.record(cells)
            return .record(id: record.id, bytes: record.bytes)
        } catch {
            let mistake = table.mistake(cells, error.reason)
            return .bad(id: mistake.id, reason: mistake.reason)
        }
    }
}
