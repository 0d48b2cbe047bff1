import Foundation
import MarqueeCatalogue
import MarqueeServer
import MarqueeTLS

/// Why a token isn't accepted.
struct JWTRefusal: Error, Hashable {
    /// The reason given to the client, which may show it to anybody.
    var reason: String
    /// A line for the operator, if the server's settings may be the cause.
    var hint: JWTHint?
}

extension JWTPolicy {
    /// Judges the claims of a token whose signature is valid.
    /// - Parameters:
    ///   - key: the name of the key that signed it.
    ///   - now: the time of day.
    /// - Returns: the identity, and a hint for the operator if it allows nothing.
    func judge(
        _ claims: JWTClaims, key: String, now: Date
    ) throws(JWTRefusal) -> (identity: Identity, hint: JWTHint?) {
        guard claims.text("iss") == issuer else { throw JWTRefusal(reason: "it has another issuer") }
        guard claims.texts("aud")?.contains(audience) == true else {
            throw JWTRefusal(reason: "it is meant for another service")
        }
        guard let end = try time("exp", of: claims) else { throw JWTRefusal(reason: "it never ends") }
        let skew = TimeInterval(skew)
        let ends = Date(timeIntervalSince1970: end).addingTimeInterval(skew)
        guard ends > now else { throw JWTRefusal(reason: "it has ended") }
        if let begin = try time("nbf", of: claims), Date(timeIntervalSince1970: begin).addingTimeInterval(-skew) > now {
            throw JWTRefusal(reason: "it is not valid yet")
        }
        _ = try time("iat", of: claims)
        let id = try id(of: claims)
        let user = try user(of: claims)
        let (scopes, hint) = try scopes(of: claims)
        let grant = Grant(
            scopes, from: .jwt(key: key, id: id), ends: ends.unixMilliseconds, claims: claims.claims(self.claims))
        return (Identity(user: user, grant: grant), hint)
    }

    /// A time claim, in seconds of Unix time; `nil` if the token doesn't have it.
    private func time(_ name: String, of claims: JWTClaims) throws(JWTRefusal) -> Double? {
        guard claims[name] != nil else { return nil }
        guard let time = claims.number(name) else {
            throw JWTRefusal(reason: "its claim '\(name)', a time, is not a number")
        }
        return time
    }

    /// The id by which a token is revoked; `nil` if it has none. A whole number counts as its decimal text.
    private func id(of claims: JWTClaims) throws(JWTRefusal) -> String? {
        switch claims["jti"] {
        case .text(let id): return id
        case .integer(let number): return "\(number)"
        case nil: return nil
        case .texts, .number, .flag, .other:
            throw JWTRefusal(
                reason: "its claim 'jti', by which it is revoked, is neither a text nor a whole number")
        }
    }

    /// The user that a token names, in composed form, as all names are stored. A whole number counts as its decimal
    /// text.
    private func user(of claims: JWTClaims) throws(JWTRefusal) -> String {
        let problem: String
        switch claims[userClaim] {
        case .text(let name) where !name.isEmpty: return (userPrefix + name).composed
        case .integer(let number): return (userPrefix + "\(number)").composed
        case .text: problem = "its claim '\(userClaim)', which names the user, is empty"
        case .texts, .number, .flag, .other:
            problem = "its claim '\(userClaim)', which names the user, is neither a text nor a whole number"
        case nil: problem = "it has no claim '\(userClaim)', which names the user"
        }
        let names = JWTHint.quoted(claims.names.joined(separator: " "))
        throw JWTRefusal(
            reason: problem,
            hint: JWTHint(
                .user,
                "a token of \(issuer) is refused: \(problem); its claims are \(names); "
                    + "\(setting("user-claim")) says which one names the user"))
    }

    /// The scopes that a token lists.
    ///
    /// A scope is one word in a token, so `read:detail/*` means `read detail/*`. Anything that isn't a scope of this
    /// server, such as `openid`, is meant for another service and ignored.
    private func scopes(of claims: JWTClaims) throws(JWTRefusal) -> (Scopes, JWTHint?) {
        let remedy =
            "\(setting("scope-claim")) names another claim, and a token without it gets \(setting(standardName))"
        guard claims[scopeClaim] != nil else {
            guard standardScopes == .nothing else { return (standardScopes, nil) }
            let names = JWTHint.quoted(claims.names.joined(separator: " "))
            let hint = JWTHint(
                .scopes,
                "a token of \(issuer) allows nothing here, so its client sees no screen: it has no claim "
                    + "'\(scopeClaim)', which lists scopes; its claims are \(names); \(remedy)")
            return (.nothing, hint)
        }
        guard let texts = claims.texts(scopeClaim) else {
            let problem = "its claim '\(scopeClaim)', which lists scopes, is neither a text nor a list of texts"
            throw JWTRefusal(
                reason: problem, hint: JWTHint(.scopes, "a token of \(issuer) is refused: \(problem); \(remedy)"))
        }
        let words = texts.flatMap { $0.split(separator: " ") }
        let rules = words.compactMap { word -> String? in
            let rule = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).joined(separator: " ")
            return (try? Scopes([rule])) == nil ? nil : rule
        }
        guard rules.count <= Scopes.maximumRules, let scopes = try? Scopes(rules) else {
            throw JWTRefusal(
                reason:
                    "its claim '\(scopeClaim)' lists \(rules.count) scopes, at most \(Scopes.maximumRules) are possible"
            )
        }
        guard scopes == .nothing else { return (scopes, nil) }
        let listed = words.isEmpty ? "nothing" : JWTHint.quoted(words.joined(separator: " "))
        return (
            scopes,
            JWTHint(
                .scopes,
                "a token of \(issuer) allows nothing here, so its client sees no screen: its claim '\(scopeClaim)' "
                    + "lists \(listed), which has no scope of this server in it; \(remedy)")
        )
    }

    private var standardName: String { file == nil ? "scope" : "scopes" }
}
