import MarqueeCatalogue
import SeededRandom
import Testing

@testable import MarqueeStore

@Suite struct RecentCommitsTests {
    private func commit(_ revision: UInt64) -> CatalogueCommit {
        CatalogueCommit(revision: revision, key: "k\(revision)", changes: [])
    }

    private func commits(_ revisions: ClosedRange<UInt64>, bytes: Int = 10) -> RecentCommits {
        var commits = RecentCommits()
        for revision in revisions { commits.append(commit(revision), bytes: bytes) }
        return commits
    }

    @Test func `Commits after a known revision are returned, up to a limit`() {
        let recent = commits(5...9)
        #expect(recent.commits(after: 4, limit: 2)?.map(\.revision) == [5, 6])
        #expect(recent.commits(after: 7, limit: 64)?.map(\.revision) == [8, 9])
        #expect(recent.commits(after: 9, limit: 64)?.isEmpty == true)
    }

    @Test func `If some of the requested commits are missing, nothing is returned`() {
        #expect(RecentCommits().commits(after: 0, limit: 1) == nil)
        #expect(commits(5...9).commits(after: 3, limit: 1) == nil)
        #expect(commits(5...9).commits(after: 10, limit: 1) == nil)
    }

    @Test func `The newest commits are kept, within bounds of number and bytes`() {
        let many = commits(1...UInt64(RecentCommits.maximumCount) + 5)
        #expect(many.commits(after: 4, limit: 1) == nil)
        #expect(many.commits(after: 5, limit: 1)?.map(\.revision) == [6])
        let large = commits(1...5, bytes: RecentCommits.maximumBytes / 2)
        #expect(large.commits(after: 2, limit: 9) == nil)
        #expect(large.commits(after: 3, limit: 9)?.count == 2)
        #expect(commits(1...5, bytes: RecentCommits.maximumBytes + 1).commits(after: 4, limit: 9)?.count == 1)
    }

    @Test func `After a gap, only what follows it is kept`() {
        var recent = commits(1...3)
        recent.append(commits(5...6))
        #expect(recent.commits(after: 3, limit: 9) == nil)
        #expect(recent.commits(after: 4, limit: 9)?.map(\.revision) == [5, 6])
    }

    @Test func `Commits that the log has dropped are not returned`() {
        var recent = commits(1...3)
        var next = commits(4...5)
        next.cut(before: 3)
        recent.append(next)
        #expect(recent.commits(after: 1, limit: 9) == nil)
        #expect(recent.commits(after: 2, limit: 9)?.map(\.revision) == [3, 4, 5])
    }
}
