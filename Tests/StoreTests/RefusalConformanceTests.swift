import MarqueeCatalogue
import MarqueeModel
import MarqueePresets
import MarqueeStore
import Testing

/// What every engine refuses, and that a refusal leaves no trace.
@Suite struct RefusalConformanceTests {
    @Test(arguments: EngineKind.allCases, BadChange.all)
    func `An invalid change is refused with a reason and changes nothing`(_ kind: EngineKind, _ bad: BadChange) throws {
        try kind.withStore { store throws in
            try store.commit(.movie(Sample.movie(1)))
            let before = try store.snapshotChanges()
            let outcome = try store.commit(.movie(Sample.movie(2)), bad.change, key: "bad")
            guard case .refused(let reason) = outcome else {
                Issue.record("\(bad) was not refused, but gave \(String(describing: outcome))")
                return
            }
            #expect(reason.contains("change 2"))
            #expect(reason.contains(bad.mention))
            #expect(try store.snapshotChanges() == before)
            #expect(try store.catalogueHead().revision == 1)
            #expect(try store.commit(.movie(Sample.movie(3)), key: "bad") == .done(revision: 2, changed: true))
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Other writes of the batch still apply`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let outcomes = try store.write([
                .catalogue(key: nil, changes: [.movie(Sample.movie(1))], mutation: nil),
                .catalogue(key: nil, changes: [.movie(Sample.movie(2)), .movie(Sample.movie(0))], mutation: .of(1, 1)),
                .favorite(user: "", subject: "movie/1", on: true, mutation: .of(1, 2)),
                .favorite(user: "mina", subject: "movie/1", on: true, mutation: .of(1, 3)),
                .catalogue(key: nil, changes: [.movie(Sample.movie(3))], mutation: nil),
            ])
            #expect(outcomes.map(\.isRefused) == [false, true, true, false, false])
            #expect(try store.snapshotChanges() == [.movie(Sample.movie(1)), .movie(Sample.movie(3))])
            #expect(try store.catalogueHead().revision == 2)
            #expect(try store.favoriteSubjects() == ["movie/1"])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A refused mutation is not remembered as applied`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let update = StoreWrite.catalogue(
                key: nil, changes: [.movieUpdate(MovieUpdate(id: 1))], mutation: .of(1, 1))
            #expect(try store.write([update]).first?.isRefused == true)
            #expect(try store.lastMutation(of: MutationID.of(1, 0).client) == nil)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Numbers that aren't finite are refused in a mutation too`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            var movie = Sample.movie(1)
            movie.popularity = .nan
            let write = StoreWrite.catalogue(key: nil, changes: [.movie(movie)], mutation: .of(1, 1))
            #expect(try store.write([write]).first?.isRefused == true)
        }
    }

    @Test(
        arguments: EngineKind.allCases,
        ["", "line\nbreak", "nul\u{0}", String(repeating: "x", count: 257), "cafe\u{301}", "\u{85}"])
    func `A name that can't identify anything is refused`(_ kind: EngineKind, _ name: String) throws {
        try kind.withStore { store throws in
            #expect(try store.setFavorite(name, .of(1, 1))?.isRefused == true)
            #expect(try store.setFavorite("movie/1", of: name, .of(1, 2))?.isRefused == true)
            #expect(try store.commit(.choose(pool: name, movie: 1))?.isRefused == true)
            #expect(try store.commit(.chartDay(Sample.chartDay(1, chart: name)))?.isRefused == true)
            #expect(try store.catalogueHead().revision == 0)
            #expect(try store.userHead("mina").revision == 0)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Names may be in any script`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            #expect(try store.setFavorite("movie/기생충", of: "민아", .of(1, 1)) == .done(revision: 1, changed: true))
            #expect(try store.favoriteSubjects(of: "민아") == ["movie/기생충"])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A mutation with an invalid client or number is refused`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let short = MutationID(client: [1, 2, 3], number: 1, answeredThrough: 0)
            #expect(try store.setFavorite("movie/1", short)?.isRefused == true)
            #expect(try store.setFavorite("movie/1", .of(1, 0))?.isRefused == true)
            #expect(try store.setFavorite("movie/1", .of(1, .max))?.isRefused == true)
            #expect(try store.lastMutation(of: short.client) == nil)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A commit key is bounded and has no control characters`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let long = String(repeating: "k", count: CatalogueBounds.commitKey + 1)
            for key in ["", "a\tb", long] {
                #expect(try store.commit(.movie(Sample.movie(1)), key: key)?.isRefused == true)
            }
        }
    }
}

/// A change that no catalogue accepts, and what the reason has to mention.
struct BadChange: CustomTestStringConvertible, Sendable {
    let change: Change
    let mention: String
    var testDescription: String { mention }

    static let all: [BadChange] = [
        BadChange(change: .movie(Movie(id: 0, title: "x")), mention: "the id of a movie"),
        BadChange(change: .movie(Movie(id: .max, title: "x")), mention: "between 1 and"),
        BadChange(change: .movie(Movie(id: 9, title: "")), mention: "the title is empty"),
        BadChange(change: movie { $0.title = "a\u{0}b" }, mention: "NUL"),
        BadChange(
            change: movie { $0.title = String(repeating: "x", count: CatalogueBounds.title + 1) },
            mention: "4096 are allowed"),
        BadChange(
            change: movie { $0.overview = String(repeating: "x", count: CatalogueBounds.overview + 1) },
            mention: "65536 are allowed"),
        BadChange(change: movie { $0.popularity = .infinity }, mention: "movie.popularity is not a finite number"),
        BadChange(change: movie { $0.popularity = -5 }, mention: "movie.popularity is a number of 0 or more, not -5"),
        BadChange(change: movie { $0.voteAverage = .nan }, mention: "movie.voteAverage is not a finite number"),
        BadChange(change: movie { $0.revenue = .max }, mention: "movie.revenue is above"),
        BadChange(change: movie { $0.genres = [0] }, mention: "the id of a genre"),
        BadChange(
            change: movie { $0.countries = Array(repeating: "US", count: CatalogueBounds.listEntries + 1) },
            mention: "countries has 257 entries"),
        BadChange(change: movie { $0.poster = ImageReference(name: "") }, mention: "the name of the poster is empty"),
        BadChange(
            change: movie { $0.backdrop = ImageReference(name: "b", aspect: 0) },
            mention: "backdrop.aspect is a number above 0"),
        BadChange(change: .movieUpdate(MovieUpdate(id: 404)), mention: "no movie 404"),
        BadChange(change: .removeMovie(0), mention: "the id of a movie"),
        BadChange(change: .person(Person(id: 1, name: "")), mention: "the name is empty"),
        BadChange(
            change: .credits(Credits(movie: 1, cast: [.init(person: 0, name: "x", character: nil)], crew: [])),
            mention: "the id of a person"),
        BadChange(
            change: .chartDay(
                ChartDay(
                    chart: "us", date: Sample.date(1),
                    entries: [.init(key: "a", title: "A"), .init(key: "a", title: "B")]
                )), mention: "the key 'a' twice"),
        BadChange(
            change: .chartDay(
                ChartDay(
                    chart: "us", date: Sample.date(1),
                    entries: (0...CatalogueBounds.chartEntries).map { .init(key: "\($0)", title: "t") })),
            mention: "65536 are allowed"),
        BadChange(change: .showChart(chart: "us", date: Sample.date(1)), mention: "has no 2014-01-01 to show"),
        BadChange(change: .choose(pool: "", movie: 1), mention: "the name of a pool"),
        BadChange(change: .choose(pool: "main", movie: 0), mention: "the id of a movie"),
        BadChange(change: .chooseItem(pool: "main", item: ""), mention: "the id of an item"),
        BadChange(change: .shelf(Shelf(id: "a/b", items: [])), mention: "the id of a shelf has"),
        BadChange(change: shelf("x", "x"), mention: "the item 'x' twice"),
        BadChange(
            change: shelf((0...CatalogueBounds.shelfItems).map { "\($0)" }), mention: "1000 are allowed"),
        BadChange(
            change: .shelfItem(shelf: "row", item: ShelfItem(id: "x", content: .categories([]))),
            mention: "no item 'x' on a shelf 'row'"),
        BadChange(change: course { $0.price = "19,90" }, mention: "the price is a decimal number"),
        BadChange(change: course { $0.title = "" }, mention: "the title is empty"),
        BadChange(change: course { $0.rating = .infinity }, mention: "course.rating is not a finite number"),
        BadChange(
            change: .page(Page(id: "p", sections: ["s", "s"].map { .init(id: $0, type: "t", title: "", shelf: "x") })),
            mention: "the section 's' twice"),
        BadChange(
            change: .page(Page(id: "p", sections: [.init(id: "s", type: "", title: "", shelf: "x")])),
            mention: "the type of 's' is empty"),
        BadChange(change: .programme(""), mention: "the programme is empty"),
    ]

    private static func shelf(_ ids: String...) -> Change { shelf(ids) }

    private static func shelf(_ ids: [String]) -> Change {
        .shelf(Shelf(id: "row", items: ids.map { ShelfItem(id: $0, content: .categories([])) }))
    }

    private static func course(_ change: (inout CourseContent) -> Void) -> Change {
        var course = CourseContent(title: "x")
        change(&course)
        return .shelf(Shelf(id: "row", items: [ShelfItem(id: "x", content: .course(course))]))
    }

    private static func movie(_ change: (inout Movie) -> Void) -> Change {
        var movie = Movie(id: 9, title: "x")
        change(&movie)
        return .movie(movie)
    }
}
