import MarqueeDiff
import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeClient

@Suite("Options that a server refuses")
struct EngineRefusedOptionsTests {
    private static let notice = "options of home: no"

    private static func row(_ window: UInt32 = 2) -> Version {
        var head = SectionHead(kind: .rank)
        (head.windows, head.window, head.total, head.hasMore) = ([2, 4, 8], window, 10, window < 8)
        return TestEngine.movies(Array(1...UInt64(window)), head: BodyCodec.encode(head))
    }

    private func choose(_ option: SectionOptions, on test: TestEngine) {
        test.engine.setOptions([option], on: TestEngine.home) { _ in }
    }

    private func connect(_ test: TestEngine, revision: UInt64 = 10) {
        test.accept()
        test.welcome(at: TestEngine.cut(revision, 0, userEpoch: 0), user: nil)
    }

    private func join(_ test: TestEngine, window: UInt32 = 2, generation: UInt32 = 0, revision: UInt64 = 10) {
        test.join(
            TestEngine.home, [("row", Self.row(window))], generation: generation,
            at: TestEngine.cut(revision, 0, userEpoch: 0))
    }

    /// The screen is live, in an order that was chosen and accepted.
    private func showByTitle(_ test: TestEngine) {
        connect(test)
        join(test)
        choose(SectionOptions(section: "row", sort: "title"), on: test)
        join(test, generation: 1, revision: 11)
    }

    private func cutOff(_ test: TestEngine) { test.world.connections.last?.reader.closed("cut") }

    private func reconnect(_ test: TestEngine) {
        test.advance(64)
        connect(test, revision: 11)
    }

    private func refuse(_ test: TestEngine, generation: UInt32 = 0, _ reason: String = "UNKNOWN_SORT") throws {
        let status = Status(.invalidArgument, reason: reason, remedy: .fatal, message: "no")
        let subscription = try #require(test.subscription(to: TestEngine.home))
        test.say(
            .subscriptionError(SubscriptionError(subscription: subscription, generation: generation, status: status)))
    }

    private func requested(_ test: TestEngine) -> [SectionParameters]? {
        test.world.sent.compactMap { if case .subscribe(let subscribe) = $0 { subscribe.sections } else { nil } }.last
    }

    @Test func `A sort chosen without a connection and refused later is reported, and the screen stays as it was`()
        throws
    {
        let test = try TestEngine(user: nil)
        defer { test.world.end() }
        let reader = test.watch()
        showByTitle(test)
        cutOff(test)
        choose(SectionOptions(section: "row", sort: "colour"), on: test)
        reconnect(test)
        #expect(requested(test) == [SectionParameters(section: "row", sort: "colour")])
        try refuse(test)
        #expect(test.events.contains(Self.notice) && !reader.isFinished)
        #expect(requested(test) == [SectionParameters(section: "row", sort: "title")])
        join(test, revision: 12)
        #expect(reader.last?.origin == .live && reader.last?.lastError?.code == .unknownOptions)
        // The next update of the content ends the report.
        test.patch(TestEngine.home, from: Self.row(), to: Self.row(4), at: TestEngine.cut(13, 0, userEpoch: 0))
        #expect(reader.last?.lastError == nil)
    }

    @Test func `A sort chosen before the first connection is refused without ending the loop`() throws {
        let test = try TestEngine(user: nil)
        defer { test.world.end() }
        let reader = test.watch()
        choose(SectionOptions(section: "row", sort: "colour"), on: test)
        connect(test)
        try refuse(test)
        #expect(test.events.contains(Self.notice) && !reader.isFinished)
        #expect(requested(test) == [])
        join(test)
        #expect(reader.last?.lastError?.code == .unknownOptions)
    }

    @Test func `A request that was under way when the connection broke is refused on the next one`() throws {
        let test = try TestEngine(user: nil)
        defer { test.world.end() }
        let reader = test.watch()
        connect(test)
        join(test)
        choose(SectionOptions(section: "row", sort: "colour"), on: test)
        cutOff(test)
        reconnect(test)
        try refuse(test)
        #expect(test.events.contains(Self.notice) && !reader.isFinished)
        join(test, revision: 11)
        #expect(reader.last?.origin == .live && reader.last?.lastError?.code == .unknownOptions)
    }

    @Test func `A reader whose window was accepted survives the refusal of a later sort`() throws {
        let test = try TestEngine(user: nil)
        defer { test.world.end() }
        let reader = Watcher()
        test.engine.observe(TestEngine.home, options: [], windows: ["row": 4], reader)
        connect(test)
        join(test, window: 4)
        cutOff(test)
        choose(SectionOptions(section: "row", sort: "colour"), on: test)
        reconnect(test)
        try refuse(test)
        #expect(test.events.contains(Self.notice) && !reader.isFinished)
        #expect(requested(test) == [SectionParameters(section: "row", window: 4)])
        // The programme has no windows there any more.
        try refuse(test, "UNKNOWN_WINDOW")
        #expect(requested(test) == [] && !reader.isFinished)
        // Nothing is left to leave out.
        try refuse(test)
        #expect(reader.error?.code == .unknownOptions)
    }

    @Test func `A sort stored with the screen that the programme no longer has is reported`() throws {
        let test = try TestEngine(user: nil)
        defer { test.world.end() }
        let first = test.watch()
        showByTitle(test)
        test.engine.unobserve(TestEngine.home, first)
        let reader = test.watch()
        #expect(requested(test) == [SectionParameters(section: "row", sort: "title")])
        try refuse(test)
        #expect(test.events.contains(Self.notice) && requested(test) == [])
        join(test, revision: 12)
        #expect(reader.last?.origin == .live && reader.last?.lastError?.code == .unknownOptions)
    }

    @Test func `A loop that begins with a refused sort ends alone, and the others keep theirs`() throws {
        let test = try TestEngine(user: nil)
        defer { test.world.end() }
        let reader = test.watch()
        showByTitle(test)
        let late = Watcher()
        test.engine.observe(TestEngine.home, options: [SectionOptions(section: "row", sort: "colour")], late)
        #expect(requested(test) == [SectionParameters(section: "row", sort: "colour")])
        try refuse(test, generation: 2)
        #expect(late.error?.code == .unknownOptions && !reader.isFinished)
        #expect(test.engine.options(of: TestEngine.home) == [SectionOptions(section: "row", sort: "title")])
        #expect(reader.last?.lastError == nil && !test.events.contains(Self.notice))
    }

    @Test func `A loop that begins with refused windows ends alone, before the screen is live and after`() throws {
        let test = try TestEngine(user: nil)
        defer { test.world.end() }
        let reader = test.watch()
        connect(test)
        join(test)
        let late = Watcher()
        test.engine.observe(TestEngine.home, options: [], windows: ["none": 4], late)
        try refuse(test, generation: 1, "UNKNOWN_WINDOW")
        #expect(late.error?.code == .unknownOptions && !reader.isFinished)
        #expect(reader.last?.lastError == nil && !test.events.contains(Self.notice))
        cutOff(test)
        let later = Watcher()
        test.engine.observe(TestEngine.home, options: [], windows: ["none": 4], later)
        reconnect(test)
        try refuse(test, "UNKNOWN_WINDOW")
        #expect(later.error?.code == .unknownOptions && !reader.isFinished)
        #expect(requested(test) == [] && !test.events.contains(Self.notice))
    }
}
