import MarqueeModel

/// Copies of the columns of a list's parts, made for one comparison.
///
/// Items are copied as memory, without counting references: they are only valid as long as the list is.
struct ScratchColumns {
    /// The items' bytes.
    private var items = ScratchArray<UInt64>(capacity: 1)
    private var ids = ScratchArray<UInt64>(capacity: 1)
    private var bodies = ScratchArray<UInt64>(capacity: 1)

    private static let wordsPerItem = MemoryLayout<Item>.stride / MemoryLayout<UInt64>.stride

    var bytes: Int { items.bytes + ids.bytes + bodies.bytes }

    func free() {
        items.free()
        ids.free()
        bodies.free()
    }

    /// - Parameter parts: `nil` for the whole list.
    mutating func copy(_ list: ItemList, _ parts: UnsharedParts.Parts?) -> ListColumns {
        let total = parts?.count ?? list.count
        items.resize(total * Self.wordsPerItem)
        ids.resize(total)
        bodies.resize(total)
        let copies = UnsafeMutableRawPointer(items.base).bindMemory(to: Item.self, capacity: total)
        var count = 0
        for range in parts?.ranges ?? [list.indices] {
            list.forEachPart(of: range) { storage, places in
                storage.withColumns(of: places) { columns in
                    UnsafeMutableRawPointer(copies + count).copyMemory(
                        from: columns.items, byteCount: columns.count * MemoryLayout<Item>.stride)
                    (ids.base + count).update(from: columns.ids, count: columns.count)
                    (bodies.base + count).update(from: columns.bodies, count: columns.count)
                    count += columns.count
                }
            }
        }
        return ListColumns(items: copies, ids: ids.base, bodies: bodies.base, count: total)
    }
}

extension ItemList {
    /// The storage and the places of the items of some parts, or of the whole list, if they are consecutive in memory.
    func consecutive(_ parts: UnsharedParts.Parts?) -> (storage: ItemStorage, places: Range<Int>)? {
        if let parts, parts.ranges.count != 1 { return nil }
        let range = parts?.ranges.first ?? indices
        guard !range.isEmpty else { return nil }
        let piece = pieces[pieceIndex(at: range.lowerBound)]
        guard range.upperBound <= piece.end else { return nil }
        let start = piece.start + range.lowerBound - piece.position
        return (storages[piece.storage], start..<start + range.count)
    }
}
