import Dispatch
import Logging
import MarqueeModel
import MarqueeStore
import NIOCore
import Synchronization

/// Publishes drafts when they are due. Thread safe.
///
/// Of several servers with one database all try: the first commits, in one transaction with the draft's end, and the
/// others find nothing. What one of them schedules, the others hear of as of a commit.
final class DraftSchedule: Sendable {
    private struct State {
        var timer: Scheduled<Void>?
        var isStopped = false
        /// Whether another server may have scheduled something.
        var mayHaveChanged = false
        /// Whether it is being looked at, and whether it should be looked at again.
        var isLooking = false
        var isAskedAgain = false
    }

    private let store: (any DraftStore)?
    private let loop: any EventLoop
    private let committer: Committer
    private let clock: ServerClock
    private let logger: Logger
    private let positions: Positions
    private let state = Mutex(State())
    private let asking = DispatchQueue(label: "marquee.drafts")

    /// - Parameter loop: its timers run there.
    init(
        of store: any StoreEngine, on loop: any EventLoop, with committer: Committer, _ clock: ServerClock,
        logger: Logger, _ positions: Positions
    ) {
        self.store = store as? any DraftStore
        self.loop = loop
        self.committer = committer
        self.clock = clock
        self.logger = logger
        self.positions = positions
    }

    /// Others have written to the store. They may do so often, so it is looked at once a second at most.
    func mayHaveChanged() { state.withLock { $0.mayHaveChanged = true } }

    /// Called about once a second.
    func tick() {
        let hasChanged = state.withLock { state in
            defer { state.mayHaveChanged = false }
            return state.mayHaveChanged
        }
        if hasChanged { look() }
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.timer?.cancel()
            state.timer = nil
        }
    }

    /// Publishes what is due, and waits for what is next.
    func look() {
        guard store != nil else { return }
        let begins = state.withLock { state in
            if state.isStopped { return false }
            if state.isLooking { state.isAskedAgain = true }
            defer { state.isLooking = true }
            return !state.isLooking
        }
        if begins { asking.async { [weak self] in self?.lookNow() } }
    }

    private func lookNow() {
        do {
            let waiting = try (store?.drafts() ?? []).compactMap { draft in
                draft.due.map { (due: $0, name: draft.name) }
            }
            guard let (due, name) = waiting.min(by: { $0 < $1 }) else { return rest() }
            let early = due.milliseconds - (try clock.now()).milliseconds
            guard early <= 0 else { return rest(milliseconds: min(early, Timekeeper.longestWait)) }
            publish(name, due: due)
        } catch {
            logger.debug("drafts can't be looked at", metadata: ["reason": "\(error)"])
            rest(milliseconds: Timekeeper.pauseAfterFailure)
        }
    }

    private func publish(_ name: String, due: Moment) {
        var action = DraftEdit.Action.publishDue(due)
        if let mistake = (try? store?.draft(name))??.mistake(in: positions.types) {
            action = .fail(due, problem: mistake)
        }
        let isTaken = committer.submit(.draft(DraftEdit(name, action), mutation: nil)) { [weak self, action] result in
            guard let self else { return }
            switch result {
            case .success(.done(let revision, let changed)):
                report(name, revision: changed && action == .publishDue(due) ? revision : nil)
                rest(milliseconds: 0)
            default:
                logger.error("the draft '\(name)' is due and can't be published, trying again: \(result)")
                rest(milliseconds: Timekeeper.pauseAfterFailure)
            }
        }
        if !isTaken { rest(milliseconds: Timekeeper.pauseAfterFailure) }
    }

    /// - Parameter revision: `nil` if this server has made no commit of it.
    private func report(_ name: String, revision: UInt64?) {
        if let revision {
            let metadata: Logger.Metadata = [
                AuditLine.field: "publication", "draft": "\(name)", "revision": .stringConvertible(revision),
            ]
            return logger.log(level: AuditLine.level, "a draft was published, as it was due", metadata: metadata)
        }
        guard let problem = (try? store?.draft(name))??.problem else { return }
        logger.error("the draft '\(name)' was due and isn't published: \(problem)")
    }

    /// - Parameter milliseconds: after which to look again; `nil` for when something changes.
    private func rest(milliseconds: Int64? = nil) {
        let isAskedAgain = state.withLock { state in
            state.isLooking = false
            state.timer?.cancel()
            state.timer = nil
            guard !state.isStopped else { return false }
            if let milliseconds {
                state.timer = loop.scheduleTask(in: .milliseconds(milliseconds)) { [weak self] in self?.look() }
            }
            defer { state.isAskedAgain = false }
            return state.isAskedAgain
        }
        if isAskedAgain { look() }
    }
}
