extension StoreSchema {
    /// A backup: one file with the rows of both files of a data folder.
    ///
    /// Each table `t` of `users.sqlite` is stored as `users_t`, and each of `catalogue.sqlite` as `catalogue_t`,
    /// without constraints: the restored files have them. `store_file` records each file's schema version and number of
    /// tables; `part` records the statements that create a table, its number of rows, and the hash of it all. The
    /// tables of the search index and of observations are left out.
    static let backup = StoreSchema(
        applicationID: 0x4D51_4231, version: 2, content: "a Marquee backup",
        tables: """
            CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
            CREATE TABLE store_file (
                name TEXT PRIMARY KEY, schema INTEGER NOT NULL, table_count INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE part (
                table_name TEXT PRIMARY KEY, statements TEXT NOT NULL, row_count INTEGER NOT NULL, hash INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            """, remedy: "only that version can restore it")
}

extension StoreSchema.Meta {
    /// When a backup was made: UTC, as `2026-01-31T23:59:59Z`.
    static let made = "made"
}

extension StoreLog {
    /// The name of a table of this file in a backup.
    func tableInBackup(_ table: String) -> String {
        switch self {
        case .catalogue: "catalogue_\(table)"
        case .users: "users_\(table)"
        }
    }
}
