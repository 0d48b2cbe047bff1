import Dispatch
import HubSupport
import MarqueeModel
import MarqueeStore
import ProcessSupport
import Synchronization
import Testing

@testable import MarqueeClient

/// A server whose store answers slowly, as a database does that is far away or has too much to do.
@Suite("A slow store", .timeLimit(.minutes(10)))
struct SlowStoreTests {
    @Test func `While a user's collections are read, everybody else is served, and so are the user's other screens`()
        async throws
    {
        let store = StuckStore()
        try Harness.fill(store)
        let harness = try await Harness(store: store)
        let ben = try harness.client(user: "ben")
        var his = ben.screen(.home).makeAsyncIterator()
        _ = try await his.first { $0.origin == .live }
        _ = try await ben.screen(.favorites).first { $0.origin == .live }

        store.holds("ana")
        let ana = try harness.client(user: "ana")
        let hers = Task { try await ana.screen(.favorites).first { $0.origin == .live } }
        try await eventually("her collections being read") { store.isHolding }
        var home = ana.screen(.home).makeAsyncIterator()
        _ = try await home.first { $0.origin == .live }
        try await harness.showChart("2024-05-02")
        let revision = try store.catalogueHead().revision
        #expect(try await his.first { $0.screen.revision.catalogueRevision == revision }.origin == .live)
        #expect(try await home.first { $0.screen.revision.catalogueRevision == revision }.origin == .live)
        try await ben.setFavorite(true, for: .movie(27_205))
        #expect(try await ben.waitForConfirmation(within: .seconds(60)))
        #expect(store.isHolding)

        store.release()
        #expect(try await hers.value?.screen.sections.first?.items.isEmpty == true)
        for client in [ana, ben] { await client.close() }
        await harness.stop()
    }
}

/// A store in memory that doesn't answer for a while when the collections of one user are read.
private final class StuckStore: ForwardingStore, Sendable {
    let store = MemoryStore()
    private let held = Mutex<String?>(nil)
    private let holding = Atomic<Bool>(false)
    private let gate = DispatchSemaphore(value: 0)

    func holds(_ user: String) { held.withLock { $0 = user } }

    var isHolding: Bool { holding.load(ordering: .acquiring) }

    func release() {
        held.withLock { $0 = nil }
        gate.signal()
    }

    func members(of user: String) throws(StoreError) -> (head: LogHead, members: [StoredMember]) {
        if held.withLock({ $0 }) == user {
            holding.store(true, ordering: .releasing)
            gate.wait()
            holding.store(false, ordering: .releasing)
        }
        return try store.members(of: user)
    }
}
