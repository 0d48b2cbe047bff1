extension DiffScratch {
    /// Marks the runs that move, with as few moved items as possible. The runs must ascend by new position.
    ///
    /// The items that stay are a longest increasing subsequence of the old positions. No other item lies between two
    /// items of a run, in either list, so a subsequence that contains part of a run can contain all of it.
    mutating func markMoves() {
        let runs = runs.base
        var range = 0..<self.runs.count
        guard range.count > 1 else { return }
        var (least, greatest) = (UInt32.max, UInt32.min)
        var isOrdered = true
        for index in range {
            let old = runs[index].old
            if old < greatest { isOrdered = false }
            greatest = max(greatest, old)
            least = min(least, old)
        }
        guard !isOrdered else { return }
        // A first run with the least old position and a last run with the greatest always stay. They are often most of
        // the list.
        if runs[0].old == least { range = 1..<range.upperBound }
        if runs[range.upperBound - 1].old == greatest { range = range.lowerBound..<range.upperBound - 1 }

        var items = 0
        for index in range { items += Int(runs[index].count) }
        // tails[k] is the smallest old position at which an increasing subsequence of k + 1 items ends.
        tails.resize(items)
        let tails = tails.base
        var length = 0
        for index in range {
            let old = runs[index].old
            let rank = Self.tailCount(below: old, tails: tails, count: length)
            runs[index].rank = UInt32(truncatingIfNeeded: rank)
            let size = Int(runs[index].count)
            for offset in 0..<size { tails[rank &+ offset] = old &+ UInt32(truncatingIfNeeded: offset) }
            length = max(length, rank + size)
        }
        // Backwards from the end of the longest subsequence. Of the runs that end at the same length, a later one has
        // smaller positions, so the first one found is right.
        for index in range.reversed() {
            if length > 0, Int(runs[index].rank) + Int(runs[index].count) == length {
                length = Int(runs[index].rank)
            } else {
                runs[index].rank = MatchRun.moved
            }
        }
    }

    /// The number of tails below `position`.
    @inline(__always)
    private static func tailCount(below position: UInt32, tails: UnsafeMutablePointer<UInt32>, count: Int) -> Int {
        // Most lists are nearly in order.
        guard count > 0, tails[count - 1] > position else { return count }
        var low = 0
        var high = count - 1
        while low < high {
            let middle = (low + high) >> 1
            if tails[middle] < position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
