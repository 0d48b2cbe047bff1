import MarqueeDiff
import MarqueeModel
import Testing

@Suite struct DifferTests {
    @Test func `applying the difference of two versions gives the second in bytes and sum`() throws {
        var content = RandomContent(seed: 41)
        content.brokenBodies = 3
        for round in 0..<3_000 {
            let old = content.version(content.generator.below(40))
            let new = content.edited(old, edits: content.generator.below(round % 10 == 0 ? 60 : 8))
            let patch = Differ.patch(from: old, to: new)
            let (version, transition) = try old.applyingWithTransition(patch)
            #expect(same(version, new), "round \(round)")
            #expect(transition == Differ.transition(from: old, to: new), "round \(round)")
            #expect(try patch.incrementalTargetSum(from: old) == new.sum)
        }
    }

    @Test func `every version is reached from the empty one and can be emptied`() throws {
        var content = RandomContent(seed: 42)
        let version = content.version(200)
        let whole = Differ.patch(from: .empty, to: version)
        #expect(whole.adds.count == 200)
        #expect(same(try Version.empty.applying(whole), version))
        let nothing = Differ.patch(from: version, to: .empty)
        #expect(nothing.script.isEmpty)
        #expect(same(try version.applying(nothing), .empty))
    }

    @Test func `two consecutive differences lead to the same version as the conflated one`() throws {
        var content = RandomContent(seed: 43)
        for _ in 0..<800 {
            let a = content.version(content.generator.below(30))
            let b = content.edited(a, edits: content.generator.below(10))
            let c = content.edited(b, edits: content.generator.below(10))
            let conflated = try a.applying(Differ.patch(from: a, to: c))
            let stepwise = try a.applying(Differ.patch(from: a, to: b)).applying(Differ.patch(from: b, to: c))
            #expect(same(conflated, stepwise))
        }
    }

    @Test func `nothing is sent for equal versions`() {
        var content = RandomContent(seed: 44)
        let version = content.version(50)
        let patch = Differ.patch(from: version, to: Version(head: version.head, items: Array(version.items)))
        #expect(patch.script == Script(operations: [.keep(0..<50)]).encoded())
        #expect(patch.adds.isEmpty && patch.updates.isEmpty && patch.head == nil)
    }

    @Test func `as few items move as the longest increasing subsequence allows`() {
        var content = RandomContent(seed: 45)
        for round in 0..<1_500 {
            let old = content.version(content.generator.below(30))
            var new = content.edited(old, edits: content.generator.below(12))
            if round % 5 == 0 { new = Version(head: new.head, items: new.items.shuffled(using: &content.generator)) }
            let transition = Differ.transition(from: old, to: new)
            let oldPositions = Dictionary(
                uniqueKeysWithValues: old.items.enumerated().map { (Identity($0.element), $0.offset) })
            let staying = new.items.compactMap { oldPositions[Identity($0)] }
            #expect(transition.moved.count == staying.count - longestIncreasing(staying), "round \(round)")
            #expect(transition.inserted.count == new.items.count - staying.count)
        }
    }

    @Test func `an item that changes kind or subject is deleted and added, one that changes its body is updated`() {
        let old = Version(head: [], items: ["a", "b", "c", "d"].map { Item(id: $0, kind: .movie, body: [0x08, 1]) })
        var items = Array(old.items)
        items[0].kind = .genre
        items[1].subject = "movie/1"
        items[2].body = [0x08, 2]
        let transition = Differ.transition(from: old, to: Version(head: [], items: items))
        #expect(transition.deleted == [0, 1])
        #expect(transition.inserted == [0, 1])
        #expect(transition.updated == [2])
        #expect(transition.moved.isEmpty)
    }

    @Test func `a noncanonical body is replaced; a noncanonical head gives a patch that is refused`() throws {
        let broken: [UInt8] = [0x10, 1, 0x08, 1]
        let old = Version(head: [], items: [Item(id: "a", kind: .movie, body: [0x08, 1])])
        let new = Version(head: [], items: [Item(id: "a", kind: .movie, body: broken)])
        for (from, to) in [(old, new), (new, old)] {
            let patch = Differ.patch(from: from, to: to)
            #expect(patch.adds == Array(to.items))
            #expect(same(try from.applying(patch), to))
        }
        let brokenHead = Version(head: broken, items: [])
        #expect {
            try Version.empty.applying(Differ.patch(from: .empty, to: brokenHead))
        } throws: {
            ($0 as? PatchError)?.code == .invalidBody
        }
    }

    @Test func `a version with a duplicate id, against the contract, never traps and is refused as a target`() {
        let twice = Version(head: [], items: ["a", "b", "a"].map { Item(id: $0, kind: .movie, body: []) })
        let other = Version(head: [], items: ["a", "c", "a", "a"].map { Item(id: $0, kind: .movie, body: []) })
        #expect(throws: PatchError.self) { try twice.applying(Differ.patch(from: twice, to: other)) }
        #expect(throws: PatchError.self) { try Version.empty.applying(Differ.patch(from: .empty, to: twice)) }
    }

    // MARK: - Size

    @Test func `the first of 5,000 to the last is one move of at most 8 bytes`() {
        var content = RandomContent(seed: 46)
        let old = content.version(5_000)
        var items = Array(old.items)
        items.append(items.removeFirst())
        let new = Version(head: old.head, items: items)
        #expect(Differ.patch(from: old, to: new).script.count <= 8)
        #expect(Differ.patch(from: new, to: old).script.count <= 8)
        #expect(Differ.transition(from: old, to: new).moved == [PositionMove(from: 0, to: 4_999)])
    }

    @Test func `ten out, ten in and five moved in 5,000 take at most 120 bytes`() {
        var content = RandomContent(seed: 47)
        for _ in 0..<5 {
            let old = content.version(5_000)
            var items = Array(old.items)
            for _ in 0..<10 { items.remove(at: content.generator.below(items.count)) }
            for _ in 0..<10 { items.insert(content.item(), at: content.generator.below(items.count)) }
            for _ in 0..<5 {
                let moved = items.remove(at: content.generator.below(items.count))
                items.insert(moved, at: content.generator.below(items.count))
            }
            let new = Version(head: old.head, items: items)
            #expect(Differ.patch(from: old, to: new).script.count <= 120)
            #expect(Differ.transition(from: old, to: new).moved.count <= 5)
        }
    }

    /// The fields that identify an item.
    private struct Identity: Hashable {
        var id: ExactString
        var kind: ItemKind
        var subject: ExactString

        init(_ item: Item) {
            id = ExactString(item.id)
            kind = item.kind
            subject = ExactString(item.subject)
        }
    }

    /// By definition, in O(n²).
    private func longestIncreasing(_ values: [Int]) -> Int {
        var lengths: [Int] = []
        for value in values {
            lengths.append(1 + (lengths.indices.filter { values[$0] < value }.map { lengths[$0] }.max() ?? 0))
        }
        return lengths.max() ?? 0
    }
}
