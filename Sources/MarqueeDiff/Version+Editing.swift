package import MarqueeModel

/// One edit of a list.
package enum ListEdit: Sendable {
    case remove(at: Int)
    case insert(Item, bodyHash: UInt64, at: Int)
}

extension Version {
    /// This version after a few edits, and with a new head if one is given.
    ///
    /// Hashes only the new head and the edges at the edited places. Otherwise it costs a copy of the list's references.
    ///
    /// - Parameters:
    ///   - head: a canonical body; `nil` keeps the head.
    ///   - edits: each refers to the list as left by the preceding edits; ids stay unique.
    package func editing(head: [UInt8]?, _ edits: [ListEdit]) -> Version {
        let newHeadHash = head.map { XXH64.hash($0) } ?? headHash
        var sum = self.sum &- headHash &+ newHeadHash
        var (items, bodyHashes) = (items, bodyHashes)
        /// The edge that ends at a place, or at the end of the list.
        func edge(to place: Int, after previous: Int) -> UInt64 {
            let id = previous < 0 ? "" : items[previous].id
            guard place < items.count else { return Sum.closingEdge(from: id) }
            return Sum.edge(from: id, to: items[place], bodyHash: bodyHashes[place])
        }
        for edit in edits {
            switch edit {
            case .remove(let place):
                sum &-= edge(to: place, after: place - 1) &+ edge(to: place + 1, after: place)
                items.remove(at: place)
                bodyHashes.remove(at: place)
                sum &+= edge(to: place, after: place - 1)
            case .insert(let item, let bodyHash, let place):
                sum &-= edge(to: place, after: place - 1)
                items.insert(item, at: place)
                bodyHashes.insert(bodyHash, at: place)
                sum &+= edge(to: place, after: place - 1) &+ edge(to: place + 1, after: place)
            }
        }
        return Version(head: head ?? self.head, headHash: newHeadHash, items: items, bodyHashes: bodyHashes, sum: sum)
    }
}
