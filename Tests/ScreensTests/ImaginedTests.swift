import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes
import SeededRandom
import Testing

@testable import MarqueeScreens

/// Screens as other readers would see them, and at other moments.
@Suite struct ImaginedTests {
    private let types: RecordTypes

    init() throws { types = try Podcasts.types() }

    private func screens(_ programme: String, _ records: [Change] = []) throws -> Screens {
        try Screens(records, types: types, programme: programme)
    }

    // MARK: - Moments

    private static let timed = """
        screens:
          home:
            title: Home
            sections:
              - id: soon
                kind: list
                source: {records: {type: episode, sort: published, where: {published: {above: now, to: now + 2h}}}}
              - id: day
                kind: list
                zone: Asia/Seoul
                source: {records: {type: episode, sort: published, where: {published: {from: today, below: today + 1d}}}}
              - id: tiles
                kind: genres
                source: {facet: {type: episode, field: topics, where: {published: {from: now}}}}
                body: {card: {title: $value, subtitle: $count}}
              - id: night
                kind: list
                visible: {from: 2026-03-01T18:00:00Z, until: 2026-03-02T06:00:00Z}
                source: {records: {type: episode, sort: published, limit: 3}}
        """

    private func episodes() throws -> [Change] {
        try (0..<60).map { number in
            let hour = number < 24 ? number : number * 7 % 24
            let published = "2026-03-0\(1 + number / 24)T\(hour < 10 ? "0" : "")\(hour):00:00Z"
            let topic = number.isMultiple(of: 3) ? "food" : "history"
            return try types.put(
                "episode", "e\(number)",
                #"{"guid": "e\#(number)", "published": "\#(published)", "topics": ["\#(topic)"]}"#)
        }
    }

    @Test func `A screen imagined at any moment equals the screen of a catalogue at that time`() throws {
        let records = try episodes()
        var generator = SeededGenerator(seed: 11)
        let start = try #require(Moment("2026-02-28T12:00:00Z"))
        for present in [nil, "2026-03-02T00:00:00Z"] {
            let now = try present.map { Change.time(try #require(Moment($0))) }.map { [$0] } ?? []
            let screens = try screens(Self.timed, records + now)
            for _ in 0..<20 {
                let moment = start.advanced(by: Int64.random(in: 0..<96, using: &generator) * 3_600_000)
                var imagined = screens
                imagined.travel(to: moment)
                var then = try self.screens(Self.timed, records + [.time(moment)])
                for section in ["soon", "day", "tiles", "night"] {
                    let key = VariantKey(screen: "home", section: section, locale: "en")
                    let seen = try imagined.evaluate(key, members: []).version
                    let wanted = try then.evaluate(key, members: []).version
                    #expect(seen.sum == wanted.sum, "\(section) at \(moment.text)")
                }
            }
        }
    }

    @Test func `Looking at another moment doesn't change the screens themselves`() throws {
        var screens = try screens(Self.timed, try episodes() + [.time(try #require(Moment("2026-03-01T00:00:00Z")))])
        let key = VariantKey(screen: "home", section: "day", locale: "en")
        let before = try screens.evaluate(key, members: []).version.sum
        var imagined = screens
        imagined.travel(to: try #require(Moment("2026-03-02T20:00:00Z")))
        #expect(try imagined.evaluate(key, members: []).version.sum != before)
        #expect(try screens.evaluate(key, members: []).version.sum == before)
        #expect(screens.now == Moment("2026-03-01T00:00:00Z"))
    }

    // MARK: - Readers

    private static let programme = """
        audiences:
          korea: {country: kr}
          premium: {plan: [plus, family]}
          beta: {groups: beta, app_version: {from: "5.2"}}
          arm-a: {bucket: {salt: rank-test, below: 1/2}}
        screens:
          home:
            title: Home
            sections:
              - {id: all, kind: list, source: {records: {type: episode}}}
              - {id: offer, kind: list, audience: premium, source: {records: {type: episode}}}
              - {id: upsell, kind: list, audience: {not: premium}, source: {records: {type: episode}}}
              - {id: either, kind: list, audience: [korea, beta], source: {records: {type: episode}}}
              - {id: rank-a, kind: list, audience: arm-a, source: {records: {type: episode}}}
        """

    @Test(
        arguments: [
            (["plan=plus"], ["offer"]), (["plan=free"], ["upsell"]), (["audience=premium"], ["offer"]),
            (["plan=free", "audience=premium"], ["offer"]), (["audience=arm-a", "country=kr"], ["either", "rank-a"]),
            (["groups=staff", "groups=beta", "app_version=5.10"], ["either"]), (["groups=beta"], []),
        ] as [([String], [String])])
    func `An imagined reader has the given claims and audiences`(
        texts: [String], seen: [String]
    ) throws {
        let screens = try screens(Self.programme)
        let plan = try screens.plan(
            screen: "home", locale: nil, parameters: [], user: nil, claims: screens.imagine(texts))
        #expect(plan.sections.map(\.id) == ["all"] + seen)
    }

    @Test(
        arguments: [
            ("audience=kroea", "nothing is for an audience 'kroea'; did you mean 'korea'?"),
            ("contry=kr", "no audience depends on the claim 'contry'; did you mean 'country'?"),
            ("audiense=korea", "did you mean 'audience'?"), ("premium", "plan=free"), ("=plus", "plan=free"),
            ("plan=", "plan=free"),
        ])
    func `A name that the programme doesn't have is refused with the nearest`(text: String, says: String) throws {
        let screens = try screens(Self.programme)
        let status = #expect(throws: Status.self) { try screens.imagine([text]) }
        #expect(status?.reason == "READER_INVALID")
        #expect(status?.message.contains(says) == true, "\(status?.message ?? "")")
    }
}
