import MarqueeCatalogue
import MarqueeModel

/// Reads the whole catalogue within a transaction, a few rows at a time.
struct PostgresSnapshot {
    let connection: PostgresConnection

    /// Rows held in memory at once.
    private static let rowsAtOnce = 500

    /// Passes every record to `receive`: those that others refer to come first; within a kind, by name.
    /// - Throws: `PostgresError`, or an error about a row that can't be read.
    func readAll(_ receive: (CatalogueRecord) throws -> Void) throws {
        func all(
            _ cursor: String, _ sql: String, order: String, _ record: (PostgresRow) throws -> CatalogueRecord
        ) throws {
            try rows(cursor, "\(sql) ORDER BY \(order)") { try receive(try record($0)) }
        }
        try all("all_types", PostgresRecords.allTypes, order: "id", PostgresRecords.types)
        try all("all_records", PostgresRecords.records, order: "type, id", PostgresRecords.typed)
        try readLists(receive)
        try all("all_shown", PostgresRecords.shownEditions, order: "list", PostgresRecords.shown)
        try all("all_choices", PostgresRecords.choices, order: "pool", PostgresRecords.choice)
        try all("all_pages", PostgresRecords.pages, order: "id", PostgresRecords.page)
        try all("all_programmes", PostgresRecords.programmes, order: "id", PostgresRecords.programme)
        try all("all_times", PostgresRecords.times, order: "name", PostgresRecords.time)
        try all("all_sources", PostgresRecords.sources, order: "name", PostgresRecords.source)
    }

    /// Reads the lists, of which only one at a time is held in memory.
    private func readLists(_ receive: (CatalogueRecord) throws -> Void) throws {
        var list: RecordList?
        let sql = """
            SELECT l.name, l.edition, e.key, e.record, e.place FROM list l
            LEFT JOIN list_entry e ON e.list = l.name AND e.edition = l.edition
            ORDER BY l.name, l.edition, e.number
            """
        try rows("all_lists", sql) { row in
            let name = try PostgresRecords.listName(row, at: 0)
            if let done = list, done.name != name {
                try receive(.list(done))
                list = nil
            }
            var next = list ?? RecordList(name, entries: [])
            // `next` is now the only reference to the entries, so that adding one doesn't copy them.
            list = nil
            if try row.optionalText(2) != nil { next.entries.append(try PostgresRecords.entry(row, at: 2)) }
            list = next
        }
        if let list { try receive(.list(list)) }
    }

    /// - Parameter cursor: the cursor's name. Each statement has its own, because the prepared FETCH outlives the
    ///   cursor.
    private func rows(_ cursor: String, _ sql: String, _ receive: (PostgresRow) throws -> Void) throws {
        try connection.run("DECLARE \(cursor) NO SCROLL CURSOR FOR \(sql)")
        while true {
            let rows = try connection.run("FETCH \(Self.rowsAtOnce) FROM \(cursor)")
            try rows.each(receive)
            if rows.count < Self.rowsAtOnce { break }
        }
        try connection.run("CLOSE \(cursor)")
    }
}
