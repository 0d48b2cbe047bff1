import Foundation

/// How much a store keeps. The same for every engine.
package struct StoreLimits: Hashable, Sendable {
    /// Bytes of the catalogue's log as JSON. Of this and the next two, the first that is exceeded drops the oldest
    /// commits; the newest one always stays.
    package var historyBytes = 64 << 20
    /// Commits of the catalogue's log.
    package var historyCommits: UInt64 = 100_000
    /// Age of the oldest commit when a new one is made, in seconds.
    package var historySeconds: UInt64 = 7 * 86_400
    /// Keys of commits that are remembered, so that a commit is made once; the oldest are dropped first.
    package var commitKeys = 1_000_000
    /// Days of a chart, or times where it changes oftener: a commit that stores a further one removes the oldest, but
    /// never the one that is shown. `nil` for no limit.
    package var chartDays: Int?
    /// Favorites of one user.
    package var favoritesPerUser = 10_000
    /// Answers kept per client and file, so that a mutation sent again gets the answer given before.
    package var answersPerClient = 64
    /// Clients whose last mutation is remembered. The one that was silent longest is forgotten first.
    package var clients = 100_000
    /// How long a client may make no mutation before it is forgotten, in seconds. Looked at when another client comes
    /// for the first time.
    package var clientSeconds: UInt64 = 180 * 86_400
    /// Bytes of each file of a data folder; 0 for no limit but the disk's. A write that would exceed it fails as on a
    /// full disk.
    package var fileBytes = 0

    package init() {}

    /// How many keys go at once when there are too many: finding the oldest ones means looking at all.
    var commitKeysDropped: Int { max(1, commitKeys / 16) }

    var clientMicroseconds: UInt64 {
        let (product, overflows) = clientSeconds.multipliedReportingOverflow(by: 1_000_000)
        return overflows ? .max : product
    }

    /// Whether a log has too much when its oldest commit stays.
    func dropsOldest(bytes: Int, commits: UInt64, seconds: UInt64) -> Bool {
        bytes > historyBytes || commits > historyCommits || seconds > historySeconds
    }
}

/// Tells the time of day: milliseconds since 1970, UTC.
package typealias WallClock = @Sendable () -> UInt64

/// What an engine asks when it is given no other clock.
func systemWallClock() -> UInt64 { UInt64(max(0, Date().timeIntervalSince1970 * 1_000)) }
