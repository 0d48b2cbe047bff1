import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import Testing

@testable import MarqueeScreens

/// What a change of a record costs, counted: it depends on what the change touches.
@Suite struct RecordWorkTests {
    private let types: RecordTypes

    init() throws { types = try Podcasts.types() }

    private static let programme = """
        locales: [en]
        screens:
          home:
            title: Home
            sections:
              - {id: new, kind: list, source: {records: {type: episode, sort: -plays, limit: 10}},
                 body: {card: {title: $title, subtitle: $show.title}}}
              - {id: short, kind: list, source: {records: {type: episode, where: {minutes: {below: 30}}, sort: -plays, limit: 10}},
                 body: {card: {title: $title}}}
              - {id: shows, kind: list, source: {records: {type: show, sort: title, limit: 10}}, body: {card: {title: $title}}}
          show/$id:
            title: $id
            sections:
              - {id: episodes, kind: list, source: {records: {type: episode, where: {show: $id}, sort: -plays, limit: 10}},
                 body: {card: {title: $title}}}
        """

    private func episode(_ id: Int, plays: Int, shows: Int = 10) throws -> Change {
        try types.put(
            "episode", "e\(id)",
            """
            {"guid": "e\(id)", "show": "s\(id % shows)", "title": {"en": "Episode \(id)"}, "plays": \(plays),
             "minutes": \(id % 60)}
            """)
    }

    private func show(_ id: Int, title: String) throws -> Change {
        try types.put("show", "s\(id)", #"{"slug": "s\#(id)", "title": {"en": "\#(title)"}}"#)
    }

    /// Episodes 0 to `count`, the first the most played unless `plays` says how often each was.
    private func screens(episodes count: Int, plays: Int? = nil) throws -> Screens {
        let changes =
            try (0..<count).map { try episode($0, plays: plays ?? 2 * (count - $0)) }
            + (0..<10).map { try show($0, title: "Show \($0)") }
        var screens = try Screens(changes, types: types, programme: RecordWorkTests.programme)
        try screens.watchSections(of: "home", "show/s3")
        return screens
    }

    @Test func `The cost of a change grows with the logarithm of the records`() throws {
        var seen: [ScreenCounters] = []
        for (size, bits) in [(500, 9), (4_000, 12), (16_000, 14)] {
            var screens = try screens(episodes: size)
            // Nobody shows the middle: only its places are found, in the orders of its show, of all and of the short.
            let unseen = try cost(of: episode(size / 2, plays: size + 1), in: &screens)
            #expect(unseen.sections == [])
            #expect(unseen.work.withoutComparisons == ScreenCounters())
            // The last one becomes the first; it lasts more than 30 minutes or not, and is no episode of show 3.
            let first = try cost(of: episode(size - 1, plays: 9 * size), in: &screens)
            #expect(first.sections.contains("new"))
            for work in [unseen.work, first.work] { #expect(work.comparisons <= 6 * (UInt64(bits) + 10) + 40) }
            seen.append(unseen.work.withoutComparisons)
        }
        #expect(seen.count == 3)
    }

    @Test func `A referenced record touches only the items that print it`() throws {
        var screens = try screens(episodes: 500)
        // Of the ten episodes shown, one is of show 3. The short ones name no show.
        let (work, sections) = try cost(of: show(3, title: "Renamed"), in: &screens)
        #expect(sections == ["new", "shows"])
        #expect(work.items == 2, "one episode, and the show")
    }

    @Test func `A field that nothing prints remakes the item without a new version`() throws {
        var screens = try screens(episodes: 500)
        let quiet = try types.put(
            "show", "s3", #"{"slug": "s3", "title": {"en": "Show 3"}, "description": {"en": "Other"}}"#)
        #expect(try cost(of: quiet, in: &screens).sections == [])
    }

    @Test func `An order of another value is not touched`() throws {
        var screens = try screens(episodes: 500)
        // It is at the end of all, and of show 4; show 3 is on screen.
        let (work, sections) = try cost(of: episode(494, plays: 0), in: &screens)
        #expect(sections == [])
        #expect(work.renewals == 0)
    }

    @Test func `A start reads a record once for each field that places it, however many sections show it`() throws {
        let screens = try screens(episodes: 500)
        // The plays, by which three sections are ordered, the minutes that one requires and the show that one is of.
        // Of the ten shows, the title.
        #expect(screens.catalogue.records.reads == 3 * 500 + 10)
    }

    @Test func `A change reads the record before and after, and no others`() throws {
        // Records with equal numbers are told apart by their ids.
        for plays in [nil, 7] {
            var screens = try screens(episodes: 4_000, plays: plays)
            let before = screens.catalogue.records.reads
            try screens.commit([try episode(2_000, plays: 8)])
            #expect(screens.catalogue.records.reads - before == 2 * 3)
        }
    }

    @Test func `Items of sections with equal bodies are looked up by one object`() throws {
        let programme = try Programme.parse(text: Self.programme, file: "test.yaml", types: types.set)
        let bodies = programme.screens.flatMap(\.sections).compactMap { $0.bodies["episode"] }
        #expect(bodies.count == 3)
        #expect(bodies[0] != bodies[1])
        #expect(bodies[1] === bodies[2])
        var screens = try screens(episodes: 500)
        let before = screens.counters
        _ = try screens.evaluate(
            try screens.plan(screen: "home", locale: nil, parameters: [], user: nil).sections[1].variant, members: [])
        #expect(screens.counters.since(before).items == 0)
    }
}
