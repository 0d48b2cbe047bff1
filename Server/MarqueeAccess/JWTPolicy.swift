import MarqueeScreens
package import MarqueeServer

/// Which JSON Web Tokens (RFC 7519) of one issuer are accepted, and what they mean.
package struct JWTPolicy: Sendable {
    /// Signatures that can be accepted: all by keys of which the server needs only the public part.
    package static let algorithmNames = [
        "ES256", "ES384", "ES512", "EdDSA", "PS256", "PS384", "PS512", "RS256", "RS384", "RS512",
    ]
    /// Seconds by which clocks may differ.
    package static let skews = 0...600

    /// The value that the claim `iss` must have.
    package var issuer: String
    /// The value that must be among those of the claim `aud`.
    package var audience: String
    package var algorithms = Set(algorithmNames)
    /// The claim that names the user.
    package var userClaim = "sub"
    /// The prefix of that name in the names of this server's users, so that no issuer's users are another's.
    package var userPrefix = ""
    /// The claim that lists scopes, as a list of texts or as one text with spaces in between.
    package var scopeClaim = "scope"
    /// Scopes of tokens without that claim: nothing where an operator names the claim and doesn't say, as a misspelt
    /// claim is in no token.
    package var standardScopes: Scopes
    /// The claims that audiences may be judged by. Others of its tokens say nothing here.
    package private(set) var claims: [String] = []
    /// Seconds by which clocks may differ.
    package var skew = 60
    /// The file that says all this; `nil` for the options of the command line.
    package var file: String?

    package init(issuer: String, audience: String, standardScopes: Scopes) {
        self.issuer = issuer
        self.audience = audience
        self.standardScopes = standardScopes
    }

    /// - Throws: `JWTProblem` for the name of a signature that can't be accepted.
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

    /// - Throws: `JWTProblem` for more claims than an identity may bring, or a name that can't be one's.
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

    /// How an operator sets something of this.
    func setting(_ name: String) -> String { file.map { "'\(name)' in \($0)" } ?? "--jwt-\(name)" }
}
