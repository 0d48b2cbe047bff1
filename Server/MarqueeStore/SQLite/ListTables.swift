import Foundation
import GRDB
import MarqueeCatalogue
import MarqueeModel

/// Converts between lists and the rows of their tables: one row per entry, so that an edit writes one.
enum ListTables {
    // MARK: - Reading

    static func list(_ name: ListName, from db: Database) throws -> RecordList? {
        guard try StoreTables.list.row(key(name), in: db) != nil else { return nil }
        var entries: [ListEntry] = []
        try StoreTables.listEntry.rows("WHERE list = ? AND edition = ? ORDER BY number", key(name), in: db) {
            entries.append(try entry($0))
        }
        return RecordList(name, entries: entries)
    }

    static func entry(_ key: String, of list: ListName, from db: Database) throws -> ListEntry? {
        try StoreTables.listEntry.row(self.key(list) + [key], in: db).map(entry)
    }

    /// Hands out all lists, and then which editions are shown.
    static func readAll(from db: Database, _ receive: (CatalogueRecord) throws -> Void) throws {
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

    static func shown(_ row: Row) throws -> CatalogueRecord {
        .shownEdition(list: try row.decode(String.self, atIndex: 0), edition: try row.decode(String.self, atIndex: 1))
    }

    static func count(of list: ListName, _ db: Database) throws -> Int? {
        guard try StoreTables.list.row(key(list), in: db) != nil else { return nil }
        return try db.first(
            "SELECT count(*) FROM list_entry WHERE list = ? AND edition = ?", StatementArguments(key(list)))?
            .decode(Int.self, atIndex: 0)
    }

    /// The entry at a rank, from 1, and its number. Reads only the index.
    static func place(of list: ListName, at rank: Int, _ db: Database) throws -> (key: String, number: Int64)? {
        let row = try db.first(
            "SELECT key, number FROM list_entry WHERE list = ? AND edition = ? ORDER BY number LIMIT 1 OFFSET ?",
            StatementArguments(key(list) + [rank - 1]))
        return try row.map { (try $0.decode(String.self, atIndex: 0), try $0.decode(Int64.self, atIndex: 1)) }
    }

    static func editions(of list: String, _ db: Database) throws -> [String?] {
        let statement = try db.cachedStatement(sql: "SELECT edition FROM list WHERE name = ?")
        return try String.fetchAll(statement, arguments: [list]).map { $0.isEmpty ? nil : $0 }
    }

    /// The lists that have editions.
    static func withEditions(_ db: Database) throws -> Set<String> {
        Set(try String.fetchAll(db, sql: "SELECT DISTINCT name FROM list WHERE edition <> ''"))
    }

    static func hasList(declaredAs name: String, _ db: Database) throws -> Bool {
        // '0' follows '/'.
        try db.first(
            "SELECT 1 FROM list WHERE name = ? OR (name >= ? AND name < ?) LIMIT 1", [name, name + "/", name + "0"])
            != nil
    }

    // MARK: - Writing

    static func write(_ list: RecordList, to db: Database) throws {
        try remove(list.name, from: db)
        try StoreTables.list.put(key(list.name), in: db)
        for (rank, entry) in list.entries.enumerated() {
            try write(entry, of: list.name, number: PlaceNumber.whole(rank: rank), to: db)
        }
    }

    static func remove(_ name: ListName, from db: Database) throws {
        try StoreTables.list.remove(key(name), in: db)
        try StoreTables.listEntry.removeAll(where: "list = ? AND edition = ?", key(name), in: db)
    }

    /// Edits a stored list.
    static func apply(_ edit: EntryEdit, to db: Database) throws {
        let known = try StoreTables.listEntry.row(key(edit.list) + [edit.key], in: db)
        guard let entry = edit.entry else {
            try StoreTables.listEntry.remove(key(edit.list) + [edit.key], in: db)
            return
        }
        if let known, edit.rank == nil {
            return try write(entry, of: edit.list, number: try known.decode(Int64.self, atIndex: 3), to: db)
        }
        if known != nil { try StoreTables.listEntry.remove(key(edit.list) + [edit.key], in: db) }
        if let number = try number(for: edit, db) {
            return try write(entry, of: edit.list, number: number, to: db)
        }
        // No room between the neighbours.
        guard var list = try list(edit.list, from: db) else { return }
        list.apply(edit)
        try write(list, to: db)
    }

    /// The number that an edit gives an entry; `nil` if there is no room for it.
    private static func number(for edit: EntryEdit, _ db: Database) throws -> Int64? {
        guard let rank = edit.rank, let next = try place(of: edit.list, at: rank, db) else {
            let last = try db.first(
                "SELECT max(number) FROM list_entry WHERE list = ? AND edition = ?", StatementArguments(key(edit.list)))
            return PlaceNumber.between(try last?.decode(Int64?.self, atIndex: 0), nil)
        }
        let before = try db.first(
            "SELECT max(number) FROM list_entry WHERE list = ? AND edition = ? AND number < ?",
            StatementArguments(key(edit.list) + [next.number]))
        return PlaceNumber.between(try before?.decode(Int64?.self, atIndex: 0), next.number)
    }

    private static func write(_ entry: ListEntry, of list: ListName, number: Int64, to db: Database) throws {
        try StoreTables.listEntry.put(
            key(list) + [entry.key], [number, entry.record?.subject.name, entry.placeBytes?.blob], in: db)
    }

    // MARK: - Rows, with the columns in the order of `StoreTables`

    private static func key(_ name: ListName) -> [SummedTable.Value] { [name.list, name.edition ?? ""] }

    private static func name(_ row: Row) throws -> ListName {
        let edition = try row.decode(String.self, atIndex: 1)
        return ListName(try row.decode(String.self, atIndex: 0), edition: edition.isEmpty ? nil : edition)
    }

    private static func entry(_ row: Row) throws -> ListEntry {
        var entry = ListEntry(key: try row.decode(String.self, atIndex: 2))
        if let subject = try row.decode(String?.self, atIndex: 4) {
            guard let record = Subject(subject).record else { throw MalformedRow() }
            entry.record = record
        }
        entry.place = try row.decode(Data?.self, atIndex: 5).map { .bytes([UInt8]($0)) }
        return entry
    }
}
