import GRDB

/// Changes to the full-text tables that wait to be written in the order of their labels.
///
/// SQLite gathers in memory what is written to such a table, and stores it as a segment as soon as a label is smaller
/// than the one before. Documents ordered in any other way would each become a segment, and merging those takes seven
/// times as long as writing the documents.
struct SearchEntries {
    /// The most entries that wait.
    static let maximumCount = 8_192
    /// The bytes of text at which all waiting entries are written.
    static let maximumBytes = 4 << 20

    struct Entry: Hashable {
        var label: Int64
        var text: String
        /// Whether the entry removes the text from the index.
        var isRemoval: Bool
    }

    /// In the order in which they were added.
    private var waiting: [Entry] = []
    private var bytes = 0

    var isFull: Bool { waiting.count >= Self.maximumCount || bytes >= Self.maximumBytes }

    mutating func add(_ entry: Entry) {
        waiting.append(entry)
        bytes += entry.text.utf8.count
    }

    /// Removes and returns all entries by label; those of one label stay in their order, because a label that one
    /// document has given up may belong to another one by now.
    mutating func take() -> [Entry] {
        defer { (waiting, bytes) = ([], 0) }
        return waiting.enumerated().sorted { a, b in
            a.element.label != b.element.label ? a.element.label < b.element.label : a.offset < b.offset
        }.map(\.element)
    }
}

extension SearchIndex {
    /// Adds an entry, and writes all waiting entries once there are as many as may wait.
    static func add(_ entry: SearchEntries.Entry, to entries: inout SearchEntries, in db: Database) throws {
        entries.add(entry)
        if entries.isFull { try write(&entries, to: db) }
    }

    /// Writes entries: makes texts findable, or no longer findable.
    static func write(_ entries: inout SearchEntries, to db: Database) throws {
        for entry in entries.take() {
            if entry.isRemoval {
                try remove(entry.label, entry.text, from: db)
            } else {
                try insert(entry.label, entry.text, into: db)
            }
        }
    }

    /// Makes a text findable.
    static func insert(_ label: Int64, _ text: String, into db: Database) throws {
        try db.run("INSERT INTO title_trigram (rowid, text) VALUES (?, ?)", [.integer(label), .text(text)])
        try db.run(
            "INSERT INTO title_gram (rowid, grams) VALUES (?, ?)", [.integer(label), .text(SearchText.grams(of: text))])
    }

    private static func remove(_ label: Int64, _ text: String, from db: Database) throws {
        try db.run(
            "INSERT INTO title_trigram (title_trigram, rowid, text) VALUES ('delete', ?, ?)",
            [.integer(label), .text(text)])
        try db.run(
            "INSERT INTO title_gram (title_gram, rowid, grams) VALUES ('delete', ?, ?)",
            [.integer(label), .text(SearchText.grams(of: text))])
    }
}
