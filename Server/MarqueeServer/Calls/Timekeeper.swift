import MarqueeModel

/// Decides when a server commits the catalogue's time: whenever the passing of time changes what screens show, but only
/// a bounded number of times a second.
struct Timekeeper: Sendable {
    /// Milliseconds between two commits, and the size of the steps in which a late server catches up.
    static let interval: Int64 = 100
    /// Milliseconds after which the clock is read again, since it may have been set.
    static let longestWait: Int64 = 60_000
    /// Milliseconds after a commit that failed.
    static let pauseAfterFailure: Int64 = 1_000

    enum Action: Equatable {
        /// Nothing is due until `expect` or `resume` is called.
        case rest
        case wait(milliseconds: Int64)
        /// After it, wait for `pause(after:)` and call `resume`.
        case commit(Moment)
    }

    private var boundary: Moment?
    /// Whether a commit is under way, or has just been made.
    private var isBusy = false
    /// The last moment that was committed here. Until the screens know it, their boundary may still be this moment or
    /// an earlier one.
    private var committed: Moment?

    /// - Parameter boundary: the next moment to commit; `nil` if there is none.
    /// - Returns: whether it has changed.
    @discardableResult
    mutating func expect(_ boundary: Moment?) -> Bool {
        defer { self.boundary = boundary }
        return boundary != self.boundary
    }

    /// Whether the next action depends on the time of day.
    var isExpecting: Bool { boundary.map { boundary in !isBusy && committed.map({ $0 < boundary }) ?? true } ?? false }

    /// - Parameter isStored: whether the last commit was stored.
    mutating func resume(after isStored: Bool) {
        isBusy = false
        if !isStored { committed = nil }
    }

    /// - Parameter wall: the time of day.
    mutating func next(at wall: Moment) -> Action {
        guard let boundary, isExpecting else { return .rest }
        let late = wall.milliseconds - boundary.milliseconds
        if late < 0 { return .wait(milliseconds: min(-late, Self.longestWait)) }
        isBusy = true
        // Rounded, so that servers that share a database commit the same moment, and only once.
        let step = Moment(milliseconds: wall.milliseconds - wall.milliseconds % Self.interval)
        let moment = late < Self.interval ? boundary : max(boundary, step)
        committed = moment
        return .commit(moment)
    }

    /// Milliseconds to wait after a commit.
    static func pause(after isStored: Bool) -> Int64 { isStored ? interval : pauseAfterFailure }
}
