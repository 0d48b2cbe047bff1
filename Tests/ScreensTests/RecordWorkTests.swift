import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import Testing

@testable import MarqueeScreens

/// Counts the work of a changed record, which must depend only on what the change touches.
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

    /// The programme with a screen for each episode, and one for a user's favorites.
    private static let personal =
        programme + """

              episode/$id:
                title: $title
                sections:
                  - {id: detail, kind: detail, source: {record: {type: episode, id: $id}}, body: {card: {title: $title}}}
              favorites:
                title: Favorites
                sections:
                  - {id: favorites, kind: favorites, source: favorites, body: {episode: {card: {title: $title}}}}
            """

    private func episode(_ id: Int, plays: Int, title: String? = nil) throws -> Change {
        try types.put(
            "episode", "e\(id)",
            """
            {"guid": "e\(id)", "show": "s\(id % 10)", "title": {"en": "\(title ?? "Episode \(id)")"}, "plays": \(plays),
             "minutes": \(id % 60)}
            """)
    }

    private func show(_ id: Int, title: String) throws -> Change {
        try types.put("show", "s\(id)", #"{"slug": "s\#(id)", "title": {"en": "\#(title)"}}"#)
    }

    /// Screens of episodes 0 to `count`. The first is the most played unless `plays` gives the number of plays of all.
    private func screens(
        episodes count: Int, plays: Int? = nil, programme: String = Self.programme, watching names: [String]? = nil
    ) throws -> Screens {
        let changes =
            try (0..<count).map { try episode($0, plays: plays ?? 2 * (count - $0)) }
            + (0..<10).map { try show($0, title: "Show \($0)") }
        var screens = try Screens(changes, types: types, programme: programme)
        for name in names ?? ["home", "show/s3"] { try watch(name, in: &screens) }
        return screens
    }

    private func watch(_ screen: String, user: String? = nil, in screens: inout Screens) throws {
        let plan = try screens.plan(screen: screen, locale: nil, parameters: [], user: user)
        let favorites = (1...5).map { StoredMember(subject: "episode/e\($0)", revision: $0) }
        for key in [.view(plan.view)] + plan.sections.map({ ContentKey.section($0.variant) }) {
            let handle = UInt64(screens.views.count + screens.sections.count) + 1
            _ = try screens.watch(key, as: handle, members: key.user == nil ? [] : favorites)
        }
    }

    @Test func `The cost of a change grows with the logarithm of the records`() throws {
        var seen: [ScreenCounters] = []
        for (size, bits) in [(500, 9), (4_000, 12), (16_000, 14)] {
            var screens = try screens(episodes: size)
            // No section shows the middle, so only its positions are found: in the orders of its show, of all episodes
            // and of the short ones.
            let unseen = try cost(of: episode(size / 2, plays: size + 1), in: &screens)
            #expect(unseen.sections == [])
            #expect(unseen.work.withoutComparisons == ScreenCounters())
            // The last one becomes the first. It may be short or not, and it isn't an episode of show 3.
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
        // The episode is at the end of all and belongs to show 4; show 3 is on screen.
        let (work, sections) = try cost(of: episode(494, plays: 0), in: &screens)
        #expect(sections == [])
        #expect(work.renewals == 0)
    }

    @Test
    func `At start, a record is read once for each field that orders it, however many sections show it`() throws {
        let screens = try screens(episodes: 500)
        // For each episode, the plays that order three sections, the minutes that one requires and the show that
        // another requires. For each of the ten shows, the title.
        #expect(screens.catalogue.records.reads == 3 * 500 + 10)
    }

    @Test func `At start, the records are scanned once, however many orders and conditions there are`() throws {
        let condition = "where: {minutes: {below: 30}, topics: {not: food}, show: $id}"
        let programme =
            Self.programme + """

                  all/$id:
                    title: $id
                    sections:
                      - {id: a, kind: list, sorts: [-plays, plays, -published, title, minutes],
                         source: {records: {type: episode, \(condition), limit: 10}}}
                      - {id: b, kind: list, source: {facet: {type: episode, field: show, sort: -published}}}
                      - {id: c, kind: list, source: {facet: {type: episode, field: show, values: [s1], sort: title}}}
                """
        let screens = try screens(episodes: 500, programme: programme)
        #expect(screens.catalogue.records.scanned == 500 + 10)
        // Five sorts; two conditions, the second only for records that meet the first; the show. For each of the ten
        // shows, the title.
        let short = (0..<500).count { $0 % 60 < 30 }
        #expect(screens.catalogue.records.reads == UInt64(5 * 500 + 500 + short + 500 + 10))
    }

    @Test func `A change reads the record before and after, and no others`() throws {
        // Records with equal numbers are ordered by their ids.
        for plays in [nil, 7] {
            var screens = try screens(episodes: 4_000, plays: plays)
            let before = screens.catalogue.records.reads
            try screens.commit([try episode(2_000, plays: 8)])
            #expect(screens.catalogue.records.reads - before == 2 * 3)
        }
    }

    @Test(arguments: ["title", "-title", "published", "-published"])
    func `A change reads no others where titles begin alike or times are equal`(sort: String) throws {
        func episode(_ id: Int, isShort: Bool) throws -> Change {
            try types.put(
                "episode", "e\(id)",
                """
                {"guid": "e\(id)", "title": {"en": "Evening \(10_000 + id)"}, "minutes": \(isShort ? 10 : 50),
                 "published": "2024-05-02T20:00:00Z"}
                """)
        }
        let source = "{records: {type: episode, where: {minutes: {below: 30}}, sort: \(sort), limit: 2}}"
        var screens = try Screens(
            (1_000..<4_000).map { try episode($0, isShort: $0 % 2 == 1) }, types: types,
            programme: "screens: {home: {title: H, sections: [{id: a, kind: list, source: \(source)}]}}")
        for (id, isShort) in [(2_000, true), (2_001, false)] {
            let before = screens.catalogue.records.reads
            try screens.commit([episode(id, isShort: isShort)])
            // The fields of the sort and of the condition, before and after; and the record at its own place.
            #expect(screens.catalogue.records.reads - before <= 2 * 2 + 1)
        }
        let first = sort == "-title" ? ["episode/e3999", "episode/e3997"] : ["episode/e1001", "episode/e1003"]
        #expect(try screens.section("a").ids == first)
    }

    @Test func `Orders that begin alike share what is read of a record`() throws {
        let programme = """
            screens:
              home:
                title: H
                sections:
                  - id: a
                    kind: list
                    sorts:
                      - -plays
                      - {id: a, by: [-plays, title]}
                      - {id: b, by: [-plays, published]}
                      - {id: c, by: [title, -plays]}
                    source: {records: {type: episode, limit: 2}}
            """
        var screens = try screens(episodes: 500, plays: 7, programme: programme, watching: ["home"])
        #expect(screens.catalogue.records.reads == 3 * 500, "plays, title and published")
        let before = screens.catalogue.records.reads
        try screens.commit([try episode(250, plays: 7, title: "Other")])
        // Each field before and after. All are equal in plays, and where a title is compared with itself or a time is
        // missing, a record is read.
        #expect(screens.catalogue.records.reads - before <= 2 * 3 + 2)
    }

    @Test func `Alternatives read a record for each of their conditions, before and after`() throws {
        let any = "any: [{topics: food, minutes: {below: 30}}, {show: s3}]"
        let programme =
            "screens: {home: {title: H, sections: [{id: a, kind: list, "
            + "source: {records: {type: episode, where: {\(any)}, sort: -plays, limit: 2}}}]}}"
        var screens = try screens(episodes: 500, programme: programme, watching: ["home"])
        #expect(screens.catalogue.records.reads == (1 + 3) * 500)
        let before = screens.catalogue.records.reads
        try screens.commit([try episode(250, plays: 7)])
        #expect(screens.catalogue.records.reads - before == 2 * (1 + 3))
    }

    @Test func `Sections with equal bodies share one body object`() throws {
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

    // MARK: - What is shown

    @Test func `The cost of a change doesn't depend on what else is shown`() throws {
        var seen: [ScreenCounters] = []
        for views in [10, 100, 1_000] {
            var screens = try screens(
                episodes: 2_000, programme: Self.personal, watching: ["home"] + (0..<views).map { "episode/e\($0)" })
            let (work, sections) = try cost(of: episode(0, plays: 9_000, title: "Renamed"), in: &screens)
            #expect(sections == ["detail", "new", "short"])
            seen.append(work)
        }
        #expect(seen.allSatisfy { $0 == seen[0] })
        // The sections and the view of its own screen, which shows its title; one item with its show and one without.
        #expect(seen[0].renewals == 4)
        #expect(seen[0].items == 2)
    }

    @Test func `A change costs one renewal for each user who marked the record, and nothing for others`() throws {
        var screens = try screens(episodes: 1_000, programme: Self.personal, watching: [])
        for user in 1...50 { try watch("favorites", user: "user \(user)", in: &screens) }
        let marked = try cost(of: episode(5, plays: 1, title: "Renamed"), in: &screens)
        #expect(marked.sections.count == 50)
        #expect(marked.work.renewals == 50)
        #expect(marked.work.items == 1, "all show the same item")
        let other = try cost(of: episode(6, plays: 1, title: "Renamed"), in: &screens)
        #expect(other.work.withoutComparisons == ScreenCounters())
    }

    @Test func `A record that leaves the top promotes one other`() throws {
        var screens = try screens(episodes: 1_000, watching: ["home"])
        // The first episode drops to the end: of ten items shown, one is evicted and one promoted.
        let (work, sections) = try cost(of: episode(0, plays: 0), in: &screens)
        #expect(sections == ["new", "short"])
        #expect(work.items == 2)
        #expect(work.members == 10 + 10)
    }

    @Test func `Several changes of one record remake its item once`() throws {
        var screens = try screens(episodes: 1_000, watching: ["home"])
        let before = screens.counters
        for plays in 1...20 { try screens.commit([episode(4, plays: 9_000 + plays, title: "Renamed \(plays)")]) }
        #expect(screens.renew().count == 2)
        #expect(screens.counters.since(before).items == 2)
        #expect(screens.counters.since(before).renewals == 2)
    }

    @Test func `A programme that changes one section renews that section`() throws {
        var screens = try screens(episodes: 1_000, programme: Self.personal, watching: ["home", "episode/e1"])
        let before = screens.counters
        let other = Self.personal.replacing("{below: 30}}, sort: -plays, limit: 10", with: "{below: 30}}, limit: 7")
        try screens.commit([.programme(other)])
        #expect(screens.renew().keys.compactMap { screens.sections[$0]?.key.section } == ["short"])
        #expect(screens.counters.since(before).renewals == 1)
    }
}
