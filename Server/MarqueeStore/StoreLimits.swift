import Foundation

/// How much a store keeps; the same for every engine.
package struct StoreLimits: Hashable, Sendable {
    /// Bytes of the catalogue's log, as JSON. When this or one of the next two is exceeded, the oldest commits are
    /// dropped; the newest one always stays.
    package var historyBytes = 64 << 20
    /// Commits of the catalogue's log.
    package var historyCommits: UInt64 = 100_000
    /// Age of the oldest commit, in seconds, measured when a new one is made.
    package var historySeconds: UInt64 = 7 * 86_400
    /// Commit keys remembered, so that a commit is made once; the oldest are dropped first.
    package var commitKeys = 1_000_000
    /// Editions of a list. A commit that adds one beyond the limit removes the oldest, by name, but never the one in
    /// force. `nil` for no limit but that of the catalogue.
    package var listEditions: Int?
    /// Members of one collection of one user, such as favorites.
    package var membersPerCollection = 10_000
    /// Collections of one user that have members.
    package var collectionsPerUser = 32
    /// Bytes of the value that a collection keeps with a member.
    package static let valueBytes = 256
    /// Bytes of observations that haven't been collected yet. Beyond that, clients keep theirs.
    package var observationBytes = 256 << 20
    /// Answers kept per client and file, so that a mutation sent again gets the answer given before.
    package var answersPerClient = 64
    /// Clients whose last mutation is remembered. The client that has been silent for longest is forgotten first.
    package var clients = 1_000_000
    /// Seconds after its last mutation in which a client isn't forgotten for a new one, because a mutation that it
    /// sends again must not count as new. If all are that recent, new clients are refused.
    package var recentClientSeconds: UInt64 = 86_400
    /// Seconds without a mutation after which a client may be forgotten. Checked when a new client makes its first
    /// mutation.
    package var clientSeconds: UInt64 = 180 * 86_400
    /// Bytes of each file in a data folder; 0 for no limit but the disk's. A write that would exceed it fails as it
    /// would on a full disk.
    package var fileBytes = 0

    package init() {}

    /// How many keys are dropped at once when there are too many: finding the oldest means looking at all of them.
    var commitKeysDropped: Int { max(1, commitKeys / 16) }

    var clientMicroseconds: UInt64 {
        let (product, overflows) = clientSeconds.multipliedReportingOverflow(by: 1_000_000)
        return overflows ? .max : product
    }

    /// Whether a client's last mutation is too recent for it to be forgotten for a new client. A time far ahead, from a
    /// wrong clock, doesn't count.
    /// - Parameters:
    ///   - used: the time of the mutation, in microseconds since 1970.
    ///   - now: the present time, in microseconds since 1970.
    func isRecent(_ used: UInt64, now: UInt64) -> Bool {
        let recent = recentMicroseconds
        return used > now ? used - now < recent : now - used < recent
    }

    var recentMicroseconds: UInt64 {
        let (product, overflows) = recentClientSeconds.multipliedReportingOverflow(by: 1_000_000)
        return overflows ? .max : product
    }

    /// Whether a log exceeds a limit, so that its oldest commit has to be dropped.
    /// - Parameter seconds: the age of the oldest commit.
    func dropsOldest(bytes: Int, commits: UInt64, seconds: UInt64) -> Bool {
        bytes > historyBytes || commits > historyCommits || seconds > historySeconds
    }
}

/// Returns the time of day, in milliseconds since 1970, UTC; or a monotonic time in milliseconds.
package typealias WallClock = @Sendable () -> UInt64

/// The clock of an engine that is given none.
func systemWallClock() -> UInt64 { UInt64(max(0, Date().timeIntervalSince1970 * 1_000)) }
