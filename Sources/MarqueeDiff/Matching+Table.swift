import MarqueeModel

// Finds pairs of items that are far apart.

extension Matching {
    /// Minimum length of a gap in the new list for which samples are tried before all old ids go into a table.
    private static let worthSampling = 64
    /// The sampled positions among 64 old items: every 16th.
    private static let samples: UInt64 = 0x0001_0001_0001_0001

    /// Pairs the items of the middle that are still unpaired.
    mutating func pairUnpaired() {
        var (paired, longestGap, end) = (0, 0, newMiddle.lowerBound)
        for index in 0..<scratch.runs.count {
            let run = scratch.runs.base[index]
            guard run.newStart >= newMiddle.lowerBound else { continue }
            paired += Int(run.count)
            longestGap = max(longestGap, run.newStart - end)
            end = run.newEnd
        }
        longestGap = max(longestGap, newMiddle.upperBound - end)
        var unpairedOld = oldMiddle.count - paired
        var unpairedNew = newMiddle.count - paired
        guard unpairedOld > 0, unpairedNew > 0 else { return }
        markUsed()
        if min(unpairedOld, longestGap) >= Self.worthSampling {
            let found = pairByTable(of: unpairedOld, for: unpairedNew, isSample: true)
            unpairedOld -= found
            unpairedNew -= found
            guard unpairedOld > 0, unpairedNew > 0 else { return }
        }
        pairByTable(of: unpairedOld, for: unpairedNew, isSample: false)
    }

    // MARK: - Positions

    private mutating func markUsed() {
        isUsedMarked = true
        let words = (oldMiddle.count + 63) >> 6
        scratch.used.resize(words)
        scratch.used.base.update(repeating: 0, count: words)
        for index in 0..<scratch.runs.count {
            let run = scratch.runs.base[index]
            guard run.oldStart >= oldMiddle.lowerBound else { continue }
            setUsed(run.oldStart, count: Int(run.count))
        }
        // Bits beyond the middle count as used.
        let rest = oldMiddle.count & 63
        if rest > 0 { scratch.used.base[words - 1] |= ~0 << UInt64(rest) }
    }

    @inline(__always)
    private func isUsed(_ oldIndex: Int) -> Bool {
        let bit = oldIndex &- oldMiddle.lowerBound
        return scratch.used.base[bit &>> 6] &>> UInt64(bit & 63) & 1 == 1
    }

    /// The first old position after an unpaired one that is paired or beyond the middle.
    private func firstUsed(after oldIndex: Int) -> Int {
        var bit = oldIndex + 1 - oldMiddle.lowerBound
        while bit < oldMiddle.count {
            let rest = scratch.used.base[bit >> 6] >> UInt64(bit & 63)
            if rest != 0 { return min(oldMiddle.lowerBound + bit + rest.trailingZeroBitCount, oldMiddle.upperBound) }
            bit = (bit | 63) + 1
        }
        return oldMiddle.upperBound
    }

    /// The end of the paired items before an unpaired old position, or the start of the middle.
    private func endOfUsed(before oldIndex: Int) -> Int {
        var bit = oldIndex - oldMiddle.lowerBound
        while bit > 0 {
            let rest = scratch.used.base[(bit - 1) >> 6] << UInt64(63 - (bit - 1) & 63)
            if rest != 0 { return oldMiddle.lowerBound + bit - rest.leadingZeroBitCount }
            bit = (bit - 1) & ~63
        }
        return oldMiddle.lowerBound
    }

    @inline(__always)
    private func setUsed(_ oldIndex: Int, count: Int) {
        var bit = oldIndex - oldMiddle.lowerBound
        var left = count
        while left > 0 {
            let size = min(left, 64 - bit & 63)
            scratch.used.base[bit >> 6] |= (~0 >> UInt64(64 - size)) << UInt64(bit & 63)
            bit += size
            left -= size
        }
    }

    // MARK: - The table

    /// Pairs unpaired items by means of a table of the old ones.
    ///
    /// - Parameters:
    ///   - count: number of unpaired old items.
    ///   - lookups: number of unpaired new items.
    ///   - isSample: whether only samples go into the table; the rest of a sample's run is found by extending the
    ///     match.
    /// - Returns: how many pairs were found.
    @discardableResult
    private mutating func pairByTable(of count: Int, for lookups: Int, isSample: Bool) -> Int {
        let candidates: UInt64 = isSample ? Self.samples : .max
        let words = scratch.used.count
        var table = IDTable(
            items: old.items, ids: old.ids, entries: min(count, words * candidates.nonzeroBitCount), lookups: lookups,
            slots: &scratch.table)
        for word in 0..<words {
            var free = ~scratch.used.base[word] & candidates
            while free != 0 {
                let bit = free.trailingZeroBitCount
                free &= free &- 1
                // If an id occurs twice, against the contract, the first one counts.
                _ = table.insert(oldMiddle.lowerBound + word << 6 + bit)
                guard !table.isOverLimit else { return pairByDictionary() }
            }
        }
        scratch.found.removeAll()
        var found = 0
        var start = newMiddle.lowerBound
        for index in 0...scratch.runs.count {
            let isRun = index < scratch.runs.count
            let end = isRun ? scratch.runs.base[index].newStart : newMiddle.upperBound
            var newIndex = start
            while newIndex < end {
                let hash = new.ids[newIndex]
                var probe = table.probe(hash)
                var next = newIndex + 1
                while let oldIndex = table.next(&probe) {
                    guard old.ids[oldIndex] == hash, !isUsed(oldIndex), pair(oldIndex, newIndex) else { continue }
                    let run = run(around: oldIndex, newIndex, in: start..<end)
                    setUsed(run.oldStart, count: Int(run.count))
                    scratch.found.append(run)
                    found += Int(run.count)
                    next = run.newEnd
                    start = next
                    break
                }
                guard !table.isOverLimit else {
                    mergeFound()
                    return found + pairByDictionary()
                }
                newIndex = next
            }
            if isRun { start = scratch.runs.base[index].newEnd }
        }
        mergeFound()
        return found
    }

    /// The run around a pair, within an unpaired range of the new list.
    @inline(__always)
    private mutating func run(around oldIndex: Int, _ newIndex: Int, in range: Range<Int>) -> MatchRun {
        var (before, after) = (0, 0)
        // Comparing one neighbour's hash first is mostly enough.
        if newIndex + 1 < range.upperBound, oldIndex + 1 < old.count, old.ids[oldIndex + 1] == new.ids[newIndex + 1] {
            let limit = min(range.upperBound - newIndex, firstUsed(after: oldIndex) - oldIndex) - 1
            after = extend(oldIndex + 1, newIndex + 1, limit: limit)
        }
        if newIndex > range.lowerBound, oldIndex > 0, old.ids[oldIndex - 1] == new.ids[newIndex - 1] {
            let limit = min(newIndex - range.lowerBound, oldIndex - endOfUsed(before: oldIndex))
            before = extendBackwards(oldIndex, newIndex, limit: limit)
        }
        return MatchRun(old: oldIndex - before, new: newIndex - before, count: before + 1 + after)
    }

    /// Pairs the rest by whole ids after the table has run out of steps: too many ids share a hash or a slot, which
    /// doesn't happen by chance.
    /// - Returns: how many pairs were found.
    private mutating func pairByDictionary() -> Int {
        var positions: [ExactString: Int] = [:]
        for index in oldMiddle where !isUsed(index) {
            let id = ExactString(old.items[index].id)
            if positions[id] == nil { positions[id] = index }
        }
        scratch.found.removeAll()
        var found = 0
        forEachGap { matching, gap in
            for newIndex in gap {
                let id = ExactString(matching.new.items[newIndex].id)
                guard let oldIndex = positions[id], !matching.isUsed(oldIndex), matching.pair(oldIndex, newIndex)
                else { continue }
                matching.setUsed(oldIndex, count: 1)
                matching.scratch.found.appendOrExtend(MatchRun(old: oldIndex, new: newIndex, count: 1))
                found += 1
            }
        }
        mergeFound()
        return found
    }

    // MARK: - Runs

    /// Calls `body` with the ranges of the old list that aren't in the new one, ascending.
    func forEachDeletedRange(_ body: (Range<Int>) -> Void) {
        guard isUsedMarked else {
            // No table was needed, so the runs ascend in the old list as well.
            var position = 0
            for index in 0...scratch.runs.count {
                let isRun = index < scratch.runs.count
                let end = isRun ? scratch.runs.base[index].oldStart : old.count
                if end > position { body(position..<end) }
                if isRun { position = scratch.runs.base[index].oldEnd }
            }
            return
        }
        var position = oldMiddle.lowerBound
        while position < oldMiddle.upperBound {
            var end = position
            while end < oldMiddle.upperBound, !isUsed(end) { end += 1 }
            if end > position { body(position..<end) }
            position = end + 1
        }
    }

    /// Calls `body` with each unpaired range of the new list's middle, ascending.
    @inline(__always)
    private mutating func forEachGap(_ body: (inout Matching, Range<Int>) -> Void) {
        var start = newMiddle.lowerBound
        for index in 0..<scratch.runs.count {
            let run = scratch.runs.base[index]
            if run.newStart > start { body(&self, start..<run.newStart) }
            start = run.newEnd
        }
        if start < newMiddle.upperBound { body(&self, start..<newMiddle.upperBound) }
    }

    /// Merges the runs in `found` into `runs`, by new position.
    mutating func mergeFound() {
        guard scratch.found.count > 0 else { return }
        scratch.merged.removeAll()
        var next = 0
        for index in 0..<scratch.runs.count {
            let run = scratch.runs.base[index]
            while next < scratch.found.count, scratch.found.base[next].new < run.new {
                scratch.merged.appendOrExtend(scratch.found.base[next])
                next += 1
            }
            scratch.merged.appendOrExtend(run)
        }
        while next < scratch.found.count {
            scratch.merged.appendOrExtend(scratch.found.base[next])
            next += 1
        }
        swap(&scratch.runs, &scratch.merged)
    }
}
