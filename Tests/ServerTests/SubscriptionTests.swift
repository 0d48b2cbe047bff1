import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeServer

@Suite struct SubscriptionTests {
    private let home = [("", 1, "h1"), ("rank", 2, "r1"), ("basic", 3, "b1")] as [(String, UInt64, String)]

    @Test func `A new view is staged and then joins`() {
        var session = TestSession.live()
        #expect(session.subscribe(1, "home") == ["open home"])
        session.hubOpens("home", home)
        #expect(
            session.frames() == [
                "stage 1 h1", "stage 2 r1", "stage 3 b1", "join FL 1 gen 0: 1 h1, 2 r1, 3 b1 (10,3)",
            ])
    }

    /// A section that nobody showed is evaluated when its view is opened, and not published then.
    @Test func `A publication from before a view was opened doesn't take it back`() {
        var session = TestSession.live()
        session.subscribe(1, "home")
        session.hubOpens("home", [("", 1, "h1"), ("rank", 2, "r12")], at: 12)
        session.publish(11, [(2, "r11")])
        session.publish(12, [])
        #expect(session.frames() == ["stage 1 h1", "stage 2 r12", "join FL 1 gen 0: 1 h1, 2 r12 (12,3)"])
        session.publish(13, [(2, "r13")])
        #expect(session.frames() == ["data FL 2 r12→r13"])
    }

    @Test func `A view that the hub refuses is answered with an error`() {
        var session = TestSession.live()
        session.subscribe(1, "nowhere")
        #expect(session.hubRefuses("UNKNOWN_SCREEN") == [])
        #expect(session.frames() == ["error 1 gen 0 UNKNOWN_SCREEN"])
        #expect(session.core.subscriptionCount == 0)
    }

    @Test func `Ids rise and are never reused`() {
        var session = TestSession.live()
        session.subscribe(5, "home")
        session.receive(.unsubscribe(5))
        #expect(session.subscribe(5, "home") == ["close"])
        #expect(session.frames() == ["close SUBSCRIPTION_REUSED"])
    }

    @Test func `The id 0 is invalid`() {
        var session = TestSession.live()
        session.subscribe(0, "home")
        #expect(session.frames() == ["close SUBSCRIPTION_REUSED"])
    }

    @Test func `An id that was never opened can't be ended`() {
        var session = TestSession.live()
        session.receive(.unsubscribe(1))
        #expect(session.frames() == ["close SUBSCRIPTION_UNKNOWN"])
    }

    @Test func `An id can be ended twice`() {
        var session = TestSession.live()
        session.showHome()
        #expect(session.receive(.unsubscribe(1)) == ["release [1, 2, 3]"])
        #expect(session.receive(.unsubscribe(1)) == [])
        #expect(session.frames() == [])
    }

    @Test func `A change of parameters binds the new variants from the old versions`() {
        var session = TestSession.live()
        session.showHome()
        #expect(session.subscribe(1, "home", generation: 1) == ["open home"])
        #expect(
            session.hubOpens("home", [("", 1, "h1"), ("rank", 9, "s1"), ("basic", 3, "b1")]) == ["release [1, 2, 3]"])
        #expect(session.frames() == ["join F 1 gen 1: 1 h1, 9 r1, 3 b1 (10,3)", "data L 9 r1→s1"])
    }

    @Test func `A version staged under another handle is staged again`() {
        var session = TestSession.live()
        session.subscribe(1, "home")
        session.hubOpens("home", home)
        #expect(session.frames(2) == ["stage 1 h1", "stage 2 r1"])
        session.subscribe(1, "home", generation: 1)
        session.hubOpens("home", [("", 1, "h1"), ("rank", 9, "s1"), ("basic", 3, "b1")])
        #expect(session.frames() == ["stage 9 s1", "stage 3 b1", "join FL 1 gen 1: 1 h1, 9 s1, 3 b1 (10,3)"])
    }

    @Test(arguments: [0, 1] as [UInt32])
    func `Generations rise`(generation: UInt32) {
        var session = TestSession.live()
        session.showHome()
        session.subscribe(1, "home", generation: 1)
        session.subscribe(1, "home", generation: generation)
        #expect(session.frames() == ["close GENERATION_INVALID"])
    }

    @Test func `A refused change of parameters leaves the view as it was`() {
        var session = TestSession.live()
        session.showHome()
        session.subscribe(1, "home", generation: 4)
        #expect(session.hubRefuses("UNKNOWN_SORT") == [])
        #expect(session.frames() == ["error 1 gen 4 UNKNOWN_SORT"])
        session.publish(11, [(2, "r2")])
        #expect(session.frames() == ["data FL 2 r1→r2"])
    }

    @Test func `Only the answer to the last change counts`() {
        var session = TestSession.live()
        session.showHome()
        session.subscribe(1, "home", generation: 1)
        session.subscribe(1, "home", generation: 2)
        // One request to the hub is in flight at a time; the answer to an outdated one leads to the next.
        #expect(session.hubOpens("home", [("", 1, "h1"), ("rank", 8, "q1")]) == ["release [1, 8]", "open home"])
        session.hubOpens("home", [("", 1, "h1"), ("rank", 9, "s1"), ("basic", 3, "b1")])
        #expect(session.frames().first == "join F 1 gen 2: 1 h1, 9 r1, 3 b1 (10,3)")
    }

    @Test func `A flood of changes sends the hub one request at a time`() {
        var session = TestSession.live()
        session.showHome()
        #expect(session.subscribe(1, "home", generation: 1) == ["open home"])
        for generation in UInt32(2)...1_000 { #expect(session.subscribe(1, "home", generation: generation) == []) }
        #expect(session.hubOpens("home", [("", 1, "h1"), ("rank", 8, "q1")]) == ["release [1, 8]", "open home"])
        session.hubOpens("home", [("", 1, "h1"), ("rank", 9, "s1"), ("basic", 3, "b1")])
        #expect(session.frames().first == "join F 1 gen 1000: 1 h1, 9 r1, 3 b1 (10,3)")
    }

    @Test func `A change of parameters after the end is answered with an error`() {
        var session = TestSession.live()
        session.showHome()
        session.receive(.unsubscribe(1))
        #expect(session.subscribe(1, "home", generation: 1) == [])
        #expect(session.frames() == ["error 1 gen 1 SUBSCRIPTION_ENDED"])
    }

    @Test func `A screen is shown once on a connection`() {
        var session = TestSession.live()
        session.showHome()
        session.subscribe(2, "home")
        #expect(session.hubOpens("home", home) == ["release [1, 2, 3]"])
        #expect(session.frames() == ["error 2 gen 0 ALREADY_SUBSCRIBED"])
    }

    @Test func `A screen can be shown again after its view was left`() {
        var session = TestSession.live()
        session.showHome()
        session.receive(.unsubscribe(1))
        session.subscribe(2, "home")
        session.hubOpens("home", home)
        #expect(session.frames().last == "join FL 2 gen 0: 1 h1, 2 r1, 3 b1 (10,3)")
    }

    @Test func `Subscriptions are counted`() {
        var session = TestSession.live(adjust: { $0.limits.subscriptions = 2 })
        session.subscribe(1, "a")
        session.subscribe(2, "b")
        #expect(session.subscribe(3, "c") == ["hit subscriptions"])
        #expect(session.frames() == ["error 3 gen 0 TOO_MANY_SUBSCRIPTIONS"])
        session.receive(.unsubscribe(1))
        #expect(session.subscribe(4, "c") == ["hit subscriptions"], "the hub still works on the abandoned ones")
        #expect(session.frames() == ["error 4 gen 0 TOO_MANY_SUBSCRIPTIONS"])
        session.hubOpens("a", [("", 1, "h1")])
        #expect(session.subscribe(5, "c") == ["open c"])
    }

    @Test func `Variants are counted when the hub has opened them`() {
        var session = TestSession.live(adjust: { $0.variantsPerConnection = 4 })
        session.subscribe(1, "home")
        session.subscribe(2, "detail")
        session.hubOpens("home", home)
        #expect(
            session.hubOpens("detail", [("", 4, "d1"), ("rail", 5, "r2")]) == [
                "hit variantsPerConnection", "release [4, 5]",
            ])
        #expect(session.frames().first == "error 2 gen 0 TOO_MANY_VARIANTS")
    }

    @Test func `A change of parameters that would show too much leaves the view as it is`() {
        var session = TestSession.live(adjust: { $0.variantsPerConnection = 3 })
        session.showHome()
        session.subscribe(1, "home", generation: 1)
        #expect(
            session.hubOpens("home", home + [("more", 4, "m1")]) == [
                "hit variantsPerConnection", "release [1, 2, 3, 4]",
            ])
        #expect(session.frames() == ["error 1 gen 1 TOO_MANY_VARIANTS"])
        session.subscribe(1, "home", generation: 2)
        session.hubOpens("home", home)
        #expect(session.frames() == ["join FL 1 gen 2: 1 h1, 2 r1, 3 b1 (10,3)"])
    }

    @Test func `A view that the hub opens too late is released`() {
        var session = TestSession.live()
        session.subscribe(1, "home")
        session.receive(.unsubscribe(1))
        #expect(session.hubOpens("home", home) == ["release [1, 2, 3]"])
    }

    @Test func `Equal sums resume without data`() {
        var session = TestSession.live()
        let resume = session.resume("h1", ["rank": "r1", "basic": "b1"])
        session.subscribe(1, "home", resume: resume)
        session.hubOpens("home", home)
        #expect(session.frames() == ["join FL 1 gen 0: 1 h1, 2 r1, 3 b1 (10,3)"])
    }

    @Test func `A known version resumes with a patch, and for an unknown one a manifest is requested`() {
        var session = TestSession.live()
        let resume = session.resume("h1", ["rank": "r0", "basic": "b0"])
        session.library.record(session.version("r0"), of: 2)
        session.subscribe(1, "home", resume: resume)
        session.hubOpens("home", home)
        #expect(session.frames() == ["rebase 1: 3 'basic'"])
        session.describe(3, "b0")
        #expect(
            session.frames() == [
                "stage 3 b0→b1", "join F 1 gen 0: 1 h1, 2 r0, 3 b1 (10,3)", "data L 2 r0→r1",
            ])
    }

    /// Found by the simulation: a section that was staged in another order was sent whole when the order that the
    /// client held was requested again.
    @Test func `Offered versions count until the view joins`() {
        var session = TestSession.live()
        let resume = session.resume("h1", ["rank": "r1", "basic": "b1"])
        session.subscribe(1, "home", resume: resume)
        session.hubOpens("home", [("", 1, "h1"), ("rank", 2, "r1"), ("basic", 4, "c1")])
        #expect(session.frames() == ["rebase 1: 4 'basic'"])
        session.describe(4, "b1")
        #expect(session.frames(1) == ["stage 4 b1→c1"])
        session.subscribe(1, "home", generation: 1)
        session.hubOpens("home", home)
        #expect(session.frames() == ["join FL 1 gen 1: 1 h1, 2 r1, 3 b1 (10,3)"])
    }

    /// Found by the simulation: a node that was behind sent a whole section that had become what the client held.
    @Test func `Content that becomes the offered version is not sent`() {
        var session = TestSession.live()
        let resume = session.resume("h1", ["rank": "r1", "basic": "b2"])
        session.subscribe(1, "home", resume: resume)
        session.hubOpens("home", home)
        #expect(session.frames() == ["rebase 1: 3 'basic'"])
        session.publish(11, [(3, "b2")])
        #expect(session.frames() == ["join FL 1 gen 0: 1 h1, 2 r1, 3 b2 (11,3)"])
    }

    @Test func `A section that the view no longer has is not bound`() {
        var session = TestSession.live()
        let resume = session.resume("h1", ["rank": "r1", "gone": "g1"])
        session.subscribe(1, "home", resume: resume)
        session.hubOpens("home", [("", 1, "h1"), ("rank", 2, "r1")])
        #expect(session.frames() == ["join FL 1 gen 0: 1 h1, 2 r1 (10,3)"])
    }

    @Test func `A draining server opens nothing new`() {
        var session = TestSession.live()
        #expect(session.drain() == [])
        #expect(session.subscribe(1, "home") == [])
        #expect(session.frames() == ["goAway DRAINING", "error 1 gen 0 DRAINING"])
    }

    @Test func `A section with an item too large for a frame is left out and delays nobody`() {
        var session = TestSession.live()
        session.showHome()
        let large = session.version(
            "x1", items: [Item(id: "large", kind: .movie, body: text(String(repeating: "x", count: 300_000)))])
        session.subscribe(2, "other")
        session.hubOpens("other", [("", 8, "o1"), ("big", 9, "x0")])
        session.publishVersions(11, [(9, large)])
        _ = session.frames(1)
        session.publish(12, [(2, "r2")])
        #expect(
            session.frames() == [
                "data FL 2 r1→r2", "join FL 2 gen 0: 8 o1, 9 as it is (12,3)", "error 2 big gen 0 ITEM_TOO_LARGE",
            ])
        session.publish(13, [(9, "x2")])
        #expect(session.tick(after: SessionSettings.sectionPause.lowerBound / 2) == [])
        #expect(session.frames() == ["progress (13,3)"])
        session.heard()
        session.tick(after: SessionSettings.sectionPause.lowerBound / 2)
        #expect(session.frames().suffix(2) == ["stage 9 x2", "join FL 2 gen 0: 8 o1, 9 x2 (13,3)"])
    }
}
