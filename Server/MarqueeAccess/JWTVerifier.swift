package import Foundation
import JWTKit
import MarqueeModel
import MarqueeServer
import Synchronization

/// Finds out who a JSON Web Token (RFC 7519) is about. Thread safe.
package final class JWTVerifier: Sendable {
    private let policy: JWTPolicy
    private let keys: Mutex<JWTKeys>
    private let clock: @Sendable () -> Date
    /// May call `replace(by:)` before it returns.
    private let keyMissing = Mutex<(@Sendable () async -> Void)?>(nil)

    /// - Parameter clock: the time of day.
    package init(_ policy: JWTPolicy, keys: JWTKeys, clock: @escaping @Sendable () -> Date = { Date() }) {
        self.policy = policy
        self.keys = Mutex(keys)
        self.clock = clock
    }

    /// Calls `work` when a token names a key that isn't known, and looks for the key again when it returns.
    func onMissingKey(_ work: @escaping @Sendable () async -> Void) { keyMissing.withLock { $0 = work } }

    /// Continues with other keys: whoever came with a token of a key that is gone is disconnected within seconds.
    package func replace(by keys: JWTKeys) { self.keys.withLock { $0 = keys } }

    /// - Throws: `TOKEN_REFUSED`, with the reason in words.
    func identity(of token: String) async throws(Status) -> Identity {
        guard let (header, _, _) = try? DefaultJWTParser().parse(Array(token.utf8), as: JWTClaims.self) else {
            throw .tokenRefused
        }
        // A token that needs extensions isn't understood (RFC 7515 section 4.1.11).
        guard header.fields["crit"] == nil else { throw .refused("it needs extensions that this server doesn't have") }
        guard let algorithm = header.alg, policy.algorithms.contains(algorithm) else {
            throw .refused("it is not signed in a way that this server accepts")
        }
        guard let key = await key(header.kid), key.algorithm == algorithm,
            let claims = try? await key.verifier.verify(token, as: JWTClaims.self)
        else { throw .refused("it is not signed by a key of its issuer") }
        return try identity(claims, key: key.id)
    }

    private func key(_ id: String?) async -> JWTKeys.Key? {
        if let key = keys.withLock({ $0.key(id) }) { return key }
        await keyMissing.withLock { $0 }?()
        return keys.withLock { $0.key(id) }
    }

    /// Judges the claims of a token whose signature is right.
    private func identity(_ claims: JWTClaims, key: String?) throws(Status) -> Identity {
        guard claims.text("iss") == policy.issuer else { throw .refused("another has issued it") }
        guard claims.texts["aud"]?.contains(policy.audience) == true else {
            throw .refused("it is meant for another service")
        }
        guard let end = claims.numbers["exp"] else { throw .refused("it never ends") }
        let (now, skew) = (clock(), TimeInterval(policy.skew))
        let ends = Date(timeIntervalSince1970: end).addingTimeInterval(skew)
        guard ends > now else { throw .refused("it has ended") }
        if let begin = claims.numbers["nbf"], Date(timeIntervalSince1970: begin).addingTimeInterval(-skew) > now {
            throw .refused("it is not valid yet")
        }
        let words = claims.texts[policy.scopeClaim].map { $0.flatMap { $0.split(separator: " ").map(String.init) } }
        return Identity(
            user: claims.text(policy.userClaim),
            grant: Grant(
                policy.scopes(of: words), from: .jwt(key: key, id: claims.text("jti")), ends: ends.unixMilliseconds))
    }

    /// How a grant that this verifier has given stands.
    /// - Parameter key: the key that signed its token.
    func standing(of grant: Grant, key: String?) -> Standing {
        keys.withLock { $0.key(key) } == nil ? .ended : grant.standing(now: clock().unixMilliseconds)
    }
}

extension Status {
    fileprivate static func refused(_ reason: String) -> Status {
        Status(
            .unauthenticated, reason: "TOKEN_REFUSED", remedy: .reauthenticate,
            message: "the token is not accepted: \(reason)")
    }
}
