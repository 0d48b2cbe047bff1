import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeTypes
import SeededRandom
import Testing

@testable import MarqueeScreens

/// Conditions and seasons that follow the catalogue's time.
@Suite struct TimeTests {
    private let types: RecordTypes

    init() throws { types = try Podcasts.types() }

    private func episode(_ id: String, at published: String, topics: String = "food") throws -> Change {
        try types.put("episode", id, #"{"guid": "\#(id)", "published": "\#(published)", "topics": ["\#(topics)"]}"#)
    }

    private func moment(_ text: String) throws -> Moment { try #require(Moment(text)) }

    private func screens(_ records: [Change], sections: String) throws -> Screens {
        var screens = try Screens(
            records, types: types, programme: "screens: {home: {title: H, sections: [\(sections)]}}")
        try screens.watchSections(of: "home")
        return screens
    }

    /// The ids that a watched section shows after a commit, with which an evaluation from scratch agrees.
    private func ids(_ section: String = "a", in screens: inout Screens, after changes: [Change]) throws -> [String] {
        try screens.commit(changes)
        _ = screens.renew()
        let shown = try #require(screens.sections.values.first { $0.key.section == section }).version.items.map(\.id)
        #expect(try screens.section(section).ids == shown)
        return shown.map { $0.replacing("episode/", with: "") }
    }

    private func section(_ conditions: String, _ more: String = "") -> String {
        "{id: a, kind: list, \(more)source: {records: {type: episode, sort: published, where: {\(conditions)}}}}"
    }

    // MARK: - Boundaries

    @Test func `Records come and go at the moments of their values, each known in advance`() throws {
        var screens = try screens(
            [
                episode("a", at: "2026-03-01T10:00:00Z"), episode("b", at: "2026-03-01T12:00:00.000500Z"),
                episode("c", at: "2026-03-01T20:00:00Z"),
            ], sections: section("published: {above: now, to: now + 2h}"))
        #expect(try ids(in: &screens, after: []) == [], "without a time nothing is after it")
        #expect(try #require(screens.nextBoundary) < moment("1900-01-01T00:00:00Z"))
        #expect(try ids(in: &screens, after: [.time(moment("2026-03-01T07:00:00Z"))]) == [])
        var boundaries: [String] = []
        var shown: [[String]] = []
        while let next = screens.nextBoundary {
            boundaries.append(next.text)
            shown.append(try ids(in: &screens, after: [.time(next)]))
        }
        #expect(
            boundaries == [
                "2026-03-01T08:00:00Z", "2026-03-01T10:00:00Z", "2026-03-01T10:00:00.001Z", "2026-03-01T12:00:00.001Z",
                "2026-03-01T18:00:00Z", "2026-03-01T20:00:00Z",
            ])
        #expect(shown == [["a"], [], ["b"], [], ["c"], []])
    }

    @Test func `Bounds include or exclude their moment as they say`() throws {
        for (bound, wanted) in [
            ("above", [true, false, false]), ("from", [true, true, false]), ("below", [false, false, true]),
            ("to", [false, true, true]),
        ] {
            var screens = try screens(
                [episode("a", at: "2026-03-01T10:00:00Z")], sections: section("published: {\(bound): now}"))
            let shown = try ["09:59:59.999", "10:00:00", "10:00:00.001"].map {
                try !ids(in: &screens, after: [.time(moment("2026-03-01T\($0)Z"))]).isEmpty
            }
            #expect(shown == wanted, "\(bound)")
        }
    }

    @Test func `Time goes forward, and never back`() throws {
        var screens = try screens(
            [episode("a", at: "2026-03-01T10:00:00Z")], sections: section("published: {to: now}"))
        #expect(try ids(in: &screens, after: [.time(moment("2026-03-02T00:00:00Z"))]) == ["a"])
        #expect(try ids(in: &screens, after: [.time(moment("2026-02-01T00:00:00Z"))]) == ["a"])
        #expect(screens.now == (try moment("2026-03-02T00:00:00Z")))
    }

    @Test func `A day begins where the zone says, in summer and in winter time`() throws {
        let conditions = "published: {from: today, below: today + 1d}"
        var screens = try screens(
            [
                episode("late", at: "2026-03-28T22:59:59Z"), episode("first", at: "2026-03-28T23:00:00Z"),
                episode("last", at: "2026-03-29T21:59:59Z"), episode("next", at: "2026-03-29T22:00:00Z"),
            ], sections: section(conditions, "zone: Europe/Berlin, "))
        // The day on which the clocks go forward has 23 hours.
        #expect(try ids(in: &screens, after: [.time(moment("2026-03-29T03:00:00Z"))]) == ["first", "last"])
        #expect(screens.nextBoundary == (try moment("2026-03-29T22:00:00Z")))
        #expect(try ids(in: &screens, after: [.time(moment("2026-03-29T22:00:00Z"))]) == ["next"])
    }

    @Test func `A commit of time reads only records that cross a bound, however many there are`() throws {
        let many = try (0..<2_000).map {
            try episode("e\($0)", at: "2026-03-\($0 / 1_000 + 10)T\($0 % 14 + 10):\($0 % 50 + 10):00Z")
        }
        var screens = try screens(
            many + [episode("soon", at: "2026-03-05T10:00:00Z")],
            sections: section("published: {from: now}, topics: food"))
        try screens.commit([.time(moment("2026-03-01T00:00:00Z"))])
        _ = screens.renew()
        let before = screens.counters
        let reads = screens.catalogue.records.reads
        #expect(screens.countCrossing(until: try moment("2026-03-06T00:00:00Z")) == 1)
        try screens.commit([.time(moment("2026-03-06T00:00:00Z"))])
        _ = screens.renew()
        #expect(screens.counters.since(before).comparisons < 100)
        #expect(screens.catalogue.records.reads - reads < 50)
    }

    @Test func `A second in which very many records cross is passed in pieces, with others' commits in between`() throws
    {
        let count = Extent.of(3_000, full: 100_000)
        let start = try moment("2026-03-01T10:00:00Z")
        let many = try (0..<count).map { try episode("e\($0)", at: start.advanced(by: Int64($0 % 1_000)).text) }
        let source = "{records: {type: episode, sort: -published, where: {published: {above: now}}}}"
        var screens = try screens(many, sections: "{id: a, kind: list, source: \(source)}")
        try screens.commit([.time(start.advanced(by: -1_000))])
        _ = screens.renew()
        var later: [String] = []
        for piece in 0..<10 {
            let moment = start.advanced(by: Int64(piece) * 100 + 99)
            let before = screens.counters
            #expect(screens.countCrossing(until: moment) <= count / 10 + count / 500)
            try screens.commit([.time(moment)])
            _ = screens.renew()
            #expect(screens.counters.since(before).comparisons < UInt64(count / 10 * 100))
            later.insert("later\(piece)", at: 0)
            let change = try episode(later[0], at: "2026-03-01T11:00:0\(piece)Z")
            #expect(try ids(in: &screens, after: [change]).starts(with: later))
        }
        #expect(try ids(in: &screens, after: []) == later)
    }

    @Test func `Tiles count what is there at the time, and a pool's choice leaves in time`() throws {
        let sections = """
            {id: tiles, kind: genres, source: {facet: {type: episode, field: topics, where: {published: {from: now}}}},
              body: {card: {title: $value, subtitle: $count}}},
            {id: a, kind: main, source: {pool: {name: main, records: {type: episode, where: {published: {from: now}}}}}}
            """
        var screens = try screens(
            [
                episode("a", at: "2026-03-01T10:00:00Z"), episode("b", at: "2026-03-02T10:00:00Z"),
                episode("c", at: "2026-03-03T10:00:00Z", topics: "history"),
                .chooseRecord(pool: "main", record: RecordID(type: "episode", id: "b")),
            ], sections: sections)
        #expect(try ids(in: &screens, after: [.time(moment("2026-03-01T00:00:00Z"))]) == ["b"])
        #expect(try screens.section("tiles").cards.map(\.title) == ["food", "history"])
        #expect(try ids(in: &screens, after: [.time(moment("2026-03-02T12:00:00Z"))]) == ["c"])
        #expect(try screens.section("tiles").cards.map(\.title) == ["history"])
    }

    // MARK: - Seasons

    @Test func `A section is visible only in its season`() throws {
        let season = "visible: {from: 2026-12-24T18:00:00+09:00, until: 2026-12-26T00:00:00Z}, header: Gifts, "
        var screens = try screens(
            [episode("a", at: "2026-03-01T10:00:00Z")], sections: section("topics: food", season))
        #expect(try ids(in: &screens, after: [.time(moment("2026-12-24T08:59:59Z"))]) == [])
        #expect(try screens.section("a").head.header == nil)
        #expect(screens.nextBoundary == (try moment("2026-12-24T09:00:00Z")))
        let later = try episode("b", at: "2026-03-02T10:00:00Z")
        #expect(try ids(in: &screens, after: [later]) == [], "what comes meanwhile doesn't show either")
        #expect(try ids(in: &screens, after: [.time(moment("2026-12-24T09:00:00Z"))]) == ["a", "b"])
        #expect(try screens.section("a").head.header?.title == "Gifts")
        #expect(try ids(in: &screens, after: [.time(moment("2026-12-26T00:00:00Z"))]) == [])
        #expect(screens.nextBoundary == nil)
    }

    // MARK: - Mistakes

    @Test(arguments: [
        ("published: {from: nwo}", "did you mean 'now'?"), ("published: {from: now + 2x}", "now + 2h 30m"),
        ("published: {from: now 2h}", "now + 2h 30m"), ("published: {from: now + 4000d}", "more than 3660 days away"),
        ("minutes: {below: now}", "is not a value of 'minutes'"),
    ])
    func `A mistake in a time is named with its cure`(conditions: String, cure: String) {
        let error = #expect(throws: FileMistakes.self) {
            _ = try Screens(
                [], types: types, programme: "screens: {home: {title: H, sections: [\(section(conditions))]}}")
        }
        #expect("\(error?.mistakes.map(\.reason) ?? [])".contains(cure))
    }

    @Test(arguments: [
        ("visible: {from: 2026-12-24}, ", "2026-12-24T18:00:00+09:00"), ("visible: {}, ", "'from', 'until' or both"),
        ("zone: Asia/Soul, ", "did you mean 'Asia/Seoul'?"),
        ("visible: {from: 2026-12-24T00:00:00Z, until: 2026-12-24T00:00:00Z}, ", "never be visible"),
    ])
    func `A mistake in a season or zone is named with its cure`(keys: String, cure: String) {
        let error = #expect(throws: FileMistakes.self) {
            _ = try Screens(
                [], types: types,
                programme: "screens: {home: {title: H, sections: [\(section("topics: food", keys))]}}")
        }
        #expect("\(error?.mistakes.map(\.reason) ?? [])".contains(cure))
    }
}
