import MarqueeMirror
import MarqueeModel
import MarqueeWire
import Synchronization
import Testing

@testable import MarqueeClient

@Suite("Calls of an engine")
struct EngineCallTests {
    private func deadlines(_ test: TestEngine) -> [UInt32?] {
        test.world.sent.compactMap { message in
            if case .request(let request) = message { .some(request.deadlineMilliseconds) } else { nil }
        }
    }

    private func cancels(_ test: TestEngine) -> [UInt32] {
        test.world.sent.compactMap { if case .cancel(let call) = $0 { call } else { nil } }
    }

    @Test func `A request carries what is left of its time after waiting for a connection`() throws {
        let test = try TestEngine(user: nil)
        _ = test.call(.health)
        test.advance(3)
        test.accept()
        test.welcome(user: nil)
        _ = test.call(.health)
        #expect(deadlines(test) == [7_000, 10_000])
        test.world.end()
    }

    @Test func `A call ends at its deadline, on the client and on the server`() throws {
        let test = try TestEngine(user: nil)
        let result = test.call(.health)
        test.accept()
        test.welcome(user: nil)
        test.advance(9.5)
        test.say(.pong(nonce: 0))
        #expect(!result.isPresent)
        test.advance(0.5)
        #expect(result.error?.code == .timeout)
        #expect(cancels(test) == [1])
        test.world.end()
    }

    @Test func `A server's answer that the deadline has passed counts as a timeout`() throws {
        let test = try TestEngine(user: nil)
        let result = test.call(.health)
        test.accept()
        test.welcome(user: nil)
        let status = Status(.deadlineExceeded, reason: "DEADLINE_EXCEEDED", remedy: .retrySame, message: "late")
        test.say(.answer(Answer(call: 1, status: status)))
        #expect(result.error?.code == .timeout)
        test.world.end()
    }

    @Test func `Cancelling a call's task cancels it on the server and makes room for the next`() throws {
        let test = try TestEngine(user: nil)
        let result = test.call(.search)
        test.accept()
        test.welcome(user: nil)
        test.engine.cancelCall(result.id ?? 0)
        #expect(result.error?.code == .cancelled)
        #expect(cancels(test) == [1])
        #expect(test.engine.calls.isEmpty)
        test.world.end()
    }

    @Test func `An answer waits for the favorites laid over it, but only while they can still come`() throws {
        let test = try TestEngine()
        _ = test.watch()
        test.accept()
        test.welcome()
        let marks = Mutex<[FavoriteMark]>([])
        let ask = {
            test.engine.whenCollectionsKnown { overlay in
                marks.withLock { $0.append(overlay.favorites.mark(of: "movie/1")) }
            }
        }
        ask()
        #expect(marks.withLock { $0 } == [])
        test.join(TestEngine.set, [("favorites", TestEngine.favorites([1]))], at: TestEngine.cut(10, 3))
        #expect(marks.withLock { $0 } == [.yes])
        ask()
        #expect(marks.withLock { $0 } == [.yes, .yes])
        let requests = test.world.sent.filter { if case .request = $0 { true } else { false } }
        #expect(requests.isEmpty, "the set is not fetched")
        test.world.end()
    }

    @Test func `Favorites that can't come don't hold up an answer`() throws {
        let test = try TestEngine()
        _ = test.watch()
        test.accept()
        test.welcome()
        let answers = Mutex(0)
        let ask = { test.engine.whenCollectionsKnown { _ in answers.withLock { $0 += 1 } } }
        ask()
        test.world.connections.last?.reader.closed("cut")
        #expect(answers.withLock { $0 } == 1)
        ask()
        #expect(answers.withLock { $0 } == 2)
        test.world.end()
    }

    @Test func `A pending favorite counts once, on however many screens and however often it changed`() throws {
        let test = try TestEngine()
        let watcher = test.watch()
        test.connect()
        test.join(
            TestEngine.home, [("rank", TestEngine.movies([1, 2])), ("basic", TestEngine.movies([1]))],
            at: TestEngine.cut(10, 3))
        try test.favorite(1)
        try test.favorite(1, false)
        try test.favorite(1)
        try test.favorite(2)
        #expect(watcher.last?.status.pendingFavorites == 2)
        #expect(try test.engine.outboxStatus().pending == 2)
        // A screen that doesn't show it is not told, but knows when it is asked.
        try test.favorite(9)
        #expect(watcher.last?.status.pendingFavorites == 2)
        let status = test.engine.status(of: TestEngine.home)
        // The user's favorites, and this screen's changes.
        #expect(status?.pendingFavorites == 3 && status?.pendingChanges == 2)
        test.world.end()
    }

    @Test func `A screen that says a favorite is waiting is told when none is`() throws {
        let test = try TestEngine()
        let detail = ViewID(screen: "detail/9", locale: "en")
        _ = test.watch()
        let other = test.watch(detail)
        test.connect()
        test.join(TestEngine.home, [("rank", TestEngine.movies([1]))], at: TestEngine.cut(10, 3))
        test.join(detail, [("detail", TestEngine.movies([9]))], at: TestEngine.cut(10, 3))
        try test.favorite(1)
        // With content of its own.
        test.patch(detail, from: TestEngine.movies([9]), to: TestEngine.movies([9, 8]), at: TestEngine.cut(11, 3))
        #expect(other.last?.status.pendingFavorites == 1)
        test.say(.progress(CutChange(TestEngine.cut(11, 4))))
        try test.answer(userRevision: 4)
        #expect(other.last?.status.pendingFavorites == 0)
        test.world.end()
    }
}
