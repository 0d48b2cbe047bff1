import MarqueeModel

/// The ranges of two lists with the items that the lists don't share.
///
/// Only these are compared. Positions in them are counted as if the shared items weren't there.
struct UnsharedParts {
    /// Ranges of a list, ascending.
    struct Parts {
        private(set) var ranges: [Range<Int>] = []
        /// The number of items in the ranges before each one.
        private var counts: [Int] = []
        private(set) var count = 0

        mutating func append(_ range: Range<Int>) {
            guard !range.isEmpty else { return }
            ranges.append(range)
            counts.append(count)
            count += range.count
        }

        /// The position in the list of an item of the parts, and the number of items from there to the end of its part.
        func place(of position: Int) -> (position: Int, left: Int) {
            var (low, high) = (0, ranges.count - 1)
            while low < high {
                let middle = (low + high + 1) / 2
                if counts[middle] <= position { low = middle } else { high = middle - 1 }
            }
            let place = ranges[low].lowerBound + position - counts[low]
            return (place, ranges[low].upperBound - place)
        }
    }

    var old = Parts()
    var new = Parts()
}

/// Consecutive items of one storage, at some place in a list.
private struct Segment {
    var storage: ObjectIdentifier
    var places: Range<Int>
    /// The number to add to a place to get the position in the list.
    var offset: Int

    /// Whether it lies before another segment, without overlapping it.
    func isBefore(_ other: Segment) -> Bool {
        storage == other.storage ? places.upperBound <= other.places.lowerBound : storage < other.storage
    }
}

extension ItemList {
    fileprivate func segments(of range: Range<Int>) -> [Segment] {
        var segments: [Segment] = []
        var position = range.lowerBound
        forEachPart(of: range) { storage, places in
            segments.append(
                Segment(storage: ObjectIdentifier(storage), places: places, offset: position - places.lowerBound))
            position += places.count
        }
        return segments
    }
}

extension DiffScratch {
    /// Finds the items that two lists share, without looking at them: those at the same places of the same storages.
    /// Leaves their runs in `shared`, ascending by new position.
    ///
    /// - Returns: the parts left to compare; `nil` if the lists share nothing.
    mutating func pairShared(_ old: ItemList, _ new: ItemList) -> UnsharedParts? {
        if old.storages.count == 1, new.storages.count == 1, old.storages[0] !== new.storages[0] { return nil }
        shared.removeAll()
        let start = sharedStart(old, new)
        if start > 0 { shared.append(MatchRun(old: 0, new: 0, count: start)) }
        let end = sharedEnd(old, new, limit: min(old.count, new.count) - start)
        pairShared(old.segments(of: start..<old.count - end), new.segments(of: start..<new.count - end))
        if end > 0 { shared.appendOrExtend(MatchRun(old: old.count - end, new: new.count - end, count: end)) }
        return shared.count > 0 ? unshared(old: old.count, new: new.count) : nil
    }

    /// The number of items that both lists begin with.
    private func sharedStart(_ old: ItemList, _ new: ItemList) -> Int {
        var (oldIndex, newIndex, count) = (0, 0, 0)
        while oldIndex < old.pieces.count, newIndex < new.pieces.count {
            let (a, b) = (old.pieces[oldIndex], new.pieces[newIndex])
            guard a.start - a.position == b.start - b.position,
                old.storages[a.storage] === new.storages[b.storage]
            else { break }
            count = min(a.end, b.end)
            if a.end == count { oldIndex += 1 }
            if b.end == count { newIndex += 1 }
        }
        return count
    }

    /// The number of items that both lists end with, at most `limit`.
    private func sharedEnd(_ old: ItemList, _ new: ItemList, limit: Int) -> Int {
        var (oldIndex, newIndex, count) = (old.pieces.count - 1, new.pieces.count - 1, 0)
        while count < limit {
            let (a, b) = (old.pieces[oldIndex], new.pieces[newIndex])
            let (oldCount, newCount) = (old.count - a.position, new.count - b.position)
            guard a.start + oldCount == b.start + newCount, old.storages[a.storage] === new.storages[b.storage]
            else { break }
            count = min(oldCount, newCount)
            if oldCount == count { oldIndex -= 1 }
            if newCount == count { newIndex -= 1 }
        }
        return min(count, limit)
    }

    /// Pairs the items of segments in any order.
    private mutating func pairShared(_ old: [Segment], _ new: [Segment]) {
        guard !old.isEmpty, !new.isEmpty else { return }
        let sorted = old.sorted { $0.isBefore($1) }
        for segment in new {
            var (low, high) = (0, sorted.count)
            while low < high {
                let middle = (low + high) / 2
                if sorted[middle].isBefore(segment) { low = middle + 1 } else { high = middle }
            }
            for other in sorted[low...] {
                guard !segment.isBefore(other) else { break }
                let places = segment.places.clamped(to: other.places)
                shared.appendOrExtend(
                    MatchRun(
                        old: places.lowerBound + other.offset, new: places.lowerBound + segment.offset,
                        count: places.count))
            }
        }
    }

    /// Returns the parts of lists of these lengths that the shared runs don't cover.
    private mutating func unshared(old oldCount: Int, new newCount: Int) -> UnsharedParts {
        var parts = UnsharedParts()
        var end = 0
        var ascends = true
        for index in 0..<shared.count {
            let run = shared.base[index]
            parts.new.append(end..<run.newStart)
            end = run.newEnd
            if index > 0, run.old < shared.base[index - 1].old { ascends = false }
        }
        parts.new.append(end..<newCount)
        var runs = Array(UnsafeBufferPointer(start: shared.base, count: shared.count))
        if !ascends { runs.sort { $0.old < $1.old } }
        end = 0
        for run in runs {
            parts.old.append(end..<run.oldStart)
            end = run.oldEnd
        }
        parts.old.append(end..<oldCount)
        return parts
    }
}

extension Matching {
    /// Turns positions in the parts into positions in the lists, adds the shared runs, and marks the moves.
    ///
    /// - Parameter parts: the parts that were compared; `nil` for the lists as a whole.
    mutating func complete(_ parts: UnsharedParts?) {
        if let parts {
            scratch.found.removeAll()
            for index in 0..<scratch.runs.count {
                let run = scratch.runs.base[index]
                var done = 0
                while done < Int(run.count) {
                    let old = parts.old.place(of: run.oldStart + done)
                    let new = parts.new.place(of: run.newStart + done)
                    let count = min(Int(run.count) - done, old.left, new.left)
                    scratch.found.append(MatchRun(old: old.position, new: new.position, count: count))
                    done += count
                }
            }
            for index in changes.indices {
                changes[index].position = parts.new.place(of: changes[index].position).position
            }
            swap(&scratch.runs, &scratch.shared)
            mergeFound()
        }
        scratch.markMoves()
    }
}
