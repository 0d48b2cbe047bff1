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

    /// What the stored bytes of a section turned out to be.
    enum Content {
        case good(Version)
        /// They give another sum, or none.
        case damaged(found: UInt64?, detail: String)
    }

    /// Reads the items and recomputes every hash and the sum from their bytes.
    func load(_ db: Database) throws -> Content {
        var items: [Int64: (item: Item, hash: UInt64)] = [:]
        let statement = try db.cachedStatement(
            sql: "SELECT number, id, kind, subject, body, body_hash FROM item WHERE section = ?")
        let rows = try Row.fetchCursor(statement, arguments: [key])
        do {
            while let row = try rows.next() {
                let number = try row.decode(Int64.self, atIndex: 0)
                guard let kind = UInt32(exactly: try row.decode(Int64.self, atIndex: 2)) else {
                    return .damaged(found: nil, detail: "the kind of an item is out of range")
                }
                let item = Item(
                    id: try row.decode(String.self, atIndex: 1), kind: ItemKind(rawValue: kind),
                    subject: try row.decode(String.self, atIndex: 3), body: try row.bytes(4))
                items[number] = (item, try row.unsigned(5))
            }
        } catch is RowDecodingError {
            return .damaged(found: nil, detail: "an item holds a value of the wrong type")
        }
        guard let order else {
            return .damaged(found: nil, detail: "the order of its items is unreadable")
        }
        let ordered = order.compactMap { items[$0] }
        guard ordered.count == order.count, items.count == order.count else {
            return .damaged(
                found: nil, detail: "it should have \(order.count) items, and \(items.count) are stored")
        }
        let version = Version(head: head, items: ordered.map(\.item))
        guard version.sum != sum else { return .good(version) }
        let changed = zip(ordered, version.bodyHashes).filter { $0.0.hash != $0.1 }.map { $0.0.item.id }
        let named = changed.isEmpty ? "" : "; changed bodies: \(changed.prefix(8).joined(separator: ", "))"
        return .damaged(found: version.sum, detail: "its bytes no longer give its sum\(named)")
    }
}
