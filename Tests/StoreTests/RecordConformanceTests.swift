import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes
import Testing

@testable import MarqueeStore

/// An operator's own types and records, in every engine.
@Suite struct RecordConformanceTests {
    private static let declarations = """
        descriptors: podcast.desc
        types:
          show: {message: podcast.v1.Show, id: slug, localized: [title], search: [title, author]}
          episode:
            message: podcast.v1.Episode
            id: guid
            search: [title]
            references: {show: show}
            sorts: [published, plays, {field: recorded, as: date}]
            facets: [show, topics]
        """

    private static let types = Sample.types(declarations)

    private static func document(_ json: String) throws -> Change { try Change(document: Array(json.utf8)) }

    private static func put(_ id: String, _ fields: String) throws -> Change {
        try document(#"{"put": {"type": "episode", "id": "\#(id)", "record": {"guid": "\#(id)", \#(fields)}}}"#)
    }

    /// A stored record as JSON.
    private static func json(_ id: String, in store: any StoreEngine) throws -> String? {
        let types = try TypeSet(declarations, file: "types", descriptors: Sample.descriptors)
        for case .put(let name, .bytes(let bytes)) in try store.snapshotChanges() where name.id == id {
            return try types.type(name.type)?.coder.json(of: bytes)
        }
        return nil
    }

    @Test func `The types are read once, however many commits put records`() throws {
        try withFolder { folder in
            let store = try SQLiteStore(folder: folder)
            try store.commit(Self.types)
            let before = store.typeLibrary.reads
            for plays in 1...5 { try store.commit(Self.put("e1", "\"plays\": \(plays)")) }
            #expect(store.typeLibrary.reads - before == 1)
        }
    }

    private func reason(_ outcome: StoreOutcome?) -> String {
        if case .refused(let reason)? = outcome { reason } else { "\(String(describing: outcome))" }
    }

    @Test(arguments: EngineKind.allCases)
    func `A record is stored as canonical bytes and can be removed`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Self.types)
            #expect(
                try store.commit(Self.put("e1", #""plays": "7", "title": "One""#)) == .done(revision: 2, changed: true))
            // Other spellings of the same record change nothing.
            #expect(
                try store.commit(Self.put("e1", #""title": "One", "plays": 7, "minutes": 0"#))
                    == .done(revision: 2, changed: false))
            #expect(try Self.json("e1", in: store) == #"{"guid":"e1","title":"One","plays":"7"}"#)
            // The log holds bytes, which can be read without the types.
            guard case .put(_, .bytes(let bytes))? = try store.commits(after: 1, limit: 1).first?.changes.first else {
                Issue.record("the log holds no bytes")
                return
            }
            let name = RecordID(type: "episode", id: "e1")
            #expect(try store.commit(.put(name, .bytes(bytes))) == .done(revision: 2, changed: false))
            #expect(try store.commit(.remove(name)) == .done(revision: 3, changed: true))
            #expect(try store.commit(.remove(name)) == .done(revision: 3, changed: false))
            #expect(try store.snapshotChanges() == [Self.types])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Without a field for the id, only its subject identifies a record`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(
                Sample.types("descriptors: podcast.desc\ntypes: {show: {message: podcast.v1.Show}}"))
            let name = RecordID(type: "show", id: "other")
            let slug: [UInt8] = [10, 1, 97]
            #expect(try store.commit(.put(name, .bytes(slug))) == .done(revision: 2, changed: true))
            #expect(try store.commit(.merge(name, .bytes([]), clear: ["slug"])) == .done(revision: 3, changed: true))
            #expect(try store.snapshotChanges().last == .put(name, .bytes([])))
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A merge creates a record under its id, unless it says not to`(_ kind: EngineKind) throws {
        func merge(_ id: String, _ rest: String) throws -> Change {
            try Self.document(#"{"merge": {"type": "episode", "id": "\#(id)", \#(rest)}}"#)
        }
        try kind.withStore { store throws in
            try store.commit(Self.types)
            let outcome = try store.commit(merge("e1", #""record": {"plays": 8}"#))
            #expect(outcome == .done(revision: 2, changed: true))
            #expect(try Self.json("e1", in: store) == #"{"guid":"e1","plays":"8"}"#)
            #expect(try store.commit(merge("e1", #""record": {"guid": "e1"}"#)) == .done(revision: 2, changed: false))
            #expect(
                try reason(store.commit(merge("e2", #""record": {"guid": "e3"}"#))).contains(
                    "episode.guid: the id is 'e3', but the change is about 'e2'"))
            let misspelt = try store.commit(merge("e11", #""record": {"plays": 9}, "create": false"#))
            #expect(reason(misspelt) == "change 1: there is no episode/e11, and this change doesn't create it")
            #expect(
                try store.commit(merge("e1", #""record": {"plays": 9}, "create": false"#))
                    == .done(revision: 3, changed: true))
            let both = try store.commit(
                Self.put("e4", #""plays": 1"#), merge("e4", #""record": {"plays": 2}, "create": false"#))
            #expect(both == .done(revision: 4, changed: true), "an earlier change of the commit counts")
        }
        let error = #expect(throws: RecordError.self) {
            try Self.document(#"{"put": {"type": "episode", "id": "e", "record": {}, "create": false}}"#)
        }
        #expect(error?.description.contains("'create' is a field of 'merge'") == true)
    }

    @Test(arguments: EngineKind.allCases)
    func `A merge creates a record whose id is a number`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let types = "descriptors: podcast.desc\ntypes: {n: {message: podcast.v1.Episode, id: minutes}}"
            try store.commit(Sample.types(types))
            func merge(_ id: String) throws -> StoreOutcome? {
                try store.commit(
                    Self.document(#"{"merge": {"type": "n", "id": "\#(id)", "record": {"title": "One"}}}"#))
            }
            #expect(try merge("999") == .done(revision: 2, changed: true))
            #expect(try reason(merge("x")).contains("n.minutes: a whole number from 0 to"))
            #expect(try reason(merge("007")).contains("n.minutes: a whole number from 0 to"))
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A text that is declared as a date has to be one`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let day = try Self.put("e1", #""recorded": "2012-01-01""#)
            try store.commit(Self.types, day, Self.put("e2", #""recorded": """#))
            for date in ["2012/01/01", "2012", "2012-02-30", "x"] {
                let expected = "episode.recorded: a day written YYYY-MM-DD is expected, not the text '\(date)'"
                let field = #""recorded": "\#(date)""#
                #expect(try reason(store.commit(Self.put("e3", field))) == "change 1: \(expected)")
                let merge = #"{"merge": {"type": "episode", "id": "e1", "record": {\#(field)}}}"#
                #expect(try reason(store.commit(Self.document(merge))) == "change 1: \(expected)")
            }
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Decomposed names and texts are composed`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Self.types)
            // As it is, and as an escape.
            for accent in ["\u{301}", "\\u0301"] {
                let id = "e\(accent)"
                let put = #"{"put": {"type": "episode", "id": "\#(id)", "record": {"guid": "\#(id)", "title": "É"}}}"#
                try store.commit(Self.document(put))
                #expect(try store.catalogueHead().revision == 2)
            }
            let found = try store.search("e", in: SearchScope(types: ["episode"]), offset: 0, limit: 9)
            #expect(found.ids.map { Array($0.id.utf8) } == [Array("é".utf8)])
            let removal = #"{"remove": {"type": "episode", "id": "e\#("\u{301}")"}}"#
            #expect(try store.commit(Self.document(removal)) == .done(revision: 3, changed: true))
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A merge changes only the fields it names and is a whole record in the log`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Self.types, Self.put("e1", #""plays": 7, "title": "One", "topics": ["a", "b"]"#))
            try store.commit(
                Self.document(
                    #"{"merge": {"type": "episode", "id": "e1", "record": {"plays": 8}, "clear": ["topics"]}}"#))
            let merged = try Self.json("e1", in: store)
            #expect(merged == #"{"guid":"e1","title":"One","plays":"8"}"#)
            let logged = try store.commits(after: 1, limit: 1).flatMap(\.changes)
            #expect(logged == (try store.snapshotChanges()).filter { $0 != Self.types })
            // In another order within one commit, and of a record that the same commit puts.
            try store.commit(
                Self.put("e2", #""title": "Two""#),
                Self.document(#"{"merge": {"type": "episode", "id": "e2", "record": {"minutes": 9}}}"#))
            #expect(try Self.json("e2", in: store) == #"{"guid":"e2","title":"Two","minutes":9}"#)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A field that the types lack is refused by its path`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let early = try store.commit(Self.put("e1", #""title": "One""#))
            #expect(reason(early).contains("there are no types yet"))
            try store.commit(Self.types)
            let misspelt = try store.commit(Self.put("e1", #""titel": "One""#))
            #expect(reason(misspelt).contains("did you mean 'title'?"), "\(reason(misspelt))")
            let other = try store.commit(
                Self.document(#"{"put": {"type": "episodes", "id": "e1", "record": {"guid": "e1"}}}"#))
            #expect(reason(other).contains("there is no type 'episodes'; did you mean 'episode'?"))
            let unknown = try store.commit(
                Self.document(#"{"put": {"type": "episode", "id": "e1", "record": {"guid": "e2"}}}"#))
            #expect(reason(unknown).contains("'e2'"))
            let garbage = try store.commit(.put(RecordID(type: "episode", id: "e1"), .bytes([0xFF, 0xFF])))
            #expect(reason(garbage).hasPrefix("change 1:"))
            #expect(try store.catalogueHead().revision == 1)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Types that records depend on stay`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Self.types)
            let withoutEpisodes = Sample.types(
                """
                descriptors: podcast.desc
                types:
                  show: {message: podcast.v1.Show, id: slug}
                """)
            try store.commit(Self.put("e1", #""title": "One""#))
            let refused = try store.commit(withoutEpisodes)
            #expect(reason(refused).contains("episode"), "\(reason(refused))")
            try store.commit(.remove(RecordID(type: "episode", id: "e1")))
            #expect(try store.commit(withoutEpisodes) == .done(revision: 4, changed: true))
            let broken = try store.commit(.types(TypesDocument(declarations: "types: 7", descriptors: [])))
            #expect(reason(broken).contains("types:1"), "\(reason(broken))")
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A snapshot has the types before the records`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.page(1))
            try store.commit(
                Self.types, Self.put("b", #""title": "B""#), Self.put("a", #""title": "A""#),
                Self.document(#"{"put": {"type": "show", "id": "s", "record": {"slug": "s"}}}"#))
            let keys = try store.snapshotChanges().map(\.key)
            #expect(
                keys.prefix(4) == [
                    .types, .typed(RecordID(type: "episode", id: "a")), .typed(RecordID(type: "episode", id: "b")),
                    .typed(RecordID(type: "show", id: "s")),
                ])
        }
    }

    @Test func `Records survive the process and a backup`() throws {
        try withFolder { folder in
            let first = try SQLiteStore(folder: folder)
            try first.commit(Self.types, Self.put("e1", #""title": "One""#))
            let before = try first.snapshotChanges()
            try first.close()
            let second = try SQLiteStore(folder: folder)
            #expect(try second.snapshotChanges() == before)
            #expect(try second.commit(Self.put("e1", #""title": "One""#)) == .done(revision: 1, changed: false))
            try second.close()
            #expect(try Verification(folder: folder).isSound)
            try tamper(folder, "catalogue.sqlite", "UPDATE record SET bytes = x'00'")
            #expect(try !Verification(folder: folder).isSound)
        }
    }

    /// A change reads back as it was written.
    @Test func `Changes of records read back as written`() throws {
        let changes: [Change] = [
            Self.types, try Self.put("e1", #""plays": 18446744073709551615, "rating": 1.5, "title": "One""#),
            .merge(RecordID(type: "episode", id: "e1"), .bytes([8, 1]), clear: ["a", "b"]),
            .remove(RecordID(type: "episode", id: "e1")),
        ]
        #expect(try ChangeCoding.decode(ChangeCoding.encode(changes)) == changes)
    }
}
