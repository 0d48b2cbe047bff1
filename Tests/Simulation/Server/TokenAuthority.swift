import MarqueeModel
import MarqueeServer
import SeededRandom

/// Gives out tokens and takes them back. All servers ask the same one.
final class TokenAuthority {
    /// The extent of the permissions of new tokens.
    enum Generosity {
        /// As much as the device's last one.
        case steady
        /// Now and then less, or more, than the device's last one.
        case moody
        case boundless
    }

    private struct Token {
        /// The readers that it has named, each until the next one.
        var named: [(reader: Reader, from: UInt64)]
        var permissions: Permissions
        /// When it ends, or was revoked.
        var end: UInt64
        /// When it ends unless it is revoked.
        var fullEnd: UInt64

        var reader: Reader { named.last?.reader ?? Reader() }
    }

    /// The one that all relays have.
    static let ofRelays = "relay"

    var generosity: Generosity
    /// The clock at the last step.
    var now: UInt64 = 0
    private var tokens: [String: Token] = [:]
    /// The permissions of the last token of each device.
    private var last: [Int: Permissions] = [:]
    /// Whether tokens name plans, which differ from a device's last one now and then.
    let hasPlans: Bool
    /// The reader whom the last token of each device named.
    private var readers: [Int: Reader] = [:]
    /// The last token of each device.
    private var newest: [Int: String] = [:]
    private let milliseconds: UInt64
    private var random: SeededGenerator

    /// - Parameter milliseconds: how long a token is valid.
    init(milliseconds: UInt64, generosity: Generosity, hasPlans: Bool = false, seed: UInt64) {
        self.hasPlans = hasPlans
        self.milliseconds = milliseconds
        self.generosity = generosity
        random = SeededGenerator(seed: seed)
    }

    /// A token that nobody has had before.
    func issue(to user: String?, device: Int) -> String {
        let name = "token \(tokens.count)"
        let permissions = permissions(of: device)
        last[device] = permissions
        let end = now + milliseconds
        let reader = reader(user, of: device)
        readers[device] = reader
        tokens[name] = Token(named: [(reader, now)], permissions: permissions, end: end, fullEnd: end)
        newest[device] = name
        return name
    }

    /// The newest token of a device says another plan of its user from now on, as an operator may decide.
    func revise(tokenOf device: Int) {
        guard let name = newest[device], let reader = tokens[name]?.reader else { return }
        let others = Reader.plans.filter { $0 != reader.plan }
        let revised = Reader(user: reader.user, plan: random.pick(others) ?? nil)
        tokens[name]?.named.append((revised, now))
        readers[device] = revised
    }

    private func reader(_ user: String?, of device: Int) -> Reader {
        guard hasPlans else { return Reader(user: user) }
        if let last = readers[device], random.chance(50) { return last }
        return Reader(user: user, plan: random.pick(Reader.plans) ?? nil)
    }

    private func permissions(of device: Int) -> Permissions {
        let before = last[device] ?? .everything
        switch generosity {
        case .boundless: return .everything
        case .moody where random.chance(50): return random.chance(40) ? .everything : .drawn(&random)
        case .moody, .steady: return before
        }
    }

    /// Takes back all tokens of a user. Others may be issued.
    func revoke(of user: String) {
        for (name, token) in tokens where token.reader.user == user { tokens[name]?.end = min(token.end, now) }
    }

    /// When a token ended, or will.
    func end(of token: String) -> UInt64? { tokens[token]?.end }

    /// When it ended, or will, as known to somebody who hears nothing of revocations.
    func fullEnd(of token: String) -> UInt64? { tokens[token]?.fullEnd }

    /// The user of a token, and what it says of it.
    func reader(of token: String) -> Reader? { tokens[token]?.reader }

    /// The readers that a token has named since a moment, the newest last.
    func readers(of token: String, since moment: UInt64 = 0) -> [Reader] {
        if token == Self.ofRelays { return [Reader()] }
        let named = tokens[token]?.named ?? []
        // Each one until the next.
        let ended = named.dropFirst().prefix { $0.from < moment }.count
        return named.dropFirst(ended).map(\.reader)
    }

    func permissions(of token: String) -> Permissions? { tokens[token]?.permissions }

    /// As an authenticator does.
    func identity(of token: String?, user: String?) -> Result<Identity, Status> {
        if token == Self.ofRelays, user == nil { return .success(Identity(user: nil, scopes: .everything)) }
        guard let token, let known = tokens[token], known.end > now, known.reader.user == user else {
            return .failure(
                Status(.unauthenticated, reason: "TOKEN_REFUSED", remedy: .reauthenticate, message: "not accepted"))
        }
        let grant = Grant(
            known.permissions.scopes, from: .token(token), ends: Int64(clamping: known.end),
            claims: known.reader.claims)
        return .success(Identity(user: user, grant: grant))
    }

    func standing(of identity: Identity) -> Standing {
        guard case .token(let name) = identity.grant.source, let token = tokens[name] else { return .untilRevoked }
        // Clients whose token says something else now are disconnected, as by `TokenRegister`.
        return token.end > now && token.reader.claims == identity.claims ? .until(token.end - now) : .ended
    }
}
