import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes
import Testing

@testable import MarqueeStore

/// How every engine keeps drafts, and makes one commit of each.
@Suite struct DraftConformanceTests {
    private func drafts(_ store: any StoreEngine) throws -> any DraftStore {
        try #require(store as? any DraftStore)
    }

    private func edit(_ action: DraftEdit.Action, of name: String = "spring", in store: any StoreEngine) throws
        -> StoreOutcome?
    {
        try store.write([.draft(DraftEdit(name, action), mutation: nil)]).first
    }

    private func add(_ changes: Change..., to name: String = "spring", in store: any StoreEngine) throws {
        let head = try store.catalogueHead().revision
        #expect(try edit(.add(changes, key: nil), of: name, in: store) == .done(revision: head, changed: true))
    }

    private func version(_ store: any StoreEngine) throws -> UInt64 {
        try #require(try drafts(store).draft("spring")).version
    }

    private func refusal(_ outcome: StoreOutcome?) -> String {
        if case .refused(let reason)? = outcome { reason } else { "\(String(describing: outcome))" }
    }

    @Test(arguments: EngineKind.allCases)
    func `Publications in a draft are seen by nobody until it becomes one commit`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.types, .episode("1", "One"))
            let before = try store.snapshotChanges()
            try add(.episode("1", "Two"), in: store)
            try add(.episode("2"), .list(RecordList(ListName("top"), entries: [ListEntry(.episode("2"))])), in: store)
            #expect(try store.snapshotChanges() == before && store.catalogueHead().revision == 1)
            let summary = try #require(try drafts(store).drafts().first)
            #expect(summary.name == "spring" && summary.publications == 2 && summary.changes == 3)
            let draft = try #require(try drafts(store).draft("spring"))
            #expect(draft.summary == summary && draft.changes.count == 3)
            #expect(
                try edit(.publish(version: draft.version, despiteConflicts: false), in: store)
                    == .done(revision: 2, changed: true))
            #expect(try store.commits(after: 1, limit: 9).map(\.changes.count) == [3])
            #expect(try drafts(store).drafts().isEmpty && drafts(store).draft("spring") == nil)
            let again = try edit(.publish(version: draft.version, despiteConflicts: false), in: store)
            #expect(refusal(again) == "there is no draft 'spring'")
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `What was changed meanwhile is named, and published only on demand`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.types, .episode("1", "One"), .episode("2", "Two"))
            try add(.episode("1", "Draft"), .episode("2", "Draft"), .episode("3", "Draft"), in: store)
            try store.commit(.episode("2", "Newer"))
            try store.commit(.episode("3", "Theirs"))
            try store.commit(.episode("4", "Other"))
            // Putting more into it doesn't hide the conflict.
            try add(.episode("2", "Draft 2"), in: store)
            let publish = DraftEdit.Action.publish(version: try version(store), despiteConflicts: false)
            let reason = refusal(try edit(publish, in: store))
            #expect(reason.contains("changed in the catalogue since: episode/2, episode/3;"), "\(reason)")
            #expect(try store.catalogueHead().revision == 4 && drafts(store).drafts().count == 1)
            // Back to what it was: no conflict any more.
            try store.commit(.episode("2", "Two"), .remove(.episode("3")))
            #expect(try edit(publish, in: store) == .done(revision: 6, changed: true))
            try add(.episode("1", "Last"), in: store)
            try store.commit(.episode("1", "Between"))
            let anyway = DraftEdit.Action.publish(version: try version(store), despiteConflicts: true)
            #expect(try edit(anyway, in: store) == .done(revision: 8, changed: true))
            #expect(try store.snapshotChanges().count == 5)
            #expect(try store.commits(after: 7, limit: 2).map(\.changes.count) == [1])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A draft is published once when it is due, or says why it wasn't`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let (noon, later) = (Moment(milliseconds: 1_800_000_000_000), Moment(milliseconds: 1_800_000_060_000))
            try store.commit(Sample.types, .episode("1", "One"))
            try add(.episode("1", "Two"), in: store)
            func schedule(_ moment: Moment, despite: Bool = false) throws {
                let action = DraftEdit.Action.schedule(
                    version: try version(store), at: moment, despiteConflicts: despite)
                #expect(try edit(action, in: store)?.hasChanged == true)
            }
            try schedule(noon)
            #expect(try drafts(store).drafts().first?.due == noon)
            let more = try edit(.add([.episode("2")], key: nil), in: store)
            #expect(refusal(more).contains("takes nothing more; hold it first"))
            #expect(try edit(.publishDue(later), in: store) == .done(revision: 1, changed: false))
            #expect(try edit(.hold, in: store) == .done(revision: 1, changed: true))
            #expect(try edit(.publishDue(noon), in: store) == .done(revision: 1, changed: false))
            try schedule(noon)
            try store.commit(.episode("1", "Theirs"))
            #expect(try edit(.publishDue(noon), in: store) == .done(revision: 2, changed: false))
            let kept = try #require(try drafts(store).drafts().first)
            #expect(kept.due == nil && kept.problem?.contains("episode/1") == true)
            let refused = try edit(
                .schedule(version: kept.version, at: later, despiteConflicts: false), in: store)
            #expect(refusal(refused).contains("episode/1"))
            try schedule(later, despite: true)
            // Two servers try.
            #expect(try edit(.publishDue(later), in: store) == .done(revision: 3, changed: true))
            #expect(try edit(.publishDue(later), in: store) == .done(revision: 3, changed: false))
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A publication that the catalogue wouldn't take isn't taken by a draft`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.types)
            try add(.episode("1", "One"), in: store)
            // The document before it names the draft.
            let unknown = try edit(.add([.episode("2"), .remove(RecordID(type: "x", id: "1"))], key: nil), in: store)
            #expect(refusal(unknown).hasPrefix("change 3: "), "\(refusal(unknown))")
            for (name, hint) in [("a b", "letters"), ("", "letters"), ("x*", "letters")] {
                let outcome = try edit(.add([.episode("1")], key: nil), of: name, in: store)
                #expect(refusal(outcome).contains(hint))
            }
            let stale = try edit(.publish(version: 1, despiteConflicts: false), in: store)
            #expect(refusal(stale).contains("was changed at the same moment"))
            #expect(try edit(.drop, in: store) == .done(revision: 1, changed: true))
            #expect(refusal(try edit(.drop, in: store)) == "there is no draft 'spring'")
            #expect(try edit(.publishDue(Moment(milliseconds: 1)), in: store) == .done(revision: 1, changed: false))
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A publication goes into a draft once, by its key or its number`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.types)
            let action = DraftEdit.Action.add([.episode("1")], key: "k1")
            #expect(try edit(action, in: store) == .done(revision: 1, changed: true))
            #expect(try edit(action, in: store) == .done(revision: 1, changed: false))
            #expect(try edit(action, of: "autumn", in: store) == .keyReused)
            #expect(try edit(.add([.episode("2")], key: "k1"), in: store) == .keyReused)
            let numbered = StoreWrite.draft(
                DraftEdit("spring", .add([.episode("2")], key: nil)), mutation: .of(1, 1))
            #expect(try store.write([numbered]) == [.done(revision: 1, changed: true)])
            #expect(try store.write([numbered]) == [.repeated(revision: 1, changed: true)])
            #expect(try drafts(store).drafts().map(\.publications) == [2])
        }
    }

    @Test func `A catalogue has a bounded number of drafts, and a draft of publications`() throws {
        let store = MemoryStore()
        try store.commit(Sample.types)
        for index in 0..<Draft.maximumDrafts { try add(.episode("1"), to: "d\(index)", in: store) }
        let more = try edit(.add([.episode("1")], key: nil), of: "more", in: store)
        #expect(refusal(more).contains("at most 64 drafts in a catalogue"))
        for _ in 1..<Draft.maximumPublications { try add(.episode("1"), to: "d1", in: store) }
        let longer = try edit(.add([.episode("1")], key: nil), of: "d1", in: store)
        #expect(refusal(longer).contains("at most 256 publications in a draft"))
    }

    @Test func `A document is about a draft as a whole, or names where the changes behind it go`() throws {
        func order(_ documents: String...) throws(RecordError) -> DraftOrder? {
            try DraftOrder.of(documents.map { Array($0.utf8) })
        }
        let change = #"{"removePage": {"id": "x"}}"#
        #expect(try order(change) == nil)
        #expect(try order(#"{ "draft": "spring" }"#, change) == .add(to: "spring"))
        #expect(
            try order(#"{"draft": {"publish": "spring", "at": "2026-12-24T20:00+09:00", "despiteConflicts": true}}"#)
                == .publish("spring", at: Moment(written: "2026-12-24T11:00Z"), despiteConflicts: true))
        #expect(try order(#"{"draft": {"hold": "spring"}}"#) == .hold("spring"))
        #expect(try order(#"{"draft": {"drop": "spring"}}"#) == .drop("spring"))
        for documents in [
            [#"{"draft": "spring"}"#], [change, #"{"draft": "spring"}"#], [#"{"draft": "a b"}"#, change],
            [#"{"draft": {"drop": "spring"}}"#, change], [#"{"draft": {"drop": "a", "hold": "a"}}"#],
            [#"{"draft": {"drop": "a", "at": "2026-12-24T20:00Z"}}"#], [#"{"draft": 5}"#],
            [#"{"draft": "spring"}"#, #"{"undo": {"revision": 1}}"#],
            [#"{"draft": {"publish": "spring", "at": "soon"}}"#],
        ] {
            #expect(throws: RecordError.self, "\(documents)") {
                try DraftOrder.of(documents.map { Array($0.utf8) })
            }
        }
    }

    @Test func `A draft is read from a store as it was written, with changes of every kind`() throws {
        var draft = Draft("spring", version: 7)
        let changes: [Change] = [
            Sample.types, .episode("1", "One"), .remove(.episode("2")), Sample.day("01", "1"),
            .show(list: "daily", edition: "01"), .chooseRecord(pool: "main", record: .episode("1")),
            .listItem(EntryEdit(ListName("top"), putting: ListEntry(.episode("3")), at: 1)),
            .merge(.episode("1"), .json(.object([])), clear: ["title"], creates: false), .programme("screens: {}"),
        ]
        draft.add(changes, stored: { _ in nil })
        draft.due = Moment(milliseconds: 5)
        #expect(try Draft(draft.summary, content: draft.content) == draft)
    }
}
