import MarqueeDiff
import MarqueeModel
import SeededRandom
import Testing

@Suite struct PatchTests {
    private let base = Version(
        head: [0x08, 1], items: ["a", "b", "c"].map { Item(id: $0, kind: .movie, subject: "s", body: [0x08, 1]) })

    private func item(_ id: String) -> Item { Item(id: id, kind: .movie, body: []) }

    /// A patch of `base` whose target sum is never reached.
    private func patch(
        _ operations: [Script.Operation], updates: [Range<Int>] = [], adds: [Item] = [], changes: [FieldChange] = [],
        head: FieldChange? = nil
    ) -> Patch {
        Patch(
            base: base.sum, target: 0, script: Script(operations: operations, updates: updates).encoded(), adds: adds,
            updates: changes, head: head, count: operations.reduce(0) { $0 + $1.count })
    }

    private func code(_ patch: Patch) -> PatchError.Code? {
        do {
            _ = try base.applying(patch)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `keeps, moves, adds, updates and a head's change together give the list they describe`() throws {
        var patch = patch(
            [.add(1), .move(2..<3), .keep(0..<1), .add(1)], updates: [1..<2], adds: [item("x"), item("y")],
            changes: [FieldChange(records: [0x10, 2])], head: FieldChange(records: [0x08, 7]))
        let expected = Version(
            head: [0x08, 7],
            items: [
                item("x"), Item(id: "c", kind: .movie, subject: "s", body: [0x08, 1, 0x10, 2]), base.items[0],
                item("y"),
            ])
        patch.target = expected.sum
        let (version, transition) = try base.applyingWithTransition(patch)
        #expect(same(version, expected))
        #expect(try patch.incrementalTargetSum(from: base) == expected.sum)
        #expect(transition.base == base.sum && transition.target == expected.sum)
        #expect(transition.deleted == [1])
        #expect(transition.inserted == [0, 3])
        #expect(transition.moved == [PositionMove(from: 2, to: 1)])
        #expect(transition.updated == [1])
        #expect(transition.headChanged)
    }

    @Test func `an invalid patch is refused for the right reason`() {
        var other = patch([.keep(0..<3)])
        other.base &+= 1
        #expect(code(other) == .otherBase)
        #expect(code(patch([.keep(0..<2)])) == .otherTarget)
        #expect(code(patch([.keep(0..<2), .move(1..<2)])) == .usedTwice)
        #expect(code(patch([.move(1..<3), .move(0..<2)])) == .usedTwice)
        #expect(code(patch([.keep(0..<4)])) == .outOfRange)
        #expect(code(patch([.keep(0..<2), .add(1)])) == .wrongCount)
        #expect(code(patch([.add(2)], adds: [item("x"), item("x")])) == .invalidID)
        #expect(code(patch([.keep(0..<1), .add(1)], adds: [item("a")])) == .invalidID)
        #expect(code(patch([.add(1)], adds: [item("")])) == .invalidID)
        #expect(
            code(patch([.keep(0..<1), .add(1)], updates: [1..<2], adds: [item("x")], changes: [FieldChange()]))
                == .updateOfAdded)
        #expect(code(patch([.keep(0..<1)], updates: [0..<1])) == .wrongCount)
        let broken = FieldChange(records: [0x0B])
        #expect(code(patch([.keep(0..<1)], updates: [0..<1], changes: [broken])) == .invalidBody)
        #expect(code(patch([.keep(0..<1)], head: broken)) == .invalidBody)
        var large = item("x")
        large.body = [UInt8](repeating: 0, count: CanonicalBody.maximumLength)
        #expect(code(patch([.add(1)], adds: [large])) == .otherTarget)
        large.body.append(0)
        #expect(code(patch([.add(1)], adds: [large])) == .invalidBody)
    }

    @Test func `an id may be deleted and added by one patch`() throws {
        var patch = patch([.keep(0..<1), .add(1), .keep(2..<3)], adds: [item("b")])
        patch.target = try patch.incrementalTargetSum(from: base)
        #expect(try base.applying(patch).items.map(\.id) == ["a", "b", "c"])
    }

    @Test func `a wrong target sum is refused even if everything else fits`() throws {
        var patch = patch([.keep(0..<3)])
        patch.target = base.sum ^ 1
        #expect(code(patch) == .otherTarget)
        patch.target = base.sum
        #expect(code(patch) == nil)
    }

    @Test func `any script gives the list it describes, with the recomputed sum`() throws {
        var content = RandomContent(seed: 31)
        for _ in 0..<1_500 {
            let base = content.version(content.generator.below(30))
            let (patch, expected) = randomPatch(of: base, &content)
            let (version, transition) = try base.applyingWithTransition(patch)
            #expect(same(version, expected))
            #expect(transition.inserted.count == patch.adds.count)
            #expect(transition.updated.count == patch.updates.count)
            #expect(base.items.count - transition.deleted.count + transition.inserted.count == patch.count)
        }
    }

    /// A patch of ranges in random order, most of them needlessly moved, and the version its parts describe.
    private func randomPatch(of base: Version, _ content: inout RandomContent) -> (Patch, Version) {
        var ranges: [Range<Int>] = []
        var start = 0
        while start < base.items.count {
            let end = min(base.items.count, start + 1 + content.generator.below(5))
            if content.generator.chance(80) { ranges.append(start..<end) }
            start = end
        }
        if content.generator.chance(60) { ranges.shuffle(using: &content.generator) }
        var script = Script()
        var patch = Patch(base: base.sum, target: 0, script: [], adds: [], updates: [], head: nil, count: 0)
        var items: [Item] = []
        var keepEnd = 0
        for range in ranges {
            if content.generator.chance(30) {
                let added = content.items(1 + content.generator.below(3))
                script.operations.append(.add(added.count))
                patch.adds += added
                items += added
            }
            if range.lowerBound >= keepEnd, content.generator.chance(60) {
                script.operations.append(.keep(range))
                keepEnd = range.upperBound
            } else {
                script.operations.append(.move(range))
            }
            for item in base.items[range] {
                items.append(item)
                guard content.generator.chance(25) else { continue }
                let change = FieldChange(records: content.record(2), cleared: content.generator.chance(50) ? [3] : [])
                script.updates.append(items.count - 1..<items.count)
                patch.updates.append(change)
                items[items.count - 1].body = (try? change.apply(to: item.body)) ?? []
            }
        }
        var head = base.head
        if content.generator.chance(30) {
            head = content.body()
            patch.head = try? FieldChange.between(old: base.head, new: head)
        }
        let target = Version(head: head, items: items)
        patch.script = script.encoded()
        patch.count = items.count
        patch.target = target.sum
        return (patch, target)
    }

    @Test func `a damaged patch either throws or leads to a version whose recomputed sum is the one it names`() throws {
        var content = RandomContent(seed: 32)
        var accepted = 0
        for round in 0..<400 {
            let base = content.version(1 + content.generator.below(20))
            let patch = Differ.patch(from: base, to: content.edited(base, edits: 6))
            for _ in 0..<20 {
                var damaged = patch
                damage(&damaged, with: &content.generator)
                if let version = try? base.applying(damaged) {
                    #expect(version.sum == patch.target, "round \(round)")
                }
                // With the sum it actually has, only the structure decides.
                guard let sum = try? damaged.incrementalTargetSum(from: base) else { continue }
                damaged.target = sum
                let version = try base.applying(damaged)
                accepted += 1
                #expect(same(version, Version(head: version.head, items: Array(version.items))))
                #expect(version.items.count == damaged.count)
                #expect(Set(version.items.map { ExactString($0.id) }).count == version.items.count)
                #expect(version.items.allSatisfy { !$0.id.isEmpty })
            }
        }
        #expect(accepted > 100)
    }

    private func damage(_ patch: inout Patch, with generator: inout SeededGenerator) {
        switch generator.below(6) {
        case 0 where !patch.script.isEmpty: patch.script.removeLast(1 + generator.below(patch.script.count))
        case 1: patch.script.append(UInt8(generator.below(32)))
        case 2: patch.count += generator.below(3) - 1
        case 3 where !patch.adds.isEmpty: patch.adds.swapAt(0, generator.below(patch.adds.count))
        case 4 where !patch.adds.isEmpty: patch.adds[0].id = "i\(1 + generator.below(40))"
        default:
            guard !patch.script.isEmpty else { return }
            for _ in 0...generator.below(2) {
                patch.script[generator.below(patch.script.count)] ^= 1 << UInt8(generator.below(8))
            }
        }
    }
}
