import MarqueeScreens
import MarqueeServer
import Testing

@testable import MarqueeAccess

/// The claims that tokens bring.
@Suite struct ClaimsTests {
    /// - Parameters:
    ///   - taken: the claims that the issuer may make.
    ///   - json: claims of the token.
    private func identity(_ taken: [String], _ json: String) async throws -> Identity {
        let keys = try await JWTTestKeys()
        var policy = JWTTestKeys.policy
        try policy.take(claims: taken)
        let all = #"{"iss": "https://id.example", "aud": "films", "exp": 1600, "sub": "ana", \#(json)}"#
        return try await keys.issuers(policy).identity(of: keys.token(JWTTextClaims(all)))
    }

    @Test(
        arguments: [
            (#""plus""#, .text("plus")), ("5", .text("5")), ("true", .text("true")), ("5.25", .malformed),
            (#"["b", "a", "b"]"#, .texts(["a", "b"])), ("[]", .texts([])), ("[1]", .malformed), ("{}", .malformed),
            ("null", nil), ("\"\(String(repeating: "x", count: 257))\"", .malformed),
        ] as [(String, Claims.Value?)])
    func `A claim is a text, a whole number, true, false or a list of texts`(
        json: String, value: Claims.Value?
    ) async throws {
        #expect(try await identity(["plan"], #""plan": \#(json)"#).claims.values == value.map { ["plan": $0] } ?? [:])
    }

    @Test func `Claims that the issuer isn't to make are ignored, and so are a relay's`() async throws {
        let json = #""plan": "plus", "country": "kr""#
        #expect(try await identity(["country", "groups"], json).claims == Claims(["country": .text("kr")]))
        #expect(try await identity([], json).claims == .none)
        #expect(try await identity(["plan"], #""plan": "plus", "scope": "relay""#).claims == .none)
    }

    @Test func `An issuer may make so many claims`() {
        var policy = JWTTestKeys.policy
        #expect(throws: JWTProblem.self) { try policy.take(claims: (0...Claims.maximumClaims).map { "c\($0)" }) }
        #expect(throws: JWTProblem.self) { try policy.take(claims: [""]) }
    }

    @Test func `A file of issuers says which claims each may make`() throws {
        let text = """
            issuers:
              - {issuer: "https://id.example", keys: keys.json, audience: films, claims: [plan, country]}
            """
        let file = try JWTIssuersFile(text: text, path: "/issuers.yaml", standardScopes: .readOnly)
        #expect(file.entries.first?.policy.claims == ["plan", "country"])
    }

    // MARK: - Files of tokens

    private let token: String
    private let hash: String

    init() { (token, hash) = Token.make() }

    private func file(_ claims: String) throws -> TokenFile {
        try TokenFile(
            text: """
                tokens:
                  - {name: a, user: ana, hash: "\(hash)", scopes: [read *], claims: \(claims)}
                certificates:
                  - {name: b, subject: b.example, scopes: [read *], claims: {country: kr}}
                """)
    }

    @Test func `A token of a file brings claims, which a change of the file keeps`() throws {
        let file = try file("{plan: plus, groups: [beta, alpha], app_version: 5.20}")
        let claims = Claims([
            "plan": .text("plus"), "groups": .texts(["alpha", "beta"]), "app_version": .text("5.20"),
        ])
        #expect(TokenRegister(file).identity(token: token)?.claims == claims)
        let again = try TokenFile(text: file.text())
        #expect(again.entries.first?.claims == claims)
        #expect(claims.texts == ["app_version=5.20", "groups=alpha", "groups=beta", "plan=plus"])
        #expect(again.certificates.first?.claims == Claims(["country": .text("kr")]))
    }

    @Test func `Whoever has a token whose claims have changed is disconnected`() throws {
        let register = TokenRegister(try file("{plan: plus}"))
        let identity = try #require(register.identity(token: token))
        register.replace(by: try file("{plan: plus}"))
        #expect(register.standing(of: identity.grant) == .untilRevoked)
        register.replace(by: try file("{plan: free}"))
        #expect(register.standing(of: identity.grant) == .ended)
        #expect(register.identity(token: token)?.claims == Claims(["plan": .text("free")]))
    }

    @Test(arguments: ["[plan]", "{plan: {a: b}}", "plus", "~", "{\"\": a}"])
    func `Claims that can't be are refused`(claims: String) {
        #expect(throws: TokenFileProblem.self) { try file(claims) }
    }
}
