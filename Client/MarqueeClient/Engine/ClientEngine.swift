import MarqueeDiff
package import MarqueeMirror
import MarqueeModel
package import MarqueeWire
package import NIOCore

/// The client behind the public API: owns the mirror, the sync machine, the connection and the observers. Lives on one
/// event loop.
///
/// It decides only what lies between those: what to store and whom to notify. `SyncCore` implements the protocol.
package final class ClientEngine {
    enum Link {
        case none
        case connecting
        case up(any ClientLink)
        /// Nothing is retried until the app requests something again.
        case failed(ClientError)
    }

    /// The most calls that may wait for a connection or an answer.
    static let maximumCalls = 256
    /// The most bytes of the item or value that a window is placed at.
    static let anchorBytes = 1_024
    /// The most sections of one screen with a chosen sort or window.
    static let maximumOptions = 256
    /// The pause before a temporary refusal is retried, if the server doesn't say how long to wait.
    static let retryPause = TimeAmount.seconds(1)
    /// The shortest pause before a change that the server postponed is sent again.
    static let shortestHoldUp = Duration.milliseconds(200)
    /// The pause before sending a change that found no room among the connection's calls.
    static let fullCallsPause = TimeAmount.milliseconds(200)
    /// The most pending members without an item that are looked up again with one cut.
    static let placeholderLookups = 64
    /// The pause between steps of the scrub. A step reads about `MirrorLimit.scrubBytes`, so 1 MiB a minute.
    static let scrubInterval = TimeAmount.seconds(60)

    let configuration: ClientConfiguration
    let loop: any EventLoop
    let hub: EventHub
    let mirror: any MirrorEngine
    let environment: any ClientEnvironment
    var core: SyncCore
    var watched: [ViewID: Watched] = [:]
    var overlay = CollectionsOverlay()
    /// The mutation of the outbox that is in flight.
    var sentChange: SentChange?
    var reporting = Reporting()
    /// The reason why changes of collections are not sent, or were postponed by the server.
    var outboxError: ClientError?
    var outboxBackoff: Backoff
    /// Publications whose answers are awaited.
    var openPublications: Set<UInt64> = []
    var calls: [PendingCall] = []
    var nextCall = 0
    var link = Link.none
    var attempt = ConnectionAttempt(0)
    /// Succeeds when the newest connection attempt has ended.
    var attemptEnded: EventLoopFuture<Void>?
    var retries: Retries
    let tokens: TokenSource?
    /// Answers that wait for the collections to be laid over them.
    var overlayReaders: [Int: (timeout: Scheduled<Void>, completion: (CollectionsOverlay) -> Void)] = [:]
    var nextOverlayReader = 0
    /// The outcomes of changes of collections.
    var ledger = ChangeLedger()
    var counters = ClientCounters()
    var changeWaiters: [Int: ChangeWaiter] = [:]
    var collectionsStatus = CollectionsStatus()
    /// Readers of collections.
    var collectionReaders: [CollectionName: [ObjectIdentifier: Mailbox<CollectionState>]] = [:]
    var outboxReaders: [ObjectIdentifier: OutboxReader] = [:]
    /// Requests for a view's options that the server has not answered.
    var optionsAnswers: [ViewID: [OptionsAnswer]] = [:]
    /// Readers of the mirror alone, for which nothing is requested from the server.
    var bystanders: [ViewID: [ObjectIdentifier: any ScreenObserver]] = [:]
    /// The reason why the mirror can't store what arrives; `nil` while it can.
    var mirrorError: ClientError?
    var unstored = UnstoredContent()
    /// Whether the outbox's numbers are agreed with the server; nothing in it is sent before that.
    var isSettled = true
    /// The last note of each kind, so that the same one is not written again and again.
    var noted: [Incident.Kind: String] = [:]
    /// The number of refused patches already noted.
    var notedEvidence: UInt64 = 0
    var scrubbing = ScrubCursor()
    var scrubber: RepeatedTask?
    var resend: Scheduled<Void>?
    var ticker: RepeatedTask?
    var isStopped = false
    /// Whether the client is suspended: no file is open, and nothing may connect.
    var isSuspended = false
    var lastStamp: Double = 0

    /// Opens the mirror named in the configuration.
    ///
    /// - Parameter tokens: the source of tokens; `nil` for the configuration's closure.
    convenience init(
        configuration: ClientConfiguration, loop: any EventLoop, hub: EventHub, tokens: TokenSource? = nil,
        environment: any ClientEnvironment
    ) throws(MirrorError) {
        let mirror: Mirror
        switch (try configuration.mirrorLocation(), configuration.mirrorAccess) {
        case (.file(let path), .owner):
            mirror = try Mirror(location: .file(path), newClientID: environment.newClientID)
        case (.file(let path), .companion): mirror = try Mirror(besideOwnerAt: path)
        case (.memory, .owner): mirror = try Mirror(location: .memory, newClientID: environment.newClientID)
        case (.memory, .companion):
            throw MirrorError(.none, "a mirror in memory has no companions: it is gone with its owner")
        }
        try self.init(
            configuration: configuration, loop: loop, hub: hub, mirror: mirror, environment: environment,
            tokens: tokens)
    }

    /// - Parameters:
    ///   - mirror: must be open; closed by `stop`, and when this throws.
    ///   - limits: what to accept from the server.
    ///   - tokens: the source of tokens; `nil` for the configuration's closure.
    package init(
        configuration: ClientConfiguration, loop: any EventLoop, hub: EventHub, mirror: any MirrorEngine,
        environment: any ClientEnvironment, limits: WireLimits = .client, tokens: TokenSource? = nil
    ) throws(MirrorError) {
        core = SyncCore(limits: limits)
        core.trace = configuration.traceParent.flatMap { TraceParent($0) }
        self.configuration = configuration
        self.loop = loop
        self.hub = hub
        self.mirror = mirror
        self.environment = environment
        self.tokens = tokens ?? configuration.token.map { TokenSource($0) }
        retries = Retries(backoff: Backoff(bounds: configuration.backoff))
        outboxBackoff = Backoff(bounds: configuration.backoff)
        do throws(MirrorError) { try claimMirror() } catch {
            mirror.close()
            throw error
        }
        if let recovery = mirror.recovery { report(recovery) }
        watchForDamage()
        if configuration.user != nil { watchCollections() }
        if mirror.isShared { startTicker() }
        // Changes that an earlier start has stored are sent, even if nothing is shown.
        if overlay.pendingCount > 0 { connectIfNeeded() }
    }

    // MARK: - Actions of the sync machine

    func run(_ actions: [SyncCore.Action]) {
        for action in actions { run(action) }
    }

    private func run(_ action: SyncCore.Action) {
        switch action {
        case .send(let message): send(message)
        case .welcomed(let welcome): welcomed(welcome)
        case .apply(let result): apply(result)
        case .progress(let cut): progressed(cut)
        case .viewFailed(let id, let status): viewFailed(id, status)
        case .parametersRefused(let id, let kept, let status): optionsRefused(id, kept, status)
        case .parametersKept(let id, let kept): keepOptions(of: id, kept)
        case .sectionFailed(let id, let section, let status): sectionFailed(section, of: id, status)
        case .answered(let call, let result): answered(call, result)
        case .close(let ending): end(ending)
        }
    }

    private func welcomed(_ welcome: Welcome) {
        do throws(ClientError) {
            guard try introduce(welcome) else { return }
        } catch {
            // A welcome damaged in transit is unlikely to make the same claim twice.
            let claim = ServerClaim(cluster: welcome.cluster, user: welcome.user)
            guard retries.unexpectedClaim == claim else {
                retries.unexpectedClaim = claim
                return pauseAndRetry(ClientError(.unavailable, error.message, cause: error))
            }
            return endForGood(error)
        }
        retries.unexpectedClaim = nil
        wantCollectionSetAgain()
        run(core.accept(welcome, seen: claimedSeen))
        guard core.isLive else { return }
        acceptedClaim(welcome.cut)
        counters.connections += 1
        if let began = retries.began {
            counters.connecting.add(environment.uptime() - min(began, environment.uptime()))
        }
        attempt.pingMinimum = UInt64(welcome.pingMinimumMilliseconds)
        identityGranted(for: welcome.identityMilliseconds)
        retries.error = nil
        noted[.connection] = nil
        hub.send(
            .state(
                .connected(
                    ServerInfo(
                        cluster: welcome.cluster, node: welcome.node, user: welcome.user, agent: welcome.agent,
                        locales: welcome.locales, imageBaseURL: welcome.imageBaseURL))))
        sendChanges()
        sendCalls()
    }

    func now() -> Double {
        lastStamp = max(lastStamp, environment.wallTime())
        return lastStamp
    }

    /// Stores one cut in one transaction; observers are notified afterwards (G3).
    private func apply(_ result: SyncCore.CutResult) {
        counters.cuts += 1
        let stamp = now()
        let finished = store(
            result.views, at: result.cut, proven: result.proven, live: result.live, complete: result.complete, stamp)
        run(core.applied(result, durable: mirror.durable))
        left(finished)
        show(result, stamp)
        settleAnsweredOptions()
        settleAgain()
    }

    /// Shows the content that a cut has delivered.
    private func show(_ result: SyncCore.CutResult, _ stamp: Double) {
        for change in result.views {
            watched[change.id]?.show(change.after)
            watched[change.id]?.damaged = []
            let isAnswered = core.isAnswered(change.id)
            watched[change.id]?.accept(change.parameters.map { SectionOptions($0) }, isAnswered: isAnswered)
            let errors = watched[change.id]?.sectionErrors ?? [:]
            watched[change.id]?.sectionErrors = errors.filter { change.missed.contains($0.key) }
        }
        moved(result.live, to: result.cut, stamp)
        if result.views.contains(where: { $0.id == collectionSet }) { renewConfirmed() }
        if !result.views.isEmpty { fillPlaceholders() }
        notifyCollections(also: result.views.map(\.id))
        if collectionsAreKnown { answerOverlayReaders() }
        // The server shows its screens differently now, so it may accept what it refused before.
        if result.hasRejoined { wantCollectionSetAgain() }
    }

    private func progressed(_ cut: Cut) {
        let live = watched.keys.filter { core.isLive($0) }.sorted()
        let stamp = now()
        let finished = store(
            [], at: cut, proven: CutChange(), live: live, complete: live.filter { core.isComplete($0) }, stamp)
        moved(live, to: cut, stamp)
        left(finished)
        run(core.progressTaken(durable: mirror.durable))
        notifyCollections()
        hub.send(.progress(cut))
        settleAgain()
    }

    /// Moves everything live to a position.
    private func moved(_ live: [ViewID], to cut: Cut, _ stamp: Double) {
        for id in live {
            watched[id]?.cut = cut
            watched[id]?.asOf = stamp
        }
        provedUseful()
    }

    // MARK: - The mirror

    func mirrorStatus() throws(ClientError) -> MirrorStatus {
        do throws(MirrorError) { return try MirrorStatus(mirror) } catch { throw ClientError(mirror: error) }
    }
}
