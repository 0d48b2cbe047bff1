import Logging
import MarqueeModel
import MarqueeScreens
import MarqueeStore
import MarqueeWire
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import MarqueeServer
@testable import MarqueeTLS

/// The shells of many sessions on one event loop.
@Suite struct SessionHandlerTests {
    @Test func `Many sessions with something to write in the same second each write in their own turn`() async throws {
        let loop = try await SessionsOnALoop(count: 20)
        let start = loop.services.now()
        // Their hello deadlines pass here; later ones are scheduled now.
        try await loop.inContext { $0.tick(now: start + 12_000) }
        let before = loop.writes
        try await loop.inContext { $0.tick(now: start + 17_000) }
        #expect(loop.writes == before, "nobody writes before the loop gets to read")
        await loop.takeTurns()
        #expect(loop.writes == before + 20)
    }

    @Test func `A handshake that stalls is closed as soon as its time is up, because no reason can be sent`()
        async throws
    {
        let loop = try await SessionsOnALoop(count: 0)
        let channel = try await loop.beginHandshake()
        let start = loop.services.now()
        let timeout = loop.services.settings.helloTimeoutMilliseconds
        try await loop.inContext { $0.tick(now: start + timeout - 1) }
        #expect(channel.isActive)
        try await loop.inContext { $0.tick(now: start + timeout) }
        #expect(!channel.isActive && loop.writes == 0)
    }

    @Test func `A client's introduction ends with its connection, whatever still refers to its identity`() async throws
    {
        let left = Mutex<[UInt32]>([])
        let introducing = IntroducingAuthenticator { guest in left.withLock { $0.append(guest) } }
        let loop = try await SessionsOnALoop(count: 1, authenticator: introducing)
        #expect(left.withLock { $0 }.isEmpty)
        // A pending request holds the handler, as the test does.
        try await loop.channels[0].close()
        await loop.takeTurns()
        #expect(left.withLock { $0 } == [7])
    }

    @Test func `Synced sessions report the position of what was published`() async throws {
        let loop = try await SessionsOnALoop(count: 3)
        let start = loop.services.now()
        try await loop.inContext { registry in
            for revision in 10..<110 as Range<UInt64> {
                registry.publications.add(Publication(catalogueRevision: revision, changes: [:]))
            }
        }
        await loop.takeTurns()
        try await loop.inContext { registry in
            #expect(registry.sessions.syncedCount == 3)
            registry.tick(now: start + 12_000)
            registry.tick(now: start + 17_000)
        }
        await loop.takeTurns()
        for channel in loop.channels {
            let frame = try #require(try await channel.readOutbound(as: ByteBuffer.self))
            guard case .progress(let cut)? = try SessionsOnALoop.message(frame) else {
                Issue.record("a progress was expected")
                continue
            }
            #expect(cut.catalogueRevision == 109)
        }
    }
}

/// Introduces everybody to a server upstream as guest 7.
private struct IntroducingAuthenticator: Authenticator {
    let onLeave: @Sendable (UInt32) -> Void

    func authenticate(_ credentials: Credentials) async throws(Status) -> Identity {
        Identity(user: nil, grant: Grant(.everything, from: .upstream(Introduction(guest: 7, onLeave: onLeave))))
    }
}

/// Sessions that have been welcomed, on an event loop that runs when it is told to.
private final class SessionsOnALoop: Sendable {
    let services: ServerServices
    let channels: [NIOAsyncTestingChannel]
    let handlers: NIOLoopBoundBox<[SessionHandler]>
    private let loop: NIOAsyncTestingEventLoop
    private let registry: NIOLoopBoundBox<LoopRegistry>
    private let counter = WriteCounter()

    init(count: Int, authenticator: any Authenticator = OpenAuthenticator()) async throws {
        let loop = NIOAsyncTestingEventLoop()
        let store = MemoryStore()
        let programme = try HubWorld.parse(HubWorld.programme)
        let settings = SessionSettings(cluster: store.cluster, node: "n", agent: "test", locales: programme.locales)
        let hits = LimitHits(logger: Logger(label: "test"))
        let (library, logger) = (VersionLibrary(), Logger(label: "test"))
        // Time stands still while sessions begin, however long that takes.
        let clock: @Sendable () -> UInt64 = { 1_000_000 }
        let hub = HubSource(
            store: store, programme: programme, logger: logger, hits: hits, hubLoop: loop, clock: clock)
        let services = ServerServices(
            settings: settings, library: library, source: hub, authenticator: authenticator, logger: logger,
            connections: ConnectionSet(limits: ServerLimits(), hits: hits), hits: hits, clock: clock)
        hub.positions.move(to: LogHead(epoch: 1, revision: 4), counts: CatalogueCounts(), types: nil)
        (self.loop, self.services) = (loop, services)
        registry = try await loop.executeInContext {
            NIOLoopBoundBox(LoopRegistry(loop: loop, services: services), eventLoop: loop)
        }
        handlers = try await loop.executeInContext { NIOLoopBoundBox([], eventLoop: loop) }
        channels = (0..<count).map { _ in NIOAsyncTestingChannel(loop: loop) }
        for (index, channel) in channels.enumerated() { try await begin(channel, ConnectionID(index)) }
    }

    /// Says hello on a connection and waits for the welcome.
    private func begin(_ channel: NIOAsyncTestingChannel, _ connection: ConnectionID) async throws {
        try await loop.executeInContext { [services, registry, handlers, counter] in
            try channel.pipeline.syncOperations.addHandler(counter)
            let handler = SessionHandler(services: services, registry: registry.value, connection: connection)
            handlers.value.append(handler)
            try channel.pipeline.syncOperations.addHandler(handler)
        }
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
        var hello = Hello()
        hello.clientID = (0..<16).map { _ in UInt8(truncatingIfNeeded: connection) }
        try await channel.writeInbound(MessageCodec.encode(.hello(hello), flags: []))
        // The client is authenticated on another thread.
        while try await channel.readOutbound(as: ByteBuffer.self) == nil {
            await loop.advanceTime(by: .milliseconds(1))
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// A connection whose handshake goes on for ever.
    func beginHandshake() async throws -> NIOAsyncTestingChannel {
        let channel = NIOAsyncTestingChannel(loop: loop)
        try await loop.executeInContext { [services, registry, counter] in
            try channel.pipeline.syncOperations.addHandlers([counter, HandshakeCheck()])
            try channel.pipeline.syncOperations.addHandler(
                SessionHandler(services: services, registry: registry.value, connection: 1))
        }
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
        return channel
    }

    func inContext<Value: Sendable>(_ work: @escaping @Sendable (LoopRegistry) throws -> Value) async throws -> Value {
        try await loop.executeInContext { [registry] in try work(registry.value) }
    }

    /// Frames that all sessions have written.
    var writes: Int { counter.count.load(ordering: .relaxed) }

    /// Runs the loop until nobody has anything left to do.
    func takeTurns() async {
        for _ in 0..<100 { await loop.advanceTime(by: .milliseconds(1)) }
    }

    static func message(_ frame: ByteBuffer) throws -> Message? {
        var decoder = FrameDecoder(maximumLength: WireLimits.client.frameBytes)
        decoder.append(frame)
        return try decoder.next().flatMap { try MessageCodec.decode($0, limits: .client) }
    }
}

/// Counts the frames that pass, of all connections.
private final class WriteCounter: ChannelOutboundHandler, Sendable {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    let count = Atomic<Int>(0)

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        count.add(1, ordering: .relaxed)
        context.write(data, promise: promise)
    }
}
