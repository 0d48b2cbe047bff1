import Logging
import MarqueeModel
import MarqueeStore
import NIOCore

/// The commits that a server makes by itself when they are due: the catalogue's time, and scheduled drafts.
struct DueCommits: Sendable {
    let clock: ServerClock
    let time: TimeCommits
    let drafts: DraftSchedule

    /// - Parameters:
    ///   - loop: runs the timers.
    ///   - wall: the time of day; `nil` for the database's, or the system's where there is none.
    init(
        of store: any StoreEngine, on loop: any EventLoop, with committer: Committer, wall: (@Sendable () -> Moment)?,
        positions: Positions, logger: Logger
    ) {
        clock = ServerClock(.of(store, wall: wall), logger: logger)
        time = TimeCommits(on: loop, with: committer, clock, logger: logger)
        drafts = DraftSchedule(of: store, on: loop, with: committer, clock, logger: logger, positions)
    }

    func stop() {
        time.stop()
        drafts.stop()
    }
}
