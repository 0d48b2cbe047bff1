import GRDB

/// Shows whether a copy of a table is complete: its number of rows, and a hash over the statements that create it and
/// all values in order. It detects rot, not forgery.
struct TableDigest: Hashable {
    private(set) var rows = 0
    private var fingerprint = Fingerprint()

    init(_ table: BackupTable) {
        fingerprint.add(table.statements.utf8)
        for column in table.columns { fingerprint.add(column.utf8) }
    }

    /// The hash as an integer that SQLite can store.
    var hash: Int64 { Int64(bitPattern: fingerprint.value) }

    mutating func add(_ row: [ColumnValue]) {
        rows += 1
        for value in row {
            switch value {
            case .null: fingerprint.add(UInt8(ascii: "N"))
            case .integer(let number):
                fingerprint.add(UInt8(ascii: "I"))
                fingerprint.add(UInt64(bitPattern: number))
            case .real(let number):
                fingerprint.add(UInt8(ascii: "R"))
                fingerprint.add(number.bitPattern)
            case .text(let text):
                fingerprint.add(UInt8(ascii: "T"))
                fingerprint.add(text.utf8)
            case .blob(let bytes):
                fingerprint.add(UInt8(ascii: "B"))
                fingerprint.add(bytes)
            }
        }
    }
}

/// Copies the rows of a table into another one on the same connection, with columns of the same names. A row that
/// doesn't match its sum ends the copy.
struct TableCopy {
    /// A table, with the file to name in messages.
    struct Place {
        /// The qualified name: `main.record`.
        var table: String
        var file: String
    }

    let table: BackupTable
    let source: Place
    let target: Place

    /// - Parameter eachRow: called after each row; an error ends the copy.
    /// - Returns: the digest of the rows, in the order in which the source returns them.
    func run(_ db: Database, eachRow: () throws(StoreError) -> Void) throws(StoreError) -> TableDigest {
        let names = table.columns.joined(separator: ", ")
        let places = table.columns.map { _ in "?" }.joined(separator: ", ")
        let insert = "INSERT INTO \(target.table) (\(names)) VALUES (\(places))"
        var digest = TableDigest(table)
        // Columns in their stored order: the sum comes last.
        let summed = table.log.summedTables.first { $0.name == table.name && $0.columns + ["sum"] == table.columns }
        try StoreError.translating(source.file) {
            try db.rows("SELECT \(names) FROM \(source.table)") { row in
                let values = try row.values
                digest.add(values)
                try summed?.check(row)
                try write(values, insert, db)
                try eachRow()
            }
        }
        return digest
    }

    private func write(_ row: [ColumnValue], _ insert: String, _ db: Database) throws(StoreError) {
        try StoreError.translating(target.file) {
            do {
                try db.run(insert, row)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                throw StoreError(
                    .corrupt, "\(source.file) holds a row of \(source.table) that no store accepts",
                    cause: error.message)
            }
        }
    }
}
