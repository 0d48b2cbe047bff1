import Foundation
import HubSupport
import Logging
import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeWire
import NIOCore
import Synchronization
import Testing

@testable import MarqueeServer

/// The short form of `make siege`: what is queued, dropped and refused, in counts.
@Suite("A server under pressure", .timeLimit(.minutes(10)))
struct PressureTests {
    /// Keeps the hub's thread busy until it is released.
    private final class BusyHub: Sendable {
        private let gate = DispatchSemaphore(value: 0)

        init(_ hub: HubSource) {
            let gate = gate
            hub.onHub { _ in gate.wait() }
        }

        func release() { gate.signal() }
    }

    private static func subscribes(_ count: UInt32) -> [Message] {
        (1...count).map { .subscribe(Subscribe(subscription: $0, screen: "detail/\($0)")) }
    }

    @Test func `While the hub is busy, clients are welcomed, little waits, and closed ones are dropped`() async throws {
        let harness = try await Harness(adjust: Harness.bearSilence)
        let (port, asking) = (harness.server.summary.port, harness.hub.lanes.asking)
        let greedy = try await (0..<20).asyncMap { _ in
            let connection = try await RawConnection.open(port: port)
            _ = try #require(try await connection.greet())
            return connection
        }
        let hub = BusyHub(harness.hub)
        let before = asking.counters
        for connection in greedy {
            for message in Self.subscribes(64) { try await connection.send(message) }
        }
        // Each of them has requested as much as one connection may.
        let each = FairQueue<ConnectionID, WorkLane.Job>.Bounds().each
        // The first one's turn comes after what keeps the hub busy.
        try await eventually("all that may wait") { asking.waiting >= greedy.count * each }
        #expect(asking.counters.mostWaiting <= greedy.count * each)

        let newcomer = try await RawConnection.open(port: port)
        #expect(try await newcomer.greet() != nil, "welcomed before any of it is done")
        #expect(asking.counters.done == before.done)

        for connection in greedy { await connection.close() }
        try await eventually("what waits being dropped") { asking.waiting == 0 }
        hub.release()
        try await newcomer.send(.subscribe(Subscribe(subscription: 1, screen: "home")))
        for await message in newcomer.messages {
            if case .join = message { break }
        }
        #expect(asking.counters.done - before.done == 1, "what the newcomer asked for, and nothing else")
        #expect(asking.counters.dropped - before.dropped == UInt64(greedy.count * each))
        await newcomer.close()
        await harness.stop()
    }

    @Test func `A publication after a view opens reaches it, however long it waits for its turn`() async throws {
        let harness = try await Harness(adjust: Harness.bearSilence)
        let (port, source) = (harness.server.summary.port, harness.hub)
        let crowd = try await (0..<20).asyncMap { _ in
            let connection = try await RawConnection.open(port: port)
            _ = try #require(try await connection.greet())
            return connection
        }
        let hub = BusyHub(harness.hub)
        for connection in crowd {
            for message in Self.subscribes(12) { try await connection.send(message) }
            try await connection.send(.subscribe(Subscribe(subscription: 13, screen: "home")))
        }
        try await eventually("all that was asked for") { source.lanes.asking.waiting >= crowd.count * 13 - 1 }
        // All of it is done, and another day shown, before the event loop checks.
        let gate = DispatchSemaphore(value: 0)
        harness.server.listener.eventLoop.execute { gate.wait() }
        hub.release()
        try await eventually("all views being open") { source.lanes.asking.waiting == 0 }
        try await harness.showChart("2024-05-02")
        let revision = try harness.store.catalogueHead().revision
        try await eventually("the newest revision") { source.positions.catalogueRevision == revision }
        gate.signal()

        let newcomer = try await RawConnection.open(port: port)
        _ = try #require(try await newcomer.greet())
        try await newcomer.send(.subscribe(Subscribe(subscription: 1, screen: "home")))
        var newest: [UInt64: UInt64] = [:]
        for await message in newcomer.messages {
            guard case .join(let join) = message else { continue }
            newest = Dictionary(join.sections.map { ($0.handle, $0.sum ?? 0) }, uniquingKeysWith: { a, _ in a })
            break
        }
        #expect(!newest.isEmpty)
        for connection in crowd {
            var shown: [UInt64: UInt64] = [:]
            for await message in connection.messages {
                if case .join(let join) = message {
                    for section in join.sections { shown[section.handle] = section.sum }
                }
                if case .data(let part) = message, !part.more { shown[part.handle] = part.target }
                if newest.allSatisfy({ shown[$0.key] == $0.value }) { break }
            }
            #expect(newest.allSatisfy { shown[$0.key] == $0.value })
            await connection.close()
        }
        await newcomer.close()
        await harness.stop()
    }

    @Test func `Variants that crowds of connections leave behind are released a few at a time`() async throws {
        let harness = try await Harness()
        let source = harness.hub
        let before = source.lanes.releasing.counters.done
        source.release(Array(1...1_000))
        try await eventually("all being released") { source.lanes.releasing.counters.done - before >= 16 }
        #expect(source.lanes.releasing.counters.done - before == 16)
        await harness.stop()
    }

    @Test func `Everything a connection may not ask for at once is answered in the end, in order`() async throws {
        let harness = try await Harness(adjust: Harness.bearSilence)
        let connection = try await RawConnection.open(port: harness.server.summary.port)
        _ = try #require(try await connection.greet())
        let messages: [Message] = (1...60).flatMap { id -> [Message] in
            [.subscribe(Subscribe(subscription: id, screen: "nowhere/\(id)")), .ping(nonce: UInt64(id))]
        }
        // Pings this close together would end the connection.
        let bytes = messages.filter { if case .ping(let nonce) = $0 { nonce == 60 } else { true } }
            .flatMap { Array(MessageCodec.encode($0, flags: []).readableBytesView) }
        try await connection.send(bytes)
        var refused: [UInt32] = []
        var pong = false
        for await message in connection.messages {
            if case .subscriptionError(let error) = message { refused.append(error.subscription) }
            if case .pong(60) = message { pong = true }
            if pong, refused.count == 60 { break }
        }
        #expect(refused == Array(1...60))
        await connection.close()
        await harness.stop()
    }

    @Test func `A session that begins during a drain is told to go`() async throws {
        let harness = try await Harness(adjust: Harness.bearSilence)
        harness.server.services.isDraining.store(true, ordering: .releasing)
        let connection = try await RawConnection.open(port: harness.server.summary.port)
        _ = try #require(try await connection.greet())
        for await message in connection.messages {
            guard case .goAway(let status, _) = message else { continue }
            #expect(status.reason == "DRAINING")
            break
        }
        await connection.close()
        await harness.stop()
    }

    @Test func `Without descriptors, accepting pauses instead of spinning, and resumes by itself`() async throws {
        let harness = try await Harness(adjust: Harness.bearSilence)
        let listener = harness.server.listener
        listener.pipeline.fireErrorCaught(IOError(errnoCode: EMFILE, reason: "accept"))
        for _ in 0..<1_000 { listener.pipeline.fireErrorCaught(IOError(errnoCode: EMFILE, reason: "accept")) }
        #expect(try await listener.getOption(.autoRead).get() == false)
        let connection = try await RawConnection.open(port: harness.server.summary.port)
        #expect(try await connection.greet() != nil)
        #expect(try await listener.getOption(.autoRead).get())
        await connection.close()
        await harness.stop()
    }

    @Test func `At the limit a new connection replaces the one that has shown nothing for longest`() async throws {
        let store = MemoryStore()
        try Harness.fill(store)
        var configuration = MarqueeServer.Configuration(host: "127.0.0.1", port: 0)
        configuration.limits.connections = 3
        configuration.adjustSettings = Harness.bearSilence
        let (server, _) = try await MarqueeServer.start(
            configuration, store: store, programme: Harness.programme(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let port = server.summary.port
        func greeted() async throws -> RawConnection {
            let connection = try await RawConnection.open(port: port)
            _ = try #require(try await connection.greet())
            return connection
        }
        let shows = try await greeted()
        try await shows.send(.subscribe(Subscribe(subscription: 1, screen: "home")))
        for await message in shows.messages {
            if case .join = message { break }
        }
        let idle = try await greeted()
        for nonce in 1...3 as ClosedRange<UInt64> { try await idle.send(.ping(nonce: nonce)) }
        let second = try await greeted()
        let third = try await greeted()
        #expect(await idle.closingStatus()?.reason == "ROOM_NEEDED")
        // Both show something now: no room can be made.
        for connection in [second, third] {
            try await connection.send(.subscribe(Subscribe(subscription: 1, screen: "home")))
            for await message in connection.messages {
                if case .join = message { break }
            }
        }
        let refused = try await RawConnection.open(port: port)
        for await _ in refused.frames {}
        try await shows.send(.ping(nonce: 77))
        for await message in shows.messages {
            if case .pong(77) = message { break }
        }
        for connection in [shows, second, third] { await connection.close() }
        await server.drain(grace: .milliseconds(200))
    }

    @Test func `A log that can't be read is retried once at a time, however often the store wakes`() async throws {
        let store = UnreadableLog(MemoryStore())
        try Harness.fill(store)
        let harness = try await Harness(store: store)
        try await eventually("the first reading") { store.reads.load(ordering: .relaxed) > 0 }
        let clock = ContinuousClock()
        let beginning = clock.now
        store.isUnreadable.store(true, ordering: .relaxed)
        let before = store.reads.load(ordering: .relaxed)
        for _ in 0..<500 { harness.hub.storeMoved() }
        try await eventually("two retries") { store.reads.load(ordering: .relaxed) >= before + 3 }
        // One a second, however late this test checks.
        let reads = store.reads.load(ordering: .relaxed)
        let seconds = Int((clock.now - beginning) / .seconds(1))
        #expect(reads <= before + 2 + seconds)
        store.isUnreadable.store(false, ordering: .relaxed)
        try await harness.showChart("2024-05-02")
        let revision = try store.catalogueHead().revision
        try await eventually("the newest revision") { harness.hub.positions.catalogueRevision == revision }
        await harness.stop()
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}

/// A store whose catalogue log can't be read for a while, and which counts the attempts.
private final class UnreadableLog: ForwardingStore, Sendable {
    let store: MemoryStore
    let isUnreadable = Atomic<Bool>(false)
    let reads = Atomic<Int>(0)

    init(_ store: MemoryStore) { self.store = store }

    func commits(after revision: UInt64, limit: Int) throws(StoreError) -> [CatalogueCommit] {
        reads.add(1, ordering: .relaxed)
        if isUnreadable.load(ordering: .relaxed) { throw StoreError(.io, "the log does not answer") }
        return try store.commits(after: revision, limit: limit)
    }
}
