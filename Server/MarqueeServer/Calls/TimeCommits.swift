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
        /// The time of day. May block, as a database says it where there is one.
        var wall: @Sendable () throws -> Moment
        /// Milliseconds of a clock that nobody can set, which goes on while the machine sleeps.
        var steady: @Sendable () -> UInt64

        /// - Parameter wall: the time of day; `nil` for that of a store which servers share, and otherwise the
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
        /// Whether it has been said that the clock leapt.
        var hasComplained = false
    }

    private let loop: any EventLoop
    private let committer: Committer
    private let clocks: Clocks
    private let logger: Logger
    private let state = Mutex(State())
    /// Asks for the time of day.
    private let asking = DispatchQueue(label: "marquee.time")

    /// - Parameter loop: its timers run there.
    init(on loop: any EventLoop, with committer: Committer, _ clocks: Clocks, logger: Logger) {
        self.loop = loop
        self.committer = committer
        self.clocks = clocks
        self.logger = logger
    }

    /// - Parameter boundary: the next moment that has to be committed; `nil` if there is none.
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

    /// Does what is due, or waits for it.
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

    /// Says once that the clock leapt, and once that it is believed again.
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
