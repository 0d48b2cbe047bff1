extension OutboxTable {
    private static let oldest = 130_000

    /// Everything that an administrator has to change. Without what concerns the function alone, it can be followed.
    package func missing() throws(ImportError) -> [FollowNeed] {
        let state = try connection.rows(
            "SELECT current_setting('server_version_num'), pg_is_in_recovery()::text, current_user::text"
        ).first
        guard let state, state.count == 3, let role = state[2].map(PostgresSource.quoted) else { return [] }
        guard let version = state[0].flatMap({ Int($0) }), version >= Self.oldest else {
            return [FollowNeed("an outbox needs PostgreSQL 13 or newer")]
        }
        if state[1] == "true" { return [FollowNeed("the database is a standby; name its primary in the source file")] }
        return try missingOfTable(role) + missingOfFunction()
    }

    private func missingOfTable(_ role: String) throws(ImportError) -> [FollowNeed] {
        let table = feed.fullName
        let columns = try connection.rows(
            """
            SELECT a.attname, c.oid::text, c.relpersistence::text, c.relkind::text,
                has_schema_privilege(n.oid, 'USAGE')::text, has_table_privilege(c.oid, 'SELECT')::text,
                has_table_privilege(c.oid, 'DELETE')::text
            FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            WHERE n.nspname = $1 AND c.relname = $2
            """, [feed.schema, feed.table])
        guard let row = columns.first, row.count == 7, let oid = row[1] else {
            return [
                FollowNeed(
                    "there is no table \(table)",
                    """
                    GRANT USAGE ON SCHEMA \(PostgresSource.quoted(feed.schema)) TO \(role);
                    \(feed.createTable)
                    \(feed.grants(to: role))
                    """)
            ]
        }
        guard row[3] == "r" else { return [FollowNeed("\(table) is no table")] }
        var needs: [FollowNeed] = []
        let names = Set(columns.compactMap { $0.first ?? nil })
        let lacking = OutboxFeed.columns.filter { !names.contains($0.0) }
        for (column, type) in lacking {
            needs.append(
                FollowNeed(
                    "\(table) has no column '\(column)'", "ALTER TABLE \(feed.quotedName) ADD COLUMN \(column) \(type);"
                ))
        }
        if row[2] == "u" {
            needs.append(
                FollowNeed(
                    "\(table) is unlogged: a crash empties it", "ALTER TABLE \(feed.quotedName) SET LOGGED;"))
        }
        if row[4] != "true" {
            needs.append(
                FollowNeed(
                    "the role may not use the schema of \(table)",
                    "GRANT USAGE ON SCHEMA \(PostgresSource.quoted(feed.schema)) TO \(role);"))
        }
        var mayChange = row[5] == "true" && row[6] == "true"
        if mayChange, lacking.isEmpty {
            mayChange =
                try connection.rows(
                    """
                    SELECT (has_column_privilege($1::oid, 'claim', 'UPDATE')
                        AND has_column_privilege($1::oid, 'refused', 'UPDATE'))::text
                    """, [oid]
                ).first?.first == "true"
        }
        if !mayChange {
            needs.append(
                FollowNeed("the role may not read and empty \(table)", feed.grants(to: role)))
        }
        return needs
    }

    /// The needs of those that publish: they concern the table by its name.
    private func missingOfFunction() throws(ImportError) -> [FollowNeed] {
        let name = "\(feed.schema).\(OutboxFeed.function)"
        let found = try connection.rows(
            """
            SELECT p.prosecdef::text, has_function_privilege('public', p.oid, 'EXECUTE')::text,
                coalesce(p.proconfig::text LIKE '%search_path=%', false)::text
            FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
            WHERE n.nspname = $1 AND p.proname = $2 AND pg_get_function_identity_arguments(p.oid) ~ '(^| )jsonb$'
            """, [feed.schema, OutboxFeed.function]
        ).first
        guard let found, found.count == 3 else {
            return [
                FollowNeed(
                    "there is no function \(name)(jsonb)", "\(feed.createFunction)\n\(feed.revokeFunction)",
                    table: feed.fullName)
            ]
        }
        guard found[0] == "true" else { return [] }
        var needs: [FollowNeed] = []
        if found[1] == "true" {
            needs.append(
                FollowNeed("every role may publish by \(name)(jsonb)", feed.revokeFunction, table: feed.fullName))
        }
        if found[2] != "true" {
            needs.append(
                FollowNeed(
                    "\(name)(jsonb) has its owner's rights, and whoever calls it chooses its search_path",
                    "ALTER FUNCTION \(feed.quotedFunction)(jsonb) SET search_path = pg_catalog, pg_temp;",
                    table: feed.fullName))
        }
        return needs
    }
}
