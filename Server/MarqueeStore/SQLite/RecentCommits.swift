import DequeModule
import MarqueeCatalogue

/// The newest consecutive commits of a catalogue's log as they were written, so that followers of the log needn't read
/// and decode it.
struct RecentCommits {
    /// Commits kept.
    static let maximumCount = 256
    /// Bytes of their changes, as the log stores them. The newest commit is kept whatever its size.
    static let maximumBytes = 4 << 20

    private var entries: Deque<(commit: CatalogueCommit, bytes: Int)> = []
    private var bytes = 0
    /// The oldest revision that the log still has, as far as is known here.
    private var oldest: UInt64 = 0

    /// - Parameter bytes: the size of its changes, as the log stores them.
    mutating func append(_ commit: CatalogueCommit, bytes: Int) {
        if let last = entries.last, last.commit.revision + 1 != commit.revision { (entries, self.bytes) = ([], 0) }
        entries.append((commit, bytes))
        self.bytes += bytes
        while entries.count > Self.maximumCount || self.bytes > Self.maximumBytes && entries.count > 1 { dropFirst() }
    }

    /// Appends the commits that follow.
    mutating func append(_ next: RecentCommits) {
        for entry in next.entries { append(entry.commit, bytes: entry.bytes) }
        cut(before: next.oldest)
    }

    /// The log has dropped the commits before a revision.
    mutating func cut(before revision: UInt64) {
        oldest = max(oldest, revision)
        while let first = entries.first, first.commit.revision < oldest { dropFirst() }
    }

    private mutating func dropFirst() { bytes -= entries.removeFirst().bytes }

    /// The commits after a revision, ascending.
    /// - Returns: `nil` if some of them may not be here.
    func commits(after revision: UInt64, limit: Int) -> [CatalogueCommit]? {
        guard let first = entries.first?.commit.revision, let last = entries.last?.commit.revision,
            revision >= first - 1, revision <= last
        else { return nil }
        return entries.dropFirst(Int(revision + 1 - first)).prefix(limit).map(\.commit)
    }
}
