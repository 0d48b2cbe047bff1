import Foundation
import GRDB
import MarqueeModel

/// The rows of mutations that wait, and of those that were refused.
enum OutboxTable {
    private enum StateNumber {
        static let pending: Int64 = 0
        static let sent: Int64 = 1
        static let answered: Int64 = 2
    }

    private static let selection =
        "SELECT number, subject, is_on, state, created_at, cut, changed FROM outbox ORDER BY number"

    /// All entries by number.
    static func all(_ db: Database) throws -> [OutboxEntry] {
        let rows = try Row.fetchCursor(db.cachedStatement(sql: selection))
        var entries: [OutboxEntry] = []
        while let row = try rows.next() { entries.append(try entry(row)) }
        return entries
    }

    /// The entries of a damaged file that are still whole, by number.
    static func readable(_ db: Database) throws -> [OutboxEntry] {
        let rows = try Row.fetchCursor(db.cachedStatement(sql: selection))
        var entries: [OutboxEntry] = []
        // A row that can't be reached ends the list; one that can't be understood does not.
        while let row = try? rows.next() {
            guard let entry = try? entry(row), 1...MirrorLimit.mutationNumber ~= entry.number,
                1...MirrorLimit.subjectBytes ~= entry.subject.utf8.count
            else { continue }
            entries.append(entry)
        }
        return entries
    }

    private static func entry(_ row: Row) throws -> OutboxEntry {
        let state: OutboxEntry.State
        switch try row.decode(Int64.self, atIndex: 3) {
        case StateNumber.pending: state = .pending
        case StateNumber.sent: state = .sent
        default:
            guard let cut = Cut(stored: try row.bytes(5)) else {
                throw MirrorError(.corrupt, "the mirror is damaged: an outbox entry has no readable position")
            }
            state = .answered(cut)
        }
        return OutboxEntry(
            number: try row.unsigned(0), subject: try row.decode(String.self, atIndex: 1),
            on: try row.decode(Bool.self, atIndex: 2), state: state,
            createdAt: try row.decode(Double.self, atIndex: 4), changed: try row.decode(Bool?.self, atIndex: 6))
    }

    static func count(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM outbox") ?? 0
    }

    static func insert(_ entry: OutboxEntry, _ db: Database) throws {
        let state: Int64
        var cut: Data?
        switch entry.state {
        case .pending: state = StateNumber.pending
        case .sent: state = StateNumber.sent
        case .answered(let answer):
            state = StateNumber.answered
            cut = answer.stored
        }
        try db.execute(
            sql: """
                INSERT INTO outbox (number, subject, is_on, state, created_at, cut, changed) VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                Int64(bitPattern: entry.number), entry.subject, entry.on, state, entry.createdAt, cut, entry.changed,
            ])
    }

    static func remove(_ numbers: [UInt64], _ db: Database) throws {
        let statement = try db.cachedStatement(sql: "DELETE FROM outbox WHERE number = ?")
        for number in numbers { try statement.execute(arguments: [Int64(bitPattern: number)]) }
    }

    /// Removes what was never sent about a subject.
    static func removePending(of subject: String, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM outbox WHERE subject = ? AND state = ?", arguments: [subject, StateNumber.pending])
    }

    static func markSent(_ number: UInt64, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE outbox SET state = ? WHERE number = ? AND state = ?",
            arguments: [StateNumber.sent, Int64(bitPattern: number), StateNumber.pending])
    }

    static func markAnswered(_ number: UInt64, cut: Cut, changed: Bool, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE outbox SET state = ?, cut = ?, changed = ? WHERE number = ? AND state <> ?",
            arguments: [
                StateNumber.answered, cut.stored, changed, Int64(bitPattern: number), StateNumber.answered,
            ])
    }

    /// Everything up to this number was answered, refused, or will never be sent.
    static func answeredThrough(_ db: Database, lastNumber: UInt64) throws -> UInt64 {
        let statement = try db.cachedStatement(sql: "SELECT min(number) FROM outbox WHERE state <> ?")
        guard let first = try Int64.fetchOne(statement, arguments: [StateNumber.answered]) else { return lastNumber }
        return UInt64(max(first, 1)) - 1
    }

    /// Remembers a refusal, and forgets the oldest beyond `MirrorLimit.rejections`.
    static func reject(_ entry: OutboxEntry, reason: String, _ db: Database) throws {
        try insert(
            RejectedMutation(
                number: entry.number, subject: entry.subject, on: entry.on, reason: reason, createdAt: entry.createdAt),
            db)
        try db.execute(
            sql: "DELETE FROM rejection WHERE rowid NOT IN (SELECT rowid FROM rejection ORDER BY rowid DESC LIMIT ?)",
            arguments: [MirrorLimit.rejections])
    }

    static func insert(_ rejection: RejectedMutation, _ db: Database) throws {
        var reason = rejection.reason
        while reason.utf8.count > MirrorLimit.reasonBytes { reason.removeLast() }
        try db.execute(
            sql: "INSERT INTO rejection (number, subject, is_on, reason, created_at) VALUES (?, ?, ?, ?, ?)",
            arguments: [
                Int64(bitPattern: rejection.number), rejection.subject, rejection.on, reason, rejection.createdAt,
            ])
    }

    /// The remembered refusals, oldest first.
    static func rejections(_ db: Database) throws -> [RejectedMutation] {
        let sql = "SELECT number, subject, is_on, reason, created_at FROM rejection ORDER BY rowid"
        let rows = try Row.fetchCursor(db.cachedStatement(sql: sql))
        var rejections: [RejectedMutation] = []
        while let row = try rows.next() {
            rejections.append(
                RejectedMutation(
                    number: try row.unsigned(0), subject: try row.decode(String.self, atIndex: 1),
                    on: try row.decode(Bool.self, atIndex: 2), reason: try row.decode(String.self, atIndex: 3),
                    createdAt: try row.decode(Double.self, atIndex: 4)))
        }
        return rejections
    }
}
