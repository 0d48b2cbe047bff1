package import Foundation
import MarqueeHTTP
import MarqueeTLS
import Synchronization

/// Where the keys for JSON Web Tokens come from.
package enum JWTKeySource: Hashable, Sendable, CustomStringConvertible {
    /// The path of a file.
    case file(String)
    /// An address with HTTPS; HTTP to this machine only.
    case address(String)

    /// Leaves room for an answer's head.
    private static let client = HTTPClient(maximumBytes: JWTKeys.maximumBytes + 64 << 10, patience: .seconds(10))
    private static let schemes = ["https", "http"]

    /// - Parameter text: a path or an address.
    /// - Throws: `JWTProblem` for an address that is read without protection.
    package init(_ text: String) throws(JWTProblem) {
        guard let url = URL(string: text), let scheme = url.scheme, Self.schemes.contains(scheme) else {
            self = .file(text)
            return
        }
        guard let host = url.host(), scheme == "https" || Loopback.contains(host) else {
            throw JWTProblem("\(text) is read without protection, so anybody could replace the keys: use https")
        }
        self = .address(text)
    }

    package var description: String {
        switch self {
        case .file(let text), .address(let text): text
        }
    }

    /// Reads the keys.
    /// - Throws: `JWTProblem`, which names the source.
    package func keys(_ algorithms: Set<String>) async throws(JWTProblem) -> JWTKeys {
        let json = try await read()
        do throws(JWTProblem) { return try await JWTKeys(json: json, algorithms: algorithms) } catch {
            throw JWTProblem("\(self): \(error.description)")
        }
    }

    private func read() async throws(JWTProblem) -> Data {
        switch self {
        case .file(let path):
            guard let data = FileManager.default.contents(atPath: path) else {
                throw JWTProblem("\(path) doesn't exist or can't be read")
            }
            return data
        case .address(let address):
            let answer: HTTPClient.Answer
            do throws(HTTPProblem) {
                answer = try await Self.client.send(.GET, HTTPAddress(address))
            } catch {
                throw JWTProblem(error.description)
            }
            guard answer.status == .ok else { throw JWTProblem("\(address) answers \(answer.status)") }
            return Data(answer.body.readableBytesView)
        }
    }
}

/// Admits JSON Web Tokens by keys that may change while the server runs. Thread safe.
package final class JWTIssuer: Sendable {
    /// How long after a reading a token with an unknown key brings about the next one at the earliest: tokens are free
    /// to invent, and each would make the server ask.
    private static let spacing = Duration.seconds(30)
    /// How often keys are read from an address.
    package static let interval = Duration.seconds(300)

    package let source: JWTKeySource
    package let verifier: JWTVerifier
    private let policy: JWTPolicy
    /// When a token with an unknown key may bring about a reading.
    private let earliest: Mutex<ContinuousClock.Instant>

    /// Reads the keys.
    /// - Parameter clock: the time of day.
    /// - Throws: `JWTProblem`, which names the source.
    package init(
        _ policy: JWTPolicy, source: JWTKeySource, clock: @escaping @Sendable () -> Date = { Date() }
    ) async throws(JWTProblem) {
        self.source = source
        self.policy = policy
        earliest = Mutex(.now + Self.spacing)
        verifier = JWTVerifier(policy, keys: try await source.keys(policy.algorithms), clock: clock)
        verifier.onMissingKey { [weak self] in await self?.refreshForUnknownKey() }
    }

    /// Reads the keys again.
    /// - Returns: how many there are.
    /// - Throws: `JWTProblem`; the previous keys stay then.
    @discardableResult
    package func refresh() async throws(JWTProblem) -> Int {
        let keys = try await source.keys(policy.algorithms)
        verifier.replace(by: keys)
        return keys.keys.count
    }

    /// Reads the keys again, unless that was done a moment ago. A failure leaves them as they are.
    private func refreshForUnknownKey() async {
        let isTime = earliest.withLock { earliest in
            guard earliest <= .now else { return false }
            earliest = .now + Self.spacing
            return true
        }
        if isTime { _ = try? await refresh() }
    }
}
