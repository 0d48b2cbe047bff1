import MarqueeWire
import NIOCore

/// One attempt to connect, and the connection that results from it. The next attempt starts with a new value.
struct ConnectionAttempt {
    /// The attempt's number: results of other attempts are ignored.
    let number: Int
    /// When the connection was opened, in milliseconds of a monotonic clock; `nil` before.
    var opened: UInt64?
    /// Whether the connection has delivered content or an answer.
    var isUseful = false
    /// The token that is awaited.
    var awaitedToken: (promise: EventLoopPromise<String?>, request: TokenRequest, timeout: Scheduled<Void>)?
    /// The token in use.
    var token: String?
    /// Answers that the server has requested but not read yet.
    var unsentAnswers = UnsentAnswers()
    var probe = Probe()
    /// The shortest interval between pings that the server allows, in milliseconds.
    var pingMinimum: UInt64 = 0
    var renewal = Renewal()
    /// The next attempt to renew the identity, or the end of the wait for its token.
    var renewing: Scheduled<Void>?

    init(_ number: Int) { self.number = number }

    /// Cancels everything that the attempt is waiting for.
    func giveUp() {
        renewing?.cancel()
        awaitedToken?.timeout.cancel()
        awaitedToken?.request.giveUp()
        awaitedToken?.promise.fail(ClientError(.closed, "the attempt was given up"))
    }
}
