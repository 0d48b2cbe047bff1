package import MarqueeDiff
package import MarqueeMirror
package import MarqueeModel
package import MarqueeWire

/// The protocol of one client: `(event, now) -> actions`, without a socket, a clock or a disk.
///
/// It knows what is wanted, what is held of each view, and what the connection is doing. A cut is put together here
/// and handed out whole as `.apply`; only when the shell has taken it, `applied` makes it the new state: a position
/// never moves before its data is kept. What acks name as durable is what the shell says. Not its business: sockets,
/// the mirror, who watches.
///
/// All times are milliseconds of a monotonic clock.
package struct SyncCore {
    /// What the shell has to do, in order.
    package enum Action: Sendable {
        case send(Message)
        /// The server has accepted the connection.
        case welcomed(Welcome)
        /// Store it, or keep it in memory; then call `applied`.
        case apply(CutResult)
        /// Everything up to here was delivered. Store that; then call `progressTaken`.
        case progress(Cut)
        /// The view is not wanted any more if the status is fatal; else it is subscribed again on the next connection.
        case viewFailed(ViewID, Status)
        /// The parameters of the last join hold on.
        case parametersRefused(ViewID, kept: [SectionParameters], Status)
        /// After a refusal a join brought what had been asked for before it: that holds on.
        case parametersKept(ViewID, [SectionParameters])
        /// The server could not bring a section to this client: it stays as it is until a later join heals it.
        case sectionFailed(ViewID, section: String, Status)
        case answered(call: UInt32, Result<[UInt8], Status>)
        /// Close the connection; what follows is said in the ending.
        case close(Ending)
    }

    /// Why a connection ends, and what comes next.
    package enum Ending: Hashable, Sendable {
        /// Try again after the usual pause.
        case retry(String)
        /// The server is behind what this mirror has seen: try again, as it may catch up or another answer.
        case behind(String)
        /// Try again after a time drawn from these milliseconds.
        case retryWithin(ClosedRange<UInt32>, String)
        /// Trying again makes sense with another token.
        case reauthenticate(Status)
        /// Trying again makes no sense.
        case fatal(Status)
    }

    /// What is held of a view.
    package struct ViewContent: Sendable {
        package var list: Version
        /// By section id.
        package var sections: [String: Version]
        /// What is stored of sections whose bytes are not what they were, each with the sum that its bytes give now.
        /// It is never shown; but a patch can start from it, so that what is wrong is repaired for what it takes.
        /// Where the view's own list is damaged it stands here under the empty name, `list` is the empty version, and
        /// all sections may stand here.
        package var damaged: [String: Version]

        package init(list: Version, sections: [String: Version], damaged: [String: Version] = [:]) {
            self.list = list
            self.sections = sections
            self.damaged = damaged
        }

        /// What a patch of a section can start from.
        /// - Parameter section: empty for the view's own list.
        func base(of section: String) -> Version? {
            damaged[section] ?? (section.isEmpty ? list : sections[section])
        }
    }

    /// A cut whose every sum has been verified.
    package struct CutResult: Sendable {
        package struct ViewChange: Sendable {
            package var id: ViewID
            package var parameters: [SectionParameters]
            package var before: ViewContent?
            package var after: ViewContent
            /// Sections that the server could not bring along: they are what they were.
            package var left: Set<String>
        }

        package var cut: Cut
        /// What of the position the cut's own frames have named.
        package var named: CutChange
        package var views: [ViewChange]
        /// All views that are live after it.
        package var live: [ViewID]
        /// Those of them that are at the cut with all their sections.
        package var complete: [ViewID]
        fileprivate(set) var bindings: [UInt64: Place]
        /// Generations of the joins by subscription.
        fileprivate(set) var joined: [UInt32: UInt32]
        fileprivate(set) var repaired: Bool
        /// Whether a live view joined again unasked: the server shows its sections in another way now.
        package fileprivate(set) var hasRejoined: Bool
    }

    /// Where a handle's content is shown.
    struct Place: Hashable {
        var subscription: UInt32
        /// Of the section; empty for the view's own list.
        var section: String
    }

    /// A view the app wants.
    struct Wanted {
        var id: ViewID
        var parameters: [SectionParameters]
        var subscription: UInt32?
        var generation: UInt32 = 0
        /// Of the last join on this connection, with what was asked for then.
        var joined: (generation: UInt32, parameters: [SectionParameters])?
        /// Parameters by generation that a join may answer yet.
        var asked: [UInt32: [SectionParameters]] = [:]
        /// Whether the newest of them have been answered, by a join or a refusal.
        var isAnswered: Bool { asked[generation] == nil }
        var isLive = false
        var content: ViewContent?
        /// Sections that the server could not bring along since the last join.
        var left: Set<String> = []
        /// Position of the content, when it was read from the mirror.
        var cut: Cut
        /// How often in a row its subscription failed for now.
        var failures: UInt32 = 0
    }

    enum Phase {
        case disconnected
        case awaitingWelcome
        case live
    }

    /// Nacks in a row before the connection is given up.
    static let maximumNacks = 3
    /// Before a view is subscribed to again whose subscription failed for now: doubled each time, within these
    /// bounds, in milliseconds. The server may ask for longer.
    static let viewPause: ClosedRange<UInt32> = 1_000...60_000

    let limits: WireLimits
    var phase = Phase.disconnected
    var wanted: [ViewID: Wanted] = [:]
    var views: [UInt32: ViewID] = [:]
    var nextSubscription: UInt32 = 1
    var places: [UInt64: Place] = [:]
    package internal(set) var position = Cut()
    /// The position that the mirror holds durably.
    var durable: Cut?

    // What is coming in
    var staged: [UInt64: StagedVersion] = [:]
    /// The staged patch whose parts are coming in.
    var unfinished: UnfinishedStage?
    /// Bytes of the frames of both.
    var stagedBytes = 0
    /// Staged patches that were begun.
    var stagedSerial: UInt64 = 0
    /// What the server was told about, so that staged patches may start from it.
    var described: [Place: Described] = [:]
    var incoming: IncomingCut?
    var lastNack: UInt32 = 0
    var awaitedRepair: UInt32?
    var nacksInARow = 0
    /// How often in a row the server had to be left because content did not hold, with no cut between.
    var setbacks = 0
    /// Patches that were refused here.
    package internal(set) var evidence = EvidenceRing()

    // Flow control and liveness
    /// What the server accepts.
    var serverLimits = WireLimits.server
    var bytesTaken: UInt64 = 0
    var bytesAcknowledged: UInt64 = 0
    var lastHeard: UInt64 = 0
    /// When the frame began that is not whole yet. A length that was damaged would swallow frames, and show nothing
    /// new, for ever.
    var frameBegan: UInt64?
    var lastPing: UInt64 = 0
    var pingInterval: UInt64 = 20_000
    var connectedAt: UInt64 = 0
    /// Milliseconds from hello to welcome, at most.
    static let welcomeTimeout: UInt64 = 10_000

    // Calls
    var calls: [UInt32: [UInt8]] = [:]
    var nextCall: UInt32 = 1

    package init(limits: WireLimits = .client) { self.limits = limits }

    package var isLive: Bool { if case .live = phase { true } else { false } }

    /// What is held of a view.
    package func content(of id: ViewID) -> ViewContent? { wanted[id]?.content }

    /// The parameters that a view is shown with, or is asked for while it is not shown.
    package func parameters(of id: ViewID) -> [SectionParameters] {
        wanted[id].map { $0.joined?.parameters ?? $0.parameters } ?? []
    }

    /// Whether the view is wanted and the server has not refused it for good.
    package func isWanted(_ id: ViewID) -> Bool { wanted[id] != nil }

    /// Whether the view is part of the live position.
    package func isLive(_ id: ViewID) -> Bool { wanted[id]?.isLive ?? false }

    /// Whether the server has answered what this connection asked of a view last: with a join, or a refusal.
    package func isAnswered(_ id: ViewID) -> Bool { wanted[id]?.isAnswered ?? true }

    /// Whether a view is live with all its sections.
    package func isComplete(_ id: ViewID) -> Bool { wanted[id].map { $0.isLive && $0.left.isEmpty } ?? false }

    // MARK: - From the app

    /// The app wants a view.
    /// - Parameter stored: what the mirror has of it.
    package mutating func want(
        _ id: ViewID, parameters: [SectionParameters], stored: ViewContent?, cut: Cut
    ) -> [Action] {
        guard wanted[id] == nil else { return [] }
        wanted[id] = Wanted(id: id, parameters: parameters, content: stored, cut: cut)
        guard isLive else { return [] }
        return [subscribe(id)].compactMap { $0 }
    }

    /// The view is no longer wanted.
    package mutating func unwant(_ id: ViewID) -> [Action] {
        guard let view = wanted.removeValue(forKey: id), let subscription = view.subscription else { return [] }
        forget(subscription: subscription)
        return isLive ? [.send(.unsubscribe(subscription))] : []
    }

    /// Shows sections of a view with other sorts or windows.
    package mutating func setParameters(_ parameters: [SectionParameters], of id: ViewID) -> [Action] {
        guard var view = wanted[id], view.parameters != parameters else { return [] }
        view.parameters = parameters
        view.generation += 1
        view.asked[view.generation] = parameters
        wanted[id] = view
        guard isLive, let subscription = view.subscription else { return [] }
        return [
            .send(
                .subscribe(
                    Subscribe(
                        subscription: subscription, generation: view.generation, screen: id.screen,
                        locale: id.locale, sections: parameters)))
        ]
    }

    /// Subscribes once more to a view whose subscription has ended for now.
    package mutating func subscribeAgain(_ id: ViewID) -> [Action] {
        guard isLive, let view = wanted[id], view.subscription == nil else { return [] }
        return [subscribe(id)].compactMap { $0 }
    }

    // MARK: - The connection

    /// The connection is up.
    package mutating func connected(_ hello: Hello, now: UInt64) -> [Action] {
        disconnected()
        phase = .awaitingWelcome
        lastHeard = now
        connectedAt = now
        return [.send(.hello(hello))]
    }

    /// The connection is gone. What is held stays, and is offered for resuming next time.
    package mutating func disconnected() {
        phase = .disconnected
        views.removeAll()
        places.removeAll()
        dropStaged()
        described.removeAll()
        incoming = nil
        awaitedRepair = nil
        lastNack = 0
        frameBegan = nil
        bytesTaken = 0
        bytesAcknowledged = 0
        calls.removeAll()
        nextCall = 1
        nextSubscription = 1
        for id in wanted.keys {
            if wanted[id]?.isLive == true { wanted[id]?.cut = position }
            wanted[id]?.subscription = nil
            wanted[id]?.isLive = false
            wanted[id]?.generation = 0
            wanted[id]?.joined = nil
            wanted[id]?.asked.removeAll()
        }
    }

    /// Time passes; called about once a second.
    package mutating func tick(now: UInt64) -> [Action] {
        switch phase {
        case .disconnected: return []
        case .awaitingWelcome:
            if now >= connectedAt + Self.welcomeTimeout { return [.close(.retry("the server does not answer"))] }
            return []
        case .live:
            if now >= lastHeard + 2 * pingInterval { return [.close(.retry("the server is silent"))] }
            if let began = frameBegan, now >= began + 3 * pingInterval {
                return [.close(.retry("what the server sends never becomes whole"))]
            }
            if now >= lastHeard + pingInterval, now >= lastPing + pingInterval {
                lastPing = now
                return [.send(.ping(nonce: now))]
            }
            return []
        }
    }

    /// Bytes came in; any of them is life.
    package mutating func heard(now: UInt64) { lastHeard = now }

    /// The bytes that came in are taken apart.
    /// - Parameters:
    ///   - frames: that became whole.
    ///   - isWithinFrame: whether the last bytes are the beginning of one that is not.
    package mutating func took(frames: Int, isWithinFrame: Bool, now: UInt64) {
        if frames > 0 || !isWithinFrame { frameBegan = nil }
        if isWithinFrame { frameBegan = frameBegan ?? now }
    }

    /// A frame came in.
    /// - Parameter bytes: of the whole frame, its length field included.
    package mutating func received(_ message: Message, flags: FrameFlags, bytes: Int) -> [Action] {
        switch phase {
        case .disconnected: return []
        case .awaitingWelcome:
            switch message {
            case .welcome(let welcome): return [.welcomed(welcome)]
            case .close(let status), .goAway(let status, _): return [.close(Self.ending(status))]
            default: return broken(.failedPrecondition, "WRONG_DIRECTION", "the first message is not welcome")
            }
        case .live: return receivedLive(message, flags: flags, bytes: bytes)
        }
    }

    /// The shell accepts the welcome: the mirror belongs to this cluster and user.
    package mutating func accept(_ welcome: Welcome, seen: Cut?) -> [Action] {
        guard case .awaitingWelcome = phase else { return [] }
        if let seen, welcome.cut.isBehind(seen) {
            // Older data is never shown after newer (G1): wait until this node, or another, has caught up.
            let status = Status(
                .unavailable, reason: "NODE_BEHIND", remedy: .retryOther,
                message:
                    "the server is behind what this mirror has seen; if its data was put back from a copy, move the mirror away"
            )
            return [.send(.close(status)), .close(.behind(status.message))]
        }
        phase = .live
        serverLimits = welcome.limits
        position = welcome.cut
        pingInterval = UInt64(welcome.pingIntervalMilliseconds)
        // What is laid over all screens comes first.
        return wanted.keys.sorted { a, b in
            (a.screen == ScreenID.favoriteSet.name ? "" : a.screen)
                < (b.screen == ScreenID.favoriteSet.name ? "" : b.screen)
        }.compactMap { subscribe($0) }
    }

    private mutating func receivedLive(_ message: Message, flags: FrameFlags, bytes: Int) -> [Action] {
        switch message {
        case .join, .repair, .data:
            if case .data = message { bytesTaken += UInt64(bytes) }
            return receivedCutFrame(message, flags: flags, bytes: bytes) + acknowledge(always: false)
        case .stage(let part):
            bytesTaken += UInt64(bytes)
            return stage(part, flags: flags, bytes: bytes) + acknowledge(always: false)
        case .progress(let change):
            guard incoming == nil else { return cutOrder("progress came in the middle of a cut") }
            guard !namesAnotherEpoch(change) else { return cutOrder("progress names an epoch that isn't welcome's") }
            // While a repair is awaited not all of it has arrived.
            guard awaitedRepair == nil else { return acknowledge(always: true) }
            position = position.advanced(by: change)
            return [.progress(position)]
        case .subscriptionError(let error):
            return subscriptionFailed(error)
        case .rebase(let rebase):
            return describe(rebase)
        case .answer(let answer):
            return received(answer)
        case .ping(let nonce):
            return [.send(.pong(nonce: nonce))]
        case .pong:
            return []
        case .goAway(let status, let bounds):
            return [.close(.retryWithin(bounds, status.message))]
        case .close(let status):
            if status.remedy == .resync { dropBases(around: nil) }
            return [.close(Self.ending(status))]
        case .welcome, .hello, .ack, .subscribe, .unsubscribe, .nack, .manifest, .request, .cancel:
            return broken(.failedPrecondition, "WRONG_DIRECTION", "only a client sends this message, or it comes once")
        }
    }

    private mutating func subscriptionFailed(_ error: SubscriptionError) -> [Action] {
        guard let id = views[error.subscription], var view = wanted[id] else { return [] }
        if let section = error.section { return [.sectionFailed(id, section: section, error.status)] }
        if let joined = view.joined, error.generation > joined.generation {
            view.asked[error.generation] = nil
            // A newer wish may be on its way.
            if error.generation == view.generation { view.parameters = joined.parameters }
            wanted[id] = view
            return [.parametersRefused(id, kept: view.parameters, error.status)]
        }
        forget(subscription: error.subscription)
        if view.isLive { view.cut = position }
        view.subscription = nil
        view.isLive = false
        if error.status.remedy == .resync { view.content = nil }
        // However often the same is answered, it is not asked for more and more often.
        let pause = min(Self.viewPause.lowerBound << min(view.failures, 16), Self.viewPause.upperBound)
        view.failures += 1
        wanted[id] = error.status.remedy == .fatal ? nil : view
        var status = error.status
        status.retryAfterMilliseconds = max(pause, status.retryAfterMilliseconds ?? 0)
        return [.viewFailed(id, status)]
    }

    /// What is held led nowhere: less of it is offered next time. At first only the section that was refused is left
    /// out, then its whole view, then everything. Pauses between connections grow meanwhile, as no cut is stored. The
    /// outbox has nothing to do with it.
    mutating func dropBases(around place: (view: ViewID, section: String)?) {
        setbacks += 1
        if setbacks == 1, let place {
            if place.section.isEmpty {
                wanted[place.view]?.content = nil
            } else {
                wanted[place.view]?.content?.sections[place.section] = nil
                wanted[place.view]?.content?.damaged[place.section] = nil
            }
        } else if setbacks == 2, let place {
            wanted[place.view]?.content = nil
        } else if setbacks > 1 {
            for id in wanted.keys where wanted[id]?.subscription != nil { wanted[id]?.content = nil }
        }
    }

    /// Nothing that comes for the subscription is looked at any more.
    private mutating func forget(subscription: UInt32) {
        views[subscription] = nil
        for (handle, place) in places where place.subscription == subscription { places[handle] = nil }
        for place in described.keys where place.subscription == subscription { described[place] = nil }
    }

    // MARK: - Helpers

    private mutating func subscribe(_ id: ViewID) -> Action? {
        guard var view = wanted[id] else { return nil }
        let subscription = nextSubscription
        nextSubscription += 1
        view.subscription = subscription
        view.asked[view.generation] = view.parameters
        wanted[id] = view
        views[subscription] = id
        let resume = view.content.map { content in
            let order = content.list.items.map(\.id)
            let rest = Set(content.sections.keys).union(content.damaged.keys).subtracting(order + [""]).sorted()
            return Resume(
                cut: view.cut, viewSum: content.base(of: "")?.sum ?? Version.empty.sum,
                sections: (order + rest).compactMap { section in
                    content.base(of: section).map { HeldSection(section: section, sum: $0.sum) }
                })
        }
        return .send(
            .subscribe(
                Subscribe(
                    subscription: subscription, generation: view.generation, screen: id.screen, locale: id.locale,
                    sections: view.parameters, resume: resume)))
    }

    /// The server did what it must not: say why, close, and begin anew.
    func broken(_ code: Status.Code, _ reason: String, _ what: String) -> [Action] {
        let status = Status(code, reason: reason, remedy: .retrySame, message: what)
        return [.send(.close(status)), .close(.retry("the server broke the protocol: \(what)"))]
    }

    func cutOrder(_ what: String) -> [Action] { broken(.failedPrecondition, "CUT_ORDER", what) }

    private static func ending(_ status: Status) -> Ending {
        switch status.remedy {
        case .reauthenticate: return .reauthenticate(status)
        case .retrySame, .retryOther, .resync:
            if status.reason == "NODE_BEHIND" { return .behind(status.message) }
            if let pause = status.retryAfterMilliseconds { return .retryWithin(pause...pause, status.message) }
            return .retry(status.message)
        // Damage on the way never gets past a frame's check, so what is fatal is fatal.
        case .fatal: return .fatal(status)
        }
    }

    /// One ack per half of the credit, or with progress.
    mutating func acknowledge(always: Bool) -> [Action] {
        let open = bytesTaken - bytesAcknowledged
        let credit = min(limits.creditBytes, serverLimits.creditBytes)
        guard always || open > credit / 2 else { return [] }
        bytesAcknowledged = bytesTaken
        return [.send(.ack(bytes: bytesTaken, cut: durable))]
    }

}
