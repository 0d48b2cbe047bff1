import MarqueeModel
import MarqueeStore
import Testing

@testable import MarqueeServer

/// What a server needs beside others on one store.
@Suite struct SharedStoreTests {
    private func move(_ revision: UInt64) -> MemberMove {
        MemberMove(.favorite("episode/\(revision)", true), revision: revision)
    }

    @Test func `Moves that come in another order, or twice, are taken ascending and once`() {
        let moves = UserMoves()
        let asked = [7, 5, 6, 7, 5, 9].map { moves.add(move($0), of: "mina") }
        #expect(asked == [true, false, false, false, false, false])
        #expect(moves.add(move(1), of: "jun"))
        #expect(moves.take("mina").map(\.revision) == [5, 6, 7, 9])
        #expect(moves.take("mina").isEmpty)
        #expect(moves.take("jun").map(\.revision) == [1])
        #expect(moves.add(move(10), of: "mina"), "the hub is asked again")
    }

    @Test func `Of more moves of one user than may wait, the newest stay`() {
        let moves = UserMoves()
        let count = UInt64(5 * UserMoves.maximumPerUser)
        for revision in 1...count { _ = moves.add(move(revision), of: "mina") }
        let taken = moves.take("mina").map(\.revision)
        #expect(taken.count <= UserMoves.maximumPerUser)
        #expect(taken == Array((count - UInt64(taken.count) + 1)...count))
    }

    @Test(arguments: [
        StoreError.Code.io, .lost, .busy, .forbidden, .diskFull, .corrupt,
    ])
    func `What clients are told of a store's failure names neither folder nor database`(code: StoreError.Code) {
        let error = StoreError(code, "the PostgreSQL database 'sesame' at 10.1.2.3", cause: "/srv/secret")
        let status = Status(storeError: error)
        for word in ["sesame", "10.1.2.3", "/srv"] { #expect(!status.message.contains(word)) }
        #expect(status.remedy == .retrySame && status.retryAfterMilliseconds ?? 0 > 0)
    }
}
