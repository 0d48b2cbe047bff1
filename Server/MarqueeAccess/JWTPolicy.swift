import MarqueeScreens
package import MarqueeServer

/// The rules for JSON Web Tokens (RFC 7519) of one issuer: which are accepted, and how their claims are interpreted.
package struct JWTPolicy: Sendable {
    /// The signature algorithms that can be accepted, all asymmetric, so that the server needs only public keys.
    package static let algorithmNames = [
        "ES256", "ES384", "ES512", "EdDSA", "PS256", "PS384", "PS512", "RS256", "RS384", "RS512",
    ]
    /// The allowed values of `skew`.
    package static let skews = 0...600

    /// The value that the claim `iss` must have.
    package var issuer: String
    /// The value that must be among those of the claim `aud`.
    package var audience: String
    package var algorithms = Set(algorithmNames)
    /// The claim that names the user.
    package var userClaim = "sub"
    /// A prefix that turns this name into the name of a user here; it keeps the users of different issuers apart.
    package var userPrefix = ""
    /// The claim that lists scopes, as a list of strings or as one string of words separated by spaces.
    package var scopeClaim = "scope"
    /// The scopes of tokens without that claim. Empty if the operator names a claim and gives no such scopes: if the
    /// name is misspelt, no token has the claim.
    package var standardScopes: Scopes
    /// The claims that audiences may use. A token's other claims are ignored for that.
    package private(set) var claims: [String] = []
    /// Seconds by which clocks may differ.
    package var skew = 60
    /// The file with these settings; `nil` if they are options of the command line.
    package var file: String?

    package init(issuer: String, audience: String, standardScopes: Scopes) {
        self.issuer = issuer
        self.audience = audience
        self.standardScopes = standardScopes
    }

    /// - Throws: `JWTProblem` for a signature algorithm that can't be accepted, or if there are none.
    package mutating func accept(_ algorithms: [String]) throws(JWTProblem) {
        if let unknown = algorithms.first(where: { !Self.algorithmNames.contains($0) }) {
            throw JWTProblem(
                "a signature is one of \(Self.algorithmNames.joined(separator: ", ")), not '\(unknown)'")
        }
        guard !algorithms.isEmpty else { throw JWTProblem("there is no signature to accept") }
        self.algorithms = Set(algorithms)
    }

    /// - Throws: `JWTProblem` for seconds outside of `skews`.
    package mutating func allow(skew: Int) throws(JWTProblem) {
        guard Self.skews.contains(skew) else {
            throw JWTProblem("the difference of clocks is a number of seconds from 0 to \(Self.skews.upperBound)")
        }
        self.skew = skew
    }

    /// - Throws: `JWTProblem` for more claims than an identity may have, or an invalid name.
    package mutating func take(claims: [String]) throws(JWTProblem) {
        guard claims.count <= Claims.maximumClaims else {
            throw JWTProblem("there are \(claims.count) claims, at most \(Claims.maximumClaims) are possible")
        }
        if let wrong = claims.first(where: { $0.isEmpty || $0.utf8.count > Claims.maximumNameBytes }) {
            throw JWTProblem(
                "the name of a claim has 1 to \(Claims.maximumNameBytes) bytes, unlike '\(wrong.prefix(80))'")
        }
        self.claims = claims
    }

    /// The setting's name in messages: a command-line option, or a key of the file.
    func setting(_ name: String) -> String { file.map { "'\(name)' in \($0)" } ?? "--jwt-\(name)" }
}
