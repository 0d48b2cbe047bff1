import Foundation
import MarqueeModel
import MarqueeServer
import Synchronization
import Testing

@testable import MarqueeAccess

/// Keys that are new, gone or can't be read, and the tokens that come meanwhile.
@Suite struct JWTReadingTests {
    private typealias Claims = JWTTestClaims

    @Test func `A key that is new is found when a token needs it, and one that is gone takes its tokens with it`()
        async throws
    {
        let keys = try await JWTTestKeys()
        let issuers = try await keys.issuers()
        let old = try await issuers.identity(of: keys.token(Claims()))
        guard case .jwt(let key, _) = old.grant.source else {
            Issue.record("\(old)")
            return
        }
        // Right after the start.
        try await keys.add("k2")
        #expect(try await issuers.identity(of: keys.token(Claims(), kid: "k2", by: 1)).user == "ana")
        #expect(issuers.standing(of: old.grant, key: key) == .until(660_000))
        try await keys.add("k3")
        try keys.withdraw(0)
        _ = try await issuers.identity(of: keys.token(Claims(), kid: "k3", by: 2))
        #expect(issuers.standing(of: old.grant, key: key) == .ended)
        _ = await refusal { try await issuers.identity(of: keys.token(Claims())) }
    }

    @Test func `While keys can't be read nobody is let in by an unknown one, and nobody is told to sign in again`()
        async throws
    {
        let keys = try await JWTTestKeys()
        let set = try Data(contentsOf: keys.file)
        let issuer = JWTIssuer(
            JWTTestKeys.policy, source: .file(keys.file.path), clock: { Date(timeIntervalSince1970: 1_000) })
        let issuers = JWTIssuers([issuer])
        try FileManager.default.removeItem(at: keys.file)
        await #expect(throws: JWTProblem.self) { try await issuer.refresh() }
        let token = try await keys.token(Claims())
        for hasKeys in [false, true] {
            #expect(issuer.hasKeys == hasKeys)
            let status = await #expect(throws: Status.self) { try await issuers.identity(of: token) }
            #expect(status?.reason == "KEYS_UNAVAILABLE" && status?.code == .unavailable)
            #expect(status?.remedy == .retryOther)
            if !hasKeys {
                // Others' keys.
                let others = try await JWTTestKeys().published
                try JWTTestKeys.set(others).write(to: keys.file)
                try await issuer.refresh()
                try FileManager.default.removeItem(at: keys.file)
            }
        }
        try set.write(to: keys.file)
        #expect(try await issuers.identity(of: token).user == "ana")
    }

    /// A reading that waits until it is let go on.
    private final class Gate: Sendable {
        private let state = Mutex((begun: 0, waiting: [CheckedContinuation<Bool, Never>]()))
        var begun: Int { state.withLock { $0.begun } }

        func read() async -> Bool {
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    state.begun += 1
                    state.waiting.append(continuation)
                }
            }
        }

        func open(_ success: Bool) {
            let waiting = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume(returning: success) }
        }
    }

    @Test func `All who come during a reading wait for it, and those whom it doesn't help for one more`() async {
        let readings = JWTReadings()
        let gate = Gate()
        func next(_ joins: Bool) -> Task<JWTReadings.Outcome, Never> {
            Task { await readings.next(joiningCurrent: joins, read: { await gate.read() }) }
        }
        let first = next(true)
        while gate.begun < 1 { await Task.yield() }
        let joined = (0..<10).map { _ in next(true) }
        let later = (0..<10).map { _ in next(false) }
        while readings.waiting < 21 { await Task.yield() }
        gate.open(false)
        #expect(await first.value == .failed)
        for task in joined { #expect(await task.value == .failed) }
        while gate.begun < 2 { await Task.yield() }
        gate.open(true)
        for task in later { #expect(await task.value == .read(isFresh: true)) }
        #expect(gate.begun == 2 && readings.waiting == 0)
    }

    @Test func `Tokens bring about a few readings at once, and more only at intervals`() async {
        var pace = JWTReadingPace()
        let now = ContinuousClock.now
        let times = (0..<6).map { _ in now.duration(to: pace.take(now: now)) }
        #expect(times == [.zero, .zero, .zero, .zero, .seconds(10), .seconds(20)])
        let later = now + .seconds(1_000)
        #expect(pace.take(now: later) == later)

        let readings = JWTReadings()
        for _ in 0..<JWTReadingPace.burst {
            #expect(await readings.next(joiningCurrent: false, now: now, read: { true }) == .read(isFresh: true))
        }
        for _ in 0..<2 {
            #expect(await readings.next(joiningCurrent: false, now: now, read: { true }) == .later)
        }
    }
}
