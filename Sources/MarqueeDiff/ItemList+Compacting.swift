import MarqueeModel

extension ItemList {
    /// The fewest items to a piece, on average.
    private static let itemsPerPiece = 8
    /// The most pieces, as a multiple of the square root of the count. A version with p pieces takes time proportional
    /// to p to make and compare, and one in p versions takes time proportional to the count for copying: this makes
    /// both parts of an update's cost about the same.
    private static let piecesPerRoot = 4.0
    /// The most that a list keeps in memory, as a multiple of its own items and of their bytes.
    private static let storedPerUsed = 2

    /// The most pieces of a list of this many items.
    static func maximumPieces(of count: Int) -> Int {
        1 + Swift.min(count / itemsPerPiece, Int(piecesPerRoot * Double(count).squareRoot()))
    }

    /// The same items without unused storages; in a single storage, if there are too many pieces or the storages hold
    /// too many other items.
    var compacted: ItemList {
        guard pieces.count <= Self.maximumPieces(of: count) else { return ItemList(copied()) }
        let list = withoutUnusedStorages
        guard list.storedSize <= Self.storedPerUsed * encodedSize,
            list.storages.reduce(0, { $0 + $1.items.count }) <= Self.storedPerUsed * count
        else { return ItemList(copied()) }
        return list
    }

    /// The same pieces, with no more storages than pieces.
    private var withoutUnusedStorages: ItemList {
        var isUsed = [Bool](repeating: false, count: storages.count)
        for piece in pieces { isUsed[piece.storage] = true }
        guard isUsed.contains(false) else { return self }
        var indices = [Int](repeating: 0, count: storages.count)
        var used: [ItemStorage] = []
        for index in storages.indices where isUsed[index] {
            indices[index] = used.count
            used.append(storages[index])
        }
        return ItemList(storages: used, pieces: pieces.map { $0.with(storage: indices[$0.storage]) })
    }

    /// A storage of all items, in order.
    private func copied() -> ItemStorage {
        var bodyHashes: [UInt64] = []
        var idHashes: [UInt64] = []
        var edgeTotals: [UInt64] = []
        var byteTotals: [Int] = []
        let items = [Item](unsafeUninitializedCapacity: count) { items, itemCount in
            idHashes = [UInt64](unsafeUninitializedCapacity: count) { ids, idCount in
                bodyHashes = [UInt64](unsafeUninitializedCapacity: count) { bodies, bodyCount in
                    edgeTotals = [UInt64](unsafeUninitializedCapacity: count + 1) { edges, edgeCount in
                        byteTotals = [Int](unsafeUninitializedCapacity: count + 1) { bytes, byteCount in
                            copy(items, ids, bodies, edges, bytes)
                            (edgeCount, byteCount) = (count + 1, count + 1)
                        }
                    }
                    bodyCount = count
                }
                idCount = count
            }
            itemCount = count
        }
        return ItemStorage(
            items: items, idHashes: idHashes, bodyHashes: bodyHashes, edgeTotals: edgeTotals, byteTotals: byteTotals)
    }

    /// Copies all columns to memory that isn't initialized, with room for all items.
    private func copy(
        _ items: UnsafeMutableBufferPointer<Item>, _ ids: UnsafeMutableBufferPointer<UInt64>,
        _ bodies: UnsafeMutableBufferPointer<UInt64>, _ edges: UnsafeMutableBufferPointer<UInt64>,
        _ bytes: UnsafeMutableBufferPointer<Int>
    ) {
        edges.initializeElement(at: 0, to: 0)
        bytes.initializeElement(at: 0, to: 0)
        var position = 0
        var size = 0
        for piece in pieces {
            let storage = storages[piece.storage]
            storage.withColumns(of: piece.places) { columns in
                _ = items[position...].initialize(
                    fromContentsOf: UnsafeBufferPointer(start: columns.items, count: columns.count))
                _ = ids[position...].initialize(
                    fromContentsOf: UnsafeBufferPointer(start: columns.ids, count: columns.count))
                _ = bodies[position...].initialize(
                    fromContentsOf: UnsafeBufferPointer(start: columns.bodies, count: columns.count))
            }
            // The difference between the list's running totals of bytes and the storage's.
            let sizeBefore = size - storage.byteTotals[piece.start]
            for place in piece.places {
                position += 1
                edges.initializeElement(at: position, to: piece.edges &+ storage.edgeTotals[place + 1])
                bytes.initializeElement(at: position, to: sizeBefore + storage.byteTotals[place + 1])
            }
            size = bytes[position]
        }
    }
}
