import MarqueeModel

/// Computes the patch from one version to another.
package enum Differ {
    /// The patch from `base` to `target` that moves the fewest items.
    ///
    /// An item that changes kind or subject, or whose body can't be patched because it isn't canonical, is deleted and
    /// added. Heads must be canonical: otherwise `applying` always refuses the patch with `invalidBody`.
    package static func patch(from base: Version, to target: Version) -> Patch {
        let alignment = Alignment(from: base, to: target)
        let script = alignment.script
        var adds: [Item] = []
        var position = 0
        for operation in script.operations {
            if operation.source == nil { adds += target.items[position..<position + operation.count] }
            position += operation.count
        }
        return Patch(
            base: base.sum, target: target.sum, script: script.encoded(), adds: adds,
            updates: script.updates.flatMap { $0 }.compactMap { alignment.changes[$0] },
            head: headChange(from: base, to: target), count: target.items.count)
    }

    /// Where the items go from `base` to `target`, with the fewest moves.
    package static func transition(from base: Version, to target: Version) -> ListTransition {
        let alignment = Alignment(from: base, to: target)
        return ListTransition(
            script: alignment.script, deleted: alignment.deleted, base: base.sum, target: target.sum,
            headChanged: base.headHash != target.headHash)
    }

    private static func headChange(from base: Version, to target: Version) -> FieldChange? {
        guard base.headHash != target.headHash else { return nil }
        if let change = try? FieldChange.between(old: base.head, new: target.head) { return change }
        return FieldChange(records: target.head)
    }
}

extension Alignment {
    /// The script with the fewest moved items.
    var script: Script { Script(sources: sources, middle: middle, updated: changes.keys.sorted()) }

    /// The ranges of the old list that are deleted, ascending.
    var deleted: [Range<Int>] {
        var isUsed = [Bool](repeating: false, count: oldCount)
        for source in sources { if let source { isUsed[source] = true } }
        var ranges: [Range<Int>] = []
        for index in isUsed.indices where !isUsed[index] { ranges.appendOrExtend(index) }
        return ranges
    }
}

extension Script {
    /// The script with the fewest moved items: it keeps a longest increasing subsequence of the surviving items.
    ///
    /// - Parameters:
    ///   - sources: for each new position, the old one, or nil when the item is new; each old position at most once.
    ///   - middle: the new positions outside which nothing has to move.
    ///   - updated: the new positions of kept items whose body differs, ascending.
    init(sources: [Int?], middle: Range<Int>, updated: [Int]) {
        self.init()
        let staying = middle.filter { sources[$0] != nil }
        let isKept = IncreasingSubsequence.longest(of: staying.compactMap { sources[$0] })
        var isMoved = [Bool](repeating: false, count: sources.count)
        for (position, isKept) in zip(staying, isKept) where !isKept { isMoved[position] = true }

        for (position, source) in sources.enumerated() {
            guard let source else {
                appendAdd()
                continue
            }
            if isMoved[position] {
                appendMove(source)
            } else {
                appendKeep(source)
            }
        }
        for position in updated { appendUpdate(position) }
    }

    fileprivate mutating func appendKeep(_ index: Int) {
        if case .keep(let range)? = operations.last, range.upperBound == index {
            operations[operations.count - 1] = .keep(range.lowerBound..<index + 1)
        } else {
            operations.append(.keep(index..<index + 1))
        }
    }

    fileprivate mutating func appendMove(_ index: Int) {
        if case .move(let range)? = operations.last, range.upperBound == index {
            operations[operations.count - 1] = .move(range.lowerBound..<index + 1)
        } else {
            operations.append(.move(index..<index + 1))
        }
    }

    fileprivate mutating func appendAdd() {
        if case .add(let count)? = operations.last {
            operations[operations.count - 1] = .add(count + 1)
        } else {
            operations.append(.add(1))
        }
    }

    fileprivate mutating func appendUpdate(_ position: Int) {
        updates.appendOrExtend(position)
    }
}

extension [Range<Int>] {
    /// Adds an index greater than all others.
    fileprivate mutating func appendOrExtend(_ index: Int) {
        if let last, last.upperBound == index {
            self[count - 1] = last.lowerBound..<index + 1
        } else {
            append(index..<index + 1)
        }
    }
}
