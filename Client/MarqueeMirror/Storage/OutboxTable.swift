import Foundation
import GRDB
import MarqueeModel

/// The rows of pending mutations, and of refused ones.
enum OutboxTable {
    private enum StateNumber {
        static let pending: Int64 = 0
        static let sent: Int64 = 1
        static let answered: Int64 = 2
    }

    private static let columns = "number, collection, subject, is_on, value, state, created_at, cut, changed"
    private static let selection = "SELECT \(columns), sum FROM outbox"

    /// All entries by number.
    static func all(_ db: Database) throws -> [OutboxEntry] { try entries("ORDER BY number", db) }

    /// The answered entries, by number. The cost depends on their number, not on that of the waiting ones.
    static func answered(_ db: Database) throws -> [OutboxEntry] { try entries("WHERE state = 2 ORDER BY number", db) }

    /// The first unanswered entry.
    static func firstWaiting(_ db: Database) throws -> OutboxEntry? {
        try entries("WHERE state <> 2 ORDER BY number LIMIT 1", db).first
    }

    static func find(_ number: UInt64, _ db: Database) throws -> OutboxEntry? {
        try entries("WHERE number = ?", arguments: [Int64(bitPattern: number)], db).first
    }

    private static func entries(
        _ clause: String, arguments: StatementArguments = [], _ db: Database
    ) throws -> [OutboxEntry] {
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: "\(selection) \(clause)"), arguments: arguments)
        var entries: [OutboxEntry] = []
        while let row = try rows.next() { entries.append(try entry(row)) }
        return entries
    }

    /// The intact entries of a damaged file, by number, and how many are not intact.
    static func readable(_ db: Database) throws -> (entries: [OutboxEntry], lost: Int) {
        let rows = try Row.fetchCursor(db, sql: "\(selection) ORDER BY number")
        var entries: [OutboxEntry] = []
        var lost = 0
        // A row that can't be reached ends the list; one that can't be decoded is skipped.
        do {
            while let row = try rows.next() {
                guard let entry = try? entry(row), 1...MirrorLimit.mutationNumber ~= entry.number,
                    1...MirrorLimit.subjectBytes ~= entry.subject.utf8.count,
                    1...CollectionName.maximumLength ~= entry.collection.name.utf8.count,
                    entry.value?.json.utf8.count ?? 0 <= CollectionValue.maximumLength
                else {
                    lost += 1
                    continue
                }
                entries.append(entry)
            }
        } catch {
            lost += 1
        }
        return (entries, lost)
    }

    private static func entry(_ row: Row) throws -> OutboxEntry {
        guard row.givesItsSum(in: 9) else {
            throw MirrorError(.corrupt, "the mirror is damaged: an outbox entry is not what was stored")
        }
        let state: OutboxEntry.State
        switch try row.decode(Int64.self, atIndex: 5) {
        case StateNumber.pending: state = .pending
        case StateNumber.sent: state = .sent
        default:
            guard let cut = Cut(stored: try row.bytes(7)) else {
                throw MirrorError(.corrupt, "the mirror is damaged: an outbox entry has no readable position")
            }
            state = .answered(cut)
        }
        return OutboxEntry(
            number: try row.unsigned(0), collection: CollectionName(try row.decode(String.self, atIndex: 1)),
            subject: try row.decode(String.self, atIndex: 2), on: try row.decode(Bool.self, atIndex: 3),
            value: try row.decode(String?.self, atIndex: 4).map { CollectionValue(json: $0) }, state: state,
            createdAt: try row.decode(Double.self, atIndex: 6), changed: try row.decode(Bool?.self, atIndex: 8))
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
        let values: [(any DatabaseValueConvertible)?] = [
            Int64(bitPattern: entry.number), entry.collection.name, entry.subject, entry.on, entry.value?.json, state,
            entry.createdAt, cut, entry.changed,
        ]
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO outbox (\(columns), sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: StatementArguments(values + [RowSum.of(values)]))
    }

    static func remove(_ numbers: [UInt64], _ db: Database) throws {
        let statement = try db.cachedStatement(sql: "DELETE FROM outbox WHERE number = ?")
        for number in numbers { try statement.execute(arguments: [Int64(bitPattern: number)]) }
    }

    /// Removes changes of a subject in a collection that were never sent.
    ///
    /// - Throws: `corrupt` when the index leads to another subject's entry, which would be lost.
    static func removePending(of subject: String, in collection: CollectionName, _ db: Database) throws {
        let search = try db.cachedStatement(sql: "SELECT number FROM outbox WHERE subject = ? AND collection = ?")
        let numbers = try Int64.fetchAll(search, arguments: [subject, collection.name])
        for number in numbers.map({ UInt64(bitPattern: $0) }) {
            guard let entry = try find(number, db), entry.subject.hasSameBytes(as: subject),
                entry.collection == collection
            else {
                throw MirrorError(.corrupt, "the mirror is damaged: the index of the outbox doesn't match its table")
            }
            if entry.state == .pending { try remove([number], db) }
        }
    }

    static func markSent(_ number: UInt64, _ db: Database) throws {
        guard var entry = try find(number, db), entry.state == .pending else { return }
        entry.state = .sent
        try insert(entry, db)
    }

    /// - Returns: whether there was such an entry, not yet answered.
    static func markAnswered(_ number: UInt64, cut: Cut, changed: Bool, _ db: Database) throws -> Bool {
        guard var entry = try find(number, db) else { return false }
        if case .answered = entry.state { return false }
        entry.state = .answered(cut)
        entry.changed = changed
        try insert(entry, db)
        return true
    }

    /// Everything up to this number was answered, refused, or will never be sent.
    static func answeredThrough(_ db: Database, lastNumber: UInt64) throws -> UInt64 {
        let statement = try db.cachedStatement(sql: "SELECT min(number) FROM outbox WHERE state <> ?")
        let first = try Int64.fetchOne(statement, arguments: [StateNumber.answered]).map { UInt64(max($0, 1)) }
        let report = try ObservationTable.firstNumber(db).map { max($0, 1) }
        return [first, report].compactMap { $0 }.min().map { $0 - 1 } ?? lastNumber
    }

    /// Remembers a refusal, and forgets the oldest beyond `MirrorLimit.rejections`.
    static func reject(_ entry: OutboxEntry, code: String?, reason: String, _ db: Database) throws {
        try insert(
            RejectedMutation(
                number: entry.number, collection: entry.collection, subject: entry.subject, on: entry.on,
                value: entry.value, code: code, reason: reason, createdAt: entry.createdAt), db)
        try db.execute(
            sql: "DELETE FROM rejection WHERE rowid NOT IN (SELECT rowid FROM rejection ORDER BY rowid DESC LIMIT ?)",
            arguments: [MirrorLimit.rejections])
    }

    private static let rejectionColumns = "number, collection, subject, is_on, value, reason, created_at, code"

    static func insert(_ rejection: RejectedMutation, _ db: Database) throws {
        var reason = rejection.reason
        while reason.utf8.count > MirrorLimit.reasonBytes { reason.removeLast() }
        let values: [(any DatabaseValueConvertible)?] = [
            Int64(bitPattern: rejection.number), rejection.collection.name, rejection.subject, rejection.on,
            rejection.value?.json, reason, rejection.createdAt, rejection.code,
        ]
        try db.execute(
            sql: "INSERT INTO rejection (\(rejectionColumns), sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: StatementArguments(values + [RowSum.of(values)]))
    }

    /// The remembered refusals, oldest first. Damaged ones are left out.
    static func rejections(_ db: Database) throws -> [RejectedMutation] {
        let rows = try Row.fetchCursor(db, sql: "SELECT \(rejectionColumns), sum FROM rejection ORDER BY rowid")
        var rejections: [RejectedMutation] = []
        while let row = try rows.next() {
            guard row.givesItsSum(in: 8) else { continue }
            rejections.append(
                RejectedMutation(
                    number: try row.unsigned(0), collection: CollectionName(try row.decode(String.self, atIndex: 1)),
                    subject: try row.decode(String.self, atIndex: 2), on: try row.decode(Bool.self, atIndex: 3),
                    value: try row.decode(String?.self, atIndex: 4).map { CollectionValue(json: $0) },
                    code: try row.decode(String?.self, atIndex: 7),
                    reason: try row.decode(String.self, atIndex: 5),
                    createdAt: try row.decode(Double.self, atIndex: 6)))
        }
        return rejections
    }

    /// Forgets refusals of a subject in a collection, because the user has changed it again.
    static func forgetRejections(of subject: String, in collection: CollectionName, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM rejection WHERE subject = ? AND collection = ?", arguments: [subject, collection.name])
    }

    /// Forgets all refusals, because the user has seen them.
    static func forgetRejections(_ db: Database) throws { try db.execute(sql: "DELETE FROM rejection") }
}
