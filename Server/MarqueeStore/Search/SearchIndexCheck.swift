import GRDB
import MarqueeDiff

/// Compares the search index with what a rebuild would contain.
///
/// The rebuild happens in memory, some documents at a time, and only a sum over every position of every word is kept,
/// so memory doesn't grow with the number of documents.
struct SearchIndexCheck {
    /// The words of one full-text table, added up in any order.
    private struct Sum: Equatable {
        var places = 0
        var sum: UInt64 = 0

        mutating func add(_ row: Row) throws {
            var bytes: [UInt8] = []
            let term = Array(try row.decode(String.self, atIndex: 0).utf8)
            withUnsafeBytes(of: UInt32(clamping: term.count).littleEndian) { bytes += $0 }
            bytes += term
            for index in 1...2 {
                // A table that doesn't store positions has NULL here.
                let number = try row.decode(Int64?.self, atIndex: index) ?? -1
                withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
            }
            places += 1
            sum &+= XXH64.hash(bytes)
        }
    }

    /// Documents indexed in memory at once.
    private static let documentsAtOnce = 256
    private static let tables = ["title_trigram", "title_gram"]

    private let scratch: DatabaseQueue
    private var waiting = 0
    private var expected: [String: Sum] = [:]

    init() throws {
        scratch = try DatabaseQueue()
        try scratch.write { db in
            try db.execute(sql: SearchIndex.tables)
            try SearchIndexCheck.listWords(of: db)
        }
    }

    /// Adds a document that the index should contain.
    /// - Parameter label: its label in the index.
    mutating func add(_ document: SearchDocument, label: Int64) throws {
        try scratch.write { try SearchIndex.insert(label, document.text, into: $0) }
        waiting += 1
        if waiting == SearchIndexCheck.documentsAtOnce { try addUp() }
    }

    /// - Parameter db: a database with the index, read by a connection that may make temporary tables.
    /// - Throws: `StoreDamage` when the index holds anything but the documents that were added, or doesn't find what it
    ///   holds.
    mutating func compare(with db: Database) throws {
        try addUp()
        try SearchIndexCheck.listWords(of: db)
        for table in SearchIndexCheck.tables {
            guard try SearchIndexCheck.sum(of: table, db) == expected[table, default: Sum()] else {
                throw StoreDamage("the search index, which has different words from the catalogue")
            }
            // Looking up a word takes a different path from reading them all.
            let words = try Row.fetchCursor(db, sql: "SELECT term, doc FROM temp.\(table)_terms")
            while let word = try words.next() {
                let quoted = "\"\(try word.decode(String.self, atIndex: 0).replacing("\"", with: "\"\""))\""
                let found = try db.first("SELECT count(*) FROM \(table) WHERE \(table) MATCH ?", [.text(quoted)]) {
                    try $0.integer(0)
                }
                guard try found == word.decode(Int64.self, atIndex: 1) else {
                    throw StoreDamage("the search index, which doesn't find everything it holds")
                }
            }
        }
    }

    /// Adds what was indexed to the sums, and empties the index.
    private mutating func addUp() throws {
        let sums = try scratch.write { db in
            let sums = try SearchIndexCheck.tables.map { ($0, try SearchIndexCheck.sum(of: $0, db)) }
            for table in SearchIndexCheck.tables {
                try db.execute(sql: "INSERT INTO \(table) (\(table)) VALUES ('delete-all')")
            }
            return sums
        }
        for (table, sum) in sums {
            expected[table, default: Sum()].places += sum.places
            expected[table, default: Sum()].sum &+= sum.sum
        }
        waiting = 0
    }

    private static func listWords(of db: Database) throws {
        for table in tables {
            try db.execute(
                sql: """
                    CREATE VIRTUAL TABLE temp.\(table)_words USING fts5vocab('main', '\(table)', 'instance');
                    CREATE VIRTUAL TABLE temp.\(table)_terms USING fts5vocab('main', '\(table)', 'row');
                    """)
        }
    }

    private static func sum(of table: String, _ db: Database) throws -> Sum {
        var sum = Sum()
        let rows = try Row.fetchCursor(db, sql: "SELECT term, doc, offset FROM temp.\(table)_words")
        while let row = try rows.next() { try sum.add(row) }
        return sum
    }
}
