import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import MarqueeWire
import Synchronization
import Testing

@testable import MarqueeClient

@Suite("What a server refuses")
struct EngineRefusalTests {
    private static let list = ViewID(screen: ScreenID.favorites.name, locale: "en")

    private func refuse(_ id: ViewID, _ reason: String, _ remedy: Status.Remedy, on test: TestEngine) throws {
        let status = Status(.unauthenticated, reason: reason, remedy: remedy, message: reason)
        test.say(
            .subscriptionError(
                SubscriptionError(
                    subscription: try #require(test.subscription(to: id)), generation: 0, status: status)))
    }

    @Test func `A view refused for lack of a user ends alone: connection and other screens continue`() throws {
        let test = try TestEngine(user: nil)
        let home = test.watch()
        let favorites = test.watch(Self.list)
        test.accept()
        let cut = TestEngine.cut(10, 0, userEpoch: 0)
        test.welcome(at: cut, user: nil)
        test.join(TestEngine.home, [("rank", TestEngine.movies([1]))], at: cut)
        try refuse(Self.list, "USER_REQUIRED", .reauthenticate, on: test)
        #expect(favorites.error?.status?.reason == "USER_REQUIRED")
        #expect(!home.isFinished)
        test.say(.pong(nonce: 0))
        test.advance(10)
        #expect(test.world.attempts == 1)
        #expect(home.last?.origin == .live)
        test.world.end()
    }

    @Test func `A call refused for lack of a user ends alone`() throws {
        let test = try TestEngine(user: nil)
        let home = test.watch()
        test.accept()
        let cut = TestEngine.cut(10, 0, userEpoch: 0)
        test.welcome(at: cut, user: nil)
        test.join(TestEngine.home, [("rank", TestEngine.movies([1]))], at: cut)
        let result = test.call(.collection)
        let status = Status(.unauthenticated, reason: "USER_REQUIRED", remedy: .reauthenticate, message: "who?")
        test.say(.answer(Answer(call: 1, status: status)))
        #expect(result.error?.status?.reason == "USER_REQUIRED")
        #expect(test.world.attempts == 1 && home.last?.origin == .live)
        test.world.end()
    }

    @Test func `A refusal of the client's identity is final if there is no other token`() throws {
        let test = try TestEngine()
        let home = test.watch()
        test.accept()
        test.say(
            .close(Status(.unauthenticated, reason: "TOKEN_REFUSED", remedy: .reauthenticate, message: "no token")))
        #expect(home.error?.status?.reason == "TOKEN_REFUSED")
        test.advance(600)
        #expect(test.world.attempts == 1)
    }

    @Test func `Answered favorites leave the outbox once the set has them, whatever else failed`() throws {
        let test = try TestEngine()
        _ = test.watch(Self.list)
        test.connect()
        let before = TestEngine.movies([], head: [0x08, 17])
        test.join(Self.list, [("favorites", before), ("more", before)], at: TestEngine.cut(10, 3))
        try test.favorite(1)
        try test.answer(userRevision: 4)
        // The server can't update a section of the list's screen.
        let status = Status(.dataLoss, reason: "SECTION_REFUSED", remedy: .retrySame, message: "no")
        test.say(
            .subscriptionError(
                SubscriptionError(
                    subscription: try #require(test.subscription(to: Self.list)), generation: 0, status: status,
                    section: "more")))
        test.join(
            Self.list, [("favorites", before), ("more", before)], leaving: ["more"], at: TestEngine.cut(11, 3))
        #expect(test.outbox == ["1 +movie/1"], "the set does not have it yet")
        test.patch(
            TestEngine.set, from: TestEngine.favorites([]), to: TestEngine.favorites([1]), at: TestEngine.cut(11, 4))
        #expect(test.outbox.isEmpty)
        #expect(test.mark(1) == .yes)
        test.world.end()
    }

    @Test func `A favorite set refused for good is requested again on the next connection`() throws {
        let test = try TestEngine()
        _ = test.watch()
        test.accept()
        test.welcome()
        try refuse(TestEngine.set, "UNKNOWN_SCREEN", .fatal, on: test)
        test.world.connections.last?.reader.closed("cut")
        test.advance(2)
        test.connect(confirmed: [1])
        #expect(test.mark(1) == .yes)
        test.world.end()
    }

    @Test func `A favorite set refused for good is requested again once the programme has changed`() throws {
        let test = try TestEngine()
        _ = test.watch()
        test.accept()
        test.welcome()
        try refuse(TestEngine.set, "UNKNOWN_SCREEN", .fatal, on: test)
        let refused = try #require(test.subscription(to: TestEngine.set))
        test.join(TestEngine.home, [("rank", TestEngine.movies([1]))], at: TestEngine.cut(10, 3))
        test.say(.progress(CutChange(TestEngine.cut(11, 3))))
        #expect(test.subscription(to: TestEngine.set) == refused)
        // On a live screen, only a new programme changes the sections.
        test.join(TestEngine.home, [("grid", TestEngine.movies([2]))], at: TestEngine.cut(12, 3))
        #expect(test.subscription(to: TestEngine.set) != refused)
        test.join(TestEngine.set, [("favorites", TestEngine.favorites([1]))], at: TestEngine.cut(12, 3))
        #expect(test.mark(1) == .yes)
        test.world.end()
    }

    @Test func `A favorite set refused for good is requested again under another token`() throws {
        let tokens = Mutex(0)
        let source = TokenSource(ready: {
            tokens.withLock { count in
                count += 1
                return "token \(count)"
            }
        })
        let test = try TestEngine(tokens: source)
        _ = test.watch()
        test.advance(0)
        test.accept()
        test.welcome(identityMilliseconds: 10_000)
        try refuse(TestEngine.set, "UNKNOWN_SCREEN", .fatal, on: test)
        let refused = test.subscription(to: TestEngine.set)
        test.advance(9)
        let renewals = test.world.sent.compactMap { message -> UInt32? in
            if case .request(let request) = message, request.method == .renew { request.call } else { nil }
        }
        let renewal = try #require(renewals.last)
        #expect(test.subscription(to: TestEngine.set) == refused)
        test.say(.answer(Answer(call: renewal, body: CallBodyCodec.encodeRenewAnswer(milliseconds: 10_000))))
        #expect(test.subscription(to: TestEngine.set) != refused)
        test.world.end()
    }

    @Test func `A favorite set for which there was no room is requested again when a screen is left`() throws {
        let test = try TestEngine()
        let watcher = test.watch()
        test.accept()
        test.welcome()
        try refuse(TestEngine.set, "TOO_MANY_SUBSCRIPTIONS", .fatal, on: test)
        let refused = test.subscription(to: TestEngine.set)
        test.engine.unobserve(TestEngine.home, watcher)
        #expect(test.subscription(to: TestEngine.set) != refused)
        test.world.end()
    }
}
