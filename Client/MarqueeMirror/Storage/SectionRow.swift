import Foundation
import GRDB
import MarqueeDiff
import MarqueeModel

/// A stored list with its head, as rows: a section, or a view's own list of sections.
struct SectionRow {
    /// The name of the row that holds the view's own list.
    static let listName = ""

    let key: Int64
    /// The section's id.
    let name: String
    let head: [UInt8]
    /// The numbers of the item rows, in order; `nil` when the stored bytes don't form such a list.
    let order: [Int64]?
    /// The sum at the time the section was stored.
    let sum: UInt64

    private static let columns = "id, name, head, item_order, sum"

    private init(_ row: Row) throws {
        key = try row.decode(Int64.self, atIndex: 0)
        name = try row.decode(String.self, atIndex: 1)
        head = try row.bytes(2)
        order = ItemOrder.decoded(try row.bytes(3))
        sum = try row.unsigned(4)
    }

    /// The section stored after another one, with its view; `nil` after the last.
    static func next(after key: Int64, _ db: Database) throws -> (view: ViewID?, row: SectionRow)? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT section.id, name, head, item_order, section.sum, screen, locale
                FROM section LEFT JOIN view ON view.id = section.view WHERE section.id > ? ORDER BY section.id LIMIT 1
                """)
        guard let row = try Row.fetchOne(statement, arguments: [key]) else { return nil }
        let screen = try row.decode(String?.self, atIndex: 5)
        let locale = try row.decode(String?.self, atIndex: 6)
        let view = screen.flatMap { screen in locale.map { ViewID(screen: screen, locale: $0) } }
        return (view, try SectionRow(row))
    }

    /// - Throws: `corrupt` when the index leads to another section's row.
    static func find(_ name: String, view: Int64, _ db: Database) throws -> SectionRow? {
        let search = try db.cachedStatement(sql: "SELECT id FROM section WHERE view = ? AND name = ?")
        return try Int64.fetchOne(search, arguments: [view, name]).map { try load($0, name, view: view, db) }
    }

    /// - Throws: `corrupt` when the index leads to a row of another view or name: its bytes match their sum, so it
    ///   would be shown in the wrong place.
    static func all(view: Int64, _ db: Database) throws -> [SectionRow] {
        // The index covers this query; the rows are read separately, so that the two can be compared.
        let search = try db.cachedStatement(sql: "SELECT id, name FROM section WHERE view = ? ORDER BY id")
        return try Row.fetchAll(search, arguments: [view]).map { entry in
            try load(
                try entry.decode(Int64.self, atIndex: 0), try entry.decode(String.self, atIndex: 1), view: view, db)
        }
    }

    private static func load(_ key: Int64, _ name: String, view: Int64, _ db: Database) throws -> SectionRow {
        let statement = try db.cachedStatement(sql: "SELECT \(columns), view FROM section WHERE id = ?")
        guard let row = try Row.fetchOne(statement, arguments: [key]) else { throw badIndex }
        let found = try SectionRow(row)
        guard try row.decode(Int64.self, atIndex: 5) == view, found.name.hasSameBytes(as: name) else { throw badIndex }
        return found
    }

    private static let badIndex = MirrorError(
        .corrupt, "the mirror is damaged: the index of sections doesn't match its table")

    /// The sections of a damaged file that can be read without indices.
    static func reachable(view: Int64, _ db: Database) -> [SectionRow] {
        var found: [SectionRow] = []
        let sql = "SELECT \(columns) FROM section NOT INDEXED WHERE view = ?"
        guard let rows = try? Row.fetchCursor(db, sql: sql, arguments: [view]) else { return [] }
        while let row = try? rows.next() {
            if let section = try? SectionRow(row) { found.append(section) }
        }
        return found
    }
}
