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
    private struct State {
        var keeper = Timekeeper()
        var timer: Scheduled<Void>?
        var isStopped = false
    }

    private let loop: any EventLoop
    private let committer: Committer
    private let clock: ServerClock
    private let logger: Logger
    private let state = Mutex(State())
    /// The queue on which the time of day is read.
    private let asking = DispatchQueue(label: "marquee.time")

    /// - Parameter loop: runs the timers.
    init(on loop: any EventLoop, with committer: Committer, _ clock: ServerClock, logger: Logger) {
        self.loop = loop
        self.committer = committer
        self.clock = clock
        self.logger = logger
    }

    /// - Parameters:
    ///   - boundary: the next moment to commit; `nil` if there is none.
    ///   - moment: the time that the catalogue has reached.
    func expect(_ boundary: Moment?, after moment: Moment?) {
        clock.reached(moment)
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
        let now: Moment
        do {
            now = try clock.now()
        } catch {
            logger.debug("the time of day isn't known", metadata: ["reason": "\(error)"])
            return wait(Timekeeper.pauseAfterFailure)
        }
        let moment: Moment? = state.withLock { state in
            guard !state.isStopped else { return nil }
            switch state.keeper.next(at: now) {
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
        guard state.withLock({ !$0.isStopped }) else { return }
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
