/// The last row of a table that a transaction has read or written.
///
/// Only the transaction itself writes to the table, and notes each row here.
struct LastRow<Key: Equatable, Row> {
    private var last: (key: Key, row: Row)?

    mutating func row(_ key: Key, read: () throws -> Row) rethrows -> Row {
        if let last, last.key == key { return last.row }
        let row = try read()
        last = (key, row)
        return row
    }

    mutating func note(_ row: Row, of key: Key) { last = (key, row) }
}
