import Foundation
import GRDB
import MarqueeModel

/// A stored view, as it lies in the tables.
struct ViewRow {
    let key: Int64
    let id: ViewID
    let savedAt: Double
    /// `nil` when the stored bytes are unreadable.
    let content: (parameters: [StoredParameters], cut: Cut)?

    private static let columns = "id, screen, locale, parameters, cut, saved_at"

    private init(_ row: Row) throws {
        key = try row.decode(Int64.self, atIndex: 0)
        id = ViewID(
            screen: try row.decode(String.self, atIndex: 1), locale: try row.decode(String.self, atIndex: 2))
        let parameters = try? JSONDecoder().decode([StoredParameters].self, from: Data(try row.bytes(3)))
        let cut = Cut(stored: try row.bytes(4))
        if let parameters, let cut { content = (parameters, cut) } else { content = nil }
        savedAt = try row.decode(Double.self, atIndex: 5)
    }

    static func find(_ id: ViewID, _ db: Database) throws -> ViewRow? {
        let statement = try db.cachedStatement(
            sql: "SELECT \(columns) FROM view WHERE screen = ? AND locale = ?")
        return try Row.fetchOne(statement, arguments: [id.screen, id.locale]).map { try ViewRow($0) }
    }

    /// The one saved last first.
    static func all(_ db: Database) throws -> [ViewRow] {
        try Row.fetchAll(db, sql: "SELECT \(columns) FROM view ORDER BY saved_at DESC, id").map { try ViewRow($0) }
    }

    /// What of this view is damaged; every sum is recomputed from its bytes.
    func damage(_ db: Database) throws -> [DamageReport] {
        let sections = try SectionRow.all(view: key, db)
        var reports: [DamageReport] = []
        if content == nil {
            reports.append(report(SectionRow.listName, 0, nil, "the view's position or parameters are unreadable"))
        }
        if !sections.contains(where: { $0.name == SectionRow.listName }) {
            reports.append(report(SectionRow.listName, 0, nil, "it is missing"))
        }
        for section in sections {
            do {
                guard case .damaged(let found, let detail) = try section.load(db) else { continue }
                reports.append(report(section.name, section.sum, found, detail))
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                reports.append(report(section.name, section.sum, nil, "its rows are unreadable"))
            }
        }
        return reports
    }

    func report(_ section: String, _ expected: UInt64, _ found: UInt64?, _ detail: String) -> DamageReport {
        DamageReport(
            screen: id.screen, locale: id.locale, section: section, expected: expected, found: found, detail: detail)
    }

    /// Makes or changes the row of a view.
    ///
    /// - Returns: Its key.
    static func store(_ view: ViewWrite, cut: Cut, savedAt: Double, _ db: Database) throws -> Int64 {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let parameters = String(decoding: try encoder.encode(view.parameters), as: UTF8.self)
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO view (screen, locale, parameters, cut, saved_at) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (screen, locale) DO UPDATE
                SET parameters = excluded.parameters, cut = excluded.cut, saved_at = excluded.saved_at
                RETURNING id
                """)
        let key = try Int64.fetchOne(
            statement, arguments: [view.id.screen, view.id.locale, parameters, cut.stored, savedAt])
        guard let key else { throw MirrorError(.io, "the view \(view.id) was not stored") }
        return key
    }

    /// Moves the position of a view, if it is stored.
    static func move(_ id: ViewID, to cut: Cut, savedAt: Double, _ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE view SET cut = ?, saved_at = ? WHERE screen = ? AND locale = ?")
            .execute(arguments: [cut.stored, savedAt, id.screen, id.locale])
    }

    static func remove(_ id: ViewID, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM view WHERE screen = ? AND locale = ?", arguments: [id.screen, id.locale])
    }

    /// Forgets the views saved longest ago, beyond `MirrorLimit.views`.
    static func removeOldest(keeping kept: [ViewID], _ db: Database) throws {
        var excess = (try Int.fetchOne(db, sql: "SELECT count(*) FROM view") ?? 0) - MirrorLimit.views
        guard excess > 0 else { return }
        let kept = Set(kept)
        for row in try all(db).reversed() where excess > 0 && !kept.contains(row.id) {
            try remove(row.id, db)
            excess -= 1
        }
    }
}
