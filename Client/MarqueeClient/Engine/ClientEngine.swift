import MarqueeDiff
package import MarqueeMirror
import MarqueeModel
package import MarqueeWire
package import NIOCore

/// The client behind the public face: owns the mirror, the sync machine, the connection and the watchers. Lives on
/// one event loop.
///
/// What it decides by itself is only what lies between those: what to store, whom to tell. The protocol is
/// `SyncCore`'s.
package final class ClientEngine {
    /// A watched screen, or the favorite set.
    struct Watched {
        /// What was asked for now.
        var asked: [SectionOptions]
        /// What was shown the last time, for the sections that nothing is asked for.
        var remembered: [SectionOptions] = []
        var content: SyncCore.ViewContent?
        var cut = Cut()
        var asOf: Double = 0
        var damaged: [String] = []
        /// Why the view is stale or refused, until a cut brings it up to date.
        var error: ClientError?
        /// Sections that the server could not bring up to date.
        var sectionErrors: [String: ClientError] = [:]
        /// Whether some section is a list of favorites.
        private(set) var showsFavorites = false
        /// What the mirror has of it, while it could not store what is shown.
        var unstored: Unstored?
        /// The last status given to observers.
        var told: ScreenStatus?
        var observers: [ObjectIdentifier: any ScreenObserver] = [:]

        init(asked: [SectionOptions]) { self.asked = asked }

        mutating func show(_ new: SyncCore.ViewContent?) {
            content = new
            showsFavorites =
                new?.sections.values.contains { BodyCodec.decodeSectionHead($0.head)?.kind == .favorites } ?? false
        }

        /// Whether something on it looks different after changes of favorites.
        func shows(_ changes: FavoriteOverlay.Changes) -> Bool {
            guard let content else { return false }
            return showsFavorites
                || content.sections.values.contains { $0.items.contains { changes.subjects.contains($0.subject) } }
        }

        var parameters: [SectionParameters] {
            let rest = remembered.filter { option in !asked.contains { $0.section == option.section } }
            return (asked + rest).map(\.parameters)
        }
    }

    /// A view that is shown from memory, as the mirror could not take it.
    struct Unstored {
        /// What the mirror has.
        var base: SyncCore.ViewContent?
        /// Of what is shown.
        var parameters: [SectionParameters]
    }

    struct PendingCall {
        var id: Int
        var method: Method
        var body: [UInt8]
        /// Milliseconds of the monotonic clock.
        var deadline: UInt64
        var wireCall: UInt32?
        var timeout: Scheduled<Void>
        var completion: (Result<[UInt8], ClientError>) -> Void
    }

    enum Link {
        case none
        case connecting
        case up(any ClientLink)
        /// Nothing more is tried until the app asks for something again.
        case failed(ClientError)
    }

    /// Calls that may wait for a connection or an answer.
    static let maximumCalls = 256
    /// Sections of one screen whose sort or window is chosen.
    static let maximumOptions = 256
    /// Before something is tried again that was refused for now, when the server does not say how long.
    static let retryPause = TimeAmount.seconds(1)
    /// Before a favorite is sent again that the server has put off, at least.
    static let shortestHoldUp = Duration.milliseconds(200)
    /// Before a favorite is sent that found the connection full of calls.
    static let fullCallsPause = TimeAmount.milliseconds(200)
    /// Pending favorites without an item to show whose item is looked for again with one cut.
    static let placeholderLookups = 64
    /// Milliseconds between attempts to connect that the app forces.
    static let wakeSpacing: UInt64 = 1_000
    /// Views kept in memory, beside those that are watched, that could not be stored.
    static let maximumParked = 64
    /// Attempts and milliseconds after which a position that was claimed and that no server meets is given up for
    /// what cuts have brought. Nodes that lag catch up sooner.
    static let claimPatience = (attempts: 8, milliseconds: UInt64(5 * 60_000))
    /// Between steps of the scrub. One reads at most `MirrorLimit.scrubBytes`, so about 1 MiB a minute.
    static let scrubInterval = TimeAmount.seconds(60)

    let configuration: ClientConfiguration
    let loop: any EventLoop
    let hub: EventHub
    let mirror: any MirrorEngine
    let surroundings: any Surroundings
    var core: SyncCore
    var watched: [ViewID: Watched] = [:]
    var overlay = FavoriteOverlay()
    /// The mutation of the outbox that is on the wire.
    var sentFavorite: SentFavorite?
    /// Why favorites are not sent, or what the server put off.
    var favoriteError: ClientError?
    var favoriteBackoff: Backoff
    /// Publications whose answers are awaited.
    var openPublications: Set<UInt64> = []
    var calls: [PendingCall] = []
    var nextCall = 0
    var link = Link.none
    var backoff: Backoff
    var attempt = 0
    /// Succeeds when the newest attempt to connect has come to an end.
    var attemptEnded: EventLoopFuture<Void>?
    var reconnect: Scheduled<Void>?
    /// The token of the attempt that is being made.
    var awaitedToken: (promise: EventLoopPromise<String?>, request: TokenRequest, timeout: Scheduled<Void>)?
    let tokens: TokenSource?
    /// The token that the newest connection was opened with.
    var usedToken: String?
    /// The last token that a server refused: no connection is opened with it again.
    var refusedToken: String?
    /// Answers that wait for the favorites to be laid over them.
    var favoriteReaders: [Int: (timeout: Scheduled<Void>, completion: (FavoriteOverlay) -> Void)] = [:]
    var nextFavoriteReader = 0
    /// When the newest attempt began, and when there may be one again after the server refused for good.
    var attemptBegan: UInt64?
    var notBefore: UInt64 = 0
    var probe = Probe()
    var pingMinimum: UInt64 = 0
    /// Why there is no connection, while there is none.
    var connectionError: ClientError?
    /// Why the mirror does not take what arrives, while it does not.
    var mirrorError: ClientError?
    /// The position of what could not be stored; `nil` when the mirror has all that is shown.
    var unstoredCut: Cut?
    /// Views that nobody watches and whose newest content is in memory alone, the one left last at the end. Within a
    /// run nothing goes back (G1).
    var parked: [(id: ViewID, view: Watched)] = []
    /// To be stored when there is room: whose mirror it is.
    var unstoredOwner: (cluster: String, user: String?)?
    /// Whether the outbox goes on under the numbers that the server knows; if not nothing of it is sent.
    var isSettled = true
    /// The last unexpected claim of a server about the cluster and the user.
    var stranger: Stranger?
    /// How often in a row, and since when, servers were behind what this mirror has seen.
    var behind: (count: Int, since: UInt64)?
    /// What was noted last of each kind, so that the same is not written again and again.
    var noted: [Incident.Kind: String] = [:]
    /// Refused patches that were noted.
    var notedEvidence: UInt64 = 0
    var scrubbing = ScrubCursor()
    var scrubber: RepeatedTask?
    var resend: Scheduled<Void>?
    var ticker: RepeatedTask?
    var isStopped = false
    var lastStamp: Double = 0

    /// Opens the mirror that the configuration names.
    convenience init(configuration: ClientConfiguration, loop: any EventLoop, hub: EventHub) throws(MirrorError) {
        let location: MirrorLocation
        switch configuration.mirror {
        case .memory: location = .memory
        case .file(let path): location = .file(path)
        }
        let surroundings = SystemSurroundings()
        try self.init(
            configuration: configuration, loop: loop, hub: hub,
            mirror: try Mirror(location: location, newClientID: surroundings.newClientID), surroundings: surroundings)
    }

    /// - Parameters:
    ///   - mirror: open; closed by `stop`, and when this throws.
    ///   - limits: what is accepted from the server.
    package init(
        configuration: ClientConfiguration, loop: any EventLoop, hub: EventHub, mirror: any MirrorEngine,
        surroundings: any Surroundings, limits: WireLimits = .client
    ) throws(MirrorError) {
        core = SyncCore(limits: limits)
        self.configuration = configuration
        self.loop = loop
        self.hub = hub
        self.mirror = mirror
        self.surroundings = surroundings
        tokens = configuration.token.map(TokenSource.init)
        backoff = Backoff(bounds: configuration.backoff)
        favoriteBackoff = Backoff(bounds: configuration.backoff)
        if let known = mirror.identity.cluster, mirror.identity.user != configuration.user {
            let owner = mirror.identity.user.map { "user '\($0)'" } ?? "no user"
            mirror.close()
            throw MirrorError(
                .belongsToOther, "the mirror belongs to \(owner) on cluster \(known); use another mirror for this user")
        }
        if let recovery = mirror.recovery { tell(recovery) }
        if configuration.user != nil { watchFavorites() }
    }

    // MARK: - Watching

    var favoriteSet: ViewID { ViewID(screen: ScreenID.favoriteSet.name, locale: configuration.locale) }

    private func watchFavorites() {
        var view = Watched(asked: [])
        let stored = load(favoriteSet, into: &view)
        watched[favoriteSet] = view
        _ = core.want(favoriteSet, parameters: [], stored: stored, cut: view.cut)
        loadOutbox()
        renewConfirmed()
        _ = overlay.takeChanges()
    }

    /// Fills a view with what the mirror has of it, every sum recomputed.
    /// - Returns: what the sync machine may resume from.
    private func load(_ id: ViewID, into view: inout Watched) -> SyncCore.ViewContent? {
        do throws(MirrorError) {
            guard let stored = try mirror.content(of: id) else { return nil }
            if let shown = stored.shown {
                view.show(SyncCore.ViewContent(list: shown.list, sections: shown.sections))
                view.cut = shown.cut
                view.asOf = shown.savedAt
                view.damaged = shown.damaged
                view.remembered = shown.parameters.map {
                    SectionOptions(section: $0.section, sort: $0.sort, window: $0.window)
                }
            }
            let damaged = stored.shown?.damaged ?? [""]
            if !damaged.isEmpty { found(damaged.map { ($0, "its bytes are not what was stored") }, in: id) }
            return SyncCore.ViewContent(stored)
        } catch {
            mirrorFailed(error)
            return nil
        }
    }

    /// Reads a view anew that is watched.
    func reload(_ id: ViewID) -> SyncCore.ViewContent? {
        guard var view = watched[id] else { return nil }
        view.show(nil)
        view.unstored = nil
        let stored = load(id, into: &view)
        watched[id] = view
        return stored
    }

    package func observe(_ id: ViewID, options: [SectionOptions], _ observer: any ScreenObserver) {
        guard !isStopped else { return observer.finish(ClientError(.closed, "the client was closed")) }
        if let error = Self.refusal(of: id.screen, options) { return observer.finish(error) }
        if watched[id] == nil {
            var view = Watched(asked: options)
            let stored = unpark(id, into: &view) ?? load(id, into: &view)
            watched[id] = view
            run(core.want(id, parameters: view.parameters, stored: stored, cut: view.cut))
        } else if !options.isEmpty {
            setOptions(options, on: id)
        }
        watched[id]?.observers[ObjectIdentifier(observer)] = observer
        if let state = state(of: id) { observer.put(state) }
        connectIfNeeded()
    }

    package func unobserve(_ id: ViewID, _ observer: any ScreenObserver) {
        watched[id]?.observers[ObjectIdentifier(observer)] = nil
        guard let view = watched[id], view.observers.isEmpty, id != favoriteSet else { return }
        watched[id] = nil
        run(core.unwant(id))
        if view.unstored != nil { park(id, view) }
        // There may be room for another subscription now.
        if watched[favoriteSet]?.error?.status?.reason == "TOO_MANY_SUBSCRIPTIONS" { wantFavoriteSetAgain() }
    }

    /// What the server would close the connection for: it ends here, before it costs the other screens theirs.
    static func refusal(of screen: String, _ options: [SectionOptions]) -> ClientError? {
        guard (1...ScreenID.maximumLength).contains(screen.utf8.count) else {
            return ClientError(.limit, "a screen's name has 1 to \(ScreenID.maximumLength) bytes")
        }
        guard options.count <= maximumOptions,
            options.allSatisfy({ (1...256).contains($0.section.utf8.count) && ($0.sort?.utf8.count ?? 0) <= 256 })
        else {
            return ClientError(.limit, "a screen has at most \(maximumOptions) options, with names of 1 to 256 bytes")
        }
        return nil
    }

    package func setOptions(_ options: [SectionOptions], on id: ViewID) {
        guard var view = watched[id] else { return }
        if let error = Self.refusal(of: id.screen, options) {
            return hub.send(.optionsRefused(ScreenID(id.screen), error))
        }
        for option in options {
            if let index = view.asked.firstIndex(where: { $0.section == option.section }) {
                if let sort = option.sort { view.asked[index].sort = sort }
                if let window = option.window { view.asked[index].window = window }
            } else {
                var whole = option
                let known = view.remembered.first { $0.section == option.section }
                whole.sort = option.sort ?? known?.sort
                whole.window = option.window ?? known?.window
                view.asked.append(whole)
            }
        }
        watched[id] = view
        run(core.setParameters(view.parameters, of: id))
    }

    func state(of id: ViewID) -> ScreenState? {
        guard let view = watched[id], let content = view.content else { return nil }
        return ScreenState(
            id: id, content: content, cut: view.cut, asOf: view.asOf, origin: core.isLive(id) ? .live : .store,
            favorites: overlay, damaged: view.damaged, isStored: view.unstored == nil, lastError: error(of: id),
            sectionErrors: view.sectionErrors)
    }

    func tell(_ ids: some Sequence<ViewID>) {
        for id in ids.sorted() {
            guard let view = watched[id], !view.observers.isEmpty, let state = state(of: id) else { continue }
            watched[id]?.told = state.status
            for observer in view.observers.values { observer.put(state) }
        }
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
            // What a damaged welcome claims is claimed once.
            let claim = Stranger(cluster: welcome.cluster, user: welcome.user)
            guard stranger == claim else {
                stranger = claim
                return end(.retry(error.message))
            }
            return end(
                .fatal(
                    error.status
                        ?? Status(.failedPrecondition, reason: "OTHER_MIRROR", remedy: .fatal, message: error.message)))
        }
        stranger = nil
        wantFavoriteSetAgain()
        run(core.accept(welcome, seen: claimedSeen))
        guard core.isLive else { return }
        acceptedClaim(welcome.cut)
        pingMinimum = UInt64(welcome.pingMinimumMilliseconds)
        connectionError = nil
        noted[.connection] = nil
        hub.send(
            .state(
                .connected(
                    ServerInfo(
                        cluster: welcome.cluster, node: welcome.node, user: welcome.user, agent: welcome.agent,
                        locales: welcome.locales, imageBaseURL: welcome.imageBaseURL))))
        sendFavorites()
        sendCalls()
    }

    func now() -> Double {
        lastStamp = max(lastStamp, surroundings.wallTime())
        return lastStamp
    }

    /// One cut, one transaction; watchers are told after it (G3).
    private func apply(_ result: SyncCore.CutResult) {
        let stamp = now()
        let left = store(
            result.views, at: result.cut, named: result.named, live: result.live, complete: result.complete, stamp)
        run(core.applied(result, durable: mirror.durable))
        overlay.remove(left)
        show(result, stamp)
        settleAgain()
    }

    /// What a cut has brought is what is shown.
    private func show(_ result: SyncCore.CutResult, _ stamp: Double) {
        for change in result.views {
            watched[change.id]?.show(change.after)
            watched[change.id]?.damaged = []
            watched[change.id]?.error = nil
            let errors = watched[change.id]?.sectionErrors ?? [:]
            watched[change.id]?.sectionErrors = errors.filter { change.left.contains($0.key) }
        }
        moved(result.live, to: result.cut, stamp)
        if result.views.contains(where: { $0.id == favoriteSet }) { renewConfirmed() }
        if !result.views.isEmpty { fillPlaceholders() }
        tellFavorites(also: result.views.map(\.id))
        if favoritesAreKnown { answerFavoriteReaders() }
        // The server shows its screens in another way now: what it refused before it may give now.
        if result.hasRejoined { wantFavoriteSetAgain() }
    }

    private func progressed(_ cut: Cut) {
        let live = watched.keys.filter { core.isLive($0) }.sorted()
        let stamp = now()
        let left = store(
            [], at: cut, named: CutChange(), live: live, complete: live.filter { core.isComplete($0) }, stamp)
        moved(live, to: cut, stamp)
        overlay.remove(left)
        run(core.progressTaken(durable: mirror.durable))
        tellFavorites()
        hub.send(.progress(cut))
        settleAgain()
    }

    /// Everything that is live is at a position now.
    private func moved(_ live: [ViewID], to cut: Cut, _ stamp: Double) {
        for id in live {
            watched[id]?.cut = cut
            watched[id]?.asOf = stamp
        }
        backoff.reset()
    }

    /// The section stays as it is; the server tries again by itself.
    private func sectionFailed(_ section: String, of id: ViewID, _ status: Status) {
        watched[id]?.sectionErrors[section] = ClientError(status)
        note(.screen, "section '\(section)': \(status.message)", screen: id.screen)
        tellStatus()
    }

    private func viewFailed(_ id: ViewID, _ status: Status) {
        let error = ClientError(status)
        watched[id]?.error = error
        note(.screen, error.message, screen: id.screen)
        switch status.remedy {
        case .retrySame, .retryOther, .resync:
            // Only this view, and not at once: the others go on.
            let pause = status.retryAfterMilliseconds.map { TimeAmount.milliseconds(Int64($0)) } ?? Self.retryPause
            let me = NIOLoopBound(self, eventLoop: loop)
            loop.scheduleTask(in: pause) { me.value.run(me.value.core.subscribeAgain(id)) }
            tellStatus()
        case .reauthenticate, .fatal:
            if Self.aboutOptions.contains(status.reason), watched[id]?.remembered.isEmpty == false {
                return forgetOptions(of: id)
            }
            giveUp(id, status)
        }
    }

    /// The server refuses a view for good: it ends, and nothing else does.
    func giveUp(_ id: ViewID, _ status: Status) {
        finishWatchers(of: id, status)
        run(core.unwant(id))
        guard id == favoriteSet else {
            watched[id] = nil
            return
        }
        note(.favorite, "the server does not give the favorites: \(status.message)")
        answerFavoriteReaders()
    }

    /// Reasons for which a view is refused because of its options.
    private static let aboutOptions: Set<String> = [
        "UNKNOWN_SORT", "UNKNOWN_WINDOW", "UNKNOWN_SECTION", "REPEATED_SECTION",
    ]

    /// The programme no longer has what was chosen last time: show the screen as it is by default.
    private func forgetOptions(of id: ViewID) {
        run(core.unwant(id))
        guard var view = watched[id] else { return }
        view.remembered = []
        watched[id] = view
        run(core.want(id, parameters: view.parameters, stored: view.content, cut: view.cut))
    }

    /// What is asked for of a screen's sections now, beside what is remembered.
    package func options(of id: ViewID) -> [SectionOptions] { watched[id]?.asked ?? [] }

    /// Whether the server has answered what was asked for of a screen's sections.
    package func isAnswered(_ id: ViewID) -> Bool { core.isAnswered(id) }

    /// The screen stays as it is; so does what is remembered of it.
    private func optionsRefused(_ id: ViewID, _ kept: [SectionParameters], _ status: Status) {
        keepOptions(of: id, kept)
        watched[id]?.error = ClientError(status)
        note(.screen, status.message, screen: id.screen)
        hub.send(.optionsRefused(ScreenID(id.screen), ClientError(status)))
        tellStatus()
    }

    private func keepOptions(of id: ViewID, _ kept: [SectionParameters]) {
        watched[id]?.asked = kept.map { SectionOptions(section: $0.section, sort: $0.sort, window: $0.window) }
        watched[id]?.remembered = []
    }

    private func finishWatchers(of id: ViewID, _ status: Status) {
        for observer in watched[id]?.observers.values.map({ $0 }) ?? [] { observer.finish(ClientError(status)) }
    }

    // MARK: - The mirror

    func mirrorStatus() throws(ClientError) -> MirrorStatus {
        do throws(MirrorError) { return try MirrorStatus(mirror) } catch { throw ClientError(mirror: error) }
    }
}
