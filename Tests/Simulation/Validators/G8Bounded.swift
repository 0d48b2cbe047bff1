import MarqueeModel
import MarqueeWire

/// Memory per connection has a limit that does not depend on how slowly the client reads or how much it asks.
///
/// On the wire: data starts only within the credit, cuts and staged parts stay within the client's limits, and calls in
/// flight stay within the server's.
struct G8Bounded: Validator {
    private struct Account {
        var credit: UInt64 = 0
        var limits = WireLimits.client
        var sent: UInt64 = 0
        var acknowledged: UInt64 = 0
        var isInCut = false
        var cutBytes: UInt64 = 0
        var calls: Set<UInt32> = []
        var subscriptions: Set<UInt32> = []
        /// The limits that the server accepts.
        var accepted = WireLimits.server
    }

    private var accounts: [Int: Account] = [:]

    mutating func judge(_ event: Event, _ scene: Scene, _ truth: Truth) throws(Violation) {
        switch event {
        case .connected(let number, _, _): accounts[number] = Account()
        case .ended(let number): accounts[number] = nil
        case .fromServer(let number, let message, let flags, let bytes, _):
            guard var account = accounts[number] else { return }
            try Self.send(message.kind, flags, UInt64(bytes), &account, number)
            accounts[number] = account
        case .toServer(let number, let message):
            // Relays connect without further notice.
            if case .hello(let hello) = message, hello.isRelay { accounts[number] = Account() }
            guard var account = accounts[number] else { return }
            try Self.receive(message, &account, number)
            accounts[number] = account
        case .toClient(let number, .answer(let answer), _, _):
            if !answer.more { accounts[number]?.calls.remove(answer.call) }
        case .toClient(let number, .subscriptionError(let error), _, _):
            if error.section == nil, scene.connections[number]?.views[error.subscription] == nil {
                accounts[number]?.subscriptions.remove(error.subscription)
            }
        default: break
        }
    }

    mutating func judgeEnd(_ end: End, _ scene: Scene, _ truth: Truth) throws(Violation) {
        for (connection, counted, live) in end.subscriptions where counted > live {
            throw Self.violation("connection \(connection): \(counted) subscriptions are held, \(live) are wanted")
        }
        for (connection, known, there) in end.guests where known > there {
            throw Self.violation("connection \(connection): \(known) guests are known, \(there) are there")
        }
    }

    private static func send(
        _ kind: FrameKind, _ flags: FrameFlags, _ bytes: UInt64, _ account: inout Account, _ number: Int
    ) throws(Violation) {
        let isCutFrame = [.join, .repair, .data].contains(kind)
        let begins = kind == .stage || (isCutFrame && flags.contains(.first))
        if begins, account.sent - account.acknowledged >= account.credit {
            throw violation(
                "connection \(number): data starts with \(account.sent - account.acknowledged) bytes unacknowledged, "
                    + "the credit is \(account.credit)")
        }
        if isCutFrame {
            if flags.contains(.first) { account.cutBytes = 0 }
            account.cutBytes += bytes
            account.isInCut = !flags.contains(.last)
            guard account.cutBytes <= account.limits.cutBytes else {
                throw violation("connection \(number): a cut of more than \(account.limits.cutBytes) bytes")
            }
        }
        if kind == .data || kind == .stage {
            account.sent += bytes
            guard bytes <= UInt64(account.limits.frameBytes) else {
                throw violation("connection \(number): a frame of \(bytes) bytes")
            }
        }
    }

    private static func receive(_ message: Message, _ account: inout Account, _ number: Int) throws(Violation) {
        switch message {
        case .hello(let hello):
            account.limits = hello.limits
            account.accepted = hello.isRelay ? .relay : .server
            account.credit = min(hello.limits.creditBytes, account.accepted.creditBytes)
        case .ack(let bytes, _):
            guard bytes <= account.sent else {
                throw violation("connection \(number): \(bytes) bytes are acknowledged, \(account.sent) were sent")
            }
            account.acknowledged = bytes
        case .request(let request):
            account.calls.insert(request.call)
            guard account.calls.count <= Int(account.accepted.calls) else {
                throw violation("connection \(number): \(account.calls.count) calls are in flight")
            }
        case .subscribe(let subscribe):
            account.subscriptions.insert(subscribe.subscription)
            guard account.subscriptions.count <= Int(account.accepted.subscriptions) else {
                throw violation("connection \(number): \(account.subscriptions.count) subscriptions")
            }
        case .unsubscribe(let subscription): account.subscriptions.remove(subscription)
        default: break
        }
    }

    private static func violation(_ message: String) -> Violation { Violation(guarantee: .bounded, message: message) }
}
