import MarqueeModel

/// Decides when a server commits the catalogue's time: at the moments at which time changes what screens show, and a
/// bounded number of times a second.
struct Timekeeper: Sendable {
    /// Milliseconds between two commits, and the steps in which a server catches up that is late.
    static let interval: Int64 = 100
    /// Milliseconds after which the clock is looked at again, since it may have been set.
    static let longestWait: Int64 = 60_000
    /// Milliseconds after a commit that failed.
    static let pauseAfterFailure: Int64 = 1_000

    enum Action: Equatable {
        /// Nothing is due before `expect` or `resume` is called.
        case rest
        case wait(milliseconds: Int64)
        /// `pause` says how long to wait after it, before `resume` is called.
        case commit(Moment)
    }

    private var boundary: Moment?
    /// Whether a commit is under way, or has just been made.
    private var isBusy = false
    /// The last moment that was committed here. Until the screens know of it, their boundary isn't after it.
    private var committed: Moment?

    /// - Parameter boundary: the next moment that has to be committed; `nil` if there is none.
    /// - Returns: whether it is another than before.
    @discardableResult
    mutating func expect(_ boundary: Moment?) -> Bool {
        defer { self.boundary = boundary }
        return boundary != self.boundary
    }

    /// Whether the time of day decides what is to be done.
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
        // Servers that share a database commit the same moment, and so once.
        let step = Moment(milliseconds: wall.milliseconds - wall.milliseconds % Self.interval)
        let moment = late < Self.interval ? boundary : max(boundary, step)
        committed = moment
        return .commit(moment)
    }

    /// Milliseconds to wait after a commit.
    static func pause(after isStored: Bool) -> Int64 { isStored ? interval : pauseAfterFailure }
}
