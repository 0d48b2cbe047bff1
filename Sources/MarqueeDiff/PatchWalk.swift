import MarqueeModel

/// A patch applied to its base on paper: everything checked, every new body made and the target's sum known, but the
/// target's list not yet built.
struct PatchWalk {
    /// An item of the base that gets a new body.
    private struct Update {
        var new: Int
        var old: Int
        var body: [UInt8]
        var bodyHash: UInt64
    }

    private let base: Version
    private let patch: Patch
    private let script: Script
    private let deleted: [Range<Int>]
    private let updates: [Update]
    private let addHashes: [UInt64]
    private let head: [UInt8]
    private let headHash: UInt64

    /// - Throws: every code except `otherTarget`.
    init(_ patch: Patch, over base: Version) throws(PatchError) {
        guard patch.base == base.sum else {
            throw PatchError(.otherBase, "the patch starts from version \(patch.base), this is \(base.sum)")
        }
        self.base = base
        self.patch = patch
        script = try Script(
            decoding: patch.script,
            counts: Script.Counts(
                base: base.items.count, target: patch.count, adds: patch.adds.count, updates: patch.updates.count))
        deleted = try script.deletedRanges(ofBase: base.items.count)
        updates = try PatchWalk.updates(of: patch, script: script, base: base)
        addHashes = patch.adds.map { XXH64.hash($0.body) }
        if let change = patch.head {
            do {
                head = try change.apply(to: base.head)
            } catch {
                throw PatchError(.invalidBody, "the head's change can't be applied: \(error.message)")
            }
            headHash = XXH64.hash(head)
        } else {
            head = base.head
            headHash = base.headHash
        }
        try checkIDs()
    }

    private static func updates(of patch: Patch, script: Script, base: Version) throws(PatchError) -> [Update] {
        var updates: [Update] = []
        for (position, change) in zip(try script.updatedPositions(), patch.updates) {
            let body: [UInt8]
            do {
                body = try change.apply(to: base.items[position.old].body)
            } catch {
                throw PatchError(.invalidBody, "the update of item \(position.new) can't be applied: \(error.message)")
            }
            updates.append(
                Update(new: position.new, old: position.old, body: body, bodyHash: XXH64.hash(body)))
        }
        return updates
    }

    /// The base has no duplicate ids, so only an added one can be a duplicate.
    private func checkIDs() throws(PatchError) {
        guard !patch.adds.isEmpty else { return }
        let added = try AddedIDs(patch.adds)
        for range in script.operations.compactMap(\.source) {
            for item in base.items[range] where added.contains(item.id) {
                throw PatchError(.invalidID, "item '\(item.id)' is added and was kept")
            }
        }
    }

    // MARK: - Sum

    /// The sum of the target, derived from the base's: only edges touched by the patch are computed.
    var sum: UInt64 {
        base.sum &- base.headHash &+ headHash &- lostEdges &+ newEdges
    }

    /// Edges of the base that the target lacks, or that `newEdges` computes again.
    private var lostEdges: UInt64 {
        var lost = Sum.closingEdge(from: base.items.last?.id ?? "")
        for range in deleted {
            for index in range { lost &+= baseEdge(at: index) }
        }
        var pending = updates[...]
        forEachOperation { operation, start in
            if let source = operation.source { lost &+= baseEdge(at: source.lowerBound) }
            while let update = pending.first, update.new < start + operation.count {
                pending.removeFirst()
                // The first edge of a range is lost in any case.
                if update.new > start { lost &+= baseEdge(at: update.old) }
            }
        }
        return lost
    }

    /// Edges to items whose predecessor or body has changed.
    private var newEdges: UInt64 {
        var sum: UInt64 = 0
        var previous = ""
        var pending = updates[...]
        var added = 0
        forEachOperation { operation, start in
            guard let source = operation.source else {
                for index in added..<added + operation.count {
                    sum &+= Sum.edge(from: previous, to: patch.adds[index], bodyHash: addHashes[index])
                    previous = patch.adds[index].id
                }
                added += operation.count
                return
            }
            if pending.first?.new != start {
                let first = source.lowerBound
                sum &+= Sum.edge(from: previous, to: base.items[first], bodyHash: base.bodyHashes[first])
            }
            while let update = pending.first, update.new < start + operation.count {
                pending.removeFirst()
                let before = update.new == start ? previous : base.items[update.old - 1].id
                sum &+= Sum.edge(from: before, to: base.items[update.old], bodyHash: update.bodyHash)
            }
            previous = base.items[source.upperBound - 1].id
        }
        return sum &+ Sum.closingEdge(from: previous)
    }

    private func baseEdge(at index: Int) -> UInt64 {
        Sum.edge(
            from: index == 0 ? "" : base.items[index - 1].id, to: base.items[index], bodyHash: base.bodyHashes[index])
    }

    private func forEachOperation(_ body: (_ operation: Script.Operation, _ start: Int) -> Void) {
        var start = 0
        for operation in script.operations {
            body(operation, start)
            start += operation.count
        }
    }

    // MARK: - Target

    /// Builds the target. Kept items are neither copied byte by byte nor rehashed.
    ///
    /// - Throws: `otherTarget`.
    func target() throws(PatchError) -> Version {
        let sum = self.sum
        guard sum == patch.target else {
            throw PatchError(
                .otherTarget, "the result is version \(sum), the patch names \(patch.target)", computed: sum)
        }
        var items: [Item] = []
        var bodyHashes: [UInt64] = []
        items.reserveCapacity(patch.count)
        bodyHashes.reserveCapacity(patch.count)
        var added = 0
        for operation in script.operations {
            if let source = operation.source {
                items += base.items[source]
                bodyHashes += base.bodyHashes[source]
            } else {
                items += patch.adds[added..<added + operation.count]
                bodyHashes += addHashes[added..<added + operation.count]
                added += operation.count
            }
        }
        for update in updates {
            items[update.new].body = update.body
            bodyHashes[update.new] = update.bodyHash
        }
        return Version(head: head, headHash: headHash, items: items, bodyHashes: bodyHashes, sum: sum)
    }

    /// Where the items go.
    var transition: ListTransition {
        ListTransition(
            script: script, deleted: deleted, base: patch.base, target: patch.target,
            headChanged: headHash != base.headHash)
    }
}
