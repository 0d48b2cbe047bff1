import MarqueeCatalogue
import MarqueeModel
import MarqueePresets
import MarqueeStore
import MarqueeTypes
import Testing

@testable import MarqueeScreens

/// Values in bodies besides plain fields: ids that are numbers, fields of a list of references, values of a place and
/// of a facet. Also headers with the edition of a list.
@Suite struct BodyValueTests {
    private let types: RecordTypes

    init() throws {
        let declarations = try Podcasts.text("types.yaml").replacing(
            "references: {show: show}", with: "references: {show: show, topics: show}")
        types = try Podcasts.types(
            declarations + "lists:\n  charts: {of: [episode], place: podcast.v1.ShowRow, editions: true}\n")
    }

    private func screens(_ section: String, id: String = "12") throws -> Screens {
        let changes = [
            try types.put("show", "7", #"{"slug": "7", "title": {"en": "Crumb", "ko": "빵"}, "cover": "7.jpg"}"#),
            try types.put("show", "8", #"{"slug": "8", "title": {"en": "Tides"}}"#),
            try types.put(
                "episode", id,
                #"{"guid": "\#(id)", "show": "7", "title": {"en": "Rye"}, "topics": ["7", "gone", "8"], "plays": "18446744073709551615"}"#
            ),
        ]
        let programme = """
            locales: [en, ko]
            screens:
              home: {title: H, sections: [{id: a, kind: list, \(section)}]}
            """
        return try Screens(changes, types: types, programme: programme)
    }

    private func movie(_ body: String, id: String = "12", locale: String = "en") throws -> MovieContent {
        var screens = try screens("source: {records: {type: episode}}, body: {kind: movie, fields: \(body)}", id: id)
        return try #require(try screens.section("a", locale: locale).movies.first)
    }

    @Test func `An id that is a whole number fills a number field`() throws {
        let body = "{id: $id, title: $title, revenue: $plays, vote_count: $show, runtime: $show.slug}"
        let movie = try movie(body)
        #expect(movie.id == 12 && movie.revenue == .max && movie.voteCount == 7 && movie.runtime == 7)
        #expect(try self.movie(body, id: "18446744073709551615").id == .max)
        for other in ["x1", "012", "+12", "1.5", "18446744073709551616"] {
            #expect(try self.movie(body, id: other).id == nil, "\(other)")
        }
    }

    @Test func `A list of references gives a list of texts`() throws {
        #expect(try movie("{genres: $topics.title}").genres == ["Crumb", "Tides"])
        #expect(try movie("{genres: $topics.title}", locale: "ko").genres == ["빵", "Tides"])
        var screens = try screens(
            "source: {records: {type: episode}}, body: {kind: movie, fields: {genres: $topics.title}}")
        try screens.watchSections(of: "home")
        let renamed = try types.put("show", "8", #"{"slug": "8", "title": {"en": "Moon"}}"#)
        #expect(try cost(of: renamed, in: &screens).sections == ["a"])
        #expect(try screens.section("a").movies.first?.genres == ["Crumb", "Moon"])
    }

    @Test func `The first element of a list can be named`() throws {
        let body = "{title: \"$topics[0] · $topics.title[0] · ${topics[0]}x\", original_title: \"$topics [0]\"}"
        let movie = try movie(body)
        #expect(movie.title == "7 · Crumb · 7x")
        #expect(movie.originalTitle == "7, gone, 8 [0]", "a list is joined")
        var screens = try screens("source: {records: {type: episode}}, body: {card: {title: \"$topics.title[0]\"}}")
        try screens.watchSections(of: "home")
        let other = try types.put("show", "8", #"{"slug": "8", "title": {"en": "Moon"}}"#)
        #expect(try cost(of: other, in: &screens).work.items == 0, "only the first is read")
    }

    @Test func `Bodies can show values of a list's place and of a facet's tile`() throws {
        var screens = try screens(
            """
            header: {en: "Box office $edition!", ko: "박스오피스 $edition"}, source: {list: charts}, \
            body: {kind: movie, fields: {id: $id, title: $place.title, revenue: $place.followers}}
            """)
        #expect(try screens.section("a").head.header?.title == "Box office !")
        var journal = RecordJournal(types)
        try screens.commit(
            journal.changes(
                ndjson: """
                    {"list": {"list": "charts", "edition": "2026-01-20", "entries": [{"record": "episode/12", "place": {"title": "First", "followers": "5"}}]}}
                    {"show": {"list": "charts", "edition": "2026-01-20"}}
                    """))
        #expect(try screens.section("a").movies.map(\.revenue) == [5])
        #expect(try screens.section("a").movies.map(\.title) == ["First"])
        #expect(try screens.section("a").head.header?.title == "Box office 2026-01-20!")
        #expect(try screens.section("a", locale: "ko").head.header?.title == "박스오피스 2026-01-20")

        var tiles = try self.screens(
            """
            source: {facet: {type: episode, field: topics, values: ["8", "7"]}}, \
            body: {kind: genre, fields: {id: $value, name: $value.title, image: $value.cover, movies: $count}}
            """)
        let image = ImageReference(name: "7.jpg")
        #expect(
            try tiles.section("a").presets == [
                .genre(GenreContent(id: 8, name: "Tides", image: nil, movies: 1)),
                .genre(GenreContent(id: 7, name: "Crumb", image: image, movies: 1)),
            ])
    }
}
