import Foundation
import GRDB
import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

/// Converts between the catalogue's records and the rows of its tables.
enum RecordTables {
    /// Reads the record under a name, or `nil`.
    static func read(_ name: RecordName, from db: Database) throws -> CatalogueRecord? {
        switch name {
        case .choice(let pool): try StoreTables.poolChoice.row([pool], in: db).map(choice)
        case .page(let id): try StoreTables.page.row([id], in: db).map(page)
        case .programme: try StoreTables.programme.row([1], in: db).map(programme)
        case .types: try StoreTables.types.row([1], in: db).map(types)
        case .typed(let id): try StoreTables.record.row([id.type, id.id], in: db).map(typed)
        case .list(let name): try ListTables.list(name, from: db).map { .list($0) }
        case .listEntry(let list, let key): try ListTables.entry(key, of: list, from: db).map { .listEntry(list, $0) }
        case .shownEdition(let list): try StoreTables.listShown.row([list], in: db).map(ListTables.shown)
        }
    }

    /// Hands out every record: those that others refer to come first; within a kind, by name.
    /// - Throws: `StoreDamage` at the end of a table whose rows are not the ones written.
    static func readAll(from db: Database, _ receive: (CatalogueRecord) throws -> Void) throws {
        func all(_ table: SummedTable, order: String, _ record: (Row) throws -> CatalogueRecord) throws {
            try table.allRows(order: order, in: db) { try receive(try record($0)) }
        }
        try all(StoreTables.types, order: "id", types)
        try all(StoreTables.record, order: "type, id", typed)
        try ListTables.readAll(from: db, receive)
        try all(StoreTables.poolChoice, order: "pool", choice)
        try all(StoreTables.page, order: "id", page)
        try all(StoreTables.programme, order: "id", programme)
    }

    /// Hands out the records of a type by id.
    static func readAll(
        ofType alias: String, from db: Database, _ receive: (RecordID, [UInt8]) throws -> Void
    ) throws {
        try StoreTables.record.rows("WHERE type = ? ORDER BY id", [alias], in: db) { row in
            if case .typed(let id, let bytes) = try typed(row) { try receive(id, bytes) }
        }
    }

    /// The types in force; `nil` if there are none, or none that can be read.
    static func typesInForce(from db: Database, _ library: TypeLibrary) throws -> TypeSet? {
        guard case .types(let document)? = try read(.types, from: db) else { return nil }
        return try? library.types(of: document)
    }

    /// Stores a record under its name; `nil` removes it.
    static func write(_ record: CatalogueRecord?, under name: RecordName, to db: Database) throws {
        switch record {
        case .chosenEntry(let pool, let entry): try StoreTables.poolChoice.put([pool], [entry, nil], in: db)
        case .chosenRecord(let pool, let record):
            try StoreTables.poolChoice.put([pool], [nil, record.subject.name], in: db)
        case .page(let page): try StoreTables.page.put([page.id], [try JSONColumn.encode(page.sections)], in: db)
        case .programme(let text): try StoreTables.programme.put([1], [text], in: db)
        case .types(let types):
            try StoreTables.types.put([1], [types.declarations, types.descriptors.bytes.blob], in: db)
        case .typed(let id, let bytes): try StoreTables.record.put([id.type, id.id], [bytes.blob], in: db)
        case .list(let list): try ListTables.write(list, to: db)
        case .listEntry(let list, let entry): try ListTables.apply(EntryEdit(list, putting: entry), to: db)
        case .shownEdition(let list, let edition): try StoreTables.listShown.put([list], [edition], in: db)
        case nil: try remove(name, from: db)
        }
    }

    private static func remove(_ name: RecordName, from db: Database) throws {
        switch name {
        case .choice(let pool): try StoreTables.poolChoice.remove([pool], in: db)
        case .page(let id): try StoreTables.page.remove([id], in: db)
        case .programme: try StoreTables.programme.remove([1], in: db)
        case .types: try StoreTables.types.remove([1], in: db)
        case .typed(let id): try StoreTables.record.remove([id.type, id.id], in: db)
        case .list(let name): try ListTables.remove(name, from: db)
        case .listEntry(let list, let key): try ListTables.apply(EntryEdit(list, removing: key), to: db)
        case .shownEdition(let list): try StoreTables.listShown.remove([list], in: db)
        }
    }

    // MARK: - Rows, with the columns in the order of `StoreTables`

    private static func page(_ row: Row) throws -> CatalogueRecord {
        .page(
            Page(
                id: try row.decode(String.self, atIndex: 0),
                sections: try JSONColumn.value(try row.decode(String.self, atIndex: 1))))
    }

    private static func choice(_ row: Row) throws -> CatalogueRecord {
        let pool = try row.decode(String.self, atIndex: 0)
        if let entry = try row.decode(String?.self, atIndex: 1) { return .chosenEntry(pool: pool, entry: entry) }
        guard let record = Subject(try row.decode(String.self, atIndex: 2)).record else { throw MalformedRow() }
        return .chosenRecord(pool: pool, record: record)
    }

    private static func programme(_ row: Row) throws -> CatalogueRecord {
        .programme(try row.decode(String.self, atIndex: 1))
    }

    private static func types(_ row: Row) throws -> CatalogueRecord {
        .types(
            TypesDocument(
                declarations: try row.decode(String.self, atIndex: 1),
                descriptors: [UInt8](try row.decode(Data.self, atIndex: 2))))
    }

    private static func typed(_ row: Row) throws -> CatalogueRecord {
        .typed(
            RecordID(type: try row.decode(String.self, atIndex: 0), id: try row.decode(String.self, atIndex: 1)),
            [UInt8](try row.decode(Data.self, atIndex: 2)))
    }
}
