import MarqueeModel
import SeededRandom
import Testing

@testable import MarqueeDiff

/// Versions that share storage, against the same content made from nothing.
@Suite struct SharedStorageTests {
    private func whole(_ version: Version) -> Version { Version(head: version.head, items: Array(version.items)) }

    /// Checks every way of reading a version.
    private func expectWhole(_ version: Version, _ comment: Comment, at location: SourceLocation = #_sourceLocation) {
        let whole = whole(version)
        #expect(same(version, whole), comment, sourceLocation: location)
        #expect(version.idHashes == whole.idHashes, comment, sourceLocation: location)
        #expect(version.edges == whole.edges, comment, sourceLocation: location)
        #expect(version.items.indices.map { version.items[$0] } == Array(version.items), sourceLocation: location)
        #expect(version.items.encodedSize == whole.items.encodedSize, comment, sourceLocation: location)
        #expect(ContentManifest(version) == ContentManifest(whole), comment, sourceLocation: location)
        // The bounds of pieces and storages.
        let list = version.items
        #expect(list.pieces.count <= ItemList.maximumPieces(of: list.count), comment, sourceLocation: location)
        #expect(list.storedSize <= 2 * list.encodedSize, comment, sourceLocation: location)
        #expect(list.storages.reduce(0) { $0 + $1.items.count } <= 2 * list.count, comment, sourceLocation: location)
        #expect(Set(list.pieces.map(\.storage)) == Set(list.storages.indices), comment, sourceLocation: location)
        #expect(list.pieces.allSatisfy { $0.count > 0 }, comment, sourceLocation: location)
    }

    /// Checks that two versions differ as the same content made from nothing does, and that the patch leads there.
    private func expectSameDifference(
        from old: Version, to new: Version, _ comment: Comment, at location: SourceLocation = #_sourceLocation
    ) throws -> Version {
        let patch = Differ.patch(from: old, to: new)
        #expect(patch == Differ.patch(from: whole(old), to: whole(new)), comment, sourceLocation: location)
        let transition = Differ.transition(from: old, to: new)
        #expect(transition == Differ.transition(from: whole(old), to: whole(new)), comment, sourceLocation: location)
        #expect(try patch.incrementalTargetSum(from: old) == new.sum, comment, sourceLocation: location)
        let (result, applied) = try old.applyingWithTransition(patch)
        #expect(same(result, new) && applied == transition, comment, sourceLocation: location)
        return result
    }

    /// `version` with ranges out, in, elsewhere, and items updated; sometimes with another head.
    private func replaced(_ version: Version, _ content: inout RandomContent) -> Version {
        var ranges: [Range<Int>] = []
        var start = 0
        let longest = 1 + content.generator.below(1 + version.items.count)
        while start < version.items.count {
            let end = min(version.items.count, start + 1 + content.generator.below(longest))
            ranges.append(start..<end)
            start = end
        }
        for _ in 0..<content.generator.below(4) where !ranges.isEmpty {
            let range = ranges.remove(at: content.generator.below(ranges.count))
            if content.generator.chance(60) { ranges.insert(range, at: content.generator.below(ranges.count + 1)) }
        }
        var list = ranges.map { ItemOrigin.kept($0) }
        for _ in 0..<content.generator.below(4) {
            let item = content.item()
            list.insert(
                .added(item, bodyHash: XXH64.hash(item.body)), at: content.generator.below(list.count + 1))
        }
        for index in list.indices where content.generator.chance(10) {
            guard case .kept(let range) = list[index], range.count == 1 else { continue }
            var item = version.items[range.lowerBound]
            item.body = content.body()
            list[index] = .updated(range.lowerBound, item, bodyHash: XXH64.hash(item.body))
        }
        return version.replacing(head: content.generator.chance(20) ? content.body() : nil, list: list)
    }

    private func edited(_ version: Version, _ content: inout RandomContent) -> Version {
        var edits: [ListEdit] = []
        var count = version.items.count
        for _ in 0..<1 + content.generator.below(6) {
            if count > 0, content.generator.chance(50) {
                edits.append(.remove(at: content.generator.below(count)))
                count -= 1
            } else {
                let item = content.item()
                edits.append(
                    .insert(item, bodyHash: XXH64.hash(item.body), at: content.generator.below(count + 1)))
                count += 1
            }
        }
        return version.editing(head: nil, edits)
    }

    @Test(arguments: 1...Extent.of(5, full: 20) as ClosedRange<UInt64>)
    func `versions made from each other in any way are those of their content`(seed: UInt64) throws {
        var content = RandomContent(seed: seed)
        let first = content.version(content.generator.below(400))
        var versions = [first]
        for round in 0..<40 {
            let comment: Comment = "seed \(seed), round \(round)"
            let last = versions[content.generator.below(versions.count)]
            let next: Version
            switch content.generator.below(4) {
            case 0: next = replaced(last, &content)
            case 1: next = edited(last, &content)
            case 2: next = try last.applying(Differ.patch(from: last, to: content.edited(last, edits: 5)))
            default:
                let other = versions[content.generator.below(versions.count)]
                next = try last.applying(Differ.patch(from: last, to: other))
            }
            expectWhole(next, comment)
            // Against versions that share much, little and nothing.
            for other in [last, first, content.edited(next, edits: 3)] {
                expectWhole(try expectSameDifference(from: other, to: next, comment), comment)
                _ = try expectSameDifference(from: next, to: other, comment)
            }
            versions.append(next)
        }
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `what versions don't share is compared by whole ids if the hashes collide`(seed: UInt64) throws {
        var content = RandomContent(seed: seed)
        let old = content.version(300)
        var new = old
        for _ in 0..<6 { new = replaced(new, &content) }
        let short = Differ.patch(from: old.withIDHashes { $1 & 3 }, to: new.withIDHashes { $1 & 3 })
        #expect(short == Differ.patch(from: whole(old), to: whole(new)))
    }

    @Test func `one update shares the rest, and thousands of them keep to the bounds`() {
        var content = RandomContent(seed: 5)
        let first = content.version(20_000)
        var version = first
        var compactions = 0
        for round in 0..<2_000 {
            let place = content.generator.below(version.items.count)
            var item = version.items[place]
            item.body = [8, UInt8(round & 127)]
            let before = version
            version = version.replacing(
                head: nil,
                list: [
                    .kept(0..<place), .updated(place, item, bodyHash: XXH64.hash(item.body)),
                    .kept(place + 1..<version.items.count),
                ])
            if version.items.pieces.count < before.items.pieces.count { compactions += 1 }
            #expect(version.items.pieces.count <= ItemList.maximumPieces(of: 20_000))
        }
        #expect(compactions > 2 && compactions < 20)
        expectWhole(version, "after all")
    }

    @Test func `a list that has lost most of its items doesn't keep them in memory`() {
        var content = RandomContent(seed: 6)
        let large = content.version(1_000)
        let small = large.replacing(head: nil, list: [.kept(10..<20)])
        #expect(small.items.storages.count == 1 && small.items.storages[0].items.count == 10)
        expectWhole(small, "ten of a thousand")
        let emptied = large.replacing(head: nil, list: [])
        #expect(emptied.items.storages.isEmpty && emptied.items.pieces.isEmpty)
        let most = large.replacing(head: nil, list: [.kept(10..<1_000)])
        #expect(most.items.storages[0] === large.items.storages[0])
    }

    @Test func `a storage of which nothing is left is dropped`() {
        var content = RandomContent(seed: 9)
        var version = content.version(1_000)
        let first = version.items.storages[0]
        for round in 0..<100 {
            var item = version.items[500]
            item.body = [8, UInt8(round)]
            version = version.replacing(
                head: nil,
                list: [.kept(0..<500), .updated(500, item, bodyHash: XXH64.hash(item.body)), .kept(501..<1_000)])
        }
        #expect(version.items.storages.count == 2 && version.items.storages[0] === first)
        expectWhole(version, "the same item a hundred times")
    }

    @Test func `a head alone shares the list`() {
        var content = RandomContent(seed: 10)
        let version = edited(content.version(1_000), &content)
        let next = version.replacing(head: [8, 99], list: [.kept(0..<version.items.count)])
        #expect(next.items.pieces.count == version.items.pieces.count)
        #expect(zip(next.items.storages, version.items.storages).allSatisfy { $0 === $1 })
        expectWhole(next, "another head")
    }

    @Test func `an added id may be one that is deleted, in any storage, and not one that is kept`() throws {
        var content = RandomContent(seed: 11)
        var version = content.version(1_000)
        for place in [900, 500, 100] {
            let item = content.item()
            version = version.editing(head: nil, [.insert(item, bodyHash: XXH64.hash(item.body), at: place)])
        }
        #expect(version.items.storages.count == 4)
        let count = version.items.count
        for place in [0, 99, 100, 101, 501, 902, count - 1] {
            var added = version.items[place]
            added.body = [8, 7]
            let items = Array(version.items[..<place]) + [added] + version.items[(place + 1)...]
            let target = Version(head: version.head, items: items)
            var patch = Patch(
                base: version.sum, target: target.sum,
                script: Script(
                    operations: [.keep(0..<place), .add(1), .keep(place + 1..<count)].filter { $0.count > 0 }
                )
                .encoded(), adds: [added], updates: [], head: nil, count: count)
            #expect(same(try version.applying(patch), target))
            #expect(try patch.incrementalTargetSum(from: version) == target.sum)
            patch.script = Script(operations: [.keep(0..<count), .add(1)]).encoded()
            patch.count = count + 1
            #expect(throws: PatchError.self) { try version.applying(patch) }
            let error = #expect(throws: PatchError.self) { try patch.incrementalTargetSum(from: version) }
            #expect(error?.code == .invalidID)
        }
    }

    @Test func `neighbours that come together again are one piece`() {
        var content = RandomContent(seed: 7)
        let version = content.version(1_000)
        let item = content.item()
        let inserted = version.editing(head: nil, [.insert(item, bodyHash: XXH64.hash(item.body), at: 500)])
        #expect(inserted.items.pieces.count == 3)
        let removed = inserted.editing(head: nil, [.remove(at: 500)])
        #expect(removed.items.pieces.count == 1 && removed.sum == version.sum)
    }

    @Test func `versions that share storage are read and compared at the same time`() async throws {
        var content = RandomContent(seed: 8)
        let first = content.version(3_000)
        var versions = [first]
        for _ in 0..<20 { versions.append(edited(versions[versions.count - 1], &content)) }
        let shared = versions
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<8 {
                group.addTask {
                    (0..<20).allSatisfy { round in
                        let (old, new) = (shared[(task + round) % 21], shared[(task * 3 + round * 5) % 21])
                        let patch = Differ.patch(from: old, to: new)
                        guard let result = try? old.applying(patch) else { return false }
                        return result.sum == new.sum && result.items == new.items
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
