import MarqueeModel

/// Which items of a new list were in the old one, and how their bodies changed.
///
/// An id occurs once in each list, so any way of finding the pairs gives the same result. Hashing ids is the expensive
/// step; it is left for the items that comparing neighbours did not pair.
struct Alignment {
    /// How far ahead neighbours are compared where the lists diverge.
    private static let lookahead = 4

    private let old: Version
    private let new: Version
    /// For each new position, the old one, or nil when the item is new.
    private(set) var sources: [Int?]
    /// The change to each kept item whose body differs, by new position.
    private(set) var changes: [Int: FieldChange] = [:]
    /// The new positions between the common prefix and suffix.
    private(set) var middle: Range<Int> = 0..<0

    /// Items of the old list.
    var oldCount: Int { old.items.count }

    init(from old: Version, to new: Version) {
        self.old = old
        self.new = new
        sources = Array(repeating: nil, count: new.items.count)

        var start = 0
        var oldEnd = old.items.count
        var newEnd = new.items.count
        while start < oldEnd, start < newEnd, pair(start, start) { start += 1 }
        while oldEnd > start, newEnd > start, pair(oldEnd - 1, newEnd - 1) {
            oldEnd -= 1
            newEnd -= 1
        }
        middle = start..<newEnd
        let unpaired = pairNeighbours(old: start..<oldEnd, new: middle)
        pairByID(old: unpaired.old, new: unpaired.new)
    }

    /// Pairs two positions if the item is the same and the change to its body can be expressed.
    private mutating func pair(_ oldIndex: Int, _ newIndex: Int) -> Bool {
        guard old.items[oldIndex].hasSameIdentity(as: new.items[newIndex]) else { return false }
        if old.bodyHashes[oldIndex] != new.bodyHashes[newIndex] {
            let change = try? FieldChange.between(old: old.items[oldIndex].body, new: new.items[newIndex].body)
            guard let change else { return false }
            changes[newIndex] = change
        }
        sources[newIndex] = oldIndex
        return true
    }

    /// Walks both ranges side by side; where they diverge, looks a few items ahead for a place to resume. Returns what
    /// it did not pair.
    private mutating func pairNeighbours(old oldRange: Range<Int>, new newRange: Range<Int>) -> (old: [Int], new: [Int])
    {
        var unpaired: (old: [Int], new: [Int]) = ([], [])
        var oldIndex = oldRange.lowerBound
        var newIndex = newRange.lowerBound
        while oldIndex < oldRange.upperBound, newIndex < newRange.upperBound {
            if pair(oldIndex, newIndex) {
                oldIndex += 1
                newIndex += 1
                continue
            }
            let (oldSkip, newSkip) = skips(
                old: oldIndex..<oldRange.upperBound, new: newIndex..<newRange.upperBound)
            unpaired.old += oldIndex..<oldIndex + oldSkip
            unpaired.new += newIndex..<newIndex + newSkip
            oldIndex += oldSkip
            newIndex += newSkip
        }
        unpaired.old += oldIndex..<oldRange.upperBound
        unpaired.new += newIndex..<newRange.upperBound
        return unpaired
    }

    /// How many items to skip on each side so that the next ones match; one of each when no match is near.
    private func skips(old oldRange: Range<Int>, new newRange: Range<Int>) -> (old: Int, new: Int) {
        let firstOld = old.items[oldRange.lowerBound]
        let firstNew = new.items[newRange.lowerBound]
        for distance in 1...Alignment.lookahead {
            if distance < oldRange.count,
                old.items[oldRange.lowerBound + distance].id.hasSameBytes(as: firstNew.id)
            {
                return (distance, 0)
            }
            if distance < newRange.count,
                new.items[newRange.lowerBound + distance].id.hasSameBytes(as: firstOld.id)
            {
                return (0, distance)
            }
        }
        return (1, 1)
    }

    private mutating func pairByID(old oldIndices: [Int], new newIndices: [Int]) {
        guard !oldIndices.isEmpty, !newIndices.isEmpty else { return }
        var positions: [ExactString: Int] = [:]
        positions.reserveCapacity(oldIndices.count)
        for index in oldIndices { positions[ExactString(old.items[index].id)] = index }
        for index in newIndices {
            // Removed, so that even a list with a duplicate id never uses an old item twice.
            guard let oldIndex = positions.removeValue(forKey: ExactString(new.items[index].id)) else { continue }
            _ = pair(oldIndex, index)
        }
    }
}
