import Foundation
import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import MarqueePresets
import MarqueeWire
import Testing

@testable import MarqueeClient

/// Public complaints of other systems' users, and proof that the same doesn't happen here.
@Suite("Complaints about clients")
struct EngineComplaintTests {
    // grpc/grpc-swift#1592, #1842, pusher/pusher-websocket-swift#182
    @Test func `A connection that died in the background or on another network is replaced at once`() throws {
        let test = try TestEngine()
        _ = test.watch()
        test.connect()
        test.engine.wake()
        test.advance(Double(Probe.patience) / 1_000 - 0.01)
        #expect(test.world.attempts == 1)
        test.advance(0.02)
        #expect(test.world.connections[0].isClosed)
        #expect(test.world.attempts == 2)
        test.world.end()
    }

    // centrifugal/centrifuge-js#411
    @Test func `Answers to an earlier attempt are never accepted`() throws {
        let test = try TestEngine()
        _ = test.watch()
        test.connect()
        try test.favorite(1)
        let old = test.world.connections[0]
        old.reader.closed("cut")
        test.advance(2)
        test.connect()
        let sent = test.sentChanges.count
        let body = CallBodyCodec.encode(
            MutationAnswer(number: 1, cut: CutChange(userRevision: 4), changed: true))
        old.reader.received(MessageCodec.encode(.answer(Answer(call: 1, body: body)), flags: []))
        #expect(test.sentChanges.count == sent)
        #expect(test.mark(1) == .pendingYes)
        old.reader.closed("again")
        #expect(!test.world.connections[1].isClosed)
        test.world.end()
    }

    // kubernetes/kubernetes#100745, etcd-io/etcd#15271
    @Test func `The client leaves a node that is behind, and never shows its older data`() throws {
        let test = try TestEngine()
        let watcher = test.watch()
        test.connect()
        test.join(TestEngine.home, [("rank", TestEngine.movies([1]))], at: TestEngine.cut(10, 3))
        test.world.connections[0].reader.closed("cut")
        test.advance(2)
        test.accept()
        test.welcome(at: TestEngine.cut(9, 3))
        #expect(test.world.connections[1].isClosed)
        #expect(watcher.last?.cut == TestEngine.cut(10, 3))
        #expect(watcher.last?.status.lastError?.message.contains("behind") == true)
        test.world.end()
    }

    // electric-sql/electric#3116, #3625
    @Test func `Being sent away again and again doesn't cause a reconnect loop`() throws {
        let test = try TestEngine()
        _ = test.watch()
        let status = Status(
            .unavailable, reason: "DRAINING", remedy: .retrySame, message: "go", retryAfterMilliseconds: 0)
        for _ in 0..<600 {
            test.accept()
            test.say(.close(status))
            test.advance(0.1)
        }
        #expect(test.world.attempts < 12)
        test.world.end()
    }

    // pusher/pusher-websocket-swift#430, supabase/supabase-swift#196
    @Test func `A reader that has left a screen hears nothing more, and the others nothing twice`() throws {
        let test = try TestEngine(user: nil)
        let stays = test.watch()
        let leaves = test.watch()
        test.accept()
        test.welcome(user: nil)
        test.join(TestEngine.home, [("rank", TestEngine.movies([1]))], at: TestEngine.cut(10, 0))
        test.engine.unobserve(TestEngine.home, leaves)
        let told = (stays.all.count, leaves.all.count)
        test.patch(
            TestEngine.home, from: TestEngine.movies([1]), to: TestEngine.movies([1, 2]), at: TestEngine.cut(11, 0))
        #expect((stays.all.count, leaves.all.count) == (told.0 + 1, told.1))
        test.engine.unobserve(TestEngine.home, stays)
        #expect(test.world.sent.contains { if case .unsubscribe(1) = $0 { true } else { false } })
        test.patch(
            TestEngine.home, from: TestEngine.movies([1, 2]), to: TestEngine.movies([1]), at: TestEngine.cut(12, 0))
        #expect(stays.all.count == told.0 + 1)
        test.world.end()
    }

    // powersync-ja/powersync-swift#179
    @Test func `A postponed upload is reported with its reason and sent again`() throws {
        let test = try TestEngine()
        _ = test.watch()
        test.connect()
        try test.favorite(1)
        for attempt in 1...3 {
            try test.refuse("TOO_MANY_WRITES", .retrySame, message: "too many writes wait")
            #expect(test.sentChanges.count == attempt, "not at once: that would be a loop")
            #expect(try test.engine.outboxStatus().lastError?.message == "too many writes wait")
            for _ in 0..<10 {
                test.advance(1)
                // Nothing else happens that could trigger sending them.
                test.say(.pong(nonce: 0))
            }
        }
        #expect(test.sentChanges == Array(repeating: "1 +movie/1", count: 4))
        #expect(test.events.filter { $0.hasPrefix("held up") } == ["held up 1: too many writes wait"])
        try test.answer(userRevision: 4)
        #expect(try test.engine.outboxStatus().lastError == nil)
        test.world.end()
    }

    // apollographql/apollo-ios-dev#346
    @Test func `A favorite reaches the screens that show it, and no others`() throws {
        let test = try TestEngine()
        let detail = ViewID(screen: "detail/9", locale: "en")
        let home = test.watch()
        let other = test.watch(detail)
        test.connect()
        test.join(TestEngine.home, [("rank", TestEngine.movies([1, 2]))], at: TestEngine.cut(10, 3))
        test.join(detail, [("detail", TestEngine.movies([9]))], at: TestEngine.cut(10, 3))
        let told = (home.all.count, other.all.count)
        try test.favorite(1)
        #expect((home.all.count, other.all.count) == (told.0 + 1, told.1))
        // Setting a favorite that is set already changes nothing visible.
        try test.favorite(1)
        #expect(home.all.count == told.0 + 1)
        test.world.end()
    }

    // centrifugal/centrifuge-js#406, #425
    @Test func `The mirror's position moves only with its data, and acks name only what is stored`() throws {
        let disk = FullDisk(try Mirror(location: .memory) { [UInt8](repeating: 1, count: 16) })
        let test = try TestEngine(mirror: disk)
        let watcher = test.watch()
        test.connect()
        test.join(TestEngine.home, [("rank", TestEngine.movies([1]))], at: TestEngine.cut(10, 3))
        disk.isFull = true
        test.patch(
            TestEngine.home, from: TestEngine.movies([1]), to: TestEngine.movies([1, 2]), at: TestEngine.cut(11, 3))
        test.say(.progress(CutChange(TestEngine.cut(12, 3))))
        #expect(disk.seen == TestEngine.cut(10, 3))
        #expect(watcher.last?.cut == TestEngine.cut(11, 3))
        let acks = test.world.sent.compactMap { message -> UInt64? in
            if case .ack(_, let cut?) = message { cut.catalogueRevision } else { nil }
        }
        #expect(acks.last == 10)
        // Within a run nothing goes back: another node must have what is shown.
        test.world.connections.last?.reader.closed("cut")
        test.advance(4)
        test.accept()
        guard case .hello(let hello)? = test.world.sent.first else { throw TestEngine.NothingSent() }
        #expect(hello.seen == TestEngine.cut(12, 3))
        test.welcome(at: TestEngine.cut(12, 3))
        let resumed = test.world.sent.compactMap { message -> Resume? in
            if case .subscribe(let subscribe) = message, subscribe.screen == "home" { subscribe.resume } else { nil }
        }
        #expect(resumed.first?.sections.map(\.sum) == [TestEngine.movies([1, 2]).sum])
        test.world.end()
    }

    // firebase/firebase-js-sdk#5031
    @Test func `Writes that hit a full disk are refused at once; those before and after are sent`() throws {
        let disk = FullDisk(try Mirror(location: .memory) { [UInt8](repeating: 1, count: 16) })
        let test = try TestEngine(mirror: disk)
        _ = test.watch()
        try test.favorite(1)
        disk.isFull = true
        #expect(throws: ClientError.self) { try test.favorite(2) }
        test.connect()
        #expect(test.sentChanges.isEmpty, "what can't be frozen is not sent")
        disk.isFull = false
        try test.favorite(3)
        for _ in 0..<30 {
            test.advance(4)
            if !test.world.connections.contains(where: { !$0.isClosed }) { test.connect() }
            if !test.sentChanges.isEmpty { break }
        }
        try test.answer(userRevision: 4)
        #expect(test.sentChanges == ["1 +movie/1", "2 +movie/3"])
        test.world.end()
    }

    // get-convex/convex-rs#14
    @Test func `Subscriptions changed while disconnected are requested as they are then`() throws {
        let test = try TestEngine(user: nil)
        let detail = ViewID(screen: "detail/9", locale: "en")
        let gone = test.watch()
        test.accept()
        test.welcome(user: nil)
        test.join(TestEngine.home, [("rank", TestEngine.movies([1]))], at: TestEngine.cut(10, 0))
        test.world.connections[0].reader.closed("cut")
        test.engine.unobserve(TestEngine.home, gone)
        _ = test.watch(detail)
        test.engine.setOptions([SectionOptions(section: "cast", sort: "name", window: 30)], on: detail)
        test.advance(2)
        test.accept()
        test.welcome(user: nil)
        let asked = test.world.sent.compactMap { message -> Subscribe? in
            if case .subscribe(let subscribe) = message { subscribe } else { nil }
        }
        #expect(asked.map(\.screen) == ["detail/9"])
        #expect(asked.first?.sections == [SectionParameters(section: "cast", sort: "name", window: 30)])
        test.world.end()
    }

    // centrifugal/centrifuge-go#160
    @Test func `One log's epoch is never combined with another's revision`() throws {
        let test = try TestEngine()
        _ = test.watch()
        test.connect(at: TestEngine.cut(500, 3))
        try test.favorite(1)
        try test.answer(userRevision: 4)
        test.world.connections[0].reader.closed("cut")
        test.advance(2)
        // The users' log was restored, the catalogue's was not: its epoch and revision continue.
        test.connect(at: TestEngine.cut(501, 1, userEpoch: 9), last: 1)
        #expect(test.engine.mirror.seen == TestEngine.cut(501, 1, userEpoch: 9))
        #expect(test.outbox.isEmpty, "nothing more will come from a log that is gone")
        test.world.end()
    }

    // etcd-io/etcd#17507
    @Test func `Progress moves an idle screen's time and position without an update for the app`() throws {
        let test = try TestEngine()
        let watcher = test.watch()
        test.connect()
        test.join(TestEngine.home, [("rank", TestEngine.movies([1]))], at: TestEngine.cut(10, 3))
        let told = watcher.all.count
        test.advance(15)
        test.say(.progress(CutChange(TestEngine.cut(12, 3))))
        let status = try #require(test.engine.status(of: TestEngine.home))
        #expect(status.asOf?.timeIntervalSince1970 == test.world.wallTime())
        #expect(status.revision == TestEngine.cut(12, 3))
        #expect(status.isLive)
        #expect(watcher.all.count == told)
        test.world.end()
    }

    // ably/ably-cocoa#1962
    @Test func `Everything an app holds can be passed between tasks`() async throws {
        // A type that isn't `Sendable` doesn't compile here.
        func passed<Value: Sendable>(_ value: Value) async -> Value { await Task.detached { value }.value }
        let configuration = ClientConfiguration(host: "127.0.0.1", port: 1, user: "mina", mirror: .memory)
        #expect(await passed(configuration).user == "mina")
        let client = MarqueeClient(configuration)
        #expect(await passed(client) === client)
        _ = await passed(client.screen(.home))
        #expect(try await passed(client.mirrorStatus()).pending.isEmpty)
        #expect(try await passed(client.outboxStatus()).pending == 0)
        let item = ScreenItem(id: "1", content: .encoded(kind: .movie, bytes: []), subject: .movie(1))
        let section = ScreenSection(id: "row", head: SectionHead(kind: .list), items: [item])
        let screen = Screen(id: .home, sections: [section])
        let update = await passed(ScreenUpdate(screen))
        #expect(await passed(update.screen).sections.flatMap(\.items) == [item])
        #expect(await passed(update.status).isLive)
        #expect(await passed(item) == item)
        let error = ClientError(.refused, "no")
        #expect(await passed(error) == error)
        guard case .mirrorProblem(error) = await passed(ClientEvent.mirrorProblem(error)) else {
            Issue.record("another event came")
            return
        }
        await client.close()
    }
}
