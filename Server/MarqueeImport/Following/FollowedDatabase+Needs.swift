extension FollowedDatabase {
    /// Everything that an administrator has to change.
    package func missing() throws(ImportError) -> [FollowNeed] {
        var needs: [FollowNeed] = []
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
        needs += try missingOfPublication()
        for table in tables { needs += try missing(for: table) }
        return needs
    }

    // MARK: - The publication

    private func missingOfPublication() throws(ImportError) -> [FollowNeed] {
        let name = PostgresSource.quoted(source.publication)
        let found = try connection.rows(
            """
            SELECT (pubinsert AND pubupdate AND pubdelete AND pubtruncate)::text, to_jsonb(p) ->> 'pubviaroot'
            FROM pg_catalog.pg_publication p WHERE pubname = $1
            """, [source.publication]
        ).first
        guard let found, found.count == 2 else {
            let list = tables.map(\.quotedName).joined(separator: ", ")
            let roots = tables.contains { $0.isPartitioned } ? " WITH (\(Self.viaRoot))" : ""
            return [
                FollowNeed(
                    "there is no publication '\(source.publication)'",
                    "CREATE PUBLICATION \(name) FOR TABLE \(list)\(roots);")
            ]
        }
        var needs: [FollowNeed] = []
        if found[0] != "true" {
            needs.append(
                FollowNeed(
                    "the publication '\(source.publication)' leaves some changes out",
                    "ALTER PUBLICATION \(name) SET (publish = 'insert, update, delete, truncate');"))
        }
        // From 15 on a publication may leave rows out.
        let published = try connection.rows(
            """
            SELECT schemaname || '.' || tablename, (to_jsonb(t) ->> 'rowfilter' IS NOT NULL)::text
            FROM pg_catalog.pg_publication_tables t WHERE pubname = $1
            """, [source.publication])
        let names = Set(published.compactMap { $0.first ?? nil })
        let filtered = Set(published.compactMap { $0.last == "true" ? $0.first ?? nil : nil })
        for table in tables {
            if filtered.contains(table.fullName) {
                needs.append(
                    FollowNeed(
                        "the publication '\(source.publication)' leaves rows of \(table.fullName) out; use 'where' in the "
                            + "source file instead",
                        "ALTER PUBLICATION \(name) DROP TABLE \(table.quotedName);\n"
                            + "ALTER PUBLICATION \(name) ADD TABLE \(table.quotedName);", table: table.fullName))
            }
            if !names.contains(table.fullName) {
                needs += try missing(table, in: name, isViaRoot: found[1].map { $0 == "true" })
            }
        }
        return needs
    }

    static let viaRoot = "publish_via_partition_root = true"

    /// - Parameter isViaRoot: whether the publication passes partitions on as one table; `nil` if the database can't.
    private func missing(
        _ table: TableRecords, in publication: String, isViaRoot: Bool?
    ) throws(ImportError) -> [FollowNeed] {
        let full = table.fullName
        let root =
            try connection.rows(
                """
                SELECT n.nspname || '.' || c.relname FROM pg_catalog.pg_class c
                JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                JOIN pg_catalog.pg_publication_tables t ON t.schemaname = n.nspname AND t.tablename = c.relname
                WHERE t.pubname = $2 AND c.oid <> $1::oid
                    AND c.oid IN (SELECT relid::oid FROM pg_catalog.pg_partition_ancestors($1::oid::regclass)) LIMIT 1
                """, [table.oid, source.publication]
            ).first?.first ?? nil
        if let root {
            return [
                FollowNeed(
                    "\(full) is a partition, and the publication passes \(root) on as one table; follow \(root), with a "
                        + "'where' if need be", table: full)
            ]
        }
        var needs: [FollowNeed] = []
        let isPresent = table.isPartitioned ? try isNamed(table) : false
        if !isPresent {
            needs.append(
                FollowNeed(
                    "the publication '\(source.publication)' lacks \(full)",
                    "ALTER PUBLICATION \(publication) ADD TABLE \(table.quotedName);", table: full))
        }
        guard table.isPartitioned, isViaRoot != true else { return needs }
        needs.append(
            isViaRoot == nil
                ? FollowNeed("\(full) has partitions, which need PostgreSQL 13 or newer", table: full)
                : FollowNeed(
                    "\(full) has partitions, which the publication has to pass on as one table",
                    "ALTER PUBLICATION \(publication) SET (\(Self.viaRoot));", table: full))
        return needs
    }

    /// Whether a publication names a table that stands for its partitions: what it publishes are these.
    private func isNamed(_ table: TableRecords) throws(ImportError) -> Bool {
        let version = try connection.rows("SELECT current_setting('server_version_num')").first?.first ?? nil
        let schemas = """
             OR EXISTS (SELECT 1 FROM pg_catalog.pg_publication_namespace n JOIN pg_catalog.pg_class c
                ON c.relnamespace = n.pnnspid WHERE n.pnpubid = p.oid AND c.oid = $1::oid)
            """
        let found = try connection.rows(
            """
            SELECT (puballtables OR EXISTS (SELECT 1 FROM pg_catalog.pg_publication_rel r WHERE r.prpubid = p.oid
                AND r.prrelid IN (SELECT relid::oid FROM pg_catalog.pg_partition_ancestors($1::oid::regclass)))
                \(version.flatMap { Int($0) } ?? 0 >= 150_000 ? schemas : ""))::text
            FROM pg_catalog.pg_publication p WHERE pubname = $2
            """, [table.oid, source.publication])
        return found.first?.first == "true"
    }

    // MARK: - A table

    private func missing(for table: TableRecords) throws(ImportError) -> [FollowNeed] {
        let rows = try connection.rows(
            """
            SELECT c.oid::text, has_table_privilege(c.oid, 'SELECT')::text,
                has_schema_privilege(c.relnamespace, 'USAGE')::text, current_user::text, c.relkind::text,
                c.relpersistence::text, format('%I.%I', n.nspname, c.relname),
                CASE c.relreplident WHEN 'f' THEN NULL ELSE coalesce((
                    SELECT string_agg(a.attname, E'\\n') FROM pg_catalog.pg_index i
                    JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey::int2[])
                    WHERE i.indrelid = c.oid
                        AND CASE c.relreplident WHEN 'd' THEN i.indisprimary WHEN 'i' THEN i.indisreplident END), '') END
            FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE c.oid = $1::oid
                OR c.oid IN (SELECT relid::oid FROM pg_catalog.pg_partition_tree($1::oid::regclass) WHERE isleaf)
            """, [table.oid])
        guard let row = rows.first(where: { $0.first == table.oid }), row.count == 8 else { return [] }
        let full = table.fullName
        let role = PostgresSource.quoted(row[3] ?? "")
        var needs: [FollowNeed] = []
        if row[2] != "true" {
            needs.append(
                FollowNeed(
                    "the role may not use the schema of \(full)",
                    "GRANT USAGE ON SCHEMA \(PostgresSource.quoted(table.schema)) TO \(role);", table: full))
        }
        if row[1] != "true" {
            needs.append(
                FollowNeed(
                    "the role may not read \(full)", "GRANT SELECT ON \(table.quotedName) TO \(role);", table: full))
        }
        if row[4] != "r", row[4] != "p" {
            needs.append(
                FollowNeed(
                    "\(full) is no table, and only tables are in the log; follow those that it reads", table: full))
        } else if row[5] == "u" {
            needs.append(
                FollowNeed(
                    "\(full) is not in the database's log", "ALTER TABLE \(table.quotedName) SET LOGGED;", table: full))
        }
        // A partition has its own say about what the log tells of old rows.
        var loose: String?
        var statements: [String] = []
        for row in rows where row.count == 8 {
            guard let text = row[7], let name = row[6] else { continue }
            let known = Set(text.split(separator: "\n").map(String.init))
            guard let column = table.idColumns.first(where: { !known.contains($0) }) else { continue }
            loose = column
            statements.append("ALTER TABLE \(name) REPLICA IDENTITY FULL;")
        }
        if let loose {
            needs.append(
                FollowNeed(
                    "\(full): \(RowSteps.looseID(loose))",
                    statements.joined(separator: "\n") + "  -- or USING INDEX a unique one on it", table: full))
        }
        return needs
    }
}

/// Something that following a database lacks.
package struct FollowNeed: Hashable, Sendable {
    package var problem: String
    /// For an administrator; `nil` if no statement mends it.
    package var sql: String?
    /// The full name of the table that it is about; `nil` if nothing can be followed without it.
    package var table: String?

    init(_ problem: String, _ sql: String? = nil, table: String? = nil) {
        self.problem = problem
        self.sql = sql
        self.table = table
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

    /// The numbers of all columns' types, by name.
    func typeNumbers(of table: PostgresTable) throws(ImportError) -> [String: UInt32] {
        let found = try rows(
            """
            SELECT attname, atttypid::int8::text FROM pg_catalog.pg_attribute
            WHERE attrelid = $1::oid AND attnum > 0 AND NOT attisdropped
            """, [table.oid])
        return Dictionary(
            found.compactMap { row in
                guard row.count == 2, let name = row[0], let number = row[1].flatMap({ UInt32($0) }) else { return nil }
                return (name, number)
            }
        ) { first, _ in first }
    }
}
