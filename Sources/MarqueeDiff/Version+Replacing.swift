package import MarqueeModel

/// The origin of the next items of a rebuilt list.
package enum ItemOrigin: Sendable {
    /// The items at these places in the previous list, unchanged.
    case kept(Range<Int>)
    /// The item at this place in the previous list, with the same id and new content.
    case updated(Int, Item, bodyHash: UInt64)
    /// A new item.
    case added(Item, bodyHash: UInt64)
}

extension [ItemOrigin] {
    /// Appends a kept item, or extends the last range by it if it follows directly.
    package mutating func keep(_ place: Int) {
        if case .kept(let range) = last, range.upperBound == place {
            self[count - 1] = .kept(range.lowerBound..<place + 1)
        } else {
            append(.kept(place..<place + 1))
        }
    }
}

extension Version {
    /// This version with a different list, and a new head if one is given.
    ///
    /// Hashes only the new head, added ids, and new edges, never bodies. The items that stay are shared, not copied.
    ///
    /// - Parameters:
    ///   - head: a canonical body; `nil` keeps the head.
    ///   - list: the whole list, using each position of the previous list at most once; ids must be unique.
    package func replacing(head: [UInt8]?, list: [ItemOrigin]) -> Version {
        var added = AddedItems()
        let parts: [VersionPart] = list.map { origin in
            let next = added.items.count
            switch origin {
            case .kept(let range): return .kept(range)
            case .updated(let place, let item, let bodyHash):
                added.append(item, idHash: items.idHash(at: place), bodyHash: bodyHash)
                return .updated(place, with: next)
            case .added(let item, let bodyHash):
                added.append(item, idHash: XXH64.hash(id: item.id), bodyHash: bodyHash)
                return .added(next..<next + 1)
            }
        }
        let builder = VersionBuilder(over: self, adding: added, parts: parts)
        return builder.version(head: head ?? self.head, headHash: head.map { XXH64.hash($0) } ?? headHash)
    }
}
