import Foundation
import GRDB
import MarqueeDiff
import MarqueeModel

extension Mirror {
    /// A stored view, with every hash and sum recomputed from its bytes (G4).
    ///
    /// - Returns: `nil` when there is none, or when its own list of sections is damaged, so that none of it can be
    ///   shown: the caller then requests the view from scratch.
    package func view(_ id: ViewID) throws(MirrorError) -> StoredView? { try content(of: id)?.shown }

    /// A stored view, with every hash and sum recomputed from its bytes, including whatever is left of damaged parts.
    package func content(of id: ViewID) throws(MirrorError) -> StoredContent? {
        try read { db in try ViewRow.find(id, db).map { try $0.load(db) } }
    }

    /// Figures for all stored views, most recently saved first. Their bytes are not checked.
    package func views() throws(MirrorError) -> [ViewSummary] {
        try read { db in
            try ViewRow.all(db).map { row in
                let numbers = try Row.fetchOne(
                    db,
                    sql: """
                        SELECT count(*) FILTER (WHERE name <> ''), coalesce(sum(length(head)), 0) FROM section
                        WHERE view = ?
                        """, arguments: [row.key])
                let items = try Row.fetchOne(
                    db,
                    sql: """
                        SELECT count(*) FILTER (WHERE section.name <> ''), coalesce(sum(length(item.body)), 0)
                        FROM section JOIN item ON item.section = section.id WHERE section.view = ?
                        """, arguments: [row.key])
                let (sectionCount, headBytes) = try Mirror.pair(numbers)
                let (itemCount, bodyBytes) = try Mirror.pair(items)
                return ViewSummary(
                    id: row.id, cut: row.content?.cut ?? Cut(), savedAt: row.savedAt, sections: sectionCount,
                    items: itemCount, bytes: headBytes + bodyBytes)
            }
        }
    }

    private static func pair(_ row: Row?) throws -> (Int, Int) {
        guard let row else { return (0, 0) }
        return (try row.decode(Int.self, atIndex: 0), try row.decode(Int.self, atIndex: 1))
    }

    /// Recomputes every sum of every stored view from its bytes, and checks the database file.
    ///
    /// - Returns: the damage found; empty if there is none.
    package func verify() throws(MirrorError) -> [DamageReport] {
        var reports: [DamageReport]?
        do throws(MirrorError) {
            try readAsItIs { reports = try Mirror.damage($0) }
        } catch {
            // SQLite can't end a transaction cleanly after a malformed page; its findings still count.
            guard error.code == .corrupt, reports != nil else { throw error }
        }
        return reports ?? []
    }

    private static func damage(_ db: Database) throws -> [DamageReport] {
        var reports = try structuralDamage(db)
        guard let views = try unlessCorrupt({ try ViewRow.all(db) }) else {
            return reports + [structuralReport("the table of views is unreadable")]
        }
        for view in views {
            let found = try unlessCorrupt { try view.damage(db) }
            reports += found ?? [view.report(SectionRow.listName, 0, nil, "its sections are unreadable")]
        }
        return reports
    }

    /// Returns the damage to the database file itself, in at most `MirrorLimit.structuralReports` lines.
    private static func structuralDamage(_ db: Database) throws -> [DamageReport] {
        let lines = try unlessCorrupt {
            try String.fetchAll(db, sql: "PRAGMA integrity_check(\(MirrorLimit.structuralReports))")
        }
        return (lines ?? ["the database file is malformed"]).filter { $0 != "ok" }.map(structuralReport)
    }

    private static func structuralReport(_ detail: String) -> DamageReport {
        DamageReport(screen: "", locale: "", section: "", expected: 0, found: nil, detail: detail)
    }

    /// - Returns: `nil` if the file is too damaged for `body` to finish.
    private static func unlessCorrupt<Value>(_ body: () throws -> Value) throws -> Value? {
        do {
            return try body()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return nil
        } catch is RowDecodingError {
            return nil
        }
    }

    /// Removes a view. Does nothing if the view is not stored.
    package func remove(_ id: ViewID) throws(MirrorError) {
        try write(.later) { try ViewRow.remove(id, $0) }
    }
}
