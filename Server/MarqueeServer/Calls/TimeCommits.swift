import Dispatch
import Foundation
import Logging
import MarqueeModel
import MarqueeStore
import MarqueeTypes
import NIOCore
import Synchronization

/// Commits the catalogue's time when it is due. Thread safe.
final class TimeCommits: Sendable {
    /// The clocks of a server.
    struct Clocks: Sendable {
        /// The time of day. May block: if servers share a database, it is the database's.
        var wall: @Sendable () throws -> Moment
        /// Milliseconds of a clock that nobody can set, and that goes on while the machine sleeps.
        var steady: @Sendable () -> UInt64

        /// - Parameter wall: the time of day; `nil` for the clock of the database that servers share, or else the
        ///   system's.
        static func of(_ store: any StoreEngine, wall: (@Sendable () -> Moment)?) -> Clocks {
            if let wall { return Clocks(wall: wall, steady: { 0 }) }
            let shared = store as? any SharedStore
            return Clocks(wall: { try shared?.clock() ?? .current }, steady: { systemSteadyClock() })
        }
    }

    private struct State {
        var keeper = Timekeeper()
        var clock = BelievedClock()
        var timer: Scheduled<Void>?
        var isStopped = false
        /// Whether the leap of the clock was logged.
        var hasComplained = false
    }

    private let loop: any EventLoop
    private let committer: Committer
    private let clocks: Clocks
    private let logger: Logger
    private let state = Mutex(State())
    /// The queue on which the time of day is read.
    private let asking = DispatchQueue(label: "marquee.time")

    /// - Parameter loop: runs the timers.
    init(on loop: any EventLoop, with committer: Committer, _ clocks: Clocks, logger: Logger) {
        self.loop = loop
        self.committer = committer
        self.clocks = clocks
        self.logger = logger
    }

    /// - Parameter boundary: the next moment to commit; `nil` if there is none.
    func expect(_ boundary: Moment?) {
        if state.withLock({ $0.keeper.expect(boundary) }) { look() }
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.timer?.cancel()
            state.timer = nil
        }
    }

    /// Commits the time if it is due, or waits until it is.
    private func look() {
        asking.async { [weak self] in self?.lookNow() }
    }

    private func lookNow() {
        guard state.withLock({ !$0.isStopped && $0.keeper.isExpecting }) else { return }
        let wall: Moment
        do {
            wall = try clocks.wall()
        } catch {
            logger.debug("the time of day isn't known", metadata: ["reason": "\(error)"])
            return wait(Timekeeper.pauseAfterFailure)
        }
        let steady = clocks.steady()
        let moment: Moment? = state.withLock { state in
            guard !state.isStopped else { return nil }
            let reading = state.clock.read(wall: wall, steady: steady)
            complain(of: reading, &state)
            switch state.keeper.next(at: reading.moment) {
            case .rest: return nil
            case .commit(let moment): return moment
            case .wait(let milliseconds):
                wait(milliseconds, &state)
                return nil
            }
        }
        if let moment { commit(moment) }
    }

    private func wait(_ milliseconds: Int64) { state.withLock { wait(milliseconds, &$0) } }

    private func wait(_ milliseconds: Int64, _ state: inout State) {
        state.timer?.cancel()
        state.timer = loop.scheduleTask(in: .milliseconds(milliseconds)) { [weak self] in self?.look() }
    }

    /// Logs once that the clock leapt, and once that it is believed again.
    private func complain(of reading: BelievedClock.Reading, _ state: inout State) {
        switch reading {
        case .leapt(let moment, let ahead) where !state.hasComplained:
            state.hasComplained = true
            logger.error(
                """
                the clock has leapt ahead by \(ahead / 1_000) s and isn't followed, as the screens' time never goes \
                back: it goes on from \(moment.text). Set the clock; if it is right, restart the server
                """)
        case .believed where state.hasComplained:
            state.hasComplained = false
            logger.notice("the clock is followed again")
        default: break
        }
    }

    private func commit(_ moment: Moment) {
        let write = StoreWrite.catalogue(key: nil, changes: [.time(moment)], mutation: nil)
        let isSubmitted = committer.submit(write) { [weak self] result in
            if case .failure(let error) = result {
                self?.logger.debug("the catalogue's time can't be committed", metadata: ["reason": "\(error)"])
                self?.pause(after: false)
            } else {
                self?.pause(after: true)
            }
        }
        if !isSubmitted { pause(after: false) }
    }

    private func pause(after isStored: Bool) {
        loop.scheduleTask(in: .milliseconds(Timekeeper.pause(after: isStored))) { [weak self] in
            self?.state.withLock { $0.keeper.resume(after: isStored) }
            self?.look()
        }
    }
}

extension Moment {
    /// The time of day by the system's clock.
    static var current: Moment { Moment(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down))) }
}
