import MarqueeModel
import MarqueeWire
import SeededRandom
import Testing

@testable import MarqueeScreens

/// Sections that are only for some readers, by the claims of their identity.
@Suite struct AudienceTests {
    private static let programme = """
        audiences:
          korea: {country: kr}
          premium: {plan: [plus, family]}
          beta: {groups: beta, app_version: {from: "5.2"}}
          guest: {plan: {exists: false}}
          arm-a: {bucket: {salt: rank-test, below: 1/2}}
        screens:
          home:
            title: Home
            sections:
              - {id: all, kind: list, source: {records: {type: episode}}}
              - {id: offer, kind: list, audience: premium, sorts: [title, -plays], source: {records: {type: episode}}}
              - {id: either, kind: list, audience: [korea, beta], source: {records: {type: episode}}}
              - {id: upsell, kind: list, audience: {not: premium}, source: {records: {type: episode}}}
              - {id: sign-in, kind: list, audience: guest, source: {records: {type: episode}}}
              - {id: rank-a, kind: list, audience: arm-a, source: {records: {type: episode}}}
              - {id: rank-b, kind: list, audience: {not: arm-a}, source: {records: {type: episode}}}
              - {id: mine, kind: favorites, audience: premium, source: favorites}
        """

    private let types: RecordTypes
    private let screens: Screens

    init() throws {
        types = try Podcasts.types()
        screens = try Screens([], types: types, programme: Self.programme)
    }

    private func plan(
        _ claims: [String: Claims.Value] = [:], user: String? = nil, _ parameters: [SectionParameters] = []
    ) throws -> ViewPlan {
        try screens.plan(screen: "home", locale: nil, parameters: parameters, user: user, claims: Claims(claims))
    }

    private func sections(_ claims: [String: Claims.Value] = [:], user: String? = nil) throws -> [String] {
        try plan(claims, user: user).sections.map(\.id)
    }

    // MARK: - Who sees what

    @Test(
        arguments: [
            ([:], ["sign-in"]),
            (["plan": .text("plus")], ["offer"]),
            (["plan": .text("free")], ["upsell"]),
            (["plan": .texts(["free", "family"])], ["offer"]),
            (["plan": .texts([])], ["upsell"]),
            (["country": .text("kr"), "plan": .text("free")], ["either", "upsell"]),
            (["country": .text("KR"), "plan": .text("free")], ["upsell"]),
            (["groups": .texts(["beta", "staff"]), "app_version": .text("5.10.1")], ["either", "sign-in"]),
            (["groups": .texts(["beta"]), "app_version": .text("5.1.9")], ["sign-in"]),
            // A claim that can't be judged matches nothing, and neither does its opposite.
            (["plan": .malformed], []),
            (["groups": .texts(["beta"]), "app_version": .text("5.2-rc1")], ["sign-in"]),
            (["groups": .texts(["beta"]), "app_version": .texts(["5.2"])], ["sign-in"]),
            (["groups": .texts(["beta"])], ["sign-in"]),
        ] as [([String: Claims.Value], [String])])
    func `A reader sees the sections of its audiences, and none that can't be judged`(
        claims: [String: Claims.Value], seen: [String]
    ) throws {
        #expect(try sections(claims) == ["all"] + seen)
    }

    @Test func `Each user is in one arm of a test, and a reader without a user is in none`() throws {
        // XXH64 of "rank-test", a zero byte and the name: 0x6df7343808bf838f and 0xbbd6137ec9419cda.
        #expect(try sections(user: "ana") == ["all", "sign-in", "rank-a"])
        #expect(try sections(user: "ben") == ["all", "sign-in", "rank-b"])
        #expect(try sections() == ["all", "sign-in"])
    }

    @Test func `A bucket's bounds are exact, and a share that grows keeps its users`() throws {
        func bucket(_ from: String, _ below: String, salt: String = "rank-test") throws -> Programme.Bucket {
            Programme.Bucket(
                salt: salt, from: try #require(Programme.Fraction(from)), below: try #require(Programme.Fraction(below))
            )
        }
        // Number 0.42955328…
        #expect(try bucket("0", "0.4295533").contains(user: "ana"))
        #expect(try !bucket("0", "0.4295532").contains(user: "ana"))
        #expect(try bucket("0.4295532", "1").contains(user: "ana"))
        #expect(try !bucket("0.4295533", "1").contains(user: "ana"))
        #expect(try !bucket("0", "1/2", salt: "other").contains(user: "ana"))
        let users = (0..<3_000).map { "user-\($0)" }
        let (small, large) = (try bucket("0", "1/10"), try bucket("0", "1/3"))
        #expect(users.allSatisfy { !small.contains(user: $0) || large.contains(user: $0) })
        #expect((900...1_100).contains(users.count { large.contains(user: $0) }))
        // Each user is in one of three arms.
        let arms = [try bucket("0", "1/3"), try bucket("1/3", "2/3"), try bucket("2/3", "1")]
        #expect(users.allSatisfy { user in arms.count { $0.contains(user: user) } == 1 })
    }

    @Test func `A number at a bound belongs to the bucket that begins there`() throws {
        let half = try #require(Programme.Fraction("1/2"))
        #expect(half.isAbove((1 << 63) - 1))
        #expect(!half.isAbove(1 << 63))
        #expect(try #require(Programme.Fraction("1")).isAbove(.max))
    }

    @Test(arguments: [("5.2", "5.2.0", false), ("5.2", "5.10", true), ("5.9.9", "6", true), ("18", "5.2", false)])
    func `Versions are compared number by number`(first: String, second: String, isLess: Bool) throws {
        let (first, second) = (try #require(DottedNumber(first)), try #require(DottedNumber(second)))
        #expect((first < second) == isLess)
    }

    @Test(arguments: ["", ".", "5.", "v5", "5.2-1", "-1", "1234567890", "1.2.3.4.5.6.7.8.9", "५"])
    func `What isn't a version can't be judged`(text: String) { #expect(DottedNumber(text) == nil) }

    // MARK: - What others don't see

    @Test func `A hidden section is in no head, and its parameters are refused as for an unknown section`() throws {
        let free = try plan(["plan": .text("free")])
        let view = try screens.evaluate(view: free.view).version
        #expect(view.items.map(\.id) == ["all", "upsell"])
        #expect(BodyCodec.decodeViewHead(view.head)?.needsUser == [])
        let offer = [SectionParameters(section: "offer", sort: "title")]
        let hidden = #expect(throws: Status.self) { try plan(["plan": .text("free")], offer) }
        #expect(hidden?.reason == "UNKNOWN_SECTION")
        #expect(hidden?.message.contains("it has all, upsell") == true, "\(hidden?.message ?? "")")
        #expect(try plan(["plan": .text("plus")], offer).sections.map(\.id) == ["all", "offer"])
    }

    @Test func `A head names the private sections of its audiences to readers without a user`() throws {
        let premium = try plan(["plan": .text("plus")])
        let head = try screens.evaluate(view: premium.view).version.head
        #expect(BodyCodec.decodeViewHead(head)?.needsUser == ["mine"])
        #expect(try sections(["plan": .text("plus")], user: "ben") == ["all", "offer", "rank-b", "mine"])
    }

    @Test func `The description of a screen has the sections that its reader sees`() throws {
        func described(_ claims: [String: Claims.Value]) -> [String] {
            screens.describe(locale: nil, claims: Claims(claims)).screens[0].sections.map(\.id)
        }
        #expect(described(["plan": .text("free")]) == ["all", "upsell"])
        #expect(described([:]) == ["all", "sign-in"])
    }

    // MARK: - Views

    @Test func `Readers who see the same share a view, however their claims differ`() throws {
        let views = try ["plus", "family"].flatMap { plan in
            try ["kr", "KR", "de"].map { country in
                try self.plan(["plan": .text(plan), "country": .text(country), "email": .text("\(plan)\(country)")])
                    .view
            }
        }
        #expect(Set(views).count == 2)
        #expect(Set(views.map { ContentKey.view($0) }).count == 2)
        let sections = try Set(
            [["plan": Claims.Value.text("plus")], [:]].flatMap { try plan($0).sections }.map(\.variant))
        #expect(sections.count == 3, "'all' is one variant for both")
    }

    @Test func `A screen's title may differ by audience, and readers with equal titles share a view`() throws {
        let titles = "[{audience: premium, use: Your home}, {audience: korea, use: Home}, {use: Home}]"
        var screens = try Screens(
            [], types: types, programme: Self.programme.replacing("title: Home", with: "title: \(titles)"))
        func view(_ claims: [String: Claims.Value]) throws -> ViewKey {
            try screens.plan(screen: "home", locale: nil, parameters: [], user: nil, claims: Claims(claims)).view
        }
        func title(_ view: ViewKey) throws -> String? {
            BodyCodec.decodeViewHead(try screens.evaluate(view: view).version.head)?.title
        }
        let (plus, free) = (try view(["plan": .text("plus")]), try view(["plan": .text("free")]))
        #expect(try title(plus) == "Your home" && title(free) == "Home")
        var korean = try view(["plan": .text("free"), "country": .text("kr")])
        #expect(korean.title == free.title && korean.title != plus.title)
        korean.targeted = free.targeted
        #expect(korean == free)
        // Where a newer programme has one title, it is everybody's.
        _ = try screens.watch(.view(plus), as: 1, members: [])
        try screens.commit([.programme(Self.programme)])
        #expect(BodyCodec.decodeViewHead(screens.renew()[1]?.head ?? [])?.title == "Home")
        #expect(!screens.hasScreen("nowhere") && screens.differsByAudience("home"))
    }

    @Test func `Many users make as many views as there are distinct ones`() throws {
        var generator = SeededGenerator(seed: 7)
        let plans = ["plus", "family", "free"]
        var views: Set<ViewKey> = []
        for number in 0..<(Extent.isFull ? 1_000_000 : 5_000) {
            let claims: [String: Claims.Value] = [
                "plan": .text(plans[Int.random(in: 0..<3, using: &generator)]),
                "country": .text(Bool.random(using: &generator) ? "kr" : "country-\(number)"),
                "app_version": .text("5.\(number)"),
            ]
            views.insert(try plan(claims, user: "user-\(number)").view)
        }
        // Premium or not, in Korea or not, one arm or the other.
        #expect(views.count == 8)
    }

    @Test func `A new definition of an audience replans only the screens that name it`() throws {
        func parse(_ text: String) throws -> Programme {
            try Programme.parse(text: text, file: "p.yaml", types: types.set)
        }
        let more = "\n  other: {title: Other, sections: [{id: all, kind: list, source: {records: {type: episode}}}]}"
        let before = try parse(Self.programme + more)
        let after = try parse((Self.programme + more).replacing("[plus, family]", with: "plus"))
        #expect(after.changedScreens(since: before) == .families(["home"]))
        #expect(before.changedScreens(since: before) == .none)
    }

    @Test func `A section that gets an audience leaves views that haven't been replanned yet`() throws {
        var screens = try Screens([], types: types, programme: Self.programme)
        let view = try plan(["plan": .text("free")]).view
        _ = try screens.watch(.view(view), as: 1, members: [])
        try screens.commit([.programme(Self.programme.replacing("{id: all,", with: "{id: all, audience: premium,"))])
        #expect(screens.renew()[1]?.items.map(\.id) == ["upsell"])
    }
}
