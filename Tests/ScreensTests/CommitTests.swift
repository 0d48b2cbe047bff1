import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import Testing

@testable import MarqueeScreens

/// The effects of commits on `Screens` as a whole.
@Suite struct CommitTests {
    private static let text =
        "screens: {home: {title: H, sections: [{id: first, kind: list, source: {records: {type: show}}}]}}"

    private let types: RecordTypes
    private let show: Change
    private var screens: Screens

    init() throws {
        types = try Podcasts.types()
        show = try types.put("show", "s", #"{"slug": "s"}"#)
        screens = try Screens([], types: types, programme: Self.text)
    }

    @Test mutating func `A new programme takes effect at once`() throws {
        let effect = try screens.commit([.programme(Self.text.replacing("first", with: "other"))])
        #expect(effect.changesProgramme)
        #expect(screens.programme.screens[0].sections[0].id == "other")
        #expect(throws: Status.self) {
            try screens.evaluate(VariantKey(screen: "home", section: "first", locale: "en"), members: [])
        }
    }

    @Test mutating func `An invalid programme is reported, and the previous one stays current`() throws {
        let before = screens.programme
        let effect = try screens.commit([.programme("screens: {}"), show])
        #expect(!effect.changesProgramme)
        #expect(effect.programmeErrors.map(\.line) == [1])
        #expect(screens.programmeErrors == effect.programmeErrors)
        #expect(screens.programme == before)
        #expect(screens.counts.of("show") == 1)
    }

    @Test mutating func `Commits are applied in order and once`() throws {
        func commit(_ revision: UInt64) -> CatalogueCommit {
            CatalogueCommit(revision: revision, key: nil, changes: [show])
        }
        #expect(throws: Status.self) { try screens.apply(commit(3)) }
        #expect(try screens.apply(commit(1)) == CommitEffect())
        #expect(screens.counts.of("show") == 0)
        _ = try screens.apply(commit(2))
        #expect(screens.counts.of("show") == 1)
        #expect(screens.head == LogHead(epoch: 1, revision: 2))
    }
}
