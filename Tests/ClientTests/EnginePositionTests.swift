import MarqueeMirror
import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeClient

@Suite("Positions that servers claim")
struct EnginePositionTests {
    private static let movies = TestEngine.movies([1])

    /// An engine with content of (10,3), on a connection that claims more.
    private func engine(claiming claim: (TestEngine) -> Void) throws -> TestEngine {
        let test = try TestEngine()
        _ = test.watch()
        test.connect()
        test.join(TestEngine.home, [("rank", Self.movies)], at: TestEngine.cut(10, 3))
        claim(test)
        test.world.connections.last?.reader.closed("cut")
        return test
    }

    /// Attempts to connect to a node at a position, until one is accepted.
    /// - Returns: seconds until then; `nil` when that takes an hour.
    private func secondsUntilAccepted(_ test: TestEngine, at cut: Cut) -> Double? {
        var seconds = 0.0
        while seconds < 3_600 {
            test.advance(1)
            seconds += 1
            let connections = test.world.connections.count
            test.accept()
            guard test.world.connections.count > connections else { continue }
            // A node that is behind either says so or states its position.
            if case .hello(let hello)? = test.world.sent.first, let seen = hello.seen, cut.isBehind(seen) {
                let status = Status(.unavailable, reason: "NODE_BEHIND", remedy: .retryOther, message: "behind")
                test.say(.close(status))
            } else {
                test.welcome(at: cut)
            }
            if test.engine.core.isLive { return seconds }
        }
        return nil
    }

    @Test func `A position claimed by progress that no server has locks nobody out; content stays (G1)`() throws {
        let test = try engine { $0.say(.progress(CutChange(TestEngine.cut(1 << 40, 3)))) }
        #expect(test.engine.mirror.seen == TestEngine.cut(1 << 40, 3))
        let seconds = try #require(secondsUntilAccepted(test, at: TestEngine.cut(12, 3)))
        #expect(seconds >= Double(Retries.claimPatience.milliseconds) / 1_000, "nodes that lag have time")
        test.join(TestEngine.set, [("favorites", TestEngine.favorites([]))], at: TestEngine.cut(12, 3))
        #expect(test.engine.mirror.seen == TestEngine.cut(12, 3))
        test.world.end()
    }

    @Test func `A position claimed by a welcome that no server has locks nobody out`() throws {
        let test = try TestEngine()
        _ = test.watch()
        test.accept()
        test.welcome(at: TestEngine.cut(1 << 40, 3))
        test.join(TestEngine.set, [("favorites", TestEngine.favorites([]))], at: TestEngine.cut(10, 3))
        test.join(TestEngine.home, [("rank", Self.movies)], at: TestEngine.cut(10, 3))
        test.world.connections.last?.reader.closed("cut")
        #expect(try #require(secondsUntilAccepted(test, at: TestEngine.cut(10, 3))) > 0)
        test.world.end()
    }

    @Test func `A node behind what cuts delivered is never accepted, even if there is no other (G1)`() throws {
        let test = try engine { _ in }
        #expect(secondsUntilAccepted(test, at: TestEngine.cut(9, 3)) == nil)
        let hellos = test.world.everSent.compactMap { message -> Cut? in
            if case .hello(let hello) = message { hello.seen } else { nil }
        }
        #expect(hellos.allSatisfy { $0.catalogueRevision == 10 })
        test.world.end()
    }

    @Test func `A node that catches up is accepted at once, and the claim stays`() throws {
        let test = try engine { $0.say(.progress(CutChange(TestEngine.cut(15, 3)))) }
        test.advance(2)
        test.accept()
        test.welcome(at: TestEngine.cut(12, 3))
        #expect(!test.engine.core.isLive)
        test.advance(4)
        test.accept()
        test.welcome(at: TestEngine.cut(15, 3))
        #expect(test.engine.core.isLive)
        #expect(test.engine.mirror.seen == TestEngine.cut(15, 3))
        test.world.end()
    }

    @Test func `A damaged cluster name in a welcome is treated as damage: the next welcome counts`() throws {
        let test = try engine { _ in }
        test.advance(2)
        test.accept()
        test.welcome(cluster: "b")
        #expect(!test.events.contains { $0.hasPrefix("failed") })
        test.advance(4)
        test.accept()
        test.welcome(cluster: "c")
        #expect(test.engine.core.isLive)
        // The same damage later counts as damage again.
        test.world.connections.last?.reader.closed("cut")
        test.advance(4)
        test.accept()
        test.welcome(cluster: "b")
        #expect(!test.events.contains { $0.hasPrefix("failed") })
        test.world.end()
    }
}
