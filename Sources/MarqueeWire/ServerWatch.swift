/// Whether the server at the other end of a connection is still there: when to ask it, and when to give it up.
///
/// A silent server is asked before it is given up, however long the silence was: a machine that was asleep, or a page
/// that was in the background, finds out first.
///
/// All times are milliseconds of a monotonic clock.
package struct ServerWatch: Sendable {
    package enum Verdict: Hashable, Sendable {
        case nothing
        /// Send a ping.
        case ask
        /// It has been asked, and nothing came for an interval.
        case isSilent
        /// The frame that it is sending isn't complete after three intervals.
        case neverCompletesFrame
    }

    /// The least interval, whatever the server names: its clients look about once a second.
    package static let minimumInterval: UInt64 = 1_000

    private var interval = Self.minimumInterval
    private var lastHeard: UInt64
    /// When it was asked, if nothing has come since.
    private var asked: UInt64?
    /// When the current incomplete frame began. A frame with a damaged length would swallow everything after it,
    /// forever.
    private var frameBegan: UInt64?

    package init(now: UInt64) { lastHeard = now }

    /// How often a server may be asked: the interval that its welcome names, but no more often than it allows.
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
    package mutating func took(frames: Int, isWithinFrame: Bool, now: UInt64) {
        if frames > 0 || !isWithinFrame { frameBegan = nil }
        if isWithinFrame { frameBegan = frameBegan ?? now }
    }

    /// Time has passed.
    package mutating func look(now: UInt64) -> Verdict {
        if let frameBegan, now >= frameBegan + 3 * interval { return .neverCompletesFrame }
        if let asked { return now >= asked + interval ? .isSilent : .nothing }
        guard now >= lastHeard + interval else { return .nothing }
        asked = now
        return .ask
    }
}
