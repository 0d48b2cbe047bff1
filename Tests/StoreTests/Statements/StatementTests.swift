import GRDB
import Testing

@testable import MarqueeStore

/// Statements on GRDB's connections, through SQLite's own calls.
@Suite struct StatementTests {
    private func withDatabase(_ body: (Database) throws -> Void) throws {
        try DatabaseQueue().write(body)
    }

    @Test(arguments: [
        ColumnValue.null, .integer(.min), .integer(.max), .integer(0), .real(0.1), .real(-.infinity),
        .text(""), .text("a"), .text("기생충 🎬"), .text("a\u{0}b"), .text(String(repeating: "é", count: 5_000)),
        .blob([]), .blob([0]), .blob([UInt8](repeating: 0xFF, count: 70_000)),
    ])
    func `A value comes back as it was bound`(_ value: ColumnValue) throws {
        try withDatabase { db throws in
            try db.execute(sql: "CREATE TABLE t (number INTEGER PRIMARY KEY, value ANY) STRICT")
            try db.run("INSERT INTO t VALUES (?, ?)", [.integer(1), value])
            let back = try db.first("SELECT value, typeof(value) FROM t WHERE value IS ?", [value]) { row throws in
                var bytes = RowBytes()
                row.append(columns: 1, to: &bytes)
                #expect(bytes.bytes == RowBytes([value]).bytes)
                return try row.value(0)
            }
            #expect(back == value)
        }
    }

    @Test func `A value isn't read as a different type`() throws {
        try withDatabase { db throws in
            let row: [ColumnValue] = [.text("7"), .integer(7), .real(7), .blob([7]), .null]
            try db.rows("SELECT ?, ?, ?, ?, ?", row) { row throws in
                #expect(try row.text(0) == "7")
                #expect(try row.int(1) == 7)
                #expect(try row.real(2) == 7)
                #expect(try row.blob(3) == [7])
                #expect(try row.optionalText(4) == nil)
                for column in [0, 2, 3, 4, 5] { #expect(throws: WrongType.self) { try row.integer(column) } }
                for column in [1, 2, 3, 4, 5] { #expect(throws: WrongType.self) { try row.text(column) } }
                for column in [0, 1, 3] { #expect(throws: WrongType.self) { try row.optionalReal(column) } }
                for column in [0, 1, 2] { #expect(throws: WrongType.self) { try row.optionalBlob(column) } }
            }
            try db.rows("SELECT -1") { row throws in
                #expect(throws: MalformedRow.self) { try row.unsigned(0) as UInt64 }
            }
        }
    }

    @Test func `A statement takes exactly its parameters`() throws {
        try withDatabase { db throws in
            for parameters in [[], [ColumnValue.null], [.null, .null, .null]] {
                let error = #expect(throws: DatabaseError.self) { try db.hasRow("SELECT ?, ?", parameters) }
                #expect(error?.resultCode == .SQLITE_MISUSE)
            }
            #expect(try db.hasRow("SELECT ?, ?", [.null, .null]))
        }
    }

    @Test func `A statement can be used again after a failure, and within itself`() throws {
        try withDatabase { db throws in
            try db.execute(sql: "CREATE TABLE t (number INTEGER PRIMARY KEY) STRICT")
            let insert = "INSERT INTO t VALUES (?)"
            try db.run(insert, [.integer(1)])
            let error = #expect(throws: DatabaseError.self) { try db.run(insert, [.integer(1)]) }
            #expect(error?.resultCode == .SQLITE_CONSTRAINT)
            #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY)
            try db.run(insert, [.integer(2)])
            var pairs: [[Int]] = []
            let select = "SELECT number FROM t ORDER BY number"
            try db.rows(select) { outer throws in
                let number = try outer.int(0)
                try db.rows(select) { pairs.append([number, try $0.int(0)]) }
            }
            #expect(pairs == [[1, 1], [1, 2], [2, 1], [2, 2]])
            // A statement that was left before its end.
            #expect(try db.first(select) { try $0.int(0) } == 1)
            struct Enough: Error {}
            #expect(throws: Enough.self) { try db.rows(select) { _ in throw Enough() } }
            #expect(try db.first(select) { try $0.int(0) } == 1)
        }
    }

    @Test func `Nothing is written outside a transaction`() throws {
        try DatabaseQueue().writeWithoutTransaction { db throws in
            try db.execute(sql: "CREATE TABLE t (number INTEGER PRIMARY KEY) STRICT")
            let error = #expect(throws: DatabaseError.self) { try db.run("INSERT INTO t VALUES (1)") }
            #expect(error?.resultCode == .SQLITE_ABORT)
            #expect(try !db.hasRow("SELECT 1 FROM t"))
        }
    }
}
