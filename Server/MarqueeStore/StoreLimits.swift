/// How much a store keeps. The same for every engine.
package struct StoreLimits: Hashable, Sendable {
    /// Bytes of the catalogue's log as JSON. Older commits are dropped; the newest one always stays.
    package var historyBytes = 64 << 20
    /// Favorites of one user.
    package var favoritesPerUser = 10_000
    /// Answers kept per client and file, so that a mutation sent again gets the answer given before.
    package var answersPerClient = 64
    /// Clients whose last mutation is remembered. The one that was silent longest is forgotten first.
    package var clients = 100_000
    /// Bytes of each file of a data folder; 0 for no limit but the disk's. A write that would exceed it fails as on a full disk.
    package var fileBytes = 0

    package init() {}
}
