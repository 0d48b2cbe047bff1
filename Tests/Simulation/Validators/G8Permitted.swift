import MarqueeMirror
import MarqueeModel
import MarqueeWire

/// Nobody is sent or changes anything that their token doesn't allow, and nothing that it allows is refused for that
/// reason. A screen that may not be seen is answered like one that doesn't exist. Part of G8: in schedules with tokens.
///
/// Tokens are followed per connection, as of the moment when a node takes them. What a node writes is judged by the
/// token in force when it began: a cut that has begun is finished.
struct G8Permitted: Validator {
    /// How long after the end of its token a session may still send content, in milliseconds: sessions are asked once
    /// a second.
    private static let grace: UInt64 = 2_000
    /// The same at a relay, which hears how long a token is valid when the answer to its introduction arrives, over a
    /// connection that may stall, and of a revocation only while that is there.
    private static let relayGrace: UInt64 = 20_000

    private struct Request {
        var screen: String
        /// The index of the token in force when it arrived.
        var token: Int
    }

    private struct Account {
        let isAtRelay: Bool
        /// By subscription.
        var requests: [UInt32: Request] = [:]
        /// Calls that change collections, and whether their tokens allow it.
        var calls: [UInt32: Bool] = [:]
        /// The token in force when the current cut began.
        var cutToken: String?
    }

    private struct Change: Hashable {
        var connection: Int
        var number: UInt64
    }

    private let authority: TokenAuthority
    private let relaysFrom: Int
    private var accounts: [Int: Account] = [:]
    /// Changes of collections that were requested although their tokens don't allow it.
    private var forbidden: Set<Change> = []
    /// Whether a screen exists at every revision, by the epoch and the screen's name.
    private var alwaysThere: [String: Bool] = [:]

    /// - Parameter relaysFrom: the number of the first node that is a relay.
    init(_ authority: TokenAuthority, relaysFrom: Int) {
        self.authority = authority
        self.relaysFrom = relaysFrom
    }

    mutating func judge(_ event: Event, _ scene: Scene, _ truth: Truth) throws(Violation) {
        switch event {
        case .connected(let number, _, let node): accounts[number] = Account(isAtRelay: node >= relaysFrom)
        case .ended(let number): accounts[number] = nil
        case .toServer(let number, let message): receive(message, number, scene)
        case .fromServer(let number, let message, let flags, _, let screen):
            try send(message, flags, screen, number, scene, truth)
        case .mutated(_, let number, _, let request, .success(.done)):
            guard forbidden.contains(Change(connection: number, number: request.number)) else { return }
            throw violation("connection \(number) changes \(request.collection), which its token doesn't allow")
        default: break
        }
    }

    private mutating func receive(_ message: Message, _ number: Int, _ scene: Scene) {
        guard let tokens = scene.connections[number]?.tokens, let token = tokens.last else { return }
        switch message {
        case .subscribe(let subscribe):
            accounts[number]?.requests[subscribe.subscription] = Request(
                screen: subscribe.screen, token: tokens.count - 1)
        case .request(let request) where request.method == .collection:
            guard let body = try? CallBodyCodec.decodeCollectionRequest(request.body),
                let permissions = authority.permissions(of: token)
            else { return }
            let isAllowed = permissions.allowsChanging(body.collection)
            accounts[number]?.calls[request.call] = isAllowed
            let change = Change(connection: number, number: body.number)
            if isAllowed { forbidden.remove(change) } else { forbidden.insert(change) }
        default: break
        }
    }

    private mutating func send(
        _ message: Message, _ flags: FrameFlags, _ screen: String?, _ number: Int, _ scene: Scene, _ truth: Truth
    ) throws(Violation) {
        guard let tokens = scene.connections[number]?.tokens, let token = tokens.last else { return }
        switch message {
        case .join, .data, .repair:
            if flags.contains(.first) { accounts[number]?.cutToken = token }
            try checkContent(screen, begunUnder: accounts[number]?.cutToken ?? token, token, number)
        case .stage: try checkContent(screen, begunUnder: token, token, number)
        case .subscriptionError(let error) where error.section == nil:
            guard let request = accounts[number]?.requests[error.subscription] else { return }
            // Any token since the request arrived may explain it.
            let permissions = tokens[request.token...].compactMap { authority.permissions(of: $0) }
            try checkRefusal(of: request.screen, error.status, permissions, number, truth)
        case .answer(let answer) where answer.status?.reason == "SCOPE_TOO_SMALL":
            if accounts[number]?.calls[answer.call] == true {
                throw violation("connection \(number) is refused a change that its token allows")
            }
        default: break
        }
    }

    private func checkContent(
        _ screen: String?, begunUnder first: String, _ token: String, _ number: Int
    ) throws(Violation) {
        let end =
            accounts[number]?.isAtRelay == true
            ? authority.fullEnd(of: token).map { $0 + Self.relayGrace }
            : authority.end(of: token).map { $0 + Self.grace }
        if let end, authority.now > end {
            throw violation("connection \(number) gets content \(authority.now - end) ms too late, its token has ended")
        }
        if let screen, authority.permissions(of: first)?.allowsReading(screen) == false {
            throw violation("connection \(number) gets content of \(screen), which its token doesn't allow")
        }
    }

    /// Refusals that say nothing about whether a screen exists.
    private static let discreet: Set<String> = [
        "UNKNOWN_SCREEN", "DRAINING", "SUBSCRIPTION_ENDED", "TOO_MANY_SUBSCRIPTIONS", "TOO_MANY_VARIANTS",
    ]

    /// - Parameter permissions: those of all tokens since the screen was requested.
    private mutating func checkRefusal(
        of screen: String, _ status: Status, _ permissions: [Permissions], _ number: Int, _ truth: Truth
    ) throws(Violation) {
        let allowed = permissions.filter { $0.allowsReading(screen) }
        if allowed.isEmpty, !Self.discreet.contains(status.reason) {
            throw violation("connection \(number) learns from \(status) that there is a screen '\(screen)'")
        }
        if allowed.count == permissions.count, status.reason == "UNKNOWN_SCREEN", isAlwaysThere(screen, truth) {
            throw violation("connection \(number) is refused '\(screen)', which its token allows")
        }
    }

    /// Whether no node can be at a revision at which there is no such screen.
    private mutating func isAlwaysThere(_ screen: String, _ truth: Truth) -> Bool {
        let logs = truth.current
        let key = "\(logs.catalogueEpoch) \(logs.newest) \(screen)"
        if let known = alwaysThere[key] { return known }
        let id = ViewID(screen: screen, locale: "en")
        let isPresent = (0...logs.newest).allSatisfy { truth.list(id, logs, at: $0) != nil }
        alwaysThere[key] = isPresent
        return isPresent
    }

    private func violation(_ message: String) -> Violation { Violation(guarantee: .bounded, message: message) }
}
