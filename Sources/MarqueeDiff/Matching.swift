import MarqueeModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The items of a new list that were in the old one, as runs.
///
/// An id occurs once in each list, so every way of finding the pairs gives the same result. Each step is cheaper than
/// the next and leaves it less to do. Equal ends are trimmed. The middle is walked side by side, looking a few items
/// ahead where the lists diverge. In the rest, large blocks are found by a few samples and extended in both directions.
/// Only what is left after that goes through a table of ids.
///
/// Hashes only suggest a pair. A pair counts only if both items are made of the same references, or if their ids, kinds
/// and subjects are equal. So a collision of id hashes costs time but never gives a wrong pair. Bodies with equal
/// hashes count as equal, as they do in sums.
struct Matching {
    let old: ListColumns
    let new: ListColumns
    var scratch: DiffScratch
    /// The change to each paired item whose body differs, by new position; ascending once all pairs are found.
    var changes: [(position: Int, change: FieldChange)] = []
    /// The old positions between the equal ends.
    private(set) var oldMiddle: Range<Int> = 0..<0
    /// Whether `scratch.used` marks the paired positions of `oldMiddle`, because a table was needed.
    var isUsedMarked = false
    private(set) var newMiddle: Range<Int> = 0..<0

    /// Maximum items skipped where the lists diverge, in both lists together.
    private static let lookahead = 4
    /// Items compared at once as memory, where as many are left.
    private static let largeBlock = 16
    private static let smallBlock = 4
    /// Consecutive failures to find a match ahead after which the walk ends.
    private static let maximumFailures = 4

    /// Finds all pairs.
    init(from old: ListColumns, to new: ListColumns, _ scratch: DiffScratch) {
        self.old = old
        self.new = new
        self.scratch = scratch
        self.scratch.runs.removeAll()

        let start = extend(0, 0, limit: min(old.count, new.count))
        if start > 0 { self.scratch.runs.append(MatchRun(old: 0, new: 0, count: start)) }
        let end = extendBackwards(old.count, new.count, limit: min(old.count, new.count) - start)
        oldMiddle = start..<old.count - end
        newMiddle = start..<new.count - end
        if !oldMiddle.isEmpty, !newMiddle.isEmpty {
            follow()
            pairUnpaired()
        }
        if end > 0 {
            self.scratch.runs.appendOrExtend(MatchRun(old: old.count - end, new: new.count - end, count: end))
        }
        if changes.count > 1 { changes.sort { $0.position < $1.position } }
    }

    // MARK: - Pairs

    /// Whether both are the same item and the change to its body, if any, can be expressed. Records that change in
    /// `changes`.
    @inline(__always)
    mutating func pair(_ oldIndex: Int, _ newIndex: Int) -> Bool {
        old.ids[oldIndex] == new.ids[newIndex]
            && (isSameMemory(oldIndex, newIndex, 1) || pairByBytes(oldIndex, newIndex))
    }

    /// Whether this many items from two positions on have the same bytes in memory. If so, they hold the same
    /// references and are equal. That is cheap to test, and most of a version usually comes from the previous one.
    ///
    /// An item has no padding between its fields; a test checks that.
    @inline(__always)
    private func isSameMemory(_ oldIndex: Int, _ newIndex: Int, _ count: Int) -> Bool {
        memcmp(old.items + oldIndex, new.items + newIndex, count &* MemoryLayout<Item>.stride) == 0
    }

    /// The number of consecutive pairs from these two positions on, at most `limit`.
    mutating func extend(_ oldIndex: Int, _ newIndex: Int, limit: Int) -> Int {
        var count = 0
        while count < limit {
            count &+= same(Self.largeBlock, oldIndex &+ count, newIndex &+ count, limit: limit &- count)
            count &+= same(Self.smallBlock, oldIndex &+ count, newIndex &+ count, limit: limit &- count)
            guard count < limit, pair(oldIndex &+ count, newIndex &+ count) else { break }
            count &+= 1
        }
        return count
    }

    /// The number of items in consecutive blocks from these two positions on with the same bytes in memory.
    @inline(__always)
    private func same(_ block: Int, _ oldIndex: Int, _ newIndex: Int, limit: Int) -> Int {
        var count = 0
        // The last ids' hashes tell whether it is worthwhile.
        while count &+ block <= limit,
            old.ids[oldIndex &+ count &+ block &- 1] == new.ids[newIndex &+ count &+ block &- 1],
            isSameMemory(oldIndex &+ count, newIndex &+ count, block)
        { count &+= block }
        return count
    }

    /// The number of consecutive pairs before these two positions, at most `limit`.
    mutating func extendBackwards(_ oldEnd: Int, _ newEnd: Int, limit: Int) -> Int {
        var count = 0
        while count < limit {
            let block = Self.largeBlock
            while count &+ block <= limit,
                old.ids[oldEnd &- count &- block] == new.ids[newEnd &- count &- block],
                isSameMemory(oldEnd &- count &- block, newEnd &- count &- block, block)
            { count &+= block }
            guard count < limit, pair(oldEnd &- count &- 1, newEnd &- count &- 1) else { break }
            count &+= 1
        }
        return count
    }

    @inline(never)
    private mutating func pairByBytes(_ oldIndex: Int, _ newIndex: Int) -> Bool {
        guard old.items[oldIndex].hasSameIdentity(as: new.items[newIndex]) else { return false }
        guard old.bodies[oldIndex] != new.bodies[newIndex] else { return true }
        let change = try? FieldChange.between(old: old.items[oldIndex].body, new: new.items[newIndex].body)
        guard let change else { return false }
        changes.append((newIndex, change))
        return true
    }

    // MARK: - Side by side

    /// Walks the middle of both lists side by side until they diverge for too long.
    private mutating func follow() {
        var oldIndex = oldMiddle.lowerBound
        var newIndex = newMiddle.lowerBound
        var failures = 0
        while failures < Self.maximumFailures {
            let (oldLeft, newLeft) = (oldMiddle.upperBound - oldIndex, newMiddle.upperBound - newIndex)
            guard oldLeft > 0, newLeft > 0 else { return }
            let skip = skip(oldIndex, newIndex, oldLeft: oldLeft, newLeft: newLeft)
            guard let skip else {
                failures += 1
                oldIndex += min(failures, oldLeft)
                newIndex += min(failures, newLeft)
                continue
            }
            oldIndex += skip.old
            newIndex += skip.new
            let count = extend(oldIndex, newIndex, limit: min(oldLeft - skip.old, newLeft - skip.new))
            guard count > 0 else { continue }
            failures = 0
            scratch.runs.appendOrExtend(MatchRun(old: oldIndex, new: newIndex, count: count))
            oldIndex += count
            newIndex += count
        }
    }

    /// The number of items to skip in each list so that the next ones match; `nil` if none match within `lookahead`.
    /// The items at the two positions themselves don't match.
    @inline(__always)
    private func skip(_ oldIndex: Int, _ newIndex: Int, oldLeft: Int, newLeft: Int) -> (old: Int, new: Int)? {
        let (olds, news) = (old.ids + oldIndex, new.ids + newIndex)
        for distance in 1...Self.lookahead {
            var oldSkip = min(distance, oldLeft - 1)
            while oldSkip >= 0, distance - oldSkip < newLeft {
                if olds[oldSkip] == news[distance &- oldSkip] { return (oldSkip, distance &- oldSkip) }
                oldSkip &-= 1
            }
        }
        return nil
    }
}
