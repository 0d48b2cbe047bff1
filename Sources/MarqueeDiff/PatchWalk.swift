import MarqueeModel

/// A dry run of a patch over its base: everything is checked, every new body is made and the target's sum is known, but
/// the target's list is not built yet.
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
    private let added: AddedItems
    private let head: [UInt8]
    private let headHash: UInt64
    /// The edges that only the target has, and the positions in the target where they end.
    private let newEdges: [(position: Int, edge: UInt64)]
    /// The sum of the target, derived from the base's sum. Only edges changed by the patch are hashed.
    let sum: UInt64

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
        added = AddedItems(patch.adds)
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
        // The base has no duplicate ids, so only an added one can be a duplicate.
        try added.checkIDs(against: base, keeping: script.operations)

        let (new, lost) = PatchWalk.edges(script, deleted: deleted, updates: updates, added: added, base: base)
        newEdges = new
        sum = new.reduce(base.sum &- base.headHash &+ headHash &- lost) { $0 &+ $1.edge }
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

    /// The edges that only the target has, and the total of those that only the base has. An edge depends on an item,
    /// its body and the item before.
    private static func edges(
        _ script: Script, deleted: [Range<Int>], updates: [Update], added: AddedItems, base: Version
    ) -> (new: [(position: Int, edge: UInt64)], lost: UInt64) {
        var new: [(position: Int, edge: UInt64)] = []
        new.reserveCapacity(added.items.count + updates.count + script.operations.count + 1)
        var lost: UInt64 = 0
        for range in deleted {
            for edge in base.edges[range] { lost &+= edge }
        }
        /// The id of the preceding item and, if it comes from the base, its position there; -1 before the first item.
        var previous: (id: String, place: Int?) = ("", -1)
        var pending = updates[...]
        var addedCount = 0
        var start = 0
        for operation in script.operations {
            let end = start + operation.count
            defer { start = end }
            guard let source = operation.source else {
                for position in start..<end {
                    let item = added.items[addedCount]
                    let edge = Sum.edge(from: previous.id, to: item, bodyHash: added.bodyHashes[addedCount])
                    new.append((position, edge))
                    previous = (item.id, nil)
                    addedCount += 1
                }
                continue
            }
            let first = source.lowerBound
            if previous.place != first - 1, pending.first?.new != start {
                let edge = Sum.edge(from: previous.id, to: base.items[first], bodyHash: base.bodyHashes[first])
                new.append((start, edge))
                lost &+= base.edges[first]
            }
            while let update = pending.first, update.new < end {
                pending.removeFirst()
                let before = update.new == start ? previous.id : base.items[update.old - 1].id
                new.append((update.new, Sum.edge(from: before, to: base.items[update.old], bodyHash: update.bodyHash)))
                lost &+= base.edges[update.old]
            }
            previous = (base.items[source.upperBound - 1].id, source.upperBound - 1)
        }
        if previous.place != base.items.count - 1 {
            new.append((start, Sum.closingEdge(from: previous.id)))
            lost &+= base.edges[base.items.count]
        }
        return (new, lost)
    }

    // MARK: - Target

    /// Builds the target. Kept items share their storage with the base and aren't rehashed.
    ///
    /// - Throws: `otherTarget`.
    func target() throws(PatchError) -> Version {
        guard sum == patch.target else {
            throw PatchError(
                .otherTarget, "the result is version \(sum), the patch names \(patch.target)", computed: sum)
        }
        var items = column(base.items, added.items)
        var bodyHashes = column(base.bodyHashes, added.bodyHashes)
        var edges = column(base.edges, added.bodyHashes)
        edges.append(base.edges[base.items.count])
        for (position, edge) in newEdges { edges[position] = edge }
        for update in updates {
            items[update.new].body = update.body
            bodyHashes[update.new] = update.bodyHash
        }
        return Version(
            head: head, headHash: headHash, items: items, idHashes: column(base.idHashes, added.idHashes),
            bodyHashes: bodyHashes, edges: edges, sum: sum)
    }

    /// A column of the target, from the same column of the base and of the added items.
    private func column<Value>(_ old: [Value], _ new: [Value]) -> [Value] {
        [Value](unsafeUninitializedCapacity: patch.count) { buffer, count in
            old.withUnsafeBufferPointer { old in
                new.withUnsafeBufferPointer { new in
                    var added = 0
                    for operation in script.operations {
                        let source: Slice<UnsafeBufferPointer<Value>>
                        if let range = operation.source {
                            source = old[range]
                        } else {
                            source = new[added..<added + operation.count]
                            added += operation.count
                        }
                        _ = buffer[count...].initialize(fromContentsOf: source)
                        count += source.count
                    }
                }
            }
        }
    }

    /// The transition from the base to the target.
    var transition: ListTransition {
        ListTransition(
            script: script, deleted: deleted, base: patch.base, target: patch.target,
            headChanged: headHash != base.headHash)
    }
}
