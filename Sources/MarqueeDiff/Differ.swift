import MarqueeModel

/// Computes the patch from one version to another.
package enum Differ {
    /// The patch from `base` to `target` that moves the fewest items.
    ///
    /// An item whose kind or subject changes, or whose body changes and isn't canonical, is deleted and added. Heads
    /// must be canonical; otherwise `applying` refuses the patch with `invalidBody`.
    package static func patch(from base: Version, to target: Version) -> Patch {
        matching(from: base, to: target) { matching, parts in
            let added = matching.addedItems
            matching.complete(parts)
            let script = matching.scratch.script(
                count: target.items.count, updated: matching.changes.lazy.map(\.position))
            return Patch(
                base: base.sum, target: target.sum, script: script, adds: added,
                updates: matching.changes.map(\.change), head: headChange(from: base, to: target),
                count: target.items.count)
        }
    }

    /// The positions of the items that are deleted, inserted, moved and updated from `base` to `target`, with the
    /// fewest moves.
    package static func transition(from base: Version, to target: Version) -> ListTransition {
        matching(from: base, to: target) { matching, parts in
            var transition = ListTransition(
                base: base.sum, target: target.sum, headChanged: base.headHash != target.headHash)
            matching.forEachDeletedRange { range in
                guard let parts else { return transition.deleted += range }
                transition.deleted += range.lazy.map { parts.old.place(of: $0).position }
            }
            matching.complete(parts)
            var position = 0
            for index in 0..<matching.scratch.runs.count {
                let run = matching.scratch.runs.base[index]
                if run.newStart > position { transition.inserted += position..<run.newStart }
                position = run.newEnd
                if run.isMoved { transition.appendMove(from: run.oldStart..<run.oldEnd, to: run.newStart) }
            }
            if position < target.items.count { transition.inserted += position..<target.items.count }
            transition.updated = matching.changes.map(\.position)
            return transition
        }
    }

    /// Finds the pairs of items that the lists don't share.
    ///
    /// - Parameter body: receives the pairs, and the parts that their positions refer to; see `Matching.complete`.
    static func matching<Result>(
        from base: Version, to target: Version, _ body: (inout Matching, UnsharedParts?) -> Result
    ) -> Result {
        // Copied columns are valid as long as the versions.
        withExtendedLifetime((base, target)) {
            var scratch = DiffScratch.take()
            let parts = scratch.pairShared(base.items, target.items)
            let (oldMemory, newMemory) = (base.items.consecutive(parts?.old), target.items.consecutive(parts?.new))
            let oldCopy = oldMemory == nil ? scratch.old.copy(base.items, parts?.old) : .none
            let newCopy = newMemory == nil ? scratch.new.copy(target.items, parts?.new) : .none
            func compare(_ old: ListColumns, _ new: ListColumns) -> Result {
                var matching = Matching(from: old, to: new, scratch)
                defer { matching.scratch.giveBack() }
                return body(&matching, parts)
            }
            func compare(_ old: ListColumns) -> Result {
                guard let newMemory else { return compare(old, newCopy) }
                return newMemory.storage.withColumns(of: newMemory.places) { compare(old, $0) }
            }
            guard let oldMemory else { return compare(oldCopy) }
            return oldMemory.storage.withColumns(of: oldMemory.places) { compare($0) }
        }
    }

    private static func headChange(from base: Version, to target: Version) -> FieldChange? {
        guard base.headHash != target.headHash else { return nil }
        if let change = try? FieldChange.between(old: base.head, new: target.head) { return change }
        return FieldChange(records: target.head)
    }
}

extension Matching {
    /// The items that are only in the new list. Positions must still refer to the parts.
    fileprivate var addedItems: [Item] {
        var kept = 0
        for index in 0..<scratch.runs.count { kept += Int(scratch.runs.base[index].count) }
        guard kept < new.count else { return [] }
        return [Item](unsafeUninitializedCapacity: new.count - kept) { buffer, count in
            var position = 0
            for index in 0...scratch.runs.count {
                let isRun = index < scratch.runs.count
                let end = isRun ? scratch.runs.base[index].newStart : new.count
                for place in position..<end {
                    buffer.initializeElement(at: count, to: new.items[place])
                    count += 1
                }
                if isRun { position = scratch.runs.base[index].newEnd }
            }
        }
    }
}

extension DiffScratch {
    /// The script of the runs, whose moves must have been marked.
    ///
    /// - Parameters:
    ///   - count: number of items in the new list; those outside runs are added.
    ///   - updated: the new positions of items whose body differs, ascending.
    mutating func script(count: Int, updated: some Sequence<Int>) -> [UInt8] {
        script.removeAll()
        var writer = ScriptWriter(bytes: script)
        var position = 0
        for index in 0..<runs.count {
            let run = runs.base[index]
            if run.newStart > position { writer.add(run.newStart - position) }
            if run.isMoved {
                writer.move(run.oldStart, count: Int(run.count))
            } else {
                writer.keep(run.oldStart, count: Int(run.count))
            }
            position = run.newEnd
        }
        if position < count { writer.add(count - position) }
        var range = 0..<0
        for position in updated {
            if position == range.upperBound {
                range = range.lowerBound..<position + 1
            } else {
                if !range.isEmpty { writer.update(range) }
                range = position..<position + 1
            }
        }
        if !range.isEmpty { writer.update(range) }
        script = writer.bytes
        return Array(UnsafeBufferPointer(start: script.base, count: script.count))
    }
}

/// Writes the operations of a script; see `Script` for the format.
struct ScriptWriter {
    private(set) var bytes: ScratchArray<UInt8>
    private var keepEnd = 0
    private var updateEnd = 0

    init(bytes: ScratchArray<UInt8>) { self.bytes = bytes }

    mutating func keep(_ start: Int, count: Int) {
        append(count, .keep)
        append(start - keepEnd)
        keepEnd = start + count
    }

    mutating func move(_ start: Int, count: Int) {
        append(count, .move)
        append(start)
    }

    mutating func add(_ count: Int) { append(count, .add) }

    mutating func update(_ range: Range<Int>) {
        append(range.count, .update)
        append(range.lowerBound - updateEnd)
        updateEnd = range.upperBound
    }

    private mutating func append(_ count: Int, _ opcode: Script.Opcode) { append(count << 2 | opcode.rawValue) }

    /// Appends the shortest varint of a number that isn't negative.
    private mutating func append(_ value: Int) {
        var rest = UInt64(value)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}
