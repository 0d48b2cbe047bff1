import MarqueeModel
import PostgresSupport
import Testing

@testable import MarqueeStore

/// What only PostgreSQL does: many nodes, and a server that can go away.
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
}
