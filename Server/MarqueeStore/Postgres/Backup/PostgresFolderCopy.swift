import GRDB

/// Copies a database, as of one moment, into a new data folder.
struct PostgresFolderCopy {
    let url: PostgresURL
    let observer: BackupProgress.Observer

    private static let rowsAtOnce = 512

    /// - Parameter folder: an existing, empty folder. Its content is unusable after an error.
    /// - Throws: `missing` where there is no store; also `foreignFile`, `forbidden`, `corrupt`, `diskFull`,
    ///   `cancelled`, `busy` or `io`.
    func run(into folder: String) throws(StoreError) {
        let connection = try StoreError.translating(url) {
            let host = try PostgresHosts(of: url, for: "backs up").primary()?.host
            let connection = try PostgresConnection(url, timeouts: .copy, use: "backs up", host: host)
            try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            return connection
        }
        let names = try names(connection)
        var meta = [StoreSchema.Meta.epoch: StoreNames.hexadecimal(names.epochs.catalogue)]
        meta[StoreSchema.Meta.time] = try StoreError.translating(url) {
            try connection.run(PostgresRecords.times, []).first?.text(0)
        }
        try StoreError.translating(url) {
            try connection.run(PostgresRecords.sources).each { meta[try $0.text(0)] = try $0.text(1) }
        }
        try copy(.catalogue, into: folder, meta, connection)
        try copy(
            .users, into: folder,
            [
                StoreSchema.Meta.epoch: StoreNames.hexadecimal(names.epochs.users),
                StoreSchema.Meta.cluster: names.cluster,
            ], connection)
    }

    private func names(_ connection: PostgresConnection) throws(StoreError) -> PostgresMigration.Names {
        try StoreError.translating(url) {
            let migration = PostgresMigration(url: url, library: TypeLibrary())
            _ = try migration.foundVersion(connection)
            return try migration.names(connection)
        }
    }

    private func copy(
        _ log: StoreLog, into folder: String, _ meta: [String: String], _ connection: PostgresConnection
    ) throws(StoreError) {
        let path = log.path(in: folder)
        try StoreError.translating(path) {
            let queue = try DatabaseQueue(path: path)
            try queue.writeWithoutTransaction { db in
                // An interrupted copy is thrown away.
                try db.execute(sql: "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
                try StoreFile(path: path, schema: log.schema).create(db, meta)
                try db.writing { tables in
                    try copy(log, connection, to: tables)
                    return .commit
                }
            }
            try queue.close()
        }
    }

    private func copy(_ log: StoreLog, _ connection: PostgresConnection, to tables: TableWriter) throws {
        let copied = PostgresTable.all(of: log).filter {
            $0.name != PostgresTable.member.name && $0.name != PostgresTable.userLog.name
        }
        var counter = RowCounter(.database, rowsTotal: try count(log, connection), observer)
        try counter.report()
        for table in copied {
            try rows(table.select, connection) { row in
                let values = try table.columns.enumerated().map { try $0.element.kind.value(row, $0.offset) }
                try table.folderTable.put([], values, replacing: nil, in: tables)
                try counter.count()
            }
        }
        if log == .users { try copyMembers(connection, to: tables, &counter) }
    }

    /// Copies members user by user, so that the sums of each user's rows can be totaled.
    private func copyMembers(
        _ connection: PostgresConnection, to tables: TableWriter, _ counter: inout RowCounter
    ) throws {
        var user: (name: String, revision: Int64, total: TableTotal)?
        func end() throws {
            guard let user else { return }
            try StoreTables.userLog.put(
                [.text(user.name)],
                [.integer(user.revision), .integer(Int64(user.total.rows)), .integer(user.total.sum)],
                replacing: nil, in: tables)
        }
        let columns = PostgresTable.member.columns.dropFirst()
        let select = """
            SELECT l.name, l.revision, \(columns.map { "m.\($0.name)" }.joined(separator: ", "))
            FROM user_log l LEFT JOIN member m ON m.user_name = l.name ORDER BY l.name
            """
        try rows(select, connection) { row in
            let name = try row.text(0)
            if user?.name != name {
                try end()
                user = (name, try row.integer(1), TableTotal())
                try counter.count()
            }
            // A user without members has one row, with no member in it.
            guard try row.optionalText(2) != nil else { return }
            let values = try columns.enumerated().map { try $0.element.kind.value(row, $0.offset + 2) }
            user?.total.add(
                try StoreTables.member.put([.text(name)], values, replacing: nil, in: tables))
            try counter.count()
        }
        try end()
    }

    private func count(_ log: StoreLog, _ connection: PostgresConnection) throws -> Int {
        let tables = PostgresTable.all(of: log)
        return try translating {
            try tables.reduce(0) { sum, table in
                sum + (try connection.run("SELECT count(*) FROM \(table.name)\(table.condition)").first?.count(0) ?? 0)
            }
        }
    }

    /// Passes each row of a query to `receive`, fetching some at a time.
    private func rows(
        _ select: String, _ connection: PostgresConnection, _ receive: (PostgresRow) throws -> Void
    ) throws {
        try translating { try connection.runScript("DECLARE copied NO SCROLL CURSOR FOR \(select)") }
        while true {
            let rows = try translating { try connection.run("FETCH \(Self.rowsAtOnce) FROM copied") }
            try rows.each(receive)
            if rows.count < Self.rowsAtOnce { break }
        }
        try translating { try connection.runScript("CLOSE copied") }
    }

    /// Keeps the database's errors apart from the folder's.
    private func translating<Value>(_ body: () throws -> Value) throws(StoreError) -> Value {
        try StoreError.translating(url, body)
    }
}
