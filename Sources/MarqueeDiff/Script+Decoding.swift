extension Script {
    /// The counts that a script must agree with.
    package struct Counts: Hashable, Sendable {
        /// Items of the old list.
        package var base: Int
        /// Items of the new list.
        package var target: Int
        /// Items the patch adds.
        package var adds: Int
        /// Field changes the patch contains.
        package var updates: Int

        package init(base: Int, target: Int, adds: Int, updates: Int) {
            self.base = base
            self.target = target
            self.adds = adds
            self.updates = updates
        }
    }

    /// Decodes a script and checks that its ranges lie within the lists and that its counts add up; `deletedRanges` and
    /// `updatedPositions` check the rest. Time and memory are linear in the number of bytes.
    ///
    /// - Throws: `malformedScript`, `outOfRange`, `wrongCount` or `overLimit`.
    package init(decoding bytes: [UInt8], counts: Counts) throws(PatchError) {
        guard counts.base <= Script.maximumItems, counts.target >= 0, counts.target <= Script.maximumItems else {
            throw PatchError(.overLimit, "a list has at most \(Script.maximumItems) items")
        }
        self.init()
        var reader = VarintReader(bytes)
        var position = 0
        var keepEnd = 0
        while !reader.isAtEnd {
            let word = try reader.next()
            let count = word >> 2
            guard count >= 1, let opcode = Opcode(rawValue: word & 3) else {
                throw PatchError(.malformedScript, "an operation of the script covers nothing")
            }
            guard opcode == .update || updates.isEmpty else {
                throw PatchError(.malformedScript, "a list operation follows an update")
            }
            switch opcode {
            case .keep:
                let range = try Script.range(from: keepEnd + (try reader.next()), count: count, in: counts.base)
                keepEnd = range.upperBound
                operations.append(.keep(range))
            case .move:
                operations.append(.move(try Script.range(from: try reader.next(), count: count, in: counts.base)))
            case .add:
                operations.append(.add(count))
            case .update:
                let start = (updates.last?.upperBound ?? 0) + (try reader.next())
                updates.append(try Script.range(from: start, count: count, in: counts.target))
                continue
            }
            position += count
            guard position <= counts.target else {
                throw PatchError(.wrongCount, "the script produces more than the \(counts.target) items announced")
            }
        }
        try checkTotals(counts, position: position)
    }

    private func checkTotals(_ counts: Counts, position: Int) throws(PatchError) {
        guard position == counts.target else {
            throw PatchError(.wrongCount, "the script produces \(position) items, not \(counts.target)")
        }
        let added = operations.reduce(0) { $0 + ($1.source == nil ? $1.count : 0) }
        let updated = updates.reduce(0) { $0 + $1.count }
        guard added == counts.adds, updated == counts.updates else {
            let brought = "the patch contains \(counts.adds) and \(counts.updates)"
            throw PatchError(.wrongCount, "the script adds \(added) and updates \(updated), \(brought)")
        }
    }

    private static func range(from start: Int, count: Int, in size: Int) throws(PatchError) -> Range<Int> {
        guard start + count <= size else {
            throw PatchError(.outOfRange, "a range ends at \(start + count), the list has \(size) items")
        }
        return start..<start + count
    }

    /// The ranges of a base of `count` items that the script does not use, ascending.
    ///
    /// - Throws: `usedTwice`.
    func deletedRanges(ofBase count: Int) throws(PatchError) -> [Range<Int>] {
        // The kept ranges ascend; only the moved ones have to be sorted, as plain integers because that is fastest.
        var moved: [UInt64] = []
        for case .move(let range) in operations {
            moved.append(UInt64(range.lowerBound) << 32 | UInt64(range.upperBound))
        }
        moved.sort()
        func movedRange(_ index: Int) -> Range<Int> {
            Int(moved[index] >> 32)..<Int(truncatingIfNeeded: moved[index] & 0xFFFF_FFFF)
        }
        var deleted: [Range<Int>] = []
        var end = 0
        var nextMoved = 0
        func use(_ range: Range<Int>) throws(PatchError) {
            guard range.lowerBound >= end else {
                throw PatchError(.usedTwice, "item \(range.lowerBound) of the base is used twice")
            }
            if range.lowerBound > end { deleted.append(end..<range.lowerBound) }
            end = range.upperBound
        }
        for case .keep(let range) in operations {
            while nextMoved < moved.count, movedRange(nextMoved).lowerBound < range.lowerBound {
                try use(movedRange(nextMoved))
                nextMoved += 1
            }
            try use(range)
        }
        for index in nextMoved..<moved.count { try use(movedRange(index)) }
        if end < count { deleted.append(end..<count) }
        return deleted
    }

    /// The position of each updated item in the new and in the old list, ascending by the new one.
    ///
    /// - Throws: `updateOfAdded`.
    func updatedPositions() throws(PatchError) -> [(new: Int, old: Int)] {
        var positions: [(new: Int, old: Int)] = []
        var index = 0
        var start = 0
        for range in updates {
            for position in range {
                while position >= start + operations[index].count {
                    start += operations[index].count
                    index += 1
                }
                guard let source = operations[index].source else {
                    throw PatchError(.updateOfAdded, "item \(position) is added and updated by the same patch")
                }
                positions.append((new: position, old: source.lowerBound + position - start))
            }
        }
        return positions
    }
}
