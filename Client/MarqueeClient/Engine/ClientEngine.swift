import MarqueeDiff
package import MarqueeMirror
import MarqueeModel
import MarqueeWire
package import NIOCore

/// The client behind the public face: owns the mirror, the sync machine, the connection and the watchers. Lives on one event loop.
///
/// What it decides by itself is only what lies between those: what to store, whom to tell. The protocol is `SyncCore`'s.
package final class ClientEngine {
    /// A screen that somebody watches, or the favorites.
    struct Watched {
        /// What was asked for now.
        var asked: [SectionOptions]
        /// What was shown the last time, for the sections that nothing is asked for.
        var remembered: [SectionOptions] = []
        var content: SyncCore.ViewContent?
        var cut = Cut()
        var asOf: Double = 0
        var damaged: [String] = []
        var observers: [ObjectIdentifier: any ScreenObserver] = [:]

        init(asked: [SectionOptions]) { self.asked = asked }

        var parameters: [SectionParameters] {
            let rest = remembered.filter { option in !asked.contains { $0.section == option.section } }
            return (asked + rest).map(\.parameters)
        }
    }

    struct PendingCall {
        var id: Int
        var method: Method
        var body: [UInt8]
        var wireCall: UInt32?
        var timeout: Scheduled<Void>
        var completion: (Result<[UInt8], ClientError>) -> Void
    }

    enum Link {
        case none
        case connecting
        case up(any ClientLink)
        /// Nothing more is tried until somebody asks for something again.
        case failed(ClientError)
    }

    /// Calls that may wait for a connection or an answer.
    static let maximumCalls = 256
    /// Sections of one screen whose sort or window is chosen.
    static let maximumOptions = 256
    static let tokenTimeout = TimeAmount.seconds(10)
    /// Before something is tried again that was refused for now, when the server does not say how long.
    static let retryPause = TimeAmount.seconds(1)

    let configuration: ClientConfiguration
    let loop: any EventLoop
    let hub: EventHub
    let mirror: any MirrorEngine
    let surroundings: any Surroundings
    var core = SyncCore()
    var watched: [ViewID: Watched] = [:]
    var overlay = FavoriteOverlay()
    /// The mutation of the outbox that is on the wire.
    var sentFavorite: (call: UInt32, number: UInt64)?
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
    var awaitedToken: (promise: EventLoopPromise<String?>, task: Task<Void, Never>)?
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

    /// - Parameter mirror: open; closed by `stop`, and when this throws.
    package init(
        configuration: ClientConfiguration, loop: any EventLoop, hub: EventHub, mirror: any MirrorEngine,
        surroundings: any Surroundings
    ) throws(MirrorError) {
        self.configuration = configuration
        self.loop = loop
        self.hub = hub
        self.mirror = mirror
        self.surroundings = surroundings
        backoff = Backoff(bounds: configuration.backoff)
        if let known = mirror.identity.cluster, mirror.identity.user != configuration.user {
            let owner = mirror.identity.user.map { "user '\($0)'" } ?? "no user"
            mirror.close()
            throw MirrorError(
                .belongsToOther, "the mirror belongs to \(owner) on cluster \(known); use another mirror for this user")
        }
        if let recovery = mirror.recovery {
            hub.send(
                .mirrorRecovered(setAside: recovery.setAside, rescuedFavorites: recovery.rescuedMutations))
        }
        if configuration.user != nil { watchFavorites() }
    }

    // MARK: - Watching

    var favoriteSet: ViewID { ViewID(screen: ScreenID.favoriteSet.name, locale: configuration.locale) }

    private func watchFavorites() {
        var view = Watched(asked: [])
        load(favoriteSet, into: &view)
        watched[favoriteSet] = view
        _ = core.want(favoriteSet, parameters: [], stored: view.content, cut: view.cut)
        renewOverlay()
    }

    /// Fills a view with what the mirror has of it, every sum recomputed.
    private func load(_ id: ViewID, into view: inout Watched) {
        do throws(MirrorError) {
            guard let stored = try mirror.view(id) else { return }
            view.content = SyncCore.ViewContent(list: stored.list, sections: stored.sections)
            view.cut = stored.cut
            view.asOf = stored.savedAt
            view.damaged = stored.damaged
            view.remembered = stored.parameters.map {
                SectionOptions(section: $0.section, sort: $0.sort, window: $0.window)
            }
        } catch {
            hub.send(.mirrorProblem(ClientError(mirror: error)))
        }
    }

    package func observe(_ id: ViewID, options: [SectionOptions], _ observer: any ScreenObserver) {
        guard !isStopped else { return observer.finish(ClientError(.closed, "the client was closed")) }
        if let error = Self.refusal(of: id.screen, options) { return observer.finish(error) }
        if watched[id] == nil {
            var view = Watched(asked: options)
            load(id, into: &view)
            watched[id] = view
            run(core.want(id, parameters: view.parameters, stored: view.content, cut: view.cut))
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
        guard var view = watched[id], Self.refusal(of: id.screen, options) == nil else { return }
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
            favorites: overlay, damaged: view.damaged)
    }

    func tell(_ ids: some Sequence<ViewID>) {
        for id in ids {
            guard let view = watched[id], !view.observers.isEmpty, let state = state(of: id) else { continue }
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
        case .answered(let call, let result): answered(call, result)
        case .close(let ending): end(ending)
        }
    }

    private func welcomed(_ welcome: Welcome) {
        do throws(MirrorError) {
            try mirror.bind(cluster: welcome.cluster, user: welcome.user)
            // A mirror that was put back from an older copy would use numbers again that the server has seen.
            if let last = welcome.lastMutation, last > mirror.lastNumber { try renumber(above: last) }
        } catch {
            return end(
                .fatal(
                    Status(.failedPrecondition, reason: "OTHER_MIRROR", remedy: .fatal, message: error.message)))
        }
        run(core.accept(welcome, seen: mirror.seen))
        guard core.isLive else { return }
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
        do throws(MirrorError) {
            let finished = try finishedFavorites(at: result.cut, isSetLive: result.live.contains(favoriteSet))
            try mirror.commit(
                MirrorTransaction(
                    cut: result.cut, savedAt: stamp, views: result.views.map(\.write), currentViews: result.live,
                    finishedMutations: finished))
        } catch {
            hub.send(.mirrorProblem(ClientError(mirror: error)))
            return run(core.applyFailed("the mirror can't store what arrives: \(error.message)"))
        }
        run(core.applied(result))
        for change in result.views {
            watched[change.id]?.content = change.after
            watched[change.id]?.damaged = []
        }
        for id in result.live {
            watched[id]?.cut = result.cut
            watched[id]?.asOf = stamp
        }
        backoff.reset()
        let before = overlay
        renewOverlay()
        tell(overlay == before ? result.views.map(\.id) : Array(watched.keys))
    }

    private func progressed(_ cut: Cut) {
        let live = watched.keys.filter { core.isLive($0) }
        do throws(MirrorError) {
            try mirror.commit(
                MirrorTransaction(
                    cut: cut, savedAt: now(), currentViews: Array(live),
                    finishedMutations: try finishedFavorites(at: cut, isSetLive: core.isLive(favoriteSet))))
        } catch {
            hub.send(.mirrorProblem(ClientError(mirror: error)))
            return run(core.applyFailed("the mirror can't store what arrives: \(error.message)"))
        }
        for id in live {
            watched[id]?.cut = cut
            watched[id]?.asOf = lastStamp
        }
        let before = overlay
        renewOverlay()
        if overlay != before { tell(Array(watched.keys)) }
        hub.send(.progress(cut))
    }

    private func viewFailed(_ id: ViewID, _ status: Status) {
        switch status.remedy {
        case .retrySame, .retryOther, .resync:
            // Only this view, and not at once: the others go on.
            let pause = status.retryAfterMilliseconds.map { TimeAmount.milliseconds(Int64($0)) } ?? Self.retryPause
            let me = NIOLoopBound(self, eventLoop: loop)
            loop.scheduleTask(in: pause) { me.value.run(me.value.core.subscribeAgain(id)) }
        case .reauthenticate where configuration.token != nil:
            end(.retry(status.message))
        case .reauthenticate, .fatal:
            if Self.aboutOptions.contains(status.reason), watched[id]?.remembered.isEmpty == false {
                return forgetOptions(of: id)
            }
            finishWatchers(of: id, status)
            run(core.unwant(id))
            if id != favoriteSet { watched[id] = nil }
        }
    }

    /// Reasons for which a view is refused because of its options.
    private static let aboutOptions: Set<String> = ["UNKNOWN_SORT", "UNKNOWN_SECTION", "REPEATED_SECTION"]

    /// The programme no longer has what was chosen last time: show the screen as it is by default.
    private func forgetOptions(of id: ViewID) {
        run(core.unwant(id))
        guard var view = watched[id] else { return }
        view.remembered = []
        watched[id] = view
        run(core.want(id, parameters: view.parameters, stored: view.content, cut: view.cut))
    }

    /// The screen stays as it is; so does what is remembered of it.
    private func optionsRefused(_ id: ViewID, _ kept: [SectionParameters], _ status: Status) {
        watched[id]?.asked = kept.map { SectionOptions(section: $0.section, sort: $0.sort, window: $0.window) }
        watched[id]?.remembered = []
        hub.send(.optionsRefused(ScreenID(id.screen), ClientError(status)))
    }

    private func finishWatchers(of id: ViewID, _ status: Status) {
        for observer in watched[id]?.observers.values.map({ $0 }) ?? [] { observer.finish(ClientError(status)) }
    }

    // MARK: - The mirror

    func mirrorStatus() throws(ClientError) -> MirrorStatus {
        do throws(MirrorError) { return try MirrorStatus(mirror) } catch { throw ClientError(mirror: error) }
    }
}
