import NIOCore

/// The sessions of one event loop: passes on what the server announces, checks each session at its deadline, and lets
/// those with something to do take turns.
final class LoopRegistry {
    /// The pause between two slices, so that the loop gets to read from connections: it runs everything due before
    /// that.
    private static let pause = TimeAmount.microseconds(100)

    private struct Reference {
        weak var registry: LoopRegistry?
    }

    private let loop: any EventLoop
    /// Where other threads deliver results for sessions of this loop.
    let inbox: LoopInbox
    private var sessions: [ObjectIdentifier: SessionHandler] = [:]
    private var deadlines = DeadlineWheel<ObjectIdentifier>()
    private lazy var turns = LoopTurns<ObjectIdentifier>(
        inbox: inbox, now: { NIODeadline.now().uptimeNanoseconds },
        afterReading: { [loop] slice in
            loop.assumeIsolated().scheduleTask(in: Self.pause) { slice() }
        },
        turn: { [unowned self] in sessions[$0]?.takeTurn(steps: $1) ?? .init(steps: 0, isDone: true) })

    /// Call this on the loop.
    init(loop: any EventLoop) {
        self.loop = loop
        let me = NIOLoopBoundBox(Reference(), eventLoop: loop)
        inbox = LoopInbox {
            loop.execute { me.value.registry?.turns.inboxWoke() }
        }
        me.value.registry = self
    }

    func add(_ session: SessionHandler) { sessions[ObjectIdentifier(session)] = session }

    func remove(_ session: SessionHandler) {
        let id = ObjectIdentifier(session)
        sessions[id] = nil
        deadlines.remove(id)
        turns.remove(id)
    }

    func published(_ publication: Publication) {
        // What the hub did for a session earlier comes first.
        turns.collect()
        for session in sessions.values { session.published(publication) }
    }

    func drain() {
        for session in sessions.values { session.drain() }
    }

    /// What each session holds for its client.
    var loads: [SessionLoad] { sessions.values.map(\.load) }

    // MARK: - Turns

    /// A session has something to do: it runs now if nobody is waiting.
    /// - Returns: whether it has had its turn.
    func ask(for session: SessionHandler) -> Bool { turns.ask(ObjectIdentifier(session)) }

    /// A session has something to do at its next turn.
    func askLater(for session: SessionHandler) { turns.askLater(ObjectIdentifier(session)) }

    // MARK: - Time

    /// Schedules a check of a session at its deadline.
    /// - Parameter deadline: milliseconds of a monotonic clock.
    func schedule(_ session: SessionHandler, at deadline: UInt64) {
        deadlines.schedule(ObjectIdentifier(session), at: deadline)
    }

    /// Called about once a second.
    func tick(now: UInt64) {
        for id in deadlines.due(at: now) { sessions[id]?.tick(now: now) }
    }
}
