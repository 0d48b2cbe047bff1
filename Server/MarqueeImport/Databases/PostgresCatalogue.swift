import MarqueeModel

/// A table in PostgreSQL's catalogue.
struct PostgresTable: Hashable {
    var oid: String
    var schema: String
    var name: String
    /// The server's own estimate; `nil` before it has made one.
    var rows: Int?
    var isReadable = true
    /// Whether it is defined by a query instead of having rows of its own.
    var isView = false
    /// Whether its rows are those of its partitions.
    var isPartitioned = false

    /// `public.product`
    var fullName: String { "\(schema).\(name)" }
}

struct PostgresColumn: Hashable {
    var name: String
    /// The type as its author wrote it: `price`, a domain.
    var shown: String
    /// The same without domains: `numeric(10,2)`, `text[]`.
    var base: String
    /// `b` for a base type, `e` for an enum, `c` for a composite, `r` and `m` for ranges.
    var kind: String
    /// The same for an array's elements; `nil` if it isn't an array.
    var elementKind: String?
    var isRequired: Bool
}

/// The columns of a key, and those that they refer to.
struct PostgresForeignKey: Hashable {
    var columns: [String]
    /// The full name of the table.
    var table: String
    var otherColumns: [String]
}

extension PostgresSource {
    /// The most tables of a database that are listed.
    static let listedTables = 1_000

    private static let tablesQuery = """
        SELECT c.oid::text, n.nspname, c.relname, c.reltuples::int8::text, c.relkind::text,
            (has_table_privilege(c.oid, 'SELECT') AND has_schema_privilege(n.oid, 'USAGE'))::text
        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        """

    /// The tables of the database by name, without PostgreSQL's own and without partitions.
    func tables() throws(ImportError) -> [PostgresTable] {
        try rows(
            Self.tablesQuery + """
                 WHERE c.relkind IN ('r', 'p', 'f') AND NOT c.relispartition
                    AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
                    AND n.nspname NOT LIKE 'pg\\_temp\\_%' ORDER BY n.nspname, c.relname LIMIT \(Self.listedTables)
                """
        ).compactMap { Self.table($0) }
    }

    /// A table or view.
    /// - Parameter name: with its schema, unless that is on the search path.
    /// - Throws: `noInput` if there is none, with the nearest name.
    func table(named name: String) throws(ImportError) -> PostgresTable {
        let found = try rows(
            Self.tablesQuery + """
                 WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND (n.nspname || '.' || c.relname = $1
                    OR c.relname = $1 AND pg_catalog.pg_table_is_visible(c.oid)) LIMIT 1
                """, [name])
        if let row = found.first, let table = Self.table(row) { return table }
        let known = try tables()
        let names = known.map { name.contains(".") ? $0.fullName : $0.name }
        let hint = NearestName.hint(for: name, among: names)
        throw ImportError(
            .noInput,
            "there is no table '\(Field.shown(name))'"
                + (hint.isEmpty ? "; there is \(Self.list(known.map(\.fullName)))" : hint))
    }

    /// The first names of many.
    static func list(_ names: [String]) -> String {
        let shown = 12
        guard !names.isEmpty else { return "none" }
        return names.prefix(shown).joined(separator: ", ") + (names.count > shown ? ", …" : "")
    }

    private static func table(_ row: [String?]) -> PostgresTable? {
        guard row.count == 6, let oid = row[0], let schema = row[1], let name = row[2] else { return nil }
        // Before the first ANALYZE it is -1, and in old servers 0.
        let rows = row[3].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        return PostgresTable(
            oid: oid, schema: schema, name: name, rows: rows, isReadable: row[5] == "true",
            isView: row[4] == "v", isPartitioned: row[4] == "p")
    }

    /// The columns in the order of the table.
    func columns(of table: PostgresTable) throws(ImportError) -> [PostgresColumn] {
        try rows(
            """
            WITH RECURSIVE walk (place, name, required, type, modifier, shown) AS (
                SELECT attnum, attname, attnotnull, atttypid, atttypmod, format_type(atttypid, atttypmod)
                FROM pg_catalog.pg_attribute WHERE attrelid = $1::oid AND attnum > 0 AND NOT attisdropped
                UNION ALL
                SELECT w.place, w.name, w.required OR t.typnotnull, t.typbasetype, t.typtypmod, w.shown
                FROM walk w JOIN pg_catalog.pg_type t ON t.oid = w.type WHERE t.typtype = 'd'
            )
            SELECT w.name, w.shown, format_type(w.type, w.modifier), t.typtype::text, e.typtype::text,
                w.required::text
            FROM walk w JOIN pg_catalog.pg_type t ON t.oid = w.type
            LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
            WHERE t.typtype <> 'd' ORDER BY w.place
            """, [table.oid]
        ).compactMap { row in
            guard row.count == 6, let name = row[0], let shown = row[1], let base = row[2], let kind = row[3] else {
                return nil
            }
            return PostgresColumn(
                name: name, shown: shown, base: base, kind: kind, elementKind: row[4], isRequired: row[5] == "true")
        }
    }

    /// The primary key's columns; empty if there is none.
    func primaryKey(of table: PostgresTable) throws(ImportError) -> [String] {
        try keys("i.indisprimary", of: table).first ?? []
    }

    /// Columns that are unique by themselves.
    func uniqueColumns(of table: PostgresTable) throws(ImportError) -> [String] {
        try keys("i.indisunique AND i.indpred IS NULL AND i.indexprs IS NULL", of: table)
            .compactMap { $0.count == 1 ? $0[0] : nil }
    }

    private func keys(_ condition: String, of table: PostgresTable) throws(ImportError) -> [[String]] {
        let found = try rows(
            """
            SELECT i.indexrelid::text, a.attname FROM pg_catalog.pg_index i
            CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k (place, rank)
            JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.place
            WHERE i.indrelid = $1::oid AND i.indisvalid AND k.rank <= i.indnkeyatts AND \(condition)
            ORDER BY i.indexrelid, k.rank
            """, [table.oid])
        var keys: [(index: String?, columns: [String])] = []
        for row in found where row.count == 2 {
            if keys.last?.index != row[0] { keys.append((row[0], [])) }
            if let column = row[1] { keys[keys.count - 1].columns.append(column) }
        }
        return keys.map(\.columns)
    }

    func foreignKeys(of table: PostgresTable) throws(ImportError) -> [PostgresForeignKey] {
        let found = try rows(
            """
            SELECT c.oid::text, a.attname, n.nspname || '.' || t.relname, b.attname
            FROM pg_catalog.pg_constraint c
            CROSS JOIN LATERAL unnest(c.conkey, c.confkey) WITH ORDINALITY AS k (own, other, rank)
            JOIN pg_catalog.pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.own
            JOIN pg_catalog.pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = k.other
            JOIN pg_catalog.pg_class t ON t.oid = c.confrelid
            JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace
            WHERE c.conrelid = $1::oid AND c.contype = 'f' ORDER BY c.conname, c.oid, k.rank
            """, [table.oid])
        var keys: [(constraint: String?, key: PostgresForeignKey)] = []
        for row in found where row.count == 4 {
            guard let own = row[1], let other = row[2], let column = row[3] else { continue }
            if keys.last?.constraint != row[0] {
                keys.append((row[0], PostgresForeignKey(columns: [], table: other, otherColumns: [])))
            }
            keys[keys.count - 1].key.columns.append(own)
            keys[keys.count - 1].key.otherColumns.append(column)
        }
        return keys.map(\.key)
    }
}
