import GRDB
import MarqueeTypes

/// Fills a database from a backup, in one transaction.
struct PostgresRestore {
    let url: PostgresURL
    let reader: BackupReader
    let replaces: Bool

    /// - Throws: `exists` when the database holds a store and it isn't to be replaced; also `foreignFile`, `missing`,
    ///   `forbidden`, `corrupt`, `cancelled`, `busy` or `io`. Nothing has changed then, unless the connection was lost
    ///   during the commit.
    func run() throws(StoreError) {
        try StoreError.translating(url) {
            // Creates the tables if there are none.
            let host = try PostgresHosts(of: url, for: "restores").primary()?.host
            _ = try PostgresMigration(url: url, library: TypeLibrary()).run(on: host)
            let connection = try PostgresConnection(url, timeouts: .copy, use: "restores", host: host)
            try connection.runScript(PostgresDurability.own)
            try connection.runScript("BEGIN")
            try empty(connection)
            for log in StoreLog.allCases { try copy(log, connection) }
            try finish(connection)
            try connection.runScript("COMMIT")
        }
    }

    private func empty(_ connection: PostgresConnection) throws {
        // Writers wait for this lock.
        let head = try connection.run("SELECT revision FROM catalogue_head WHERE id = 1 FOR UPDATE").first?.integer(0)
        let hasUsers = try connection.run("SELECT EXISTS (SELECT FROM user_log)").first?.flag(0)
        guard replaces || (head == 0 && hasUsers == false) else {
            throw StoreError(.exists, "\(url) holds a store already")
        }
        // Other sessions prove their history by these tables. Deleted rows stay visible to a query that began earlier,
        // whereas a truncated table would look empty to it.
        let proofTables: Set = ["user_log", "commit_chain"]
        let tables = Set(StoreLog.allCases.flatMap(PostgresTable.all).map(\.name))
            .union(["user_move", "commit_mark", "client_ahead", DraftTables.drafts.name]).subtracting(proofTables)
        try connection.runScript("TRUNCATE \(tables.sorted().joined(separator: ", "))")
        for table in proofTables.sorted() { try connection.runScript("DELETE FROM \(table)") }
    }

    private func copy(_ log: StoreLog, _ connection: PostgresConnection) throws {
        let tables = PostgresTable.all(of: log)
        try reader.reading { db in
            let total = try tables.reduce(0) { sum, table in
                let name = log.tableInBackup(table.folderTable.name)
                return sum + (try Int.fetchOne(db, sql: "SELECT count(*) FROM \(name)") ?? 0)
            }
            var counter = RowCounter(log.backupStep, rowsTotal: total, reader.observer)
            try counter.report()
            for table in tables {
                var batch = PostgresRowBatch(table)
                try db.rows(table.selectFromBackup) { row in
                    try batch.add(row)
                    try counter.count()
                    if batch.isFull { try insert(&batch, connection) }
                }
                try insert(&batch, connection)
            }
        }
    }

    private func insert(_ batch: inout PostgresRowBatch, _ connection: PostgresConnection) throws {
        guard let statement = try batch.take() else { return }
        // Reports the database's errors as such, not as the file's.
        try StoreError.translating(url) { _ = try connection.run([statement]) }
    }

    /// Writes the rest of a database: the catalogue's head, its names and the search index.
    private func finish(_ connection: PostgresConnection) throws {
        try connection.run(
            """
            UPDATE catalogue_head SET types_version = types_version + 1,
                chain = hashtextextended(gen_random_uuid()::text, 0),
                revision = (SELECT coalesce(max(revision), 0) FROM commit_log),
                log_bytes = (SELECT coalesce(sum(bytes), 0)::int8 FROM commit_log),
                commit_keys = (SELECT count(*) FROM commit_key)
            WHERE id = 1
            """)
        try connection.run("INSERT INTO commit_chain SELECT revision, chain FROM catalogue_head")
        var names = StoreNames()
        func meta(_ name: String, of log: StoreLog) throws -> String? {
            try reader.reading { db in
                try String.fetchOne(
                    db, sql: "SELECT value FROM \(log.tableInBackup("meta")) WHERE name = ?", arguments: [name])
            }
        }
        guard let cluster = try meta(StoreSchema.Meta.cluster, of: .users) else {
            throw StoreError(.corrupt, "\(reader.file) does not name its cluster")
        }
        var values = [
            PostgresSchema.Meta.cluster: cluster,
            PostgresSchema.Meta.catalogueEpoch: StoreNames.hexadecimal(names.nextEpoch()),
            PostgresSchema.Meta.usersEpoch: StoreNames.hexadecimal(names.nextEpoch()),
        ]
        values[PostgresSchema.Meta.time] = try meta(StoreSchema.Meta.time, of: .catalogue)
        // The sources' positions in the database belong to the store that is replaced.
        try connection.run("DELETE FROM marquee_meta WHERE name LIKE '\(StoredSource.prefix)%'")
        try reader.reading { db in
            try db.rows(
                "SELECT name, value FROM \(StoreLog.catalogue.tableInBackup("meta")) WHERE name LIKE '\(StoredSource.prefix)%'"
            ) { values[try $0.text(0)] = try $0.text(1) }
        }
        try connection.run(
            """
            INSERT INTO marquee_meta SELECT * FROM unnest($1, $2)
            ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value
            """, [.texts(Array(values.keys)), .texts(Array(values.values))])
        let transaction = PostgresCatalogueTransaction(
            connection, limits: StoreLimits(), library: TypeLibrary())
        try transaction.lockHead()
        try transaction.rebuildSearch()
        try transaction.flush()
    }
}
