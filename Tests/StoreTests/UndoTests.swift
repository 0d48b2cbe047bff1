import MarqueeCatalogue
import MarqueeModel
import Testing

@testable import MarqueeStore

/// Commits that restore what another has changed.
@Suite struct UndoTests {
    private func undo(
        _ revision: UInt64, in store: any TransactionalStore, key: String? = nil, mutation: MutationID? = nil
    ) throws -> StoreOutcome {
        try Undo(of: revision, in: store, key: key, isRepeated: mutation != nil)
            .commit(to: store, key: key, mutation: mutation)
    }

    private func refusal(_ revision: UInt64, in store: any TransactionalStore) -> String {
        let error = #expect(throws: Undo.Refusal.self) { try undo(revision, in: store) }
        return error?.reason ?? ""
    }

    private static let page: [Change] = [
        .page(Page(id: "home", sections: [.init(id: "s", type: "large", title: "New", list: "top")]))
    ]

    @Test(arguments: EngineKind.allCases)
    func `An undo restores everything that a commit changed, added and removed, and can be undone too`(
        _ kind: EngineKind
    ) throws {
        try kind.withStore { store throws in
            let top = ListName("top")
            try store.commit(
                Sample.types, .episode("1", "One"), .episode("2", "Two"), Sample.day("01", "1"), Sample.day("02", "2"),
                .show(list: "daily", edition: "01"), .chooseRecord(pool: "main", record: .episode("1")),
                .list(RecordList(top, entries: [ListEntry(.episode("1")), ListEntry(.episode("2"))])))
            let before = try store.snapshotChanges()
            try store.commit(
                .episode("1", "Changed"), .remove(.episode("2")), .episode("3"), Sample.day("03", "3"),
                .show(list: "daily", edition: "03"), .removeList(ListName("daily", edition: "01")),
                .removeChoice(pool: "main"), .chooseEntry(pool: "side", entry: "episode/1"),
                .listItem(EntryEdit(top, putting: ListEntry(.episode("3")), at: 1)),
                .listItem(EntryEdit(top, removing: "episode/2")), Self.page[0])
            let after = try store.snapshotChanges()
            #expect(try undo(2, in: store) == .done(revision: 3, changed: true))
            #expect(try store.snapshotChanges() == before)
            #expect(try store.commits(after: 2, limit: 9).count == 1, "it is one commit")
            #expect(try undo(3, in: store) == .done(revision: 4, changed: true))
            #expect(try store.snapshotChanges() == after)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A source that has moved on doesn't prevent an undo, and stays where it is`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.types, .episode("1", "One"))
            try store.commit(.source(SourcePosition("shop", at: "1")), .episode("1", "Two"))
            try store.commit(.source(SourcePosition("shop", at: "2", expecting: "1")), .episode("2"))
            #expect(try undo(2, in: store) == .done(revision: 4, changed: true))
            #expect(try store.sources().map(\.position) == ["2"])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `An undo is refused if a newer commit touched the same pieces, which are named`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.types, .episode("1", "One"), .episode("2", "Two"))
            try store.commit(.episode("1", "Changed"), .episode("2", "Changed"))
            try store.commit(.episode("3"))
            try store.commit(.episode("2", "Newer"))
            #expect(refusal(2, in: store).contains("changed again: episode/2 in revision 4"))
            #expect(try store.catalogueHead().revision == 4)
            #expect(try undo(4, in: store) == .done(revision: 5, changed: true))
            #expect(refusal(2, in: store).contains("episode/2 in revision 4, episode/2 in revision 5"))
            #expect(refusal(9, in: store).contains("there is no revision 9; the newest is 5"))
            try store.commit(.time(Moment(milliseconds: 1_700_000_000_000)))
            #expect(refusal(6, in: store).contains("never goes back"))
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Only commits that touch the same pieces meanwhile prevent an undo`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.types, .episode("1", "One"))
            try store.commit(.episode("1", "Changed"))
            let undo = try Undo(of: 2, in: store)
            try store.commit(.episode("2"))
            #expect(try undo.commit(to: store, key: nil, mutation: nil) == .done(revision: 4, changed: true))
            #expect(try undo.commit(to: store, key: nil, mutation: nil) == .done(revision: 4, changed: false))
            let late = try Undo(of: 4, in: store)
            try store.commit(.episode("1", "Newer"))
            guard case .refused(let reason) = try late.commit(to: store, key: nil, mutation: nil) else {
                Issue.record("something newer stands on it")
                return
            }
            #expect(reason.contains("episode/1 in revision 5"))
            #expect(try store.catalogueHead().revision == 5)
            #expect(try store.snapshotChanges().contains(.episode("1", "Newer")))
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A repeated undo is made once`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.types, .episode("1", "One"))
            try store.commit(.episode("1", "Changed"))
            #expect(try undo(2, in: store, key: "k") == .done(revision: 3, changed: true))
            #expect(try undo(2, in: store, key: "k").hasChanged == false)
            let mutation = MutationID(client: [UInt8](repeating: 7, count: 16), number: 1, answeredThrough: 0)
            #expect(try undo(3, in: store, mutation: mutation) == .done(revision: 4, changed: true))
            #expect(try undo(3, in: store, mutation: mutation) == .repeated(revision: 4, changed: true))
            #expect(try store.catalogueHead().revision == 4)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `An undo doesn't guess what the log no longer has`(_ kind: EngineKind) throws {
        var limits = StoreLimits()
        limits.historyCommits = 2
        try kind.withStore(limits: limits) { store throws in
            try store.commit(Sample.types, .episode("1", "One"), .episode("2", "Two"))
            try store.commit(.episode("2", "Known"))
            try store.commit(.episode("1", "Changed"))
            #expect(refusal(1, in: store).contains("doesn't reach back to revision 1"))
            #expect(refusal(3, in: store).contains("doesn't say what episode/1 was before revision 3"))
            try store.commit(.episode("1", "Again"))
            #expect(try undo(4, in: store) == .done(revision: 5, changed: true))
            #expect(try store.snapshotChanges().contains(.episode("1", "Changed")))
        }
    }

    @Test func `Pieces that can be replaced but not removed are named`() throws {
        let store = MemoryStore()
        try store.commit(Sample.types)
        #expect(refusal(1, in: store).contains("the types, which can be replaced but not removed"))
    }

    @Test(arguments: [
        (#"[{"undo": {"revision": 12}}]"#, 12 as UInt64?), (#"[{"remove": {"type": "a", "id": "undo"}}]"#, nil),
    ])
    func `A publication that undoes a commit names its revision`(documents: String, revision: UInt64?) throws {
        let documents = [Array(documents.dropFirst().dropLast().utf8)]
        #expect(try Undo.revision(of: documents) == revision)
    }

    @Test(arguments: [
        [#"{"undo": 12}"#], [#"{"undo": {"revison": 12}}"#], [#"{"undo": {"revision": "x"}}"#],
        [#"{"undo": {"revision": -1}}"#], [#"{"undo": {"revision": 1}, "put": {}}"#],
        [#"{"undo": {"revision": 1}}"#, #"{"removePage": {"id": "a"}}"#],
    ])
    func `A malformed undo, or one beside changes, is refused`(documents: [String]) {
        #expect(throws: (any Error).self) { try Undo.revision(of: documents.map { Array($0.utf8) }) }
    }
}
