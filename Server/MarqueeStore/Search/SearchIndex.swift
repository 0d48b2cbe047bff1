import GRDB
import MarqueeCatalogue
import MarqueeDiff
import MarqueeModel
import MarqueeTypes

/// The texts of the searched records in SQLite's full-text search (FTS5), in whatever database an engine has.
///
/// Four tables, and one with their version. `title_type` gives each type a code and says which of its fields are
/// searched. `title` has a row for each document, with a label that keeps documents of a type together, the highest
/// rank first. `title_trigram` finds texts of three or more characters, in the middle of words too. `title_gram` finds
/// one or two, which are whole words in Korean. Both answer in order of the label, so the best matches of a type come
/// first and the rest is never read.
enum SearchIndex {
    /// Neither full-text table keeps a copy of its texts, so removing a row requires the text it was made from.
    static let tables = """

        CREATE TABLE title_version (version TEXT NOT NULL) STRICT;
        CREATE TABLE title_type (
            alias TEXT PRIMARY KEY, code INTEGER NOT NULL UNIQUE, fields TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE title (
            label INTEGER PRIMARY KEY, type INTEGER NOT NULL, id TEXT NOT NULL, rank REAL, text TEXT NOT NULL,
            UNIQUE (type, id)
        ) STRICT;
        CREATE VIRTUAL TABLE title_trigram USING fts5(
            text, content = '', columnsize = 0, tokenize = 'trigram case_sensitive 1');
        CREATE VIRTUAL TABLE title_gram USING fts5(
            grams, content = '', columnsize = 0, detail = none, tokenize = 'ascii');

        """

    /// Whether a table is one of these, or one that SQLite keeps for them. All are derived from the catalogue.
    static func owns(_ table: String) -> Bool { table == "title" || table.hasPrefix("title_") }

    /// Whether a finding of SQLite's integrity check names one of these tables.
    static func isNamed(in finding: String) -> Bool { finding.contains("title_") }

    /// Whether a database has an index, and one of the current version.
    static func isCurrent(_ db: Database) throws -> Bool {
        guard try db.tableExists("title_version") else { return false }
        return try String.fetchOne(db, sql: "SELECT version FROM title_version") == SearchText.version
    }

    // MARK: - Writing

    /// Makes a document findable by its current texts, and by no others, once the entries are written.
    /// - Parameter type: one of those that `types` returns.
    static func put(
        _ document: SearchDocument, type: SearchedType, in db: Database, _ entries: inout SearchEntries
    ) throws {
        if let known = try row(of: document.id.id, type, db) {
            if known.rank == document.rank, known.text == document.text { return }
            try remove(known, from: db, &entries)
        }
        let label = try SearchLabel(type: type, document).free { label in
            try !db.hasRow("SELECT 1 FROM title WHERE label = ?", [.integer(label)])
        }
        try db.run(
            "INSERT INTO title (label, type, id, rank, text) VALUES (?, ?, ?, ?, ?)",
            [
                .integer(label), .integer(type.code), .text(document.id.id), .real(orNull: document.rank),
                .text(document.text),
            ])
        try add(SearchEntries.Entry(label: label, text: document.text, isRemoval: false), to: &entries, in: db)
    }

    /// Forgets a document, if it is known.
    static func remove(
        _ id: String, type: SearchedType, from db: Database, _ entries: inout SearchEntries
    ) throws {
        if let known = try row(of: id, type, db) { try remove(known, from: db, &entries) }
    }

    /// Forgets all documents of a type.
    static func removeAll(of type: SearchedType, from db: Database, _ entries: inout SearchEntries) throws {
        while true {
            var known: [Known] = []
            try db.rows(
                "SELECT label, rank, text FROM title WHERE type = ? LIMIT ?",
                [.integer(type.code), .integer(rowsAtOnce)]
            ) { known.append(try Known($0)) }
            if known.isEmpty { return }
            for known in known { try remove(known, from: db, &entries) }
        }
    }

    /// Forgets all documents.
    static func removeAll(from db: Database) throws {
        try db.run("DELETE FROM title")
        for table in ["title_trigram", "title_gram"] {
            try db.run("INSERT INTO \(table) (\(table)) VALUES ('delete-all')")
        }
    }

    /// Rows held in memory at once while a type is forgotten.
    private static let rowsAtOnce: Int64 = 256

    private struct Known {
        var label: Int64
        var rank: Double?
        var text: String

        init(_ row: borrowing StoredRow) throws {
            label = try row.integer(0)
            rank = try row.optionalReal(1)
            text = try row.text(2)
        }
    }

    private static func row(of id: String, _ type: SearchedType, _ db: Database) throws -> Known? {
        try db.first(
            "SELECT label, rank, text FROM title WHERE type = ? AND id = ?", [.integer(type.code), .text(id)]
        ) { try Known($0) }
    }

    private static func remove(_ known: Known, from db: Database, _ entries: inout SearchEntries) throws {
        try db.run("DELETE FROM title WHERE label = ?", [.integer(known.label)])
        try add(SearchEntries.Entry(label: known.label, text: known.text, isRemoval: true), to: &entries, in: db)
    }

    // MARK: - Reading

    /// The label of a document that is found by each of its texts; `nil` for one that isn't.
    static func label(of document: SearchDocument, type: SearchedType, in db: Database) throws -> Int64? {
        guard let known = try row(of: document.id.id, type, db), known.rank == document.rank,
            known.text == document.text, SearchLabel.range(of: type).contains(known.label)
        else { return nil }
        for text in document.text.split(separator: Character(SearchText.separator)) {
            let found = Match(SearchPattern(needles: [String(text)])).labels(known.label...known.label)
            if try !db.hasRow(found.sql, found.values) { return nil }
        }
        return known.label
    }

    /// The queries for the two full-text tables; `nil` for a table that isn't needed.
    private struct Match {
        var trigrams: String?
        var grams: String?

        init(_ pattern: SearchPattern) {
            func isShort(_ needle: String) -> Bool { needle.unicodeScalars.count <= SearchText.longestGram }
            let short = pattern.needles.filter(isShort).map { Match.quoted(SearchText.word($0.unicodeScalars)) }
            var long = pattern.needles.filter { !isShort($0) }.map(Match.quoted)
            long += pattern.alternatives.map { "(\($0.map(Match.quoted).joined(separator: " OR ")))" }
            grams = short.isEmpty ? nil : short.joined(separator: " AND ")
            trigrams = long.isEmpty ? nil : long.joined(separator: " AND ")
        }

        /// Quoted, a query is text; nothing in it is syntax.
        private static func quoted(_ text: String) -> String { "\"\(text.replacing("\"", with: "\"\""))\"" }

        /// A statement that finds labels within a range.
        func labels(_ range: ClosedRange<Int64>) -> (sql: String, values: [ColumnValue]) {
            func labels(of table: String, _ query: String) -> (sql: String, values: [ColumnValue]) {
                (
                    "SELECT rowid AS found FROM \(table) WHERE \(table) MATCH ? AND rowid BETWEEN ? AND ?",
                    [.text(query), .integer(range.lowerBound), .integer(range.upperBound)]
                )
            }
            guard let trigrams else { return labels(of: "title_gram", grams ?? "") }
            let long = labels(of: "title_trigram", trigrams)
            guard let grams else { return long }
            let short = labels(of: "title_gram", grams)
            // The plus sign keeps SQLite from querying one table for each label of the other.
            return ("\(long.sql) AND +rowid IN (\(short.sql))", long.values + short.values)
        }
    }

    /// The documents that match a query, see `SearchQuery.found`.
    static func find(
        _ query: String, in types: [String], with filters: [String: [SearchMark]] = [:], _ db: Database
    ) throws -> FoundRecords {
        let known = try self.types(in: db)
        let searched = types.compactMap { known[$0] }
        var scanned = 0
        var found = try SearchQuery(query).found { pattern in
            try searched.map { try candidates(for: pattern.with(filters[$0.alias]), of: $0, db, &scanned) }
        }
        found.work.scanned = scanned
        return found
    }

    /// The documents of a type for a pattern, by rank, the largest first, then by id.
    private static func candidates(
        for pattern: SearchPattern, of type: SearchedType, _ db: Database, _ scanned: inout Int
    ) throws -> [SearchCandidate] {
        let labels = Match(pattern).labels(SearchLabel.range(of: type))
        let isCompared = !pattern.alternatives.isEmpty
        var found: [(candidate: SearchCandidate, rank: Double)] = []
        let sql = """
            SELECT id, rank\(isCompared ? ", text" : "")
            FROM title JOIN (\(labels.sql) ORDER BY rowid LIMIT ?) ON label = found
            """
        try db.rows(sql, labels.values + [.integer(Int64(pattern.limit))]) { row in
            let id = RecordID(type: type.alias, id: try row.text(0))
            let text = isCompared ? try row.text(2) : nil
            found.append((SearchCandidate(id: id, text: text), try row.optionalReal(1) ?? -.infinity))
        }
        // SQLite also goes through the labels it has found.
        scanned += max(0, try db.takeScannedRows(of: sql) - found.count)
        // A label holds a rank only to the precision of a `Float`.
        return found.sorted { a, b in
            a.rank != b.rank
                ? a.rank > b.rank : a.candidate.id.id.utf8.lexicographicallyPrecedes(b.candidate.id.id.utf8)
        }.map(\.candidate)
    }
}

/// A number that orders documents: the type in the upper bits, then the rank, highest first and absent last, then bits
/// of the id. Two documents that would share a label take the next free one.
private struct SearchLabel {
    private static let rankBits = 32
    private static let idBits = 24
    private static let idMask: UInt64 = 1 << UInt64(idBits) - 1

    private let upper: Int64
    private let id: UInt64

    init(type: SearchedType, _ document: SearchDocument) {
        upper = type.code << Int64(Self.rankBits + Self.idBits) | Int64(Self.place(document.rank)) << Int64(Self.idBits)
        id = XXH64.hash(Array(document.id.id.utf8)) & Self.idMask
    }

    /// The labels that documents of a type can have.
    static func range(of type: SearchedType) -> ClosedRange<Int64> {
        let first = type.code << Int64(rankBits + idBits)
        return first...(first | (1 << Int64(rankBits + idBits) - 1))
    }

    private static func place(_ rank: Double?) -> UInt32 {
        guard let rank else { return .max }
        // 0 and -0 are one value.
        let bits = Float(rank == 0 ? 0 : rank).bitPattern
        let ascending = bits >> 31 == 1 ? ~bits : bits | 1 << 31
        return .max - ascending
    }

    /// - Parameter isFree: whether a label is unused.
    func free(_ isFree: (Int64) throws -> Bool) throws -> Int64 {
        for step in 0...Self.idMask {
            let label = upper | Int64((id + step) & Self.idMask)
            if try isFree(label) { return label }
        }
        throw StoreError(.invalid, "more than \(Self.idMask) documents of one rank can't be searched")
    }
}
