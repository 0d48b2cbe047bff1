import MarqueeModel
import MarqueeWire

/// Nobody is sent a section that is for other readers, and a renewed token that puts its user into another audience
/// costs what differs: the list of sections comes as a patch, and nothing that the client has comes again. Part of G8:
/// in schedules whose tokens name plans.
struct G8Audience: Validator {
    private struct Account {
        /// The section of each variant.
        var sections: [UInt64: String] = [:]
        /// The version that each variant was last brought to.
        var targets: [UInt64: UInt64] = [:]
        /// Subscriptions that have joined.
        var joined: Set<UInt32> = []
        /// The token in force when the current cut began.
        var cutToken: String?
        /// Subscriptions that have joined, and haven't again since a token put their reader into another audience.
        var stale: Set<UInt32> = []
        /// The lists of sections in the current cut that replace those of another audience.
        var switched: Set<UInt64> = []
    }

    private let authority: TokenAuthority
    private var accounts: [Int: Account] = [:]

    init(_ authority: TokenAuthority) { self.authority = authority }

    mutating func judge(_ event: Event, _ scene: Scene, _ truth: Truth) throws(Violation) {
        switch event {
        case .connected(let number, _, _): accounts[number] = Account()
        case .ended(let number): accounts[number] = nil
        case .admitted(let number, _):
            let readers = scene.connections[number]?.tokens.suffix(2).compactMap { authority.reader(of: $0) } ?? []
            if Set(readers).count == 2, let joined = accounts[number]?.joined { accounts[number]?.stale = joined }
        case .toServer(let number, .unsubscribe(let subscription)):
            accounts[number]?.joined.remove(subscription)
            accounts[number]?.stale.remove(subscription)
        case .toServer(let number, .nack):
            // Refused versions are sent again.
            accounts[number]?.targets = [:]
        case .fromServer(let number, let message, let flags, _, _):
            guard var account = accounts[number], let token = scene.connections[number]?.tokens.last else { return }
            if flags.contains(.first) { (account.cutToken, account.switched) = (token, []) }
            try send(message, &account, number)
            accounts[number] = account
        default: break
        }
    }

    private func send(_ message: Message, _ account: inout Account, _ number: Int) throws(Violation) {
        guard let reader = account.cutToken.flatMap({ authority.reader(of: $0) }) else { return }
        switch message {
        case .join(let join):
            for binding in join.sections {
                account.sections[binding.handle] = binding.section
                if let sum = binding.sum { account.targets[binding.handle] = sum }
                try check(binding.section, reader, number)
            }
            account.joined.insert(join.subscription)
            if account.stale.remove(join.subscription) != nil { account.switched.insert(join.viewHandle) }
        case .data(let part):
            if let section = account.sections[part.handle] { try check(section, reader, number) }
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

    private func check(_ section: String, _ reader: Reader, _ number: Int) throws(Violation) {
        if Audiences.includes(reader, in: section) { return }
        throw violation("connection \(number) is sent '\(section)', which isn't for \(reader)")
    }

    private func violation(_ message: String) -> Violation { Violation(guarantee: .bounded, message: message) }
}
