import HubSupport
import MarqueeModel
import MarqueeServer
import MarqueeStore
import MarqueeWire

/// Screens of the store that all nodes share: a hub, and a committer.
///
/// Unchecked because a schedule runs on a single thread.
final class HubContent: NodeContent, @unchecked Sendable {
    unowned let node: Node
    let store: NodeStore
    private var hub: Hub?
    private var committer: Committer
    /// The hub thread's pending work, in order.
    private var jobs: [(Hub) -> Void] = []
    /// The pending work of the committer's threads.
    private var writes: [() -> Void] = []
    /// The pending work of the threads that read the store: look up positions, and read users' logs for the hub.
    private var reads: [() -> Void] = []
    /// The hub's position.
    private var positions = Positions()
    /// Whether new commits currently go unnoticed.
    var isLagging = false { didSet { if !isLagging { wake() } } }
    private var missedCatalogue = false
    private var missedUsers: [String] = []
    private var userMoves = UserMoves()
    /// The news of a database that others write to as well; `nil` if all nodes are told at once.
    private var following: Following?
    /// Whether the database has lost what this node has seen: it ends.
    private(set) var isLost = false
    /// The commits that the hub has given away.
    private var advance: Advance?

    /// - Parameter isFollowing: whether it looks for what others write.
    init(_ node: Node, database: SimulatedDatabase, isFollowing: Bool) {
        self.node = node
        following = isFollowing ? Following() : nil
        store = NodeStore(database)
        committer = Committer(store: store)
        store.onDoubt = { [unowned self] in following?.miss() }
        store.onHistoryCut = { [unowned node] in
            node.judge.count(.historyCut)
            node.judge.note("node \(node.number) finds the log cut")
        }
    }

    // MARK: - Life

    func start(now: UInt64) throws(StoreError) -> UInt64 {
        jobs.removeAll()
        advance = nil
        writes.removeAll()
        reads.removeAll()
        positions = Positions()
        missedCatalogue = false
        missedUsers.removeAll()
        userMoves = UserMoves()
        if following != nil { following = Following() }
        isLost = false
        store.revive()
        committer = Committer(store: store) { [unowned self] in writes.append($0) }
        let settings = node.settings
        // Content in a dialect is kept on the sessions' side, see `translated`.
        let remembered = settings.dialect == nil ? node.library : VersionLibrary()
        let hub = try Hub(
            store: store, library: remembered, programme: settings.programme, positions: positions,
            variantLimit: settings.limits.variants, now: now,
            publish: { [unowned node] in node.publish(node.translated($0)) },
            report: { [unowned node] in node.judge.note("node \(node.number): \($0)") })
        self.hub = hub
        return hub.catalogueRevision
    }

    func crash() {
        jobs.removeAll()
        advance = nil
        writes.removeAll()
        reads.removeAll()
        hub = nil
    }

    // MARK: - Queues

    func onHub(_ job: @escaping (Hub) -> Void) { jobs.append(job) }

    func submit(_ write: StoreWrite, done: @escaping Committer.Completion) -> Bool {
        committer.submit(write, completion: done)
    }

    var hasWork: Bool { !jobs.isEmpty || !writes.isEmpty || hasReads }
    var hasReads: Bool { !reads.isEmpty }

    func runJob(now: UInt64) {
        guard let hub, !jobs.isEmpty else { return }
        jobs.removeFirst()(hub)
    }

    /// One of the committer's threads commits all writes that wait for it.
    /// - Parameter overtakes: whether it is the one that was asked last.
    func runWrites(overtakes: Bool) {
        guard !writes.isEmpty else { return }
        writes.remove(at: overtakes ? writes.count - 1 : 0)()
    }

    /// One of the reading threads does one pending read.
    /// - Parameter overtakes: whether it is the one that was asked last.
    func runReads(overtakes: Bool) {
        guard !reads.isEmpty else { return }
        reads.remove(at: overtakes ? reads.count - 1 : 0)()
    }

    func tick(now: UInt64) {
        onHub { [unowned node] hub in
            hub.tick(now: now)
            node.library.tick(now: now)
        }
    }

    // MARK: - What is new in the store

    /// A node, possibly this one, has written something.
    func wrote(_ write: StoreWrite, _ outcome: StoreOutcome, by author: NodeStore?) {
        switch write {
        case _ where following != nil && author !== store: following?.wrote(write, outcome)
        case .catalogue, .draft: catalogueMoved()
        case .observed: break
        // It hears of its own moves with their outcomes.
        case .member(let user, _, _): if following == nil { userMoved(user) }
        }
    }

    var hasNews: Bool { following?.hasNews == true }

    /// The database is another one now, in the same logs.
    func databaseChanged() { following?.miss() }

    /// Whether the node has seen or shown what a database lacks.
    func hasSeen(moreThan engine: MemoryStore) -> Bool {
        let seen = store.witness.seen
        let revision = (try? engine.catalogueHead().revision) ?? 0
        if max(hub?.catalogueRevision ?? 0, seen.catalogue?.revision ?? 0) > revision { return true }
        let users = seen.users.map { ($0.name, $0.point.revision) } + store.readUsers.map { ($0.key, $0.value) }
        return users.contains { (try? engine.userHead($0).revision) ?? 0 < $1 }
    }

    /// Looks at the database.
    /// - Parameter limit: the most moves that are reported at once.
    func look(limit: Int) {
        guard node.isUp, !isLagging, !isLost else { return }
        do throws(StoreError) {
            for news in try following?.look(store, limit: limit) ?? [] { hear(news) }
            let head = try store.catalogueHead().revision
            if !isLost, store.witness.seen.catalogue?.revision ?? 0 > head {
                node.judge.fail(.monotone, "node \(node.number) goes on over a database that is behind, at \(head)")
            }
        } catch {
            node.judge.count(.storeUnreachable)
        }
    }

    /// As `HubSource` does.
    private func hear(_ news: StoreEvent) {
        switch news {
        case .catalogue: followCatalogue()
        case .moves(let moves):
            node.judge.count(.movesHeard)
            for entry in moves { userChanged(entry.user, entry.move) }
        case .missed:
            node.judge.count(.movesMissed)
            followCatalogue()
            onHub { [unowned self] hub in
                for user in node.users.union(hub.knownUsers).sorted() { readUser(user) }
            }
        case .lost: isLost = true
        case .unreachable, .reachable, .drafts: break
        }
    }

    /// The catalogue's log has moved.
    func catalogueMoved() {
        missedCatalogue = true
        wake()
    }

    /// A user's log has moved.
    func userMoved(_ user: String) {
        if !missedUsers.contains(user) { missedUsers.append(user) }
        wake()
    }

    private func wake() {
        guard node.isUp, !isLagging else { return }
        if missedCatalogue { followCatalogue() }
        for user in missedUsers { readUser(user) }
        missedCatalogue = false
        missedUsers.removeAll()
    }

    /// The hub reads what is new in the catalogue's log.
    private func followCatalogue() {
        onHub { [unowned self] hub in
            // Later commits are read when these have been applied.
            guard advance == nil else { return }
            // Every second time the hub gives the commits away, as it does with large ones.
            let revision = hub.catalogueRevision
            if revision.isMultiple(of: 2),
                let commits = try? store.commits(after: revision, limit: Hub.commitsPerPublication),
                let advance = hub.begin(commits, changesAtOnce: 0)
            {
                self.advance = advance
                finish(advance, after: 2)
            } else {
                trying { () throws(StoreError) in try hub.catchUp(from: store) }
            }
        }
    }

    /// - Parameter rounds: how many times the hub first does everything that waits.
    private func finish(_ advance: Advance, after rounds: Int) {
        onHub { [unowned self] hub in
            guard rounds == 0 else { return finish(advance, after: rounds - 1) }
            do throws(Status) {
                try advance.run()
                hub.finish(advance)
            } catch {
                node.judge.fail(
                    .convergent, "node \(node.number) can't apply commits that follow its own: \(error)")
            }
            self.advance = nil
            node.judge.count(.commitsGivenAway)
            followCatalogue()
        }
    }

    /// This node has moved the user's log.
    private func userChanged(_ user: String, _ move: MemberMove) {
        if userMoves.add(move, of: user) { readUser(user) }
    }

    /// This node, or another it has heard from, has moved the user's log.
    private func readUser(_ user: String) {
        onHub { [unowned self] hub in read(hub.userChanged(user, moves: userMoves.take(user)), of: user) }
    }

    /// Reads the part of a user's log that the hub lacks, and gives it to the hub.
    private func read(_ reading: UserReading?, of user: String, again: Bool = false) {
        guard let reading else { return }
        node.judge.count(again ? .logReadAgain : .logRead)
        reads.append { [unowned self] in
            trying { () throws(StoreError) in
                let log = try reading.read(from: store)
                onHub { [unowned self] hub in
                    trying { () throws(StoreError) in
                        read(try hub.userRead(log), of: user, again: true)
                    } else: {
                        $0.userMoved(user)
                    }
                }
            } else: {
                $0.userMoved(user)
            }
        }
    }

    /// Asks the hub, again once it has been given what it lacks of a user's log.
    private func ask<Answer>(
        with log: UserSnapshot? = nil, _ question: @escaping (Hub, UserSnapshot?) -> Result<Answer, OpenFailure>,
        completion: @escaping (Result<Answer, Status>) -> Void
    ) {
        onHub { [unowned self] hub in
            switch question(hub, log) {
            case .success(let answer): completion(.success(answer))
            case .failure(.refused(let status)): completion(.failure(status))
            case .failure(.unread(let reading)):
                node.judge.count(log == nil ? .logRead : .logReadAgain)
                reads.append { [unowned self] in
                    do throws(StoreError) {
                        ask(with: try reading.read(from: store), question, completion: completion)
                    } catch {
                        node.judge.count(.storeUnreachable)
                        // Sessions hear of it from their loops.
                        onHub { _ in completion(.failure(Status(storeError: error))) }
                    }
                }
            }
        }
    }

    /// Does it, or postpones it, as the shipping shell does.
    private func trying(
        _ work: () throws(StoreError) -> Void, else later: (HubContent) -> Void = { $0.catalogueMoved() }
    ) {
        do throws(StoreError) { try work() } catch {
            node.judge.count(.storeUnreachable)
            later(self)
        }
    }

    // MARK: - For sessions

    func identify(
        _ credentials: Credentials, of origin: @escaping () -> Origin,
        completion: @escaping (Result<Identity, Status>) -> Void
    ) {
        completion(
            node.settings.authority?.identity(of: credentials.token, user: credentials.user)
                ?? .success(Identity(user: credentials.user, scopes: .everything)))
    }

    func standing(of identity: Identity) -> Standing {
        node.settings.authority?.standing(of: identity) ?? .untilRevoked
    }

    func locate(
        _ caller: ContentCaller, claim: PositionClaim?,
        completion: @escaping (Result<(cut: Cut, lastMutation: UInt64?), Status>) -> Void
    ) {
        reads.append { [unowned self] in
            do throws(StoreError) {
                completion(.success(try positions.place(of: caller, in: store)))
            } catch {
                guard let place = positions.place(of: caller, claim, after: error) else {
                    return completion(.failure(Status(storeError: error)))
                }
                node.judge.count(.cameInOutage)
                completion(.success(place))
                if let user = caller.user { readUser(user) }
            }
        }
    }

    func open(
        _ request: OpenRequest, by caller: ContentCaller, for connection: Connection,
        completion: @escaping (Result<OpenedView, Status>) -> Void
    ) {
        ask({ $0.open(request, with: $1) }) { [unowned self] result in
            if case .failure(.tooManyVariants) = result {
                node.judge.record(.hit(.variants, connection: connection.number, evicted: nil))
                if node.hasRoom(for: Programmes.variants(of: request.screen), of: request.user) {
                    node.judge.fail(
                        .bounded, "node \(node.number) refuses a view while \(node.shownCount) variants are shown")
                }
            }
            completion(
                result.map { view in
                    node.opened(view, by: request.user)
                    return node.translated(view)
                })
        }
    }

    func release(_ handles: [UInt64]) {
        onHub { [unowned self] hub in
            hub.release(handles)
            node.closed(handles)
        }
    }

    func perform(
        _ call: ContentCall, by caller: ContentCaller, from origin: Origin,
        completion: @escaping (Result<[UInt8], Status>) -> Void
    ) {
        switch call {
        case .collection(let request): collection(request, by: caller, from: origin, completion)
        case .plan(let request):
            let open = OpenRequest(request, user: caller.user, claims: caller.identity.claims)
            ask({ $0.plan(open, with: $1) }) { result in completion(result.map { CallBodyCodec.encode($0) }) }
        default:
            completion(.failure(Status(.unimplemented, reason: "METHOD_UNKNOWN", remedy: .fatal, message: "")))
        }
    }

    private func collection(
        _ request: CollectionRequest, by caller: ContentCaller, from origin: Origin,
        _ completion: @escaping (Result<[UInt8], Status>) -> Void
    ) {
        guard let user = caller.user else { return }
        let client = caller.clientID
        let mutation = MutationID(
            client: caller.mutationClient, number: request.number, answeredThrough: request.answeredThrough)
        let change: MemberChange
        do throws(Status) {
            change = try request.change(by: Types.set)
        } catch {
            return completion(.failure(error))
        }
        let write = StoreWrite.member(user: user, change, mutation: mutation)
        let done = SimulatedCompletion(completion)
        let taken = submit(write) { [self] result in
            node.judge.record(
                .mutated(
                    device: origin.device, connection: origin.connection, client: client, request, result))
            if case .success(let outcome) = result {
                if let (user, move) = write.memberMove(outcome) { userChanged(user, move) }
                // Another node may have made it, or this one when it lost its connection.
                if case .repeated = outcome, following != nil { readUser(user) }
            }
            done.call(result.mutationAnswer(request.number) { revision, _ in CutChange(userRevision: revision) })
        }
        if !taken { completion(.failure(.tooManyWrites)) }
    }
}

/// A completion for code that may run it on another thread. Unchecked because a schedule runs on a single one.
private struct SimulatedCompletion: @unchecked Sendable {
    let call: (Result<[UInt8], Status>) -> Void

    init(_ call: @escaping (Result<[UInt8], Status>) -> Void) { self.call = call }
}
