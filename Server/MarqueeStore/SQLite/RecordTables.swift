import Foundation
import GRDB
import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

/// Converts between the catalogue's records and the rows of its tables.
enum RecordTables {
    /// Reads the record under a name, or `nil`.
    static func read(_ name: RecordName, from db: TableReader) throws -> CatalogueRecord? {
        switch name {
        case .choice(let pool): try StoreTables.poolChoice.row([.text(pool)], in: db, choice)
        case .page(let id): try StoreTables.page.row([.text(id)], in: db, page)
        case .programme: try StoreTables.programme.row([.integer(1)], in: db, programme)
        case .types: try StoreTables.types.row([.integer(1)], in: db, types)
        case .typed(let id): try StoreTables.record.row(key(id), in: db, typed)
        case .list(let name): try ListTables.list(name, from: db).map { .list($0) }
        case .listEntry(let list, let key): try ListTables.entry(key, of: list, from: db).map { .listEntry(list, $0) }
        case .shownEdition(let list): try StoreTables.listShown.row([.text(list)], in: db, ListTables.shown)
        case .time: try StoreTables.meta.row([.text(StoreSchema.Meta.time)], in: db, time)
        case .source(let name):
            try StoreTables.meta.row([.text(StoredSource.row(of: name))], in: db, source)
        }
    }

    /// Reads the record with an id, and the sum of its row; `nil` if there is none.
    static func read(_ id: RecordID, from db: TableReader) throws -> (record: CatalogueRecord, sum: Int64)? {
        try StoreTables.record.row(key(id), in: db) { (try typed($0), try StoreTables.record.sum(of: $0)) }
    }

    /// Passes every record to `receive`: those that others refer to come first; within a kind, by name.
    /// - Throws: `StoreDamage` at the end of a table whose rows are not the ones written.
    static func readAll(from db: TableReader, _ receive: (CatalogueRecord) throws -> Void) throws {
        func all(_ table: SummedTable, order: String, _ record: (borrowing StoredRow) throws -> CatalogueRecord) throws
        {
            try table.allRows(order: order, in: db) { try receive(try record($0)) }
        }
        try all(StoreTables.types, order: "id", types)
        try all(StoreTables.record, order: "type, id", typed)
        try ListTables.readAll(from: db, receive)
        try all(StoreTables.poolChoice, order: "pool", choice)
        try all(StoreTables.page, order: "id", page)
        try all(StoreTables.programme, order: "id", programme)
        if let time = try read(.time, from: db) { try receive(time) }
        try readSources(from: db) { try receive(.source($0)) }
    }

    /// Passes the positions of sources to `receive`, by name.
    static func readSources(from db: TableReader, _ receive: (SourcePosition) throws -> Void) throws {
        try StoreTables.meta.rows(
            "WHERE name >= ? AND name < ? ORDER BY name", [.text(StoredSource.prefix), .text(StoredSource.end)], in: db
        ) { row in
            if case .source(let position) = try source(row) { try receive(position) }
        }
    }

    /// Passes the records of a type to `receive`, by id.
    static func readAll(
        ofType alias: String, from db: TableReader, _ receive: (RecordID, [UInt8]) throws -> Void
    ) throws {
        try StoreTables.record.rows("WHERE type = ? ORDER BY id", [.text(alias)], in: db) { row in
            if case .typed(let id, let bytes) = try typed(row) { try receive(id, bytes) }
        }
    }

    /// Passes records of a type to `receive`, by id.
    /// - Parameter after: only those whose ids follow this one.
    static func read(
        ofType alias: String, after id: String?, limit: Int, from db: TableReader,
        _ receive: (RecordID, [UInt8]) throws -> Void
    ) throws {
        try StoreTables.record.rows(
            "WHERE type = ? AND id > ? ORDER BY id LIMIT ?", [.text(alias), .text(id ?? ""), .integer(Int64(limit))],
            in: db
        ) { row in
            if case .typed(let id, let bytes) = try typed(row) { try receive(id, bytes) }
        }
    }

    /// The types in force; `nil` if there are none, or none that can be read.
    static func typesInForce(from db: TableReader, _ library: TypeLibrary) throws -> TypeSet? {
        guard case .types(let document)? = try read(.types, from: db) else { return nil }
        return try? library.types(of: document)
    }

    /// Stores a record under its name; `nil` removes it.
    static func write(_ record: CatalogueRecord?, under name: RecordName, to db: TableWriter) throws {
        switch record {
        case .chosenEntry(let pool, let entry):
            try StoreTables.poolChoice.put([.text(pool)], [.text(entry), .null], in: db)
        case .chosenRecord(let pool, let record):
            try StoreTables.poolChoice.put([.text(pool)], [.null, .text(record.subject.name)], in: db)
        case .page(let page):
            try StoreTables.page.put([.text(page.id)], [.text(PageColumn.encode(page.sections))], in: db)
        case .programme(let text): try StoreTables.programme.put([.integer(1)], [.text(text)], in: db)
        case .types(let types):
            try StoreTables.types.put(
                [.integer(1)], [.text(types.declarations), .blob(types.descriptors)], in: db)
        case .typed(let id, let bytes): try StoreTables.record.put(key(id), [.blob(bytes)], in: db)
        case .list(let list): try ListTables.write(list, to: db)
        case .listEntry(let list, let entry): try ListTables.apply(EntryEdit(list, putting: entry), to: db)
        case .shownEdition(let list, let edition):
            try StoreTables.listShown.put([.text(list)], [.text(edition)], in: db)
        case .time(let moment): try StoreTables.meta.put([.text(StoreSchema.Meta.time)], [.text(moment.text)], in: db)
        case .source(let position):
            try StoreTables.meta.put(
                [.text(StoredSource.row(of: position.source))], [.text(StoredSource.value(of: position))], in: db)
        case nil: try remove(name, from: db)
        }
    }

    /// Stores the record with an id, or removes it.
    /// - Parameter old: the sum of its row as it was read; `nil` if there was none.
    static func write(_ record: CatalogueRecord?, with id: RecordID, replacing old: Int64?, to db: TableWriter) throws {
        if case .typed(_, let bytes)? = record {
            try StoreTables.record.put(key(id), [.blob(bytes)], replacing: old, in: db)
        } else if let old {
            try StoreTables.record.remove(key(id), sum: old, in: db)
        }
    }

    private static func remove(_ name: RecordName, from db: TableWriter) throws {
        switch name {
        case .choice(let pool): try StoreTables.poolChoice.remove([.text(pool)], in: db)
        case .page(let id): try StoreTables.page.remove([.text(id)], in: db)
        case .programme: try StoreTables.programme.remove([.integer(1)], in: db)
        case .types: try StoreTables.types.remove([.integer(1)], in: db)
        case .typed(let id): try StoreTables.record.remove(key(id), in: db)
        case .list(let name): try ListTables.remove(name, from: db)
        case .listEntry(let list, let key): try ListTables.apply(EntryEdit(list, removing: key), to: db)
        case .shownEdition(let list): try StoreTables.listShown.remove([.text(list)], in: db)
        case .time: try StoreTables.meta.remove([.text(StoreSchema.Meta.time)], in: db)
        case .source(let name): try StoreTables.meta.remove([.text(StoredSource.row(of: name))], in: db)
        }
    }

    // MARK: - Rows, with the columns in the order of `StoreTables`

    private static func key(_ id: RecordID) -> [ColumnValue] { [.text(id.type), .text(id.id)] }

    private static func page(_ row: borrowing StoredRow) throws -> CatalogueRecord {
        .page(
            Page(
                id: try row.text(0),
                sections: try PageColumn.decode(try row.text(1))))
    }

    private static func choice(_ row: borrowing StoredRow) throws -> CatalogueRecord {
        let pool = try row.text(0)
        if let entry = try row.optionalText(1) { return .chosenEntry(pool: pool, entry: entry) }
        guard let record = Subject(try row.text(2)).record else { throw MalformedRow() }
        return .chosenRecord(pool: pool, record: record)
    }

    private static func programme(_ row: borrowing StoredRow) throws -> CatalogueRecord {
        .programme(try row.text(1))
    }

    private static func time(_ row: borrowing StoredRow) throws -> CatalogueRecord {
        guard let moment = Moment(try row.text(1)) else { throw MalformedRow() }
        return .time(moment)
    }

    private static func source(_ row: borrowing StoredRow) throws -> CatalogueRecord {
        .source(try StoredSource.position(row: try row.text(0), value: try row.text(1)))
    }

    private static func types(_ row: borrowing StoredRow) throws -> CatalogueRecord {
        .types(
            TypesDocument(
                declarations: try row.text(1),
                descriptors: try row.blob(2)))
    }

    private static func typed(_ row: borrowing StoredRow) throws -> CatalogueRecord {
        .typed(
            RecordID(type: try row.text(0), id: try row.text(1)),
            try row.blob(2))
    }
}
