import MarqueeModel
import SeededRandom
import Testing

@testable import MarqueeDiff

/// Every way of finding pairs, against one that only looks.
@Suite struct MatchingTests {
    private func items(_ ids: [Int]) -> [Item] {
        ids.map { Item(id: "id/\($0)", kind: .movie, subject: "s/\($0)", body: [8, UInt8($0 & 127)]) }
    }

    private func version(_ ids: [Int]) -> Version { Version(head: [], items: items(ids)) }

    /// The same content, but no two strings or bodies share their storage with another version's.
    private func copied(_ version: Version) -> Version {
        func copy(_ string: String) -> String { String(decoding: Array(string.utf8), as: UTF8.self) }
        return Version(
            head: version.head,
            items: version.items.map {
                Item(id: copy($0.id), kind: $0.kind, subject: copy($0.subject), body: $0.body.map { $0 })
            })
    }

    /// The same content with a column of hashes so short that most ids collide.
    private func colliding(_ version: Version, bits: UInt64) -> Version {
        version.withIDHashes { $1 & ((1 << bits) - 1) }
    }

    /// Checks the patch and the transition between two versions with these hashes, whose ids are unique.
    private func expectLeast(
        from old: Version, to new: Version, _ comment: Comment? = nil, at location: SourceLocation = #_sourceLocation
    ) throws {
        let patch = Differ.patch(from: old, to: new)
        let transition = Differ.transition(from: old, to: new)
        // Applied to the true columns: the short ones are for comparing alone.
        let base = Version(head: old.head, items: Array(old.items))
        let (result, applied) = try base.applyingWithTransition(patch)
        #expect(same(result, Version(head: new.head, items: Array(new.items))), comment, sourceLocation: location)
        #expect(transition == applied, comment, sourceLocation: location)

        let places = Dictionary(uniqueKeysWithValues: old.items.enumerated().map { (ExactString($1.id), $0) })
        let sources = new.items.map { item -> Int? in
            places[ExactString(item.id)].flatMap { old.items[$0].hasSameIdentity(as: item) ? $0 : nil }
        }
        let staying = sources.compactMap { $0 }
        #expect(transition.moved.count == staying.count - longestIncreasing(staying), comment, sourceLocation: location)
        #expect(transition.inserted == sources.indices.filter { sources[$0] == nil }, sourceLocation: location)
        let kept = Set(staying)
        #expect(transition.deleted == old.items.indices.filter { !kept.contains($0) }, sourceLocation: location)
        let updated = new.items.indices.filter { place in
            sources[place].map { old.items[$0].body != new.items[place].body } ?? false
        }
        #expect(transition.updated == updated, comment, sourceLocation: location)
    }

    private func longestIncreasing(_ values: [Int]) -> Int {
        var tails: [Int] = []
        for value in values {
            var (index, end) = (0, tails.count)
            while index < end {
                let middle = (index + end) / 2
                if tails[middle] < value { index = middle + 1 } else { end = middle }
            }
            if index == tails.count { tails.append(value) } else { tails[index] = value }
        }
        return tails.count
    }

    /// An edited list: blocks out, in and elsewhere, single items too, and sometimes everything in another order.
    private func edited(_ ids: [Int], edits: Int, _ random: inout SeededGenerator, _ next: inout Int) -> [Int] {
        var ids = ids
        for _ in 0..<edits {
            let size = random.chance(50) ? 1 : random.below(1 + ids.count / 3)
            let start = random.below(ids.count - min(size, ids.count) + 1)
            let block = start..<min(ids.count, start + size)
            switch random.below(5) {
            case 0: ids.removeSubrange(block)
            case 1:
                ids.insert(contentsOf: next..<next + size, at: start)
                next += size
            case 2:
                let moved = ids[block]
                ids.removeSubrange(block)
                ids.insert(contentsOf: moved, at: random.below(ids.count + 1))
            case 3: ids[block].shuffle(using: &random)
            default: ids[block].reverse()
            }
        }
        return ids
    }

    @Test(arguments: 1...Extent.of(5, full: 20) as ClosedRange<UInt64>)
    func `the pairs are all there are, and the moves the fewest, whatever the hashes and the storage`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        for round in 0..<150 {
            let count = random.below(round % 10 == 0 ? 900 : 120)
            var next = count
            let ids = edited(Array(0..<count), edits: random.below(12), &random, &next)
            let old = version(Array(0..<count))
            var changed = items(ids)
            // Items of the old version as they are, so that storage is shared; some with new content.
            for place in changed.indices where ids[place] < count { changed[place] = old.items[ids[place]] }
            for _ in 0..<random.below(6) where !changed.isEmpty {
                let place = random.below(changed.count)
                switch random.below(4) {
                case 0: changed[place].kind = .genre
                case 1: changed[place].subject += "'"
                default: changed[place].body = [8, 127, 16, UInt8(random.below(100))]
                }
            }
            let new = Version(head: [], items: changed)
            let comment: Comment = "seed \(seed), round \(round)"
            switch round % 5 {
            case 0: try expectLeast(from: old, to: copied(new), comment)
            case 1: try expectLeast(from: colliding(old, bits: 2), to: colliding(new, bits: 2), comment)
            case 2: try expectLeast(from: colliding(old, bits: 5), to: colliding(copied(new), bits: 5), comment)
            default: try expectLeast(from: old, to: new, comment)
            }
        }
    }

    @Test func `thousands of ids with one and the same hash are still paired`() throws {
        var random = SeededGenerator(seed: 71)
        let old = version(Array(0..<2_000))
        let new = version((1_000..<3_000).shuffled(using: &random))
        try expectLeast(from: colliding(old, bits: 0), to: colliding(new, bits: 0))
    }

    @Test func `blocks in another place move as a whole, and few bytes say so`() throws {
        let ids = Array(0..<5_000)
        for cut in [1, 40, 2_500, 4_999] {
            let (old, new) = (version(ids), version(Array(ids[cut...] + ids[..<cut])))
            try expectLeast(from: old, to: new)
            #expect(Differ.patch(from: old, to: new).script.count <= 8)
        }
        let parts = [ids[3_000..<4_000], ids[..<1_000], ids[4_000...], ids[1_000..<3_000]]
        try expectLeast(from: version(ids), to: version(parts.flatMap { $0 }))
        try expectLeast(from: version(ids), to: version(ids.reversed()))
    }

    @Test func `five thousand with a fifth out, a fifth in and 200 shuffled take at most 500 bytes`() throws {
        var random = SeededGenerator(seed: 72)
        var ids = Array(0..<5_000)
        ids.removeSubrange(2_000..<3_000)
        ids.insert(contentsOf: 5_000..<6_000, at: 3_000)
        ids[..<200].shuffle(using: &random)
        let (old, new) = (version(Array(0..<5_000)), version(ids))
        try expectLeast(from: old, to: new)
        #expect(Differ.patch(from: old, to: new).script.count <= 500)
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `ids that occur many times, against the contract, are used once each`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for round in 0..<60 {
            let kinds = 1 + random.below(round % 2 == 0 ? 3 : 200)
            let (oldCount, newCount) = (random.below(400), random.below(400))
            let old = version((0..<oldCount).map { _ in random.below(kinds) })
            let new = version((0..<newCount).map { _ in random.below(kinds) })
            let transition = Differ.transition(from: old, to: new)
            let gone = transition.deleted + transition.moved.map(\.from)
            #expect(Set(gone).count == gone.count)
            // Items that neither go nor come stay in order and are the same.
            let (isGone, isNew) = (Set(gone), Set(transition.inserted + transition.moved.map(\.to)))
            let stays = old.items.indices.filter { !isGone.contains($0) }.map { old.items[$0].id }
            #expect(stays == new.items.indices.filter { !isNew.contains($0) }.map { new.items[$0].id })
            #expect(transition.moved.allSatisfy { old.items[$0.from].id == new.items[$0.to].id })
        }
    }

    @Test func `an item has no bytes in memory that its fields don't determine`() {
        let item = Item(id: "an id that is not small", kind: .movie, subject: "movie/a subject, either", body: [1, 2])
        let images = [UInt8(0x00), 0xFF].map { filling in
            let memory = UnsafeMutableRawPointer.allocate(
                byteCount: MemoryLayout<Item>.stride, alignment: MemoryLayout<Item>.alignment)
            defer { memory.deallocate() }
            memory.initializeMemory(as: UInt8.self, repeating: filling, count: MemoryLayout<Item>.stride)
            let place = memory.initializeMemory(as: Item.self, to: item)
            defer { place.deinitialize(count: 1) }
            return Array(UnsafeRawBufferPointer(start: memory, count: MemoryLayout<Item>.stride))
        }
        #expect(images[0] == images[1])
    }

    @Test func `an added id is compared with kept ones whose hash is the same`() throws {
        let old = version(Array(0..<3_000))
        let added = Item(id: "id/3000", kind: .movie, body: [])
        let hash = XXH64.hash(id: added.id)
        let collides = old.withIDHashes { _, _ in hash }
        var patch = Patch(
            base: old.sum, target: 0, script: Script(operations: [.keep(0..<3_000), .add(1)]).encoded(), adds: [added],
            updates: [], head: nil, count: 3_001)
        #expect(try patch.incrementalTargetSum(from: collides) == version(Array(0..<3_000)).adding(added).sum)
        patch.adds[0].id = "id/2999"
        #expect {
            try patch.incrementalTargetSum(from: old)
        } throws: {
            ($0 as? PatchError)?.code == .invalidID
        }
    }
}

extension Version {
    fileprivate func adding(_ item: Item) -> Version { Version(head: head, items: Array(items) + [item]) }
}
