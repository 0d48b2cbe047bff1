import Foundation
import JWTKit
import MarqueeModel
import MarqueeServer
import Synchronization
import Testing

@testable import MarqueeAccess

@Suite("JSON Web Tokens") struct JWTTests {
    /// Claims that are accepted, which tests change.
    private struct Claims: JWTPayload {
        var iss: String? = "https://id.example"
        var aud: [String] = ["other", "films"]
        var exp: Double? = 1_600
        var nbf: Double?
        var sub: String? = "ana"
        var jti: String?
        var scope: String?

        func verify(using algorithm: some JWTAlgorithm) {}
    }

    /// An issuer with keys of its own.
    private struct Issuer {
        let keys = JWTKeyCollection()
        var published: [[String: String]] = []

        mutating func add(_ id: String, publishedAs name: String?, algorithm: String? = "ES256") async throws {
            let key = ES256PrivateKey()
            await keys.add(ecdsa: key, kid: JWKIdentifier(string: id))
            let parameters = try #require(key.parameters)
            var written = ["kty": "EC", "crv": "P-256", "x": Self.url(parameters.x), "y": Self.url(parameters.y)]
            written["kid"] = name
            written["alg"] = algorithm
            published.append(written)
        }

        /// As JWK sets are written.
        private static func url(_ text: String) -> String {
            text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }

        var set: Data { get throws { try JSONSerialization.data(withJSONObject: ["keys": published]) } }

        func token(_ claims: Claims, _ kid: String = "k1", header: JWTHeader = JWTHeader()) async throws -> String {
            try await keys.sign(claims, kid: JWKIdentifier(string: kid), header: header)
        }
    }

    private static let policy = JWTPolicy(
        issuer: "https://id.example", audience: "films", standardScopes: .readOnly)

    private static func issuer() async throws -> Issuer {
        var issuer = Issuer()
        try await issuer.add("k1", publishedAs: "k1")
        return issuer
    }

    private static func verifier(_ issuer: Issuer, _ policy: JWTPolicy = policy, now: Double = 1_000) async throws
        -> JWTVerifier
    {
        let keys = try await JWTKeys(json: issuer.set, algorithms: policy.algorithms)
        return JWTVerifier(policy, keys: keys, clock: { Date(timeIntervalSince1970: now) })
    }

    private static func reason(_ body: () async throws -> Identity) async -> String {
        let status = await #expect(throws: Status.self) { _ = try await body() }
        #expect(status?.reason == "TOKEN_REFUSED" && status?.remedy == .reauthenticate)
        return status?.message ?? ""
    }

    @Test func `A token proves its user until it ends, with the scopes that it lists`() async throws {
        let issuer = try await Self.issuer()
        let verifier = try await Self.verifier(issuer)
        var claims = Claims(jti: "j1")
        claims.scope = "openid read:home favorites publish::types"
        let identity = try await verifier.identity(of: issuer.token(claims))
        #expect(identity.user == "ana" && identity.grant.source == .jwt(key: "k1", id: "j1"))
        #expect(identity.scopes.texts == ["collection favorites", "publish :types", "read home"])
        // 600 seconds and the 60 by which clocks may differ.
        #expect(verifier.standing(of: identity.grant, key: "k1") == .until(660_000))
        let plain = try await verifier.identity(of: issuer.token(Claims()))
        #expect(plain.scopes == .readOnly)
        claims.scope = "openid profile"
        #expect(try await verifier.identity(of: issuer.token(claims)).scopes == .nothing, "none of them is ours")
    }

    @Test(arguments: [
        (Claims(iss: "https://other.example"), "another has issued it"), (Claims(iss: nil), "another has issued it"),
        (Claims(aud: ["other"]), "another service"), (Claims(aud: []), "another service"),
        (Claims(exp: nil), "never ends"), (Claims(exp: 940), "has ended"), (Claims(exp: -1e300), "has ended"),
        (Claims(nbf: 1_061), "not valid yet"),
    ])
    private func `What a token claims is checked`(claims: Claims, why: String) async throws {
        let issuer = try await Self.issuer()
        let verifier = try await Self.verifier(issuer)
        let reason = await Self.reason { try await verifier.identity(of: issuer.token(claims)) }
        #expect(reason.contains(why), "\(reason)")
    }

    @Test(arguments: [Claims(exp: 941), Claims(nbf: 1_060), Claims(exp: 1e300)])
    private func `Clocks may differ a little, and times be far away`(claims: Claims) async throws {
        let issuer = try await Self.issuer()
        _ = try await Self.verifier(issuer).identity(of: issuer.token(claims))
    }

    @Test func `What isn't signed by the issuer is refused`() async throws {
        let (issuer, other) = (try await Self.issuer(), try await Self.issuer())
        let verifier = try await Self.verifier(issuer)
        let parts = try await issuer.token(Claims()).split(separator: ".")
        func encoded(_ text: String) -> String {
            Data(text.utf8).base64EncodedString().replacing("=", with: "").replacing("+", with: "-")
                .replacing("/", with: "_")
        }
        let hmac = JWTKeyCollection()
        // The public key as the secret of a symmetric signature.
        await hmac.add(hmac: .init(from: try issuer.set), digestAlgorithm: .sha256, kid: "k1")
        let foreign = try await other.token(Claims())
        let symmetric = try await hmac.sign(Claims(), kid: "k1")
        let forged = [
            foreign, symmetric, "", ".", "..", "a.b.c", "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1])",
            "\(encoded(#"{"alg":"none","kid":"k1"}"#)).\(parts[1]).",
            "\(encoded(#"{"alg":"None"}"#)).\(parts[1]).\(parts[2])",
            "\(encoded(#"{"alg":"ES384","kid":"k1"}"#)).\(parts[1]).\(parts[2])",
            "\(parts[0]).\(encoded(#"{"iss":"https://id.example","aud":"films","exp":9e9}"#)).\(parts[2])",
        ]
        for token in forged { _ = await Self.reason { try await verifier.identity(of: token) } }
        let extended = try await issuer.token(Claims(), header: ["crit": ["b64"], "b64": false])
        #expect(await Self.reason { try await verifier.identity(of: extended) }.contains("extensions"))
    }

    @Test func `A token names its key, unless there is only one`() async throws {
        var issuer = Issuer()
        try await issuer.add("k1", publishedAs: nil, algorithm: nil)
        let token = try await issuer.token(Claims(), header: JWTHeader())
        // A set without names: the token's own doesn't fit.
        _ = await Self.reason { try await Self.verifier(issuer).identity(of: token) }
        issuer.published[0]["kid"] = "k1"
        _ = try await Self.verifier(issuer).identity(of: token)
        try await issuer.add("k2", publishedAs: "k2")
        let verifier = try await Self.verifier(issuer)
        _ = try await verifier.identity(of: issuer.token(Claims(), "k2"))
        var unnamed = Issuer()
        try await unnamed.add("k1", publishedAs: nil, algorithm: nil)
    }

    @Test func `A key that is gone takes its tokens with it, and a new one is fetched when a token names it`()
        async throws
    {
        var issuer = try await Self.issuer()
        let verifier = try await Self.verifier(issuer)
        let old = try await verifier.identity(of: issuer.token(Claims()))
        try await issuer.add("k2", publishedAs: "k2")
        issuer.published.removeFirst()
        let fresh = try await JWTKeys(json: issuer.set, algorithms: Self.policy.algorithms)
        let asked = Mutex(0)
        verifier.onMissingKey {
            asked.withLock { $0 += 1 }
            verifier.replace(by: fresh)
        }
        _ = try await verifier.identity(of: issuer.token(Claims(), "k2"))
        #expect(asked.withLock { $0 } == 1)
        #expect(verifier.standing(of: old.grant, key: "k1") == .ended)
        _ = await Self.reason { try await verifier.identity(of: issuer.token(Claims(), "k1")) }
    }

    @Test func `Keys that can't be used are left out, and a set of none is refused`() async throws {
        var issuer = try await Self.issuer()
        issuer.published[0]["use"] = "sig"
        issuer.published.append(["kty": "oct", "k": "AAAA", "kid": "secret"])
        issuer.published.append(["kty": "EC", "use": "enc", "crv": "P-256", "x": "AA", "y": "AA", "kid": "e"])
        issuer.published.append(["kty": "RSA", "n": "AQAB", "e": "AQAB", "kid": "small"])
        #expect(try await JWTKeys(json: issuer.set, algorithms: ["ES256"]).keys.map(\.id) == ["k1"])
        for (text, algorithms) in [
            (#"{"keys": []}"#, ["ES256"]), ("[]", ["ES256"]), ("", ["ES256"]), (#"{"keys": 5}"#, ["ES256"]),
            (String(decoding: try issuer.set, as: UTF8.self), ["RS256"]),
        ] {
            await #expect(throws: JWTProblem.self) {
                try await JWTKeys(json: Data(text.utf8), algorithms: Set(algorithms))
            }
        }
    }

    @Test func `A revoked token is out, and its issuer's others stay`() async throws {
        let issuer = try await Self.issuer()
        let register = TokenRegister()
        let authenticator = AccessAuthenticator(
            register, jwt: try await Self.verifier(issuer), anonymous: nil)
        let token = try await issuer.token(Claims(jti: "j1"))
        let identity = try await authenticator.authenticate(Credentials(user: "ana", token: token))
        let other = try await authenticator.authenticate(Credentials(token: issuer.token(Claims(jti: "j2"))))
        var file = TokenFile()
        try file.revoke(jwt: "j1")
        register.replace(by: try TokenFile(text: file.text()))
        #expect(authenticator.standing(of: identity) == .ended)
        #expect(authenticator.standing(of: other) == .until(660_000))
        _ = await Self.reason { try await authenticator.authenticate(Credentials(token: token)) }
        let status = await #expect(throws: Status.self) {
            try await authenticator.authenticate(Credentials(user: "ben", token: issuer.token(Claims())))
        }
        #expect(status?.reason == "TOKEN_OF_ANOTHER")
    }

    @Test(arguments: [
        ("keys.json", true), ("/etc/keys.json", true), ("https://id.example/keys", true),
        ("http://127.0.0.1:80/keys", true), ("http://localhost/keys", true), ("http://id.example/keys", false),
    ])
    func `Keys come from a file, or protected`(text: String, isTaken: Bool) {
        #expect(((try? JWTKeySource(text)) != nil) == isTaken)
    }
}
