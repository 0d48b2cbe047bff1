import Foundation
import GRDB
import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes
import Testing

@testable import MarqueeStore

/// The records that every engine finds.
@Suite struct RecordSearchConformanceTests {
    private func found(
        _ query: String, in store: any StoreEngine, of types: [String] = ["show", "episode"]
    ) throws -> [String] {
        try store.search(query, in: SearchScope(types: types), offset: 0, limit: 100).ids.map(\.subject.name)
    }

    private func fill(_ store: any StoreEngine) throws {
        try store.commit(Sample.types)
        try store.commit(
            .show("crumb", ["en": "Crumb", "ko": "빵 부스러기"], author: "Ada Lovelace", followers: 10),
            .show("tide", ["en": "High-Tide"], author: "Crumb Brothers", followers: 900),
            .episode("e1", "Rye bread", topics: ["bread", "history"], plays: 5),
            .episode("e2", "Crumbs of history", topics: ["history"], plays: 70),
            .episode("e3", "밀물과 썰물", topics: ["tide"], plays: nil))
    }

    @Test(arguments: EngineKind.allCases)
    func `Declared texts are found in every language, and no others are`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try fill(store)
            for (query, expected) in [
                ("crumb", ["show/tide", "show/crumb", "episode/e2"]), ("부스러", ["show/crumb"]), ("빵", ["show/crumb"]),
                ("LOVELACE", ["show/crumb"]), ("high tide", ["show/tide"]), ("hightide", ["show/tide"]),
                ("썰물", ["episode/e3"]), ("tide", ["show/tide", "episode/e3"]), ("en", []), ("slug", []),
                ("bread", ["episode/e1"]), ("history", ["episode/e2", "episode/e1"]), ("rye\nbread", ["episode/e1"]),
            ] as [(String, [String])] {
                #expect(try found(query, in: store) == expected, "\(query)")
            }
            #expect(try found("crumb", in: store, of: ["episode"]) == ["episode/e2"])
            #expect(try found("crum", in: store, of: ["episode", "show"]).first == "episode/e2")
            #expect(try found("crumb", in: store, of: ["nothing"]) == [])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A record is found by its current texts`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try fill(store)
            let merge = #"{"merge": {"type": "show", "id": "crumb", "record": {"title": {"en": "Crust"}}}}"#
            try store.commit(try Change(document: Array(merge.utf8)))
            #expect(try found("crumb", in: store) == ["show/tide", "episode/e2"])
            #expect(try found("crust", in: store) == ["show/crumb"])
            #expect(try found("부스러기", in: store) == ["show/crumb"])
            try store.commit(.show("tide", ["en": "Ebb"], author: "Nobody", followers: 1))
            #expect(try found("crumb", in: store) == ["episode/e2"])
            try store.commit(.remove(RecordID(type: "show", id: "crumb")))
            #expect(try found("crust", in: store) == [] && found("부스러기", in: store) == [])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A page holds the records that its items are made of`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try fill(store)
            let scope = SearchScope(types: ["episode"]) { ids, _ in
                Set(ids.map { RecordID(type: "show", id: $0.id == "e1" ? "crumb" : "gone") })
            }
            let page = try store.search("history", in: scope, offset: 0, limit: 9)
            #expect(page.ids.map(\.id) == ["e2", "e1"])
            #expect(
                page.content.map(\.key) == [
                    .typed(RecordID(type: "episode", id: "e2")), .typed(RecordID(type: "episode", id: "e1")),
                    .typed(RecordID(type: "show", id: "crumb")),
                ])
            #expect(page.head == (try store.catalogueHead()))
            #expect(try store.search("history", in: scope, offset: 1, limit: 1).ids.map(\.id) == ["e1"])
            #expect(try store.search("history", in: scope, offset: 2, limit: 1).ids == [])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A new declaration changes what is found`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try fill(store)
            try store.commit(Sample.types(show: "[title]", episode: "{fields: [title, topics], rank: plays}"))
            #expect(try found("crumb", in: store) == ["show/crumb", "episode/e2"])
            try store.commit(Sample.types(show: nil, episode: "{fields: [title], rank: plays}"))
            #expect(try found("crumb", in: store) == ["episode/e2"])
            #expect(try found("bread", in: store) == ["episode/e1"])
            // Types and records in one commit: the final types decide what is searched.
            try store.commit(
                .episode("e4", "Crumbling", topics: [], plays: 900),
                Sample.types(show: "[author]", episode: "[topics]"),
                .show("new", ["en": "Crumb"], author: "Bread & Co", followers: 0))
            #expect(try found("crumb", in: store) == ["show/tide"])
            #expect(try found("bread", in: store) == ["show/new", "episode/e1"])
            #expect(try found("history", in: store) == ["episode/e1", "episode/e2"], "by id, as nothing ranks them")
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Ranks are compared exactly, and records without one come last`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.types)
            let plays: [UInt64?] = [nil, 0, 16_777_216, 16_777_217, .max, .max - 1, 5, 5]
            try store.commit(
                plays.enumerated().map { .episode("e\($0)", "Part \($0)", topics: [], plays: $1) })
            // Without presence, a number that is missing is 0.
            let order = ["e4", "e5", "e3", "e2", "e6", "e7", "e0", "e1"].map { "episode/\($0)" }
            #expect(try found("part", in: store) == order)
            #expect(try found("pa", in: store) == order)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Matches of all types together are counted up to a limit`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.types)
            let half = SearchMatches.limit / 2
            try store.commit((1...half).map { .show("s\($0)", ["en": "Part \($0)"], author: "", followers: $0) })
            try store.commit((1...half).map { .episode("e\($0)", "Part \($0)", topics: [], plays: UInt64($0)) })
            let all = try store.search("part", in: .podcasts, offset: 0, limit: 3)
            #expect(all.total == SearchMatches.limit && !all.isCapped)
            #expect(all.ids.map(\.id) == ["s\(half)", "e\(half)", "s\(half - 1)"])
            try store.commit(
                Sample.types(show: "[title]", episode: "{fields: [title], rank: plays}", trailer: "[title]"),
                .episode("t", "A part", type: "trailer"))
            let some = try store.search(
                "part", in: SearchScope(types: ["episode", "trailer", "show"]), offset: 0, limit: 3)
            #expect(some.total == SearchMatches.limit && some.isCapped)
            #expect(some.ids.map(\.id) == ["e\(half)", "t", "s1"])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A long text is found by its beginning`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.types)
            let long = "beginning " + String(repeating: "가나 다", count: 2_000) + " ending"
            try store.commit(.episode("e1", long, topics: ["later"], plays: 1))
            #expect(try found("beginning", in: store) == ["episode/e1"])
            #expect(try found("나 다가", in: store) == ["episode/e1"])
            #expect(try found("ending", in: store) == [] && found("later", in: store) == [])
        }
    }

    @Test(arguments: EngineKind.allCases, [1, 2, 3] as [UInt64])
    func `A search always finds what a walk over all records finds`(_ kind: EngineKind, _ seed: UInt64) throws {
        try kind.withStore { store throws in
            var random = RandomSearches(seed: seed)
            var matches = 0
            for _ in 0..<30 {
                try store.commit(random.commit())
                for query in random.queries() {
                    let types = random.types()
                    let expected = random.naive.found(query, in: types)
                    let answer = try store.search(query, in: SearchScope(types: types), offset: 0, limit: 1_000)
                    #expect(answer.ids == expected, "\(query.debugDescription) in \(types)")
                    #expect(answer.total == expected.count && !answer.isCapped)
                    matches += expected.count
                }
            }
            #expect(matches > 100, "otherwise the test searches for nothing")
        }
    }
}
