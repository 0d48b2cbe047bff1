import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import NIOPosix
import PostgresSupport
import ProcessSupport
import Synchronization
import Testing

@testable import MarqueeServer

/// Drafts that are due where several servers share a database.
@Suite(.enabled(if: PostgresServer.isFound, "\(PostgresServer.reason)"), .timeLimit(.minutes(10)))
struct SharedDraftTests {
    private static let due = Moment(milliseconds: 1_800_000_000_000)

    private func programme(_ title: String) -> Change {
        .programme(
            """
            screens:
              home:
                title: \(title)
                sections: [{id: a, kind: text, source: {items: [{id: i, text: {text: Hello}}]}}]
            """)
    }

    private func schedule(_ name: String, _ change: Change, in store: PostgresStore) throws {
        _ = try store.write([.draft(DraftEdit(name, .add([change], key: nil)), mutation: nil)])
        let version = try #require(try store.draft(name)).version
        let action = DraftEdit.Action.schedule(version: version, at: Self.due, despiteConflicts: true)
        _ = try store.write([.draft(DraftEdit(name, action), mutation: nil)])
    }

    /// The first server's process dies while it commits: its connection breaks there, and it gets no other. The second
    /// has rested since before the draft was scheduled, elsewhere.
    @Test(arguments: [nil, .beforeCommit, .afterCommit, .lateCommit] as [PostgresProxy.Fault?])
    func `A draft that is due is published once, also if the server that publishes it dies`(
        _ fault: PostgresProxy.Fault?
    ) async throws {
        let database = try PostgresServer()
        defer { database.stop() }
        let proxy = try PostgresProxy(database)
        defer { proxy.stop() }
        let writer = try PostgresStore(url: PostgresURL(database.url()))
        _ = try writer.write([.catalogue(key: nil, changes: [programme("Before")], mutation: nil)])
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let walls = (0..<2).map { _ in SharedClock(Self.due.advanced(by: -20)) }
        var nodes: [SharedTimeTests.Node] = []
        for (wall, url) in zip(walls, [database.url(socket: proxy.folder), database.url()]) {
            nodes.append(try await SharedTimeTests.Node(url, on: group) { wall.now })
        }
        let all = nodes
        func wait(for what: String, _ isSo: () throws -> Bool) async throws {
            try await eventually(what) {
                for node in all { node.source.tick(now: 0) }
                return try isSo()
            }
        }
        try schedule("spring", programme("Spring"), in: writer)
        if let fault { proxy.arm(fault) }
        walls[0].now = Self.due
        if fault == nil {
            walls[1].now = Self.due
        } else {
            try await wait(for: "the first server publishing") { proxy.broken == 1 }
            proxy.loseServer()
            walls[1].now = Self.due
        }
        try await wait(for: "the draft being published") { try writer.draft("spring") == nil }
        // A newer change stays: nobody publishes the draft again, however late the first commit arrives.
        _ = try writer.write([.catalogue(key: nil, changes: [programme("After")], mutation: nil)])
        try schedule("summer", .removePage("none"), in: writer)
        try await wait(for: "another draft being published") { try writer.draft("summer") == nil }
        let commits = try writer.commits(after: 1, limit: 99).map(\.changes)
        #expect(commits == [[programme("Spring")], [programme("After")]])
        try await nodes[1].stop()
        try? nodes[0].store.close()
        await nodes[0].source.finish()
        nodes[0].source.stop()
        try writer.close()
        try await group.shutdownGracefully()
    }

    @Test func `After a day off drafts are published in the order in which they were due`() async throws {
        let database = try PostgresServer()
        defer { database.stop() }
        let writer = try PostgresStore(url: PostgresURL(database.url()))
        _ = try writer.write([.catalogue(key: nil, changes: [programme("Before")], mutation: nil)])
        for (name, hours) in [("b", 2), ("c", 1), ("a", 3)] as [(String, Int64)] {
            _ = try writer.write([.draft(DraftEdit(name, .add([programme(name)], key: nil)), mutation: nil)])
            let action = DraftEdit.Action.schedule(
                version: try #require(try writer.draft(name)).version, at: Self.due.advanced(by: hours * 3_600_000),
                despiteConflicts: true)
            _ = try writer.write([.draft(DraftEdit(name, action), mutation: nil)])
        }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let node = try await SharedTimeTests.Node(database.url(), on: group) { Self.due.advanced(by: 86_400_000) }
        try await eventually("all of them being published") { try writer.drafts().isEmpty }
        #expect(try writer.commits(after: 1, limit: 9).map(\.changes) == ["c", "b", "a"].map { [programme($0)] })
        try await node.stop()
        try writer.close()
        try await group.shutdownGracefully()
    }
}

/// A clock that a test sets.
final class SharedClock: Sendable {
    private let moment: Mutex<Moment>

    init(_ moment: Moment) { self.moment = Mutex(moment) }

    var now: Moment {
        get { moment.withLock { $0 } }
        set { moment.withLock { $0 = newValue } }
    }
}
