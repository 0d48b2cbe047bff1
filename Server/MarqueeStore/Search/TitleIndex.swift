import GRDB
import MarqueeModel

/// The titles of all movies in SQLite's full-text search (FTS5), in whatever database an engine has.
///
/// Three tables, and one that says how they were made. `title` has a row for each movie, with a label that puts the
/// most popular movie first. `title_trigram` finds texts of three and more characters, in the middle of words too.
/// `title_gram` finds one or two, which are whole words in Korean. Both answer in order of the label, so the most
/// popular matches come first and the rest is never looked at.
enum TitleIndex {
    /// Both full-text tables keep no copy of their texts, so a row is removed with the text that it was made of.
    static let tables = """

        CREATE TABLE title_version (version TEXT NOT NULL) STRICT;
        CREATE TABLE title (
            label INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE, popularity REAL, text TEXT NOT NULL
        ) STRICT;
        CREATE VIRTUAL TABLE title_trigram USING fts5(
            text, content = '', columnsize = 0, tokenize = 'trigram case_sensitive 1');
        CREATE VIRTUAL TABLE title_gram USING fts5(
            grams, content = '', columnsize = 0, detail = none, tokenize = 'ascii');

        """

    /// Whether a table is one of these, or one that SQLite keeps for them. All of it follows from the movies.
    static func owns(_ table: String) -> Bool { table == "title" || table.hasPrefix("title_") }

    // MARK: - Writing

    /// Whether the titles of a database are those that this version makes.
    static func isCurrent(_ db: Database) throws -> Bool {
        guard try db.tableExists("title_version") else { return false }
        return try String.fetchOne(db, sql: "SELECT version FROM title_version") == TitleText.version
    }

    /// Rebuilds the index.
    /// - Parameter movies: hands out every movie there is.
    static func rebuild(in db: Database, movies: ((Movie) throws -> Void) throws -> Void) throws {
        // A restored file has none of these tables.
        if try !db.tableExists("title_version") { try db.execute(sql: tables) }
        try db.execute(
            sql: """
                DELETE FROM title; DELETE FROM title_version;
                INSERT INTO title_trigram (title_trigram) VALUES ('delete-all');
                INSERT INTO title_gram (title_gram) VALUES ('delete-all');
                """)
        try movies { try put($0, id: $0.id, in: db) }
        try db.run("INSERT INTO title_version (version) VALUES (?)", [TitleText.version])
    }

    /// Whether a movie is found by each of its titles.
    static func knows(_ movie: Movie, in db: Database) throws -> Bool {
        let text = TitleText.of(movie)
        guard let row = try db.first("SELECT label, popularity, text FROM title WHERE id = ?", [Int64(movie.id)]),
            try row.decode(Double?.self, atIndex: 1) == movie.popularity,
            try row.decode(String.self, atIndex: 2) == text
        else { return false }
        let label = try row.decode(Int64.self, atIndex: 0)
        for title in text.split(separator: Character(TitleText.separator)) {
            guard let query = match(for: String(title)) else { continue }
            let found = try db.first(
                "SELECT 1 FROM \(query.table) WHERE \(query.table) MATCH ? AND rowid = ?", [query.text, label])
            if found == nil { return false }
        }
        return true
    }

    /// Indexes a movie under its current titles.
    ///
    /// - Parameter movie: `nil` when it is gone.
    static func put(_ movie: Movie?, id: UInt64, in db: Database) throws {
        let known = try db.first("SELECT label, popularity, text FROM title WHERE id = ?", [Int64(id)])
        let text = movie.map(TitleText.of)
        if let known {
            let (label, oldText) = (try known.decode(Int64.self, atIndex: 0), try known.decode(String.self, atIndex: 2))
            if let movie, oldText == text, try known.decode(Double?.self, atIndex: 1) == movie.popularity { return }
            try remove(label, oldText, from: db)
        }
        guard let movie, let text else { return }
        let label = try freeLabel(for: movie, in: db)
        try db.run(
            "INSERT INTO title (label, id, popularity, text) VALUES (?, ?, ?, ?)",
            [label, Int64(id), movie.popularity, text])
        try db.run("INSERT INTO title_trigram (rowid, text) VALUES (?, ?)", [label, text])
        try db.run("INSERT INTO title_gram (rowid, grams) VALUES (?, ?)", [label, TitleText.grams(of: text)])
    }

    private static func remove(_ label: Int64, _ text: String, from db: Database) throws {
        try db.run("DELETE FROM title WHERE label = ?", [label])
        try db.run(
            "INSERT INTO title_trigram (title_trigram, rowid, text) VALUES ('delete', ?, ?)", [label, text])
        try db.run(
            "INSERT INTO title_gram (title_gram, rowid, grams) VALUES ('delete', ?, ?)",
            [label, TitleText.grams(of: text)])
    }

    /// Popularity in the upper half, highest first and absent last, then the id. Two movies would share a label only if
    /// their ids differed by a multiple of 2³² and their popularities were as good as equal; then the next free one is
    /// taken.
    private static func freeLabel(for movie: Movie, in db: Database) throws -> Int64 {
        var place = infinity + 1
        if let popularity = movie.popularity, !popularity.isNaN {
            place = infinity - min(infinity, Float(max(0, popularity)).bitPattern)
        }
        var label = Int64(place) << 32 | Int64(movie.id & 0xFFFF_FFFF)
        while try db.first("SELECT 1 FROM title WHERE label = ?", [label]) != nil { label += 1 }
        return label
    }

    /// The bits of a `Float` that is infinite. Those of other positive numbers are below it, and rise with the number.
    private static let infinity = Float.infinity.bitPattern

    // MARK: - Reading

    /// Where a text is looked for, and by which words.
    private static func match(for needle: String) -> (table: String, text: String)? {
        guard !needle.isEmpty else { return nil }
        let isShort = needle.unicodeScalars.count <= TitleText.longestGram
        // Quoted, a query is text; nothing in it is syntax.
        let text = isShort ? TitleText.word(needle.unicodeScalars) : needle
        let quoted = "\"\(text.replacing("\"", with: "\"\""))\""
        return (isShort ? "title_gram" : "title_trigram", quoted)
    }

    /// Ids of the movies of which a title contains the query: at most `TitleMatches.limit`, most popular first, then by
    /// id. Says whether there are more.
    static func find(_ query: String, in db: Database) throws -> (ids: [UInt64], isCapped: Bool) {
        guard let needle = TitleText.needle(query), let (table, quoted) = match(for: needle) else { return ([], false) }
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT id, popularity FROM title JOIN (
                        SELECT rowid AS found FROM \(table) WHERE \(table) MATCH ? ORDER BY rowid LIMIT ?
                    ) ON label = found
                    """), arguments: [quoted, TitleMatches.limit + 1])
        var found: [(id: UInt64, popularity: Double)] = []
        while let row = try rows.next() {
            found.append((try row.unsigned(0), try row.decode(Double?.self, atIndex: 1) ?? -.infinity))
        }
        let isCapped = found.count > TitleMatches.limit
        // A label knows a popularity only as well as a `Float`.
        let sorted = found.prefix(TitleMatches.limit).sorted { ($1.popularity, $0.id) < ($0.popularity, $1.id) }
        return (sorted.map(\.id), isCapped)
    }
}
