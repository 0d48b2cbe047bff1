import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeTypes
import MarqueeWire
import Testing

@testable import MarqueeScreens

/// Search answers made from records. The stores' conformance suite covers which records are found.
@Suite struct RecordSearchTests {
    private static let programme = """
        locales: [en, ko]
        screens:
          home: {title: H, sections: [{id: a, kind: list, source: {records: {type: episode}}}]}
          episode/$id: {title: $title, sections: [{id: d, kind: detail, source: {record: {type: episode, id: $id}}}]}
        search:
          of: [show, episode]
          limit: 2
          body:
            episode:
              card:
                title: $title
                subtitle: {en: "$show.title · $minutes min", ko: "$show.title · $minutes분"}
                image: $show.cover
                actions: [{id: open, title: Open, target: episode/$id}]
        """

    private let types: RecordTypes
    private let store = MemoryStore()

    init() throws {
        types = try Podcasts.types()
        let changes = [
            Change.types(types.document),
            try types.put(
                "show", "crumb", #"{"slug": "crumb", "title": {"en": "Crumb", "ko": "빵"}, "cover": "c.jpg"}"#),
            try types.put(
                "episode", "e1",
                #"{"guid": "e1", "show": "crumb", "title": {"en": "Crumbs"}, "minutes": 9, "plays": "4"}"#),
            try types.put("episode", "e2", #"{"guid": "e2", "show": "gone", "title": {"en": "No crumb"}}"#),
            try types.put("episode", "e3", #"{"guid": "e3", "show": "crumb", "title": {"ko": "부스러기"}}"#),
        ]
        guard case .done? = try store.write([.catalogue(key: nil, changes: changes, mutation: nil)]).first else {
            throw TestFailure("not written")
        }
    }

    private func search(_ query: String, page: UInt32 = 1, locale: String = "en") throws -> SearchAnswer {
        try Search.answer(
            SearchRequest(query: query, queryID: 7, page: page, locale: locale),
            programme: Programme.parse(text: Self.programme, file: "p.yaml", types: types.set), in: store)
    }

    private func cards(_ answer: SearchAnswer) -> [CardContent] {
        answer.items.compactMap { item in
            if case .card(let card) = BodyCodec.decode(kind: item.kind, bytes: item.body) { card } else { nil }
        }
    }

    @Test func `Types take turns, and each item has its type's body`() throws {
        let answer = try search("CRU")
        #expect(answer.items.map(\.subject) == ["show/crumb", "episode/e1"])
        #expect(answer.items.map(\.id) == answer.items.map(\.subject))
        #expect((answer.total, answer.page, answer.pages) == (3, 1, 2))
        #expect(answer.queryID == 7 && answer.cut.catalogueRevision == 1 && answer.cut.catalogueEpoch != 0)
        let cards = cards(answer)
        #expect(cards.map(\.title) == ["Crumb", "Crumbs"])
        #expect(cards.map { $0.image?.name } == ["c.jpg", "c.jpg"], "the usual card, and one by the programme")
        #expect(cards.last?.subtitle == "Crumb · 9 min")
        #expect(cards.last?.actions.first?.target == "episode/e1")
        #expect(try search("cru", page: 2).items.map(\.subject) == ["episode/e2"])
        #expect(try search("cru", page: 3).items.isEmpty)
        #expect(try search("cru", page: .max).items.isEmpty)
    }

    @Test func `Results are filtered and counted by the facets that the types declare for searches`() throws {
        let declared = try Podcasts.text("types.yaml")
            .replacing("{fields: [title], rank: plays}", with: "{fields: [title], rank: plays, facets: [topics, show]}")
        let types = try Podcasts.types(declared)
        let programme = try Programme.parse(text: Self.programme, file: "p.yaml", types: types.set)
        let store = MemoryStore()
        let records = try [("e1", "crumb", "food"), ("e2", "salt", "food"), ("e3", "crumb", "war")].map {
            id, show, topic in
            try types.put(
                "episode", id,
                #"{"guid": "\#(id)", "show": "\#(show)", "title": {"en": "Rye"}, "topics": ["\#(topic)"]}"#)
        }
        let show = try types.put("show", "rye", #"{"slug": "rye", "title": {"en": "Rye"}}"#)
        _ = try store.write([.catalogue(key: nil, changes: [.types(types.document), show] + records, mutation: nil)])
        func search(_ filters: [(String, String)], facets: [String] = []) throws -> SearchAnswer {
            var request = SearchRequest(query: "rye", queryID: 1)
            request.filters = filters.map { SearchRequest.Filter(field: $0.0, value: $0.1) }
            request.facets = facets
            return try Search.answer(request, programme: programme, in: store)
        }
        let all = try search([], facets: ["topics"])
        #expect(all.total == 4 && all.filters == 0)
        #expect(
            all.facets == [
                .init(field: "topics", values: [.init(value: "food", count: 2), .init(value: "war", count: 1)])
            ])
        let food = try search([("topics", "food"), ("show", "crumb")], facets: ["show"])
        #expect(food.items.map(\.subject) == ["episode/e1"] && food.total == 1 && food.filters == 2)
        #expect(food.facets == [.init(field: "show", values: [.init(value: "crumb", count: 1)])])
        #expect(try search([("show", "crumb")], facets: ["*"]).facets.map(\.field) == ["show", "topics"])
        #expect(try search([], facets: ["*", "topics"]).facets.map(\.values.count) == [2, 2])
        #expect(throws: Status.self) { try search([("*", "food")]) }
        for (field, words) in [
            ("topic", "no facet 'topic'; did you mean 'topics'?"),
            ("minutes", "search: {fields: […], facets: [minutes]}"),
        ] {
            let refused = #expect(throws: Status.self) { try search([(field, "1")]) }
            #expect(
                refused?.reason == "FILTER_INVALID" && refused?.message.contains(words) == true,
                "\(refused?.message ?? "")")
            #expect(throws: Status.self) { try search([], facets: [field]) }
        }
        let undeclared = try Programme.parse(text: Self.programme, file: "p.yaml", types: self.types.set)
        var request = SearchRequest(query: "rye", queryID: 1)
        request.facets = ["topics"]
        #expect(throws: Status.self) { try Search.answer(request, programme: undeclared, in: self.store) }
        request.facets = ["*"]
        #expect(try Search.answer(request, programme: undeclared, in: self.store).facets.isEmpty)
    }

    @Test func `Items are made in the requested locale, with values of the records referred to`() throws {
        #expect(try cards(search("빵", locale: "ko-KR")).map(\.title) == ["빵"])
        let korean = try #require(try cards(search("crumbs", locale: "ko")).first)
        #expect(korean.subtitle == "빵 · 9분")
        let lonely = try #require(try cards(search("no crumb")).first)
        #expect(lonely.subtitle == "0 min" && lonely.image == nil, "its show is gone")
        for part in ["부스러기", "스러기", "러기"] {
            #expect(try cards(search(part)).map(\.title) == ["부스러기"], "\(part)")
        }
    }

    @Test func `A card shows all records of a list of references, as it does on a screen`() throws {
        let declared = try Podcasts.text("types.yaml")
        let types = try Podcasts.types(declared.replacing("{show: show}", with: "{show: show, topics: show}"))
        let programme = """
            screens:
              home:
                title: H
                sections:
                  - id: a
                    kind: list
                    source: {records: {type: episode}}
                    body: &card {card: {title: $title, subtitle: "$topics.title · $show.title", badges: [$topics.author]}}
            search: {of: [episode], body: {episode: *card}}
            """
        let records = try ["a", "b", "c"].map {
            try types.put("show", $0, #"{"slug": "\#($0)", "title": {"en": "Show \#($0)"}, "author": "by \#($0)"}"#)
        }
        let episode = try types.put(
            "episode", "e9",
            #"{"guid": "e9", "show": "c", "title": {"en": "Rye"}, "topics": ["a", "gone", "b", "c"]}"#)
        let store = MemoryStore()
        let changes = [.types(types.document)] + records + [episode]
        _ = try store.write([.catalogue(key: nil, changes: changes, mutation: nil)])
        let answer = try Search.answer(
            SearchRequest(query: "rye", queryID: 1),
            programme: Programme.parse(text: programme, file: "p.yaml", types: types.set), in: store)
        var screens = try Screens(records + [episode], types: types, programme: programme)
        #expect(cards(answer) == (try screens.section("a")).cards)
        #expect(cards(answer).first?.subtitle == "Show a, Show b, Show c · Show c")
    }

    @Test func `A page has twenty items unless the programme sets a limit`() throws {
        let shows = try (1...45).map {
            try types.put("show", "s\($0)", #"{"slug": "s\#($0)", "title": {"en": "Part"}}"#)
        }
        _ = try store.write([.catalogue(key: nil, changes: shows, mutation: nil)])
        let text = Self.programme.replacing("  limit: 2\n", with: "")
        let programme = try Programme.parse(text: text, file: "p.yaml", types: types.set)
        let pages = try (1...4 as ClosedRange<UInt32>).map {
            try Search.answer(SearchRequest(query: "part", queryID: 1, page: $0), programme: programme, in: store)
        }
        #expect(pages.map(\.items.count) == [20, 20, 5, 0])
        #expect(pages.allSatisfy { $0.total == 45 && $0.pages == 3 })
        #expect(Set(pages.flatMap { $0.items.map(\.id) }).count == 45)
    }

    @Test func `Queries without letters find nothing, and long ones are refused`() throws {
        #expect(try search("").total == 0)
        #expect(try search("  ").pages == 0)
        #expect(throws: Status.self) { try search(String(repeating: "a", count: 257)) }
        #expect(throws: Status.self) { try search("a", page: 0) }
    }

    @Test(arguments: [
        ("[show, episod]", "the declaration of types has no type 'episod'; did you mean 'episode'?"),
        ("[show, show, episode]", "the search names 'show' twice"),
        ("[]", "'of' of the search is empty"),
        ("show", "'of' of the search must be a list"),
        ("[show, episode], limit: 51", "limit must be from 1 to 50, not 51"),
        ("[show, episode], sort: title", "the search has no key 'sort'"),
        ("[show], body: {episode: card}", "the body of a search has no key 'episode'"),
    ])
    func `A wrong search is reported at its line`(of: String, reason: String) {
        let text = "screens:\n  home: {title: H, sections: [{id: a, kind: list, source: {records: {type: show}}}]}\n"
        do {
            _ = try Programme.parse(text: text + "search: {of: \(of)}", file: "p.yaml", types: types.set)
            Issue.record("it was taken")
        } catch {
            #expect(error.mistakes.count == 1)
            #expect(error.mistakes.first?.description.hasPrefix("p.yaml:3: \(reason)") == true, "\(error.mistakes)")
        }
    }

    @Test func `Searching a type without search fields is refused, naming the missing declaration`() throws {
        let bare = try Podcasts.types(
            Podcasts.text("types.yaml").replacing("    search: {fields: [title], rank: plays}\n", with: ""))
        #expect(bare.set.type("episode")?.isSearched == false)
        do {
            _ = try Programme.parse(text: Self.programme, file: "p.yaml", types: bare.set)
            Issue.record("it was taken")
        } catch {
            #expect(
                error.mistakes.map(\.description) == [
                    "p.yaml:6: nothing of episode is searched; declare it with the type: 'search: [title]'"
                ])
        }
    }
}
