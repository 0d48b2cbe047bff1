/// The number of rows of a table, and the total of their sums.
struct TableTotal: Hashable {
    var rows = 0
    var sum: Int64 = 0

    mutating func add(_ row: Int64) {
        rows += 1
        sum = RowSum.adding(sum, row)
    }

    mutating func remove(_ row: Int64) {
        rows -= 1
        sum = RowSum.subtracting(sum, row)
    }

    // Wraps around, because a damaged file may claim any number of rows; the comparison that follows notices.
    static func + (a: TableTotal, b: TableTotal) -> TableTotal {
        TableTotal(rows: a.rows &+ b.rows, sum: RowSum.adding(a.sum, b.sum))
    }

    static func - (a: TableTotal, b: TableTotal) -> TableTotal {
        TableTotal(rows: a.rows &- b.rows, sum: RowSum.subtracting(a.sum, b.sum))
    }
}
