import MarqueeModel
import MarqueeServer

/// Whoever gives out tokens and takes them back. Both nodes ask it.
final class TokenAuthority {
    private struct Token {
        var user: String?
        /// When it ends, or was revoked.
        var end: UInt64
    }

    private var tokens: [String: Token] = [:]
    private let milliseconds: UInt64

    /// - Parameter milliseconds: how long a token stands.
    init(milliseconds: UInt64) { self.milliseconds = milliseconds }

    /// A token that nobody has had before.
    func issue(to user: String?, now: UInt64) -> String {
        let name = "token \(tokens.count)"
        tokens[name] = Token(user: user, end: now + milliseconds)
        return name
    }

    /// Takes back all tokens of a user. Others may be issued.
    func revoke(of user: String, now: UInt64) {
        for (name, token) in tokens where token.user == user { tokens[name]?.end = min(token.end, now) }
    }

    /// When a token ended, or will.
    func end(of token: String) -> UInt64? { tokens[token]?.end }

    /// As an authenticator does.
    func identity(of token: String?, user: String?, now: UInt64) -> Result<Identity, Status> {
        guard let token, let known = tokens[token], known.end > now, known.user == user else {
            return .failure(
                Status(.unauthenticated, reason: "TOKEN_REFUSED", remedy: .reauthenticate, message: "not accepted"))
        }
        return .success(
            Identity(
                user: user, grant: Grant(.everything, from: .token(token), ends: Int64(clamping: known.end))))
    }

    func standing(of identity: Identity, now: UInt64) -> Standing {
        guard case .token(let name) = identity.grant.source, let end = tokens[name]?.end else { return .untilRevoked }
        return end > now ? .until(end - now) : .ended
    }
}
