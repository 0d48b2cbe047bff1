import GRDB
import MarqueeModel

/// The table of drafts in `catalogue.sqlite`, so that the commit that publishes a draft also removes it. The table is
/// created if it is missing, is left out of backups, and has no totals.
enum DraftTables {
    static let drafts = SummedTable(
        "draft", key: ["name"],
        ["version", "due", "despite_conflicts", "problem", "publications", "changes", "bytes", "content"])

    static let statements = """
        CREATE TABLE IF NOT EXISTS draft (
            name TEXT PRIMARY KEY, version INTEGER NOT NULL, due INTEGER, despite_conflicts INTEGER NOT NULL,
            problem TEXT, publications INTEGER NOT NULL, changes INTEGER NOT NULL, bytes INTEGER NOT NULL,
            content TEXT NOT NULL, sum INTEGER NOT NULL
        ) STRICT;
        """

    /// Whether a table is this one.
    static func owns(_ table: String) -> Bool { table == drafts.name }

    static func read(_ name: String, _ tables: TableReader) throws -> Draft? {
        try drafts.row([.text(name)], in: tables) { row in
            try Draft(try summary(row), content: try row.text(8))
        }
    }

    static func summaries(_ tables: TableReader) throws -> [DraftSummary] {
        var found: [DraftSummary] = []
        try drafts.rows("ORDER BY name", in: tables) { found.append(try summary($0)) }
        return found
    }

    private static func summary(_ row: borrowing StoredRow) throws -> DraftSummary {
        DraftSummary(
            name: try row.text(0), version: try row.unsigned(1),
            due: try row.optionalInteger(2).map { Moment(milliseconds: $0) },
            ignoresConflicts: try row.integer(3) != 0, problem: try row.optionalText(4),
            publications: try row.int(5), changes: try row.int(6), bytes: try row.int(7))
    }

    static func write(_ draft: Draft, to tables: TableWriter) throws {
        let content = draft.content
        let summary = draft.summary(bytes: content.utf8.count)
        try drafts.put(
            [.text(draft.name)],
            [
                .integer(Int64(clamping: draft.version)), draft.due.map { .integer($0.milliseconds) } ?? .null,
                .integer(draft.ignoresConflicts ? 1 : 0), .text(orNull: draft.problem),
                .integer(Int64(summary.publications)), .integer(Int64(summary.changes)),
                .integer(Int64(summary.bytes)), .text(content),
            ], in: tables)
    }

    static func remove(_ name: String, from tables: TableWriter) throws {
        try drafts.remove([.text(name)], in: tables)
    }
}

extension SQLiteStore: DraftStore {
    package func drafts() throws(StoreError) -> [DraftSummary] {
        try reading(\.catalogue) { try DraftTables.summaries($0) }
    }

    package func draft(_ name: String) throws(StoreError) -> Draft? {
        try reading(\.catalogue) { try DraftTables.read(name, $0) }
    }
}
