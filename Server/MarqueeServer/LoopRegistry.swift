import DequeModule
import NIOCore

/// The sessions of one event loop: tells them what the server has to tell, looks at each when its deadline comes, and
/// gives those that have frames waiting their turns.
final class LoopRegistry {
    /// Between two slices, so that the loop gets to read from the connections that have nothing waiting.
    private static let pause = TimeAmount.microseconds(100)

    private let loop: any EventLoop
    private var sessions: [ObjectIdentifier: SessionHandler] = [:]
    private var deadlines = DeadlineWheel<ObjectIdentifier>()
    /// Sessions that have frames waiting, the one whose turn is next first.
    private var turns: Deque<SessionHandler> = []
    private var isSliceScheduled = false

    init(loop: any EventLoop) { self.loop = loop }

    func add(_ session: SessionHandler) { sessions[ObjectIdentifier(session)] = session }

    func remove(_ session: SessionHandler) {
        sessions[ObjectIdentifier(session)] = nil
        deadlines.remove(ObjectIdentifier(session))
    }

    func published(_ publication: Publication) {
        for session in sessions.values { session.published(publication) }
    }

    func drain() {
        for session in sessions.values { session.drain() }
    }

    /// What each session holds for its client.
    var loads: [SessionLoad] { sessions.values.map(\.load) }

    // MARK: - Time

    /// A session is to be looked at when its deadline has come.
    /// - Parameter deadline: milliseconds of a monotonic clock.
    func schedule(_ session: SessionHandler, at deadline: UInt64) {
        deadlines.schedule(ObjectIdentifier(session), at: deadline)
    }

    /// Called about once a second.
    func tick(now: UInt64) {
        for id in deadlines.due(at: now) { sessions[id]?.tick(now: now) }
    }

    // MARK: - Turns

    /// A session has frames waiting that may be taken.
    func queue(_ session: SessionHandler) {
        guard !session.hasTurn else { return }
        session.hasTurn = true
        turns.append(session)
        scheduleSlice()
    }

    private func scheduleSlice() {
        guard !isSliceScheduled else { return }
        isSliceScheduled = true
        loop.assumeIsolated().scheduleTask(in: Self.pause) { self.runSlice() }
    }

    private func runSlice() {
        isSliceScheduled = false
        var left = SessionSettings.framesPerSlice
        while left > 0, let session = turns.popFirst() {
            session.hasTurn = false
            left -= max(1, session.takeFrames(min(SessionSettings.framesPerTurn, left)))
        }
        if !turns.isEmpty { scheduleSlice() }
    }
}
