package import Foundation
import JWTKit
import MarqueeModel
package import MarqueeServer
import MarqueeTLS
import Synchronization

/// Admits JSON Web Tokens of one issuer, with keys that may change while the server runs. Thread safe.
package final class JWTIssuer: Sendable {
    /// How often keys are read from an address.
    package static let interval = Duration.seconds(300)

    package let source: JWTKeySource
    package let policy: JWTPolicy
    private let clock: @Sendable () -> Date
    private let say: @Sendable (String) -> Void
    private let state = Mutex(State())
    private let readings = JWTReadings()
    private let hints = Mutex(JWTHintPace())
    private let reader = Mutex<(@Sendable () async -> Void)?>(nil)

    private struct State {
        /// `nil` until they have been read for the first time.
        var keys: JWTKeys?
        /// The number of reads started so far, and the number of the read whose keys are in force.
        var begun = 0
        var inForce = 0
    }

    /// It knows no keys until the first `refresh`.
    /// - Parameters:
    ///   - clock: the time of day.
    ///   - say: logs one sentence for the operator.
    package init(
        _ policy: JWTPolicy, source: JWTKeySource, clock: @escaping @Sendable () -> Date = { Date() },
        say: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.policy = policy
        self.source = source
        self.clock = clock
        self.say = say
    }

    /// Whether any keys have been read.
    package var hasKeys: Bool { state.withLock { $0.keys != nil } }

    /// Reads the keys.
    /// - Returns: how many there are.
    /// - Throws: `JWTProblem`; the previous keys stay then.
    @discardableResult
    package func refresh() async throws(JWTProblem) -> Int {
        let number = state.withLock { state in
            state.begun += 1
            return state.begun
        }
        let keys = try await source.keys(for: policy)
        state.withLock { state in
            // The result of a slow read doesn't replace that of a later one.
            guard number > state.inForce else { return }
            state.keys = keys
            state.inForce = number
        }
        return keys.keys.count
    }

    /// Sets the closure that reads keys when a token needs them; it calls `refresh`.
    package func read(by work: @escaping @Sendable () async -> Void) { reader.withLock { $0 = work } }

    /// - Parameter header: the token's header, decoded but not verified.
    /// - Throws: `TOKEN_REFUSED`, with the reason in words; `KEYS_UNAVAILABLE` if that can't be decided now.
    func identity(of token: String, _ header: JWTHeader) async throws(Status) -> Identity {
        // A token that needs extensions isn't understood (RFC 7515 section 4.1.11).
        guard header.fields["crit"] == nil else { throw .refused("it needs extensions that this server doesn't have") }
        guard let algorithm = header.alg, policy.algorithms.contains(algorithm) else {
            throw .refused("it is not signed in a way that this server accepts")
        }
        // An unknown key may be new, so the keys are read again. A read already in progress may have missed it.
        var (mayJoin, isDecided) = (true, false)
        while true {
            if let (claims, key) = await signed(token, header.kid, algorithm) { return try judge(claims, key) }
            guard !isDecided else { throw .refused("it is not signed by a key of its issuer") }
            switch await readings.next(joiningCurrent: mayJoin, read: { await self.readNow() }) {
            case .read(let isFresh): (mayJoin, isDecided) = (false, isFresh)
            case .failed, .later: throw .keysUnavailable
            }
        }
    }

    /// The claims of a token, and the name of the key that signed it; `nil` if no known key did.
    private func signed(_ token: String, _ id: String?, _ algorithm: String) async -> (JWTClaims, String)? {
        for key in state.withLock({ $0.keys })?.keys(id, algorithm) ?? [] {
            if let claims = try? await key.verifier.verify(token, as: JWTClaims.self) { return (claims, key.name) }
        }
        return nil
    }

    private func judge(_ claims: JWTClaims, _ key: String) throws(Status) -> Identity {
        do throws(JWTRefusal) {
            let (identity, hint) = try policy.judge(claims, key: key, now: clock())
            if let hint { tell(hint) }
            return identity
        } catch {
            if let hint = error.hint { tell(hint) }
            throw .refused(error.reason)
        }
    }

    private func tell(_ hint: JWTHint) {
        if let line = hints.withLock({ $0.line(for: hint, now: .now) }) { say(line) }
    }

    /// - Returns: whether keys were read.
    private func readNow() async -> Bool {
        let before = state.withLock { $0.begun }
        if let work = reader.withLock({ $0 }) { await work() } else { _ = try? await refresh() }
        return state.withLock { $0.inForce } > before
    }

    /// Whether the key of this name is in force.
    func has(_ key: String) -> Bool { state.withLock { $0.keys?.contains(key) ?? false } }

    /// The standing of a grant that was given for this issuer's token, provided that the token's key is in force.
    func standing(of grant: Grant) -> Standing { grant.standing(now: clock().unixMilliseconds) }
}

/// Admits JSON Web Tokens, each by the policy of its issuer.
package struct JWTIssuers: Sendable {
    private let issuers: [String: JWTIssuer]

    /// - Parameter issuers: must have distinct names.
    package init(_ issuers: [JWTIssuer]) {
        self.issuers = Dictionary(issuers.map { ($0.policy.issuer, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// - Throws: `TOKEN_REFUSED`, with the reason in words; `KEYS_UNAVAILABLE` if that can't be decided now.
    func identity(of token: String) async throws(Status) -> Identity {
        guard let (header, claims, _) = try? DefaultJWTParser().parse(Array(token.utf8), as: JWTClaims.self) else {
            throw .tokenRefused
        }
        guard let json = ClaimNames.claims(of: token), ClaimNames.areUnique(in: json) else {
            throw .refused("one of its claims is there twice")
        }
        guard let issuer = claims.text("iss").flatMap({ issuers[$0] }) else { throw .refused("it has another issuer") }
        return try await issuer.identity(of: token, header)
    }

    /// The standing of a grant that was given for a token of one of the issuers.
    /// - Parameter key: the name of the key that signed its token.
    func standing(of grant: Grant, key: String) -> Standing {
        issuers.values.first { $0.has(key) }?.standing(of: grant) ?? .ended
    }
}

extension Status {
    fileprivate static func refused(_ reason: String) -> Status {
        Status(
            .unauthenticated, reason: "TOKEN_REFUSED", remedy: .reauthenticate,
            message: "the token is not accepted: \(reason)")
    }

    /// It names no pause, so clients wait as after any failure: keys may arrive at any time.
    fileprivate static let keysUnavailable = Status(
        .unavailable, reason: "KEYS_UNAVAILABLE", remedy: .retryOther,
        message: "the server can't check the token now, as it has yet to read its issuer's newest keys")
}
