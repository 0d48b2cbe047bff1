import Foundation
import MarqueeCatalogue
import MarqueeModel

/// Reads that both writers and readers need.
enum StoreQueries {
    /// The newest revision. It can be read from the log because the newest commit always stays there.
    static func catalogueRevision(_ db: TableReader) throws -> UInt64 {
        try db.first("SELECT coalesce(max(revision), 0) FROM commit_log") { try $0.unsigned(0) } ?? 0
    }

    /// The newest time that a file has noted, in milliseconds since 1970; 0 for a new one.
    static func newestTime(of log: StoreLog, _ db: TableReader) throws -> UInt64 {
        let used: UInt64 =
            try db.first("SELECT coalesce(max(used), 0) FROM mutation_client") { try $0.unsigned(0) } ?? 0
        guard log == .catalogue else { return used / 1_000 }
        let made: UInt64? = try db.first("SELECT made FROM commit_log ORDER BY revision DESC LIMIT 1") {
            try $0.unsigned(0)
        }
        return max(used / 1_000, (made ?? 0).multipliedReportingOverflow(by: 1_000).partialValue)
    }

    /// A user's row, without their members. Empty for an unknown user.
    struct UserLog {
        var revision: UInt64 = 0
        /// The total of all their members.
        var total = TableTotal()
        /// The sum of the row; `nil` for an unknown user.
        var rowSum: Int64?
    }

    static func userLog(_ user: String, _ db: TableReader) throws -> UserLog {
        let log = try StoreTables.userLog.row([.text(user)], in: db) { row in
            UserLog(
                revision: try row.unsigned(1), total: TableTotal(rows: try row.int(2), sum: try row.integer(3)),
                rowSum: try StoreTables.userLog.sum(of: row))
        }
        return log ?? UserLog()
    }

    /// The members of all of a user's collections, with their revision.
    /// - Throws: `StoreDamage` when they are not what was written.
    static func members(of user: String, _ db: TableReader) throws -> (log: UserLog, members: [StoredMember]) {
        let log = try userLog(user, db)
        var members: [StoredMember] = []
        var total = TableTotal()
        var counts: [CollectionName: Int] = [:]
        do {
            try StoreTables.member.rows("WHERE user = ?", [.text(user)], in: db) { row in
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
        return (log, members)
    }

    static func member(_ row: borrowing StoredRow) throws -> StoredMember {
        StoredMember(
            collection: CollectionName(try row.text(1)), subject: try row.text(2),
            value: try row.optionalBlob(3) ?? [], revision: try row.unsigned(4))
    }

    /// The recorded number of members of each of a user's collections.
    private static func counts(of user: String, _ db: TableReader) throws -> [CollectionName: Int] {
        var counts: [CollectionName: Int] = [:]
        try StoreTables.userCollection.rows("WHERE user = ?", [.text(user)], in: db) { row in
            counts[CollectionName(try row.text(1))] = try row.int(2)
        }
        return counts
    }

    static func lastMutation(of client: [UInt8], _ db: TableReader) throws -> UInt64? {
        try StoreTables.mutationClient.row([.blob(client)], in: db) { try $0.unsigned(1) }
    }

    static func commits(after revision: UInt64, limit: Int, _ db: TableReader) throws -> [CatalogueCommit] {
        let head = try catalogueRevision(db)
        guard revision < head else { return [] }
        let oldest = try db.first("SELECT min(revision) FROM commit_log") { try $0.unsigned(0) } ?? head
        guard revision + 1 >= oldest else { throw StoreError.historyCut(after: revision) }
        var commits: [CatalogueCommit] = []
        try StoreTables.commitLog.rows(
            "WHERE revision > ? ORDER BY revision LIMIT ?",
            [.integer(Int64(clamping: revision)), .integer(Int64(limit))], in: db
        ) { row in
            let expected = revision + UInt64(commits.count) + 1
            guard try row.unsigned(0) == expected else {
                throw StoreDamage("the log, which lacks revision \(expected)")
            }
            let json = Array(try row.text(4).utf8)
            commits.append(
                CatalogueCommit(
                    revision: expected, key: try row.optionalText(2), changes: try ChangeCoding.decode(json)))
        }
        return commits
    }

    /// - Throws: `StoreDamage` when commits are missing or added: the newest revision would be wrong.
    static func tally(_ db: TableReader) throws -> CatalogueTally {
        var (bytes, total) = (0, TableTotal())
        try db.rows("SELECT bytes, sum FROM commit_log") { row in
            bytes += try row.int(0)
            total.add(try row.integer(1))
        }
        try StoreTables.commitLog.check(total, in: db)
        return CatalogueTally(
            logBytes: bytes, keys: try db.first("SELECT count(*) FROM commit_key") { try $0.int(0) } ?? 0)
    }

    static func meta(_ name: String, _ db: TableReader) throws -> String? {
        try StoreTables.meta.row([.text(name)], in: db) { try $0.text(1) }
    }
}

extension StoreDamage {
    init(membersOf user: String) { self.init("the collections of '\(user)'") }
}
