import Dispatch
import Logging
import MarqueeCatalogue
package import MarqueeModel
import MarqueeScreens
package import MarqueeStore
package import MarqueeTypes
import MarqueeWire
package import NIOCore
import Synchronization

/// The content of a store: a hub on a thread of its own, a committer and readers of the store's logs, and lanes on
/// which connections' requests wait for them.
package final class HubSource: ContentSource {
    let store: any StoreEngine
    let library: VersionLibrary
    /// This process's only writer of the store while the server runs.
    package let committer: Committer
    /// The hub's position.
    let positions = Positions()
    private let userMoves = UserMoves()
    let logger: Logger
    let audit: PublicationAudit
    /// The newest commits, from the log, with their publishers.
    private let commits = CommitHistory()
    package var history: CommitHistory? { commits }
    private let hits: LimitHits
    let clock: @Sendable () -> UInt64
    /// When it was made, by the clock.
    let began: UInt64
    /// The current programme.
    private let programmeInForce: Mutex<Programme>
    private let isStopped = Atomic<Bool>(false)
    /// The last sizes of write-ahead logs that were logged as growing.
    private let grownLogs = Mutex<[StoreLog: GrownLog]>([:])
    /// Why the store can't be reached, and when it last answered, by the clock.
    private let storeAway = Mutex<(reason: String, since: UInt64)?>(nil)
    private let clientsAhead = Mutex(ClientsAhead())
    let sourceReports = Mutex(SourceReports())
    /// The text of the programme that this server was given; `nil` if it uses the store's.
    private let givenProgramme = Mutex<String?>(nil)
    /// How long the hub leaves its processor to others when it rests.
    private static let rest = TimeAmount.microseconds(150)
    /// Connections' requests to the hub. While other threads want its processor, the hub rests between them: the kernel
    /// would let it go on for milliseconds while a session with little to do waits.
    let asking: WorkLane
    /// Variants for the hub to release, a bounded number at a time, so that a crowd of departing connections delays
    /// nobody.
    let releasing: WorkLane
    /// Looks up each client's starting position in the store, so that a welcome never waits for evaluation.
    let welcoming = WorkLane.onDedicatedThread("marquee.welcomes")
    /// Reads users' logs for the hub, so that a slow store delays only those who need them.
    let collections = WorkLane.onDedicatedThread("marquee.collections")
    /// Runs searches and encodes answers.
    let answering = WorkLane.onDedicatedThread("marquee.answers")
    let screenAnswers = ScreenAnswers()
    /// Parses publications: megabytes of JSON would block all other connections of an event loop.
    let reading = WorkLane.onDedicatedThread("marquee.publications")
    /// Evaluates screens as they would be after a publication, one at a time, because each holds a copy of the hub's
    /// screens.
    let previewing = WorkLane.onDedicatedThread("marquee.previews")
    /// Reads and decodes the catalogue's log, and the whole catalogue where the log doesn't reach back far enough.
    private let following = DispatchQueue(label: "marquee.log")
    private let time: TimeCommits
    let draftSchedule: DraftSchedule
    /// Jobs requested when the store changes.
    private let jobs = Mutex(CoalescedJobs<Job>())
    private let missedUsers = Mutex(MissedUsers())
    /// The users who have sessions; may be called on any thread.
    private let present = Mutex<@Sendable () -> Set<String>>({ [] })
    private let hubLoop: any EventLoop
    private let hub = Mutex<NIOLoopBound<Hub>?>(nil)

    /// - Parameters:
    ///   - clock: the server's monotonic clock, in milliseconds.
    ///   - wall: the time of day; `nil` for the database's, or the system's where there is none.
    init(
        store: any StoreEngine, programme: Programme, library: VersionLibrary, logger: Logger, hits: LimitHits,
        hubLoop: any EventLoop, clock: @escaping @Sendable () -> UInt64,
        wall: (@Sendable () -> Moment)? = nil
    ) {
        self.store = store
        self.library = library
        self.logger = logger
        audit = PublicationAudit(logger, clock: clock)
        self.hits = hits
        self.hubLoop = hubLoop
        (self.clock, began) = (clock, clock())
        let contention = ProcessorContention()
        let rest = WorkLane.Rest(
            isNeeded: { contention.isPresent },
            pause: { work in hubLoop.scheduleTask(in: Self.rest) { work() } })
        asking = WorkLane(rest: rest) { hubLoop.execute($0) }
        releasing = WorkLane { hubLoop.execute($0) }
        programmeInForce = Mutex(programme)
        committer = Committer(store: store)
        time = TimeCommits(on: hubLoop, with: committer, .of(store, wall: wall), logger: logger)
        draftSchedule = DraftSchedule(
            of: store, on: hubLoop, with: committer, .of(store, wall: wall), logger: logger, positions)
    }

    /// Reads the whole catalogue, and keeps it current from then on.
    /// - Parameter audience: notified of every change, on the hub's thread.
    /// - Returns: the catalogue's counts, and its revision.
    func begin(
        variantLimit: Int, for audience: Audience
    ) async throws -> (counts: CatalogueCounts, revision: UInt64) {
        let publish = audience.publish
        present.withLock { $0 = audience.users }
        let start = try await hubLoop.submit { [self] in
            let hub = try Hub(
                store: store, library: library, programme: programme, positions: positions, variantLimit: variantLimit,
                now: clock(), limitHit: { [hits] in hits.hit(.variants) }, publish: publish,
                report: { [logger] in logger.error("\($0)") })
            setHub(NIOLoopBound(hub, eventLoop: hubLoop))
            // Tells the session loops the catalogue's position.
            publish(Publication(catalogueRevision: hub.catalogueRevision, changes: [:]))
            time.expect(hub.nextBoundary)
            return (hub.counts, hub.catalogueRevision)
        }.get()
        try noteSources()
        store.onWake { [weak self] in self?.storeMoved() }
        if let shared = store as? any SharedStore { try shared.follow { [weak self] in self?.heard($0) } }
        storeMoved()
        draftSchedule.look()
        return start
    }

    package var types: TypeSet? { positions.types }

    /// The current programme, readable without waiting for the hub.
    var programme: Programme { programmeInForce.withLock { $0 } }

    // MARK: - The hub

    /// Called once the hub's thread has created it.
    private func setHub(_ value: NIOLoopBound<Hub>) {
        hub.withLock { $0 = value }
        programmeInForce.withLock { $0 = value.value.programme }
    }

    /// Runs `work` on the hub's thread; work submitted from one thread runs in order.
    func onHub(_ work: @escaping @Sendable (Hub) -> Void) {
        guard !isStopped.load(ordering: .acquiring) else { return }
        hubLoop.execute { [self] in onHubNow(work) }
    }

    /// Runs `question` on the hub's thread and returns its result.
    /// - Throws: `StoreError` if there is no hub yet, or whatever `question` throws.
    private func askHub<Value: Sendable>(_ question: @escaping @Sendable (Hub) throws -> Value) async throws -> Value {
        try await answer(question).get()
    }

    private func answer<Value: Sendable>(
        _ question: @escaping @Sendable (Hub) throws -> Value
    ) -> EventLoopFuture<Value> {
        hubLoop.submit { [self] in
            guard let hub = hub.withLock({ $0 }) else { throw StoreError(.closed, "the server isn't serving yet") }
            return try question(hub.value)
        }
    }

    /// The screens as they are now. Waits for the hub's thread, which shares them until it changes them.
    /// - Throws: when the server isn't serving.
    func currentScreens() throws(Status) -> Screens {
        do {
            guard !isStopped.load(ordering: .acquiring) else { throw StoreError(.closed, "the server has ended") }
            return try answer { $0.screens }.wait()
        } catch {
            throw Status(storeError: error)
        }
    }

    /// Runs a connection's request on the hub's thread when it is that connection's turn.
    func ask(for connection: ConnectionID, _ work: @escaping @Sendable (Hub) -> Void) {
        guard !isStopped.load(ordering: .acquiring) else { return }
        asking.submit(for: connection) { [self] in onHubNow(work) }
    }

    /// Runs `work` at once. Must be called on the hub's thread.
    private func onHubNow(_ work: (Hub) -> Void) {
        guard let hub = hub.withLock({ $0 }) else { return }
        work(hub.value)
    }

    /// The connection id of the source itself, for lanes where connections take turns; no connection has it.
    static let itself: ConnectionID = 0

    /// The most handles released in one job, so that other work gets a turn in between.
    private static let releasedAtOnce = 64

    package func release(_ handles: [UInt64]) {
        guard !isStopped.load(ordering: .acquiring) else { return }
        for start in stride(from: 0, to: handles.count, by: Self.releasedAtOnce) {
            let part = Array(handles[start..<min(start + Self.releasedAtOnce, handles.count)])
            releasing.submit(for: Self.itself) { [self] in
                onHubNow { $0.release(part) }
            }
        }
    }

    package func drop(_ connection: ConnectionID) {
        for lane in [asking, welcoming, collections, answering, reading, previewing] { lane.drop(connection) }
        committer.drop(connection)
    }

    // MARK: - Changes in the store

    /// A job to run when the store has changed.
    enum Job: Hashable {
        case catalogue
        case user(String)
    }

    /// Called when the store has new commits.
    func storeMoved() { ask(.catalogue) }

    /// Called when a user's log has moved, by the writing thread, in order.
    func userMoved(_ user: String, _ move: MemberMove) {
        if userMoves.add(move, of: user) { ask(.user(user)) }
    }

    /// Called when a client was told to keep its observations for now.
    func observationsAreFull() { hits.hit(.observations) }

    /// Called when a user's log may have moved without the hub having been told.
    func userMayHaveMoved(_ user: String) { ask(.user(user)) }

    /// Handles news from a store that other processes write to as well. Called on one of the store's own threads;
    /// returns once the hub has taken it, so that at most one call's news waits for the hub.
    func heard(_ news: StoreNews) {
        switch news {
        case .catalogue:
            draftSchedule.mayHaveChanged()
            return storeMoved()
        case .moves(let moves): for entry in moves { userMoved(entry.user, entry.move) }
        case .missed:
            draftSchedule.mayHaveChanged()
            storeMoved()
            // There may be as many as there are connections, so they are gathered here and not by the hub.
            missed(present.withLock { $0 }())
            onHub { [self] hub in missed(hub.knownUsers) }
        case .unreachable(let error, let since):
            let silence = UInt64(max(0, since.duration(to: .now) / .milliseconds(1)))
            let now = clock()
            storeAway.withLock { $0 = (error.description, now - min(now, silence)) }
            return logger.error("can't reach the store: serving what is known, rejecting writes, retrying: \(error)")
        case .reachable:
            let seconds = (outage?.age ?? 0) / 1_000
            storeAway.withLock { $0 = nil }
            return logger.notice("the store can be reached again, after \(seconds) s")
        // An operator has to act: the store refuses everything from now on.
        case .lost(let error): return logger.critical("\(error)")
        }
        // Fails when the server ends; nobody is waiting then.
        try? turn().wait()
    }

    /// Reads the logs of users whose moves may have been missed.
    private func missed(_ users: Set<String>) {
        for user in missedUsers.withLock({ $0.add(users) }) { ask(.user(user)) }
    }

    private func ask(_ job: Job) {
        if jobs.withLock({ $0.ask(job) }) { run(job) }
    }

    private func run(_ job: Job) {
        switch job {
        case .catalogue: follow()
        case .user(let user): onHub { [self] hub in read(hub.userChanged(user, moves: userMoves.take(user)), of: user) }
        }
    }

    func ended(_ job: Job) {
        if jobs.withLock({ $0.done(job) }) { return run(job) }
        guard case .user(let user) = job else { return }
        for next in missedUsers.withLock({ $0.done(user) }) { ask(.user(next)) }
    }

    /// Runs the job again after a pause, as nothing else would. Logs each reason once.
    func failed(_ job: Job, _ message: String) {
        if jobs.withLock({ $0.failed(job, message) }) { logger.error("\(message)") }
        hubLoop.scheduleTask(in: .seconds(1)) { [weak self] in
            guard let self, !isStopped.load(ordering: .acquiring) else { return }
            jobs.withLock { $0.retry(job) }
            run(job)
        }
    }

    /// Reads new commits of the catalogue's log without blocking the hub, and hands them to it in bounded batches.
    private func follow() {
        following.async { [self] in
            guard !isStopped.load(ordering: .acquiring) else { return }
            do throws(StoreError) {
                let commits = try store.commits(
                    after: positions.catalogueRevision, limit: Hub.commitsPerPublication)
                if commits.isEmpty { return ended(.catalogue) }
                self.commits.add(commits)
                note(sourcesOf: commits)
                onHub { [self] in follow(commits, on: $0) }
            } catch {
                if error.code == .historyCut { return onHub { [self] in reload($0.writtenProgramme) } }
                failed(.catalogue, "the catalogue's log can't be read, trying again: \(error)")
            }
        }
    }

    /// Reads the whole catalogue again without blocking the hub, which serves the state it has meanwhile.
    private func reload(_ programme: Programme) {
        following.async { [self] in
            guard !isStopped.load(ordering: .acquiring) else { return }
            do throws(StoreError) {
                let screens = try Screens(store: store, programmeFallback: programme)
                try noteSources()
                onHub { [self] hub in
                    do throws(StoreError) {
                        let old = try hub.replace(by: screens)
                        // Releasing a million records would block the hub too.
                        following.async { withExtendedLifetime(old) {} }
                        advanced(hub)
                    } catch {
                        failed(.catalogue, "the catalogue can't be read, trying again: \(error)")
                    }
                }
            } catch {
                failed(.catalogue, "the catalogue can't be read, trying again: \(error)")
            }
        }
    }

    /// Logs a warning whenever a programme other than `text` comes into force, such as that of another server's file.
    package func expect(programme text: String) { givenProgramme.withLock { $0 = text } }

    private func compareProgrammes(_ commits: [CatalogueCommit]) {
        guard let given = givenProgramme.withLock({ $0 }) else { return }
        for commit in commits {
            for case .programme(let text) in commit.changes where text != given {
                logger.warning(
                    """
                    a programme other than this server's file has been in force since revision \(commit.revision): \
                    somebody published it, or another server has a different file. The last one published applies to \
                    all servers
                    """)
            }
        }
    }

    private func follow(_ commits: [CatalogueCommit], on hub: Hub) {
        compareProgrammes(commits)
        if let advance = hub.begin(commits) { return run(advance, hub.writtenProgramme) }
        do throws(Status) { try hub.follow(commits) } catch { return reload(hub.writtenProgramme) }
        advanced(hub)
    }

    /// Applies many changes without blocking the hub.
    /// - Parameter programme: used if the catalogue has to be read again.
    private func run(_ advance: Advance, _ programme: Programme) {
        following.async { [self] in
            guard !isStopped.load(ordering: .acquiring) else { return }
            do throws(Status) { try advance.run() } catch { return reload(programme) }
            onHub { [self] hub in
                hub.finish(advance)
                following.async { withExtendedLifetime(advance) {} }
                advanced(hub)
            }
        }
    }

    private func advanced(_ hub: Hub) {
        programmeInForce.withLock { $0 = hub.programme }
        time.expect(hub.nextBoundary)
        // There may be more.
        follow()
    }

    package func stop() {
        isStopped.store(true, ordering: .releasing)
        store.onWake {}
        time.stop()
        draftSchedule.stop()
        audit.end()
    }

    // MARK: - For sessions

    package var openAllowance: Int { min(asking.allowance, collections.allowance) }
    package var locales: [String] { programme.locales }

    package func open(
        _ request: OpenRequest, by caller: ContentCaller, for connection: ConnectionID,
        completion: @escaping @Sendable (Result<OpenedView, Status>) -> Void
    ) {
        let origin = caller.origin
        ask(for: connection, { $0.open(request, from: origin, with: $1) }, completion: completion)
    }

    package func locate(
        _ caller: ContentCaller, claim: PositionClaim?, for connection: ConnectionID,
        completion: @escaping @Sendable (Result<(cut: Cut, lastMutation: UInt64?), Status>) -> Void
    ) {
        welcoming.submit(for: connection) { [self] in
            do throws(StoreError) {
                completion(.success(try positions.place(of: caller, in: store)))
            } catch {
                guard let place = positions.place(of: caller, claim, after: error) else {
                    logger.debug("a client can't be welcomed: \(error)")
                    return completion(.failure(Status(storeError: error)))
                }
                completion(.success(place))
                // The user's log may have moved since then, and the part that listens for moves may be able to reach
                // the store.
                if let user = caller.user { missed([user]) }
            }
        }
    }

    package func perform(
        _ call: ContentCall, by caller: ContentCaller, for connection: ConnectionID, deadline: UInt64?,
        completion: @escaping @Sendable (Result<[UInt8], Status>) -> Void
    ) {
        // The guests of a relay take turns as if each had a connection.
        let lane = caller.relayedGuest.map { connection.lane(of: $0) } ?? connection
        let caller = CallRunner.Caller(who: caller, connection: lane, deadline: deadline)
        CallRunner(source: self).run(call, caller: caller, completion: completion)
    }

    package func refused(_ status: Status, publicationBy caller: ContentCaller, for connection: ConnectionID) {
        audit.refused(status, by: CallRunner.Caller(who: caller, connection: connection), key: nil)
    }

    package func note(ahead client: ClientAhead) {
        guard store is any SharedStore else { return }
        clientsAhead.withLock { $0.add(client) }
    }

    /// Records in the store the clients that have seen more than it has. A failure is harmless: they are added again
    /// when they reconnect.
    private func noteClientsAhead() {
        guard let shared = store as? any SharedStore else { return }
        let clients = clientsAhead.withLock { $0.take() }
        guard !clients.isEmpty else { return }
        DispatchQueue.global(qos: .utility).async { [self] in
            do throws(StoreError) { try shared.note(ahead: clients) } catch {
                logger.debug(
                    "clients that have seen more than the store has can't be noted", metadata: ["reason": "\(error)"])
            }
            clientsAhead.withLock { $0.isWriting = false }
        }
    }

    package func tick(now: UInt64) {
        noteClientsAhead()
        onHub { $0.tick(now: now) }
        draftSchedule.tick()
        audit.tick()
        for log in StoreLog.allCases {
            let bytes = store.writeAheadBytes(of: log) ?? 0
            guard grownLogs.withLock({ $0[log, default: GrownLog()].isNews(bytes) }) else { continue }
            logger.warning(
                """
                the write-ahead log of \(log) has \(bytes >> 20) MiB: a backup or another program that reads the data \
                folder keeps it from being emptied
                """)
        }
    }

    package func finish() async {
        // Submitted publications are parsed first, then committed.
        await reading.flush()
        await answering.flush()
        await previewing.flush()
        await collections.flush()
        committer.flush()
    }

    // MARK: - For operators

    package var revision: UInt64 { positions.catalogueRevision }
    package var records: [RecordCount] { positions.counts.records }
    package var outage: SourceOutage? {
        let now = clock()
        return storeAway.withLock { $0 }.map { SourceOutage(age: now - min(now, $0.since), reason: $0.reason) }
    }
    package var staleMilliseconds: UInt64? { outage?.age }
    package var commitFigures: [String: CommitFigures] {
        var figures = committer.figures
        for log in StoreLog.allCases { figures["\(log)"]?.writeAheadBytes = store.writeAheadBytes(of: log) }
        return figures
    }

    package var laneFigures: [LaneFigures] {
        [
            ("hub", asking), ("releases", releasing), ("welcomes", welcoming), ("collections", collections),
            ("answers", answering), ("publications", reading), ("previews", previewing),
        ].map { name, lane in
            let counters = lane.counters
            return LaneFigures(name: name, waiting: lane.waiting, done: counters.done, dropped: counters.dropped)
        }
    }

    package func variantCounts(within bound: AnswerBound) async throws -> VariantCounts {
        try await answer { $0.variantCounts() }.value(within: bound)
    }

    package func variantReports(_ handles: [UInt64], within bound: AnswerBound) async throws -> [VariantReport] {
        try await answer { $0.variantReports(handles) }.value(within: bound)
    }

    package func turn() -> EventLoopFuture<Void> { answer { _ in } }

    // MARK: - Pools

    /// Chooses another item of a pool at random.
    /// - Parameters:
    ///   - key: the commit's idempotency key: a choice with the same key is made once.
    ///   - putOff: called when the store is full or busy and the choice has to wait.
    /// - Throws: `StoreError` when it can't be committed.
    package func rotate(
        _ pool: String, key: String? = nil, putOff: (StoreError) -> Void = { _ in }
    ) async throws -> Rotation.Event {
        let (all, now) = try await askHub { $0.choices(of: pool) }
        guard let choice = all.filter({ $0 != now }).randomElement() else { return .nothingToChoose }
        switch try await committer.commitPatiently(
            .catalogue(key: key, changes: [choice], mutation: nil), putOff: putOff)
        {
        case .done(let revision, changed: true): return .chosen(choice, revision: revision)
        // This server or another one made the choice before, perhaps of another item.
        case .done(_, changed: false), .keyReused: return .chosenBefore
        default: return .nothingToChoose
        }
    }
}
