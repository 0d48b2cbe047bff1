import HubSupport
import MarqueeModel
import MarqueeStore
import MarqueeWire
import Synchronization
import Testing

/// The reactions of a server when others may have written to its store unheard.
@Suite("Moves that were missed", .timeLimit(.minutes(10)))
struct MissedMovesTests {
    /// Waits until a connection is told of a revision of its user's log.
    private func progress(to revision: UInt64, at connection: RawConnection) async {
        for await message in connection.messages {
            if case .progress(let change) = message, change.userRevision == revision { break }
        }
    }

    /// Found by the simulation: the server asked only about users whose collections it held.
    @Test func `A client that shows no collections is told how far its user's log is`() async throws {
        let store = SharedMemoryStore()
        try Harness.fill(store)
        let harness = try await Harness(store: store, adjust: Harness.bearSilence)
        let ana = try await RawConnection.open(port: harness.server.summary.port)
        #expect(try await ana.greet(user: "ana")?.cut.userRevision == 0)

        try store.favoriteUnheard("ana")
        store.tell(.missed)
        await progress(to: 1, at: ana)
        await ana.close()
        await harness.stop()
    }

    /// The listener for moves may have reached the store all the time, so nothing else would tell.
    @Test func `A client welcomed while the store didn't answer is told its user's position later`() async throws {
        let store = SharedMemoryStore()
        try Harness.fill(store)
        let harness = try await Harness(store: store, adjust: Harness.bearSilence)
        let ben = try await RawConnection.open(port: harness.server.summary.port)
        #expect(try await ben.greet(user: "ben") != nil)
        try store.favoriteUnheard("ana")

        store.isAway.store(true, ordering: .releasing)
        let ana = try await RawConnection.open(port: harness.server.summary.port)
        #expect(try await ana.greet(user: "ana")?.cut.userRevision == 0)
        store.isAway.store(false, ordering: .releasing)
        await progress(to: 1, at: ana)
        for connection in [ana, ben] { await connection.close() }
        await harness.stop()
    }
}

/// A store in memory that others may write to, as a database is.
private final class SharedMemoryStore: ForwardingStore, SharedStore, Sendable {
    func note(ahead clients: [ClientAhead]) throws(StoreError) {}

    func clock() throws(StoreError) -> Moment { Moment(milliseconds: 0) }

    let store = MemoryStore()
    /// Whether it leaves requests about users unanswered.
    let isAway = Atomic<Bool>(false)
    private let hear = Mutex<@Sendable (StoreEvent) -> Void>({ _ in })

    func follow(_ hear: @escaping @Sendable (StoreEvent) -> Void) throws(StoreError) {
        self.hear.withLock { $0 = hear }
    }

    func tell(_ news: StoreEvent) { hear.withLock { $0 }(news) }

    /// Sets the user's first favorite as another process does: the server knows nothing of it.
    func favoriteUnheard(_ user: String) throws {
        let mutation = MutationID(client: [UInt8](repeating: 1, count: 16), number: 1, answeredThrough: 0)
        let outcome = try store.write([.member(user: user, .favorite("movie/27205", true), mutation: mutation)])
        #expect(outcome == [.done(revision: 1, changed: true)])
    }

    func userHead(_ user: String) throws(StoreError) -> LogHead {
        if isAway.load(ordering: .acquiring) { throw StoreError(.io, "the test's store doesn't answer") }
        return try store.userHead(user)
    }
}
