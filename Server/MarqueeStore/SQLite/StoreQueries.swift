import Foundation
import GRDB
import MarqueeCatalogue
import MarqueeModel

/// Reads that both writers and readers need.
enum StoreQueries {
    /// The newest commit always stays in the log.
    static func catalogueRevision(_ db: Database) throws -> UInt64 {
        try db.first("SELECT coalesce(max(revision), 0) FROM commit_log", [])?.unsigned(0) ?? 0
    }

    /// A user's row, without their members. Empty for an unknown user.
    struct UserLog {
        var revision: UInt64 = 0
        /// The total of all their members.
        var total = TableTotal()
    }

    static func userLog(_ user: String, _ db: Database) throws -> UserLog {
        guard let row = try StoreTables.userLog.row([user], in: db) else { return UserLog() }
        return UserLog(
            revision: try row.unsigned(1),
            total: TableTotal(rows: try row.decode(Int.self, atIndex: 2), sum: try row.decode(Int64.self, atIndex: 3)))
    }

    /// The members of all of a user's collections, with their revision.
    /// - Throws: `StoreDamage` when they are not what was written.
    static func members(of user: String, _ db: Database) throws -> (revision: UInt64, members: [StoredMember]) {
        let log = try userLog(user, db)
        var members: [StoredMember] = []
        var total = TableTotal()
        var counts: [CollectionName: Int] = [:]
        do {
            try StoreTables.member.rows("WHERE user = ?", [user], in: db) { row in
                total.add(try StoreTables.member.sum(of: row))
                let member = try member(row)
                counts[member.collection, default: 0] += 1
                members.append(member)
            }
            guard total == log.total, try self.counts(of: user, db) == counts else {
                throw StoreDamage(membersOf: user)
            }
        } catch is StoreDamage {
            throw StoreDamage(membersOf: user)
        }
        return (log.revision, members)
    }

    static func member(_ row: Row) throws -> StoredMember {
        StoredMember(
            collection: CollectionName(try row.decode(String.self, atIndex: 1)),
            subject: try row.decode(String.self, atIndex: 2),
            value: try row.decode(Data?.self, atIndex: 3).map { [UInt8]($0) } ?? [], revision: try row.unsigned(4))
    }

    /// The recorded number of members of each of a user's collections.
    private static func counts(of user: String, _ db: Database) throws -> [CollectionName: Int] {
        var counts: [CollectionName: Int] = [:]
        try StoreTables.userCollection.rows("WHERE user = ?", [user], in: db) { row in
            counts[CollectionName(try row.decode(String.self, atIndex: 1))] = try row.decode(Int.self, atIndex: 2)
        }
        return counts
    }

    static func memberCount(of user: String, in collection: CollectionName, _ db: Database) throws -> Int {
        try StoreTables.userCollection.row([user, collection.name], in: db)?.decode(Int.self, atIndex: 2) ?? 0
    }

    static func lastMutation(of client: [UInt8], _ db: Database) throws -> UInt64? {
        try StoreTables.mutationClient.row([client.blob], in: db)?.unsigned(1)
    }

    static func commits(after revision: UInt64, limit: Int, _ db: Database) throws -> [CatalogueCommit] {
        let head = try catalogueRevision(db)
        guard revision < head else { return [] }
        let oldest = try db.first("SELECT min(revision) FROM commit_log", [])?.unsigned(0) ?? head
        guard revision + 1 >= oldest else { throw StoreError.historyCut(after: revision) }
        var commits: [CatalogueCommit] = []
        try StoreTables.commitLog.rows(
            "WHERE revision > ? ORDER BY revision LIMIT ?", [Int64(clamping: revision), limit], in: db
        ) { row in
            let expected = revision + UInt64(commits.count) + 1
            guard try row.unsigned(0) == expected else {
                throw StoreDamage("the log, which lacks revision \(expected)")
            }
            let json = Data(try row.decode(String.self, atIndex: 4).utf8)
            commits.append(
                CatalogueCommit(
                    revision: expected, key: try row.decode(String?.self, atIndex: 2),
                    changes: try ChangeCoding.decode(json)))
        }
        return commits
    }

    /// - Throws: `StoreDamage` when commits are missing or added: the newest revision would be wrong.
    static func tally(_ db: Database) throws -> CatalogueTally {
        var (bytes, total) = (0, TableTotal())
        let rows = try Row.fetchCursor(db, sql: "SELECT bytes, sum FROM commit_log")
        while let row = try rows.next() {
            bytes += try row.decode(Int.self, atIndex: 0)
            total.add(try row.decode(Int64.self, atIndex: 1))
        }
        try StoreTables.commitLog.check(total, in: db)
        return CatalogueTally(
            logBytes: bytes, keys: try Int.fetchOne(db, sql: "SELECT count(*) FROM commit_key") ?? 0)
    }

    static func meta(_ name: String, _ db: Database) throws -> String? {
        try StoreTables.meta.row([name], in: db)?.decode(String.self, atIndex: 1)
    }
}

/// A row holds something that no version writes.
struct MalformedRow: Error {}

extension StoreDamage {
    init(membersOf user: String) { self.init("the collections of '\(user)'") }
}

extension Database {
    /// Runs a statement, which is compiled once per connection.
    func run(_ sql: String, _ arguments: StatementArguments) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// The first row, copied.
    func first(_ sql: String, _ arguments: StatementArguments) throws -> Row? {
        try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }
}

extension Row {
    /// A number that is never negative.
    func unsigned<Number: FixedWidthInteger & UnsignedInteger>(_ index: Int) throws -> Number {
        guard let number: Number = try optionalUnsigned(index) else { throw MalformedRow() }
        return number
    }

    func optionalUnsigned<Number: FixedWidthInteger & UnsignedInteger>(_ index: Int) throws -> Number? {
        guard let value = try decode(Int64?.self, atIndex: index) else { return nil }
        guard let number = Number(exactly: value) else { throw MalformedRow() }
        return number
    }
}

extension [UInt8] {
    /// As a value of a BLOB column.
    var blob: Data { Data(self) }
}
