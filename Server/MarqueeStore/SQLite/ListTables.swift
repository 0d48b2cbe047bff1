import Foundation
import GRDB
import MarqueeCatalogue
import MarqueeModel

/// Converts between lists and the rows of their tables: one row per entry, so that an edit writes one.
enum ListTables {
    // MARK: - Reading

    static func list(_ name: ListName, from db: TableReader) throws -> RecordList? {
        guard try StoreTables.list.hasRow(key(name), in: db) else { return nil }
        var entries: [ListEntry] = []
        try StoreTables.listEntry.rows("WHERE list = ? AND edition = ? ORDER BY number", key(name), in: db) {
            entries.append(try entry($0))
        }
        return RecordList(name, entries: entries)
    }

    static func entry(_ key: String, of list: ListName, from db: TableReader) throws -> ListEntry? {
        try StoreTables.listEntry.row(self.key(list) + [.text(key)], in: db, entry)
    }

    /// Passes all lists to `receive`, and then the editions that are shown.
    static func readAll(from db: TableReader, _ receive: (CatalogueRecord) throws -> Void) throws {
        var entries: [ListName: [ListEntry]] = [:]
        try StoreTables.listEntry.allRows(order: "list, edition, number", in: db) { row in
            entries[try name(row), default: []].append(try entry(row))
        }
        try StoreTables.list.allRows(order: "name, edition", in: db) { row in
            let name = try name(row)
            try receive(.list(RecordList(name, entries: entries[name] ?? [])))
        }
        try StoreTables.listShown.allRows(order: "list", in: db) { try receive(shown($0)) }
    }

    static func shown(_ row: borrowing StoredRow) throws -> CatalogueRecord {
        .shownEdition(list: try row.text(0), edition: try row.text(1))
    }

    static func count(of list: ListName, _ db: TableReader) throws -> Int? {
        guard try StoreTables.list.hasRow(key(list), in: db) else { return nil }
        return try db.first("SELECT count(*) FROM list_entry WHERE list = ? AND edition = ?", key(list)) {
            try $0.int(0)
        }
    }

    /// The key of the entry at a rank, from 1, and the entry's number.
    static func place(of list: ListName, at rank: Int, _ db: TableReader) throws -> (key: String, number: Int64)? {
        try db.first(
            "SELECT key, number FROM list_entry WHERE list = ? AND edition = ? ORDER BY number LIMIT 1 OFFSET ?",
            key(list) + [.integer(Int64(rank - 1))]
        ) { (try $0.text(0), try $0.integer(1)) }
    }

    static func editions(of list: String, _ db: TableReader) throws -> [String?] {
        var editions: [String?] = []
        try db.rows("SELECT edition FROM list WHERE name = ?", [.text(list)]) { row in
            let edition = try row.text(0)
            editions.append(edition.isEmpty ? nil : edition)
        }
        return editions
    }

    /// The lists that have editions.
    static func withEditions(_ db: TableReader) throws -> Set<String> {
        var names: Set<String> = []
        try db.rows("SELECT DISTINCT name FROM list WHERE edition <> ''") { names.insert(try $0.text(0)) }
        return names
    }

    static func hasList(declaredAs name: String, _ db: TableReader) throws -> Bool {
        // '0' follows '/'.
        try db.hasRow(
            "SELECT 1 FROM list WHERE name = ? OR (name >= ? AND name < ?) LIMIT 1",
            [.text(name), .text(name + "/"), .text(name + "0")])
    }

    // MARK: - Writing

    static func write(_ list: RecordList, to db: TableWriter) throws {
        try remove(list.name, from: db)
        try StoreTables.list.put(key(list.name), replacing: nil, in: db)
        for (rank, entry) in list.entries.enumerated() {
            try write(entry, of: list.name, number: PlaceNumber.whole(rank: rank), replacing: nil, to: db)
        }
    }

    static func remove(_ name: ListName, from db: TableWriter) throws {
        try StoreTables.list.remove(key(name), in: db)
        try StoreTables.listEntry.removeAll(where: "list = ? AND edition = ?", key(name), in: db)
    }

    /// The most edits of one list that are applied one by one: each looks up its place among all entries.
    private static let editsOneByOne = 16

    /// Applies edits to stored lists; those of each list are in order.
    static func apply(_ edits: [EntryEdit], to db: TableWriter) throws {
        var lists: [ListName: [EntryEdit]] = [:]
        for edit in edits { lists[edit.list, default: []].append(edit) }
        for (list, edits) in lists {
            if edits.count > editsOneByOne {
                try apply(edits, of: list, to: db)
            } else {
                for edit in edits { try apply(edit, to: db) }
            }
        }
    }

    /// Applies edits to a stored list in one pass over its places.
    private static func apply(_ edits: [EntryEdit], of list: ListName, to db: TableWriter) throws {
        var places = ListPlaces()
        try db.rows("SELECT key, number FROM list_entry WHERE list = ? AND edition = ? ORDER BY number", key(list)) {
            places.append(try $0.text(0), number: try $0.integer(1))
        }
        guard let entries = places.apply(edits) else {
            guard let whole = try self.list(list, from: db) else { return }
            return try write(whole.applying(edits), to: db)
        }
        for (key, entry) in entries {
            let entryKey = self.key(list) + [.text(key)]
            let sum = try StoreTables.listEntry.row(entryKey, in: db) { try StoreTables.listEntry.sum(of: $0) }
            if let entry, let number = places[key] {
                try write(entry, of: list, number: number, replacing: sum, to: db)
            } else if let sum {
                try StoreTables.listEntry.remove(entryKey, sum: sum, in: db)
            }
        }
    }

    /// Applies an edit to a stored list.
    static func apply(_ edit: EntryEdit, to db: TableWriter) throws {
        let entryKey = key(edit.list) + [.text(edit.key)]
        let known = try StoreTables.listEntry.row(entryKey, in: db) { row in
            (number: try row.integer(3), sum: try StoreTables.listEntry.sum(of: row))
        }
        if let known, edit.rank == nil, let entry = edit.entry {
            return try write(entry, of: edit.list, number: known.number, replacing: known.sum, to: db)
        }
        if let known { try StoreTables.listEntry.remove(entryKey, sum: known.sum, in: db) }
        guard let entry = edit.entry else { return }
        if let number = try number(for: edit, db) {
            return try write(entry, of: edit.list, number: number, replacing: nil, to: db)
        }
        // No room between the neighbours.
        guard let list = try list(edit.list, from: db) else { return }
        try write(list.applying([edit]), to: db)
    }

    /// The number that an edit gives an entry; `nil` if there is no room for it.
    private static func number(for edit: EntryEdit, _ db: TableReader) throws -> Int64? {
        guard let rank = edit.rank, let next = try place(of: edit.list, at: rank, db) else {
            let last = try db.first(
                "SELECT max(number) FROM list_entry WHERE list = ? AND edition = ?", key(edit.list)
            ) { try $0.optionalInteger(0) }
            return PlaceNumber.between(last ?? nil, nil)
        }
        let before = try db.first(
            "SELECT max(number) FROM list_entry WHERE list = ? AND edition = ? AND number < ?",
            key(edit.list) + [.integer(next.number)]
        ) { try $0.optionalInteger(0) }
        return PlaceNumber.between(before ?? nil, next.number)
    }

    private static func write(
        _ entry: ListEntry, of list: ListName, number: Int64, replacing old: Int64?, to db: TableWriter
    ) throws {
        try StoreTables.listEntry.put(
            key(list) + [.text(entry.key)],
            [.integer(number), .text(orNull: entry.record?.subject.name), .blob(orNull: entry.placeBytes)],
            replacing: old, in: db)
    }

    // MARK: - Rows, with the columns in the order of `StoreTables`

    private static func key(_ name: ListName) -> [ColumnValue] { [.text(name.list), .text(name.edition ?? "")] }

    private static func name(_ row: borrowing StoredRow) throws -> ListName {
        let edition = try row.text(1)
        return ListName(try row.text(0), edition: edition.isEmpty ? nil : edition)
    }

    private static func entry(_ row: borrowing StoredRow) throws -> ListEntry {
        var entry = ListEntry(key: try row.text(2))
        if let subject = try row.optionalText(4) {
            guard let record = Subject(subject).record else { throw MalformedRow() }
            entry.record = record
        }
        entry.place = try row.optionalBlob(5).map { .bytes($0) }
        return entry
    }
}
