package import MarqueeServer

/// Which JSON Web Tokens (RFC 7519) are accepted, and what they mean.
package struct JWTPolicy: Sendable {
    /// Signatures that can be accepted: all by keys of which the server needs only the public part.
    package static let algorithmNames = [
        "ES256", "ES384", "ES512", "EdDSA", "PS256", "PS384", "PS512", "RS256", "RS384", "RS512",
    ]
    /// Seconds by which clocks may differ.
    package static let skews = 0...600

    /// What the claim `iss` has to be.
    package var issuer: String
    /// What has to be among the claim `aud`.
    package var audience: String
    package var algorithms = Set(algorithmNames)
    /// The claim that names the user.
    package var userClaim = "sub"
    /// The claim that lists scopes, as a list of texts or as one text with spaces in between.
    package var scopeClaim = "scope"
    /// What a token without that claim allows.
    package var standardScopes: Scopes
    /// Seconds by which clocks may differ.
    package var skew = 60

    package init(issuer: String, audience: String, standardScopes: Scopes) {
        self.issuer = issuer
        self.audience = audience
        self.standardScopes = standardScopes
    }

    /// The scopes that a claim lists.
    ///
    /// A scope is one word there, so `read:detail/*` stands for `read detail/*`. What isn't a scope of this server,
    /// such as `openid`, is meant for another and ignored.
    func scopes(of words: [String]?) -> Scopes {
        guard let words else { return standardScopes }
        let rules = words.prefix(Scopes.maximumRules).compactMap { word -> String? in
            let rule = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).joined(separator: " ")
            return (try? Scopes([rule])) == nil ? nil : rule
        }
        return (try? Scopes(rules)) ?? .nothing
    }
}
