import GRDB
import MarqueeModel

/// The stored items of one section, as far as their rows can be read.
struct ItemRows {
    /// The items by row number, each with the hash stored beside its body.
    private(set) var items: [Int64: (item: Item, hash: UInt64)] = [:]
    /// The problem with a row that could not be read.
    private(set) var trouble: String?

    private static let columns = "number, id, kind, subject, body, body_hash"

    static func load(section: Int64, _ db: Database) throws -> ItemRows {
        let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM item WHERE section = ?")
        let rows = try Row.fetchCursor(statement, arguments: [section])
        var found = ItemRows()
        while let row = try rows.next() { try found.add(row) }
        return found
    }

    /// Everything in a damaged file that can be read without indices, by section: the rows before the first malformed
    /// page and those after the last one.
    static func reachable(_ db: Database) -> [Int64: ItemRows] {
        var found: [Int64: ItemRows] = [:]
        for order in ["ASC", "DESC"] {
            let sql = "SELECT \(columns), section FROM item NOT INDEXED ORDER BY number \(order)"
            guard let rows = try? Row.fetchCursor(db, sql: sql) else { continue }
            do {
                while let row = try rows.next() {
                    guard let section = try? row.decode(Int64.self, atIndex: 6) else { continue }
                    try found[section, default: ItemRows()].add(row)
                }
                // The whole table was read.
                return found
            } catch {
                continue
            }
        }
        return found
    }

    private mutating func add(_ row: Row) throws {
        do {
            guard let kind = UInt32(exactly: try row.decode(Int64.self, atIndex: 2)) else {
                trouble = "the kind of an item is out of range"
                return
            }
            let item = Item(
                id: try row.decode(String.self, atIndex: 1), kind: ItemKind(rawValue: kind),
                subject: try row.decode(String.self, atIndex: 3), body: try row.bytes(4))
            items[try row.decode(Int64.self, atIndex: 0)] = (item, try row.unsigned(5))
        } catch is RowDecodingError {
            trouble = "an item holds a value of the wrong type"
        }
    }
}
