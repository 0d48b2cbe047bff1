import Foundation
import MarqueeModel
import MarqueeWire
import NIOCore
import Testing

@testable import MarqueeClient

@Suite("Connections of an engine")
struct EngineConnectionTests {
    private func pings(_ test: TestEngine) -> Int {
        test.world.sent.filter { if case .ping = $0 { true } else { false } }.count
    }

    @Test func `Back in the foreground, a connection that still works is probed and kept`() throws {
        let test = try TestEngine()
        _ = test.watch()
        test.connect()
        test.engine.wake()
        #expect(pings(test) == 1)
        test.advance(1)
        test.say(.pong(nonce: 0))
        test.advance(10)
        #expect(test.world.connections.count == 1)
        #expect(test.world.attempts == 1)
        test.world.end()
    }

    @Test func `A frame of an unknown kind that isn't critical is skipped, and the connection stays`() throws {
        let test = try TestEngine()
        _ = test.watch()
        test.connect()
        let connection = try #require(test.world.connections.last)
        var bytes = ByteBuffer()
        bytes.writeFrame(Frame(kind: FrameKind(rawValue: 900), body: ByteBuffer(bytes: [1, 2, 3])))
        connection.reader.received(bytes)
        #expect(!connection.isClosed)
        test.engine.wake()
        #expect(pings(test) == 1)
        test.say(.pong(nonce: 0))
        test.advance(10)
        #expect(test.world.attempts == 1)
        test.world.end()
    }

    @Test func `However often an app comes and goes, pings stay within what the server tolerates`() throws {
        let test = try TestEngine()
        _ = test.watch()
        test.connect()
        for _ in 0..<100 {
            test.engine.wake()
            test.say(.pong(nonce: 0))
            test.advance(0.1)
        }
        #expect(pings(test) <= 1 + Int(Probe.maximumQuick) + 10 / 5)
        test.world.end()
    }

    @Test func `Quick pings are forgotten over time, so a doubt late in a connection is probed too`() {
        var probe = Probe()
        var now: UInt64 = 0
        /// Called twice within a second, and answered each time.
        func asks() -> [Bool] {
            (0..<2).map { _ in
                defer {
                    probe.heard()
                    now += 100
                }
                return probe.begin(now: now, minimum: 1_000)
            }
        }
        for _ in 0..<Probe.maximumQuick {
            #expect(asks() == [true, true])
            now += 1_000
        }
        #expect(asks() == [true, false])
        for _ in 0..<20 {
            now += HastyPings.forgottenAfter
            #expect(asks() == [true, true])
        }
    }

    @Test func `A change of network ends the pause, but attempts keep their distance`() throws {
        let test = try TestEngine()
        _ = test.watch()
        for _ in 0..<6 {
            test.world.refuse()
            test.advance(64)
        }
        test.world.refuse()
        let attempts = test.world.attempts
        test.advance(1)
        #expect(test.world.attempts == attempts)
        test.engine.wake()
        #expect(test.world.attempts == attempts + 1)
        for _ in 0..<50 { test.engine.wake() }
        #expect(test.world.attempts == attempts + 1)
        test.world.refuse()
        for _ in 0..<50 {
            test.engine.wake()
            test.advance(0.02)
        }
        #expect(test.world.attempts <= attempts + 2)
        test.world.end()
    }

    @Test func `An attempt begun on another network is replaced, and its late connection isn't used`() throws {
        let test = try TestEngine()
        _ = test.watch()
        test.advance(2)
        test.engine.wake()
        #expect(test.world.attempts == 2)
        test.accept()
        #expect(test.world.connections[0].isClosed)
        #expect(test.world.connections[0].sent.isEmpty)
        test.accept()
        #expect(!test.world.connections[1].isClosed)
        test.world.end()
    }

    @Test func `Waking an unused client doesn't make it connect`() throws {
        let test = try TestEngine()
        test.engine.wake()
        #expect(test.world.attempts == 0)
    }

    @Test func `A server that is silent for two intervals is left`() throws {
        let test = try TestEngine()
        _ = test.watch()
        test.accept()
        var welcome = Welcome()
        welcome.cluster = "c"
        welcome.user = "mina"
        welcome.pingIntervalMilliseconds = 5_000
        test.say(.welcome(welcome))
        test.advance(6)
        #expect(pings(test) == 1)
        test.advance(5)
        #expect(test.world.connections[0].isClosed)
        test.world.end()
    }

    @Test func `Hello carries the preferred ping interval`() throws {
        let test = try TestEngine { $0.pingInterval = .seconds(7) }
        _ = test.watch()
        test.accept()
        guard case .hello(let hello)? = test.world.sent.first else {
            Issue.record("no hello")
            return
        }
        #expect(hello.pingIntervalMilliseconds == 7_000)
        test.world.end()
    }

    @Test func `A server that asks and never reads is left`() throws {
        let test = try TestEngine()
        _ = test.watch()
        test.connect()
        test.world.connections[0].takesNothing = true
        for nonce in 0...UInt64(UnsentAnswers.maximumFrames) { test.say(.ping(nonce: nonce)) }
        #expect(test.world.connections[0].isClosed)
        #expect(test.events.last == "waiting 1.0")
        test.world.end()
    }

    @Test func `Pauses grow while each connection fails right after its first good content`() throws {
        let test = try TestEngine()
        _ = test.watch()
        for pause in [1.0, 2, 4, 8] {
            test.connect()
            test.say(.welcome(Welcome()))
            #expect(test.events.last == "waiting \(pause)")
            test.advance(pause)
        }
        test.connect()
        test.advance(5)
        test.say(.welcome(Welcome()))
        #expect(test.events.last == "waiting 1.0")
        test.world.end()
    }

    @Test func `After a go-away the next attempt comes within the server's bounds, evenly distributed`() throws {
        for (drawn, pause) in [(0.0, 2.0), (0.5, 4), (1, 6)] {
            let test = try TestEngine()
            _ = test.watch()
            test.connect()
            test.world.drawn = drawn
            let status = Status(.unavailable, reason: "DRAINING", remedy: .retrySame, message: "the server is stopping")
            test.say(.goAway(status, reconnectMilliseconds: 2_000...6_000))
            #expect(test.events.contains("waiting \(pause)"))
            test.advance(pause - 0.01)
            #expect(test.world.attempts == 1)
            test.advance(0.02)
            #expect(test.world.attempts == 2)
            test.world.end()
        }
    }

    @Test func `A final refusal holds until the app asks again, and asking repeatedly causes no loop`() throws {
        let test = try TestEngine()
        var watcher = test.watch()
        let status = Status(.failedPrecondition, reason: "OTHER_CLUSTER", remedy: .fatal, message: "no")
        test.accept()
        test.say(.close(status))
        #expect(watcher.isFinished)
        test.advance(600)
        #expect(test.world.attempts == 1)
        for _ in 0..<1_000 {
            watcher = test.watch()
            test.accept()
            if test.world.connections.last?.isClosed == false { test.say(.close(status)) }
            test.advance(0.01)
        }
        #expect(test.world.attempts < 8)
        test.world.end()
    }

    @Test func `Waking between hello and welcome sends nothing, and later replaces the attempt`() throws {
        let test = try TestEngine()
        defer { test.world.end() }
        _ = test.watch()
        test.accept()
        test.engine.wake()
        #expect(test.world.sent.count == 1, "the hello alone")
        #expect(test.world.attempts == 1)
        test.advance(2)
        test.engine.wake()
        #expect(test.world.attempts == 2 && test.world.connections[0].isClosed)
    }

    @Test func `A lost connection is reported once, with age and reason; attempts failing alike are not`() throws {
        let test = try TestEngine()
        let watcher = test.watch()
        test.connect()
        test.join(TestEngine.home, [("rank", TestEngine.movies([1]))], at: TestEngine.cut(10, 3))
        #expect(watcher.last?.status.isLive == true)
        #expect(watcher.last?.status.lastError == nil)
        let asOf = test.world.wallTime()
        let told = watcher.all.count
        test.advance(0.5)
        test.world.connections[0].reader.closed("the connection was closed")
        #expect(watcher.all.count == told + 1)
        let status = try #require(watcher.last?.status)
        #expect(!status.isLive)
        #expect(status.asOf?.timeIntervalSince1970 == asOf)
        #expect(status.revision == TestEngine.cut(10, 3))
        #expect(status.lastError?.message == "the connection was closed")
        test.advance(1)
        for _ in 0..<5 {
            test.world.refuse()
            test.advance(64)
        }
        #expect(watcher.all.count == told + 2)
        #expect(watcher.last?.changes(since: watcher.all[0]).isEmpty == true)
        test.accept()
        test.welcome()
        test.join(TestEngine.home, [("rank", TestEngine.movies([1]))], at: TestEngine.cut(10, 3))
        #expect(watcher.last?.status.isLive == true)
        #expect(watcher.last?.status.lastError == nil)
        test.world.end()
    }

}
