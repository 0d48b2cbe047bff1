import GRDB
import MarqueeCatalogue
import MarqueeModel
import Synchronization

/// How much the catalogue's file holds of everything that is bounded.
struct CatalogueTally {
    /// Bytes of the log as JSON.
    var logBytes: Int
    /// Keys of commits.
    var keys: Int
}

/// Users whose collections were read whole and found undamaged since the store was opened. Thread safe.
final class CheckedUsers: Sendable {
    /// Users remembered; beyond that, the set is cleared and all are checked again.
    private static let capacity = 100_000
    private let users = Mutex<Set<String>>([])

    func contains(_ user: String) -> Bool { users.withLock { $0.contains(user) } }

    func insert(_ user: String) {
        users.withLock { users in
            if users.count >= Self.capacity { users.removeAll() }
            users.insert(user)
        }
    }
}

/// A transaction that writes to one file of a data folder and may read the other.
struct SQLiteTransaction {
    let catalogue: Database
    let users: Database
    let checkedUsers: CheckedUsers
    let typeLibrary: TypeLibrary
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
        guard name == .types else { return try RecordTables.read(name, from: catalogue) }
        return try typeLibrary.record(StoreTables.types.total(in: catalogue)) {
            try RecordTables.read(name, from: catalogue)
        }
    }

    func hasRecords(ofType alias: String) throws -> Bool {
        try catalogue.first("SELECT 1 FROM record WHERE type = ? LIMIT 1", [alias]) != nil
    }

    func entryCount(of list: ListName) throws -> Int? { try ListTables.count(of: list, catalogue) }

    func entryKey(of list: ListName, at rank: Int) throws -> String? {
        try ListTables.place(of: list, at: rank, catalogue)?.key
    }

    func editions(of list: String) throws -> [String?] { try ListTables.editions(of: list, catalogue) }

    func hasList(declaredAs name: String) throws -> Bool { try ListTables.hasList(declaredAs: name, catalogue) }

    func catalogueRevision() throws -> UInt64 { try StoreQueries.catalogueRevision(catalogue) }

    func hasKey(_ key: String) throws -> Bool {
        try StoreTables.commitKey.row([key], in: catalogue) != nil
    }

    mutating func keep(key: String, revision: UInt64) throws {
        try StoreTables.commitKey.put([key], [Int64(revision)], in: catalogue)
        tally.keys += 1
        guard tally.keys > limits.commitKeys else { return }
        tally.keys -= try StoreTables.commitKey.removeAll(
            where: "key IN (SELECT key FROM commit_key ORDER BY revision, key LIMIT ?)", [limits.commitKeysDropped],
            in: catalogue)
    }

    mutating func append(_ planned: PlannedCommit) throws {
        for (name, record) in planned.records { try RecordTables.write(record, under: name, to: catalogue) }
        for edit in planned.listEdits { try ListTables.apply(edit, to: catalogue) }
        try SearchIndex.follow(planned.records, types: planned.types, in: catalogue) { alias, receive in
            try RecordTables.readAll(ofType: alias, from: catalogue, receive)
        }
        let commit = planned.commit
        try StoreTables.commitLog.put(
            [Int64(commit.revision)],
            [Int64(now / 1_000), commit.key, planned.json.count, String(decoding: planned.json, as: UTF8.self)],
            in: catalogue)
        tally.logBytes += planned.json.count
        try cutHistory(newest: commit.revision)
    }

    private mutating func cutHistory(newest: UInt64) throws {
        while let oldest = try catalogue.first(
            "SELECT revision, bytes, made FROM commit_log ORDER BY revision LIMIT 1", [])
        {
            let (revision, made): (UInt64, UInt64) = (try oldest.unsigned(0), try oldest.unsigned(2))
            guard revision < newest,
                limits.dropsOldest(
                    bytes: tally.logBytes, commits: newest - revision + 1,
                    seconds: (now / 1_000).decreased(by: made))
            else { return }
            try StoreTables.commitLog.remove([Int64(revision)], in: catalogue)
            tally.logBytes -= try oldest.decode(Int.self, atIndex: 1)
        }
    }

    /// Nothing is written on top of damage: the first time, the user's members are read and compared with their sums.
    func userRevision(_ user: String) throws -> UInt64 {
        if checkedUsers.contains(user) { return try StoreQueries.userLog(user, users).revision }
        let revision = try StoreQueries.members(of: user, users).revision
        checkedUsers.insert(user)
        return revision
    }

    func member(_ name: MemberName, of user: String) throws -> StoredMember? {
        try StoreTables.member.row([user, name.collection.name, name.subject], in: users).map(StoreQueries.member)
    }

    func memberCount(of user: String, in collection: CollectionName) throws -> Int {
        try StoreQueries.memberCount(of: user, in: collection, users)
    }

    func collectionCount(of user: String) throws -> Int {
        try users.first("SELECT count(*) FROM user_collection WHERE user = ?", [user])?.decode(Int.self, atIndex: 0)
            ?? 0
    }

    func hasMembers(in collection: CollectionName) throws -> Bool {
        try users.first("SELECT 1 FROM user_collection WHERE collection = ? LIMIT 1", [collection.name]) != nil
    }

    func keep(_ move: MemberMove, of user: String) throws {
        var total = try StoreQueries.userLog(user, users).total
        let collection = move.change.collection
        let key = [user, collection.name, move.change.subject]
        let before = try StoreTables.member.remove(key, in: users)
        if let before { total.remove(before) }
        if let member = move.member {
            let value = member.value.isEmpty ? nil : member.value.blob
            total.add(try StoreTables.member.put(key, [value, Int64(member.revision)], in: users))
        }
        try StoreTables.userLog.put([user], [Int64(move.revision), total.rows, total.sum], in: users)
        guard (before != nil) != (move.member != nil) else { return }
        let count = try memberCount(of: user, in: collection) + (before == nil ? 1 : -1)
        if count > 0 {
            try StoreTables.userCollection.put([user, collection.name], [count], in: users)
        } else {
            try StoreTables.userCollection.remove([user, collection.name], in: users)
        }
    }

    func lastMutation(of client: [UInt8], in log: StoreLog) throws -> UInt64? {
        try StoreQueries.lastMutation(of: client, database(of: log))
    }

    func answer(to number: UInt64, of client: [UInt8], in log: StoreLog) throws -> KeptAnswer? {
        let row = try StoreTables.mutationAnswer.row([client.blob, Int64(number)], in: database(of: log))
        guard let row else { return nil }
        return KeptAnswer(
            fingerprint: UInt64(bitPattern: try row.decode(Int64.self, atIndex: 2)), revision: try row.unsigned(3),
            changed: try row.decode(Bool.self, atIndex: 4))
    }

    func keep(_ answer: KeptAnswer, to mutation: MutationID, in log: StoreLog) throws {
        let db = database(of: log)
        let client = mutation.client.blob
        let number = Int64(mutation.number)
        let isNew = try lastMutation(of: mutation.client, in: log) == nil
        let newest = try db.first("SELECT coalesce(max(used), 0) FROM mutation_client", [])?
            .decode(Int64.self, atIndex: 0)
        let used = max((newest ?? 0).addingReportingOverflow(1).partialValue, Int64(clamping: now * 1_000))
        try StoreTables.mutationClient.put([client], [number, used], in: db)
        try StoreTables.mutationAnswer.put(
            [client, number], [Int64(bitPattern: answer.fingerprint), Int64(answer.revision), answer.changed], in: db)
        let answered = Int64(clamping: min(mutation.answeredThrough, mutation.number - 1))
        try StoreTables.mutationAnswer.removeAll(where: "client = ? AND number <= ?", [client, answered], in: db)
        try StoreTables.mutationAnswer.removeAll(
            where: """
                client = ?1 AND number <= (
                    SELECT number FROM mutation_answer WHERE client = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)
                """, [client, limits.answersPerClient], in: db)
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

    private func forget(_ condition: String, _ arguments: [SummedTable.Value], _ db: Database) throws {
        try StoreTables.mutationAnswer.removeAll(
            where: "client IN (SELECT client FROM mutation_client WHERE \(condition))", arguments, in: db)
        try StoreTables.mutationClient.removeAll(where: condition, arguments, in: db)
    }
}
