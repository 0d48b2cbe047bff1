import Foundation
import Logging
import MarqueeModel
import MarqueeStore
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
    private let wall: @Sendable () -> Moment
    private let logger: Logger
    private let state = Mutex(State())

    /// - Parameters:
    ///   - loop: its timers run there.
    ///   - wall: the time of day.
    init(on loop: any EventLoop, with committer: Committer, wall: @escaping @Sendable () -> Moment, logger: Logger) {
        self.loop = loop
        self.committer = committer
        self.wall = wall
        self.logger = logger
    }

    /// - Parameter boundary: the next moment that has to be committed; `nil` if there is none.
    func expect(_ boundary: Moment?) {
        state.withLock { $0.keeper.expect(boundary) }
        look()
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
        let moment: Moment? = state.withLock { state in
            guard !state.isStopped else { return nil }
            switch state.keeper.next(at: wall()) {
            case .rest: return nil
            case .commit(let moment): return moment
            case .wait(let milliseconds):
                state.timer?.cancel()
                state.timer = loop.scheduleTask(in: .milliseconds(milliseconds)) { [weak self] in self?.look() }
                return nil
            }
        }
        if let moment { commit(moment) }
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
