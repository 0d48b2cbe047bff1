package import MarqueeModel

/// One edit of a list.
package enum ListEdit: Sendable {
    case remove(at: Int)
    case insert(Item, bodyHash: UInt64, at: Int)
}

extension Version {
    /// This version after a few edits, with a new head if one is given.
    ///
    /// Hashes only the new head, the inserted ids and the edges at the edited positions. The remaining cost is a copy
    /// of the list's references.
    ///
    /// - Parameters:
    ///   - head: a canonical body; `nil` keeps the head.
    ///   - edits: each refers to the list as left by the preceding edits; ids stay unique.
    package func editing(head: [UInt8]?, _ edits: [ListEdit]) -> Version {
        let newHeadHash = head.map { XXH64.hash($0) } ?? headHash
        var sum = self.sum &- headHash &+ newHeadHash
        var (items, idHashes, bodyHashes, edges) = (items, idHashes, bodyHashes, edges)
        /// Recomputes the edge to a position, or to the end of the list.
        func renewEdge(to place: Int) {
            let id = place == 0 ? "" : items[place - 1].id
            let edge =
                place < items.count
                ? Sum.edge(from: id, to: items[place], bodyHash: bodyHashes[place]) : Sum.closingEdge(from: id)
            sum = sum &- edges[place] &+ edge
            edges[place] = edge
        }
        for edit in edits {
            switch edit {
            case .remove(let place):
                items.remove(at: place)
                idHashes.remove(at: place)
                bodyHashes.remove(at: place)
                sum &-= edges.remove(at: place)
                renewEdge(to: place)
            case .insert(let item, let bodyHash, let place):
                items.insert(item, at: place)
                idHashes.insert(XXH64.hash(id: item.id), at: place)
                bodyHashes.insert(bodyHash, at: place)
                edges.insert(0, at: place)
                renewEdge(to: place)
                renewEdge(to: place + 1)
            }
        }
        return Version(
            head: head ?? self.head, headHash: newHeadHash, items: items, idHashes: idHashes, bodyHashes: bodyHashes,
            edges: edges, sum: sum)
    }
}
