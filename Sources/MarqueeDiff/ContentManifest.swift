import MarqueeModel

/// A list that a peer holds, described only by hashes: enough to make a patch that starts from it.
///
/// Kinds, subjects and bodies are unknown. A patch made from a manifest assumes that items with the same id are the
/// same item. If a kind or subject has changed too, the result isn't the patch's target, and the peer that applies the
/// patch detects that.
package struct ContentManifest: Hashable, Sendable {
    package struct Pair: Hashable, Sendable {
        /// XXH64 of the item's id.
        package var id: UInt64
        /// XXH64 of the item's body.
        package var body: UInt64

        package init(id: UInt64, body: UInt64) {
            self.id = id
            self.body = body
        }
    }

    package var sum: UInt64
    package var headHash: UInt64
    package var pairs: [Pair]

    package init(sum: UInt64, headHash: UInt64, pairs: [Pair]) {
        self.sum = sum
        self.headHash = headHash
        self.pairs = pairs
    }

    /// The manifest of a version.
    package init(_ version: Version) {
        var pairs: [Pair] = []
        pairs.reserveCapacity(version.items.count)
        version.items.forEachPart(of: version.items.indices) { storage, places in
            for place in places { pairs.append(Pair(id: storage.idHashes[place], body: storage.bodyHashes[place])) }
        }
        self.init(sum: version.sum, headHash: version.headHash, pairs: pairs)
    }
}

extension Differ {
    /// The patch from the list described by a manifest to `target`. Bodies and heads that differ are replaced as a
    /// whole.
    ///
    /// - Returns: `nil` if the manifest is too long, an id occurs in it twice, or the patch would not give the target's
    ///   hashes.
    package static func patch(from manifest: ContentManifest, to target: Version) -> Patch? {
        guard manifest.pairs.count <= Script.maximumItems else { return nil }
        var positions: [UInt64: Int] = [:]
        positions.reserveCapacity(manifest.pairs.count)
        for (index, pair) in manifest.pairs.enumerated() {
            guard positions.updateValue(index, forKey: pair.id) == nil else { return nil }
        }
        let targets = ContentManifest(target).pairs
        // Removed from the table, so that two ids with the same hash don't use one item twice.
        let sources = targets.map { positions.removeValue(forKey: $0.id) }
        let updated = targets.indices.filter { index in
            sources[index].map { manifest.pairs[$0].body != targets[index].body } ?? false
        }
        let patch = Patch(
            base: manifest.sum, target: target.sum, script: script(sources: sources, updated: updated),
            adds: target.items.indices.filter { sources[$0] == nil }.map { target.items[$0] },
            updates: updated.map { FieldChange(records: target.items[$0].body, replace: true) },
            head: manifest.headHash == target.headHash ? nil : FieldChange(records: target.head, replace: true),
            count: target.items.count)
        return patch.leads(from: manifest, to: target) ? patch : nil
    }

    /// The script with the fewest moved items.
    ///
    /// - Parameters:
    ///   - sources: for each new position, the old one, or nil when the item is new; each old position at most once.
    ///   - updated: the new positions of kept items whose body differs, ascending.
    private static func script(sources: [Int?], updated: [Int]) -> [UInt8] {
        var scratch = DiffScratch.take()
        defer { scratch.giveBack() }
        scratch.runs.removeAll()
        for case (let position, let source?) in sources.enumerated() {
            scratch.runs.appendOrExtend(MatchRun(old: source, new: position, count: 1))
        }
        scratch.markMoves()
        return scratch.script(count: sources.count, updated: updated)
    }
}

extension Patch {
    /// Whether applying the patch to the list described by the manifest gives the hashes of `target`. More can't be
    /// checked without the bodies.
    func leads(from manifest: ContentManifest, to target: Version) -> Bool {
        let counts = Script.Counts(
            base: manifest.pairs.count, target: count, adds: adds.count, updates: updates.count)
        guard base == manifest.sum, self.target == target.sum, count == target.items.count,
            let script = try? Script(decoding: script, counts: counts),
            (try? script.deletedRanges(ofBase: manifest.pairs.count)) != nil,
            let updated = try? script.updatedPositions()
        else { return false }
        var pairs: [ContentManifest.Pair] = []
        pairs.reserveCapacity(count)
        var added = 0
        for operation in script.operations {
            if let source = operation.source {
                pairs += manifest.pairs[source]
            } else {
                for item in adds[added..<added + operation.count] {
                    pairs.append(
                        ContentManifest.Pair(id: XXH64.hash(id: item.id), body: XXH64.hash(item.body)))
                }
                added += operation.count
            }
        }
        for (position, change) in zip(updated, updates) {
            guard change.replace, let body = try? change.apply(to: []) else { return false }
            pairs[position.new].body = XXH64.hash(body)
        }
        let newHead = try? head?.apply(to: [])
        return pairs == ContentManifest(target).pairs
            && (head == nil ? manifest.headHash : newHead.map { XXH64.hash($0) }) == target.headHash
    }
}
