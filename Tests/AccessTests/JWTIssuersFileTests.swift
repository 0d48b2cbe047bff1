import Foundation
import MarqueeModel
import MarqueeServer
import Testing

@testable import MarqueeAccess

@Suite struct JWTIssuersFileTests {
    private static func entries(_ text: String) throws -> [JWTIssuersFile.Entry] {
        try JWTIssuersFile(text: text, path: "/etc/marquee/issuers.yaml", standardScopes: .readOnly).entries
    }

    private static let one = "issuer: https://id.example, keys: https://id.example/keys, audience: films"

    @Test func `Each issuer has its own keys, claims and scopes`() throws {
        let entries = try Self.entries(
            """
            # ours
            issuers:
              - {\(Self.one), user-prefix: "", keys-ca: ca.pem}
              - issuer: partner
                keys: partner.json
                audience: partner-films
                user-prefix: "partner:"
                user-claim: uid
                scope-claim: films
                scopes: [read home]
                algorithms: [ES256]
                skew: 5
            """)
        #expect(entries.map(\.policy.issuer) == ["https://id.example", "partner"])
        #expect(entries.map(\.policy.userPrefix) == ["", "partner:"])
        let ours = try JWTKeySource("https://id.example/keys", authorities: "/etc/marquee/ca.pem")
        #expect(entries.map(\.source) == [ours, .file("/etc/marquee/partner.json")])
        let policy = entries[1].policy
        #expect(
            policy.userClaim == "uid" && policy.scopeClaim == "films" && policy.standardScopes.texts == ["read home"])
        #expect(policy.algorithms == ["ES256"] && policy.skew == 5 && policy.audience == "partner-films")
        #expect(policy.setting("user-claim") == "'user-claim' in /etc/marquee/issuers.yaml")
        #expect(entries[0].policy.standardScopes == .readOnly)
    }

    @Test(arguments: [
        ("", "empty"), ("issuers: []", "no issuer"), ("issuers: 5", "isn't a list"), ("[]", "mapping"),
        ("isuers: []", "did you mean 'issuers'"), ("issuers: [{\(one), skw: 5}]", "did you mean 'skew'"),
        ("issuers: [{\(one), user-claim: }]", "'user-claim' is empty"),
        ("issuers: [{\(one), user-claim: ''}]", "'user-claim' is empty"),
        ("issuers: [{issuer: a, keys: k}]", "audience"), ("issuers: [{\(one)}, {\(one)}]", "user-prefix"),
        ("issuers: [{\(one), user-prefix: ''}, {\(one), user-prefix: b}]", "twice"),
        ("issuers: [{\(one), algorithms: [none]}]", "not 'none'"), ("issuers: [{\(one), skew: 601}]", "600"),
        ("issuers: [{\(one), scopes: [reed]}]", "'scopes'"),
        ("issuers: [{issuer: a, audience: b, keys: 'http://id.example/'}]", "use https"),
        ("issuers: [\(Array(repeating: "{\(one), user-prefix: a}", count: 17).joined(separator: ","))]", "at most 16"),
    ])
    func `A file with a mistake in it is refused, and why`(text: String, reason: String) {
        let problem = #expect(throws: JWTProblem.self) { try Self.entries(text) }
        #expect(problem?.description.contains(reason) == true, "\(problem?.description ?? "")")
    }

    @Test func `Several issuers vouch for their own users alone`() async throws {
        let (ours, theirs) = (try await JWTTestKeys(), try await JWTTestKeys())
        var partner = JWTTestKeys.policy
        partner.issuer = "partner"
        partner.userPrefix = "partner:"
        let issuers = JWTIssuers([try await ours.issuer(), try await theirs.issuer(partner)])
        let claims = JWTTestClaims(iss: "partner")
        #expect(try await issuers.identity(of: ours.token(JWTTestClaims())).user == "ana")
        let guest = try await issuers.identity(of: theirs.token(claims))
        #expect(guest.user == "partner:ana")
        guard case .jwt(let key, _) = guest.grant.source else {
            Issue.record("\(guest)")
            return
        }
        #expect(issuers.standing(of: guest.grant, key: key) == .until(660_000))
        _ = await refusal { try await issuers.identity(of: theirs.token(JWTTestClaims())) }
        _ = await refusal { try await issuers.identity(of: ours.token(claims)) }
    }
}
