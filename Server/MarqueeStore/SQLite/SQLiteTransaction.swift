import GRDB
import MarqueeCatalogue
import MarqueeModel
import Synchronization

/// The sizes of everything in the catalogue's file that has a bound.
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
    /// How the file that isn't written is read.
    enum Other {
        /// Each statement sees the file as it is at that time.
        case file(DatabaseQueue)
        /// All reads see the file as it was at one moment.
        case view(TableReader)

        func read<Value>(_ body: (TableReader) throws -> Value) throws -> Value {
            switch self {
            case .file(let queue): try queue.unsafeRead { try body(TableReader($0)) }
            case .view(let tables): try body(tables)
            }
        }
    }

    private let log: StoreLog
    private let written: TableWriter
    private let other: Other
    private let checkedUsers: CheckedUsers
    let typeLibrary: TypeLibrary
    let limits: StoreLimits
    private(set) var tally: CatalogueTally
    /// Commits of this transaction.
    private(set) var appended = RecentCommits()
    /// Milliseconds since 1970.
    let now: UInt64

    // Rows read by checks, so that the writes that follow needn't read them again.
    private var user = LastRow<String, StoreQueries.UserLog>()
    private var member = LastRow<MemberKey, MemberRow?>()
    private var count = LastRow<CollectionKey, CountRow?>()
    private let records = ReadRecords()
    private var mutations: SQLiteMutations

    /// - Parameters:
    ///   - log: the log whose file is written.
    ///   - other: reads the other file.
    ///   - now: milliseconds since 1970.
    init(
        log: StoreLog, written: TableWriter, other: Other, checkedUsers: CheckedUsers, typeLibrary: TypeLibrary,
        limits: StoreLimits, tally: CatalogueTally, now: UInt64
    ) {
        self.log = log
        self.written = written
        self.other = other
        self.checkedUsers = checkedUsers
        self.typeLibrary = typeLibrary
        self.limits = limits
        self.tally = tally
        self.now = now
        mutations = SQLiteMutations(limits: limits, now: now)
    }

    var catalogue: TableReader { writer(of: .catalogue) }
    private var users: TableReader { writer(of: .users) }

    private func read<Value>(_ log: StoreLog, _ body: (TableReader) throws -> Value) throws -> Value {
        log == self.log ? try body(written) : try other.read(body)
    }

    private func writer(of log: StoreLog) -> TableWriter {
        precondition(log == self.log, "a transaction writes to one file")
        return written
    }
}

/// The sums of the rows of records that a transaction has read, until it writes these rows.
private final class ReadRecords {
    /// As many as a commit may change. What isn't remembered is read again.
    private static let capacity = CatalogueBounds.changesPerCommit
    private var sums: [RecordID: Int64?] = [:]

    /// - Parameter sum: `nil` if there is no such record.
    func note(_ sum: Int64?, of id: RecordID) { if sums.count < Self.capacity { sums[id] = .some(sum) } }

    /// - Returns: `nil` for a record that wasn't read.
    func take(_ id: RecordID) -> Int64?? { sums.removeValue(forKey: id) }
}

private struct MemberKey: Equatable {
    var user: String
    var name: MemberName

    var columns: [ColumnValue] { [.text(user), .text(name.collection.name), .text(name.subject)] }
}

private struct MemberRow {
    var member: StoredMember
    var sum: Int64
}

private struct CollectionKey: Equatable {
    var user: String
    var collection: CollectionName

    var columns: [ColumnValue] { [.text(user), .text(collection.name)] }
}

private struct CountRow {
    var members: Int
    var sum: Int64
}

extension SQLiteTransaction: StoreTransaction {
    func record(_ name: RecordName) throws -> CatalogueRecord? {
        if case .typed(let id) = name {
            let found = try RecordTables.read(id, from: catalogue)
            records.note(found?.sum, of: id)
            return found?.record
        }
        guard name == .types else { return try RecordTables.read(name, from: catalogue) }
        return try typeLibrary.record(catalogue.total(of: StoreTables.types)) {
            try RecordTables.read(name, from: catalogue)
        }
    }

    func hasRecords(ofType alias: String) throws -> Bool {
        try catalogue.hasRow("SELECT 1 FROM record WHERE type = ? LIMIT 1", [.text(alias)])
    }

    func entryCount(of list: ListName) throws -> Int? { try ListTables.count(of: list, catalogue) }

    func entryKey(of list: ListName, at rank: Int) throws -> String? {
        try ListTables.place(of: list, at: rank, catalogue)?.key
    }

    func editions(of list: String) throws -> [String?] { try ListTables.editions(of: list, catalogue) }

    func hasList(declaredAs name: String) throws -> Bool { try ListTables.hasList(declaredAs: name, catalogue) }

    func catalogueRevision() throws -> UInt64 { try StoreQueries.catalogueRevision(catalogue) }

    func kept(_ key: String) throws -> KeptKey? {
        try StoreTables.commitKey.row([.text(key)], in: catalogue) { KeptKey(number: try $0.integer(1)) }
    }

    mutating func keep(_ kept: KeptKey, of key: String) throws {
        let tables = writer(of: .catalogue)
        try StoreTables.commitKey.put([.text(key)], [.integer(kept.number)], in: tables)
        tally.keys += 1
        guard tally.keys > limits.commitKeys else { return }
        tally.keys -= try StoreTables.commitKey.removeAll(
            where: "key IN (SELECT key FROM commit_key ORDER BY revision, key LIMIT ?)",
            [.integer(Int64(limits.commitKeysDropped))], in: tables)
    }

    mutating func append(_ planned: PlannedCommit) throws {
        let tables = writer(of: .catalogue)
        for (name, record) in planned.records {
            if case .typed(let id) = name, let old = records.take(id) {
                try RecordTables.write(record, with: id, replacing: old, to: tables)
            } else {
                try RecordTables.write(record, under: name, to: tables)
            }
        }
        try ListTables.apply(planned.listEdits, to: tables)
        try SearchIndex.follow(planned.records, types: planned.types, in: tables.database) { alias, receive in
            try RecordTables.readAll(ofType: alias, from: tables, receive)
        }
        let commit = planned.commit
        try StoreTables.commitLog.put(
            [.integer(Int64(commit.revision))],
            [
                .integer(Int64(now / 1_000)), .text(orNull: commit.key), .integer(Int64(planned.json.count)),
                .text(String(decoding: planned.json, as: UTF8.self)),
            ], replacing: nil, in: tables)
        tally.logBytes += planned.json.count
        appended.append(commit, bytes: planned.json.count)
        try cutHistory(newest: commit.revision, tables)
    }

    private mutating func cutHistory(newest: UInt64, _ tables: TableWriter) throws {
        while let oldest = try tables.first(
            "SELECT revision, bytes, made FROM commit_log ORDER BY revision LIMIT 1", [],
            { row -> (revision: UInt64, bytes: Int, made: UInt64) in
                (try row.unsigned(0), try row.int(1), try row.unsigned(2))
            })
        {
            guard oldest.revision < newest,
                limits.dropsOldest(
                    bytes: tally.logBytes, commits: newest - oldest.revision + 1,
                    seconds: (now / 1_000).decreased(by: oldest.made))
            else { return }
            try StoreTables.commitLog.remove([.integer(Int64(oldest.revision))], in: tables)
            tally.logBytes -= oldest.bytes
            appended.cut(before: oldest.revision + 1)
        }
    }

    func draft(_ name: String) throws -> Draft? { try DraftTables.read(name, catalogue) }

    func draftSummaries() throws -> [DraftSummary] { try DraftTables.summaries(catalogue) }

    mutating func keep(_ draft: Draft) throws { try DraftTables.write(draft, to: writer(of: .catalogue)) }

    mutating func removeDraft(_ name: String) throws { try DraftTables.remove(name, from: writer(of: .catalogue)) }

    mutating func userRevision(_ user: String) throws -> UInt64 { try userLog(user).revision }

    /// A user's row. So that nothing is built on damage, the user's members are read and checked the first time.
    private mutating func userLog(_ name: String) throws -> StoreQueries.UserLog {
        let (users, checkedUsers) = (users, checkedUsers)
        return try user.row(name) {
            if checkedUsers.contains(name) { return try StoreQueries.userLog(name, users) }
            let log = try StoreQueries.members(of: name, users).log
            checkedUsers.insert(name)
            return log
        }
    }

    mutating func member(_ name: MemberName, of user: String) throws -> StoredMember? {
        try memberRow(MemberKey(user: user, name: name))?.member
    }

    private mutating func memberRow(_ key: MemberKey) throws -> MemberRow? {
        let users = users
        return try member.row(key) {
            try StoreTables.member.row(key.columns, in: users) { row in
                MemberRow(member: try StoreQueries.member(row), sum: try StoreTables.member.sum(of: row))
            }
        }
    }

    mutating func memberCount(of user: String, in collection: CollectionName) throws -> Int {
        try countRow(CollectionKey(user: user, collection: collection))?.members ?? 0
    }

    private mutating func countRow(_ key: CollectionKey) throws -> CountRow? {
        let users = users
        return try count.row(key) {
            try StoreTables.userCollection.row(key.columns, in: users) { row in
                CountRow(members: try row.int(2), sum: try StoreTables.userCollection.sum(of: row))
            }
        }
    }

    func collectionCount(of user: String) throws -> Int {
        try users.first("SELECT count(*) FROM user_collection WHERE user = ?", [.text(user)]) { try $0.int(0) } ?? 0
    }

    func hasMembers(in collection: CollectionName) throws -> Bool {
        try read(.users) {
            try $0.hasRow("SELECT 1 FROM user_collection WHERE collection = ? LIMIT 1", [.text(collection.name)])
        }
    }

    mutating func keep(_ move: MemberMove, of user: String) throws {
        let tables = writer(of: .users)
        let key = MemberKey(user: user, name: move.change.name)
        var log = try userLog(user)
        let before = try memberRow(key)
        let collection = CollectionKey(user: user, collection: key.name.collection)
        let growth = (move.member == nil ? 0 : 1) - (before == nil ? 0 : 1)
        // Everything is read, and so checked, before anything is written.
        let counted = growth == 0 ? nil : try countRow(collection)

        if let before { log.total.remove(before.sum) }
        if let member = move.member {
            let value = member.value.isEmpty ? ColumnValue.null : .blob(member.value)
            let sum = try StoreTables.member.put(
                key.columns, [value, .integer(Int64(member.revision))], replacing: before?.sum, in: tables)
            log.total.add(sum)
            self.member.note(MemberRow(member: member, sum: sum), of: key)
        } else if let before {
            try StoreTables.member.remove(key.columns, sum: before.sum, in: tables)
            self.member.note(nil, of: key)
        }
        log.revision = move.revision
        log.rowSum = try StoreTables.userLog.put(
            [.text(user)],
            [.integer(Int64(log.revision)), .integer(Int64(log.total.rows)), .integer(log.total.sum)],
            replacing: log.rowSum, in: tables)
        self.user.note(log, of: user)
        if growth != 0 { try keep((counted?.members ?? 0) + growth, in: collection, replacing: counted, tables) }
    }

    private mutating func keep(
        _ members: Int, in collection: CollectionKey, replacing old: CountRow?, _ tables: TableWriter
    ) throws {
        if members > 0 {
            let sum = try StoreTables.userCollection.put(
                collection.columns, [.integer(Int64(members))], replacing: old?.sum, in: tables)
            count.note(CountRow(members: members, sum: sum), of: collection)
        } else {
            if let old { try StoreTables.userCollection.remove(collection.columns, sum: old.sum, in: tables) }
            count.note(nil, of: collection)
        }
    }

    func observationHead() throws -> ObservationHead {
        try ObservationTables.readHead(users) ?? ObservationHead(madeAt: now)
    }

    mutating func keep(_ rows: [ObservedRow], head: ObservationHead) throws {
        let tables = writer(of: .users)
        for row in rows { try ObservationTables.insert(row, in: tables) }
        try ObservationTables.write(head, to: tables)
    }

    mutating func lastMutation(of client: [UInt8], in log: StoreLog) throws -> UInt64? {
        guard log == self.log else { return try other.read { try StoreQueries.lastMutation(of: client, $0) } }
        return try mutations.last(of: client, written)
    }

    func answer(to number: UInt64, of client: [UInt8], in log: StoreLog) throws -> KeptAnswer? {
        try read(log) { try SQLiteMutations.answer(to: number, of: client, $0) }
    }

    mutating func keep(_ answer: KeptAnswer, to mutation: MutationID, in log: StoreLog) throws {
        try mutations.keep(answer, to: mutation, writer(of: log))
    }

    func hasRoomForClient(in log: StoreLog) throws -> Bool { try read(log) { try mutations.hasRoomForClient($0) } }
}
