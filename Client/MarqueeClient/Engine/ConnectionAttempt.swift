import MarqueeWire
import NIOCore

/// One attempt to connect, and the connection that comes of it: it ends as one value, and another begins.
struct ConnectionAttempt {
    /// Tells it from other attempts, of which nothing counts that still arrives.
    let number: Int
    /// When the connection was opened, in milliseconds of a monotonic clock; `nil` before.
    var opened: UInt64?
    /// Whether it has brought anything.
    var isUseful = false
    /// The token that is awaited.
    var awaitedToken: (promise: EventLoopPromise<String?>, request: TokenRequest, timeout: Scheduled<Void>)?
    /// The token in use.
    var token: String?
    /// Answers that the server has asked for and not taken yet.
    var unsentAnswers = UnsentAnswers()
    var probe = Probe()
    /// The least milliseconds between pings that the server asks for.
    var pingMinimum: UInt64 = 0
    var renewal = Renewal()
    /// The next attempt to renew the identity, or the end of the wait for its token.
    var renewing: Scheduled<Void>?

    init(_ number: Int) { self.number = number }

    /// Stops what it waits for.
    func giveUp() {
        renewing?.cancel()
        awaitedToken?.timeout.cancel()
        awaitedToken?.request.giveUp()
        awaitedToken?.promise.fail(ClientError(.closed, "the attempt was given up"))
    }
}
