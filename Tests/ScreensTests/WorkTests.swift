import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import Testing

@testable import MarqueeScreens

/// Counts what a commit costs: it depends on what the commit touches, not on the size of the catalogue or how much is
/// shown.
@Suite struct WorkTests {
    private static let programme = """
        locales: [en, ko]
        screens:
          home:
            title: Home
            sections:
              - {id: rank, kind: rank, sorts: [popularity, release-date], source: {movies: {limit: 10}}}
              - {id: action, kind: basic, source: {movies: {genre: 28, limit: 20}}}
              - {id: drama, kind: basic, source: {movies: {genre: 18, limit: 20}}}
              - {id: large, kind: large, source: {movies: {sort: rating, limit: 20}}}
              - {id: pool, kind: main, source: {pool: {}}}
              - {id: chart, kind: chart, source: {chart: {id: c, limit: 10}}}
              - {id: tiles, kind: genres, source: {genres: [28, 18]}}
              - {id: items, kind: hero, source: {items: [{id: a, movie: 7}]}}
          detail/<movie>:
            title: Movie
            sections:
              - {id: detail, kind: detail, source: detail}
              - {id: credits, kind: credits, source: credits}
          favorites:
            title: Favorites
            sections: [{id: favorites, kind: favorites, source: favorites}]
        """

    /// Movies 1 to `count`, the first the most popular; odd ones are action, even ones drama.
    private static func screens(movies count: Int) throws -> Screens {
        let movies = (1...UInt64(count)).lazy.map { id in
            Change.movie(
                Movie(
                    id, genres: [id % 2 == 1 ? 28 : 18], popularity: Double(count) - Double(id), released: "2014-01-01",
                    revenue: id * 10, rating: Double(id % 100) / 10))
        }
        let genres = [
            Change.genre(Genre(id: 28, names: ["en": "Action"])), .genre(Genre(id: 18, names: ["en": "Drama"])),
        ]
        return try Screens(Array(movies) + genres, programme: programme)
    }

    private static func watch(_ screen: String, user: String? = nil, in screens: inout Screens) throws {
        let plan = try screens.plan(screen: screen, locale: nil, parameters: [], user: user)
        var handle = UInt64(screens.views.count + screens.sections.count) + 1
        for key in [.view(plan.view)] + plan.sections.map({ ContentKey.section($0.variant) }) {
            let favorites = (1...5).map { StoredMember(subject: "movie/\($0)", revision: $0) }
            _ = try screens.watch(key, as: handle, members: key.user == nil ? [] : favorites)
            handle += 1
        }
    }

    /// The cost of changing one movie's popularity, with the variants it changes.
    private static func cost(
        of movie: UInt64, popularity: Double, in screens: inout Screens
    ) throws -> (work: ScreenCounters, sections: [String]) {
        let before = screens.counters
        var update = MovieUpdate(id: movie)
        update.popularity = popularity
        try screens.commit([.movieUpdate(update)])
        let renewed = screens.renew()
        let names = renewed.keys.compactMap { screens.sections[$0]?.key }.map { "\($0.screen) \($0.section)" }
        return (screens.counters.since(before), names.sorted())
    }

    @Test func `The cost of a change grows with the logarithm of the catalogue`() throws {
        var seen: [(inside: ScreenCounters, outside: ScreenCounters)] = []
        for (size, bits) in [(1_000, 10), (8_000, 13), (64_000, 16)] {
            var screens = try WorkTests.screens(movies: size)
            try WorkTests.watch("home", in: &screens)
            // The second overall rises to the top; it is shown in three sections.
            let (inside, sections) = try WorkTests.cost(of: 2, popularity: 1e9, in: &screens)
            #expect(sections == ["home drama", "home pool", "home rank"])
            // Two in the middle swap places, which isn't visible.
            let id = UInt64(size / 2)
            let (outside, none) = try WorkTests.cost(
                of: id, popularity: Double(size) - Double(id) - 1.5, in: &screens)
            #expect(none == [])
            // Two orders by popularity, where it is removed and reinserted, and those by rating and revenue, where it
            // is looked up.
            for work in [inside, outside] { #expect(work.comparisons <= 6 * (UInt64(bits) + 10) + 40) }
            seen.append((inside, outside))
        }
        for index in seen.indices {
            #expect(seen[index].inside.withoutComparisons == seen[0].inside.withoutComparisons)
            #expect(seen[index].outside.withoutComparisons == ScreenCounters())
        }
        // In two sections without and in one with its overview: made once each.
        #expect(seen[0].inside.items == 2)
        #expect(seen[0].inside.renewals == 3)
        #expect(seen[0].inside.heads == 0)
    }

    @Test func `The cost of a change doesn't depend on what else is shown`() throws {
        var seen: [ScreenCounters] = []
        for views in [10, 100, 1_000] {
            var screens = try WorkTests.screens(movies: 2_000)
            try WorkTests.watch("home", in: &screens)
            for id in 1...views { try WorkTests.watch("detail/\(id)", in: &screens) }
            let (work, sections) = try WorkTests.cost(of: 1, popularity: 1e9, in: &screens)
            #expect(sections == ["home action", "home pool", "home rank"])
            seen.append(work)
        }
        #expect(seen.allSatisfy { $0 == seen[0] })
        // Includes what shows the movie but doesn't change: its detail, credits and view, which has its title.
        #expect(seen[0].renewals <= 7)
        #expect(seen[0].items <= 4)
    }

    @Test func `Users who marked the movie cost what they have marked and others nothing`() throws {
        var screens = try WorkTests.screens(movies: 1_000)
        for user in 1...50 { try WorkTests.watch("favorites", user: "user \(user)", in: &screens) }
        let marked = try WorkTests.cost(of: 5, popularity: 1, in: &screens)
        #expect(marked.sections.count == 50)
        #expect(marked.work.renewals == 50)
        #expect(marked.work.items == 1, "all show the same item")
        let other = try WorkTests.cost(of: 6, popularity: 1, in: &screens)
        #expect(other.work.withoutComparisons == ScreenCounters())
    }

    @Test func `A movie that leaves the top makes room for one other`() throws {
        var screens = try WorkTests.screens(movies: 1_000)
        try WorkTests.watch("home", in: &screens)
        // The first action movie falls to the end: of 20 items shown, one leaves and one arrives.
        let (work, sections) = try WorkTests.cost(of: 1, popularity: -1, in: &screens)
        #expect(sections == ["home action", "home pool", "home rank"])
        // Movie 41 arrives for action and 2, with its overview, for the pool. 11, which arrives for all, was already in
        // action.
        #expect(work.items == 2)
        #expect(work.members == 20 + 1 + 10)
    }

    @Test func `Several changes of one movie remake its item once`() throws {
        var screens = try WorkTests.screens(movies: 1_000)
        try WorkTests.watch("home", in: &screens)
        let before = screens.counters
        for popularity in 1...20 {
            var update = MovieUpdate(id: 4)
            update.popularity = 1e6 + Double(popularity)
            try screens.commit([.movieUpdate(update)])
        }
        #expect(screens.renew().count == 3)
        #expect(screens.counters.since(before).items == 2)
        #expect(screens.counters.since(before).renewals == 3)
    }

    @Test func `A programme that changes one section renews that section`() throws {
        var screens = try WorkTests.screens(movies: 1_000)
        try WorkTests.watch("home", in: &screens)
        try WorkTests.watch("detail/1", in: &screens)
        let before = screens.counters
        try screens.commit([
            .programme(WorkTests.programme.replacing("genre: 18, limit: 20", with: "genre: 18, limit: 7"))
        ])
        let renewed = screens.renew().keys.compactMap { screens.sections[$0]?.key.section }
        #expect(renewed == ["drama"])
        #expect(screens.counters.since(before).renewals == 1)
    }
}

extension ScreenCounters {
    func since(_ before: ScreenCounters) -> ScreenCounters {
        var difference = ScreenCounters()
        difference.comparisons = comparisons - before.comparisons
        difference.renewals = renewals - before.renewals
        difference.members = members - before.members
        difference.items = items - before.items
        difference.heads = heads - before.heads
        return difference
    }

    var withoutComparisons: ScreenCounters {
        var counters = self
        counters.comparisons = 0
        return counters
    }
}
