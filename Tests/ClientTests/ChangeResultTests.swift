import MarqueeMirror
import MarqueeModel
import MarqueeWire
import Synchronization
import Testing

@testable import MarqueeClient

@Suite("What becomes of changes")
struct ChangeResultTests {
    private final class Outcome: Sendable {
        private let state = Mutex<Result<ChangeResult, ClientError>?>(nil)
        var take: @Sendable (Result<ChangeResult, ClientError>) -> Void {
            { result in self.state.withLock { $0 = result } }
        }
        var result: ChangeResult? { if case .success(let result)? = state.withLock({ $0 }) { result } else { nil } }
        var error: ClientError? { if case .failure(let error)? = state.withLock({ $0 }) { error } else { nil } }
        var isPresent: Bool { state.withLock { $0 != nil } }
    }

    private func set(_ movie: UInt64, on: Bool = true, _ test: TestEngine) throws -> SubmittedChange {
        let number = try test.engine.setMember(.movie(movie), of: .favorites, on)
        return SubmittedChange(collection: .favorites, subject: .movie(movie), number: number)
    }

    private func waits(for change: SubmittedChange, _ test: TestEngine) -> Outcome {
        let outcome = Outcome()
        test.engine.whenSettled(.one(change), within: .seconds(30), completion: outcome.take)
        return outcome
    }

    @Test func `A change is confirmed when the server has answered, and later too`() throws {
        let test = try TestEngine()
        defer { test.world.end() }
        _ = test.watch()
        test.connect()
        let change = try set(1, test)
        let outcome = waits(for: change, test)
        #expect(!outcome.isPresent)
        try test.answer(userRevision: 4)
        #expect(outcome.result == .confirmed)
        #expect(waits(for: change, test).result == .confirmed)
        #expect(test.engine.counters.confirmedChanges == 1)
    }

    @Test func `A rejection comes with its reason`() throws {
        let test = try TestEngine()
        defer { test.world.end() }
        _ = test.watch()
        test.connect()
        let change = try set(1, test)
        let outcome = waits(for: change, test)
        try test.refuse("SUBJECT_INVALID", message: "not that one")
        guard case .rejected(let error)? = outcome.result else {
            Issue.record("it was rejected")
            return
        }
        #expect(error.code == .changeRefused && error.message == "not that one")
        #expect(try test.engine.state(of: .favorites).rejected.map(\.subject) == [.movie(1)])
    }

    @Test func `A change that a later one replaces says so`() throws {
        let test = try TestEngine()
        defer { test.world.end() }
        let first = try set(1, test)
        let outcome = waits(for: first, test)
        let second = try set(1, on: false, test)
        #expect(outcome.result == .replaced)
        #expect(!waits(for: second, test).isPresent)
    }

    @Test func `Waiting ends with the time, with the task and with the client`() throws {
        let test = try TestEngine()
        let change = try set(1, test)
        let (late, cancelled, closed) = (waits(for: change, test), Outcome(), Outcome())
        let id = test.engine.whenSettled(.all, within: .seconds(99), completion: cancelled.take)
        test.engine.stopWaiting(id ?? 0, .cancelled)
        #expect(cancelled.error?.code == .cancelled)
        test.advance(31)
        #expect(late.error?.code == .timeout)
        test.engine.whenSettled(.all, within: .seconds(99), completion: closed.take)
        test.world.end()
        test.engine.stop()
        #expect(closed.error?.code == .closed)
    }

    @Test func `A change that was renumbered is still the same change`() throws {
        let test = try TestEngine()
        defer { test.world.end() }
        _ = test.watch()
        let change = try set(1, test)
        let outcome = waits(for: change, test)
        // The server knows higher numbers: everything unsent gets numbers above them.
        test.connect(last: 40)
        #expect(test.sentChanges.last == "41 +movie/1")
        try test.answer(userRevision: 4)
        #expect(outcome.result == .confirmed)
    }

    @Test func `A collection's reader sees members, what is leaving, and what was rejected`() async throws {
        let test = try TestEngine()
        defer { test.world.end() }
        _ = test.watch()
        let mailbox = Mailbox<CollectionState>()
        test.engine.observe(.favorites, mailbox)
        #expect(try await mailbox.next()?.isLoaded == false)
        test.connect(confirmed: [1, 2])
        var state = try #require(try await mailbox.next())
        #expect(state.members.map(\.subject) == [.movie(1), .movie(2)] && state.isLoaded && state.isLive)
        _ = try set(1, on: false, test)
        state = try #require(try await mailbox.next())
        #expect(state.members.map(\.subject) == [.movie(2)] && state.pendingRemovals == [.movie(1)])
        try test.refuse("REFUSED", message: "keep it")
        state = try #require(try await mailbox.next())
        #expect(state[.movie(1)]?.error?.message == "keep it" && state.pendingRemovals.isEmpty)
        #expect(state.rejected.map(\.error) == [ClientError(.changeRefused, "keep it")])
        test.engine.unobserve(.favorites, mailbox)
    }

    @Test func `Without a user a collection's reader is told to sign in`() async throws {
        let test = try TestEngine(user: nil)
        let mailbox = Mailbox<CollectionState>()
        test.engine.observe(.favorites, mailbox)
        await #expect(throws: ClientError.self) { _ = try await mailbox.next() }
    }
}
