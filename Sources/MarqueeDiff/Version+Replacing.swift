package import MarqueeModel

/// Where an item of a rebuilt list comes from.
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
    /// Hashes only the new head and the edges added or removed; bodies are never hashed. Otherwise it costs a copy of
    /// the list's references.
    ///
    /// - Parameters:
    ///   - head: a canonical body; `nil` keeps the head.
    ///   - list: the whole list, with each place of the previous list at most once; ids stay unique.
    package func replacing(head: [UInt8]?, list: [ItemOrigin]) -> Version {
        let newHeadHash = head.map { XXH64.hash($0) } ?? headHash
        var sum = self.sum &- headHash &+ newHeadHash
        var newItems: [Item] = []
        var newHashes: [UInt64] = []
        newItems.reserveCapacity(list.count)
        newHashes.reserveCapacity(list.count)
        // An edge is unchanged where a kept item still has the same predecessor. The closing edge counts as one more
        // item.
        var staying = [Bool](repeating: false, count: items.count + 1)
        var previousPlace: Int? = -1
        var previousID = ""
        for origin in list {
            switch origin {
            case .kept(let place):
                newItems.append(items[place])
                newHashes.append(bodyHashes[place])
                if previousPlace == place - 1 { staying[place] = true }
            case .updated(_, let item, let bodyHash), .added(let item, let bodyHash):
                newItems.append(item)
                newHashes.append(bodyHash)
            }
            let index = newItems.count - 1
            let stays = if case .kept(let place) = origin { staying[place] } else { false }
            if !stays { sum &+= Sum.edge(from: previousID, to: newItems[index], bodyHash: newHashes[index]) }
            previousPlace = origin.place
            previousID = newItems[index].id
        }
        if previousPlace == items.count - 1 {
            staying[items.count] = true
        } else {
            sum &+= Sum.closingEdge(from: previousID)
        }
        for (place, stays) in staying.enumerated() where !stays {
            let before = place == 0 ? "" : items[place - 1].id
            if place < items.count {
                sum &-= Sum.edge(from: before, to: items[place], bodyHash: bodyHashes[place])
            } else {
                sum &-= Sum.closingEdge(from: before)
            }
        }
        return Version(
            head: head ?? self.head, headHash: newHeadHash, items: newItems, bodyHashes: newHashes, sum: sum)
    }
}
