import MarqueeModel

/// A dry run of a patch over its base: everything is checked, every new body is made and the target's sum is known.
struct PatchWalk {
    private let base: Version
    private let patch: Patch
    private let script: Script
    private let deleted: [Range<Int>]
    private let head: [UInt8]
    private let headHash: UInt64
    private let builder: VersionBuilder
    /// The sum of the target. Only edges changed by the patch are hashed.
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
        if let large = patch.adds.first(where: { $0.body.count > CanonicalBody.maximumLength }) {
            throw PatchError(.invalidBody, "the body of item '\(large.id)' has \(large.body.count) bytes")
        }
        deleted = try script.deletedRanges(ofBase: base.items.count)
        let updated = try script.updatedPositions()
        var added = AddedItems(patch.adds)
        // The items with new bodies follow those that the patch adds.
        try added.append(updated, changing: base, by: patch.updates)
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
        try added.checkIDs(ofFirst: patch.adds.count, against: base, without: deleted)

        builder = VersionBuilder(
            over: base, adding: added,
            parts: PatchWalk.parts(of: script, updated: updated, firstUpdated: patch.adds.count))
        sum = builder.sum(headHash: headHash)
    }

    /// - Parameters:
    ///   - updated: the positions of the updated items.
    ///   - firstUpdated: the index of the first of them in the items to add.
    private static func parts(
        of script: Script, updated: [(new: Int, old: Int)], firstUpdated: Int
    ) -> [VersionPart] {
        var parts: [VersionPart] = []
        parts.reserveCapacity(script.operations.count + 2 * updated.count)
        var nextUpdated = 0
        var addedCount = 0
        var position = 0
        for operation in script.operations {
            position += operation.count
            guard let source = operation.source else {
                parts.append(.added(addedCount..<addedCount + operation.count))
                addedCount += operation.count
                continue
            }
            var start = source.lowerBound
            while nextUpdated < updated.count, updated[nextUpdated].new < position {
                let place = updated[nextUpdated].old
                if start < place { parts.append(.kept(start..<place)) }
                parts.append(.updated(place, with: firstUpdated + nextUpdated))
                start = place + 1
                nextUpdated += 1
            }
            if start < source.upperBound { parts.append(.kept(start..<source.upperBound)) }
        }
        return parts
    }

    // MARK: - Target

    /// The target. It shares the items that it keeps with the base.
    ///
    /// - Throws: `otherTarget`.
    func target() throws(PatchError) -> Version {
        guard sum == patch.target else {
            throw PatchError(
                .otherTarget, "the result is version \(sum), the patch names \(patch.target)", computed: sum)
        }
        return builder.version(head: head, headHash: headHash)
    }

    /// The transition from the base to the target.
    var transition: ListTransition {
        ListTransition(
            script: script, deleted: deleted, base: patch.base, target: patch.target,
            headChanged: headHash != base.headHash)
    }
}
