import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes
import Testing

@testable import MarqueeStore

/// The work of many merges into one record, by counters of the plan.
@Suite struct MergeCostTests {
    /// A store of types and one record.
    private struct OneRecord: StoredLists {
        let title: String

        func record(_ name: RecordName) -> CatalogueRecord? {
            switch name {
            case .types:
                if case .types(let document) = Sample.types { .types(document) } else { nil }
            case .typed(let id) where id.id == "e1":
                if case .put(_, .bytes(let bytes)) = Sample.put("episode", "e1", ["guid": "e1", "title": title]) {
                    .typed(id, bytes)
                } else {
                    nil
                }
            default: nil
            }
        }

        func entryCount(of list: ListName) -> Int? { nil }
        func entryKey(of list: ListName, at rank: Int) -> String? { nil }
        func editions(of list: String) -> [String?] { [] }
        func hasList(declaredAs name: String) -> Bool { false }
    }

    private func plan(_ plays: some Sequence<Int>, into title: String) throws -> CommitPlan {
        let store = OneRecord(title: title)
        var plan = CommitPlan(of: [], library: TypeLibrary())
        for plays in plays {
            let json = #"{"merge": {"type": "episode", "id": "e1", "record": {"plays": \#(plays)}}}"#
            try plan.add(
                try Change(document: Array(json.utf8)), stored: store.record, hasRecords: { _ in true },
                hasMembers: { _ in false }, lists: store)
        }
        return plan
    }

    @Test func `Merges of one record make one change, of its last state`() throws {
        let few = try plan(1...100, into: "Tide")
        let many = try plan(1...1_000, into: "Tide")
        #expect(many.changes.count == 1)
        #expect(many.records.count == 1)
        // Twice as many read twice as much, and the first reads what is stored.
        #expect(many.bytesReadAgain < 11 * few.bytesReadAgain)
        guard case .put(_, .bytes(let bytes))? = many.changes.first else {
            Issue.record("\(many.changes)")
            return
        }
        guard
            case .put(_, .bytes(let expected)) = Sample.put(
                "episode", "e1", ["guid": "e1", "title": "Tide", "plays": 1_000])
        else { return }
        #expect(bytes == expected)
    }

    @Test func `Merges that read a large record again and again are refused at a bound`() throws {
        let title = String(repeating: "x", count: 60_000)
        let most = CatalogueBounds.bytesReadAgain / 60_000
        let error = #expect(throws: CommitPlan.Refusal.self) { try plan(1...2 * most, into: title) }
        #expect(error?.reason.contains("several commits") == true)
        #expect(try plan(1...10, into: title).bytesReadAgain < 10 * 61_000)
    }

    @Test func `A record that is as it was in the end is no change`() throws {
        #expect(try plan([1, 2, 0], into: "Tide").changes.isEmpty)
        #expect(try plan([1, 2, 0], into: "Tide").records.isEmpty)
    }
}
