import Foundation
import MarqueeModel
import PostgresSupport
import Synchronization
import Testing

@testable import MarqueeStore

/// The behavior that only PostgreSQL has: many nodes, and a server that can go away.
@Suite(.enabled(if: PostgresServer.isFound, Comment(rawValue: PostgresServer.reason)))
enum PostgresTests {
    /// Runs `body` with two handles on one new store, as two nodes would have them.
    static func withTwoHandles(
        limits: StoreLimits = StoreLimits(), clock: WallClock? = nil,
        _ body: (PostgresStore, PostgresStore) throws -> Void
    ) throws {
        try PostgresServer.shared().withSchema { url throws in
            let stores = try (0..<2).map { _ in try PostgresStore(url: url, limits: limits, clock: clock) }
            try body(stores[0], stores[1])
            for store in stores { try store.close() }
        }
    }

    /// The news that has been heard, in order.
    final class Ear: Sendable {
        private let heard = Mutex<[StoreEvent]>([])

        @Sendable func hear(_ news: StoreEvent) { heard.withLock { $0.append(news) } }

        var all: [StoreEvent] { heard.withLock { $0 } }

        var moves: [UserMove] {
            all.flatMap { news -> [UserMove] in if case .moves(let moves) = news { moves } else { [] } }
        }

        var lost: StoreError? {
            all.compactMap { news -> StoreError? in if case .lost(let error) = news { error } else { nil } }.first
        }

        var missed: Int { all.count { if case .missed = $0 { true } else { false } } }
        var commits: Int { all.count { if case .catalogue = $0 { true } else { false } } }
    }

    /// Waits for something to happen in another process, for at most a minute.
    static func until(_ condition: () throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(60)
        while try !condition() {
            try #require(ContinuousClock.now < end, "nothing was heard")
            // Most checks open a connection of their own.
            Thread.sleep(forTimeInterval: 0.02)
        }
    }
}

extension PostgresStore {
    convenience init(
        url: String, limits: StoreLimits = StoreLimits(), clock: WallClock? = nil,
        programmeCheck: ProgrammeCheck? = nil, allowLostCommits: Bool = false
    ) throws {
        try self.init(
            url: PostgresURL(url), limits: limits, clock: clock, programmeCheck: programmeCheck,
            allowLostCommits: allowLostCommits)
    }

    convenience init(url: String, timeouts: PostgresTimeouts) throws {
        try self.init(
            url: PostgresURL(url), limits: StoreLimits(), clock: nil, steady: nil, programmeCheck: nil,
            allowLostCommits: false, timeouts: timeouts)
    }
}
