import MarqueeStore

extension SourceFile {
    /// The statements by which an administrator of its database allows everything, with comments, line by line; `nil`
    /// unless it names a PostgreSQL database.
    package var statements: [String]? {
        if case .outbox(let feed) = origin { return feed.statements(for: name) }
        guard case .database(.postgres(let url)) = origin else { return nil }
        let role = PostgresSource.quoted(url.user ?? "follower")
        let names = tables.map { Self.quoted($0.name) }
        let schemas = Set(tables.map { $0.name.contains(".") ? String($0.name.prefix { $0 != "." }) : "public" })
        let list = names.joined(separator: ", ")
        return [
            "-- For an administrator of the database, so that '\(name)' can be followed. The first needs a restart.",
            "ALTER SYSTEM SET wal_level = 'logical';",
            "-- The most that the database keeps for a reader that is away; without it, until the disk is full.",
            "ALTER SYSTEM SET max_slot_wal_keep_size = '10GB';",
            "CREATE ROLE \(role) LOGIN REPLICATION;  -- and PASSWORD '…', unless pg_hba.conf lets it in without",
        ] + (url.database.map { ["GRANT CONNECT ON DATABASE \(PostgresSource.quoted($0)) TO \(role);"] } ?? [])
            + schemas.sorted().map { "GRANT USAGE ON SCHEMA \(PostgresSource.quoted($0)) TO \(role);" } + [
                "GRANT SELECT ON \(list) TO \(role);",
                "-- PostgreSQL 12 has no partitions in publications: leave WITH out.",
                "CREATE PUBLICATION \(PostgresSource.quoted(publication)) FOR TABLE \(list) WITH (\(FollowedDatabase.viaRoot));",
                "-- 'follow' makes the slot. Once nobody follows any more: SELECT pg_drop_replication_slot('\(slot)');",
            ]
    }

    /// A table's name as SQL has it.
    private static func quoted(_ name: String) -> String {
        name.split(separator: ".", maxSplits: 1).map { PostgresSource.quoted(String($0)) }.joined(separator: ".")
    }
}
