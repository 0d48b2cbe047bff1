import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords
import MarqueePresets
import MarqueeWire
import Testing

@testable import MarqueeScreens

/// The preset programme's screens of movies, people and charts.
@Suite struct PresetProgrammeTests {
    private func programme() throws -> Programme {
        let text = PresetCatalogue.programme
        let checked = try Programme.check(text: text, file: "programme.yaml", types: Presets.types().set)
        #expect(checked.warnings == [])
        return checked.programme
    }

    @Test func `The preset programme is valid and has every screen`() throws {
        let programme = try programme()
        #expect(programme.screens.map(\.family) == ["home", "detail", "genre", "favorites"])
        #expect(programme.locales == ["en", "ko"])
        #expect(
            programme.screens[0].sections.map(\.id) == [
                "main", "rank", "chart", "action", "comedy", "acclaimed", "drama", "animation", "genres",
            ])
    }

    private func layout(_ section: String, of screen: String = "home") throws -> SectionLayout {
        let programme = try programme()
        let sections = try #require(programme.screen(named: screen)).sections
        return try #require(sections.first { $0.id == section }?.layout)
    }

    @Test func `Layouts are read as they are written`() throws {
        let rank = SectionLayout(
            group: .group(
                axis: .horizontal, width: .fractionalWidth(0.4), height: .fractionalWidth(0.8), insets: .zero,
                spacing: 0, count: nil,
                children: [
                    .item(
                        width: .fractionalWidth(1), height: .fractionalWidth(1.7),
                        insets: LayoutInsets(top: 10, leading: 10, bottom: 10, trailing: 10), badges: [])
                ]),
            scrolling: .groupPaging,
            supplementaries: [
                LayoutSupplementary(kind: "header", width: .fractionalWidth(1), height: .absolute(44), edges: .top)
            ])
        #expect(try layout("rank") == rank)

        let badge = LayoutSupplementary(
            kind: "minus", width: .absolute(30), height: .absolute(30), edges: [.top, .trailing], offsetX: 0.25,
            offsetY: -0.6, offsetIsFractional: true)
        let favorites = SectionLayout(
            group: .group(
                axis: .horizontal, width: .fractionalWidth(1), height: .fractionalHeight(1 / 3.6), insets: .zero,
                spacing: 0, count: nil,
                children: [
                    .item(
                        width: .fractionalWidth(1 / 3), height: .fractionalHeight(1),
                        insets: LayoutInsets(top: 12, leading: 7, bottom: 5, trailing: 7), badges: [badge])
                ]),
            supplementaries: [
                LayoutSupplementary(kind: "header", width: .fractionalWidth(1), height: .absolute(44), edges: .top)
            ])
        #expect(try layout("favorites", of: "favorites") == favorites)

        let list = try layout("movies", of: "genre/28")
        #expect(list.decoration == "background")
        #expect(list.spacing == 7)
        #expect(list.insets == LayoutInsets(top: 5, leading: 20, bottom: 0, trailing: 20))
        guard case .group(let group) = try layout("action").group else { throw TestFailure("no group") }
        #expect(group.count == 3)
    }

    // MARK: - Movies

    private func detail(of movie: Movie, _ more: [Change] = [], locale: String = "en") throws -> DetailContent {
        var screens = try Screens(presets: [movie.change] + more)
        let section = try screens.section("detail", of: "detail/\(movie.id)", locale: locale)
        #expect(section.ids == ["movie/\(movie.id)"])
        guard case .detail(let detail)?? = section.presets.first else { throw TestFailure("no detail") }
        return detail
    }

    private func certification(_ certificates: [String: String]?, locale: String = "en") throws -> CertificationContent?
    {
        var movie = Movie(1)
        movie.certifications = certificates
        return try detail(of: movie, locale: locale).certification
    }

    @Test(
        arguments: [
            ("R", .adult, "Adults only", "청소년 관람불가"), ("NC-17", .adult, "Adults only", "청소년 관람불가"),
            ("PG", .everyone, "Everyone", "전체 관람가"), ("G", .everyone, "Everyone", "전체 관람가"),
            ("PG-13", .teen, "15 and over", "15세 이상 관람가"), ("NR", .unrated, "Not rated", "등급 없음"),
            ("TV-MA", .unrated, "Not rated", "등급 없음"),
        ] as [(String, CertificationContent.ColorClass, String, String)])
    func `A certificate has a color and a label`(
        code: String, color: CertificationContent.ColorClass, english: String, korean: String
    ) throws {
        let content = try certification(["US": code, "KR": "15"])
        #expect(content == CertificationContent(country: "US", code: code, label: english, colorClass: color))
        #expect(try certification(["US": code], locale: "ko")?.label == korean)
    }

    @Test func `Without an American certificate a movie is not rated`() throws {
        for certificates in [nil, [:], ["KR": "15"], ["US": ""], ["US": " "]] as [[String: String]?] {
            #expect(try certification(certificates)?.code == "NR")
        }
        #expect(try certification(["US": "PG-13 "])?.code == "PG-13")
    }

    @Test func `The info line omits missing values`() throws {
        let action = [Genre(id: 28, names: ["en": "Action"]).change]
        var movie = Movie(1, genres: [28, 5], released: "2010-07-15")
        movie.countries = ["US", "GB"]
        movie.runtime = 148
        #expect(try detail(of: movie, action).infoLine == "2010.07.15 │ US │ Action │ 148 min")
        movie.countries = nil
        movie.runtime = 0
        #expect(try detail(of: movie, action).infoLine == "2010.07.15 │ Action")
        #expect(try detail(of: Movie(2)).infoLine == "")
    }

    @Test func `Credits show each director once, then the cast by popularity`() throws {
        let cast = (1...20).map { Credits.Cast(person: $0, name: "P\($0)", character: $0 == 1 ? nil : "C\($0)") }
        let again = Credits.Cast(person: 2, name: "P2", character: "C2")
        let director = Credits.Crew(person: 90, name: "Dir", job: "Director", department: "Directing")
        let crew = [Credits.Crew(person: 80, name: "Writer", job: "Writer", department: nil), director, director]
        var known = Person(id: 20, name: "P20")
        known.popularity = 3
        known.portrait = ImageReference(name: "twenty")
        let credits = Credits(movie: 1, cast: [cast[0], cast[1], again] + cast[2...], crew: crew)
        #expect(try detail(of: Movie(1), [credits.change]).directors == ["Dir"])
        var screens = try Screens(presets: [Movie(1).change, credits.change, known.change])
        let section = try screens.section("credits", of: "detail/1")
        let shown = section.presets.compactMap { if case .credit(let credit) = $0 { credit } else { nil } }
        #expect(shown.map(\.name) == ["Dir", "P20", "P1", "P2", "P2"] + (3...14).map { "P\($0)" })
        #expect(shown.map(\.job) == ["Director"] + Array(repeating: nil, count: 16))
        #expect(shown.map(\.character).prefix(4) == [nil, "C20", nil, "C2"])
        #expect(shown[1].portrait == known.portrait)
        #expect(section.items.map(\.subject).prefix(3) == ["person/90", "person/20", "person/1"])
        #expect(Set(section.ids).count == 17)
        #expect(section.ids[0].hasPrefix("directors/90/director/"))
        #expect(section.ids[4] == section.ids[3] + "/2")
    }

    @Test func `A removed movie leaves an empty section that says so`() throws {
        var screens = try Screens(presets: Presets.changes)
        let plan = try screens.plan(screen: "detail/27205", locale: "ko", parameters: [], user: nil)
        try screens.commit([.remove(.movie(Presets.inception)), .remove(.credits(Presets.inception))])
        #expect(plan.sections.map(\.id) == ["detail", "credits"])
        var shown: [ShownSection] = []
        for section in plan.sections { shown.append(try screens.shown(section.variant)) }
        #expect(shown.allSatisfy { $0.items.isEmpty })
        // Missing credits are no error, because a movie need not have any.
        #expect(shown.map { $0.head.errorReason } == ["RECORD_GONE", nil])
        #expect(shown[0].head.error == "더 이상 제공되지 않습니다.")
        let view = try screens.evaluate(view: plan.view)
        #expect(BodyCodec.decodeViewHead(view.version.head)?.title == "27205")
    }

    // MARK: - Lists

    @Test func `A chart keeps the ranks of its source`() throws {
        var shared = ChartDay.Entry(key: "r2", title: "Two")
        (shared.movie, shared.rank, shared.previousRank) = (2, 1, 3)
        var new = ChartDay.Entry(key: "r3", title: "Three")
        (new.isNew, new.gross) = (true, 100)
        let date = try #require(CalendarDate("2014-01-01"))
        let day = ChartDay(
            chart: "boxoffice", date: date, entries: [ChartDay.Entry(key: "r1", title: "One"), shared, new])
        var screens = try Screens(
            presets: [Movie(2, "The second").change, day.change, .show(chart: "boxoffice", day.step)])
        let section = try screens.section("chart")
        #expect(section.ids == ["release/r1", "release/r2", "release/r3"])
        #expect(section.items.map(\.subject) == ["", "movie/2", ""])
        let entries = section.presets.compactMap { if case .chartEntry(let entry) = $0 { entry } else { nil } }
        #expect(entries.map(\.title) == ["One", "The second", "Three"])
        #expect(entries.map(\.rank) == [nil, 1, nil])
        #expect(entries.map(\.previousRank) == [nil, 3, nil])
        #expect(entries.map(\.isNew) == [false, false, true])
        #expect(entries.map(\.gross) == [nil, nil, 100])
    }

    @Test func `Genre tiles show the backdrop of the top movie by revenue`() throws {
        var screens = try Screens(presets: Presets.changes)
        let some = try screens.section("genres")
        #expect(some.ids == ["28", "99", "16", "35", "36", "14"].map { "genres/\($0)" }, "in the programme's order")
        #expect(some.head.total == 8)
        #expect(some.head.hasMore)
        #expect(some.head.footer?.actions.map(\.id) == ["more"])
        #expect(
            some.presets.first
                == .genre(GenreContent(id: 28, name: "Action", image: ImageReference(name: "4.jpg"), movies: 4)))
        let all = try screens.section("genres", window: 12)
        #expect(all.ids.suffix(2) == ["genres/18", "genres/37"])
        #expect(all.items.last?.subject == "genre/37")
        #expect(all.presets.last == .genre(GenreContent(id: 37, name: "Western", movies: 0)))
        #expect(all.head.footer == Supplement(title: "Close", actions: [ScreenAction(id: "close", title: "Close")]))
    }

    @Test func `Genre screens show the genre in their name by revenue, and treat 0 as missing`() throws {
        var screens = try Screens(presets: Presets.changes)
        let section = try screens.section("movies", of: "genre/18", locale: "ko")
        #expect(section.head.header?.title == "Drama")
        #expect(section.ids == ["9", "27205", "1", "5"].map { "movie/\($0)" })
        #expect(try screens.section("movies", of: "genre/28", locale: "ko").head.header?.title == "액션")
    }

    // MARK: - Views

    @Test func `A view lists its sections with placeholders`() throws {
        let screens = try Screens(presets: Presets.changes)
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
        var screens = try Screens(presets: Presets.changes)
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
