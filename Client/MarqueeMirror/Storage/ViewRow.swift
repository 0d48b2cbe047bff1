import Foundation
import GRDB
import MarqueeDiff
import MarqueeModel

/// A stored view, as a row.
struct ViewRow {
    let key: Int64
    let id: ViewID
    let savedAt: Double
    /// `nil` when the stored bytes are unreadable.
    let content: (parameters: [StoredParameters], cut: Cut)?

    private static let columns = "screen, locale, parameters, cut, saved_at, sum, id"

    private init(_ row: Row) throws {
        id = ViewID(
            screen: try row.decode(String.self, atIndex: 0), locale: try row.decode(String.self, atIndex: 1))
        let parameters = try? JSONDecoder().decode([StoredParameters].self, from: Data(try row.bytes(2)))
        let cut = Cut(stored: try row.bytes(3))
        // A damaged position is treated like a missing one: otherwise the content shown would claim to be newer or
        // older than it is.
        if let parameters, let cut, row.givesItsSum(in: 5) { content = (parameters, cut) } else { content = nil }
        savedAt = try row.decode(Double.self, atIndex: 4)
        key = try row.decode(Int64.self, atIndex: 6)
    }

    /// - Throws: `corrupt` when the index leads to another view's row: its sections would be taken for this view's.
    static func find(_ id: ViewID, _ db: Database) throws -> ViewRow? {
        // The index covers this query; the row is read separately, so that the two can be compared.
        let search = try db.cachedStatement(sql: "SELECT id FROM view WHERE screen = ? AND locale = ?")
        guard let key = try Int64.fetchOne(search, arguments: [id.screen, id.locale]) else { return nil }
        let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM view WHERE id = ?")
        guard let found = try Row.fetchOne(statement, arguments: [key]).map({ try ViewRow($0) }),
            found.id.screen.hasSameBytes(as: id.screen), found.id.locale.hasSameBytes(as: id.locale)
        else { throw MirrorError(.corrupt, "the mirror is damaged: the index of views doesn't match its table") }
        return found
    }

    /// All views, most recently saved first.
    static func all(_ db: Database) throws -> [ViewRow] {
        try Row.fetchAll(db, sql: "SELECT \(columns) FROM view ORDER BY saved_at DESC, id").map { try ViewRow($0) }
    }

    /// The views of a damaged file that can be read without indices.
    static func reachable(_ db: Database) throws -> [ViewRow] {
        var found: [ViewRow] = []
        let rows = try Row.fetchCursor(db, sql: "SELECT \(columns) FROM view NOT INDEXED")
        while let row = try? rows.next() {
            if let view = try? ViewRow(row) { found.append(view) }
        }
        return found
    }

    /// Loads everything stored of this view, with intact and damaged parts separated.
    func load(_ db: Database) throws -> StoredContent {
        var whole: [String: Version] = [:]
        var bases: [String: Version] = [:]
        var proven: [String: Version] = [:]
        for section in try SectionRow.all(view: key, db) {
            let rows = try ItemRows.load(section: section.key, db)
            switch section.content(rows) {
            case .good(let version): whole[section.name] = version
            case .damaged(_, _, let base):
                bases[section.name] = base
                proven[section.name] = section.proven(rows)
            }
        }
        guard let content, let list = whole[SectionRow.listName] else {
            // Without its list or its position, none of the view can be shown.
            return StoredContent(shown: nil, bases: whole.merging(bases) { whole, _ in whole })
        }
        let named = list.items.map(\.id)
        let names = Set(named)
        let strays = whole.keys.filter { $0 != SectionRow.listName && !names.contains($0) }
        for stray in strays { bases[stray] = whole.removeValue(forKey: stray) }
        let missing = named.filter { whole[$0] == nil && bases[$0] == nil }
        // One missing and one stray name: the name itself must have been damaged.
        if missing.count == 1, strays.count == 1 { bases[missing[0]] = bases[strays[0]] }
        whole[SectionRow.listName] = nil
        return StoredContent(
            shown: StoredView(
                id: id, parameters: content.parameters, list: list, sections: whole, cut: content.cut,
                savedAt: savedAt, damaged: named.filter { whole[$0] == nil },
                proven: proven.filter { names.contains($0.key) }),
            bases: bases)
    }

    /// The damage in this view; every sum is recomputed from its bytes.
    func damage(_ db: Database) throws -> [DamageReport] {
        let sections = try SectionRow.all(view: key, db)
        var reports: [DamageReport] = []
        var missing: [String] = []
        if content == nil {
            reports.append(report(SectionRow.listName, 0, nil, "the view's position or parameters are unreadable"))
        }
        if !sections.contains(where: { $0.name == SectionRow.listName }) {
            reports.append(report(SectionRow.listName, 0, nil, "it is missing"))
        }
        for section in sections {
            do {
                switch try section.load(db) {
                case .good(let list) where section.name == SectionRow.listName:
                    let names = Set(sections.map(\.name))
                    missing = list.items.map(\.id).filter { !names.contains($0) }
                case .good: break
                case .damaged(let found, let detail, _):
                    reports.append(report(section.name, section.sum, found, detail))
                }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                reports.append(report(section.name, section.sum, nil, "its rows are unreadable"))
            }
        }
        return reports + missing.map { report($0, 0, nil, "it is missing") }
    }

    func report(_ section: String, _ expected: UInt64, _ found: UInt64?, _ detail: String) -> DamageReport {
        DamageReport(
            screen: id.screen, locale: id.locale, section: section, expected: expected, found: found, detail: detail)
    }

    /// Creates or updates a view's row.
    ///
    /// - Returns: the row's key.
    static func store(_ view: ViewWrite, cut: Cut, savedAt: Double, _ db: Database) throws -> Int64 {
        try store(view.id, view.parameters, cut: cut, savedAt: savedAt, db)
    }

    private static func store(
        _ id: ViewID, _ parameters: [StoredParameters], cut: Cut, savedAt: Double, _ db: Database
    ) throws -> Int64 {
        // The statement below relies on the index.
        _ = try find(id, db)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let values: [(any DatabaseValueConvertible)?] = [
            id.screen, id.locale, String(decoding: try encoder.encode(parameters), as: UTF8.self), cut.stored, savedAt,
        ]
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO view (screen, locale, parameters, cut, saved_at, sum) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (screen, locale) DO UPDATE SET
                parameters = excluded.parameters, cut = excluded.cut, saved_at = excluded.saved_at, sum = excluded.sum
                RETURNING id
                """)
        let key = try Int64.fetchOne(statement, arguments: StatementArguments(values + [RowSum.of(values)]))
        guard let key else { throw MirrorError(.io, "the view \(id) was not stored") }
        return key
    }

    /// Moves the position of a view, if it is stored. One with unreadable parameters starts without any.
    static func move(_ id: ViewID, to cut: Cut, savedAt: Double, _ db: Database) throws {
        guard let row = try find(id, db) else { return }
        _ = try store(id, row.content?.parameters ?? [], cut: cut, savedAt: savedAt, db)
    }

    static func remove(_ id: ViewID, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM view WHERE screen = ? AND locale = ?", arguments: [id.screen, id.locale])
    }

    /// Removes the least recently saved views, beyond `MirrorLimit.views`.
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
