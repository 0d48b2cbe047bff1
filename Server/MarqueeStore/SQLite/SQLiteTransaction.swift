import GRDB
import MarqueeModel

/// How much the catalogue's file holds of what has a bound.
struct CatalogueTally {
    /// Bytes of the log as JSON.
    var logBytes: Int
    /// Keys of commits.
    var keys: Int
}

/// A transaction that writes to one file of a data folder and may look into the other.
struct SQLiteTransaction {
    let catalogue: Database
    let users: Database
    let limits: StoreLimits
    var tally: CatalogueTally
    /// Milliseconds since 1970.
    let now: UInt64

    private func database(of log: StoreLog) -> Database {
        switch log {
        case .catalogue: catalogue
        case .users: users
        }
    }
}

extension SQLiteTransaction: StoreTransaction {
    func record(_ name: RecordName) throws -> CatalogueRecord? {
        try RecordTables.read(name, from: catalogue)
    }

    func catalogueRevision() throws -> UInt64 { try StoreQueries.catalogueRevision(catalogue) }

    func hasKey(_ key: String) throws -> Bool {
        try catalogue.first("SELECT 1 FROM commit_key WHERE key = ?", [key]) != nil
    }

    mutating func keep(key: String, revision: UInt64) throws {
        try catalogue.run("INSERT INTO commit_key (key, revision) VALUES (?, ?)", [key, Int64(revision)])
        tally.keys += 1
        guard tally.keys > limits.commitKeys else { return }
        try catalogue.run(
            "DELETE FROM commit_key WHERE key IN (SELECT key FROM commit_key ORDER BY revision, key LIMIT ?)",
            [limits.commitKeysDropped])
        tally.keys -= catalogue.changesCount
    }

    mutating func append(_ planned: PlannedCommit) throws {
        for (name, record) in planned.records { try RecordTables.write(record, under: name, to: catalogue) }
        let commit = planned.commit
        try catalogue.run(
            """
            INSERT INTO commit_log (revision, made, key, bytes, changes)
            VALUES (?, strftime('%Y-%m-%dT%H:%M:%fZ', ?, 'unixepoch'), ?, ?, ?)
            """,
            [
                Int64(commit.revision), Double(now) / 1_000, commit.key, planned.json.count,
                String(decoding: planned.json, as: UTF8.self),
            ])
        tally.logBytes += planned.json.count
        try cutHistory(newest: commit.revision)
    }

    private mutating func cutHistory(newest: UInt64) throws {
        while let oldest = try catalogue.first(
            """
            SELECT revision, bytes, CAST(strftime('%s', made) AS INTEGER) FROM commit_log ORDER BY revision LIMIT 1
            """, [])
        {
            let (revision, made): (UInt64, UInt64) = (try oldest.unsigned(0), try oldest.unsigned(2))
            guard revision < newest,
                limits.dropsOldest(
                    bytes: tally.logBytes, commits: newest - revision + 1,
                    seconds: (now / 1_000).decreased(by: made))
            else { return }
            try catalogue.run("DELETE FROM commit_log WHERE revision = ?", [Int64(revision)])
            tally.logBytes -= try oldest.decode(Int.self, atIndex: 1)
        }
    }

    func userRevision(_ user: String) throws -> UInt64 { try StoreQueries.userRevision(user, users) }

    func isFavorite(_ subject: String, of user: String) throws -> Bool {
        try users.first("SELECT 1 FROM favorite WHERE user = ? AND subject = ?", [user, subject]) != nil
    }

    func favoriteCount(of user: String) throws -> Int {
        try users.first("SELECT count(*) FROM favorite WHERE user = ?", [user])?.decode(Int.self, atIndex: 0) ?? 0
    }

    func setFavorite(_ subject: String, of user: String, on: Bool, revision: UInt64) throws {
        if on {
            try users.run(
                "INSERT INTO favorite (user, subject, revision) VALUES (?, ?, ?)", [user, subject, Int64(revision)])
        } else {
            try users.run("DELETE FROM favorite WHERE user = ? AND subject = ?", [user, subject])
        }
        try users.run("INSERT OR REPLACE INTO user_log (name, revision) VALUES (?, ?)", [user, Int64(revision)])
    }

    func lastMutation(of client: [UInt8], in log: StoreLog) throws -> UInt64? {
        try StoreQueries.lastMutation(of: client, database(of: log))
    }

    func answer(to number: UInt64, of client: [UInt8], in log: StoreLog) throws -> KeptAnswer? {
        let row = try database(of: log).first(
            "SELECT fingerprint, revision, changed FROM mutation_answer WHERE client = ? AND number = ?",
            [client.blob, Int64(number)])
        guard let row else { return nil }
        return KeptAnswer(
            fingerprint: UInt64(bitPattern: try row.decode(Int64.self, atIndex: 0)), revision: try row.unsigned(1),
            changed: try row.decode(Bool.self, atIndex: 2))
    }

    func keep(_ answer: KeptAnswer, to mutation: MutationID, in log: StoreLog) throws {
        let db = database(of: log)
        let client = mutation.client.blob
        let number = Int64(mutation.number)
        let isNew = try lastMutation(of: mutation.client, in: log) == nil
        try db.run(
            """
            INSERT OR REPLACE INTO mutation_client (client, last, used)
            VALUES (?, ?, (SELECT max(coalesce(max(used), 0) + 1, ?) FROM mutation_client))
            """, [client, number, Int64(clamping: now * 1_000)])
        try db.run(
            "INSERT INTO mutation_answer (client, number, fingerprint, revision, changed) VALUES (?, ?, ?, ?, ?)",
            [client, number, Int64(bitPattern: answer.fingerprint), Int64(answer.revision), answer.changed])
        let answered = Int64(clamping: min(mutation.answeredThrough, mutation.number - 1))
        try db.run("DELETE FROM mutation_answer WHERE client = ? AND number <= ?", [client, answered])
        try db.run(
            """
            DELETE FROM mutation_answer WHERE client = ?1 AND number <= (
                SELECT number FROM mutation_answer WHERE client = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)
            """, [client, limits.answersPerClient])
        if isNew { try forgetSilentClients(db) }
    }

    private func forgetSilentClients(_ db: Database) throws {
        let oldest = Int64(clamping: (now * 1_000).decreased(by: limits.clientMicroseconds))
        try forget("used < ?", [oldest], db)
        let count = try db.first("SELECT count(*) FROM mutation_client", [])?.decode(Int.self, atIndex: 0) ?? 0
        guard count > limits.clients else { return }
        try forget(
            "client IN (SELECT client FROM mutation_client ORDER BY used LIMIT ?)", [count - limits.clients], db)
    }

    private func forget(_ condition: String, _ arguments: StatementArguments, _ db: Database) throws {
        try db.run(
            "DELETE FROM mutation_answer WHERE client IN (SELECT client FROM mutation_client WHERE \(condition))",
            arguments)
        try db.run("DELETE FROM mutation_client WHERE \(condition)", arguments)
    }
}
