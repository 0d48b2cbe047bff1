import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import MarqueeWire
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

    @Test("A view that is refused for want of a user ends alone: the connection and the other screens go on")
    func userRequired() throws {
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

    @Test("A call that is refused for want of a user ends alone")
    func callWithoutUser() throws {
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

    @Test("A server that refuses who the client is ends it for good when there is no other token to be had")
    func refusedWithoutToken() throws {
        let test = try TestEngine()
        let home = test.watch()
        test.accept()
        test.say(
            .close(Status(.unauthenticated, reason: "TOKEN_REFUSED", remedy: .reauthenticate, message: "no token")))
        #expect(home.error?.status?.reason == "TOKEN_REFUSED")
        test.advance(600)
        #expect(test.world.attempts == 1)
    }

    @Test("Answered favorites leave the outbox when the set has them, though a section beside it and its list failed")
    func outboxDespiteFailures() throws {
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

    @Test("A favorite set that was refused for good is asked for again on the next connection")
    func setOnTheNextConnection() throws {
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

    @Test("A favorite set that was refused for good is asked for again when the programme has changed, and not before")
    func setAfterAProgramme() throws {
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

    @Test("A favorite set for which there was no room is asked for again when another screen is left")
    func setWhenThereIsRoom() throws {
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
