import Foundation
import GRDB
import MarqueeModel

/// Reads that both writers and readers need.
enum StoreQueries {
    /// The newest commit always stays in the log.
    static func catalogueRevision(_ db: Database) throws -> UInt64 {
        try db.first("SELECT coalesce(max(revision), 0) FROM commit_log", [])?.unsigned(0) ?? 0
    }

    static func userRevision(_ user: String, _ db: Database) throws -> UInt64 {
        try db.first("SELECT revision FROM user_log WHERE name = ?", [user])?.unsigned(0) ?? 0
    }

    static func favorites(of user: String, _ db: Database) throws -> [Favorite] {
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT subject, revision FROM favorite WHERE user = ?"), arguments: [user])
        var favorites: [Favorite] = []
        while let row = try rows.next() {
            favorites.append(
                Favorite(subject: try row.decode(String.self, atIndex: 0), revision: try row.unsigned(1)))
        }
        return favorites
    }

    static func lastMutation(of client: [UInt8], _ db: Database) throws -> UInt64? {
        try db.first("SELECT last FROM mutation_client WHERE client = ?", [client.blob])?.unsigned(0)
    }

    static func commits(after revision: UInt64, limit: Int, _ db: Database) throws -> [CatalogueCommit] {
        let head = try catalogueRevision(db)
        guard revision < head else { return [] }
        let oldest = try db.first("SELECT min(revision) FROM commit_log", [])?.unsigned(0) ?? head
        guard revision + 1 >= oldest else { throw StoreError.historyCut(after: revision) }
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: "SELECT revision, key, changes FROM commit_log WHERE revision > ? ORDER BY revision LIMIT ?"),
            arguments: [Int64(revision), limit])
        var commits: [CatalogueCommit] = []
        while let row = try rows.next() {
            let json = Data(try row.decode(String.self, atIndex: 2).utf8)
            commits.append(
                CatalogueCommit(
                    revision: try row.unsigned(0), key: try row.decode(String?.self, atIndex: 1),
                    changes: try ChangeCoding.decode(json)))
        }
        return commits
    }

    static func tally(_ db: Database) throws -> CatalogueTally {
        CatalogueTally(
            logBytes: try Int.fetchOne(db, sql: "SELECT total(bytes) FROM commit_log") ?? 0,
            keys: try Int.fetchOne(db, sql: "SELECT count(*) FROM commit_key") ?? 0)
    }

    static func meta(_ name: String, _ db: Database) throws -> String? {
        try db.first("SELECT value FROM meta WHERE name = ?", [name])?.decode(String.self, atIndex: 0)
    }
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
        guard let number: Number = try optionalUnsigned(index) else { throw TextRows.Malformed() }
        return number
    }

    func optionalUnsigned<Number: FixedWidthInteger & UnsignedInteger>(_ index: Int) throws -> Number? {
        guard let value = try decode(Int64?.self, atIndex: index) else { return nil }
        guard let number = Number(exactly: value) else { throw TextRows.Malformed() }
        return number
    }
}

extension [UInt8] {
    /// As a value of a BLOB column.
    var blob: Data { Data(self) }
}
