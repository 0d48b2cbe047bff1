import MarqueeCatalogue
import MarqueeModel

/// Converts between the catalogue's records and the rows of their tables.
enum PostgresRecords {
    // MARK: - Reading

    /// The statements that read one record, and the function that makes it from their rows.
    static func reading(
        _ name: RecordName
    ) -> (statements: [PostgresStatement], record: ([PostgresRows]) throws -> CatalogueRecord?) {
        func one(
            _ sql: String, _ values: [PostgresValue], _ record: @escaping (PostgresRow) throws -> CatalogueRecord
        ) -> ([PostgresStatement], ([PostgresRows]) throws -> CatalogueRecord?) {
            ([PostgresStatement(sql, values)], { try $0.first?.first.map(record) })
        }
        switch name {
        case .choice(let pool): return one("\(choices) WHERE pool = $1", [.text(pool)], choice)
        case .page(let id): return one("\(pages) WHERE id = $1", [.text(id)], page)
        case .programme: return one(programmes, [], programme)
        case .types: return one(allTypes, [], types)
        case .typed(let id):
            return one("\(records) WHERE type = $1 AND id = $2", [.text(id.type), .text(id.id)], typed)
        case .list(let list):
            let values = key(list)
            let statements = [
                PostgresStatement("SELECT 1::int8 FROM list WHERE name = $1 AND edition = $2", values),
                PostgresStatement("\(entries) WHERE list = $1 AND edition = $2 ORDER BY number", values),
            ]
            return (
                statements,
                { rows in
                    guard rows.count == 2, rows[0].count > 0 else { return nil }
                    return .list(RecordList(list, entries: try rows[1].map { try entry($0, at: 2) }))
                }
            )
        case .listEntry(let list, let key):
            return one(
                "\(entries) WHERE list = $1 AND edition = $2 AND key = $3", self.key(list) + [.text(key)]
            ) { .listEntry(list, try entry($0, at: 2)) }
        case .shownEdition(let list): return one("\(shownEditions) WHERE list = $1", [.text(list)], shown)
        case .time: return one(times, [], time)
        case .source(let name): return one("\(sources) AND name = $1", [.text(StoredSource.row(of: name))], source)
        }
    }

    static let choices = "SELECT pool, entry, record FROM pool_choice"
    static let pages = "SELECT id, sections FROM page"
    static let programmes = "SELECT text FROM programme"
    static let allTypes = "SELECT declarations, descriptors FROM types"
    static let records = "SELECT type, id, bytes FROM record"
    static let entries = "SELECT list, edition, key, record, place FROM list_entry"
    static let times = "SELECT value FROM marquee_meta WHERE name = '\(PostgresSchema.Meta.time)'"
    static let sources = """
        SELECT name, value FROM marquee_meta
        WHERE name >= '\(StoredSource.prefix)' AND name < '\(StoredSource.end)'
        """
    static let shownEditions = "SELECT list, edition FROM list_shown"

    static func key(_ name: ListName) -> [PostgresValue] { [.text(name.list), .text(name.edition ?? "")] }

    static func choice(_ row: PostgresRow) throws -> CatalogueRecord {
        let pool = try row.text(0)
        if let entry = try row.optionalText(1) { return .chosenEntry(pool: pool, entry: entry) }
        guard let record = Subject(try row.text(2)).record else { throw MalformedRow() }
        return .chosenRecord(pool: pool, record: record)
    }

    static func page(_ row: PostgresRow) throws -> CatalogueRecord {
        .page(Page(id: try row.text(0), sections: try PageColumn.decode(try row.text(1))))
    }

    static func programme(_ row: PostgresRow) throws -> CatalogueRecord { .programme(try row.text(0)) }

    static func types(_ row: PostgresRow) throws -> CatalogueRecord {
        .types(TypesDocument(declarations: try row.text(0), descriptors: try row.blob(1)))
    }

    static func typed(_ row: PostgresRow) throws -> CatalogueRecord {
        .typed(RecordID(type: try row.text(0), id: try row.text(1)), try row.blob(2))
    }

    static func shown(_ row: PostgresRow) throws -> CatalogueRecord {
        .shownEdition(list: try row.text(0), edition: try row.text(1))
    }

    static func time(_ row: PostgresRow) throws -> CatalogueRecord {
        guard let moment = Moment(try row.text(0)) else { throw MalformedRow() }
        return .time(moment)
    }

    static func source(_ row: PostgresRow) throws -> CatalogueRecord {
        .source(try StoredSource.position(row: try row.text(0), value: try row.text(1)))
    }

    static func listName(_ row: PostgresRow, at column: Int) throws -> ListName {
        let edition = try row.text(column + 1)
        return ListName(try row.text(column), edition: edition.isEmpty ? nil : edition)
    }

    /// - Parameter column: the column of the key; record and place follow.
    static func entry(_ row: PostgresRow, at column: Int) throws -> ListEntry {
        var entry = ListEntry(key: try row.text(column))
        if let subject = try row.optionalText(column + 1) {
            guard let record = Subject(subject).record else { throw MalformedRow() }
            entry.record = record
        }
        entry.place = try row.optionalBlob(column + 2).map { .bytes($0) }
        return entry
    }
}

// MARK: - Writing

extension PostgresRecords {
    /// The most rows written by one statement.
    static let rowsAtOnce = 1_000

    /// The statements that store records under their names, or remove them; `PostgresLists` writes lists.
    static func writing(_ changed: [PlannedRecords.Row]) throws -> [PostgresStatement] {
        var statements: [PostgresStatement] = []
        var (puts, removals): ([(RecordID, [UInt8])], [RecordID]) = ([], [])
        for (name, record) in changed {
            switch (name, record) {
            case (.typed(let id), .typed(_, let bytes)): puts.append((id, bytes))
            case (.typed(let id), _): removals.append(id)
            case (.list, _), (.listEntry, _): continue
            default: statements.append(try writing(record, under: name))
            }
        }
        for some in puts.chunks(of: rowsAtOnce) {
            statements.append(
                PostgresStatement(
                    """
                    INSERT INTO record (type, id, bytes) SELECT * FROM unnest($1, $2, $3)
                    ON CONFLICT (type, id) DO UPDATE SET bytes = EXCLUDED.bytes
                    """, [.texts(some.map(\.0.type)), .texts(some.map(\.0.id)), .blobs(some.map(\.1))]))
        }
        for some in removals.chunks(of: rowsAtOnce) {
            statements.append(
                PostgresStatement(
                    """
                    DELETE FROM record r USING unnest($1, $2) AS d (type, id) WHERE r.type = d.type AND r.id = d.id
                    """, [.texts(some.map(\.type)), .texts(some.map(\.id))]))
        }
        return statements
    }

    /// The statement that writes one record, for the kinds of which a commit has few.
    private static func writing(_ record: CatalogueRecord?, under name: RecordName) throws -> PostgresStatement {
        func put(_ table: String, _ columns: [String], _ values: [PostgresValue]) -> PostgresStatement {
            let updates = columns.dropFirst().map { "\($0) = EXCLUDED.\($0)" }.joined(separator: ", ")
            let numbers = values.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
            return PostgresStatement(
                """
                INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(numbers))
                ON CONFLICT (\(columns[0])) DO UPDATE SET \(updates)
                """, values)
        }
        func remove(_ table: String, _ column: String, _ value: PostgresValue) -> PostgresStatement {
            PostgresStatement("DELETE FROM \(table) WHERE \(column) = $1", [value])
        }
        switch (name, record) {
        case (_, .chosenEntry(let pool, let entry)):
            return put("pool_choice", ["pool", "entry", "record"], [.text(pool), .text(entry), .text(orNull: nil)])
        case (_, .chosenRecord(let pool, let record)):
            return put(
                "pool_choice", ["pool", "entry", "record"],
                [.text(pool), .text(orNull: nil), .text(record.subject.name)])
        case (_, .page(let page)):
            return put("page", ["id", "sections"], [.text(page.id), .text(PageColumn.encode(page.sections))])
        case (_, .programme(let text)): return put("programme", ["id", "text"], [.integer(1), .text(text)])
        case (_, .types(let types)):
            return put(
                "types", ["id", "declarations", "descriptors"],
                [.integer(1), .text(types.declarations), .bytes(types.descriptors)])
        case (_, .shownEdition(let list, let edition)):
            return put("list_shown", ["list", "edition"], [.text(list), .text(edition)])
        case (_, .time(let moment)):
            return put("marquee_meta", ["name", "value"], [.text(PostgresSchema.Meta.time), .text(moment.text)])
        case (_, .source(let position)):
            return put(
                "marquee_meta", ["name", "value"],
                [.text(StoredSource.row(of: position.source)), .text(StoredSource.value(of: position))])
        case (.source(let name), _): return remove("marquee_meta", "name", .text(StoredSource.row(of: name)))
        case (.time, _): return remove("marquee_meta", "name", .text(PostgresSchema.Meta.time))
        case (.choice(let pool), _): return remove("pool_choice", "pool", .text(pool))
        case (.page(let id), _): return remove("page", "id", .text(id))
        case (.programme, _): return remove("programme", "id", .integer(1))
        case (.types, _): return remove("types", "id", .integer(1))
        case (.shownEdition(let list), _): return remove("list_shown", "list", .text(list))
        case (.typed, _), (.list, _), (.listEntry, _): preconditionFailure("these are written many at a time")
        }
    }
}

extension Array {
    /// Consecutive parts, each of at most `size` elements.
    func chunks(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
