import DequeModule
import MarqueeDiff
package import MarqueeModel
package import MarqueeServer
package import MarqueeWire
import NIOCore

/// A relay without sockets, threads or a clock. It keeps a copy of the server upstream's variants current over one
/// connection, and publishes them to the sessions of its own clients, as a hub does.
///
/// It asks upstream for the variants of each view, subscribes to them, and passes the frames as they arrive to the
/// library that all sessions share. Clients are guests upstream: their private views and changes are requested on their
/// behalf. Without a connection it shows what it has, and reports how old that is.
///
/// Published content is always that of one position upstream: after a lost connection, none is published until all
/// variants that are shown have arrived again. All times are milliseconds of a monotonic clock. Used by one thread.
package final class RelayCore {
    package struct Bounds: Sendable {
        /// Limits on variants without subscribers that stay subscribed upstream: their number, their bytes, and how
        /// long they stay.
        package var idleVariants = 16_384
        package var idleBytes = 256 << 20
        package var idleMilliseconds: UInt64 = 600_000
        /// The most patches of such variants that are taken of one cut: those that are shown have to wait for them.
        package var idlePatches = 256
        /// The most variants shown at once.
        package var variants = ServerLimits().variants
        /// The most plans remembered.
        package var plans = 65_536
        /// The most calls of clients that wait for their turn upstream.
        package var waitingCalls = 4_096
        /// The most guests of an earlier connection that are being introduced at once.
        package var introductions = 64
        /// The calls, out of those that upstream allows, that guests may not use, so that introductions don't wait for
        /// guests' calls.
        package var reservedCalls = 64

        package init() {}
    }

    /// The receivers of the relay's messages and decisions.
    package struct Outlet {
        /// Sends a message to the server upstream.
        package var send: (Message) -> Void
        /// Ends the connection upstream.
        package var disconnect: (Disconnection) -> Void
        /// Publishes to the sessions of the relay's clients.
        package var publish: (Publication) -> Void
        /// Reports a guest whose identity has ended: the guest's session must end, too.
        package var guestEnded: (UInt32) -> Void
        /// Logs a problem.
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
        /// The range, in milliseconds, from which to pick the minimum pause before the next connection; `nil` for the
        /// usual pause.
        package var within: ClosedRange<UInt32>?

        package init(_ reason: String, within: ClosedRange<UInt32>? = nil) {
            self.reason = reason
            self.within = within
        }
    }

    /// The state of the connection upstream.
    enum Link {
        /// There is no connection.
        case away
        /// The relay has said hello and waits for welcome.
        case greeting(since: UInt64)
        /// Welcome has arrived.
        case live
    }

    /// The limits that the relay states in its hello, and enforces on what upstream sends.
    package static let limits = {
        var limits = WireLimits.client
        limits.creditBytes = 16 << 20
        limits.subscriptions = WireLimits.relay.subscriptions
        limits.calls = WireLimits.relay.calls
        return limits
    }()

    /// The relay's identity, as its hello states it.
    struct Identity {
        /// Returns the token that authorizes this relay upstream; called for each connection, and to renew an identity.
        let token: () -> String?
        let clientID: [UInt8]
        let agent: String
    }

    /// The most calls, introductions or subscriptions on one connection.
    static let numbersPerConnection = UInt32.max / 2
    /// The most milliseconds between hello and welcome.
    static let welcomeTimeout: UInt64 = 10_000
    /// Times in messages from upstream are capped at this, in milliseconds: 34 years.
    static let longestTime: UInt64 = 1 << 40

    let library: VersionLibrary
    let bounds: Bounds
    private(set) var outlet: Outlet
    private let identity: Identity

    var link = Link.away
    /// The state that is discarded with each connection.
    var connection: Connection
    /// The newest welcome.
    package private(set) var welcome: Welcome?
    /// Since when the content may have been out of date; `nil` while it is current.
    var staleSince: UInt64?
    /// The time of the last event.
    package internal(set) var now: UInt64

    /// The position that was published last, without any user's components.
    var position = Cut()
    var variants = Variants()
    var plans = Plans()
    /// Views that were asked for and can't be shown yet, by ticket.
    var openings = Openings()
    var guests = Guests()
    package internal(set) var health = Health()

    /// - Parameters:
    ///   - library: the library of the server whose clients are served.
    ///   - token: returns the token that authorizes this relay upstream; called for each connection, and to renew an
    ///     identity.
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

    /// Sends messages and decisions to `outlet` from now on.
    package func direct(to outlet: Outlet) { self.outlet = outlet }

    /// The ids of the guests, by their number on this connection.
    package var numbers: [UInt32: UInt32] { connection.introductions.guests }

    /// How many variants are subscribed upstream on this connection.
    package var subscriptionCount: Int { connection.subscriptions.handles.count }

    var isLive: Bool { if case .live = link { true } else { false } }

    /// How long what is shown may have been out of date, in milliseconds; `nil` if it is current.
    package func staleMilliseconds(now: UInt64) -> UInt64? {
        guard let staleSince else { return health.stale }
        return now - min(now, staleSince) + (health.stale ?? 0)
    }

    /// Whether everything that is shown has arrived over the current connection.
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
        // Whether mutations in flight took effect is unknown: clients send them again, with the same numbers.
        for call in lost { call.completion(.failure(.upstreamAway)) }
        refuseOpenings()
    }

    /// Called when bytes have arrived.
    package func heard(now: UInt64) {
        self.now = now
        connection.watch.heard(now: now)
    }

    /// Called when the bytes that arrived have been split into frames.
    /// - Parameter isWithinFrame: whether the last bytes are the beginning of an incomplete frame.
    package func received(frames: Int, isWithinFrame: Bool) {
        connection.watch.received(frames: frames, isWithinFrame: isWithinFrame, now: now)
    }

    package func received(_ message: Message, _ frame: Frame) {
        switch (link, message) {
        case (.away, _): return
        case (.greeting, .welcome(let welcome)): accept(welcome)
        case (.greeting, .close(let status)), (.live, .close(let status)): end(status)
        case (.greeting, .goAway(let status, let bounds)), (.live, .goAway(let status, let bounds)):
            disconnect(Disconnection(status.message, within: bounds))
        case (.greeting, _): failProtocol("its first message isn't welcome")
        case (.live, _): receivedLive(message, frame)
        }
    }

    private func receivedLive(_ message: Message, _ frame: Frame) {
        switch message {
        case .join, .data:
            if case .data = message { connection.taken.add(frame.wireBytes) }
            receivedCutFrame(message, frame)
            acknowledge()
        case .stage(let part):
            connection.taken.add(frame.wireBytes)
            stage(part, frame)
            answered(subscription: variants[part.handle]?.subscription)
            acknowledge()
        case .progress(let change):
            guard connection.arrivals.incoming == nil else {
                return failProtocol("progress came in the middle of a cut")
            }
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
        // A relay never sends a nack: it starts a new connection instead.
        case .repair: failProtocol("it repairs what wasn't refused")
        case .welcome, .close, .goAway, .hello, .ack, .subscribe, .unsubscribe, .nack, .manifest, .request, .cancel,
            .dismiss:
            failProtocol("it sends what only a client sends, or sends it twice")
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
        if isOther { startOver("the logs upstream have a new epoch (restored, or a server was lost); starting over") }
        if position.catalogueEpoch == 0 { position = welcome.cut.catalogueOnly }
        if isOther { outlet.publish(Publication(catalogueRevision: position.catalogueRevision, changes: [:])) }
        connection.arrivals.cut = welcome.cut.catalogueOnly
        resumeGuests()
    }

    /// Forgets all content, because positions of different logs can't be compared. Connected clients have to reconnect.
    func startOver(_ reason: String) {
        outlet.report(reason)
        outlet.publish(
            Publication(
                end: Status(
                    .unavailable, reason: "EPOCH_CHANGED", remedy: .retrySame,
                    message: "the server's logs have a new epoch; connect again", retryAfterMilliseconds: 500)))
        for handle in variants.all.keys { library.forget(handle) }
        variants = Variants()
        plans.forgetAll()
        guests.startOver()
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

    /// Ends the connection, because the server upstream broke the protocol.
    package func failProtocol(_ what: String) {
        outlet.send(
            .close(Status(.failedPrecondition, reason: "PROTOCOL_BROKEN", remedy: .retrySame, message: what)))
        disconnect(Disconnection("it broke the protocol: \(what)"))
    }

    func disconnect(_ disconnection: Disconnection) {
        disconnected(now: now)
        outlet.disconnect(disconnection)
    }

    /// Sends an ack if more than half of the credit is unacknowledged.
    /// - Parameter always: whether to send it in any case, as after progress.
    private func acknowledge(always: Bool = false) {
        guard isLive else { return }
        let credit = min(Self.limits.creditBytes, welcome?.limits.creditBytes ?? 0)
        guard connection.taken.acknowledge(always: always, credit: credit) else { return }
        outlet.send(.ack(bytes: connection.taken.count, cut: nil))
    }

    // MARK: - Time

    /// Handles the passing of time; called about once a second.
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
        // The other half of the numbers lasts far longer than the second until the next check. They start over with
        // each connection.
        let next = max(connection.calls.sent.next, connection.introductions.next, connection.subscriptions.next)
        guard next < Self.numbersPerConnection else {
            return disconnect(Disconnection("its numbers are used up", within: 0...0))
        }
        introduceDue()
        askForHealth()
        if let time = connection.renewsAt, now >= time, let token = identity.token() {
            connection.renewsAt = nil
            renew(token)
        }
    }

    /// The time at which to renew an identity that ends in `left` milliseconds: when four fifths of them have passed.
    private func renewal(after left: UInt64) -> UInt64 { now + min(left, Self.longestTime) / 5 * 4 }

    /// The milliseconds after which a failed renewal is repeated.
    private static let renewalPause: UInt64 = 10_000

    private func renew(_ token: String) {
        call(.renew, CallBodyCodec.encodeRenewRequest(token: token)) { [unowned self] result in
            switch result.decoded(CallBodyCodec.decodeRenewAnswer) {
            case .success(let left): connection.renewsAt = left.map(renewal)
            case .failure(let status):
                outlet.report("the relay's token can't be renewed: \(status.message)")
                // With another token the relay connects again; the server may only be busy.
                if isLive, status.remedy != .reauthenticate, status.remedy != .fatal {
                    connection.renewsAt = now + Self.renewalPause
                }
            }
        }
    }
}

extension Cut {
    /// The position without users' components.
    var catalogueOnly: Cut { Cut(catalogueEpoch: catalogueEpoch, catalogueRevision: catalogueRevision) }
}

extension Result<[UInt8], Status> {
    /// Returns the decoded answer. An unreadable one is an error of the server upstream.
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
