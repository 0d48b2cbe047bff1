import Foundation
import JWTKit
import MarqueeModel
import MarqueeServer
import Testing

@testable import MarqueeAccess

@Suite("JSON Web Tokens") struct JWTTests {
    private typealias Claims = JWTTestClaims

    /// The scopes of a token, and the line that an operator is told about it.
    private static func scopes(_ claims: String) async throws -> (Scopes, [String]) {
        let keys = try await JWTTestKeys()
        let lines = Lines()
        let issuers = JWTIssuers([try await keys.issuer(say: { lines.add($0) })])
        let all = #"{"iss": "https://id.example", "aud": "films", "exp": 1600, "sub": "ana", \#(claims)}"#
        let token = try await keys.token(JWTTextClaims(all))
        return (try await issuers.identity(of: token).scopes, lines.all)
    }

    @Test func `A token proves its user until it ends, with the scopes that it lists`() async throws {
        let keys = try await JWTTestKeys()
        let issuers = try await keys.issuers()
        var claims = Claims(jti: "j1")
        claims.scope = "openid read:home favorites publish::types"
        let identity = try await issuers.identity(of: keys.token(claims))
        guard case .jwt(let key, "j1") = identity.grant.source else {
            Issue.record("\(identity.grant.source)")
            return
        }
        #expect(identity.user == "ana")
        #expect(identity.scopes.texts == ["collection favorites", "publish :types", "read home"])
        // 600 seconds and the 60 by which clocks may differ.
        #expect(issuers.standing(of: identity.grant, key: key) == .until(660_000))
        let plain = try await issuers.identity(of: keys.token(Claims()))
        #expect(plain.scopes == .readOnly)
    }

    @Test(arguments: [
        (Claims(iss: "https://other.example"), "it has another issuer"), (Claims(iss: nil), "it has another issuer"),
        (Claims(aud: ["other"]), "another service"), (Claims(aud: []), "another service"),
        (Claims(exp: nil), "never ends"), (Claims(exp: 940), "has ended"), (Claims(exp: -1e300), "has ended"),
        (Claims(nbf: 1_061), "not valid yet"), (Claims(sub: nil), "no claim 'sub'"), (Claims(sub: ""), "is empty"),
    ])
    private func `What a token claims is checked`(claims: Claims, why: String) async throws {
        let keys = try await JWTTestKeys()
        let issuers = try await keys.issuers()
        let reason = await refusal { try await issuers.identity(of: keys.token(claims)) }
        #expect(reason.contains(why), "\(reason)")
    }

    @Test(arguments: ["exp", "nbf", "iat"])
    func `A time that isn't a number is refused and not left out`(name: String) async throws {
        let keys = try await JWTTestKeys()
        let issuers = try await keys.issuers()
        let end = name == "exp" ? "" : #""exp": 1600, "#
        for value in [#""4102444800""#, "true", "[1]"] {
            let claims =
                #"{"iss": "https://id.example", "aud": "films", "sub": "ana", \#(end)"\#(name)": \#(value)}"#
            let token = try await keys.token(JWTTextClaims(claims))
            let reason = await refusal { try await issuers.identity(of: token) }
            #expect(reason.contains("claim '\(name)', a time, is not a number"), "\(reason)")
        }
    }

    @Test(arguments: [(#""j1""#, "j1"), ("17", "17"), ("1.5", nil), ("true", nil), (#"["j1"]"#, nil)])
    func `A token's id can be revoked or isn't accepted`(value: String, id: String?) async throws {
        let keys = try await JWTTestKeys()
        let issuers = try await keys.issuers()
        let claims =
            #"{"iss": "https://id.example", "aud": "films", "exp": 1600, "sub": "ana", "jti": \#(value)}"#
        let token = try await keys.token(JWTTextClaims(claims))
        guard let id else {
            let reason = await refusal { try await issuers.identity(of: token) }
            #expect(reason.contains("claim 'jti', by which it is revoked"), "\(reason)")
            return
        }
        let source = try await issuers.identity(of: token).grant.source
        guard case .jwt(_, id) = source else {
            Issue.record("\(source)")
            return
        }
    }

    @Test func `A user's name is composed once it comes in`() async throws {
        let keys = try await JWTTestKeys()
        var policy = JWTTestKeys.policy
        policy.userPrefix = "e"
        let issuers = JWTIssuers([try await keys.issuer(policy)])
        let user = try await issuers.identity(of: keys.token(Claims(sub: "\u{301}Jose\u{301}"))).user
        #expect(user.map { Array($0.utf8) } == Array("\u{E9}Jos\u{E9}".utf8))
    }

    @Test(arguments: [Claims(exp: 941), Claims(nbf: 1_060), Claims(exp: 1e300)])
    private func `Clocks may differ a little, and times be far away`(claims: Claims) async throws {
        let keys = try await JWTTestKeys()
        _ = try await keys.issuers().identity(of: keys.token(claims))
    }

    // MARK: - Users and scopes

    @Test(arguments: [
        (#""12345""#, "12345"), ("12345", "12345"), ("9007199254740993", "9007199254740993"), ("1.5", nil),
        ("true", nil), ("null", nil), (#"["ana"]"#, nil), (#"{"id": "ana"}"#, nil), ("1e300", nil),
    ])
    func `A token's user is a text or a whole number, and without one it is refused`(
        value: String, user: String?
    ) async throws {
        let keys = try await JWTTestKeys()
        var policy = JWTTestKeys.policy
        policy.userClaim = "uid"
        let lines = Lines()
        let issuers = JWTIssuers([try await keys.issuer(policy, say: { lines.add($0) })])
        // Without anonymous clients and with them: a token is never taken for none.
        let authenticator = AccessAuthenticator(TokenRegister(), jwt: issuers, anonymous: .readOnly)
        let claims = #"{"iss": "https://id.example", "aud": "films", "exp": 1600, "sub": "a\nb", "uid": \#(value)}"#
        let token = try await keys.token(JWTTextClaims(claims))
        if let user {
            #expect(try await authenticator.authenticate(Credentials(user: user, token: token)).user == user)
            #expect(lines.all.isEmpty)
        } else {
            for _ in 0..<2 {
                let reason = await refusal { try await authenticator.authenticate(Credentials(token: token)) }
                #expect(reason.contains("claim 'uid', which names the user"), "\(reason)")
            }
            let line = try #require(lines.all.first)
            #expect(line.contains("--jwt-user-claim") && line.contains("'aud exp iss sub"), "\(line)")
            #expect(lines.all.count == 1, "a client brings the same token again and again")
        }
    }

    @Test(arguments: [#""openid profile email""#, #"["openid"]"#, #""""#, "[]"])
    func `Scopes that allow nothing are an operator's news, with the claim and the options`(value: String) async throws
    {
        let (scopes, lines) = try await Self.scopes(#""scope": \#(value)"#)
        #expect(scopes == .nothing)
        let line = try #require(lines.first)
        for part in ["https://id.example", "claim 'scope'", "--jwt-scope-claim", "gets --jwt-scope"] {
            #expect(line.contains(part), "\(line)")
        }
    }

    @Test func `A token without the claim that an operator names allows nothing, and the operator hears of it`()
        async throws
    {
        let keys = try await JWTTestKeys()
        let text = """
            issuers: [{issuer: https://id.example, keys: k.json, audience: films, scope-claim: film_scopes}]
            """
        let policy = try #require(
            try JWTIssuersFile(text: text, path: "i.yaml", standardScopes: .readOnly).entries.first?.policy)
        let lines = Lines()
        let issuers = JWTIssuers([try await keys.issuer(policy, say: { lines.add($0) })])
        for _ in 0..<2 {
            #expect(try await issuers.identity(of: keys.token(Claims())).scopes == .nothing)
        }
        let line = try #require(lines.all.first)
        for part in ["no claim 'film_scopes'", "'aud exp iss sub'", "'scope-claim' in i.yaml", "'scopes' in i.yaml"] {
            #expect(line.contains(part), "\(line)")
        }
        #expect(lines.all.count == 1)
    }

    @Test func `Words of other services don't count, however many`() async throws {
        let others = (0..<100).map { "other\($0)" }.joined(separator: " ")
        let (scopes, lines) = try await Self.scopes(#""scope": "\#(others) read:home""#)
        #expect(scopes.texts == ["read home"] && lines.isEmpty)
        #expect(try await Self.scopes(#""scope": null"#).0 == .readOnly)
    }

    @Test(arguments: [
        "5", #"{"read": true}"#, "[1]", "true", #""\#((0...64).map { "read:s\($0)" }.joined(separator: " "))""#,
    ])
    func `A claim of scopes that can't be read is refused, and doesn't count as none`(value: String) async throws {
        let status = await #expect(throws: Status.self) { try await Self.scopes(#""scope": \#(value)"#) }
        #expect(status?.reason == "TOKEN_REFUSED" && status?.message.contains("claim 'scope'") == true)
    }

    @Test func `Hints come once in a while, with their number, and as one line`() {
        var pace = JWTHintPace()
        let now = ContinuousClock.now
        let hint = JWTHint(.user, "text")
        #expect(pace.line(for: hint, now: now) == "text")
        #expect(pace.line(for: JWTHint(.scopes, "other"), now: now) == "other")
        #expect(pace.line(for: hint, now: now + .seconds(59)) == nil)
        #expect(pace.line(for: hint, now: now + .seconds(60)) == "text (1 more since the last such line)")
        #expect(JWTHint.quoted("a\nb \u{202E}'é") == "'a?b ???'")
        #expect(JWTHint.quoted(String(repeating: "x", count: 101)).count == 103)
    }

    // MARK: - Signatures and keys

    @Test func `What isn't signed by the issuer is refused`() async throws {
        let (keys, other) = (try await JWTTestKeys(), try await JWTTestKeys())
        let parts = try await keys.token(Claims()).split(separator: ".")
        func encoded(_ text: String) -> String {
            Data(text.utf8).base64EncodedString().replacing("=", with: "").replacing("+", with: "-")
                .replacing("/", with: "_")
        }
        let hmac = JWTKeyCollection()
        // The public key as the secret of a symmetric signature.
        await hmac.add(hmac: .init(from: try JWTTestKeys.set(keys.published)), digestAlgorithm: .sha256, kid: "k1")
        let foreign = try await other.token(Claims())
        let symmetric = try await hmac.sign(Claims(), kid: "k1")
        let forged = [
            foreign, symmetric, "", ".", "..", "a.b.c", "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1])",
            "\(encoded(#"{"alg":"none","kid":"k1"}"#)).\(parts[1]).",
            "\(encoded(#"{"alg":"None"}"#)).\(parts[1]).\(parts[2])",
            "\(encoded(#"{"alg":"ES384","kid":"k1"}"#)).\(parts[1]).\(parts[2])",
            "\(parts[0]).\(encoded(#"{"iss":"https://id.example","aud":"films","exp":9e9}"#)).\(parts[2])",
        ]
        for token in forged {
            // Each with readings to spare: several unknown keys in a row have to wait.
            let issuers = try await keys.issuers()
            _ = await refusal { try await issuers.identity(of: token) }
        }
        let issuers = try await keys.issuers()
        let extended = try await keys.token(Claims(), header: ["crit": ["b64"], "b64": false])
        #expect(await refusal { try await issuers.identity(of: extended) }.contains("extensions"))
    }

    @Test func `Every key that may have signed a token is tried`() async throws {
        let keys = try await JWTTestKeys()
        // The same name for another algorithm, and a third key without a name or an algorithm.
        try await keys.add("k1", "ES384")
        try await keys.add(nil, saysAlgorithm: false)
        let issuers = try await keys.issuers()
        for index in 0..<3 {
            for kid in ["k1", nil] {
                _ = try await issuers.identity(of: keys.token(Claims(), kid: kid, by: index))
            }
        }
        _ = await refusal { try await issuers.identity(of: keys.token(Claims(), kid: "k9")) }
        _ = try await issuers.identity(of: keys.token(Claims(), kid: "k9", by: 2))
    }

    @Test func `Another key in the set changes nothing for those who are there`() async throws {
        let keys = try await JWTTestKeys()
        try keys.change(0, "kid", to: nil)
        let issuer = try await keys.issuer()
        let authenticator = AccessAuthenticator(TokenRegister(), jwt: JWTIssuers([issuer]), anonymous: nil)
        let identity = try await authenticator.authenticate(Credentials(token: keys.token(Claims(), kid: nil)))
        try await keys.add(nil)
        try await issuer.refresh()
        #expect(authenticator.standing(of: identity) == .until(660_000))
        try keys.change(0, "kid", to: "k1")
        try await issuer.refresh()
        #expect(authenticator.standing(of: identity) == .until(660_000), "a name isn't the key")
        try keys.change(0, "alg", to: "ES512")
        try await issuer.refresh()
        #expect(authenticator.standing(of: identity) == .ended, "it doesn't sign in that way any more")
    }

    @Test func `Keys that can't be used are left out, and a set of none is refused`() async throws {
        let keys = try await JWTTestKeys()
        var written = keys.published
        written[0]["use"] = "sig"
        written.append(["kty": "oct", "k": "AAAA", "kid": "secret"])
        written.append(["kty": "EC", "use": "enc", "crv": "P-256", "x": "AA", "y": "AA", "kid": "e"])
        written.append(["kty": "RSA", "n": "AQAB", "e": "AQAB", "kid": "small"])
        let set = try JWTTestKeys.set(written)
        var policy = JWTTestKeys.policy
        try policy.accept(["ES256"])
        #expect(try await JWTKeys(json: set, for: policy).keys.map(\.id) == ["k1"])
        for (text, algorithm) in [
            (#"{"keys": []}"#, "ES256"), ("[]", "ES256"), ("", "ES256"), (#"{"keys": 5}"#, "ES256"),
            (String(decoding: set, as: UTF8.self), "RS256"),
        ] {
            var other = JWTTestKeys.policy
            try other.accept([algorithm])
            let given = other
            await #expect(throws: JWTProblem.self) { _ = try await JWTKeys(json: Data(text.utf8), for: given) }
        }
        #expect(throws: JWTProblem.self) { try policy.accept(["HS256"]) }
    }

    @Test func `A revoked token is out, and its issuer's others stay`() async throws {
        let keys = try await JWTTestKeys()
        let register = TokenRegister()
        let authenticator = AccessAuthenticator(register, jwt: try await keys.issuers(), anonymous: nil)
        let token = try await keys.token(Claims(jti: "j1"))
        let identity = try await authenticator.authenticate(Credentials(user: "ana", token: token))
        let other = try await authenticator.authenticate(Credentials(token: keys.token(Claims(jti: "j2"))))
        var file = TokenFile()
        try file.revoke(jwt: "j1")
        register.replace(by: try TokenFile(text: file.text()))
        #expect(authenticator.standing(of: identity) == .ended)
        #expect(authenticator.standing(of: other) == .until(660_000))
        _ = await refusal { try await authenticator.authenticate(Credentials(token: token)) }
        let status = await #expect(throws: Status.self) {
            try await authenticator.authenticate(Credentials(user: "ben", token: keys.token(Claims())))
        }
        #expect(status?.reason == "TOKEN_OF_ANOTHER")
    }

    @Test(arguments: [
        ("keys.json", true), ("/etc/keys.json", true), ("https://id.example/keys", true),
        ("http://127.0.0.1:80/keys", true), ("http://localhost/keys", true), ("http://[::1]/keys", true),
        ("http://id.example/keys", false), ("ftp://id.example/keys", false), ("https://", false),
        ("https://user:secret@id.example/keys", false),
    ])
    func `Keys come from a file, or protected`(text: String, isTaken: Bool) {
        #expect(((try? JWTKeySource(text)) != nil) == isTaken)
    }

    @Test func `Authorities are for addresses with TLS, and have to be there`() throws {
        let source = try JWTKeySource("https://id.example/keys", authorities: "/nonexistent/ca.pem")
        let problem = #expect(throws: JWTProblem.self) { try source.check() }
        #expect(problem?.description.contains("/nonexistent/ca.pem") == true)
        for text in ["keys.json", "http://localhost/keys"] {
            #expect(throws: JWTProblem.self) { try JWTKeySource(text, authorities: "ca.pem") }
        }
    }
}
