import MarqueeCatalogue
import MarqueeModel
import PostgresSupport
import SeededRandom
import Testing

@testable import MarqueeStore

extension PostgresTests {
    /// Lists that are edited entry by entry.
    @Suite struct PostgresListTests {
        private static let list = ListName("top")

        @Test(arguments: [1, 2, 3] as [UInt64])
        func `Random edits leave the same order as in memory`(_ seed: UInt64) throws {
            var random = SeededGenerator(seed: seed)
            let model = MemoryStore()
            try PostgresTests.withTwoHandles { a, b throws in
                for store in [a, model] as [any StoreEngine] { try store.commit(Sample.types) }
                for round in 0..<40 {
                    let changes = (0..<Int.random(in: 1...12, using: &random)).map { _ in Self.edit(&random) }
                    let store = round.isMultiple(of: 2) ? a : b
                    #expect(try store.commit(changes) == model.commit(changes))
                    #expect(try a.snapshotChanges() == model.snapshotChanges())
                }
                #expect(try a.commits(after: 0, limit: 100) == model.commits(after: 0, limit: 100))
            }
        }

        private static func edit(_ random: inout SeededGenerator) -> Change {
            let key = "key \(Int.random(in: 1...9, using: &random))"
            if Int.random(in: 1...5, using: &random) == 1 { return .listItem(EntryEdit(list, removing: key)) }
            let record = RecordID.episode("\(Int.random(in: 1...3, using: &random))")
            let rank = Bool.random(using: &random) ? Int.random(in: 1...10, using: &random) : nil
            return .listItem(EntryEdit(list, putting: ListEntry(key: key, record: record), at: rank))
        }

        @Test func `A list without room between two entries is renumbered`() throws {
            let model = MemoryStore()
            try PostgresTests.withTwoHandles { a, b throws in
                for store in [a, model] as [any StoreEngine] { try store.commit(Sample.types) }
                // Each halves the room between the first two.
                let edits = (1...100).map { number in
                    Change.listItem(
                        EntryEdit(Self.list, putting: ListEntry(.episode("\(number)")), at: number == 1 ? 1 : 2))
                }
                for start in stride(from: 0, to: 60, by: 20) {
                    let changes = Array(edits[start..<start + 20])
                    #expect(try b.commit(changes) == model.commit(changes))
                }
                for edit in edits[60...] { #expect(try a.commit(edit) == model.commit(edit)) }
                #expect(try a.snapshotChanges() == model.snapshotChanges())
            }
        }

        @Test func `Thousands of records and entries are read and written in parts`() throws {
            let model = MemoryStore()
            try PostgresTests.withTwoHandles { a, b throws in
                var changes = [Sample.types] + (1...2_500).map { .episode("\($0)", "Tide \($0)") }
                changes.append(
                    .list(RecordList(Self.list, entries: (1...2_500).map { ListEntry(.episode("\($0)")) })))
                for store in [a, model] as [any StoreEngine] { try store.commit(changes) }
                let removals = (1...2_400).map { Change.remove(.episode("\($0)")) }
                #expect(try b.commit(removals) == model.commit(removals))
                #expect(try a.snapshotChanges() == model.snapshotChanges())
                #expect(try a.search("tide", in: .podcasts, offset: 0, limit: 1).total == 100)
            }
        }
    }
}
