import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import MarqueeWire
import Synchronization
import Testing

@testable import MarqueeClient

@Suite("Sorts and windows of an engine")
struct EngineOptionsTests {
    private static let cut = TestEngine.cut(10, 0, userEpoch: 0)

    /// A section of ten with windows of 2, 4 and 8, as the server shows it with one of them.
    private static func row(_ window: UInt32) -> Version {
        var head = SectionHead(kind: .rank)
        (head.windows, head.window, head.total, head.hasMore) = ([2, 4, 8], window, 10, window < 8)
        return TestEngine.movies(Array(1...UInt64(window)), head: BodyCodec.encode(head))
    }

    /// A reader with windows of its own, and the id by which the engine knows it.
    private final class Reader {
        let watcher = Watcher()
        let owner = Owner()
        final class Owner {}
        var id: ObjectIdentifier { ObjectIdentifier(owner) }
        var count: Int? { watcher.last?.screen[section: "row"]?.items.count }
    }

    private final class Answer: Sendable {
        private let state = Mutex<Result<Void, ClientError>?>(nil)
        var take: ClientEngine.OptionsAnswer { { result in self.state.withLock { $0 = result } } }
        var isPresent: Bool { state.withLock { $0 != nil } }
        var error: ClientError? {
            if case .failure(let error)? = state.withLock({ $0 }) { error } else { nil }
        }
    }

    private func read(_ test: TestEngine, window: Int? = nil) -> Reader {
        let reader = Reader()
        test.engine.observe(
            TestEngine.home, options: [], windows: window.map { ["row": $0] } ?? [:], owner: reader.id,
            reader.watcher)
        return reader
    }

    private func subscribes(_ test: TestEngine) -> [Subscribe] {
        test.world.sent.compactMap { if case .subscribe(let subscribe) = $0 { subscribe } else { nil } }
    }

    private func live(_ test: TestEngine) {
        test.accept()
        test.welcome(at: Self.cut, user: nil)
        test.join(TestEngine.home, [("row", Self.row(2))], at: Self.cut)
    }

    @Test func `Two readers of a screen have windows of their own, and the server is asked for the larger one`() throws
    {
        let test = try TestEngine(user: nil)
        defer { test.world.end() }
        let small = read(test)
        live(test)
        #expect(small.count == 2)
        let large = read(test, window: 8)
        #expect(subscribes(test).last?.sections == [SectionParameters(section: "row", sort: nil, window: 8)])
        let told = small.watcher.all.count
        test.join(TestEngine.home, [("row", Self.row(8))], generation: 1, at: TestEngine.cut(11, 0, userEpoch: 0))
        #expect(large.count == 8)
        #expect(small.count == 2 && small.watcher.last?.screen[section: "row"]?.hasMore == true)
        #expect(small.watcher.last?.screen[section: "row"]?.window == 2)
        // A change beyond its window is no news for the small one.
        let more = small.watcher.all.count
        #expect(more <= told + 1)
        test.engine.unobserve(TestEngine.home, large.watcher)
        #expect(subscribes(test).last?.sections == [])
    }

    @Test func `The next page is the next step, for one reader or for all`() throws {
        let test = try TestEngine(user: nil)
        defer { test.world.end() }
        let one = read(test)
        let other = read(test)
        live(test)
        let answer = Answer()
        var isMore = try test.engine.showMore(of: "row", on: TestEngine.home, for: one.id, answer: answer.take)
        #expect(isMore && !answer.isPresent)
        test.join(TestEngine.home, [("row", Self.row(4))], generation: 1, at: TestEngine.cut(11, 0, userEpoch: 0))
        #expect(answer.isPresent && answer.error == nil)
        #expect(one.count == 4 && other.count == 2)
        isMore = try test.engine.showMore(of: "row", on: TestEngine.home, answer: answer.take)
        #expect(isMore)
        test.join(TestEngine.home, [("row", Self.row(8))], generation: 2, at: TestEngine.cut(12, 0, userEpoch: 0))
        #expect(one.count == 8 && other.count == 8)
        isMore = try test.engine.showMore(of: "row", on: TestEngine.home, answer: answer.take)
        #expect(!isMore, "there is no larger step")
    }

    @Test func `There is a way back to the default`() throws {
        let test = try TestEngine(user: nil)
        defer { test.world.end() }
        let reader = read(test)
        live(test)
        let answer = Answer()
        test.engine.setOptions(
            [SectionOptions(section: "row", sort: "date", window: 8)], on: TestEngine.home, answer: answer.take)
        #expect(subscribes(test).last?.sections == [SectionParameters(section: "row", sort: "date", window: 8)])
        test.join(TestEngine.home, [("row", Self.row(8))], generation: 1, at: TestEngine.cut(11, 0, userEpoch: 0))
        #expect(reader.count == 8)
        test.engine.resetSort(of: "row", on: TestEngine.home, answer: answer.take)
        #expect(subscribes(test).last?.sections == [SectionParameters(section: "row", sort: nil, window: 8)])
    }

    @Test func `A reader gives up its own window, and the screen keeps its order`() throws {
        let test = try TestEngine(user: nil)
        defer { test.world.end() }
        let reader = read(test, window: 4)
        live(test)
        let answer = Answer()
        test.engine.setOptions([SectionOptions(section: "row", sort: "date")], on: TestEngine.home, answer: answer.take)
        #expect(subscribes(test).last?.sections == [SectionParameters(section: "row", sort: "date", window: 4)])
        test.engine.resetWindow(of: "row", on: TestEngine.home, for: reader.id, answer: answer.take)
        #expect(subscribes(test).last?.sections == [SectionParameters(section: "row", sort: "date", window: nil)])
    }

    @Test func `A place in a list belongs to all readers, and stays near what is shown once its item has gone`()
        throws
    {
        let test = try TestEngine(user: nil)
        defer { test.world.end() }
        let reader = read(test, window: 4)
        test.accept()
        test.welcome(at: Self.cut, user: nil)
        var head = SectionHead(kind: .rank)
        (head.anywhere, head.total, head.cursor) = (9, 100, [1, 2])
        let shown = TestEngine.movies([1, 2, 3], head: BodyCodec.encode(head))
        test.join(TestEngine.home, [("row", shown)], at: Self.cut)
        let answer = Answer()
        func ask(_ options: SectionOptions) -> [SectionParameters]? {
            test.engine.setOptions([options], on: TestEngine.home, for: reader.id, answer: answer.take)
            return subscribes(test).last?.sections
        }
        let place = WindowPlace(item: "movie/3", before: 2, after: 3)
        var near = place
        near.cursor = [1, 2]
        #expect(ask(SectionOptions(section: "row", place: place)) == [SectionParameters(section: "row", place: near)])
        // A place in one order means nothing in another.
        #expect(
            ask(SectionOptions(section: "row", sort: "date"))
                == [SectionParameters(section: "row", sort: "date", place: place)])
        #expect(
            ask(SectionOptions(section: "row", window: 8))
                == [SectionParameters(section: "row", sort: "date", window: 8)])
    }

    @Test func `A place stays where it is when the default order is chosen by its name, or no longer by it`() throws {
        let test = try TestEngine(user: nil)
        defer { test.world.end() }
        let reader = read(test)
        test.accept()
        test.welcome(at: Self.cut, user: nil)
        var head = SectionHead(kind: .rank)
        (head.anywhere, head.total, head.sort) = (9, 100, "title")
        head.sorts = ["title", "date"].map { SortOption(id: $0, title: $0) }
        test.join(TestEngine.home, [("row", TestEngine.movies([1], head: BodyCodec.encode(head)))], at: Self.cut)
        func ask(_ options: SectionOptions) -> [SectionParameters]? {
            test.engine.setOptions([options], on: TestEngine.home, for: reader.id, answer: Answer().take)
            return subscribes(test).last?.sections
        }
        let place = WindowPlace(value: "M", before: 0, after: 3)
        #expect(ask(SectionOptions(section: "row", place: place)) == [SectionParameters(section: "row", place: place)])
        let byTitle = SectionParameters(section: "row", sort: "title", place: place)
        #expect(ask(SectionOptions(section: "row", sort: "title")) == [byTitle])
        test.engine.resetSort(of: "row", on: TestEngine.home, answer: Answer().take)
        #expect(subscribes(test).last?.sections == [SectionParameters(section: "row", place: place)])
        let start = WindowPlace(before: 0, after: 3)
        let byDate = SectionParameters(section: "row", sort: "date", place: start)
        #expect(ask(SectionOptions(section: "row", sort: "date")) == [byDate])
        test.engine.resetSort(of: "row", on: TestEngine.home, answer: Answer().take)
        #expect(subscribes(test).last?.sections == [SectionParameters(section: "row", place: start)])
    }

    @Test func `What the server refuses is thrown where it was asked for, and changes nothing`() throws {
        let test = try TestEngine(user: nil)
        defer { test.world.end() }
        let reader = read(test, window: 4)
        test.accept()
        test.welcome(at: Self.cut, user: nil)
        test.join(TestEngine.home, [("row", Self.row(4))], at: Self.cut)
        let answer = Answer()
        test.engine.setOptions(
            [SectionOptions(section: "row", sort: "colour")], on: TestEngine.home, for: reader.id, answer: answer.take)
        let status = Status(.invalidArgument, reason: "UNKNOWN_SORT", remedy: .fatal, message: "no")
        let subscription = try #require(test.subscription(to: TestEngine.home))
        test.say(.subscriptionError(SubscriptionError(subscription: subscription, generation: 1, status: status)))
        #expect(answer.error?.code == .unknownOptions)
        #expect(!reader.watcher.isFinished && reader.count == 4)
        test.engine.setOptions([SectionOptions(section: "gone")], on: TestEngine.home, answer: answer.take)
        #expect(answer.error?.code == .unknownOptions)
        test.engine.setOptions([], on: ViewID(screen: "other", locale: "en"), answer: answer.take)
        #expect(answer.error?.code == .notShown)
    }

    @Test func `A reader whose options are refused ends alone`() throws {
        let test = try TestEngine(user: nil)
        defer { test.world.end() }
        let good = read(test)
        let bad = Watcher()
        test.engine.observe(TestEngine.home, options: [SectionOptions(section: "row", sort: "colour")], bad)
        test.accept()
        test.welcome(at: Self.cut, user: nil)
        let status = Status(.invalidArgument, reason: "UNKNOWN_SORT", remedy: .fatal, message: "no")
        let refused = try #require(test.subscription(to: TestEngine.home))
        test.say(.subscriptionError(SubscriptionError(subscription: refused, generation: 0, status: status)))
        #expect(bad.error?.code == .unknownOptions)
        #expect(!good.watcher.isFinished)
        test.join(TestEngine.home, [("row", Self.row(2))], at: Self.cut)
        #expect(good.count == 2)
    }

    @Test func `Without a connection options are accepted at once and asked for later`() throws {
        let test = try TestEngine(user: nil)
        defer { test.world.end() }
        _ = read(test)
        let answer = Answer()
        test.engine.setOptions([SectionOptions(section: "row", window: 8)], on: TestEngine.home, answer: answer.take)
        #expect(answer.isPresent && answer.error == nil)
        test.accept()
        test.welcome(at: Self.cut, user: nil)
        #expect(subscribes(test).last?.sections == [SectionParameters(section: "row", sort: nil, window: 8)])
    }

    @Test func `A reader of the mirror alone asks nothing of the server`() throws {
        let mirror = try Mirror(location: .memory) { [UInt8](repeating: 1, count: 16) }
        let test = try TestEngine(user: nil, mirror: mirror)
        defer { test.world.end() }
        let bystander = Watcher()
        test.engine.observeStored(TestEngine.home, bystander)
        #expect(test.world.attempts == 0 && bystander.all.isEmpty)
        _ = read(test)
        live(test)
        #expect(bystander.last?.screen[section: "row"]?.items.count == 2)
        let stored = test.engine.storedState(of: TestEngine.home)
        #expect(stored?.screen.isLive == true)
        test.engine.unobserve(TestEngine.home, bystander)
    }

    @Test func `A reader of the server alone never sees what is stale`() async throws {
        let mailbox = ScreenMailbox { $0.origin == .live }
        let content = SyncCore.ViewContent(list: .empty, sections: [:])
        for origin in [ScreenUpdate.Origin.store, .live] {
            mailbox.put(
                ScreenState(
                    id: TestEngine.home, content: content, cut: Cut(), asOf: 1, origin: origin,
                    collections: CollectionsOverlay(), damaged: []))
        }
        #expect(try await mailbox.next()?.origin == .live)
    }
}
