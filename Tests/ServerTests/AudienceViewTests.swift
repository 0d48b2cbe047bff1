import MarqueeModel
import MarqueeScreens
import MarqueeWire
import SeededRandom
import Testing

@testable import MarqueeServer

/// Views that differ by the claims of their reader's identity.
@Suite struct AudienceViewTests {
    static let programme = """
        locales: [en]
        audiences:
          premium: {plan: plus}
        screens:
          home:
            title: Home
            sections:
              - {id: rank, kind: rank, source: {records: {type: movie, where: {genres: 1}, sort: title, limit: 5}}}
              - id: offer
                kind: basic
                audience: premium
                source: {records: {type: movie, where: {genres: 2}, sort: title, limit: 5}}
              - {id: upsell, kind: text, audience: {not: premium}, source: {items: [{id: a, text: {text: Join}}]}}
        """

    /// The same section with another header and order for some readers.
    static let renditions = """
        locales: [en]
        audiences:
          premium: {plan: plus}
          arm-a: {bucket: {salt: rank-test, below: 1/3}}
          arm-b: {bucket: {salt: rank-test, from: 1/3, below: 2/3}}
        screens:
          home:
            title: Home
            sections:
              - id: rank
                kind: rank
                header: [{audience: premium, use: For members}, {use: Popular}]
                source: {records: {type: movie, where: {genres: 1}, sort: title, limit: 5}}
          test:
            title: Test
            sections:
              - id: rank
                kind: [{audience: arm-a, use: grid}, {audience: arm-b, use: hero}, rank]
                header: [{audience: arm-a, use: A}, {audience: arm-b, use: B}, C]
                source: {records: {type: movie, where: {genres: 1}, sort: title, limit: 5}}
                body: {card: {title: [{audience: arm-a, use: "A $title"}, {audience: arm-b, use: "B $title"}, $title]}}
        """

    static let plus = Claims(["plan": .text("plus")])
    static let free = Claims(["plan": .text("free")])

    // MARK: - The hub

    private static func request(_ claims: Claims, user: String? = nil) -> OpenRequest {
        OpenRequest(screen: "home", locale: nil, parameters: [], user: user, claims: claims)
    }

    @Test func `Many readers make only as many views as differ, and all share the sections`() throws {
        let world = try HubWorld(programme: Self.programme)
        var handles: [[UInt64]] = []
        for number in 0..<200 {
            let claims = Claims([
                "plan": .text(number.isMultiple(of: 2) ? "plus" : "free"), "email": .text("\(number)@example"),
            ])
            let view = try world.hub.open(Self.request(claims, user: "user\(number)")).get()
            handles.append(view.handles)
        }
        #expect(Set(handles).count == 2)
        // Two lists and three sections.
        #expect(world.hub.table.variants.count == 5)
        #expect(world.hub.table.variants.values.map(\.subscribers).reduce(0, +) == 600)
    }

    @Test func `A view that may differ by reader has an unshared plan, and an answer has what its reader sees`()
        throws
    {
        let world = try HubWorld(programme: Self.programme)
        for (claims, sections) in [
            (Self.plus, ["rank", "offer"]), (Self.free, ["rank", "upsell"]), (.none, ["rank"]),
        ] {
            let plan = try world.hub.plan(Self.request(claims)).get()
            #expect(!plan.isShared)
            #expect(plan.sections.map(\.section) == sections)
            let answer = try world.hub.get(Self.request(claims)).get()
            #expect(answer.sections.map(\.id) == sections)
            #expect(answer.view.items.map(\.id) == sections)
        }
    }

    @Test func `Renditions of a section are variants of their own, shared by their readers`() throws {
        let world = try HubWorld(programme: Self.renditions)
        let views = try [Self.plus, Self.free, .none, Self.plus].map { try world.hub.open(Self.request($0)).get() }
        #expect(Set(views.map(\.list.handle)).count == 1)
        #expect(Set(views.map { $0.sections[0].handle }).count == 2)
        #expect(views[0].sections[0].handle == views[3].sections[0].handle)
        #expect(views[1].sections[0].handle == views[2].sections[0].handle)
        #expect(try !world.hub.plan(Self.request(Self.plus)).get().isShared)
        let heads = views.compactMap { BodyCodec.decodeSectionHead($0.sections[0].current.version.head)?.header?.title }
        #expect(heads == ["For members", "Popular", "Popular", "For members"])
    }

    @Test func `An experiment with three arms costs three variants, however many users are in it`() throws {
        let world = try HubWorld(programme: Self.renditions)
        let users = Extent.of(3_000, full: 1_000_000)
        let before = world.hub.counters
        var handles: [UInt64: Int] = [:]
        for number in 0..<users {
            let request = OpenRequest(screen: "test", locale: nil, parameters: [], user: "user\(number)")
            let view = try world.hub.open(request).get()
            for handle in view.handles { handles[handle, default: 0] += 1 }
        }
        // The list of sections, and three renditions: none is evaluated for a reader.
        #expect(handles.count == 4 && world.hub.table.variants.count == 4)
        #expect(handles.values.filter { $0 != users }.allSatisfy { abs($0 - users / 3) < users / 20 })
        let opened = world.hub.counters
        #expect(opened.renewals - before.renewals == 3 && opened.heads - before.heads == 3)
        // Two movies in each of three arms.
        #expect(opened.items - before.items == 6)
        let encodes = world.library.counters.encodes
        try world.commit(world.movie(1, genre: 1, title: "Changed"))
        let changed = world.hub.counters
        #expect(changed.renewals - opened.renewals == 3 && changed.items - opened.items == 3)
        #expect(world.last?.changes.count == 3)
        // A patch is encoded once for all sessions that show a rendition.
        for content in (world.last?.changes ?? [:]).values {
            for _ in 0..<10 { _ = world.library.whole(content.version, of: content.content, since: CutChange()) }
        }
        #expect(world.library.counters.encodes - encodes == 3)
    }

    @Test func `Servers give the same view the same handle, and different views different ones`() {
        let views = [[], ["offer"], ["offer", "upsell"], ["upsell"]].map {
            ContentKey.view(ViewKey(screen: "home", locale: "en", targeted: $0)).handle
        }
        #expect(Set(views).count == 4)
        #expect(views[0] == ContentKey.view(ViewKey(screen: "home", locale: "en")).handle)
    }

    @Test func `Servers give the same rendition the same handle, and different renditions different ones`() throws {
        let (one, other) = (try HubWorld(programme: Self.renditions), try HubWorld(programme: Self.renditions))
        func handles(_ world: HubWorld, _ readers: [Claims]) throws -> [UInt64] {
            try readers.map { try world.hub.open(Self.request($0)).get().sections[0].handle }
        }
        let first = try handles(one, [Self.plus, Self.free])
        // On the other server they are opened in another order.
        #expect(try handles(other, [Self.free, Self.plus]) == first.reversed())
        #expect(Set(first).count == 2)
    }

    // MARK: - Sessions

    private static func identity(_ claims: Claims, _ scopes: Scopes = .readOnly) -> Identity {
        Identity(user: "ana", grant: Grant(scopes, from: .open, claims: claims))
    }

    private static let renew = Message.request(
        Request(call: 1, method: .renew, body: CallBodyCodec.encodeRenewRequest(token: "t")))

    @Test func `A renewed token with other claims plans views again, and nothing is sent until then`() {
        var session = TestSession.live()
        session.showHome()
        session.receive(Self.renew)
        #expect(session.renewed(1, .success(Self.identity(Self.plus))) == ["open home"])
        #expect(session.frames() == ["answer 1 0 bytes OK"])
        session.publish(11, [(3, "b2")])
        #expect(session.frames() == [])
        // 'basic' isn't for this reader any more.
        session.hubOpens("home", [("", 4, "h2"), ("rank", 2, "r1")], at: 11)
        let frames = session.frames()
        #expect(frames.count == 2, "\(frames)")
        #expect(frames.first?.hasPrefix("join") == true && frames.last?.contains("h1→h2") == true, "\(frames)")
    }

    @Test func `A renewed token with the same claims plans nothing`() {
        var session = TestSession.live()
        session.showHome()
        session.receive(Self.renew)
        #expect(session.renewed(1, .success(Self.identity(.none))) == [])
        #expect(session.frames() == ["answer 1 0 bytes OK"])
    }

    @Test func `A view continues without its parameters if they are for a section that its reader has lost`() throws {
        var session = TestSession.live()
        let parameters = [SectionParameters(section: "basic", window: 6)]
        session.receive(.subscribe(Subscribe(subscription: 1, screen: "home", sections: parameters)))
        session.hubOpens("home", [("", 1, "h1"), ("rank", 2, "r1"), ("basic", 3, "b1")])
        while !session.frames().isEmpty { session.acknowledge() }
        session.receive(Self.renew)
        #expect(session.renewed(1, .success(Self.identity(Self.plus))) == ["open home"])
        #expect(session.hubRefuses("UNKNOWN_SECTION", .invalidArgument) == ["open home"])
        #expect(session.core.subscriptions[1]?.request.parameters == [])
        session.hubOpens("home", [("", 4, "h2"), ("rank", 2, "r1")])
        #expect(session.frames().contains { $0.contains("h1→h2") })
    }
}
