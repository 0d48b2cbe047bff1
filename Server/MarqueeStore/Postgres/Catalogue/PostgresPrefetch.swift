import MarqueeCatalogue
import MarqueeModel

/// The part of a catalogue that a commit's changes name, read by one statement per table.
struct PostgresPrefetch {
    var records: [RecordName: CatalogueRecord?] = [:]
    var counts: [ListName: Int?] = [:]
    /// `nil` for a key that isn't stored.
    var keys: [String: KeptKey?] = [:]

    /// The statements of one read, and how to store their results.
    struct Reading {
        fileprivate(set) var statements: [PostgresStatement] = []
        fileprivate var takes: [(inout PostgresPrefetch, PostgresRows) throws -> Void] = []

        fileprivate mutating func add(
            _ statement: PostgresStatement, _ take: @escaping (inout PostgresPrefetch, PostgresRows) throws -> Void
        ) {
            statements.append(statement)
            takes.append(take)
        }

        /// - Parameter results: the rows of the statements.
        func take(_ results: [PostgresRows]) throws -> PostgresPrefetch {
            var prefetch = PostgresPrefetch()
            for (take, rows) in zip(takes, results) { try take(&prefetch, rows) }
            return prefetch
        }
    }

    /// Whether a text is short and clean enough to be a name. Others are refused later, and not all of them can be sent
    /// to the server.
    private static func isName(_ text: String) -> Bool {
        CatalogueBounds.isIdentifier(text, limit: CatalogueBounds.commitKey)
    }

    /// - Parameter key: the commit's key.
    static func reading(_ changes: [Change], key: String?) -> Reading {
        var (ids, pages, pools): (Set<RecordID>, Set<String>, Set<String>) = ([], [], [])
        var (lists, entries): (Set<ListName>, Set<RecordName>) = ([], [])
        for change in changes {
            switch change {
            case .put(let id, _), .merge(let id, _, _, _), .remove(let id):
                if isName(id.type), isName(id.id) { ids.insert(id) }
            case .page(let page): if isName(page.id) { pages.insert(page.id) }
            case .removePage(let id): if isName(id) { pages.insert(id) }
            case .chooseEntry(let pool, _), .chooseRecord(let pool, _), .removeChoice(let pool):
                if isName(pool) { pools.insert(pool) }
            case .listItem(let edit):
                guard isName(edit.list.list), isName(edit.list.edition ?? "-"), isName(edit.key) else { continue }
                lists.insert(edit.list)
                entries.insert(.listEntry(edit.list, key: edit.key))
            default: continue
            }
        }
        var reading = Reading()
        if let key, isName(key) { reading.addKey(key) }
        if !ids.isEmpty { reading.addRecords(ids) }
        if !pages.isEmpty {
            reading.add(
                "\(PostgresRecords.pages) WHERE id = ANY($1)", pages, { .page($0) }, PostgresRecords.page,
                name: { if case .page(let page) = $0 { .page(page.id) } else { nil } })
        }
        if !pools.isEmpty {
            reading.add(
                "\(PostgresRecords.choices) WHERE pool = ANY($1)", pools, { .choice(pool: $0) }, PostgresRecords.choice,
                name: { choice in
                    switch choice {
                    case .chosenEntry(let pool, _), .chosenRecord(let pool, _): .choice(pool: pool)
                    default: nil
                    }
                })
        }
        if !lists.isEmpty { reading.addLists(lists) }
        if !entries.isEmpty { reading.addEntries(entries) }
        return reading
    }

    // MARK: - Commit keys

    static let keyQuery = "SELECT revision FROM commit_key WHERE key = $1"

    static func key(in rows: PostgresRows) throws -> KeptKey? {
        try rows.first.map { KeptKey(number: try $0.integer(0)) }
    }

    // MARK: - Counts of lists

    static let counting = """
        SELECT l.name, l.edition, count(e.key) FROM list l
        JOIN unnest($1, $2) AS d (name, edition) ON l.name = d.name AND l.edition = d.edition
        LEFT JOIN list_entry e ON e.list = l.name AND e.edition = l.edition GROUP BY l.name, l.edition
        """

    /// The number of entries of each list that is stored.
    static func count(in rows: PostgresRows) throws -> [ListName: Int] {
        var counts: [ListName: Int] = [:]
        try rows.each { counts[try PostgresRecords.listName($0, at: 0)] = try $0.count(2) }
        return counts
    }
}

extension PostgresPrefetch.Reading {
    fileprivate mutating func addKey(_ key: String) {
        add(PostgresStatement(PostgresPrefetch.keyQuery, [.text(key)])) { prefetch, rows in
            prefetch.keys.updateValue(try PostgresPrefetch.key(in: rows), forKey: key)
        }
    }

    fileprivate mutating func addRecords(_ ids: Set<RecordID>) {
        let some = Array(ids)
        add(
            PostgresStatement(
                """
                SELECT r.type, r.id, r.bytes FROM record r
                JOIN unnest($1, $2) AS d (type, id) ON r.type = d.type AND r.id = d.id
                """, [.texts(some.map(\.type)), .texts(some.map(\.id))])
        ) { prefetch, rows in
            for id in some { prefetch.records.updateValue(nil, forKey: .typed(id)) }
            try rows.each { row in
                let record = try PostgresRecords.typed(row)
                if case .typed(let id, _) = record { prefetch.records.updateValue(record, forKey: .typed(id)) }
            }
        }
    }

    /// Adds a statement that reads records, each named by one text.
    fileprivate mutating func add(
        _ sql: String, _ names: Set<String>, _ record: @escaping (String) -> RecordName,
        _ read: @escaping (PostgresRow) throws -> CatalogueRecord,
        name: @escaping (CatalogueRecord) -> RecordName?
    ) {
        add(PostgresStatement(sql, [.texts(Array(names))])) { prefetch, rows in
            for text in names { prefetch.records.updateValue(nil, forKey: record(text)) }
            try rows.each { row in
                let found = try read(row)
                if let name = name(found) { prefetch.records.updateValue(found, forKey: name) }
            }
        }
    }

    fileprivate mutating func addLists(_ lists: Set<ListName>) {
        let some = Array(lists)
        add(
            PostgresStatement(
                PostgresPrefetch.counting, [.texts(some.map(\.list)), .texts(some.map { $0.edition ?? "" })])
        ) { prefetch, rows in
            let counts = try PostgresPrefetch.count(in: rows)
            for list in some { prefetch.counts.updateValue(counts[list], forKey: list) }
        }
    }

    fileprivate mutating func addEntries(_ names: Set<RecordName>) {
        var keys: [(list: ListName, key: String)] = []
        for case .listEntry(let list, let key) in names { keys.append((list, key)) }
        add(
            PostgresStatement(
                """
                SELECT e.list, e.edition, e.key, e.record, e.place FROM list_entry e
                JOIN unnest($1, $2, $3) AS d (list, edition, key)
                ON e.list = d.list AND e.edition = d.edition AND e.key = d.key
                """,
                [
                    .texts(keys.map(\.list.list)), .texts(keys.map { $0.list.edition ?? "" }),
                    .texts(keys.map(\.key)),
                ])
        ) { prefetch, rows in
            for name in names { prefetch.records.updateValue(nil, forKey: name) }
            try rows.each { row in
                let list = try PostgresRecords.listName(row, at: 0)
                let entry = try PostgresRecords.entry(row, at: 2)
                prefetch.records.updateValue(
                    .listEntry(list, entry), forKey: .listEntry(list, key: entry.key))
            }
        }
    }
}
