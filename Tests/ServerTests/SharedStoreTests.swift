import HubSupport
import MarqueeModel
import MarqueeStore
import Testing

@testable import MarqueeServer

/// The parts of a server that need care when servers share one store.
@Suite struct SharedStoreTests {
    private func move(_ revision: UInt64) -> MemberMove {
        MemberMove(.favorite("episode/\(revision)", true), revision: revision)
    }

    @Test func `Moves that arrive in a different order, or twice, are applied in order and once`() {
        let moves = UserMoves()
        let asked = [7, 5, 6, 7, 5, 9].map { moves.add(move($0), of: "mina") }
        #expect(asked == [true, false, false, false, false, false])
        #expect(moves.add(move(1), of: "jun"))
        #expect(moves.take("mina").map(\.revision) == [5, 6, 7, 9])
        #expect(moves.take("mina").isEmpty)
        #expect(moves.take("jun").map(\.revision) == [1])
        #expect(moves.add(move(10), of: "mina"), "the hub is asked again")
    }

    @Test func `If more moves of one user wait than may, the newest stay`() {
        let moves = UserMoves()
        let count = UInt64(5 * UserMoves.maximumPerUser)
        for revision in 1...count { _ = moves.add(move(revision), of: "mina") }
        let taken = moves.take("mina").map(\.revision)
        #expect(taken.count <= UserMoves.maximumPerUser)
        #expect(taken == Array((count - UInt64(taken.count) + 1)...count))
    }

    /// Found by the simulation: a standby that lacked the end of the logs was read before the server noticed.
    @Test func `Nothing is shown from a database that has lost what was shown`() throws {
        let world = try HubWorld()
        let request = OpenRequest(screen: "favorites", locale: nil, parameters: [], user: "mina")
        let view = try world.hub.open(request, reading: world.reads).get()
        try world.favorite("mina", "movie/1")
        let standby = try MemoryStore(standbyOf: world.store, seed: 2)
        try world.favorite("mina", "movie/2")
        let count = world.publications.count
        world.reads.replace(by: standby)
        let error = #expect(throws: StoreError.self) { try world.hub.userChanged("mina", reading: world.reads) }
        #expect(error?.code == .lost)
        #expect(world.publications.count == count)
        // Nor if nobody shows them any more, and they are read again when somebody does.
        world.hub.release(view.handles)
        let later = #expect(throws: StoreError.self) { try world.hub.userChanged("mina", reading: world.reads) }
        #expect(later?.code == .lost)
        // Nor the catalogue, when it has to be read from the beginning.
        let other = try MemoryStore(restoring: world.store, seed: 1)
        world.reads.replace(by: other)
        #expect(throws: StoreError.self) { try world.hub.reload(from: world.reads) }
    }

    /// Positions that were named come from the store as well, and may be newer than what is read of it later.
    @Test func `A view from before what the client was told isn't shown`() {
        var session = TestSession.live()
        session.publishUser("ana", 4)
        _ = session.frames()
        session.subscribe(1, "home")
        session.hubOpens("home", [("", 1, "h1"), ("rank", 2, "r1")], at: 10, 3)
        #expect(session.frames() == ["close NODE_BEHIND"])
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
