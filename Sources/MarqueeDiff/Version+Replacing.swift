package import MarqueeModel

/// The origin of an item of a rebuilt list.
package enum ItemOrigin: Sendable {
    /// The item at this place in the previous list, unchanged.
    case kept(Int)
    /// The item at this place in the previous list, with the same id and new content.
    case updated(Int, Item, bodyHash: UInt64)
    /// A new item.
    case added(Item, bodyHash: UInt64)

    /// The place in the previous list.
    fileprivate var place: Int? {
        switch self {
        case .kept(let place), .updated(let place, _, _): place
        case .added: nil
        }
    }
}

extension Version {
    /// This version with a different list, and a new head if one is given.
    ///
    /// Hashes only the new head, changed and added ids, and new edges, never bodies. The remaining cost is a copy of
    /// the list's references.
    ///
    /// - Parameters:
    ///   - head: a canonical body; `nil` keeps the head.
    ///   - list: the whole list, using each position of the previous list at most once; ids must be unique.
    package func replacing(head: [UInt8]?, list: [ItemOrigin]) -> Version {
        let newHeadHash = head.map { XXH64.hash($0) } ?? headHash
        var sum = newHeadHash
        var newItems: [Item] = []
        var newIDs: [UInt64] = []
        var newHashes: [UInt64] = []
        var newEdges: [UInt64] = []
        newItems.reserveCapacity(list.count)
        newIDs.reserveCapacity(list.count)
        newHashes.reserveCapacity(list.count)
        newEdges.reserveCapacity(list.count + 1)
        var previousPlace: Int? = -1
        var previousID = ""
        for origin in list {
            let edge: UInt64
            switch origin {
            case .kept(let place):
                newItems.append(items[place])
                newIDs.append(idHashes[place])
                newHashes.append(bodyHashes[place])
                // The edge is unchanged if the predecessor is the same.
                edge =
                    previousPlace == place - 1
                    ? edges[place] : Sum.edge(from: previousID, to: items[place], bodyHash: bodyHashes[place])
            case .updated(_, let item, let bodyHash), .added(let item, let bodyHash):
                newItems.append(item)
                newIDs.append(XXH64.hash(id: item.id))
                newHashes.append(bodyHash)
                edge = Sum.edge(from: previousID, to: item, bodyHash: bodyHash)
            }
            newEdges.append(edge)
            sum &+= edge
            previousPlace = origin.place
            previousID = newItems[newItems.count - 1].id
        }
        let closing =
            previousPlace == items.count - 1 ? edges[items.count] : Sum.closingEdge(from: previousID)
        newEdges.append(closing)
        return Version(
            head: head ?? self.head, headHash: newHeadHash, items: newItems, idHashes: newIDs, bodyHashes: newHashes,
            edges: newEdges, sum: sum &+ closing)
    }
}
