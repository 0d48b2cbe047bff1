import GRDB
import SeededRandom
import Testing

@testable import MarqueeStore

/// The totals of summed tables, which are written at the end of a transaction.
@Suite struct TableWriterTests {
    private static let note = SummedTable("note", key: ["user", "number"], ["text"])

    private func withTable(_ body: (Database) throws -> Void) throws {
        try DatabaseQueue().writeWithoutTransaction { db throws in
            try db.writing { tables throws in
                try db.execute(
                    sql: SummedTable.totals + """
                        CREATE TABLE note (
                            user TEXT NOT NULL, number INTEGER NOT NULL, text TEXT, sum INTEGER NOT NULL,
                            PRIMARY KEY (user, number)
                        ) STRICT, WITHOUT ROWID;
                        """)
                try Self.note.begin(in: tables)
                return .commit
            }
            try body(db)
        }
    }

    private func key(_ number: Int) -> [ColumnValue] { [.text("mina"), .integer(Int64(number))] }

    /// The number of rows that the file says there are.
    private func storedRows(_ db: Database) throws -> Int? {
        try Int.fetchOne(db, sql: "SELECT rows FROM table_sum WHERE name = 'note'")
    }

    /// The texts, once the table is found to hold what was written.
    private func checkedTexts(in tables: TableReader) throws -> [String] {
        var texts: [String] = []
        try Self.note.allRows(order: "user, number", in: tables) { texts.append(try $0.optionalText(2) ?? "none") }
        return texts
    }

    @Test func `A total includes what its own transaction has written`() throws {
        try withTable { db throws in
            try db.writing { tables throws in
                for number in 1...3 { try Self.note.put(key(number), [.text("\(number)")], in: tables) }
                try Self.note.remove(key(2), in: tables)
                #expect(try tables.total(of: Self.note).rows == 2)
                #expect(try checkedTexts(in: tables) == ["1", "3"])
                #expect(try storedRows(db) == 0)
                return .commit
            }
            #expect(try storedRows(db) == 2)
            try db.inTransaction { () throws in
                #expect(try checkedTexts(in: TableReader(db)) == ["1", "3"])
                return .commit
            }
        }
    }

    @Test func `A transaction that is rolled back leaves the totals as they were`() throws {
        struct Refused: Error {}
        try withTable { db throws in
            try db.writing { tables throws in
                try Self.note.put(key(1), [.text("kept")], in: tables)
                return .commit
            }
            try db.writing { tables throws in
                try Self.note.put(key(2), [.text("dropped")], in: tables)
                return .rollback
            }
            #expect(throws: Refused.self) {
                try db.writing { tables throws in
                    try Self.note.remove(key(1), in: tables)
                    throw Refused()
                }
            }
            try db.writing { tables throws in
                #expect(try checkedTexts(in: tables) == ["kept"])
                try Self.note.put(key(3), [.null], in: tables)
                return .commit
            }
            try db.writing { tables throws in
                #expect(try checkedTexts(in: tables) == ["kept", "none"])
                return .commit
            }
        }
    }

    @Test func `Many writes to the same rows leave the total of the last ones`() throws {
        var random = SeededGenerator(seed: 11)
        try withTable { db throws in
            var model: [Int: String] = [:]
            for _ in 0..<20 {
                let before = model
                let isKept = Bool.random(using: &random)
                try db.writing { tables throws in
                    for step in 0..<100 {
                        let number = Int.random(in: 0..<8, using: &random)
                        switch Int.random(in: 0..<6, using: &random) {
                        case 0:
                            let there = try Self.note.removeAll(
                                where: "number >= ?", [.integer(Int64(number))], in: tables)
                            #expect(there == model.keys.count { $0 >= number })
                            model = model.filter { $0.key < number }
                        case 1, 2:
                            let removed = try Self.note.remove(key(number), in: tables)
                            #expect((removed == nil) == (model[number] == nil))
                            model[number] = nil
                        default:
                            let old = try Self.note.row(key(number), in: tables) { try Self.note.sum(of: $0) }
                            try Self.note.put(key(number), [.text("\(step)")], replacing: old, in: tables)
                            model[number] = "\(step)"
                        }
                    }
                    #expect(try checkedTexts(in: tables) == model.sorted { $0.key < $1.key }.map(\.value))
                    return isKept ? .commit : .rollback
                }
                if !isKept { model = before }
                #expect(try storedRows(db) == model.count)
            }
        }
    }

    @Test func `A row that has changed since it was read ends the transaction`() throws {
        try withTable { db throws in
            try db.writing { tables throws in
                try Self.note.put(key(1), [.text("kept")], in: tables)
                return .commit
            }
            let mistakes: [(TableWriter) throws -> Void] = [
                { try Self.note.put(self.key(2), [.text("")], replacing: 7, in: $0) },
                { try Self.note.put(self.key(1), [.text("")], replacing: nil, in: $0) },
                { try Self.note.remove(self.key(2), sum: 7, in: $0) },
            ]
            for mistake in mistakes {
                #expect(throws: DatabaseError.self) {
                    try db.writing { tables throws in
                        try mistake(tables)
                        return .commit
                    }
                }
            }
            try db.writing { tables throws in
                #expect(try checkedTexts(in: tables) == ["kept"])
                return .commit
            }
        }
    }
}
