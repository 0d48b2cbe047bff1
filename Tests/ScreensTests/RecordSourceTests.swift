import MarqueeCatalogue
import MarqueeDiff
import MarqueeModel
import MarqueeStore
import Testing

@testable import MarqueeScreens

/// Screens of records, as the podcast app of the samples defines them.
@Suite struct RecordSourceTests {
    private let types: RecordTypes
    private var screens: Screens

    init() throws {
        types = try Podcasts.types()
        let changes = [
            try types.put(
                "show", "tides",
                #"{"slug": "tides", "title": {"en": "Tides", "ko": "조류"}, "author": "Mara", "cover": "tides.jpg", "followers": 10}"#
            ),
            try types.put("show", "bread", #"{"slug": "bread", "title": {"en": "Bread"}, "followers": 30}"#),
            try types.put(
                "episode", "t1",
                """
                {"guid": "t1", "show": "tides", "title": {"en": "Harbour", "ko": "항구"}, "published": "2026-01-02T06:00:00Z",
                 "plays": 5, "minutes": 40, "topics": ["history", "science"], "rating": 4.5,
                 "chapters": [{"start": "0:00", "title": "Start"}, {"start": "9:10", "title": "Middle"}]}
                """),
            try types.put(
                "episode", "t2",
                #"{"guid": "t2", "show": "tides", "title": {"en": "Moon"}, "published": "2026-01-04T06:00:00Z", "plays": 9, "minutes": 70, "topics": ["science"]}"#
            ),
            try types.put(
                "episode", "b1",
                #"{"guid": "b1", "show": "bread", "title": {"en": "Rye"}, "published": "2026-01-03T06:00:00Z", "plays": 7, "minutes": 20, "topics": ["history"]}"#
            ),
        ]
        screens = try Screens(changes, types: types, programme: Podcasts.text("programme.yaml"))
    }

    @Test mutating func `A query shows the records that meet its conditions, in its order`() throws {
        let new = try screens.section("new")
        #expect(new.ids == ["episode/b1", "episode/t1"], "the other one is longer than an hour")
        #expect(new.titles == ["Rye", "Harbour"])
        #expect(new.cards.map(\.subtitle) == ["Bread · 20 min", "Tides · 40 min"])
        #expect(new.cards.map(\.rating?.value) == [nil, 4.5])
        #expect(new.cards.map(\.image?.name) == [nil, "tides.jpg"])
        #expect(try screens.section("shows").titles == ["Bread", "Tides"])
        #expect(try screens.section("science").titles == ["Moon", "Harbour"])
    }

    @Test mutating func `Texts are shown in the requested locale, or else in the default one`() throws {
        let new = try screens.section("new", locale: "ko")
        #expect(new.titles == ["Rye", "항구"])
        #expect(new.cards.map(\.subtitle) == ["Bread · 20분", "조류 · 40분"])
    }

    @Test mutating func `A record's screen shows the record, its parts and related records`() throws {
        let detail = try screens.section("detail", of: "episode/t1")
        #expect(detail.titles == ["Harbour"])
        #expect(detail.cards.first?.badges.map(\.text) == ["History", "Science"])
        #expect(detail.cards.first?.actions.map(\.target) == ["", "show/tides"])
        #expect(detail.cards.first?.facts.map(\.value) == ["Jan 2, 2026", "Mara"])
        #expect(detail.cards.first?.record?.message == "podcast.v1.Episode")
        #expect(detail.head.header?.title == "Harbour")
        let chapters = try screens.section("chapters", of: "episode/t1")
        #expect(chapters.ids == ["chapters/0:00", "chapters/9:10"])
        #expect(chapters.titles == ["Start", "Middle"])
        #expect(try screens.section("more", of: "episode/t1").ids == ["episode/t2"])
        #expect(try screens.section("more", of: "episode/b1").ids == [])
    }

    @Test mutating func `A subscriber can choose one of the sorts on offer`() throws {
        #expect(try screens.section("episodes", of: "show/tides").titles == ["Moon", "Harbour"])
        #expect(try screens.section("episodes", of: "show/tides", sort: "title").titles == ["Harbour", "Moon"])
        #expect(
            try screens.section("episodes", of: "show/tides").head.sorts.map(\.id) == ["-published", "-plays", "title"])
        #expect(try screens.section("episodes", of: "topic/history").titles == ["Rye", "Harbour"])
        #expect(try screens.section("episodes", of: "topic/nothing").titles == [])
    }

    @Test(arguments: ["published", "-published"])
    func `Equal records are shown by ascending id, wherever a change puts them`(sort: String) throws {
        func episode(_ id: Int) throws -> Change {
            try types.put("episode", "e\(id)", #"{"guid": "e\#(id)", "published": "2026-01-02T06:00:00Z"}"#)
        }
        let source = "{records: {type: episode, sort: \(sort), limit: 3}}"
        var screens = try Screens(
            [episode(1), episode(3), episode(5)], types: types,
            programme: "screens: {home: {title: H, sections: [{id: a, kind: list, source: \(source)}]}}")
        try screens.watchSections(of: "home")
        for (id, shown) in [(2, [1, 2, 3]), (0, [0, 1, 2]), (4, [0, 1, 2])] {
            try screens.commit([episode(id)])
            _ = screens.renew()
            let ids = shown.map { "episode/e\($0)" }
            let watched = try #require(screens.sections.values.first { $0.key.section == "a" })
            #expect(watched.version.items.map(\.id) == ids)
            #expect(try screens.section("a").ids == ids)
        }
    }

    @Test mutating func `Favorites show records`() throws {
        let marked = ["episode/t1", "show/bread", "episode/gone", "movie/1"].enumerated().map {
            StoredMember(subject: $1, revision: UInt64($0 + 1))
        }
        let favorites = try screens.section("favorites", of: "favorites", user: "ann", favorites: marked)
        #expect(favorites.ids == ["show/bread", "episode/t1"])
        #expect(favorites.cards.map(\.overline) == [nil, "Tides"])
    }

    @Test mutating func `A screen whose record was removed doesn't exist`() throws {
        #expect(screens.hasScreen("episode/t1"))
        #expect(throws: Status.self) { try screens.section("detail", of: "episode/none") }
        try screens.commit([.remove("episode", "t1")])
        #expect(!screens.hasScreen("episode/t1"))
        #expect(screens.hasScreen("topic/history"))
    }

    @Test func `Describe names a screen of each kind`() {
        let described = screens.describe(locale: nil).screens
        #expect(described.map(\.pattern) == ["home", "episode/<episode>", "show/<show>", "topic/$id", "favorites"])
        #expect(described.map(\.title) == ["Podcasts", "episode", "show", "topic", "Saved"])
        #expect(described.map(\.example) == ["home", "episode/b1", "show/bread", "topic/history", "favorites"])
    }
}
