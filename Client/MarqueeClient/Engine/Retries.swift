import MarqueeWire
import NIOCore

/// Decides when a client may connect again and how long it pauses first, and remembers previous attempts.
///
/// All times are milliseconds of a monotonic clock.
struct Retries {
    /// The shortest interval between attempts forced by the app, in milliseconds.
    static let wakeSpacing: UInt64 = 1_000
    /// The attempts and milliseconds after which a claimed position that no server reaches is replaced by what cuts
    /// have delivered. Lagging nodes catch up sooner.
    static let claimPatience = (attempts: 8, milliseconds: UInt64(5 * 60_000))

    /// The time for which a refused token isn't used again, in milliseconds. A server may hear of a token later than
    /// the app does.
    static let refusedTokenRest: UInt64 = 30_000

    private var backoff: Backoff
    /// The next attempt.
    var next: Scheduled<Void>?
    /// When the newest attempt began.
    var began: UInt64?
    /// When another attempt is allowed after the server refused for good.
    private(set) var notBefore: UInt64 = 0
    /// The reason why there is no connection; `nil` while there is one.
    var error: ClientError?
    /// The last token that a server refused, and when.
    private var refused: (token: String, at: UInt64)?
    /// The last unexpected claim by a server about the cluster and user.
    var unexpectedClaim: ClientEngine.ServerClaim?
    /// How many times in a row, and since when, servers were behind this mirror's position.
    private var behind: (count: Int, since: UInt64)?

    init(backoff: Backoff) { self.backoff = backoff }

    /// The pause before the next attempt.
    /// - Parameters:
    ///   - asked: the shortest pause, where the caller knows one.
    ///   - fraction: a random number, uniform in 0..<1.
    mutating func pause(atLeast asked: Duration? = nil, fraction: Double) -> Duration {
        guard let asked else { return backoff.next(fraction: fraction) }
        return backoff.next(atLeast: asked, fraction: fraction)
    }

    /// Records that a connection that delivered something has ended.
    mutating func ended(after lasted: Duration) { backoff.ended(after: lasted) }

    /// Records a final refusal, after which no attempt is made for one pause, however often the app asks.
    mutating func refusedForGood(at now: UInt64, fraction: Double) {
        notBefore = now + ClientEngine.milliseconds(pause(fraction: fraction))
    }

    /// Whether the minimum interval since the last attempt is over, however often the client is woken.
    func isTimeForAnother(at now: UInt64) -> Bool { began.map { now >= $0 + Self.wakeSpacing } ?? true }

    /// Records that a server refused a token.
    mutating func refused(_ token: String?, at now: UInt64) { refused = token.map { ($0, now) } }

    /// Whether a server refused this token so recently that it isn't used.
    func isRefused(_ token: String, at now: UInt64) -> Bool {
        guard let refused else { return false }
        return refused.token == token && now < refused.at + Self.refusedTokenRest
    }

    /// Records that a server was behind this client's position.
    mutating func foundBehind(at now: UInt64) { behind = ((behind?.count ?? 0) + 1, behind?.since ?? now) }

    /// Records that a server at this client's position was accepted.
    mutating func caughtUp() { behind = nil }

    /// Whether no server has reached the claimed position for a long time.
    func givesUpClaim(at now: UInt64) -> Bool {
        guard let behind else { return false }
        return behind.count >= Self.claimPatience.attempts && now >= behind.since + Self.claimPatience.milliseconds
    }

    /// Cancels the next attempt.
    mutating func cancel() {
        next?.cancel()
        next = nil
    }
}
