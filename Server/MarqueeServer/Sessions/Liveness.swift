import MarqueeWire

/// When a session last heard from its client, and last reported progress to it. All times are milliseconds of a
/// monotonic clock.
struct Liveness {
    let opened: UInt64
    private(set) var lastHeard: UInt64
    /// When the incomplete frame began. Without a timeout for it, a frame with a damaged length would swallow
    /// everything that follows, forever.
    private(set) var frameBegan: UInt64?
    var lastProgress: UInt64
    private var lastPing: UInt64?
    private var hastyPings = HastyPings()
    /// The ping interval announced in the welcome, in milliseconds; `nil` before that.
    var pingIntervalMilliseconds: UInt32?

    init(now: UInt64) {
        opened = now
        lastHeard = now
        lastProgress = now
    }

    /// Records that bytes have arrived; any byte proves that the client is alive.
    mutating func heard(now: UInt64) { lastHeard = now }

    /// Records how the received bytes were split into frames.
    /// - Parameters:
    ///   - frames: the number of frames now complete.
    ///   - isWithinFrame: whether an incomplete frame follows them.
    mutating func received(frames: Int, isWithinFrame: Bool, now: UInt64) {
        if frames > 0 || !isWithinFrame { frameBegan = nil }
        if isWithinFrame { frameBegan = frameBegan ?? now }
    }

    /// Counts a ping.
    /// - Parameter minimum: the least milliseconds between two pings.
    /// - Returns: whether too many came too close together.
    mutating func pinged(now: UInt64, minimum: UInt32) -> Bool {
        hastyPings.forget(now: now)
        if let lastPing, now < lastPing + UInt64(minimum) {
            hastyPings.add()
            if hastyPings.count > SessionSettings.hastyPings { return true }
        }
        lastPing = now
        return false
    }

    /// How many milliseconds a client may be silent, or take to send one frame.
    func silence(_ settings: SessionSettings) -> UInt64 {
        3 * UInt64(pingIntervalMilliseconds ?? settings.pingIntervalMilliseconds)
    }

    /// How many milliseconds may pass between two reports of progress.
    func progressInterval(_ settings: SessionSettings) -> UInt64 {
        UInt64(settings.progressInterval(pinging: pingIntervalMilliseconds ?? settings.pingIntervalMilliseconds))
    }

    /// When the next progress is due, or the client will have been silent for too long.
    func deadline(_ settings: SessionSettings) -> UInt64 {
        let silence = silence(settings)
        return min(
            lastHeard + silence, lastProgress + progressInterval(settings),
            frameBegan.map { $0 + silence } ?? .max)
    }
}
