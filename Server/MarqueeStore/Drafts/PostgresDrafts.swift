import MarqueeModel

/// The statements that read and write drafts.
enum PostgresDrafts {
    private static let summary = "name, version, due, despite_conflicts, problem, publications, changes, bytes"
    static let listing = PostgresStatement("SELECT \(summary) FROM draft ORDER BY name")

    /// A text that differs whenever drafts differ: each edit raises a version, and a draft that ends removes its own.
    static func mark(_ connection: PostgresConnection) throws -> String {
        let rows = try connection.run(
            "SELECT count(*) || ' ' || coalesce(sum(version), 0) || ' ' || coalesce(max(version), 0) FROM draft", [])
        guard let row = rows.first else { throw MalformedRow() }
        return try row.text(0)
    }

    static func reading(_ name: String) -> PostgresStatement {
        PostgresStatement("SELECT \(summary), content FROM draft WHERE name = $1", [.text(name)])
    }

    static func draft(_ rows: PostgresRows) throws -> Draft? {
        guard let row = rows.first else { return nil }
        return try Draft(try summary(row), content: try row.text(8))
    }

    static func summaries(_ rows: PostgresRows) throws -> [DraftSummary] { try rows.map(summary) }

    private static func summary(_ row: PostgresRow) throws -> DraftSummary {
        DraftSummary(
            name: try row.text(0), version: try row.unsigned(1),
            due: try row.optionalInteger(2).map { Moment(milliseconds: $0) }, ignoresConflicts: try row.flag(3),
            problem: try row.optionalText(4), publications: try row.count(5), changes: try row.count(6),
            bytes: try row.count(7))
    }

    static func writing(_ draft: Draft) -> PostgresStatement {
        let content = draft.content
        let summary = draft.summary(bytes: content.utf8.count)
        return PostgresStatement(
            """
            INSERT INTO draft (
                name, version, due, despite_conflicts, problem, publications, changes, bytes, content)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            ON CONFLICT (name) DO UPDATE SET version = EXCLUDED.version, due = EXCLUDED.due,
                despite_conflicts = EXCLUDED.despite_conflicts, problem = EXCLUDED.problem,
                publications = EXCLUDED.publications, changes = EXCLUDED.changes, bytes = EXCLUDED.bytes,
                content = EXCLUDED.content
            """,
            [
                .text(draft.name), .integer(Int64(clamping: draft.version)),
                draft.due.map { .integer($0.milliseconds) } ?? .null, .flag(draft.ignoresConflicts),
                .text(orNull: draft.problem), .integer(Int64(summary.publications)),
                .integer(Int64(summary.changes)), .integer(Int64(summary.bytes)), .text(content),
            ])
    }

    static func removing(_ name: String) -> PostgresStatement {
        PostgresStatement("DELETE FROM draft WHERE name = $1", [.text(name)])
    }
}

extension PostgresStore: DraftStore {
    package func drafts() throws(StoreError) -> [DraftSummary] {
        try reading { try PostgresDrafts.summaries(try rows(PostgresDrafts.listing, $0)) }
    }

    package func draft(_ name: String) throws(StoreError) -> Draft? {
        try reading { try PostgresDrafts.draft(try rows(PostgresDrafts.reading(name), $0)) }
    }

    private func rows(_ statement: PostgresStatement, _ connection: PostgresConnection) throws -> PostgresRows {
        guard let rows = try connection.run([statement]).first else { throw MalformedRow() }
        return rows
    }
}
