import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeTypes
import Testing

@testable import MarqueeScreens

/// What a programme names and a catalogue doesn't have.
@Suite struct ProgrammeReferenceTests {
    private static let text = """
        locales: [en]
        screens:
          home:
            title: Home
            sections:
              - {id: row, kind: basic, source: {movies: {genre: 28}}}
              - {id: fixed, kind: list, source: {movies: {ids: [1, 404]}}}
              - {id: hero, kind: hero, source: {pool: {name: main, genre: 99}}}
              - {id: one, kind: hero, source: {pool: {shelf: full}}}
              - {id: two, kind: hero, source: {pool: {shelf: empty}}}
              - {id: chart, kind: chart, source: {chart: {id: us}}}
              - {id: other, kind: chart, source: {chart: {id: boxofice}}}
              - {id: tiles, kind: genres, source: {genres: [28, 5]}}
              - {id: shelf, kind: list, source: {shelf: ful}}
              - {id: inline, kind: list, source: {items: [{id: m, movie: 7}]}}
              - {page: start, types: {a: {kind: list}}}
        """

    private func warnings(_ changes: [Change]) throws -> [String] {
        var inventory = CatalogueInventory()
        for change in changes { inventory.add(change) }
        let references = try Programme.check(text: Self.text, file: "p.yaml").references
        return inventory.warnings(of: references).map(\.description)
    }

    private func shelf(_ id: String, _ items: Int) -> Change {
        .shelf(Shelf(id: id, items: (0..<items).map { ShelfItem(id: "\($0)", content: .movie(1)) }))
    }

    @Test func `Missing or empty references are named by line`() throws {
        var movie = Movie(id: 1, title: "One")
        movie.genres = [28]
        let date = try #require(CalendarDate("2024-05-01"))
        let day = ChartDay(chart: "boxoffice", date: date, entries: [ChartDay.Entry(key: "k", title: "T")])
        var us = day
        us.chart = "us"
        let catalogue: [Change] = [
            .movie(movie), .genre(Genre(id: 28, names: ["en": "Action"])), shelf("full", 1), shelf("empty", 0),
            .chartDay(day), .chartDay(us),
        ]
        #expect(
            try warnings(catalogue) == [
                "p.yaml:7: the catalogue has no movie 404",
                "p.yaml:8: the pool 'main' can't be filled: no movie of the catalogue has the genre 99",
                "p.yaml:10: the pool 'two' can't be filled: the shelf 'empty' is empty",
                "p.yaml:11: the chart 'us' shows none of its days",
                "p.yaml:12: the catalogue has no chart 'boxofice'; did you mean 'boxoffice'?",
                "p.yaml:13: the catalogue has no genre 5",
                "p.yaml:14: the catalogue has no shelf 'ful'; did you mean 'full'?",
                "p.yaml:15: the catalogue has no movie 7", "p.yaml:16: the catalogue has no page 'start'",
            ])
        #expect(try warnings([]).count == 13)
    }

    @Test func `A complete catalogue gets no warnings`() throws {
        let date = try #require(CalendarDate("2024-05-01"))
        let movies = ([1, 404, 7] as [UInt64]).map { id in
            var movie = Movie(id: id, title: "T")
            movie.genres = [28, 99]
            return Change.movie(movie)
        }
        let charts = ["us", "boxofice"].flatMap { chart -> [Change] in
            [
                .chartDay(ChartDay(chart: chart, date: date, entries: [ChartDay.Entry(key: "k", title: "T")])),
                .showChart(chart: chart, date: date),
            ]
        }
        let rest: [Change] = [
            .genre(Genre(id: 28, names: ["en": "A"])), .genre(Genre(id: 5, names: ["en": "B"])), shelf("full", 1),
            shelf("empty", 1), shelf("ful", 1),
            .page(Page(id: "start", sections: [Page.Section(id: "a", type: "a", title: "", shelf: "full")])),
        ]
        #expect(try warnings(movies + charts + rest) == [])
    }

    @Test func `References that no catalogue can fill get a warning from the programme alone`() throws {
        func warnings(_ source: String) throws -> [String] {
            let text = """
                locales: [en]
                screens:
                  home:
                    title: Home
                    sections:
                      - {id: a, kind: list, source: \(source)}
                """
            return try Programme.check(text: text, file: "p.yaml").warnings.map(\.description)
        }
        #expect(
            try warnings("{pool: {genre: 0}}") == [
                "p.yaml:6: the pool 'a' can't be filled: ids of genres begin with 1"
            ])
        #expect(
            try warnings("{movies: {ids: []}}") == ["p.yaml:6: ids is an empty list, so the section shows nothing"])
        #expect(try warnings("{genres: []}") == ["p.yaml:6: genres is an empty list, so the section shows nothing"])
        #expect(throws: FileMistakes.self) { try warnings("{pool: {genre: 28, limit: 0}}") }
        #expect(try warnings("{pool: {genre: 28}}") == [])
    }
}
