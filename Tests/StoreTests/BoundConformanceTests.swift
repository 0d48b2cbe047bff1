import MarqueeModel
import MarqueeStore
import Synchronization
import Testing

/// The bounds after which every engine forgets.
@Suite struct BoundConformanceTests {
    @Test(arguments: EngineKind.allCases)
    func `History is cut to its bound and keeps the newest commit`(_ kind: EngineKind) throws {
        var limits = StoreLimits()
        limits.historyBytes = 1
        try kind.withStore(limits: limits) { store throws in
            for id in 1...3 as ClosedRange<UInt64> { try store.commit(Sample.page(id)) }
            #expect(try store.commits(after: 2, limit: 10).map(\.revision) == [3])
            let error = #expect(throws: StoreError.self) { try store.commits(after: 1, limit: 10) }
            #expect(error?.code == .historyCut)
            #expect(try store.snapshotChanges().count == 3)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `All engines cut history at the same commit`(_ kind: EngineKind) throws {
        var limits = StoreLimits()
        // Each commit below is 35 bytes of JSON.
        limits.historyBytes = 35 * 4
        try kind.withStore(limits: limits) { store throws in
            for id in 1...9 as ClosedRange<UInt64> { try store.commit(Sample.page(id)) }
            #expect(try store.commits(after: 5, limit: 10).map(\.revision) == [6, 7, 8, 9])
            #expect(throws: StoreError.self) { try store.commits(after: 4, limit: 10) }
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `History is bounded by commits`(_ kind: EngineKind) throws {
        var limits = StoreLimits()
        limits.historyCommits = 3
        try kind.withStore(limits: limits) { store throws in
            for id in 1...9 as ClosedRange<UInt64> { try store.commit(Sample.page(id)) }
            #expect(try store.commits(after: 6, limit: 10).map(\.revision) == [7, 8, 9])
            #expect(throws: StoreError.self) { try store.commits(after: 5, limit: 10) }
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `History is bounded by age`(_ kind: EngineKind) throws {
        var limits = StoreLimits()
        limits.historySeconds = 60
        let clock = TestClock()
        try kind.withStore(limits: limits, clock: { clock.now }) { store throws in
            try store.commit(Sample.page(1))
            clock.advance(seconds: 30)
            try store.commit(Sample.page(2))
            clock.advance(seconds: 30)
            try store.commit(Sample.page(3))
            #expect(try store.commits(after: 0, limit: 10).map(\.revision) == [1, 2, 3])
            clock.advance(seconds: 1)
            #expect(try store.commits(after: 0, limit: 10).count == 3, "reading doesn't cut history")
            try store.commit(Sample.page(4))
            #expect(try store.commits(after: 1, limit: 10).map(\.revision) == [2, 3, 4])
            #expect(throws: StoreError.self) { try store.commits(after: 0, limit: 10) }
            clock.advance(seconds: 3_600)
            #expect(try store.commits(after: 3, limit: 10).map(\.revision) == [4])
            try store.commit(Sample.page(5))
            #expect(throws: StoreError.self) { try store.commits(after: 3, limit: 10) }
            #expect(try store.commits(after: 4, limit: 10).map(\.revision) == [5])
        }
    }

    /// A server's clock that was 200 days ahead once made its store forget all clients, and cut the whole log.
    @Test(arguments: EngineKind.allCases)
    func `A clock that jumps ahead forgets no clients and cuts no history`(_ kind: EngineKind) throws {
        var limits = StoreLimits()
        limits.clients = 2
        let (clock, steady) = (TestClock(), TestClock())
        try kind.withStore(limits: limits, clock: { clock.now }, steady: { steady.now }) { store throws in
            try store.commit(Sample.page(1))
            try store.setFavorite("episode/1", .of(1, 1))
            clock.advance(seconds: 200 * 86_400)
            try store.setFavorite("episode/2", .of(2, 1))
            #expect(try store.setFavorite("episode/3", .of(3, 1)) == .tooManyClients, "nobody was silent for a day")
            try store.commit(Sample.page(2))
            #expect(try store.setFavorite("episode/1", .of(1, 1)) == .repeated(revision: 1, changed: true))
            #expect(try store.commits(after: 0, limit: 10).map(\.revision) == [1, 2])
            // Time by a steady clock counts.
            steady.advance(seconds: 8 * 86_400)
            try store.commit(Sample.page(3))
            #expect(throws: StoreError.self) { try store.commits(after: 0, limit: 10) }
            #expect(try store.setFavorite("episode/3", .of(3, 1)) == .done(revision: 3, changed: true))
        }
    }

    /// etcd lost the event after the resume point when history was cut exactly there (etcd#19179).
    @Test(arguments: EngineKind.allCases)
    func `A reader sees every commit or learns it missed some, wherever history is cut`(_ kind: EngineKind) throws {
        for kept in 1...6 as ClosedRange<UInt64> {
            var limits = StoreLimits()
            limits.historyCommits = kept
            try kind.withStore(limits: limits) { store throws in
                for id in 1...6 as ClosedRange<UInt64> { try store.commit(Sample.page(id)) }
                for position in 0...6 as ClosedRange<UInt64> {
                    if position + kept >= 6 {
                        let missed = try store.commits(after: position, limit: 10).map(\.revision)
                        #expect(missed == Array(position + 1..<7), "kept \(kept)")
                    } else {
                        let error = #expect(throws: StoreError.self) { try store.commits(after: position, limit: 10) }
                        #expect(error?.code == .historyCut)
                    }
                }
            }
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `The oldest commit keys are forgotten first`(_ kind: EngineKind) throws {
        var limits = StoreLimits()
        limits.commitKeys = 2
        try kind.withStore(limits: limits) { store throws in
            for (index, key) in ["c", "a", "b"].enumerated() {
                try store.commit(Sample.page(UInt64(index + 1)), key: key)
            }
            #expect(try store.commit(Sample.page(7), key: "a") == .keyReused)
            #expect(try store.commit(Sample.page(3), key: "b") == .done(revision: 3, changed: false))
            #expect(try store.commit(Sample.page(7), key: "c") == .done(revision: 4, changed: true))
            #expect(try store.commit(Sample.page(8), key: "a") == .done(revision: 5, changed: true))
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `The key of a refused commit doesn't count`(_ kind: EngineKind) throws {
        var limits = StoreLimits()
        limits.commitKeys = 1
        try kind.withStore(limits: limits) { store throws in
            try store.commit(Sample.page(1), key: "a")
            #expect(try store.commit(.removePage(""), key: "b")?.isRefused == true)
            #expect(try store.commit(Sample.page(2), key: "a") == .keyReused)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A client that has long sent no mutation is forgotten when a new one comes`(_ kind: EngineKind) throws {
        var limits = StoreLimits()
        limits.clientSeconds = 100
        let clock = TestClock()
        try kind.withStore(limits: limits, clock: { clock.now }) { store throws in
            try store.setFavorite("episode/1", .of(1, 1))
            try store.commit([Sample.page(1)], mutation: .of(1, 2))
            clock.advance(seconds: 60)
            try store.setFavorite("episode/2", .of(2, 1))
            clock.advance(seconds: 41)
            try store.setFavorite("episode/3", .of(2, 2))
            #expect(try store.setFavorite("episode/1", .of(1, 1)) == .repeated(revision: 1, changed: true))
            try store.setFavorite("episode/4", .of(3, 1))
            // Its publications are remembered with the catalogue, which no new client has reached yet.
            #expect(try store.lastMutation(of: MutationID.of(1, 0).client) == 2)
            try store.commit([Sample.page(2)], mutation: .of(3, 2))
            #expect(try store.lastMutation(of: MutationID.of(1, 0).client) == nil)
            #expect(try store.lastMutation(of: MutationID.of(2, 0).client) == 2)
            // Its answers are forgotten, too.
            #expect(try store.setFavorite("episode/1", .of(1, 1)) == .done(revision: 4, changed: false))
            #expect(try store.favoriteSubjects() == ["episode/1", "episode/2", "episode/3", "episode/4"])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A batch writes users' changes before the catalogue's`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let outcomes = try store.write([
                .catalogue(key: nil, changes: [Sample.page(1)], mutation: .of(1, 5)),
                .catalogue(key: nil, changes: [Sample.page(2)], mutation: nil),
                .favorite(user: "mina", subject: "episode/1", on: true, mutation: .of(1, 5)),
            ])
            #expect(outcomes == [.cloned, .done(revision: 1, changed: true), .done(revision: 1, changed: true)])
        }
    }
}

/// A wall clock that stands still until it is advanced.
final class TestClock: Sendable {
    private let milliseconds = Mutex<UInt64>(1_700_000_000_000)

    var now: UInt64 { milliseconds.withLock { $0 } }

    func advance(seconds: UInt64) { milliseconds.withLock { $0 += seconds * 1_000 } }
}
