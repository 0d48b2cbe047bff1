import MarqueeModel

@testable import MarqueeDiff

/// The columns of a version in one piece, to compare them.
extension Version {
    var idHashes: [UInt64] { items.indices.map { items.idHash(at: $0) } }
    var bodyHashes: [UInt64] { items.indices.map { items.bodyHash(at: $0) } }
    /// The edge of each item, and then the closing edge.
    var edges: [UInt64] { items.indices.map { items.edge(at: $0) } + [closingEdge] }

    /// The same content in the same pieces, with other hashes of ids.
    func withIDHashes(_ hash: (Item, UInt64) -> UInt64) -> Version {
        let storages = items.storages.map { storage in
            ItemStorage(
                items: storage.items, idHashes: zip(storage.items, storage.idHashes).map { hash($0, $1) },
                bodyHashes: storage.bodyHashes, edgeTotals: storage.edgeTotals, byteTotals: storage.byteTotals)
        }
        return Version(
            head: head, headHash: headHash, items: ItemList(storages: storages, pieces: items.pieces),
            closingEdge: closingEdge, sum: sum)
    }
}
