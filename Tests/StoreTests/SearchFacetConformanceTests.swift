import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeTypes
import Testing

/// Filters and counts of search results, the same with every engine.
@Suite struct SearchFacetConformanceTests {
    private static func declarations(_ facets: String) -> String {
        """
        descriptors: podcast.desc
        types:
          show: {message: podcast.v1.Show, id: slug, localized: [title], search: [title]}
          episode:
            message: podcast.v1.Episode
            id: guid
            facets: [topics]
            search: {fields: [title], rank: plays\(facets)}
        """
    }

    private static let declared = declarations(", facets: [topics]")

    private static func topics() throws -> FieldPath {
        let types = try TypeSet(declared, file: "types", descriptors: Sample.descriptors)
        return try #require(types.type("episode")?.searchFacets.first)
    }

    /// - Parameter values: topics that matches have.
    private static func search(
        _ query: String, _ values: [String] = [], in store: any StoreEngine
    ) throws -> SearchMatches {
        let topics = try topics()
        var scope = SearchScope(types: ["episode"])
        scope.filters = ["episode": values.compactMap { SearchMark(.text($0), of: topics) }]
        scope.facets = ["episode": [topics]]
        return try store.search(query, in: scope, offset: 0, limit: 5)
    }

    private static func counts(_ matches: SearchMatches) -> [String] {
        matches.facets.flatMap { facet in facet.values.map { "\(facet.field) \($0.value) \($0.count)" } }
    }

    @Test(arguments: EngineKind.allCases)
    func `Results are filtered by values, and values among them are counted`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(
                Sample.types(Self.declared), .episode("1", "Rye bread", topics: ["food", "history"], plays: 9),
                .episode("2", "Bread", topics: ["food"], plays: 8), .episode("3", "Bread and war", topics: ["history"]),
                .episode("4", "Salt", topics: ["food"]))
            func ids(_ query: String, _ values: String...) throws -> [String] {
                try Self.search(query, values, in: store).ids.map(\.id)
            }
            #expect(try ids("bread") == ["1", "2", "3"])
            #expect(try ids("bread", "food") == ["1", "2"])
            #expect(try ids("bread", "food", "history") == ["1"])
            #expect(try ids("br", "history") == ["1", "3"], "beginnings of titles are no better than those of words")
            #expect(try ids("braed", "history").contains("3"), "a letter off")
            #expect(try ids("bread", "foo") == [] && ids("food") == [], "no value is found as a text")
            #expect(try Self.counts(Self.search("bread", in: store)) == ["topics food 2", "topics history 2"])
            #expect(
                try Self.counts(Self.search("bread", ["history"], in: store)) == ["topics history 2", "topics food 1"])
            try store.commit(.episode("2", "Bread", topics: ["war"], plays: 8))
            #expect(try ids("bread", "food") == ["1"] && ids("bread", "war") == ["2"])
            try store.commit(.remove(RecordID(type: "episode", id: "1")))
            #expect(try ids("bread", "food") == [])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `An index finds the few with a value among many that match`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let many = SearchMatches.limit + 600
            try store.commit(
                [Sample.types(Self.declared)]
                    + (0..<many).map { number in
                        .episode(
                            "\(number)", "Part \(number)", topics: number < 3 ? ["rare"] : ["usual"],
                            plays: UInt64(number))
                    })
            let all = try Self.search("part", in: store)
            #expect(all.total == SearchMatches.limit && all.isCapped)
            #expect(Self.counts(all) == ["topics usual \(SearchMatches.limit)"])
            // They have the lowest ranks: a filter of the counted matches would lose them.
            let rare = try Self.search("part", ["rare"], in: store)
            #expect(rare.ids.map(\.id) == ["2", "1", "0"] && rare.total == 3 && !rare.isCapped)
            #expect(Self.counts(rare) == ["topics rare 3"])
            // Three patterns find the three; they are read to be counted, and as a page.
            #expect(rare.work == SearchWork(lookups: 3, documents: 3 * 3, records: 3 + 3))
            let limit = SearchMatches.limit
            #expect(all.work == SearchWork(lookups: 1, documents: limit + 1, records: limit + 5))
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A search with filters and facets reads its matches, and scans nothing, however many records there are`(
        _ kind: EngineKind
    ) throws {
        var works: Set<SearchWork> = []
        for others in [20, 200, 2_000] {
            try kind.withStore { store throws in
                try store.commit(
                    [Sample.types(Self.declared)]
                        + (0..<others).map { .episode("other\($0)", "Salt \($0)", topics: ["food"]) }
                        + (0..<30).map { .episode("\($0)", "Rye bread", topics: [$0 < 10 ? "food" : "war"]) })
                let found = try Self.search("bread", ["food"], in: store)
                #expect(found.total == 10 && Self.counts(found) == ["topics food 10"])
                works.insert(found.work)
                // No type that is searched has one of these words.
                #expect(try Self.search("zebra", ["war"], in: store).work == SearchWork(lookups: 4))
            }
        }
        // Words, beginnings, parts, and a letter off; each finds the ten. Five are on the page.
        #expect(works == [SearchWork(lookups: 4, documents: 4 * 10, records: 10 + 5)])
    }

    @Test(arguments: EngineKind.allCases)
    func `A facet that is declared later is found of all records`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.types(Self.declarations("")), .episode("1", "Rye", topics: ["food"]))
            #expect(try Self.search("rye", ["food"], in: store).ids == [])
            try store.commit(Sample.types(Self.declared))
            #expect(try Self.search("rye", ["food"], in: store).ids.map(\.id) == ["1"])
        }
    }
}
