/// Watches whether the server at the other end of a connection is alive: when to ping it, and when to give up.
///
/// A silent server is pinged before the client gives up, however long the silence was: the machine may have been
/// asleep, or the page in the background.
///
/// All times are milliseconds of a monotonic clock.
package struct ServerWatch: Sendable {
    package enum Verdict: Hashable, Sendable {
        case nothing
        /// Send a ping.
        case ask
        /// The ping was not answered within an interval.
        case isSilent
        /// A frame from the server isn't complete after three intervals.
        case neverCompletesFrame
    }

    /// The least interval, whatever the server names: clients check about once a second.
    package static let minimumInterval: UInt64 = 1_000

    private var interval = Self.minimumInterval
    private var lastHeard: UInt64
    /// The time of the last ping, if nothing has come since.
    private var asked: UInt64?
    /// When the current incomplete frame began. A frame with a damaged length would swallow everything after it,
    /// forever.
    private var frameBegan: UInt64?

    package init(now: UInt64) { lastHeard = now }

    /// The time between pings: the interval that the welcome names, but not less than the server allows.
    package static func interval(of welcome: Welcome) -> UInt64 {
        max(UInt64(max(welcome.pingIntervalMilliseconds, welcome.pingMinimumMilliseconds)), minimumInterval)
    }

    package mutating func welcomed(_ welcome: Welcome) { interval = Self.interval(of: welcome) }

    /// Bytes arrived; any bytes prove that the server is there.
    package mutating func heard(now: UInt64) {
        lastHeard = now
        asked = nil
    }

    /// The bytes that arrived were split into frames.
    /// - Parameters:
    ///   - frames: the number of complete frames.
    ///   - isWithinFrame: whether the last bytes begin a frame that is still incomplete.
    package mutating func received(frames: Int, isWithinFrame: Bool, now: UInt64) {
        if frames > 0 || !isWithinFrame { frameBegan = nil }
        if isWithinFrame { frameBegan = frameBegan ?? now }
    }

    /// Decides what to do at this time.
    package mutating func look(now: UInt64) -> Verdict {
        if let frameBegan, now >= frameBegan + 3 * interval { return .neverCompletesFrame }
        if let asked { return now >= asked + interval ? .isSilent : .nothing }
        guard now >= lastHeard + interval else { return .nothing }
        asked = now
        return .ask
    }
}
