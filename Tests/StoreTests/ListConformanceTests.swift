import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes
import SeededRandom
import Testing

@testable import MarqueeStore

/// Lists of records with their editions, in every engine.
@Suite struct ListConformanceTests {
    private static let declarations = """
        descriptors: podcast.desc
        types:
          show: {message: podcast.v1.Show, id: slug}
          episode: {message: podcast.v1.Episode, id: guid}
        lists:
          top: {of: [episode, show], place: podcast.v1.Audio}
          daily: {of: [episode], editions: true}
          notes: {place: podcast.v1.Text}
        """

    private static let types = Sample.types(declarations)

    private static func types(replacing text: String, with other: String) -> Change {
        Sample.types(declarations.replacing(text, with: other))
    }

    private static func document(_ json: String) throws -> Change { try Change(document: Array(json.utf8)) }

    private func reason(_ outcome: StoreOutcome?) -> String {
        if case .refused(let reason)? = outcome { reason } else { "\(String(describing: outcome))" }
    }

    /// The keys of the lists in a snapshot, by name.
    private func keys(in store: any StoreEngine) throws -> [String: [String]] {
        var keys: [String: [String]] = [:]
        for case .list(let list) in try store.snapshotChanges() {
            keys[list.name.description] = list.entries.map(\.key)
        }
        return keys
    }

    private static func daily(_ edition: String) -> Change {
        .list(
            RecordList(
                ListName("daily", edition: edition), entries: [ListEntry(RecordID(type: "episode", id: "e1"))]))
    }

    @Test(arguments: EngineKind.allCases)
    func `A new edition beyond the limit removes the oldest, in the same commit, but never the one shown`(
        _ kind: EngineKind
    ) throws {
        var limits = StoreLimits()
        limits.listEditions = 2
        try kind.withStore(limits: limits) { store throws in
            try store.commit(Self.types, Self.daily("01"), .show(list: "daily", edition: "01"), Self.daily("02"))
            try store.commit(Self.daily("03"))
            #expect(try keys(in: store).keys.sorted() == ["daily, 01", "daily, 02", "daily, 03"], "the first is shown")
            try store.commit(Self.daily("04"))
            #expect(try keys(in: store).keys.sorted() == ["daily, 01", "daily, 03", "daily, 04"])
            #expect(
                try store.commits(after: 2, limit: 1).first?.changes
                    == [Self.daily("04"), .removeList(ListName("daily", edition: "02"))])
            // An older edition is removed at once, and so is one that is no longer shown.
            try store.commit(.show(list: "daily", edition: "04"), Self.daily("02"))
            #expect(try keys(in: store).keys.sorted() == ["daily, 03", "daily, 04"])
            // Other lists stay.
            try store.commit(.list(RecordList(ListName("notes"), entries: [ListEntry(key: "n", place: .bytes([]))])))
            #expect(try keys(in: store).keys.sorted() == ["daily, 03", "daily, 04", "notes"])
        }
    }

    @Test func `Stored editions beyond the limit are removed on request, in one commit`() throws {
        try withFolder { folder in
            var store = try SQLiteStore(folder: folder)
            try store.commit(Self.types)
            for number in 1...5 { try store.commit(Self.daily("0\(number)")) }
            try store.commit(.show(list: "daily", edition: "01"))
            #expect(try store.dropOldEditions() == 0, "without a limit, all stay")
            try store.close()
            var limits = StoreLimits()
            limits.listEditions = 2
            store = try SQLiteStore(folder: folder, limits: limits)
            let revision = try store.catalogueHead().revision
            #expect(try store.dropOldEditions() == 2)
            #expect(try keys(in: store).keys.sorted() == ["daily, 01", "daily, 04", "daily, 05"])
            #expect(try store.catalogueHead().revision == revision + 1)
            #expect(try store.dropOldEditions() == 0)
            try store.close()
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A list is stored with its places in canonical form`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let change = try Self.document(
                #"""
                {"list": {"list": "top", "entries": [
                  {"record": "episode/e1", "place": {"bytes": 7, "url": ""}},
                  {"key": "two", "record": "show/s", "bytes": "EAk="}, {"key": "three", "place": {"url": "x"}},
                  {"record": "episode/e2"}]}}
                """#)
            try store.commit(Self.types)
            #expect(try store.commit(change) == .done(revision: 2, changed: true))
            #expect(try store.commit(change) == .done(revision: 2, changed: false))
            let expected = RecordList(
                ListName("top"),
                entries: [
                    ListEntry(RecordID(type: "episode", id: "e1"), place: .bytes([0x10, 7])),
                    ListEntry(key: "two", record: RecordID(type: "show", id: "s"), place: .bytes([0x10, 9])),
                    ListEntry(key: "three", place: .bytes([0x0A, 1, UInt8(ascii: "x")])),
                    ListEntry(RecordID(type: "episode", id: "e2")),
                ])
            #expect(try store.snapshotChanges() == [Self.types, .list(expected)])
            // The log holds bytes, which can be read without the types and committed again.
            #expect(try store.commits(after: 1, limit: 1).first?.changes == [.list(expected)])
            #expect(try store.commit(.list(expected)) == .done(revision: 2, changed: false))
            #expect(try store.commit(.removeList(ListName("top"))) == .done(revision: 3, changed: true))
            #expect(try store.commit(.removeList(ListName("top"))) == .done(revision: 3, changed: false))
            #expect(try store.snapshotChanges() == [Self.types])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `An item is put, changed, moved and removed`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            func item(_ json: String) throws -> StoreOutcome? {
                try store.commit(Self.document(#"{"listItem": {"list": "top", \#(json)}}"#))
            }
            try store.commit(Self.types)
            // The first entry creates the list.
            #expect(try item(#""item": {"record": "episode/a"}"#) == .done(revision: 2, changed: true))
            for id in ["b", "c"] { _ = try item(#""item": {"record": "episode/\#(id)", "place": {"bytes": 1}}"#) }
            _ = try item(#""item": {"record": "episode/d"}, "at": 2"#)
            #expect(try keys(in: store) == ["top": ["episode/a", "episode/d", "episode/b", "episode/c"]])
            // Putting an item where it already is changes nothing; a move keeps the place's fields.
            #expect(try item(#""item": {"record": "episode/b"}, "at": 3"#) == .done(revision: 5, changed: false))
            #expect(try item(#""item": {"record": "episode/c"}, "at": 99"#) == .done(revision: 5, changed: false))
            #expect(try item(#""item": {"key": "episode/b"}, "at": 1"#) == .done(revision: 6, changed: true))
            #expect(
                try item(#""item": {"record": "episode/b", "place": {"bytes": 1}}"#)
                    == .done(revision: 6, changed: false))
            #expect(
                try item(#""item": {"record": "episode/b", "place": {"bytes": 2}}"#)
                    == .done(revision: 7, changed: true))
            #expect(try item(#""remove": "episode/d""#) == .done(revision: 8, changed: true))
            #expect(try item(#""remove": "episode/d""#) == .done(revision: 8, changed: false))
            #expect(try keys(in: store) == ["top": ["episode/b", "episode/a", "episode/c"]])
            let moved = ListEntry(RecordID(type: "episode", id: "b"), place: .bytes([0x10, 1]))
            #expect(
                try store.commits(after: 5, limit: 1).first?.changes
                    == [.listItem(EntryEdit(ListName("top"), putting: moved, at: 1))])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `An edition is shown until it is removed`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            func edition(_ name: String) -> Change {
                .list(
                    RecordList(
                        ListName("daily", edition: name), entries: [ListEntry(RecordID(type: "episode", id: name))]))
            }
            try store.commit(Self.types, edition("mon"), edition("tue"))
            let early = try store.commit(.show(list: "daily", edition: "teu"))
            #expect(reason(early).contains("has no edition 'teu' to show"))
            #expect(try store.commit(.show(list: "daily", edition: "tue")) == .done(revision: 2, changed: true))
            #expect(try store.commit(.show(list: "daily", edition: "tue")) == .done(revision: 2, changed: false))
            #expect(
                try store.snapshotChanges()
                    == [Self.types, edition("mon"), edition("tue"), .show(list: "daily", edition: "tue")])
            try store.commit(.removeList(ListName("daily", edition: "tue")))
            #expect(try store.snapshotChanges() == [Self.types, edition("mon")])
            try store.commit(edition("wed"), .show(list: "daily", edition: "wed"), .removeList(ListName("daily")))
            #expect(try store.snapshotChanges() == [Self.types])
        }
    }

    @Test(
        arguments: EngineKind.allCases,
        [
            (#"{"list": {"list": "tops", "entries": []}}"#, "there is no list 'tops'; did you mean 'top'?"),
            (#"{"list": {"list": "daily", "entries": []}}"#, "the list 'daily' has editions; name one"),
            (#"{"list": {"list": "top", "edition": "a", "entries": []}}"#, "the list 'top' has no editions"),
            (
                #"{"list": {"list": "notes", "entries": [{"record": "show/s"}]}}"#,
                "the list 'notes' takes no 'show'; its entries are places only"
            ),
            (
                #"{"list": {"list": "daily", "edition": "a", "entries": [{"record": "show/s"}]}}"#,
                "the list 'daily' takes no 'show'; it takes episode"
            ),
            (
                #"{"list": {"list": "daily", "edition": "a", "entries": [{"key": "k"}]}}"#,
                "the entry 'k' of 'daily' needs a 'record'"
            ),
            (
                #"{"list": {"list": "daily", "edition": "a", "entries": [{"record": "episode/e", "place": {"a": 1}}]}}"#,
                "the list 'daily' declares no 'place'"
            ),
            (
                #"{"list": {"list": "top", "entries": [{"record": "show/s", "place": {"byts": 1}}]}}"#,
                "place.byts: there is no field 'byts' here; did you mean 'bytes'?"
            ),
            (#"{"show": {"list": "top", "edition": "a"}}"#, "the list 'top' has no editions"),
            (#"{"removeList": {"list": "tops"}}"#, "there is no list 'tops'; did you mean 'top'?"),
            (#"{"removeList": {"list": "top", "edition": "a"}}"#, "the list 'top' has no editions"),
            (#"{"listItem": {"list": "tops", "remove": "k"}}"#, "there is no list 'tops'; did you mean 'top'?"),
            (#"{"listItem": {"list": "daily", "remove": "k"}}"#, "the list 'daily' has editions; name one"),
            (#"{"remove": {"type": "episod", "id": "e"}}"#, "there is no type 'episod'; did you mean 'episode'?"),
            (
                #"{"choose": {"pool": "main", "record": "shw/s"}}"#, "there is no type 'shw'; did you mean 'show'?"
            ),
        ])
    func `A change against the types is refused`(_ kind: EngineKind, _ bad: (json: String, reason: String)) throws {
        try kind.withStore { store throws in
            try store.commit(Self.types)
            let refusal = reason(try store.commit(Self.document(bad.json)))
            #expect(refusal.contains(bad.reason), "\(refusal)")
            #expect(try store.catalogueHead().revision == 1)
        }
    }

    @Test(arguments: [
        (#"{"list": {"list": "top", "entries": [{"place": {}}]}}"#, "an entry without a 'record' needs a 'key'"),
        (#"{"list": {"list": "top", "entries": [{"record": "e1"}]}}"#, "such as team/ars"),
        (
            #"{"list": {"list": "top", "entries": [{"record": "show/a"}, {"record": "show/a"}]}}"#,
            "the list has the entry 'show/a' twice"
        ),
        (#"{"listItem": {"list": "top", "item": {"record": "show/a"}, "at": 0}}"#, "ranks begin with 1"),
        (#"{"listItem": {"list": "top", "item": {"record": "show/a"}, "remove": "b"}}"#, "either put"),
        (#"{"listItem": {"list": "top", "itme": {}}}"#, "did you mean 'item'?"),
        (#"{"listItem": {"list": "top"}}"#, "either put"),
        (#"{"list": {"list": "", "entries": []}}"#, "the name of a list has 1 to 256 bytes"),
        (#"{"removeList": {"list": "top", "edition": ""}}"#, "the name of an edition has 1 to 64 bytes"),
    ])
    func `An impossible document is refused`(json: String, reason: String) {
        do {
            _ = try Change(document: Array(json.utf8))
            Issue.record("it was accepted")
        } catch {
            #expect("\(error)".contains(reason), "\(error)")
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `New types must keep the lists that are stored`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let list = try Self.document(#"{"list": {"list": "top/week", "entries": [{"record": "show/s"}]}}"#)
            try store.commit(Self.types, list)
            for (text, other, expected) in [
                (
                    "  top: {of: [episode, show], place: podcast.v1.Audio}\n", "",
                    "the list 'top' is dropped, but it is stored"
                ),
                ("[episode, show], place", "[episode], place", "the list 'top' no longer takes 'show'"),
                ("place: podcast.v1.Audio}", "place: podcast.v1.Text}", "the place of the list 'top'"),
                ("podcast.v1.Audio}", "podcast.v1.Audio, editions: true}", "the list 'top' has editions now"),
            ] {
                let refusal = reason(try store.commit(Self.types(replacing: text, with: other)))
                #expect(refusal.contains(expected), "\(refusal)")
            }
            let unused = Self.types(replacing: "  daily: {of: [episode], editions: true}\n", with: "")
            #expect(try store.commit(unused) == .done(revision: 2, changed: true))
            try store.commit(.removeList(ListName("top/week")))
            #expect(
                try store.commit(Self.types(replacing: "[episode, show], place", with: "[episode], place"))
                    == .done(revision: 4, changed: true))
        }
    }

    /// A store of one list that notes which records are requested.
    private final class AskedLists: StoredLists {
        var asked: [RecordName] = []

        func record(_ name: RecordName) -> CatalogueRecord? {
            asked.append(name)
            switch name {
            case .types: return .types(TypesDocument(declarations: declarations, descriptors: Sample.descriptors))
            case .listEntry(let list, let key):
                return .listEntry(list, ListEntry(key: key, place: .bytes([0x10, 1])))
            default: return nil
            }
        }

        func entryCount(of list: ListName) -> Int? { 10_000 }
        func entryKey(of list: ListName, at rank: Int) -> String? { "k\(rank)" }
        func editions(of list: String) -> [String?] { [nil] }
        func hasList(declaredAs name: String) -> Bool { true }
    }

    @Test func `A change of an item reads its entry and not its list`() throws {
        let lists = AskedLists()
        var plan = CommitPlan(of: [], library: TypeLibrary())
        for (json, isChange) in [
            (#""item": {"key": "k3"}, "at": 3"#, false), (#""item": {"key": "k3"}, "at": 9"#, true),
            (#""item": {"key": "k4", "place": {"bytes": 2}}"#, true), (#""remove": "k5""#, true),
        ] {
            let count = plan.changes.count
            try plan.add(
                Self.document(#"{"listItem": {"list": "top", \#(json)}}"#), stored: lists.record,
                hasRecords: { _ in false }, hasMembers: { _ in false }, lists: lists)
            #expect(plan.changes.count == count + (isChange ? 1 : 0), "\(json)")
        }
        #expect(!lists.asked.contains { if case .list = $0 { true } else { false } })
        #expect(plan.planned.records.isEmpty)
        #expect(plan.planned.edits.map(\.key) == ["k3", "k4", "k5"])
    }

    /// Any edits, alone or several in a commit, have the same result as applying them to a plain list, and so has
    /// reading the log.
    @Test(arguments: EngineKind.allCases, 1...Extent.of(2, full: 6) as ClosedRange<UInt64>)
    func `Random edits have the same result as on a plain list`(_ kind: EngineKind, seed: UInt64) throws {
        try kind.withStore { store throws in
            var random = SeededGenerator(seed: seed)
            let name = ListName("top")
            var naive: RecordList?
            try store.commit(Self.types)
            for _ in 0..<120 {
                var changes: [Change] = []
                // Many edits of one list are applied in one pass.
                let count = Int.random(in: 0..<12, using: &random) == 0 ? 40 : Int.random(in: 1...4, using: &random)
                for _ in 0..<count {
                    let id = RecordID(type: "episode", id: "e\(Int.random(in: 0...9, using: &random))")
                    let place = RecordContent.bytes([0x10, UInt8.random(in: 1...3, using: &random)])
                    switch Int.random(in: 0..<20, using: &random) {
                    case 0:
                        let ids = (0...9).shuffled(using: &random).prefix(5).map {
                            RecordID(type: "episode", id: "e\($0)")
                        }
                        let list = RecordList(name, entries: ids.map { ListEntry($0, place: place) })
                        (naive, changes) = (list, changes + [.list(list)])
                    case 1: (naive, changes) = (nil, changes + [.removeList(name)])
                    case 2...5:
                        let edit = EntryEdit(name, removing: id.subject.name)
                        naive?.apply(edit)
                        changes.append(.listItem(edit))
                    default:
                        // Often between the same two neighbours, until there is no room.
                        let rank = Bool.random(using: &random) ? 2 : Int.random(in: 1...11, using: &random)
                        let edit = EntryEdit(name, putting: ListEntry(id, place: place), at: rank)
                        if naive == nil { naive = RecordList(name, entries: []) }
                        naive?.apply(edit)
                        changes.append(.listItem(edit))
                    }
                }
                try store.commit(changes)
                let stored = try store.snapshotChanges().filter { $0 != Self.types }
                #expect(stored == (naive.map { [.list($0)] } ?? []))
            }
            var replayed: RecordList?
            for change in try store.commits(after: 0, limit: .max).flatMap(\.changes) {
                switch change {
                case .list(let list): replayed = list
                case .removeList: replayed = nil
                case .listItem(let edit):
                    if replayed == nil { replayed = RecordList(name, entries: []) }
                    replayed?.apply(edit)
                default: break
                }
            }
            #expect(replayed == naive)
        }
    }

    @Test func `Lists and choices survive a backup, and damage to them is named`() throws {
        let changes = [
            Self.types,
            try Self.document(
                #"{"list": {"list": "top", "entries": [{"record": "episode/a", "place": {"bytes": 4}}]}}"#),
            try Self.document(#"{"list": {"list": "daily", "edition": "mon", "entries": [{"record": "episode/a"}]}}"#),
            .show(list: "daily", edition: "mon"),
            .chooseRecord(pool: "main", record: RecordID(type: "episode", id: "a")),
        ]
        try withFolder { folder throws in
            let store = try SQLiteStore(folder: folder)
            try store.commit(changes)
            let snapshot = try store.snapshotChanges()
            #expect(snapshot.count == changes.count)
            #expect(snapshot.contains(.chooseRecord(pool: "main", record: RecordID(type: "episode", id: "a"))))
            try store.close()
            #expect(try Verification(folder: folder).isSound)
            _ = try Backup.save(folder, to: "\(folder).backup") { _ in true }
            defer { unlink("\(folder).backup") }
            try withFolder { other throws in
                _ = try Backup.restore("\(folder).backup", into: other) { _ in true }
                let restored = try SQLiteStore(folder: other)
                #expect(try restored.snapshotChanges() == snapshot)
                try restored.close()
            }
            try tamper(folder, "catalogue.sqlite", "UPDATE list_entry SET number = 7 WHERE list = 'top'")
            let findings = try Verification(folder: folder).findings.map(\.what)
            #expect(findings.contains { $0.contains("the row 'top  episode/a' of list_entry") }, "\(findings)")
            try tamper(folder, "catalogue.sqlite", "DELETE FROM list_shown")
            #expect(try Verification(folder: folder).findings.contains { $0.what.contains("list_shown") })
        }
    }

    @Test func `Moves between the same two neighbours renumber the list once the room is used up`() throws {
        try EngineKind.sqlite.withStore { store throws in
            let ids = (0..<4).map { RecordID(type: "episode", id: "e\($0)") }
            var naive = RecordList(ListName("top"), entries: ids.map { ListEntry($0) })
            try store.commit(Self.types, .list(naive))
            // 40 halvings use up the room between two neighbours.
            for step in 0..<200 {
                let edit = EntryEdit(naive.name, putting: ListEntry(ids[step % 2 == 0 ? 2 : 3]), at: 2)
                naive.apply(edit)
                try store.commit(.listItem(edit))
            }
            #expect(try store.snapshotChanges() == [Self.types, .list(naive)])
        }
    }
}
