import Testing

@testable import nodes

struct JudgeTests {
    private let star = FavoriteKey(user: "ana", subject: "movie/1")
    private let other = FavoriteKey(user: "ben", subject: "movie/1")

    /// Returns the favorites that the database has after these moves.
    private func stored(_ moves: [FavoriteKey: [Bool]]) -> StoredFavorites {
        StoredFavorites(
            moves: moves, members: Set(moves.filter { $0.value.last == true }.keys),
            revisions: Dictionary(grouping: moves, by: \.key.user).mapValues { $0.reduce(0) { $0 + $1.value.count } })
    }

    @Test func `A database with what was confirmed, and nothing else, is as it should be`() {
        let changes = [star: [true, false, true], other: [true, false]]
        let judge = Judge(confirmed: changes, stored: stored(changes))
        #expect(judge.lost == 0)
        #expect(judge.doubled == 0)
        #expect(judge.findings == [])
    }

    @Test(arguments: [([], 3), ([true], 2), ([true, true], 1), ([false, true], 1)] as [([Bool], Int)])
    func `A confirmed change that isn't in the log is lost`(moves: [Bool], lost: Int) {
        let judge = Judge(confirmed: [star: [true, false, true]], stored: stored([star: moves]))
        #expect(judge.lost == lost)
        #expect(!judge.findings.isEmpty)
    }

    @Test func `A change that took effect twice is doubled`() {
        let judge = Judge(
            confirmed: [star: [true, false]], stored: stored([star: [true, false, true, false]]))
        #expect(judge.lost == 0)
        #expect(judge.doubled == 2)
    }

    @Test func `A favorite that nobody set is one too many`() {
        let judge = Judge(confirmed: [star: [true]], stored: stored([star: [true], other: [true]]))
        #expect(judge.lost == 0)
        #expect(judge.doubled == 1)
    }

    @Test func `A member that is gone behind the log's back is lost, and one that is there is one too many`() {
        var gone = stored([star: [true]])
        gone.members = []
        #expect(Judge(confirmed: [star: [true]], stored: gone).lost == 1)
        var back = stored([star: [true, false]])
        back.members = [star]
        #expect(Judge(confirmed: [star: [true, false]], stored: back).doubled == 1)
    }

    @Test func `A log that says more than its moves is found`() {
        var odd = stored([star: [true]])
        odd.revisions["ana"] = 2
        #expect(Judge(confirmed: [star: [true]], stored: odd).findings == ["the log of ana is at 2 after 1 moves"])
    }
}
