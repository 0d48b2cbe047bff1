import DequeModule
import MarqueeDiff
package import MarqueeModel
package import MarqueeServer
package import MarqueeWire
import NIOCore

/// A relay without sockets, threads and a clock: keeps variants of a server upstream current over one connection, and
/// publishes what it received to the sessions of its own clients, as a hub does.
///
/// It asks upstream for each view which variants those are, subscribes to them, and hands the very frames that arrive
/// to the library that all sessions share. Private views and changes are requested on behalf of the guest. While it has
/// no connection it shows what it has, and says how old that is.
///
/// Every publication is one position upstream: after a connection was lost, nothing is published until all variants
/// that are shown have come again. All times are milliseconds of a monotonic clock. Used by one thread.
package final class RelayCore {
    package struct Bounds: Sendable {
        /// Variants without subscribers that stay subscribed upstream: how many, how many bytes, and how long.
        package var idleVariants = 16_384
        package var idleBytes = 256 << 20
        package var idleMilliseconds: UInt64 = 600_000
        /// Variants that may be shown at once.
        package var variants = ServerLimits().variants
        /// Plans of views that are remembered.
        package var plans = 65_536
        /// Calls of clients that wait for their turn upstream.
        package var waitingCalls = 4_096
        /// Guests who are introduced again at a time.
        package var introductions = 64
        /// Calls for which guests leave room, so that introductions don't wait for theirs.
        package var reservedCalls = 64

        package init() {}
    }

    /// Where messages go, and who hears what the relay decides.
    package struct Outlet {
        /// To the server upstream.
        package var send: (Message) -> Void
        /// Ends the connection, and says why.
        package var disconnect: (Disconnection) -> Void
        /// To the sessions of the relay's clients.
        package var publish: (Publication) -> Void
        /// A guest may not go on.
        package var guestEnded: (UInt32) -> Void
        /// Something for the log.
        package var report: (String) -> Void

        package init(
            send: @escaping (Message) -> Void, disconnect: @escaping (Disconnection) -> Void,
            publish: @escaping (Publication) -> Void, guestEnded: @escaping (UInt32) -> Void,
            report: @escaping (String) -> Void
        ) {
            self.send = send
            self.disconnect = disconnect
            self.publish = publish
            self.guestEnded = guestEnded
            self.report = report
        }
    }

    /// Why a connection upstream ends, and when to try again.
    package struct Disconnection: Hashable, Sendable {
        package var reason: String
        /// Milliseconds to wait at least; `nil` for the usual pause.
        package var within: ClosedRange<UInt32>?

        package init(_ reason: String, within: ClosedRange<UInt32>? = nil) {
            self.reason = reason
            self.within = within
        }
    }

    enum Link {
        case away
        case greeting(since: UInt64)
        case live
    }

    /// Limits on the frames that one side of the connection may hold of the other's.
    package static let limits = {
        var limits = WireLimits.client
        limits.creditBytes = 16 << 20
        limits.subscriptions = WireLimits.relay.subscriptions
        limits.calls = WireLimits.relay.calls
        return limits
    }()

    /// The relay's words about itself.
    struct Identity {
        /// Proves upstream that this may be a relay; read for each connection.
        let token: () -> String?
        let clientID: [UInt8]
        let agent: String
    }

    /// How many calls, introductions or subscriptions one connection is for.
    static let numbersPerConnection = UInt32.max / 2
    /// The most milliseconds from hello to welcome.
    static let welcomeTimeout: UInt64 = 10_000
    /// The longest time that is counted of what the server upstream says, in milliseconds: 34 years.
    static let longestTime: UInt64 = 1 << 40

    let library: VersionLibrary
    let bounds: Bounds
    private(set) var outlet: Outlet
    private let identity: Identity

    var link = Link.away
    /// The part of the state that ends with the connection.
    var connection: Connection
    /// The newest welcome.
    package private(set) var welcome: Welcome?
    /// Since when it has been without what is current upstream; `nil` if it has that.
    var staleSince: UInt64?
    /// The clock at the last event.
    package internal(set) var now: UInt64

    /// The position that was published last. The user's components are those of no user.
    var position = Cut()
    var variants = Variants()
    var plans = Plans()
    /// Views that were asked for and can't be shown yet, by ticket.
    var openings = Openings()
    var guests = Guests()
    package internal(set) var health = Health()

    /// - Parameters:
    ///   - library: the one of the server whose clients are served.
    ///   - token: proves upstream that this may be a relay; read for each connection.
    ///   - clientID: 16 random bytes.
    package init(
        library: VersionLibrary, bounds: Bounds = Bounds(), token: @escaping () -> String? = { nil }, clientID: [UInt8],
        agent: String, now: UInt64, outlet: Outlet
    ) {
        self.library = library
        self.bounds = bounds
        identity = Identity(token: token, clientID: clientID, agent: agent)
        connection = Connection(now: now)
        self.now = now
        self.outlet = outlet
        staleSince = now
        library.tick(now: now)
    }

    /// Says to others what it decides from now on.
    package func direct(to outlet: Outlet) { self.outlet = outlet }

    /// Guests by what they are called on this connection.
    package var numbers: [UInt32: UInt32] { connection.introductions.guests }

    /// How many variants are subscribed upstream on this connection.
    package var subscriptionCount: Int { connection.subscriptions.handles.count }

    var isLive: Bool { if case .live = link { true } else { false } }

    /// For how long what is shown may be out of date, in milliseconds; `nil` if it is current.
    package func staleMilliseconds(now: UInt64) -> UInt64? {
        guard let staleSince else { return health.stale }
        return now - min(now, staleSince) + (health.stale ?? 0)
    }

    /// Whether everything that is shown has come by the connection that there is.
    var isCurrent: Bool { staleSince == nil }

    /// How long the server upstream has been away, in milliseconds; `nil` while it is there.
    package func awayMilliseconds(now: UInt64) -> UInt64? { isLive ? nil : now - min(now, staleSince ?? now) }

    // MARK: - The connection

    package func connected(now: UInt64) {
        self.now = now
        link = .greeting(since: now)
        connection = Connection(now: now)
        var hello = Hello()
        hello.limits = Self.limits
        hello.token = identity.token()
        hello.clientID = identity.clientID
        hello.agent = identity.agent
        hello.cluster = welcome?.cluster
        hello.isRelay = true
        // Content is never older than what was shown before (G1).
        if position.catalogueEpoch != 0 { hello.seen = position }
        outlet.send(.hello(hello))
    }

    package func disconnected(now: UInt64) {
        self.now = now
        if case .away = link { return }
        if isLive { staleSince = staleSince ?? now }
        link = .away
        let lost = connection.calls.removeAll() + guests.takeWaitingCalls()
        connection = Connection(now: now)
        variants.leave()
        guests.leave()
        // The outcome of mutations is unknown here: clients send them again, by their numbers.
        for call in lost { call.completion(.failure(.upstreamAway)) }
        refuseOpenings()
    }

    package func heard(now: UInt64) {
        self.now = now
        connection.watch.heard(now: now)
    }

    /// The bytes that arrived were split into frames.
    /// - Parameter isWithinFrame: whether the last bytes begin a frame that is incomplete.
    package func took(frames: Int, isWithinFrame: Bool) {
        connection.watch.took(frames: frames, isWithinFrame: isWithinFrame, now: now)
    }

    package func received(_ message: Message, _ frame: Frame) {
        switch (link, message) {
        case (.away, _): return
        case (.greeting, .welcome(let welcome)): accept(welcome)
        case (.greeting, .close(let status)), (.live, .close(let status)): end(status)
        case (.greeting, .goAway(let status, let bounds)), (.live, .goAway(let status, let bounds)):
            disconnect(Disconnection(status.message, within: bounds))
        case (.greeting, _): broken("its first message isn't welcome")
        case (.live, _): receivedLive(message, frame)
        }
    }

    private func receivedLive(_ message: Message, _ frame: Frame) {
        switch message {
        case .join, .data:
            if case .data = message { connection.taken.add(frame.wireBytes) }
            tookCutFrame(message, frame)
            acknowledge()
        case .stage(let part):
            connection.taken.add(frame.wireBytes)
            stage(part, frame)
            answered(subscription: variants[part.handle]?.subscription)
            acknowledge()
        case .progress(let change):
            guard connection.arrivals.incoming == nil else { return broken("progress came in the middle of a cut") }
            arrive(change.catalogueEpoch, change.catalogueRevision)
            flush()
            acknowledge(always: true)
        case .userProgress(let progress): userMoved(progress)
        case .guestEnded(let number, _): if let guest = connection.introductions.guests[number] { ended(guest) }
        case .replan(let replan): planAgain(replan)
        case .subscriptionError(let error): subscriptionFailed(error)
        case .rebase(let rebase):
            describe(rebase)
            answered(subscription: rebase.subscription)
        case .answer(let answer): answered(answer)
        case .ping(let nonce): outlet.send(.pong(nonce: nonce))
        case .pong: break
        // A relay refuses no cut: it begins another connection instead.
        case .repair: broken("it repairs what wasn't refused")
        case .welcome, .close, .goAway, .hello, .ack, .subscribe, .unsubscribe, .nack, .manifest, .request, .cancel,
            .dismiss:
            broken("it sends what only a client sends, or sends it twice")
        }
    }

    private func accept(_ welcome: Welcome) {
        if let known = self.welcome, known.cluster != welcome.cluster {
            return disconnect(Disconnection("it belongs to another cluster"))
        }
        let isOther = position.catalogueEpoch != 0 && welcome.cut.catalogueEpoch != position.catalogueEpoch
        if !isOther, welcome.cut.isBehind(position) {
            return disconnect(Disconnection("it is behind what this relay has shown"))
        }
        self.welcome = welcome
        link = .live
        connection.watch.welcomed(welcome)
        connection.renewsAt = welcome.identityMilliseconds.map(renewal)
        if isOther { beginAnew("the logs upstream have a new epoch (restored, or a server was lost); starting over") }
        if position.catalogueEpoch == 0 { position = welcome.cut.catalogueOnly }
        if isOther { outlet.publish(Publication(catalogueRevision: position.catalogueRevision, changes: [:])) }
        connection.arrivals.cut = welcome.cut.catalogueOnly
        comeBack()
    }

    /// Forgets everything, as positions of different logs have no order. Connected clients have to reconnect.
    func beginAnew(_ reason: String) {
        outlet.report(reason)
        outlet.publish(
            Publication(
                end: Status(
                    .unavailable, reason: "EPOCH_CHANGED", remedy: .retrySame,
                    message: "the server's logs have a new epoch; connect again", retryAfterMilliseconds: 500)))
        for handle in variants.all.keys { library.forget(handle) }
        variants = Variants()
        plans.forgetAll()
        guests.beginAnew()
        position = Cut()
        refuseOpenings()
    }

    private func end(_ status: Status) {
        if status.remedy == .fatal || status.remedy == .reauthenticate {
            outlet.report("the server upstream refuses this relay: \(status.message)")
        }
        let pause = status.retryAfterMilliseconds.map { $0...$0 }
        disconnect(Disconnection(status.message, within: pause))
    }

    /// The server upstream broke the protocol.
    package func broken(_ what: String) {
        outlet.send(
            .close(Status(.failedPrecondition, reason: "PROTOCOL_BROKEN", remedy: .retrySame, message: what)))
        disconnect(Disconnection("it broke the protocol: \(what)"))
    }

    func disconnect(_ disconnection: Disconnection) {
        disconnected(now: now)
        outlet.disconnect(disconnection)
    }

    /// One ack per half of the credit, or with progress.
    private func acknowledge(always: Bool = false) {
        guard isLive else { return }
        let credit = min(Self.limits.creditBytes, welcome?.limits.creditBytes ?? 0)
        guard connection.taken.acknowledge(always: always, credit: credit) else { return }
        outlet.send(.ack(bytes: connection.taken.count, cut: nil))
    }

    // MARK: - Time

    /// Time passes; called about once a second.
    package func tick(now: UInt64) {
        self.now = now
        forgetIdle()
        switch link {
        case .away: break
        case .greeting(let since):
            if now >= since + Self.welcomeTimeout { disconnect(Disconnection("it doesn't answer")) }
        case .live: tickLive()
        }
    }

    private func tickLive() {
        switch connection.watch.look(now: now) {
        case .nothing: break
        case .ask: outlet.send(.ping(nonce: now))
        case .isSilent: return disconnect(Disconnection("nothing was received from it for too long"))
        case .neverCompletesFrame:
            return disconnect(Disconnection("it never completes the frame that it is sending"))
        }
        // Far more than a second's are left. They begin anew with a connection.
        let next = max(connection.calls.sent.next, connection.introductions.next, connection.subscriptions.next)
        guard next < Self.numbersPerConnection else {
            return disconnect(Disconnection("its numbers are used up", within: 0...0))
        }
        introduceLate()
        askForHealth()
        if let time = connection.renewsAt, now >= time, let token = identity.token() {
            connection.renewsAt = nil
            renew(token)
        }
    }

    /// When to renew an identity, by the milliseconds that it has left.
    private func renewal(after left: UInt64) -> UInt64 { now + min(left, Self.longestTime) / 5 * 4 }

    private func renew(_ token: String) {
        call(.renew, CallBodyCodec.encodeRenewRequest(token: token)) { [unowned self] result in
            switch result.decoded(CallBodyCodec.decodeRenewAnswer) {
            case .success(let left): connection.renewsAt = left.map(renewal)
            case .failure(let status): outlet.report("the relay's token can't be renewed: \(status.message)")
            }
        }
    }
}

extension Cut {
    /// The position without any user's.
    var catalogueOnly: Cut { Cut(catalogueEpoch: catalogueEpoch, catalogueRevision: catalogueRevision) }
}

extension Result<[UInt8], Status> {
    /// Returns the decoded answer. One that can't be read is the server upstream's error.
    func decoded<Value>(_ decode: ([UInt8], WireLimits) throws(WireError) -> Value) -> Result<Value, Status> {
        flatMap { body in
            do throws(WireError) {
                return .success(try decode(body, RelayCore.limits))
            } catch {
                return .failure(
                    Status(
                        .internalError, reason: "ANSWER_INVALID", remedy: .retryOther,
                        message: "the server upstream sent an unreadable answer: \(error)"))
            }
        }
    }
}
