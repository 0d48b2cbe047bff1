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
        let bytes: [UInt8]?

        init(title: String) { bytes = MergeCostTests.bytes(["guid": "e1", "title": title]) }

        func record(_ name: RecordName) -> CatalogueRecord? {
            switch name {
            case .types:
                if case .types(let document) = Sample.types { .types(document) } else { nil }
            case .typed(let id) where id.id == "e1": bytes.map { .typed(id, $0) }
            default: nil
            }
        }

        func entryCount(of list: ListName) -> Int? { nil }
        func entryKey(of list: ListName, at rank: Int) -> String? { nil }
        func editions(of list: String) -> [String?] { [] }
        func hasList(declaredAs name: String) -> Bool { false }
    }

    /// The canonical bytes of an episode.
    private static func bytes(_ fields: [String: Any]) -> [UInt8]? {
        if case .put(_, .bytes(let bytes)) = Sample.put("episode", "e1", fields) { bytes } else { nil }
    }

    private func plan(_ documents: some Sequence<String>, on store: OneRecord) throws -> CommitPlan {
        var plan = CommitPlan(of: [], library: TypeLibrary())
        for json in documents {
            try plan.add(
                try Change(document: Array(json.utf8)), stored: store.record, hasRecords: { _ in true },
                hasMembers: { _ in false }, lists: store)
        }
        return plan
    }

    private func plan(_ plays: some Sequence<Int>, into title: String) throws -> CommitPlan {
        let documents = plays.map { #"{"merge": {"type": "episode", "id": "e1", "record": {"plays": \#($0)}}}"# }
        return try plan(documents, on: OneRecord(title: title))
    }

    @Test func `Merges of one record make one change, of its last state`() throws {
        let few = try plan(1...100, into: "Tide")
        let many = try plan(1...1_000, into: "Tide")
        #expect(many.changes.count == 1)
        #expect(many.records.sorted.count == 1)
        // Ten times as many read ten times as much, and a little more: numbers grow.
        #expect(few.bytesReadAgain > 0)
        #expect(many.bytesReadAgain < 12 * few.bytesReadAgain)
        let last = try #require(Self.bytes(["guid": "e1", "title": "Tide", "plays": 1_000]))
        #expect(many.changes == [.put(RecordID(type: "episode", id: "e1"), .bytes(last))])
    }

    @Test func `Merges that read a large record again and again are refused at a bound`() throws {
        let title = String(repeating: "x", count: 60_000)
        let most = CatalogueBounds.bytesReadAgain / 60_000
        let error = #expect(throws: CommitPlan.Refusal.self) { try plan(1...2 * most, into: title) }
        #expect(error?.reason.contains("several commits") == true)
        #expect(try plan(1...10, into: title).bytesReadAgain < 10 * 61_000)
    }

    @Test func `A record that a commit makes and removes again is no change`() throws {
        let documents = [
            #"{"merge": {"type": "episode", "id": "e2", "record": {"plays": 1}}}"#,
            #"{"remove": {"type": "episode", "id": "e2"}}"#,
        ]
        let plan = try plan(documents, on: OneRecord(title: "Tide"))
        #expect(plan.changes.isEmpty)
        #expect(plan.records.sorted.isEmpty)
    }
}
