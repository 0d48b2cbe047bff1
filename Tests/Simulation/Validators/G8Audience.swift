import MarqueeModel
import MarqueeWire

/// Nobody is sent a section that is for other readers, and a renewed token that puts its user into another audience
/// costs what differs: the list of sections comes as a patch, and nothing that the client has comes again. Part of G8:
/// in schedules whose tokens name plans.
struct G8Audience: Validator {
    /// How long after its token names another reader a session may still send content, in milliseconds: sessions are
    /// asked once a second.
    private static let grace: UInt64 = 2_000

    private struct Account {
        let node: Int
        /// The section of each variant.
        var sections: [UInt64: String] = [:]
        /// The version that each variant was last brought to.
        var targets: [UInt64: UInt64] = [:]
        /// Subscriptions that have joined.
        var joined: Set<UInt32> = []
        /// The readers whom the token named that was in force when the current cut began.
        var cutReaders: [Reader] = []
        /// Subscriptions that have joined, and haven't again since a token put their reader into another audience.
        var stale: Set<UInt32> = []
        /// The lists of sections in the current cut that replace those of another audience.
        var switched: Set<UInt64> = []
    }

    private let authority: TokenAuthority
    private let relaysFrom: Int
    private var accounts: [Int: Account] = [:]
    private var guests: RelayedGuests
    /// How many connections to each relay were admitted by each token.
    private var admissions: [Int: [String: Int]] = [:]

    /// How many guests were introduced again as other readers.
    var revised: UInt64 { guests.revised }

    /// - Parameter relaysFrom: the number of the first node that is a relay.
    init(_ authority: TokenAuthority, relaysFrom: Int) {
        self.authority = authority
        self.relaysFrom = relaysFrom
        guests = RelayedGuests(authority)
    }

    mutating func judge(_ event: Event, _ scene: Scene, _ truth: Truth) throws(Violation) {
        try guests.judge(event)
        switch event {
        case .connected(let number, _, let node): accounts[number] = Account(node: node)
        case .ended(let number): accounts[number] = nil
        case .relayEnded(let node): admissions[node] = nil
        case .admitted(let number, let token): admit(token, number, scene)
        case .toServer(let number, .unsubscribe(let subscription)):
            accounts[number]?.joined.remove(subscription)
            accounts[number]?.stale.remove(subscription)
        case .toServer(let number, .nack):
            // Refused versions are sent again.
            accounts[number]?.targets = [:]
        case .fromServer(let number, let message, let flags, _, _):
            guard var account = accounts[number], let token = scene.connections[number]?.tokens.last else { return }
            if flags.contains(.first) {
                (account.cutReaders, account.switched) = (readers(of: token, at: account.node), [])
            }
            try send(message, &account, number)
            accounts[number] = account
        default: break
        }
    }

    private mutating func admit(_ token: String, _ number: Int, _ scene: Scene) {
        guard let account = accounts[number] else { return }
        admissions[account.node, default: [:]][token, default: 0] += 1
        let named = scene.connections[number]?.tokens.suffix(2).map { authority.readers(of: $0) } ?? []
        // Those of a token that was revised may be either.
        if named.allSatisfy({ $0.count == 1 }), Set(named).count == 2 { accounts[number]?.stale = account.joined }
    }

    /// The readers for whom a session of a node may send content under a token: mostly one.
    private func readers(of token: String, at node: Int) -> [Reader] {
        let since = authority.now - min(authority.now, Self.grace)
        guard node >= relaysFrom else { return authority.readers(of: token, since: since) }
        // A relay hears who its guests are when they are introduced, and which connection a guest belongs to can't be
        // seen from outside.
        guard admissions[node]?[token] == 1 else { return authority.readers(of: token) }
        return guests.readers(of: token, at: node, since: since)
    }

    private func send(_ message: Message, _ account: inout Account, _ number: Int) throws(Violation) {
        switch message {
        case .join(let join):
            for binding in join.sections {
                account.sections[binding.handle] = binding.section
                if let sum = binding.sum { account.targets[binding.handle] = sum }
                try check(binding.section, account.cutReaders, number)
            }
            account.joined.insert(join.subscription)
            // Other screens' lists change with commits alone, and come whole if a patch isn't smaller.
            let isStale = account.stale.remove(join.subscription) != nil
            if isStale, join.screen == Audiences.screen { account.switched.insert(join.viewHandle) }
        case .data(let part):
            if let section = account.sections[part.handle] { try check(section, account.cutReaders, number) }
            if part.base == nil, account.switched.contains(part.handle) {
                throw violation("connection \(number) is sent the whole list of sections when its token is renewed")
            }
            if part.base == nil, account.targets[part.handle] == part.target {
                throw violation(
                    "connection \(number) is sent '\(account.sections[part.handle] ?? "")' again, which it has")
            }
            if !part.more { account.targets[part.handle] = part.target }
        default: break
        }
    }

    private func check(_ section: String, _ readers: [Reader], _ number: Int) throws(Violation) {
        if readers.contains(where: { Audiences.includes($0, in: section) }) { return }
        throw violation("connection \(number) is sent '\(section)', which isn't for \(readers)")
    }

    private func violation(_ message: String) -> Violation { Violation(guarantee: .bounded, message: message) }
}
