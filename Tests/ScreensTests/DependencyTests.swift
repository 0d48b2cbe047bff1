import MarqueeDiff
import MarqueeModel
import MarqueeStore
import Testing

@testable import MarqueeScreens

/// Random commits under a programme with every source: what `CommitEffect` says is untouched must be untouched.
@Suite struct DependencyTests {
    private static let programme = """
        locales: [en, ko]
        screens:
          home:
            title: Home
            sections:
              - {id: all, kind: list, source: {movies: {limit: 4}}}
              - {id: sorted, kind: rank, sorts: [title, release-date], windows: [2, 4], source: {movies: {genre: 1, sort: rating, limit: 4}}}
              - {id: genre, kind: basic, source: {movies: {genre: 2, sort: title, limit: 2}}}
              - {id: fixed, kind: large, source: {movies: {ids: [3, 1, 2]}}}
              - {id: pool, kind: main, source: {pool: {genre: 3, sort: revenue}}}
              - {id: other, kind: main, source: {pool: {sort: title}}}
              - {id: chart, kind: chart, source: {chart: {id: c1, limit: 2}}}
              - {id: genres, kind: genres, windows: [2, 4], source: {genres: [4, 3, 2, 1]}}
              - {id: items, kind: hero, source: {items: [{id: t, text: {text: Hello}}, {id: m, movie: 5}]}}
          detail/<movie>:
            title: Movie
            sections:
              - {id: detail, kind: detail, source: detail}
              - {id: credits, kind: credits, source: {credits: {limit: 3}}}
          genre/<genre>:
            title: Genre
            sections: [{id: movies, kind: list, header: "All of $title", source: {movies: {genre: $argument, sort: revenue}}}]
          favorites:
            title: Favorites
            sections: [{id: favorites, kind: favorites, source: favorites}]
        """

    private static let favorites = [
        Favorite(subject: "movie/2", revision: 4), Favorite(subject: "movie/8", revision: 7),
    ]

    /// All variants and views that are watched; none depends on the catalogue to exist.
    private static func watched(_ programme: Programme) -> (variants: [VariantKey], views: [ViewKey]) {
        let names = ["home", "detail/1", "detail/2", "genre/1", "genre/4", "favorites", "favorite-set"]
        var variants: [VariantKey] = []
        var views: [ViewKey] = []
        for name in names {
            guard let screen = programme.screen(named: name)?.screen else { continue }
            views.append(ViewKey(screen: name, locale: "ko"))
            for section in screen.sections {
                for sort in section.sorts.isEmpty ? [""] : section.sorts.map(\.order.rawValue) {
                    for window in section.windows.isEmpty ? [0] : section.windows {
                        variants.append(
                            VariantKey(
                                screen: name, section: section.id, sort: sort, window: window, locale: "ko",
                                user: section.isPrivate ? "ann" : nil))
                    }
                }
            }
        }
        return (variants, views)
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func whatACommitDoesNotTouchStaysTheSame(seed: UInt64) throws {
        var random = RandomCatalogue(seed: seed)
        var screens = try Screens([], programme: DependencyTests.programme)
        let (variants, views) = DependencyTests.watched(screens.programme)
        var held: [VariantKey: Evaluation] = [:]
        var heldViews: [ViewKey: Evaluation] = [:]
        for key in variants { held[key] = try screens.evaluate(key, favorites: DependencyTests.favorites) }
        for key in views { heldViews[key] = try screens.evaluate(view: key) }
        var untouched = 0
        var changed = 0

        for _ in 0..<80 {
            let effect = try screens.commit(random.commit())
            var fresh = try Screens(random.snapshot(), programme: DependencyTests.programme)
            for key in variants {
                let expected = try fresh.evaluate(key, favorites: DependencyTests.favorites).version
                let before = try #require(held[key])
                if effect.touches(before.dependencies) {
                    let now = try screens.evaluate(key, favorites: DependencyTests.favorites)
                    if now.version.sum != before.version.sum { changed += 1 }
                    held[key] = now
                } else {
                    untouched += 1
                }
                let known = try #require(held[key]).version
                #expect(
                    known.sum == expected.sum && known.items == expected.items && known.head == expected.head, "\(key)")
            }
            for key in views {
                let before = try #require(heldViews[key])
                if effect.touches(before.dependencies) { heldViews[key] = try screens.evaluate(view: key) }
                #expect(try heldViews[key]?.version.sum == fresh.evaluate(view: key).version.sum, "\(key)")
            }
        }
        // The law would hold as well if everything were touched always, or nothing ever changed.
        #expect(untouched > 100)
        #expect(changed > 100)
    }

    @Test func anotherProgrammeTouchesEverything() throws {
        var screens = try Screens([], programme: DependencyTests.programme)
        let effect = try screens.commit([.programme(try Samples.programme())])
        #expect(effect.changesProgramme)
        #expect(effect.touches(Dependencies()))
        #expect(screens.programme.screens[0].sections[0].id == "main")
        #expect(throws: Status.self) {
            try screens.evaluate(VariantKey(screen: "home", section: "all", locale: "en"), favorites: [])
        }
    }

    @Test func anInvalidProgrammeKeepsTheOneBeforeAndIsReported() throws {
        var screens = try Screens([], programme: DependencyTests.programme)
        let before = screens.programme
        let effect = try screens.commit([.programme("screens: {}"), .movie(Movie(1))])
        #expect(!effect.changesProgramme)
        #expect(effect.programmeErrors.map(\.line) == [1])
        #expect(screens.programmeErrors == effect.programmeErrors)
        #expect(screens.programme == before)
        #expect(screens.movieCount == 1)
    }

    @Test func commitsAreTakenInOrderAndOnce() throws {
        var screens = try Screens([], programme: DependencyTests.programme)
        let change = Change.movie(Movie(1))
        func commit(_ revision: UInt64) -> CatalogueCommit {
            CatalogueCommit(revision: revision, key: nil, changes: [change], touched: [change.key])
        }
        #expect(throws: Status.self) { try screens.apply(commit(3)) }
        #expect(try screens.apply(commit(1)) == CommitEffect())
        #expect(screens.movieCount == 0)
        #expect(try screens.apply(commit(2)).touchesMovies)
        #expect(screens.head == LogHead(epoch: 1, revision: 2))
    }
}
