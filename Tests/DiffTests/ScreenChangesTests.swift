import MarqueeDiff
import MarqueeModel
import SeededRandom
import Testing

@Suite struct ScreenChangesTests {
    private typealias Sections = [ScreenChanges.Section]

    private func section(_ id: String, _ items: String, head: [UInt8] = []) -> ScreenChanges.Section {
        let items = items.map { Item(id: String($0), kind: .movie, body: []) }
        return (id: id, version: Version(head: head, items: items))
    }

    @Test func `items change in one batch when no section moves, in old and new section indices`() throws {
        let old = [section("a", "12"), section("b", "123"), section("c", "9")]
        let new = [section("x", "7"), section("b", "314"), section("c", "9", head: [8, 1])]
        let changes = ScreenChanges.between(old: old, new: new)
        var expected = StructuralBatch()
        expected.deletedSections = [0]
        expected.insertedSections = [0]
        expected.deletedItems = [ItemPosition(section: 1, item: 1)]
        expected.insertedItems = [ItemPosition(section: 1, item: 2)]
        expected.movedItems = [
            PositionMove(from: ItemPosition(section: 1, item: 2), to: ItemPosition(section: 1, item: 0))
        ]
        // Either of two swapped items may be the one that moves.
        var mirrored = expected
        mirrored.movedItems = [
            PositionMove(from: ItemPosition(section: 1, item: 0), to: ItemPosition(section: 1, item: 1))
        ]
        #expect(changes.batches == [expected] || changes.batches == [mirrored])
        #expect(changes.reconfiguredSections == [2])
        #expect(changes.reconfiguredItems.isEmpty)
        try expectLegal(changes, old: old, new: new)
    }

    @Test func `when a section moves, sections go first and items follow in new section indices`() throws {
        let old = [section("a", "12"), section("b", "123"), section("c", "9")]
        let new = [section("b", "123"), section("x", "7"), section("c", "98"), section("a", "1")]
        let changes = ScreenChanges.between(old: old, new: new)
        #expect(changes.batches.count == 2)
        #expect(changes.batches.first?.movedSections == [PositionMove(from: 0, to: 3)])
        #expect(changes.batches.first?.insertedSections == [1])
        #expect(changes.batches.last?.insertedItems == [ItemPosition(section: 2, item: 1)])
        #expect(changes.batches.last?.deletedItems == [ItemPosition(section: 3, item: 1)])
        try expectLegal(changes, old: old, new: new)
    }

    @Test func `no change gives no batch, and the first content only inserts sections`() {
        let sections = [section("a", "12"), section("b", "3")]
        #expect(ScreenChanges.between(old: sections, new: sections).isEmpty)
        let first = ScreenChanges.between(old: [], new: sections)
        #expect(first.batches.map(\.insertedSections) == [[0, 1]])
        #expect(first.batches.flatMap(\.insertedItems).isEmpty)
    }

    @Test func `one id in two sections stays two items`() throws {
        let old = [section("a", "12"), section("b", "23")]
        let new = [section("a", "1"), section("b", "123")]
        let changes = ScreenChanges.between(old: old, new: new)
        #expect(changes.batches.flatMap(\.movedItems).isEmpty)
        try expectLegal(changes, old: old, new: new)
    }

    @Test func `a known transition is used, one between other versions isn't`() throws {
        let old = [section("a", "123")]
        let new = [section("a", "312")]
        // Legal, but not the fewest moves, so it is recognizable.
        let patch = Patch(
            base: old[0].version.sum, target: new[0].version.sum,
            script: Script(operations: [.keep(2..<3), .move(0..<2)]).encoded(), adds: [], updates: [], head: nil,
            count: 3)
        let known = try old[0].version.applyingWithTransition(patch).transition
        let used = ScreenChanges.between(old: old, new: new, transitions: ["a": known])
        #expect(used.batches.map(\.movedItems.count) == [2])
        try expectLegal(used, old: old, new: new)
        var other = known
        other.base &+= 1
        #expect(
            ScreenChanges.between(old: old, new: new, transitions: ["a": other])
                == ScreenChanges.between(old: old, new: new))
    }

    /// 8 × 12,500 = 100,000 transitions at full size.
    @Test(arguments: 51...58)
    func `random transitions of two levels are accepted by the strict rules and end in the new state`(
        seed: UInt64
    ) throws {
        var content = RandomContent(seed: seed)
        content.brokenBodies = 3
        var seen = (twoBatches: 0, emptySections: 0, sharedIDs: 0, duplicates: 0)
        let rounds = Extent.of(1_000, full: 12_500)
        for round in 0..<rounds {
            let old = withDuplicates(screen(&content), &content)
            let new = withDuplicates(edited(old, &content), &content)
            let changes = ScreenChanges.between(old: old, new: new)
            try expectLegal(changes, old: old, new: new, "seed \(seed), round \(round)")
            if changes.batches.count == 2 { seen.twoBatches += 1 }
            if new.contains(where: { $0.version.items.isEmpty }) { seen.emptySections += 1 }
            let ids = new.map { Set($0.version.items.map(\.id)) }
            if ids.reduce(0, { $0 + $1.count }) > ids.reduce(into: Set<String>(), { $0.formUnion($1) }).count {
                seen.sharedIDs += 1
            }
            if zip(ids, new).contains(where: { $0.count < $1.version.items.count }) { seen.duplicates += 1 }
        }
        #expect(seen.twoBatches > rounds / 13)
        #expect(seen.emptySections > rounds / 13)
        #expect(seen.sharedIDs > rounds / 25)
        #expect(seen.duplicates > rounds / 25)
    }

    @Test func `transitions reported by patches are accepted by the strict rules as well`() throws {
        var content = RandomContent(seed: 52)
        for round in 0..<500 {
            let old = screen(&content)
            let new = edited(old, &content)
            var transitions: [String: ListTransition] = [:]
            for section in new {
                guard let base = old.first(where: { $0.id == section.id })?.version else { continue }
                let patch = Differ.patch(from: base, to: section.version)
                transitions[section.id] = try base.applyingWithTransition(patch).transition
            }
            let changes = ScreenChanges.between(old: old, new: new, transitions: transitions)
            #expect(changes == ScreenChanges.between(old: old, new: new))
            try expectLegal(changes, old: old, new: new, "round \(round)")
        }
    }

    // MARK: - The model refuses what UIKit refuses

    @Test func `the strict rules refuse illegal batches`() {
        let first = ItemPosition(section: 0, item: 0)
        let second = ItemPosition(section: 1, item: 0)
        expectRefused("an empty batch") { _ in }
        expectRefused("a section deleted or moved twice") { $0.deletedSections = [0, 0] }
        expectRefused("the number of sections doesn't add up") { $0.deletedSections = [0] }
        expectRefused("an old section out of bounds") { $0.deletedSections = [2] }
        expectRefused("sections move together with items") {
            $0.movedSections = [PositionMove(from: 0, to: 1)]
            $0.deletedItems = [first]
        }
        expectRefused("the number of items doesn't add up") { $0.deletedItems = [first] }
        expectRefused("an item out of bounds") { $0.deletedItems = [ItemPosition(section: 0, item: 5)] }
        expectRefused("an item operation in a deleted section") {
            $0.deletedSections = [0]
            $0.insertedSections = [0]
            $0.deletedItems = [first]
        }
        expectRefused("an item operation in an inserted section") {
            $0.deletedSections = [0]
            $0.insertedSections = [0]
            $0.insertedItems = [first]
        }
        expectRefused("an item deleted or moved twice") {
            $0.deletedItems = [first]
            $0.movedItems = [PositionMove(from: first, to: first)]
        }
        expectRefused("two items to one place") {
            $0.insertedItems = [second]
            $0.movedItems = [PositionMove(from: first, to: second)]
        }
        expectRefused("an item moves to another section") {
            $0.movedItems = [PositionMove(from: first, to: second)]
        }
        expectRefused("items that differ from the data") {
            $0.movedItems = [PositionMove(from: first, to: ItemPosition(section: 0, item: 1))]
        }
    }

    private func expectRefused(
        _ reason: String, at location: SourceLocation = #_sourceLocation, _ make: (inout StructuralBatch) -> Void
    ) {
        let state = [section("a", "12"), section("b", "34")].map { CollectionViewModel.Section($0) }
        var model = CollectionViewModel(state)
        var batch = StructuralBatch()
        make(&batch)
        #expect(throws: CollectionViewModel.Refusal(reason), sourceLocation: location) {
            try model.perform(batch, data: state)
        }
    }

    // MARK: - Help

    /// Performs the changes under the strict rules and compares every cell and head with the new state.
    private func expectLegal(
        _ changes: ScreenChanges, old: Sections, new: Sections, _ comment: Comment? = nil,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let target = new.map { CollectionViewModel.Section($0) }
        var model = CollectionViewModel(old.map { CollectionViewModel.Section($0) })
        #expect(changes.batches.count <= 2, comment, sourceLocation: location)
        if changes.batches.count == 2 {
            let between = new.map { section in
                CollectionViewModel.Section(old.first { $0.id == section.id } ?? section)
            }
            try model.perform(changes.batches[0], data: between)
            #expect(changes.batches[0].deletedItems.isEmpty && changes.batches[0].insertedItems.isEmpty)
            let second = changes.batches[1]
            #expect(second.deletedSections.isEmpty && second.insertedSections.isEmpty && second.movedSections.isEmpty)
        }
        if let last = changes.batches.last { try model.perform(last, data: target) }
        try model.reconfigure(changes, data: target)
        #expect(model.sections == target, comment, sourceLocation: location)
    }

    private func screen(_ content: inout RandomContent) -> Sections {
        (0..<content.generator.below(7)).map { (id: "s\($0)", version: content.version(content.generator.below(9))) }
    }

    /// Occasionally duplicates an id in one section: refused on the wire, but even then no batch may be illegal.
    private func withDuplicates(_ sections: Sections, _ content: inout RandomContent) -> Sections {
        guard content.generator.chance(10), let index = sections.indices.randomElement(using: &content.generator),
            let item = sections[index].version.items.randomElement(using: &content.generator)
        else { return sections }
        var sections = sections
        var items = Array(sections[index].version.items)
        items.insert(item, at: content.generator.below(items.count + 1))
        sections[index].version = Version(head: sections[index].version.head, items: items)
        return sections
    }

    private func edited(_ sections: Sections, _ content: inout RandomContent) -> Sections {
        var sections = sections
        for index in sections.indices where content.generator.chance(60) {
            sections[index].version = content.edited(sections[index].version, edits: 1 + content.generator.below(5))
        }
        for number in 0..<content.generator.below(4) {
            let index = content.generator.below(sections.count + 1)
            switch content.generator.below(4) {
            case 0 where index < sections.count: sections.remove(at: index)
            case 1 where index < sections.count:
                let moved = sections.remove(at: index)
                sections.insert(moved, at: content.generator.below(sections.count + 1))
            case 2:
                // Occasionally uses another section's items, so that the same id is in two.
                let items =
                    content.generator.chance(30)
                    ? Array(sections.first?.version.items ?? Version.empty.items) : content.items(3)
                sections.insert((id: "n\(number)", version: Version(head: [], items: items)), at: index)
            default: continue
            }
        }
        return sections
    }
}
