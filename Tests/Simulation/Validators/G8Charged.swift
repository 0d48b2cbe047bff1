import MarqueeServer
import MarqueeWire

/// Only those who have used up a limit hit it: nobody is refused for what others use, and everyone refused is told why.
/// Part of G8: in schedules with small limits.
///
/// Usage is counted from outside, and where the moment is uncertain, too high rather than too low.
struct G8Charged: Validator {
    private struct Party {
        let node: Int
        let address: String
        var user: String?
        var isWelcome = false
        /// Whether it was refused because of its user.
        var isTurnedAway = false
        /// Whether it has to make room.
        var isEvicted = false
        /// Its screens, by subscription, for as long as they may count.
        var screens: [UInt32: String] = [:]
        /// The subscriptions that were certainly not refused or ended.
        var certain: Set<UInt32> = []
        /// Views refused for lack of room that it may not have been told of.
        var refusals = 0
    }

    private let limits: ServerLimits
    private var parties: [Int: Party] = [:]

    init(_ limits: ServerLimits) { self.limits = limits }

    mutating func judge(_ event: Event, _ scene: Scene, _ truth: Truth) throws(Violation) {
        switch event {
        case .arrived(let number, let node, let address): parties[number] = Party(node: node, address: address)
        case .ended(let number): parties[number] = nil
        case .hit(let limit, let number, let evicted): try hit(limit, number, evicted)
        case .toServer(let number, let message): receive(message, number)
        case .fromServer(let number, let message, _, _, _): try send(message, number)
        default: break
        }
    }

    private mutating func receive(_ message: Message, _ number: Int) {
        switch message {
        case .hello(let hello): parties[number]?.user = hello.user
        case .subscribe(let subscribe):
            parties[number]?.screens[subscribe.subscription] = subscribe.screen
        case .unsubscribe(let subscription):
            parties[number]?.screens[subscription] = nil
            parties[number]?.certain.remove(subscription)
        case .close, .goAway: parties[number]?.certain = []
        default: break
        }
    }

    private mutating func send(_ message: Message, _ number: Int) throws(Violation) {
        guard let party = parties[number] else { return }
        switch message {
        case .welcome: parties[number]?.isWelcome = true
        case .join(let join): parties[number]?.certain.insert(join.subscription)
        case .subscriptionError(let error) where error.section == nil:
            guard error.status.reason == "TOO_MANY_VARIANTS" else {
                parties[number]?.certain.remove(error.subscription)
                return
            }
            guard party.refusals > 0 else { throw violation("connection \(number) is refused a view for no reason") }
            parties[number]?.refusals -= 1
            // A change of parameters that is refused leaves the view as it is.
            let isChange = error.generation > 0 && party.certain.contains(error.subscription)
            if !isChange {
                parties[number]?.certain.remove(error.subscription)
                parties[number]?.screens[error.subscription] = nil
            }
        case .close(let status):
            parties[number]?.certain = []
            if status.reason == "TOO_MANY_CONNECTIONS", !party.isTurnedAway {
                throw violation("connection \(number) is told that its user has too many")
            }
            // One that is evicted may have been told something else just before.
            if status.reason == "ROOM_NEEDED", !party.isEvicted {
                throw violation("connection \(number) is told to make room for no reason")
            }
        default: break
        }
    }

    private mutating func hit(_ limit: Limit, _ number: Int, _ evicted: Int?) throws(Violation) {
        guard let party = parties[number] else { return }
        let others = parties.filter { $0.key != number && $0.value.node == party.node }
        switch limit {
        case .connections:
            try check(others.count, limits.connections, "connections", number)
            if let evicted, parties[evicted]?.certain.isEmpty == false {
                throw violation("connection \(evicted) has to go although it is used")
            }
        case .unauthenticated:
            try check(others.values.filter { !$0.isWelcome }.count, limits.unauthenticated, "unauthenticated", number)
            if let evicted, parties[evicted]?.isWelcome == true {
                throw violation("connection \(evicted) is closed although it is authenticated")
            }
        case .connectionsPerAddress:
            let used = others.values.filter { $0.address.network == party.address.network }.count
            try check(used, limits.connectionsPerAddress, "connections of its address", number)
        case .connectionsPerUser:
            let used = others.values.filter { $0.user == party.user && !$0.isTurnedAway }.count
            try check(used, limits.connectionsPerUser, "connections of its user", number)
            parties[number]?.isTurnedAway = true
        case .variantsPerConnection:
            parties[number]?.refusals += 1
            // The view that is refused is one of them.
            let asked = party.screens.values.map { Programmes.variants(of: $0) }.reduce(0, +)
            try check(asked - 1, limits.variantsPerConnection, "other variants", number)
        // Its node counts what all show.
        case .variants: parties[number]?.refusals += 1
        case .accepts, .descriptors, .renewals, .hello, .subscriptions, .calls, .publications, .answers, .manifests,
            .observations,
            .proxies, .webRequests, .webBodies, .webHeads, .webOrigins, .webMessages:
            break
        }
        if let evicted { parties[evicted]?.isEvicted = true }
    }

    private func check(_ used: Int, _ limit: Int, _ what: String, _ number: Int) throws(Violation) {
        guard used < limit else { return }
        throw violation("connection \(number) is refused for \(used) \(what), \(limit) are allowed")
    }

    private func violation(_ message: String) -> Violation { Violation(guarantee: .bounded, message: message) }
}

extension String {
    /// The first 64 bits of an IPv6 address as the simulation writes it.
    fileprivate var network: Substring { self[..<(firstRange(of: "::")?.lowerBound ?? endIndex)] }
}
