import MarqueeCatalogue
import MarqueeModel

/// The statements that write lists: one row per entry, so that an edit writes one.
enum PostgresLists {
    private struct Row {
        var list: ListName
        var entry: ListEntry
        var number: Int64
    }

    /// The statements that write lists whole, or remove them.
    static func writing(_ changed: [PlannedRecords.Row]) -> [PostgresStatement] {
        var names: [ListName] = []
        var lists: [RecordList] = []
        for case (.list(let name), let record) in changed {
            names.append(name)
            if case .list(let list)? = record { lists.append(list) }
        }
        return names.isEmpty ? [] : replacing(names, with: lists)
    }

    private static func replacing(_ names: [ListName], with lists: [RecordList]) -> [PostgresStatement] {
        let replaced = columns(names)
        let rows = lists.flatMap { list in
            list.entries.enumerated().map { rank, entry in
                Row(list: list.name, entry: entry, number: PlaceNumber.whole(rank: rank))
            }
        }
        return [
            PostgresStatement(
                """
                DELETE FROM list_entry e USING unnest($1, $2) AS d (list, edition)
                WHERE e.list = d.list AND e.edition = d.edition
                """, replaced),
            PostgresStatement(
                """
                DELETE FROM list l USING unnest($1, $2) AS d (list, edition)
                WHERE l.name = d.list AND l.edition = d.edition
                """, replaced),
            PostgresStatement(
                "INSERT INTO list (name, edition) SELECT * FROM unnest($1, $2)", columns(lists.map(\.name))),
        ] + putting(rows)
    }

    private static func columns(_ names: [ListName]) -> [PostgresValue] {
        [.texts(names.map(\.list)), .texts(names.map { $0.edition ?? "" })]
    }

    private static func putting(_ rows: [Row]) -> [PostgresStatement] {
        rows.chunks(of: PostgresRecords.rowsAtOnce).map { some in
            PostgresStatement(
                """
                INSERT INTO list_entry (list, edition, key, number, record, place)
                SELECT * FROM unnest($1, $2, $3, $4, $5, $6)
                ON CONFLICT (list, edition, key)
                DO UPDATE SET number = EXCLUDED.number, record = EXCLUDED.record, place = EXCLUDED.place
                """,
                columns(some.map(\.list)) + [
                    .texts(some.map(\.entry.key)), .integers(some.map(\.number)),
                    .texts(some.map { $0.entry.record?.subject.name }), .blobs(some.map(\.entry.placeBytes)),
                ])
        }
    }

    // MARK: - Edits

    /// The statement that reads the order of the edited lists, without their content.
    static func places(of edits: [EntryEdit]) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT e.list, e.edition, e.key, e.number FROM list_entry e
            JOIN unnest($1, $2) AS d (list, edition) ON e.list = d.list AND e.edition = d.edition
            ORDER BY e.list, e.edition, e.number
            """, columns(Array(Set(edits.map(\.list)))))
    }

    /// The statements that apply edits to stored lists.
    /// - Parameters:
    ///   - places: the rows of the statement from `places`.
    ///   - read: reads a whole list, for one in which there is no room between two entries.
    static func applying(
        _ edits: [EntryEdit], to places: PostgresRows, read: (ListName) throws -> RecordList?
    ) throws -> [PostgresStatement] {
        var known: [ListName: ListPlaces] = [:]
        try places.each { row in
            known[try PostgresRecords.listName(row, at: 0), default: ListPlaces()]
                .append(try row.text(2), number: try row.integer(3))
        }
        var statements: [PostgresStatement] = []
        for (list, edits) in Dictionary(grouping: edits, by: \.list) {
            var numbers = known[list] ?? ListPlaces()
            guard let entries = numbers.apply(edits) else {
                guard let whole = try read(list) else { throw MalformedRow() }
                statements += replacing([list], with: [whole.applying(edits)])
                continue
            }
            let removed = entries.filter { $0.value == nil }.map(\.key)
            if !removed.isEmpty {
                statements.append(
                    PostgresStatement(
                        "DELETE FROM list_entry WHERE list = $1 AND edition = $2 AND key = ANY($3)",
                        PostgresRecords.key(list) + [.texts(removed)]))
            }
            statements += putting(
                entries.compactMap { key, entry in
                    guard let entry, let number = numbers[key] else { return nil }
                    return Row(list: list, entry: entry, number: number)
                })
        }
        return statements
    }
}
