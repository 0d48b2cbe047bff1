import MarqueeModel

/// Items and their hashes, made once and shared by every version that contains some of them.
final class ItemStorage: Sendable {
    let items: [Item]
    /// XXH64 of each item's id.
    let idHashes: [UInt64]
    /// XXH64 of each item's body.
    let bodyHashes: [UInt64]
    /// The total of the edges before each item, then that of all edges; see `Sum`. Each edge is that of the item in the
    /// list that the storage was made for.
    let edgeTotals: [UInt64]
    /// The bytes of the items before each one, then those of all items; see `Item.encodedSize`.
    let byteTotals: [Int]

    /// - Parameters:
    ///   - idHashes: one for each item, like `bodyHashes`.
    ///   - edgeTotals: one more than items, like `byteTotals`.
    init(items: [Item], idHashes: [UInt64], bodyHashes: [UInt64], edgeTotals: [UInt64], byteTotals: [Int]) {
        precondition(
            idHashes.count == items.count && bodyHashes.count == items.count && edgeTotals.count == items.count + 1
                && byteTotals.count == items.count + 1, "columns of different lengths")
        self.items = items
        self.idHashes = idHashes
        self.bodyHashes = bodyHashes
        self.edgeTotals = edgeTotals
        self.byteTotals = byteTotals
    }

    /// Bytes of all items.
    var bytes: Int { byteTotals[items.count] }

    /// Lends the columns of some of the items, which must not escape `body`.
    @inline(__always)
    func withColumns<Result>(of range: Range<Int>, _ body: (ListColumns) throws -> Result) rethrows -> Result {
        precondition(range.lowerBound >= 0 && range.upperBound <= items.count, "places beyond the storage")
        let start = range.lowerBound
        return try items.withUnsafeBufferPointer { items in
            try idHashes.withUnsafeBufferPointer { ids in
                try bodyHashes.withUnsafeBufferPointer { bodies in
                    guard let items = items.baseAddress, let ids = ids.baseAddress, let bodies = bodies.baseAddress
                    else { return try body(.none) }
                    return try body(
                        ListColumns(items: items + start, ids: ids + start, bodies: bodies + start, count: range.count))
                }
            }
        }
    }
}

/// Columns of consecutive items, borrowed.
struct ListColumns {
    let items: UnsafePointer<Item>
    let ids: UnsafePointer<UInt64>
    let bodies: UnsafePointer<UInt64>
    let count: Int

    /// The columns of no items. The pointers are never dereferenced.
    static var none: ListColumns {
        let nothing = UnsafeRawPointer(bitPattern: MemoryLayout<Item>.alignment).unsafelyUnwrapped
        return ListColumns(
            items: nothing.assumingMemoryBound(to: Item.self), ids: nothing.assumingMemoryBound(to: UInt64.self),
            bodies: nothing.assumingMemoryBound(to: UInt64.self), count: 0)
    }
}

extension Item {
    /// Roughly the bytes of the item on the wire.
    package var encodedSize: Int { body.count + id.utf8.count + subject.utf8.count + 12 }
}
