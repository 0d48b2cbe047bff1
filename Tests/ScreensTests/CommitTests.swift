import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import Testing

@testable import MarqueeScreens

/// The effects of commits on the value as a whole.
@Suite struct CommitTests {
    @Test func `Another programme is in force at once`() throws {
        var screens = try Screens([], programme: RandomProgramme.text())
        let effect = try screens.commit([.programme(try Samples.programme())])
        #expect(effect.changesProgramme)
        #expect(screens.programme.screens[0].sections[0].id == "main")
        #expect(throws: Status.self) {
            try screens.evaluate(VariantKey(screen: "home", section: "all-title", locale: "en"), members: [])
        }
    }

    @Test func `An invalid programme is reported, and the previous one stays in force`() throws {
        var screens = try Screens([], programme: RandomProgramme.text())
        let before = screens.programme
        let effect = try screens.commit([.programme("screens: {}"), .movie(Movie(1))])
        #expect(!effect.changesProgramme)
        #expect(effect.programmeErrors.map(\.line) == [1])
        #expect(screens.programmeErrors == effect.programmeErrors)
        #expect(screens.programme == before)
        #expect(screens.counts.of("movie") == 1)
    }

    @Test func `Commits are applied in order and once`() throws {
        var screens = try Screens([], programme: RandomProgramme.text())
        let change = Change.movie(Movie(1))
        func commit(_ revision: UInt64) -> CatalogueCommit {
            CatalogueCommit(revision: revision, key: nil, changes: [change])
        }
        #expect(throws: Status.self) { try screens.apply(commit(3)) }
        #expect(try screens.apply(commit(1)) == CommitEffect())
        #expect(screens.counts.of("movie") == 0)
        _ = try screens.apply(commit(2))
        #expect(screens.counts.of("movie") == 1)
        #expect(screens.head == LogHead(epoch: 1, revision: 2))
    }
}
