import Foundation
import GRDB
import MarqueeDiff
import MarqueeModel

/// A stored list with its head, as it lies in the tables: a section, or a view's own list of sections.
struct SectionRow {
    /// The name of the row that holds the view's own list.
    static let listName = ""

    let key: Int64
    /// The section's id.
    let name: String
    let head: [UInt8]
    /// The numbers of the item rows in order; `nil` when the stored bytes are no such list.
    let order: [Int64]?
    /// The sum as it was when the section was stored.
    let sum: UInt64

    private static let columns = "id, name, head, item_order, sum"

    private init(_ row: Row) throws {
        key = try row.decode(Int64.self, atIndex: 0)
        name = try row.decode(String.self, atIndex: 1)
        head = try row.bytes(2)
        order = ItemOrder.decoded(try row.bytes(3))
        sum = try row.unsigned(4)
    }

    /// The section stored after one, with its view; `nil` after the last.
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

    static func find(_ name: String, view: Int64, _ db: Database) throws -> SectionRow? {
        let statement = try db.cachedStatement(
            sql: "SELECT \(columns) FROM section WHERE view = ? AND name = ?")
        return try Row.fetchOne(statement, arguments: [view, name]).map { try SectionRow($0) }
    }

    static func all(view: Int64, _ db: Database) throws -> [SectionRow] {
        let statement = try db.cachedStatement(
            sql: "SELECT \(columns) FROM section WHERE view = ? ORDER BY id")
        let rows = try Row.fetchCursor(statement, arguments: [view])
        var found: [SectionRow] = []
        while let row = try rows.next() { found.append(try SectionRow(row)) }
        return found
    }

    /// Those of a damaged file that can be read, without the help of indices.
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
