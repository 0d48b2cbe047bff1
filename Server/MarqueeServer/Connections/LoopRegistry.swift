import DequeModule
import Dispatch
import MarqueeModel
import NIOCore

/// One event loop's share of the server: delivers what the hub publishes, checks each session at its deadline, and lets
/// those with something to do take turns.
final class LoopRegistry {
    /// The pause between two slices, which lets the loop read from connections: the loop first runs everything that is
    /// due.
    private static let pause = TimeAmount.microseconds(100)
    /// The pause between two steps of handshakes, of which the longest takes about three times as long (decision 50).
    private static let handshakePause = TimeAmount.microseconds(50)
    /// How long publications are delivered, or sessions checked, without a pause, in nanoseconds.
    private static let slice: UInt64 = 1_000_000
    /// Sessions served between two looks at the clock.
    private static let sessionsAtOnce = 16

    private struct Reference {
        weak var registry: LoopRegistry?
    }

    private let loop: any EventLoop
    private unowned let services: ServerServices
    /// Where other threads deliver results for sessions of this loop.
    let inbox: LoopInbox
    /// Where the hub's publications arrive.
    let publications: PublicationQueue
    let sessions: LoopSessions
    let feeds: LoopFeeds
    let handshakes: HandshakeTurns
    /// Whether the rest of a delivery is scheduled.
    private var isDelivering = false
    /// The part of the cohorts' data frames that is already included in the server's counter.
    private var counted: UInt64 = 0
    /// The connections of this loop that have ended.
    private(set) var ends = EndTally()
    private var handlers: [ObjectIdentifier: SessionHandler] = [:]
    /// Connections of doors that have no session.
    private var doorConnections: [ObjectIdentifier: DoorConnection] = [:]
    private var deadlines = DeadlineWheel<ObjectIdentifier>()
    /// Sessions that are due but weren't checked yet, and the time of the newest tick.
    private var due: Deque<ObjectIdentifier> = []
    private var ticked: UInt64 = 0
    private let contention = ProcessorContention()
    private lazy var turns = LoopTurns<ObjectIdentifier>(
        inbox: inbox, now: { NIODeadline.now().uptimeNanoseconds },
        isContended: { [contention] in contention.isPresent },
        afterReading: { [loop] slice in
            loop.assumeIsolated().scheduleTask(in: Self.pause) { slice() }
        },
        turn: { [unowned self] in
            handlers[$0]?.takeTurn(steps: $1) ?? doorConnections[$0]?.takeTurn(steps: $1)
                ?? .init(steps: 0, isDone: true)
        })

    /// Must be called on the loop.
    init(loop: any EventLoop, services: ServerServices) {
        self.loop = loop
        self.services = services
        let me = NIOLoopBoundBox(Reference(), eventLoop: loop)
        inbox = LoopInbox {
            loop.execute { me.value.registry?.turns.inboxWoke() }
        }
        let publications = PublicationQueue {
            loop.execute { me.value.registry?.publicationsArrived() }
        }
        self.publications = publications
        handshakes = HandshakeTurns(
            afterReading: { loop.assumeIsolated().execute($0) },
            later: { turn in loop.assumeIsolated().scheduleTask(in: Self.handshakePause) { turn() } },
            now: { NIODeadline.now().uptimeNanoseconds })
        sessions = LoopSessions(library: services.library, settings: services.settings, budgets: services.budgets) {
            if $1 { publications.joined($0) } else { publications.left($0) }
        }
        let (inbox, source) = (inbox, services.source)
        feeds = LoopFeeds(
            library: services.library,
            work: { body, then in
                let then = NIOLoopBound(then, eventLoop: loop)
                DispatchQueue.global(qos: .userInitiated).async {
                    let bytes = body()
                    inbox.add { then.value(bytes) }
                }
            }, onRound: { me.value.registry?.publicationsArrived() }, onRelease: { source.release($0) })
        me.value.registry = self
    }

    func add(_ handler: SessionHandler) { handlers[ObjectIdentifier(handler)] = handler }

    func remove(_ handler: SessionHandler) {
        let id = ObjectIdentifier(handler)
        handlers[id] = nil
        deadlines.remove(id)
        turns.remove(id)
    }

    func add(_ connection: DoorConnection) { doorConnections[ObjectIdentifier(connection)] = connection }

    func remove(_ connection: DoorConnection) {
        let id = ObjectIdentifier(connection)
        doorConnections[id] = nil
        turns.remove(id)
    }

    func drain() {
        for handler in handlers.values { handler.drain() }
        for connection in Array(doorConnections.values) { connection.drain() }
    }

    /// Ends the sessions chosen by an operator.
    /// - Returns: the number of sessions ended.
    func end(_ chosen: ChosenSessions) -> Int {
        let handlers = handlers.values.filter { !$0.isClosing && chosen.includes($0.connection, of: $0.user) }
        for handler in handlers { handler.endForOperator() }
        return handlers.count
    }

    /// The load of each session.
    var loads: [SessionLoad] { handlers.values.map(\.load) }

    /// The sessions' ids, for `reports`.
    var sessionIDs: [ObjectIdentifier] { Array(handlers.keys) }

    /// Returns reports of some sessions, leaving out those that have ended.
    func reports(of sessions: ArraySlice<ObjectIdentifier>, now: UInt64) -> [SessionReport] {
        sessions.compactMap { handlers[$0]?.report(now: now) }
    }

    /// Counts a connection that has ended.
    func ended(_ reason: String, sentBytes: UInt64) { ends.add(reason, sentBytes: sentBytes) }

    // MARK: - Publications

    private func publicationsArrived() {
        if !isDelivering { deliver() }
    }

    /// Delivers everything if the end of all sessions was published: see `LoopSessions.hasEnd`.
    func deliverEnd() {
        if sessions.hasEnd || publications.hasEnd { deliver(untilDone: true) }
    }

    /// Delivers publications for a slice of time; the rest follows once the loop has read from connections.
    private func deliver(untilDone: Bool = false) {
        let (answers, published) = publications.take()
        for answer in answers { answer() }
        for publication in published {
            sessions.published(publication)
            feeds.published(publication)
        }
        let end = NIODeadline.now().uptimeNanoseconds + Self.slice
        var count = 0
        isDelivering = !sessions.deliver {
            count += 1
            // After an answer there is no pause: its session must not announce the position of a view that has just
            // opened while its other views lack the changes that led there (G9).
            return untilDone || !answers.isEmpty || !count.isMultiple(of: Self.sessionsAtOnce)
                || NIODeadline.now().uptimeNanoseconds < end
        }
        if !isDelivering { isDelivering = !feeds.deliver { NIODeadline.now().uptimeNanoseconds < end } }
        services.counts.deliveries.add(sessions.counters.dataFrames - counted, ordering: .relaxed)
        counted = sessions.counters.dataFrames
        guard isDelivering else { return }
        loop.assumeIsolated().scheduleTask(in: Self.pause) { [weak self] in self?.deliver() }
    }

    // MARK: - Turns

    /// Gives a session that has something to do its turn at once, if nobody is waiting.
    /// - Returns: whether it has had its turn.
    func ask(for session: SessionHandler) -> Bool { turns.ask(ObjectIdentifier(session)) }

    /// Queues a session that has something to do for its next turn.
    func askLater(for session: SessionHandler) { turns.askLater(ObjectIdentifier(session)) }

    /// Queues a door's connection that has something to do.
    func askLater(for connection: DoorConnection) { turns.askLater(ObjectIdentifier(connection)) }

    // MARK: - Time

    /// Schedules a check of a session at its deadline.
    /// - Parameter deadline: milliseconds of a monotonic clock.
    func schedule(_ session: SessionHandler, at deadline: UInt64) {
        deadlines.schedule(ObjectIdentifier(session), at: deadline)
    }

    /// Called about once a second.
    func tick(now: UInt64) {
        let isChecking = !due.isEmpty
        ticked = now
        due.append(contentsOf: deadlines.due(at: now))
        if !isChecking { checkDue() }
        let identities = services.identities
        feeds.tick(now: now, ending: identities.canRevoke ? { identities.ended($0) } : nil)
        if identities.canRevoke { for handler in Array(handlers.values) { handler.checkIdentity() } }
    }

    /// Checks sessions for a slice of time; the rest follows once the loop has read from connections. If thousands
    /// connected together and stayed silent, all of them time out together.
    private func checkDue() {
        let end = NIODeadline.now().uptimeNanoseconds + Self.slice
        while let id = due.popFirst() {
            handlers[id]?.tick(now: ticked)
            if NIODeadline.now().uptimeNanoseconds >= end { break }
        }
        guard !due.isEmpty else { return }
        loop.assumeIsolated().scheduleTask(in: Self.pause) { [weak self] in self?.checkDue() }
    }
}
