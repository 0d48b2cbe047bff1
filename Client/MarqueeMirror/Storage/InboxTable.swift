import Foundation
import GRDB
import MarqueeModel

/// The rows of companions' changes that the owner has not moved to its outbox yet.
///
/// Only the owner assigns mutation numbers. Until then a row is identified by its id in the inbox, shown as a number
/// above all mutation numbers.
enum InboxTable {
    private static let columns = "id, collection, subject, is_on, value, created_at"
    /// The offset added to a row's id, above all mutation numbers.
    static let firstNumber = MirrorLimit.mutationNumber + 1

    /// All changes, oldest first.
    ///
    /// - Throws: `corrupt` when one is not what was stored.
    static func all(_ db: Database) throws -> [OutboxEntry] {
        try Row.fetchAll(db.cachedStatement(sql: "SELECT \(columns), sum FROM inbox ORDER BY id")).map(entry)
    }

    /// The intact changes of a damaged file, oldest first, and how many are not intact.
    static func readable(_ db: Database) throws -> (entries: [OutboxEntry], lost: Int) {
        let rows = try Row.fetchCursor(db, sql: "SELECT \(columns), sum FROM inbox ORDER BY id")
        var (entries, lost): ([OutboxEntry], Int) = ([], 0)
        // A row that can't be reached ends the list; one that can't be decoded is skipped.
        do {
            while let row = try rows.next() {
                if let entry = try? entry(row) { entries.append(entry) } else { lost += 1 }
            }
        } catch {
            lost += 1
        }
        return (entries, lost)
    }

    private static func entry(_ row: Row) throws -> OutboxEntry {
        let id = try row.decode(Int64.self, atIndex: 0)
        guard row.givesItsSum(in: 6), id >= 0 else {
            throw MirrorError(.corrupt, "the mirror is damaged: a companion's change is not what was stored")
        }
        return OutboxEntry(
            number: firstNumber + UInt64(id), collection: CollectionName(try row.decode(String.self, atIndex: 1)),
            subject: try row.decode(String.self, atIndex: 2), on: try row.decode(Bool.self, atIndex: 3),
            value: try row.decode(String?.self, atIndex: 4).map { CollectionValue(json: $0) },
            createdAt: try row.decode(Double.self, atIndex: 5))
    }

    /// Adds a change after all others. It replaces an earlier one of the same member.
    ///
    /// - Parameter last: the highest number given to this companion so far; each is used once.
    /// - Throws: `limit` when `MirrorLimit.inboxEntries` are waiting.
    static func add(
        _ subject: String, of collection: CollectionName, on: Bool, value: CollectionValue?, at: Double,
        after last: UInt64, _ db: Database
    ) throws -> OutboxEntry {
        // Read before the removal, so that the removed number isn't given again.
        let newest = try all(db).last?.number ?? 0
        try remove(subject, of: collection, db)
        guard try count(db) < MirrorLimit.inboxEntries else {
            throw MirrorError(
                .limit, "\(MirrorLimit.inboxEntries) changes are waiting for the mirror's owner; no more can be stored")
        }
        // Based on the time, so that companions that run one after another don't give the same number.
        let microseconds = UInt64(max(0, min(at * 1e6, 1e18)))
        let (number, isBeyond) = max(newest, last, firstNumber + microseconds).addingReportingOverflow(1)
        guard !isBeyond else {
            throw MirrorError(.corrupt, "the mirror is damaged: a companion's change has the highest possible number")
        }
        let entry = OutboxEntry(
            number: number, collection: collection, subject: subject, on: on, value: on ? value : nil, createdAt: at)
        try insert(entry, db)
        return entry
    }

    static func insert(_ entry: OutboxEntry, _ db: Database) throws {
        let values: [(any DatabaseValueConvertible)?] = [
            id(entry), entry.collection.name, entry.subject, entry.on, entry.value?.json, entry.createdAt,
        ]
        try db.cachedStatement(sql: "INSERT INTO inbox (\(columns), sum) VALUES (?, ?, ?, ?, ?, ?, ?)")
            .execute(arguments: StatementArguments(values + [RowSum.of(values)]))
    }

    /// Removes a member's change, because another one replaces it or it was moved to the outbox.
    static func remove(_ subject: String, of collection: CollectionName, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM inbox WHERE subject = ? AND collection = ?")
            .execute(arguments: [subject, collection.name])
    }

    static func count(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM inbox") ?? 0
    }

    private static func id(_ entry: OutboxEntry) -> Int64 { Int64(bitPattern: entry.number &- firstNumber) }
}
