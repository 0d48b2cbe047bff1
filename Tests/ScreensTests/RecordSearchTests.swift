import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeTypes
import MarqueeWire
import Testing

@testable import MarqueeScreens

/// Search answers of records; the stores' conformance suite covers what is found.
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

    @Test func typesTakeTurnsAndEachItemHasItsTypesBody() throws {
        let answer = try search("CRUMB")
        #expect(answer.items.map(\.subject) == ["show/crumb", "episode/e1"])
        #expect(answer.items.map(\.id) == answer.items.map(\.subject))
        #expect((answer.total, answer.page, answer.pages) == (3, 1, 2))
        #expect(answer.cut.catalogueRevision == 1)
        let cards = cards(answer)
        #expect(cards.map(\.title) == ["Crumb", "Crumbs"])
        #expect(cards.map { $0.image?.name } == ["c.jpg", "c.jpg"], "the usual card, and one by the programme")
        #expect(cards.last?.subtitle == "Crumb · 9 min")
        #expect(cards.last?.actions.first?.target == "episode/e1")
        #expect(try search("crumb", page: 2).items.map(\.subject) == ["episode/e2"])
        #expect(try search("crumb", page: 3).items.isEmpty)
    }

    @Test func anItemIsMadeInTheReadersLocaleWithWhatItRefersTo() throws {
        #expect(try cards(search("빵", locale: "ko-KR")).map(\.title) == ["빵"])
        let korean = try #require(try cards(search("crumbs", locale: "ko")).first)
        #expect(korean.subtitle == "빵 · 9분")
        let lonely = try #require(try cards(search("no crumb")).first)
        #expect(lonely.subtitle == "0 min" && lonely.image == nil, "its show is gone")
        #expect(try cards(search("부스러기")).map(\.title) == ["부스러기"])
    }

    @Test func aProgrammeWithoutASearchFindsMovies() throws {
        let movie = Change.movie(Movie(5, "Crumb", popularity: 1))
        _ = try store.write([.catalogue(key: nil, changes: [movie], mutation: nil)])
        let request = SearchRequest(query: "crumb", queryID: 1)
        let plain = try Search.answer(request, programme: Programme(locales: ["en"], screens: []), in: store)
        #expect(plain.items.map(\.subject) == ["movie/5"])
        let mixed = Self.programme.replacing("of: [show, episode]", with: "of: [movie, show]")
            .replacing("    episode:\n", with: "    show:\n").replacing("$show.", with: "$")
            .replacing(" · $minutes min", with: "").replacing(" · $minutes분", with: "")
        let programme = try Programme.parse(text: mixed, file: "p.yaml", types: types.set)
        let both = try Search.answer(request, programme: programme, in: store)
        #expect(both.items.map(\.subject) == ["movie/5", "show/crumb"])
        #expect(both.items.map(\.kind) == [.movie, .card])
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
    func aWrongSearchIsReportedAtItsLine(of: String, reason: String) {
        let text = "screens:\n  home: {title: H, sections: [{id: a, kind: list, source: {records: {type: show}}}]}\n"
        do {
            _ = try Programme.parse(text: text + "search: {of: \(of)}", file: "p.yaml", types: types.set)
            Issue.record("it was taken")
        } catch {
            #expect(error.mistakes.count == 1)
            #expect(error.mistakes.first?.description.hasPrefix("p.yaml:3: \(reason)") == true, "\(error.mistakes)")
        }
    }

    @Test func aTypeWithoutSearchFieldsIsRefusedWithTheDeclarationThatIsMissing() throws {
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
