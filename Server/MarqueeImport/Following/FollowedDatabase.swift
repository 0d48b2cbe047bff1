import Foundation
package import MarqueeCatalogue
import MarqueeModel
package import MarqueeStore
package import MarqueeTypes

/// A PostgreSQL database that is followed: its tables, what is missing for following them, and their rows. Only read.
package final class FollowedDatabase {
    package let source: SourceFile
    package let url: PostgresURL
    private let connection: PostgresSource
    /// Those that can be followed.
    package let tables: [TableRecords]
    /// Why others can't.
    package let unusable: [String]
    /// Of the mapping, see `FollowedPosition`.
    package let shape: String

    /// - Throws: when it can't be reached, or the source file doesn't fit it.
    package init(_ source: SourceFile, types: TypeSet) throws(ImportError) {
        guard case .database(.postgres(let url)) = source.origin else {
            throw ImportError(.malformed, "only a source with 'postgres' can be followed")
        }
        self.source = source
        self.url = url
        connection = try PostgresSource(url)
        try source.checkTypes()
        var (tables, unusable): ([TableRecords], [String]) = ([], [])
        var first: ImportError?
        for table in source.tables {
            do throws(ImportError) {
                tables.append(try Self.records(table, connection, types))
            } catch {
                guard error.code != .malformed else { throw error }
                // Unless the database itself is away.
                _ = try connection.rows("SELECT 1")
                first = first ?? error
                unusable.append("\(table.name): \(error.message)")
            }
        }
        if tables.isEmpty, let first { throw first }
        (self.tables, self.unusable) = (tables, unusable)
        let texts = tables.flatMap(\.shape) + [types.document.declarations, "\(types.document.descriptors)"]
        shape = String(Fingerprint.of(texts: texts), radix: 16)
    }

    private static func records(
        _ table: SourceFile.Table, _ connection: PostgresSource, _ types: TypeSet
    ) throws(ImportError) -> TableRecords {
        let found = try connection.table(named: table.name)
        let columns = try connection.columns(of: found)
        return try TableRecords(
            table, of: found, columns: columns, generated: try connection.generatedColumns(of: found),
            key: try connection.primaryKey(of: found), types: types)
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

    /// The end of what other transactions have written.
    package func newest() throws(ImportError) -> LogLocation {
        let text = try connection.rows("SELECT pg_current_wal_flush_lsn()::text").first?.first ?? nil
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
    package func see(_ transactions: [UInt32], isWanted: () -> Bool) throws(ImportError) {
        let list = "{\(transactions.map(String.init).joined(separator: ","))}"
        let began = DispatchTime.now().uptimeNanoseconds
        while isWanted() {
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
            return .bad(id: try? table.id(cells), reason: error.reason)
        }
    }

    // MARK: - What is missing

    /// Everything that an administrator has to change.
    package func missing() throws(ImportError) -> [FollowNeed] {
        var needs: [FollowNeed] = []
        let name = PostgresSource.quoted(source.publication)
        let state = try connection.rows(
            """
            SELECT current_setting('wal_level'), (r.rolreplication OR r.rolsuper)::text, r.rolname,
                pg_is_in_recovery()::text,
                (SELECT count(*) FROM pg_catalog.pg_replication_slots)::text, current_setting('max_replication_slots')
            FROM pg_catalog.pg_roles r WHERE r.rolname = current_user
            """)
        if let row = state.first, row.count == 6 {
            if row[3] == "true" {
                needs.append(FollowNeed("the database is a standby; name its primary in the source file"))
            }
            if row[0] != "logical" {
                needs.append(
                    FollowNeed(
                        "wal_level is '\(row[0] ?? "")', and logical is needed; the server has to be restarted then",
                        "ALTER SYSTEM SET wal_level = 'logical';"))
            }
            if row[1] != "true", let role = row[2] {
                needs.append(
                    FollowNeed(
                        "the role '\(role)' may not follow the log",
                        "ALTER ROLE \(PostgresSource.quoted(role)) REPLICATION;"))
            }
            if try slotState() == .absent, let used = row[4].flatMap({ Int($0) }),
                let room = row[5].flatMap({ Int($0) }),
                used >= room
            {
                needs.append(
                    FollowNeed(
                        "all \(room) replication slots are in use; the server has to be restarted then",
                        "ALTER SYSTEM SET max_replication_slots = \(room + 4);"))
            }
        }
        let publication = try connection.rows(
            """
            SELECT (pubinsert AND pubupdate AND pubdelete AND pubtruncate)::text FROM pg_catalog.pg_publication
            WHERE pubname = $1
            """, [source.publication]
        ).first
        let published = Set(
            try connection.rows(
                "SELECT schemaname || '.' || tablename FROM pg_catalog.pg_publication_tables WHERE pubname = $1",
                [source.publication]
            ).compactMap { $0.first ?? nil })
        // From 15 on a publication may leave rows out.
        let filtered = Set(
            try connection.rows(
                """
                SELECT schemaname || '.' || tablename FROM pg_catalog.pg_publication_tables t
                WHERE pubname = $1 AND to_jsonb(t) ->> 'rowfilter' IS NOT NULL
                """, [source.publication]
            ).compactMap { $0.first ?? nil })
        for table in tables where filtered.contains(table.fullName) {
            needs.append(
                FollowNeed(
                    "the publication '\(source.publication)' leaves rows of \(table.fullName) out; use 'where' in the source "
                        + "file instead",
                    "ALTER PUBLICATION \(name) DROP TABLE \(table.quotedName);\n"
                        + "ALTER PUBLICATION \(name) ADD TABLE \(table.quotedName);"))
        }
        let absent = tables.filter { !published.contains($0.fullName) }.map(\.quotedName).joined(separator: ", ")
        if publication == nil {
            needs.append(
                FollowNeed(
                    "there is no publication '\(source.publication)'", "CREATE PUBLICATION \(name) FOR TABLE \(absent);"
                ))
        } else {
            if publication?.first != "true" {
                needs.append(
                    FollowNeed(
                        "the publication '\(source.publication)' leaves some changes out",
                        "ALTER PUBLICATION \(name) SET (publish = 'insert, update, delete, truncate');"))
            }
            if !absent.isEmpty {
                needs.append(
                    FollowNeed(
                        "the publication '\(source.publication)' lacks tables",
                        "ALTER PUBLICATION \(name) ADD TABLE \(absent);"))
            }
        }
        for table in tables { needs += try missing(for: table) }
        return needs
    }

    private func missing(for table: TableRecords) throws(ImportError) -> [FollowNeed] {
        var needs: [FollowNeed] = []
        let row =
            try connection.rows(
                """
                SELECT has_table_privilege(c.oid, 'SELECT')::text, has_schema_privilege(c.relnamespace, 'USAGE')::text,
                    current_user::text, c.relkind::text,
                    CASE c.relreplident WHEN 'f' THEN NULL ELSE coalesce((
                        SELECT string_agg(a.attname, E'\\n') FROM pg_catalog.pg_index i
                        JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey::int2[])
                        WHERE i.indrelid = c.oid
                            AND CASE c.relreplident WHEN 'd' THEN i.indisprimary WHEN 'i' THEN i.indisreplident END), '') END
                FROM pg_catalog.pg_class c WHERE c.oid = $1::oid
                """, [table.oid]
            ).first ?? []
        guard row.count == 5 else { return [] }
        let role = PostgresSource.quoted(row[2] ?? "")
        if row[1] != "true" {
            needs.append(
                FollowNeed(
                    "the role may not use the schema of \(table.fullName)",
                    "GRANT USAGE ON SCHEMA \(PostgresSource.quoted(table.schema)) TO \(role);"))
        }
        if row[0] != "true" {
            needs.append(
                FollowNeed(
                    "the role may not read \(table.fullName)", "GRANT SELECT ON \(table.quotedName) TO \(role);"))
        }
        if row[3] == "p" {
            needs.append(
                FollowNeed(
                    "\(table.fullName) has partitions, which the publication has to pass on as one table",
                    "ALTER PUBLICATION \(PostgresSource.quoted(source.publication)) SET (publish_via_partition_root = true);"
                ))
        }
        if let text = row[4] {
            let known = Set(text.split(separator: "\n").map(String.init))
            if let loose = table.idColumns.first(where: { !known.contains($0) }) {
                needs.append(
                    FollowNeed(
                        "\(table.fullName): \(RowSteps.looseID(loose))",
                        "ALTER TABLE \(table.quotedName) REPLICA IDENTITY FULL;  -- or USING INDEX a unique one on it"))
            }
        }
        return needs
    }
}

/// Something that following a database lacks.
package struct FollowNeed: Hashable, Sendable {
    package var problem: String
    /// For an administrator; `nil` if no statement mends it.
    package var sql: String?

    init(_ problem: String, _ sql: String? = nil) {
        self.problem = problem
        self.sql = sql
    }
}

extension PostgresSource {
    /// The names of columns that are computed of others, which the log doesn't have.
    func generatedColumns(of table: PostgresTable) throws(ImportError) -> Set<String> {
        Set(
            try rows(
                """
                SELECT attname FROM pg_catalog.pg_attribute
                WHERE attrelid = $1::oid AND attnum > 0 AND NOT attisdropped AND attgenerated <> ''
                """, [table.oid]
            ).compactMap { $0.first ?? nil })
    }
}
