import Logging
import MarqueeModel
import MarqueeScreens
import MarqueeStore
import MarqueeTypes
import NIOPosix
import PostgresSupport
import Synchronization
import Testing

@testable import MarqueeServer

/// The catalogue's time where several servers share a database.
@Suite(.enabled(if: PostgresServer.isFound, "\(PostgresServer.reason)"), .timeLimit(.minutes(10)))
struct SharedTimeTests {
    private static let start = Moment(milliseconds: 1_800_000_000_000)
    private static let boundaries = (1...6).map { start.advanced(by: Int64($0) * 40) }

    private static var programme: String {
        let items = boundaries.enumerated().map { index, moment in
            "{id: i\(index), visible: {from: \(moment.text)}, text: {text: Hello}}"
        }
        return """
            screens:
              home:
                title: H
                sections: [{id: a, kind: text, source: {items: [\(items.joined(separator: ", "))]}}]
            """
    }

    /// A server without connections.
    final class Node: Sendable {
        let store: PostgresStore
        let source: HubSource
        let revisions: AsyncStream<UInt64>

        init(_ url: String, on group: MultiThreadedEventLoopGroup, wall: @escaping @Sendable () -> Moment) async throws
        {
            store = try PostgresStore(url: PostgresURL(url))
            let logger = Logger(label: "test")
            source = HubSource(
                store: store,
                programme: try Programme.parse(text: SharedTimeTests.programme, file: "p.yaml", types: nil),
                logger: logger, hits: LimitHits(logger: logger), hubLoop: group.next(),
                clock: { 0 }, wall: wall)
            let (revisions, published) = AsyncStream.makeStream(of: UInt64.self)
            self.revisions = revisions
            _ = try await source.begin(
                VersionLibrary(), variantLimit: 64,
                for: Audience(publish: { published.yield($0.catalogueRevision) }, users: { [] }))
        }

        func stop() async throws {
            await source.finish()
            source.stop()
            try store.close()
        }
    }

    @Test func `Two servers on one database commit each boundary once`() async throws {
        let database = try PostgresServer()
        defer { database.stop() }
        let writer = try PostgresStore(url: PostgresURL(database.url()))
        _ = try writer.write([.catalogue(key: nil, changes: [.programme(Self.programme)], mutation: nil)])
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let wall = Mutex(Self.start)
        var nodes: [Node] = []
        for _ in 0..<2 {
            nodes.append(try await Node(database.url(), on: group) { wall.withLock { $0 } })
        }
        var readers = nodes.map { $0.revisions.makeAsyncIterator() }
        for (index, boundary) in Self.boundaries.enumerated() {
            wall.withLock { $0 = boundary }
            for reader in readers.indices {
                while let revision = await readers[reader].next(), revision < UInt64(index) + 2 {}
            }
        }
        #expect(try writer.commits(after: 1, limit: 99).map(\.changes) == Self.boundaries.map { [.time($0)] })
        for node in nodes { try await node.stop() }
        try writer.close()
        try await group.shutdownGracefully()
    }

    @Test func `A database's clock is that of all its servers, and goes on`() throws {
        let database = try PostgresServer()
        defer { database.stop() }
        let store = try PostgresStore(url: PostgresURL(database.url()))
        let (first, now, second) = (try store.clock(), Moment.current, try store.clock())
        #expect(first <= second)
        #expect(abs(now.milliseconds - first.milliseconds) < 600_000)
        try store.close()
        #expect(throws: StoreError.self) { try store.clock() }
    }
}
