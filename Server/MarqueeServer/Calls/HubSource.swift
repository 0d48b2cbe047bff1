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
    /// This process's only writer of the store while the server runs.
    package let committer: Committer
    /// The hub's position.
    let positions = Positions()
    let lanes: HubLanes
    private let thread: HubThread
    private let news = HubNews()
    private let condition: StoreCondition
    private let programmes: Mutex<ProgrammeInForce>
    private let due: DueCommits
    let audit: PublicationAudit
    let sourceReports: Mutex<SourceReports>
    let screenAnswers = ScreenAnswers()
    private let hits: LimitHits
    let logger: Logger
    let clock: @Sendable () -> UInt64

    /// - Parameters:
    ///   - clock: the server's monotonic clock, in milliseconds.
    ///   - wall: the time of day; `nil` for the database's, or the system's where there is none.
    init(
        store: any StoreEngine, programme: Programme, logger: Logger, hits: LimitHits, hubLoop: any EventLoop,
        clock: @escaping @Sendable () -> UInt64, wall: (@Sendable () -> Moment)? = nil
    ) {
        self.store = store
        self.logger = logger
        self.hits = hits
        self.clock = clock
        audit = PublicationAudit(logger, clock: clock)
        thread = HubThread(hubLoop)
        lanes = HubLanes(hubLoop: hubLoop)
        condition = StoreCondition(of: store, logger: logger, clock: clock)
        // Sources may tell other servers of the same store how they are.
        sourceReports = Mutex(SourceReports(expectedSince: store is any SharedStore ? nil : clock()))
        programmes = Mutex(ProgrammeInForce(programme))
        committer = Committer(store: store)
        due = DueCommits(
            of: store, on: hubLoop, with: committer, wall: wall, positions: positions, logger: logger)
    }

    /// Reads the whole catalogue, and keeps it current from then on.
    /// - Parameters:
    ///   - library: the versions that sessions share.
    ///   - audience: notified of every change, on the hub's thread.
    /// - Returns: the catalogue's counts, and its revision.
    func begin(
        _ library: VersionLibrary, variantLimit: Int, for audience: Audience
    ) async throws -> (counts: CatalogueCounts, revision: UInt64) {
        let publish = audience.publish
        news.begin(users: audience.users)
        let start = try await thread.begin { [self] in
            try Hub(
                store: store, library: library, programme: programme, positions: positions, variantLimit: variantLimit,
                now: clock(), limitHit: { [hits] in hits.hit(.variants) }, publish: publish,
                report: { [logger] in logger.error("\($0)") })
        } then: { [self] hub in
            programmes.withLock { $0.programme = hub.programme }
            // Tells the session loops the catalogue's position.
            publish(Publication(catalogueRevision: hub.catalogueRevision, changes: [:]))
            due.time.expect(hub.nextBoundary, after: hub.reachedMoment)
            return (hub.counts, hub.catalogueRevision)
        }
        try noteSources()
        store.onWake { [weak self] in self?.storeMoved() }
        if let shared = store as? any SharedStore { try shared.follow { [weak self] in self?.heard($0) } }
        storeMoved()
        due.drafts.look()
        return start
    }

    package var types: TypeSet? { positions.types }

    /// The current programme, readable without waiting for the hub.
    var programme: Programme { programmes.withLock { $0.programme } }

    // MARK: - The hub

    /// Runs `work` on the hub's thread; work submitted from one thread runs in order.
    func onHub(_ work: @escaping @Sendable (Hub) -> Void) { thread.run(work) }

    /// The screens as they are now. Waits for the hub's thread, which shares them until it changes them.
    /// - Throws: when the server isn't serving.
    func currentScreens() throws(Status) -> Screens {
        do {
            guard !thread.isStopped else { throw StoreError(.closed, "the server has ended") }
            return try thread.answer { $0.screens }.wait()
        } catch {
            throw Status(storeError: error)
        }
    }

    /// Runs a connection's request on the hub's thread when it is that connection's turn.
    func ask(for connection: ConnectionID, _ work: @escaping @Sendable (Hub) -> Void) {
        guard !thread.isStopped else { return }
        lanes.asking.submit(for: connection) { [self] in thread.runNow(work) }
    }

    /// The connection id of the source itself, for lanes where connections take turns; no connection has it.
    static let itself: ConnectionID = 0

    /// The most handles released in one job, so that other work gets a turn in between.
    private static let releasedAtOnce = 64

    package func release(_ handles: [UInt64]) {
        guard !thread.isStopped else { return }
        for start in stride(from: 0, to: handles.count, by: Self.releasedAtOnce) {
            let part = Array(handles[start..<min(start + Self.releasedAtOnce, handles.count)])
            lanes.releasing.submit(for: Self.itself) { [self] in thread.runNow { $0.release(part) } }
        }
    }

    package func drop(_ connection: ConnectionID) {
        lanes.drop(connection)
        committer.drop(connection)
    }

    // MARK: - Changes in the store

    /// Called when the store has new commits.
    func storeMoved() { ask(.catalogue) }

    /// Called when a user's log has moved, by the writing thread, in order.
    func userMoved(_ user: String, _ move: MemberMove) {
        if news.add(move, of: user) { ask(.user(user)) }
    }

    /// Called when a draft has changed.
    func draftsChanged() { due.drafts.look() }

    /// Called when a client was told to keep its observations for now.
    func observationsAreFull() { hits.hit(.observations) }

    /// Called when a user's log may have moved without the hub having been told.
    func userMayHaveMoved(_ user: String) { ask(.user(user)) }

    /// Handles news from a store that other processes write to as well. Called on one of the store's own threads;
    /// returns once the hub has taken it, so that at most one call's news waits for the hub.
    func heard(_ news: StoreEvent) {
        switch news {
        case .catalogue:
            due.drafts.mayHaveChanged()
            return storeMoved()
        case .drafts: return due.drafts.mayHaveChanged()
        case .moves(let moves): for entry in moves { userMoved(entry.user, entry.move) }
        case .missed:
            due.drafts.mayHaveChanged()
            storeMoved()
            // There may be as many as there are connections, so they are gathered here and not by the hub.
            missed(self.news.users)
            onHub { [self] hub in missed(hub.knownUsers) }
        case .unreachable(let error, let since): return condition.unreachable(error, since: since)
        case .reachable: return condition.reachable()
        // An operator has to act: the store refuses everything from now on.
        case .lost(let error): return logger.critical("\(error)")
        }
        // Fails when the server ends; nobody is waiting then.
        try? turn().wait()
    }

    /// Reads the logs of users whose moves may have been missed.
    private func missed(_ users: Set<String>) { for job in news.withJobs({ $0.missed(users) }) { run(job) } }

    private func ask(_ job: HubJobs.Job) {
        if news.withJobs({ $0.ask(job) }) { run(job) }
    }

    private func run(_ job: HubJobs.Job) {
        switch job {
        case .catalogue: follow()
        case .user(let user):
            onHub { [self] hub in read(hub.userChanged(user, moves: news.takeMoves(of: user)), of: user) }
        }
    }

    func ended(_ job: HubJobs.Job) { for next in news.withJobs({ $0.ended(job) }) { run(next) } }

    /// Runs the job again after a pause, as nothing else would. Logs each reason once.
    func failed(_ job: HubJobs.Job, _ message: String) {
        if news.withJobs({ $0.failed(job, message) }) { logger.error("\(message)") }
        guard !thread.isStopped else { return }
        thread.loop.scheduleTask(in: .seconds(1)) { [weak self] in
            guard let self, !thread.isStopped else { return }
            news.withJobs { $0.retry(job) }
            run(job)
        }
    }

    /// Hands new commits of the catalogue's log to the hub, in bounded batches. Those that aren't in memory are read
    /// without blocking the hub.
    private func follow() {
        let limit = Hub.commitsPerPublication
        if let recent = store.recentCommits(after: positions.catalogueRevision, limit: limit) { return take(recent) }
        lanes.following.async { [self] in
            guard !thread.isStopped else { return }
            do throws(StoreError) {
                take(try store.commits(after: positions.catalogueRevision, limit: limit))
            } catch {
                if error.code == .historyCut { return onHub { [self] in reload($0.writtenProgramme) } }
                failed(.catalogue, "the catalogue's log can't be read, trying again: \(error)")
            }
        }
    }

    private func take(_ commits: [CatalogueCommit]) {
        if commits.isEmpty { return ended(.catalogue) }
        audit.history.add(commits)
        note(sourcesOf: commits)
        onHub { [self] in follow(commits, on: $0) }
    }

    /// Reads the whole catalogue again without blocking the hub, which serves the state it has meanwhile.
    private func reload(_ programme: Programme) {
        lanes.following.async { [self] in
            guard !thread.isStopped else { return }
            do throws(StoreError) {
                let screens = try Screens(store: store, programmeFallback: programme)
                try noteSources()
                onHub { [self] hub in
                    do throws(StoreError) {
                        let old = try hub.replace(by: screens)
                        // Releasing a million records would block the hub too.
                        lanes.following.async { withExtendedLifetime(old) {} }
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
    package func expect(programme text: String) { programmes.withLock { $0.given = text } }

    private func compareProgrammes(_ commits: [CatalogueCommit]) {
        for revision in programmes.withLock({ $0.others(in: commits) }) {
            logger.warning(
                """
                a programme other than this server's file has been in force since revision \(revision): somebody \
                published it, or another server has a different file. The last one published applies to all servers
                """)
        }
    }

    private func follow(_ commits: [CatalogueCommit], on hub: Hub) {
        compareProgrammes(commits)
        if let advance = hub.begin(commits) { return run(advance, hub.writtenProgramme) }
        do throws(Status) { try hub.follow(commits) } catch { return reload(hub.writtenProgramme) }
        advanced(hub, mayLack: commits.count == Hub.commitsPerPublication)
    }

    /// Applies many changes without blocking the hub.
    /// - Parameter programme: used if the catalogue has to be read again.
    private func run(_ advance: Advance, _ programme: Programme) {
        lanes.following.async { [self] in
            guard !thread.isStopped else { return }
            do throws(Status) { try advance.run() } catch { return reload(programme) }
            onHub { [self] hub in
                hub.finish(advance)
                lanes.following.async { withExtendedLifetime(advance) {} }
                advanced(hub)
            }
        }
    }

    /// - Parameter mayLack: whether the log may have had more commits when the hub's were read. Of later ones the store
    ///   has told.
    private func advanced(_ hub: Hub, mayLack: Bool = true) {
        programmes.withLock { $0.programme = hub.programme }
        due.time.expect(hub.nextBoundary, after: hub.reachedMoment)
        if mayLack { follow() } else { ended(.catalogue) }
    }

    package func stop() {
        thread.stop()
        store.onWake {}
        due.stop()
        audit.end()
    }

    // MARK: - For sessions

    package var openAllowance: Int { lanes.openAllowance }
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
        lanes.welcoming.submit(for: connection) { [self] in
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

    package func note(ahead client: ClientAhead) { condition.note(ahead: client) }

    package func tick(now: UInt64) {
        condition.tick()
        onHub { $0.tick(now: now) }
        due.drafts.tick()
        audit.tick()
    }

    package func finish() async {
        await lanes.finish()
        committer.flush()
    }

    // MARK: - For operators

    package var revision: UInt64 { positions.catalogueRevision }
    package var records: [RecordCount] { positions.counts.records }
    package var outage: SourceOutage? { condition.outage }
    package var staleMilliseconds: UInt64? { outage?.age }
    package var writeFailure: SourceOutage? { committer.figures.writeFailure }
    package var clockTrouble: ClockTrouble? { due.clock.trouble }
    package var commitFigures: [String: CommitFigures] {
        var figures = committer.figures
        for log in StoreLog.allCases { figures["\(log)"]?.writeAheadBytes = store.writeAheadBytes(of: log) }
        return figures
    }

    package var laneFigures: [LaneFigures] { lanes.figures }
    package var history: CommitHistory? { audit.history }

    package func variantCounts(within bound: AnswerBound) async throws -> VariantCounts {
        try await thread.answer { $0.variantCounts() }.value(within: bound)
    }

    package func variantReports(_ handles: [UInt64], within bound: AnswerBound) async throws -> [VariantReport] {
        try await thread.answer { $0.variantReports(handles) }.value(within: bound)
    }

    package func turn() -> EventLoopFuture<Void> { thread.answer { _ in } }

    // MARK: - Pools

    /// Chooses another item of a pool at random.
    /// - Parameters:
    ///   - key: the commit's idempotency key: a choice with the same key is made once.
    ///   - putOff: called when the store is full or busy and the choice has to wait.
    /// - Throws: `StoreError` when it can't be committed.
    package func rotate(
        _ pool: String, key: String? = nil, putOff: (StoreError) -> Void = { _ in }
    ) async throws -> Rotation.Event {
        let (all, now) = try await thread.answer { $0.choices(of: pool) }.get()
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
