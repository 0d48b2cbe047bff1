import MarqueeCatalogue
import MarqueeModel
import MarqueePresets
import MarqueeStore
import MarqueeWire
import Testing

@testable import MarqueeScreens

/// What each source shows.
@Suite struct SourceTests {
    private func screens(_ source: String, kind: String = "list", more: String = "", _ changes: [Change]) throws
        -> Screens
    {
        try Screens(
            changes,
            programme: """
                locales: [en, ko]
                screens:
                  home:
                    title: Home
                    sections: [{id: a, kind: \(kind), \(more) source: \(source)}]
                """)
    }

    private let movies: [Change] = [
        .movie(Movie(1, genres: [28], popularity: 1)), .movie(Movie(2, genres: [28, 18], popularity: 2)),
        .movie(Movie(3, genres: [18], popularity: 3)), .genre(Genre(id: 28, names: ["en": "Action", "ko": "액션"])),
    ]

    @Test func `A query shows the movies of a genre up to its limit`() throws {
        var all = try screens("{movies: {}}", movies)
        #expect(try all.section("a").ids == ["movie/3", "movie/2", "movie/1"])
        var action = try screens("{movies: {genre: 28}}", movies)
        #expect(try action.section("a").ids == ["movie/2", "movie/1"])
        var one = try screens("{movies: {genre: 28, limit: 1}}", movies)
        let section = try one.section("a")
        #expect(section.ids == ["movie/2"])
        #expect(section.head.total == 1)
        #expect(section.items.map(\.subject) == ["movie/2"])
        #expect(section.movies.first?.genres == ["Action"])
    }

    @Test func `Fixed movies keep their order, without removed ones`() throws {
        var screens = try screens("{movies: {ids: [3, 9, 1]}}", movies)
        #expect(try screens.section("a").ids == ["movie/3", "movie/1"])
        try screens.commit([.movie(Movie(9))])
        #expect(try screens.section("a").ids == ["movie/3", "movie/9", "movie/1"])
    }

    @Test func `A pool shows the chosen movie, else the first`() throws {
        var screens = try screens("{pool: {genre: 28, limit: 1}}", kind: "main", movies)
        #expect(try screens.section("a").ids == ["movie/2"])
        try screens.commit([.choose(pool: "a", movie: 1)])
        #expect(try screens.section("a").ids == ["movie/1"])
        try screens.commit([.choose(pool: "other", movie: 2)])
        #expect(try screens.section("a").ids == ["movie/1"])
        try screens.commit([.choose(pool: "a", movie: 3)])
        #expect(try screens.section("a").ids == ["movie/2"], "a movie from another genre isn't in the pool")
        try screens.commit([.choose(pool: "a", movie: 1), .removeMovie(1)])
        #expect(try screens.section("a").ids == ["movie/2"])
    }

    @Test func `A chart shows the day that is shown`() throws {
        var entry = ChartDay.Entry(key: "r1", title: "In the chart")
        entry.gross = 100
        var matched = ChartDay.Entry(key: "r2", title: "Two")
        matched.movie = 2
        let first = ChartDay(chart: "c", date: try #require(CalendarDate("2014-01-01")), entries: [entry, matched])
        let second = ChartDay(chart: "c", date: try #require(CalendarDate("2014-01-02")), entries: [matched, entry])
        var screens = try screens("{chart: {id: c, limit: 2}}", kind: "chart", movies)
        #expect(try screens.section("a").ids == [])
        try screens.commit([.chartDay(first), .chartDay(second)])
        #expect(try screens.section("a").ids == [], "storing a day doesn't show it")
        try screens.commit([.showChart(chart: "c", date: first.date)])
        let section = try screens.section("a")
        #expect(section.ids == ["release/r1", "release/r2"])
        #expect(section.items.map(\.subject) == ["", "movie/2"])
        guard case .chartEntry(let unmatched) = section.presets[0], case .chartEntry(let two) = section.presets[1]
        else {
            throw TestFailure("no chart entries")
        }
        #expect(unmatched.title == "In the chart")
        #expect(unmatched.gross == 100)
        #expect(two.title == "Movie 2")
        let before = section.items
        try screens.commit([.showChart(chart: "c", date: second.date)])
        #expect(try screens.section("a").items == before.reversed(), "a rank is a position, not content")
    }

    @Test func `A chart keeps the ranks of its source`() throws {
        var shared = ChartDay.Entry(key: "r2", title: "Two")
        shared.rank = 1
        shared.previousRank = 3
        var new = ChartDay.Entry(key: "r3", title: "Three")
        new.isNew = true
        let day = ChartDay(
            chart: "c", date: try #require(CalendarDate("2014-01-01")),
            entries: [ChartDay.Entry(key: "r1", title: "One"), shared, new])
        var screens = try screens("{chart: {id: c, limit: 3}}", kind: "chart", movies)
        try screens.commit([.chartDay(day), .showChart(chart: "c", date: day.date)])
        let entries = try screens.section("a").presets.map {
            guard case .chartEntry(let entry) = $0 else { throw TestFailure("no chart entry") }
            return entry
        }
        #expect(entries.map(\.rank) == [nil, 1, nil])
        #expect(entries.map(\.previousRank) == [nil, 3, nil])
        #expect(entries.map(\.isNew) == [false, false, true])
    }

    @Test func `A chart that the catalogue doesn't have says so`() throws {
        var screens = try screens("{chart: {id: c, limit: 3}}", kind: "chart", movies)
        let head = try screens.section("a").head
        #expect(head.errorReason == "CHART_MISSING")
        #expect(head.error == "There is nothing to show here yet.")
        let day = ChartDay(chart: "c", date: try #require(CalendarDate("2014-01-01")), entries: [])
        try screens.commit([.chartDay(day), .showChart(chart: "c", date: day.date)])
        #expect(try screens.section("a").head.error == nil, "it exists and is empty")
    }

    @Test func `A chart's header can name its day`() throws {
        var screens = try screens("{chart: {id: c, limit: 3}}, header: Box office $date", kind: "chart", movies)
        #expect(try screens.section("a").head.header?.title == "Box office")
        let days = try ["2014-01-01", "2014-01-02"].map {
            ChartDay(
                chart: "c", date: try #require(CalendarDate($0)), time: $0.hasSuffix("2") ? ClockTime("19:11") : nil,
                entries: [])
        }
        try screens.commit(days.map { .chartDay($0) })
        for (day, title) in zip(days, ["Box office 2014-01-01", "Box office 2014-01-02 19:11"]) {
            try screens.commit([.showChart(chart: "c", date: day.date, time: day.time)])
            #expect(try screens.section("a").head.header?.title == title)
        }
    }

    @Test func `Inline items show what the file says`() throws {
        var screens = try screens(
            """
            {items: [
                {id: b, banner: {title: {en: Sale, ko: 세일}, caption: Now, image: {name: s, aspect: 1.5, color: "#102030"}, link: "https://a.b", actions: [{id: open, title: Open, target: home}]}},
                {id: t, text: {text: See all, highlighted: all, action: {id: more, title: More}}},
                {id: c, course: {title: Swift, author: Ann, rating: 4.5, reviews: 10, price: 19.90, tag: New}},
                {id: k, categories: [One, {en: Two, ko: 둘}]}, {id: p, place: {title: Sokcho, distance: 3 hours}},
                {id: m, movie: 2}, {id: gone, movie: 99}]}
            """.replacing("\n", with: " "), movies)
        let section = try screens.section("a", locale: "ko")
        #expect(section.ids == ["b", "t", "c", "k", "p", "m"])
        #expect(section.items.map(\.kind) == [.banner, .text, .course, .categories, .place, .movie])
        #expect(section.items.map(\.subject) == ["", "", "", "", "", "movie/2"])
        guard case .banner(let banner) = section.presets[0], case .text(let text) = section.presets[1],
            case .course(let course) = section.presets[2], case .place(let place) = section.presets[4]
        else { throw TestFailure("unexpected kinds") }
        #expect(banner.title == "세일")
        #expect(banner.caption == "Now")
        #expect(banner.image == ImageReference(name: "s", aspect: 1.5, color: "#102030"))
        #expect(banner.actions == [ScreenAction(id: "open", title: "Open", target: "home")])
        #expect(
            text == TextContent(text: "See all", highlighted: "all", action: ScreenAction(id: "more", title: "More")))
        #expect(course.price == "19.90")
        #expect(section.presets[3] == .categories(["One", "둘"]))
        #expect(place.distance == "3 hours")
    }

    @Test func `Genre tiles show the backdrop of the top movie by revenue`() throws {
        var rich = Movie(7, genres: [28], revenue: 10)
        rich.backdrop = ImageReference(name: "seven")
        var screens = try screens(
            "{genres: [18, 28, 16]}", kind: "genres", more: "windows: [1, 2], footer: {more: More, close: Close},",
            movies + [.movie(rich), .genre(Genre(id: 18, names: ["en": "Drama"]))])
        let all = try screens.section("a", window: 2)
        #expect(all.ids == ["genre/18", "genre/28"], "a genre without a name is left out")
        #expect(
            all.presets == [
                .genre(GenreContent(id: 18, name: "Drama", movies: 2)),
                .genre(GenreContent(id: 28, name: "Action", image: rich.backdrop, movies: 3)),
            ])
        #expect(all.head.footer == Supplement(title: "Close", actions: [ScreenAction(id: "close", title: "Close")]))
        let some = try screens.section("a")
        #expect(some.ids == ["genre/18"])
        #expect(some.head.total == 2)
        #expect(some.head.hasMore)
        #expect(some.head.footer?.actions.map(\.id) == ["more"])
    }

    @Test func `Genre screens show the genre of their name`() throws {
        var screens = try Screens(try Samples.changes(), programme: try Samples.programme())
        let section = try screens.section("movies", of: "genre/28", locale: "ko")
        #expect(section.head.header?.title == "액션")
        #expect(section.movies.allSatisfy { $0.genres.contains("액션") })
        let revenues = section.movies.map { $0.revenue ?? 0 }
        #expect(revenues.count > 3)
        #expect(revenues == revenues.sorted(by: >))
    }

    // MARK: - One movie

    @Test func `Detail names the directors`() throws {
        var screens = try Screens(try Samples.changes(), programme: try Samples.programme())
        let section = try screens.section("detail", of: "detail/27205")
        guard case .detail(let detail)?? = section.presets.first else { throw TestFailure("no detail") }
        #expect(detail.title == "Inception")
        #expect(detail.directors == ["Christopher Nolan"])
        #expect(detail.infoLine == "2010.07.14 │ US │ Action │ 148 min")
        #expect(section.ids == ["movie/27205"])
    }

    @Test func `Credits show directors then the cast by popularity`() throws {
        let programme =
            "screens: {detail/<movie>: {title: M, sections: [{id: a, kind: credits, source: {credits: {limit: 4}}}]}}"
        let cast = (1...6).map { Credits.Cast(person: $0, name: "P\($0)", character: $0 == 1 ? nil : "C\($0)") }
        let again = Credits.Cast(person: 2, name: "P2", character: "C2")
        let crew = [
            Credits.Crew(person: 8, name: "Writer", job: "Writer", department: nil),
            Credits.Crew(person: 9, name: "Dir", job: "Director", department: "Directing"),
            Credits.Crew(person: 9, name: "Dir", job: "Director", department: "Directing"),
        ]
        var known = Person(id: 5, name: "P5")
        known.popularity = 3
        known.portrait = ImageReference(name: "five")
        var screens = try Screens(
            [
                .movie(Movie(1)),
                .credits(Credits(movie: 1, cast: [cast[0], cast[1], again] + cast[2...], crew: crew)), .person(known),
            ],
            programme: programme)
        let section = try screens.section("a", of: "detail/1")
        let credits = section.presets.compactMap { if case .credit(let credit) = $0 { credit } else { nil } }
        #expect(credits.map(\.name) == ["Dir", "P5", "P1", "P2", "P2"])
        #expect(credits.map(\.job) == ["Director", nil, nil, nil, nil])
        #expect(credits[1].portrait == known.portrait)
        #expect(Set(section.ids).count == 5)
        #expect(section.ids[0].hasPrefix("credit/1/9/director/"))
        #expect(section.ids[4] == section.ids[3] + "/2")
        #expect(section.head.total == 5)
    }

    @Test func `A removed movie leaves an empty section that says so`() throws {
        var screens = try Screens(try Samples.changes(), programme: try Samples.programme())
        let plan = try screens.plan(screen: "detail/27205", locale: "ko", parameters: [], user: nil)
        try screens.commit([.removeMovie(27205)])
        for section in plan.sections {
            let shown = try screens.shown(section.variant)
            #expect(shown.items.isEmpty)
            #expect(shown.head.error == "카탈로그에 없는 영화입니다.")
        }
        let view = try screens.evaluate(view: plan.view)
        #expect(BodyCodec.decodeViewHead(view.version.head)?.title == "영화")
    }

    // MARK: - Private

    @Test func `Favorites show movies that exist newest first`() throws {
        var screens = try Screens(movies, programme: try Samples.programme())
        let favorites = [
            StoredMember(subject: "movie/1", revision: 1), StoredMember(subject: "movie/3", revision: 5),
            StoredMember(subject: "movie/99", revision: 3), StoredMember(subject: "person/2", revision: 4),
            StoredMember(subject: "movie/2", revision: 2),
        ]
        let section = try screens.section("favorites", of: "favorites", user: "ann", favorites: favorites)
        #expect(section.ids == ["movie/3", "movie/2", "movie/1"])
        #expect(section.head.total == 3)
    }

    @Test func `The favorite set holds every subject newest first`() throws {
        var screens = try Screens(movies, programme: try Samples.programme())
        let favorites = [
            StoredMember(subject: "movie/1", revision: 1), StoredMember(subject: "movie/99", revision: 3),
            StoredMember(subject: "b", revision: 2), StoredMember(subject: "a", revision: 2),
        ]
        let section = try screens.section("favorites", of: "user-collections", user: "ann", favorites: favorites)
        #expect(section.head.kind == .collectionSet)
        #expect(section.ids == ["movie/99", "a", "b", "movie/1"])
        #expect(section.items.map(\.subject) == section.ids)
        #expect(section.contents.first == .member(revision: 3, value: nil))
    }

    // MARK: - Views

    @Test func `A view lists its sections with placeholders`() throws {
        let screens = try Screens(try Samples.changes(), programme: try Samples.programme())
        let home = try screens.evaluate(view: ViewKey(screen: "home", locale: "ko")).version
        #expect(BodyCodec.decodeViewHead(home.head)?.title == "홈")
        #expect(home.items.allSatisfy { $0.kind == .section && $0.subject.isEmpty })
        #expect(BodyCodec.decodeSectionReference(home.items[1].body) == SectionReference(placeholders: 10))
        let detail = try screens.evaluate(view: ViewKey(screen: "detail/27205", locale: "ko")).version
        #expect(BodyCodec.decodeViewHead(detail.head)?.title == "인셉션")
        #expect(detail.items.map(\.id) == ["detail", "credits"])
        let favorites = try screens.evaluate(view: ViewKey(screen: "favorites", locale: "en")).version
        #expect(BodyCodec.decodeSectionReference(favorites.items[0].body)?.isPrivate == true)
    }

    @Test func `A header offers the orders as actions`() throws {
        var screens = try Screens(try Samples.changes(), programme: try Samples.programme())
        let head = try screens.section("rank").head
        #expect(head.header?.title == "Top 10")
        #expect(
            head.header?.actions == [
                ScreenAction(id: "sort", title: "Popularity", target: "popularity"),
                ScreenAction(id: "sort", title: "Release date", target: "release-date"),
            ])
        #expect(head.layout?.scrolling == .groupPaging)
    }
}
