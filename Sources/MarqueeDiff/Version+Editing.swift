package import MarqueeModel

/// One edit of a list.
package enum ListEdit: Sendable {
    case remove(at: Int)
    case insert(Item, bodyHash: UInt64, at: Int)
}

extension Version {
    /// This version after a few edits, with a new head if one is given.
    ///
    /// Hashes only the new head, the inserted ids and the edges at the edited positions. The items that stay are
    /// shared, not copied.
    ///
    /// - Parameters:
    ///   - head: a canonical body; `nil` keeps the head.
    ///   - edits: each refers to the list as left by the preceding edits; ids stay unique.
    package func editing(head: [UInt8]?, _ edits: [ListEdit]) -> Version {
        var segments = [Segment(start: 0, count: items.count, isKept: true)]
        var inserted = AddedItems()
        for edit in edits {
            switch edit {
            case .remove(let place):
                let index = segments.split(before: place)
                segments[index].start += 1
                segments[index].count -= 1
                if segments[index].count == 0 { segments.remove(at: index) }
            case .insert(let item, let bodyHash, let place):
                let index = segments.split(before: place)
                segments.insert(Segment(start: inserted.items.count, count: 1, isKept: false), at: index)
                inserted.append(item, idHash: XXH64.hash(id: item.id), bodyHash: bodyHash)
            }
        }
        let parts = segments.map { segment -> VersionPart in
            let range = segment.start..<segment.start + segment.count
            return segment.isKept ? .kept(range) : .added(range)
        }
        let builder = VersionBuilder(over: self, adding: inserted, parts: parts)
        return builder.version(head: head ?? self.head, headHash: head.map { XXH64.hash($0) } ?? headHash)
    }
}

/// Consecutive items of the original list, or one inserted item.
private struct Segment: BitwiseCopyable {
    /// The position in the original list, or the number of items inserted earlier.
    var start: Int
    var count: Int
    var isKept: Bool
}

extension [Segment] {
    /// Splits a segment so that one begins at this place of the list.
    ///
    /// - Returns: the index of that segment, or the number of segments if the place is the end of the list.
    fileprivate mutating func split(before place: Int) -> Int {
        var rest = place
        for index in indices {
            let segment = self[index]
            if rest == 0, segment.count > 0 { return index }
            if rest < segment.count {
                self[index].count = rest
                insert(
                    Segment(start: segment.start + rest, count: segment.count - rest, isKept: segment.isKept),
                    at: index + 1)
                return index + 1
            }
            rest -= segment.count
        }
        precondition(rest == 0, "an edit beyond the list")
        return count
    }
}
