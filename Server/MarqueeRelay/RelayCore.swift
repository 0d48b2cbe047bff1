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

    /// How many calls, introductions or subscriptions one connection is for.
    static let numbersPerConnection = UInt32.max / 2
    /// The most milliseconds from hello to welcome.
    static let welcomeTimeout: UInt64 = 10_000
    /// The longest time that is counted of what the server upstream says, in milliseconds: 34 years.
    static let longestTime: UInt64 = 1 << 40

    let library: VersionLibrary
    let bounds: Bounds
    /// The most variants that may be shown at once.
    let variantLimit: Int
    private(set) var outlet: Outlet
    let token: () -> String?
    private let clientID: [UInt8]
    private let agent: String

    // The connection
    var link = Link.away
    /// The newest welcome.
    package private(set) var welcome: Welcome?
    /// Since when it has been without what is current upstream; `nil` if it has that.
    var staleSince: UInt64?
    private var watch = ServerWatch(now: 0)
    private var renewsAt: UInt64?
    var bytesTaken: UInt64 = 0
    private var bytesAcknowledged: UInt64 = 0
    /// The clock at the last event.
    package internal(set) var now: UInt64

    // Content
    /// The position that was published last. The user's components are those of no user.
    var position = Cut()
    /// The position upstream as far as it has arrived.
    var arrived = Cut()
    var variants: [UInt64: Variant] = [:]
    /// The variant of each subscription of this connection.
    package internal(set) var subscriptions: [UInt32: UInt64] = [:]
    /// Variants to subscribe to, of the guests who want them.
    var waitingVariants = GuestTurns<UInt64>()
    /// Subscriptions that had their turn, and that upstream hasn't begun to answer.
    var unanswered: Set<UInt32> = []
    var nextSubscription: UInt32 = 1
    /// Variants without subscribers, the one idle for longest first.
    var idle = AgeQueue<UInt64>()
    /// Versions that have arrived and aren't published.
    var unpublished: [UInt64: CurrentVersion] = [:]
    var incoming: IncomingFrames?
    var staged = StagedVersions()
    /// The bodies of the frames of a staged patch that is arriving.
    var stagedBodies: [ByteBuffer] = []
    /// The views and variants that have to come again after a connection before anything is published.
    var returning = Returning()

    // Views
    var plans: [PlanKey: PlanAnswer] = [:]
    var planAges = AgeQueue<PlanKey>()
    /// Views that were asked for and can't be shown yet, by ticket.
    var openings = Openings()
    /// How often views had to be planned again.
    var replans: UInt64 = 0

    // Guests and calls
    var guests: [UInt32: Guest] = [:]
    var nextGuest: UInt32 = 1
    /// Guests by what they are called on this connection.
    package internal(set) var numbers: [UInt32: UInt32] = [:]
    var nextNumber: UInt32 = 1
    /// Guests who have yet to be introduced on this connection, in order.
    var unintroduced: Deque<UInt32> = []
    /// Guests whom the server upstream couldn't look up on this connection, and when they are introduced again.
    var introducesAgain: [UInt32: UInt64] = [:]
    var users: [String: User] = [:]
    var userEpoch: UInt64 = 0
    /// Since when the server upstream has been behind what was shown to some user; `nil` unless it is.
    var behindSince: UInt64?
    /// Introductions that aren't answered, and how many of them are of those who were guests before.
    var introducing = 0
    var reintroducing = 0
    /// How far the logs of users have come whose first guest is being introduced: at most one for each introduction.
    var early: [String: UInt64] = [:]
    var calls: [UInt32: Call] = [:]
    var nextCall: UInt32 = 1
    var waitingCalls = GuestTurns<Call>()
    /// How long ago the server upstream was current itself, if it is a relay that has lost its own.
    var upstreamStale: UInt64?
    /// Records by type upstream.
    package internal(set) var records: [RecordCount] = []
    /// The pause between two looks at how current the server upstream is.
    static let healthInterval: UInt64 = 5_000
    var healthAskedAt: UInt64 = 0
    var isAskingForHealth = false

    /// - Parameters:
    ///   - library: the one of the server whose clients are served.
    ///   - token: proves upstream that this may be a relay; read for each connection.
    ///   - clientID: 16 random bytes.
    package init(
        library: VersionLibrary, bounds: Bounds = Bounds(), variantLimit: Int = ServerLimits().variants,
        token: @escaping () -> String? = { nil }, clientID: [UInt8], agent: String, now: UInt64, outlet: Outlet
    ) {
        self.library = library
        self.bounds = bounds
        self.variantLimit = variantLimit
        self.token = token
        self.clientID = clientID
        self.agent = agent
        self.now = now
        self.outlet = outlet
        staleSince = now
        library.tick(now: now)
    }

    /// Says to others what it decides from now on.
    package func direct(to outlet: Outlet) { self.outlet = outlet }

    var isLive: Bool { if case .live = link { true } else { false } }

    /// For how long what is shown may be out of date, in milliseconds; `nil` if it is current.
    package func staleMilliseconds(now: UInt64) -> UInt64? {
        guard let staleSince else { return upstreamStale }
        return now - min(now, staleSince) + (upstreamStale ?? 0)
    }

    /// Whether everything that is shown has come by the connection that there is.
    var isCurrent: Bool { staleSince == nil }

    /// How long the server upstream has been away, in milliseconds; `nil` while it is there.
    package func awayMilliseconds(now: UInt64) -> UInt64? { isLive ? nil : now - min(now, staleSince ?? now) }

    // MARK: - The connection

    package func connected(now: UInt64) {
        self.now = now
        link = .greeting(since: now)
        watch = ServerWatch(now: now)
        var hello = Hello()
        hello.limits = Self.limits
        hello.token = token()
        hello.clientID = clientID
        hello.agent = agent
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
        incoming = nil
        staged = StagedVersions()
        stagedBodies = []
        unpublished = [:]
        returning = Returning()
        subscriptions = [:]
        (waitingVariants, unanswered) = (GuestTurns(), [])
        nextSubscription = 1
        (bytesTaken, bytesAcknowledged) = (0, 0)
        for handle in variants.keys { variants[handle]?.left() }
        for guest in guests.keys { guests[guest]?.left() }
        noteShown()
        (numbers, nextNumber) = ([:], 1)
        unintroduced = []
        introducesAgain = [:]
        behindSince = nil
        endCalls()
        refuseOpenings()
    }

    package func heard(now: UInt64) {
        self.now = now
        watch.heard(now: now)
    }

    /// The bytes that arrived were split into frames.
    /// - Parameter isWithinFrame: whether the last bytes begin a frame that is incomplete.
    package func took(frames: Int, isWithinFrame: Bool) {
        watch.took(frames: frames, isWithinFrame: isWithinFrame, now: now)
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
            if case .data = message { bytesTaken += UInt64(frame.wireBytes) }
            tookCutFrame(message, frame)
            acknowledge()
        case .stage(let part):
            bytesTaken += UInt64(frame.wireBytes)
            stage(part, frame)
            answered(subscription: variants[part.handle]?.subscription)
            acknowledge()
        case .progress(let change):
            guard incoming == nil else { return broken("progress came in the middle of a cut") }
            arrive(change.catalogueEpoch, change.catalogueRevision)
            flush()
            acknowledge(always: true)
        case .userProgress(let progress): userMoved(progress)
        case .guestEnded(let number, _): if let guest = numbers[number] { ended(guest) }
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
        watch.welcomed(welcome)
        renewsAt = welcome.identityMilliseconds.map(renewal)
        if isOther { beginAnew("the logs upstream have a new epoch (restored, or a server was lost); starting over") }
        if position.catalogueEpoch == 0 { position = welcome.cut.catalogueOnly }
        if isOther { outlet.publish(Publication(catalogueRevision: position.catalogueRevision, changes: [:])) }
        arrived = welcome.cut.catalogueOnly
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
        for handle in variants.keys { library.forget(handle) }
        variants = [:]
        subscriptions = [:]
        (waitingVariants, unanswered) = (GuestTurns(), [])
        idle = AgeQueue()
        unpublished = [:]
        plans = [:]
        planAges = AgeQueue()
        users = users.mapValues { User(guests: $0.guests) }
        userEpoch = 0
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
        guard always || bytesTaken - bytesAcknowledged > credit / 2 else { return }
        bytesAcknowledged = bytesTaken
        outlet.send(.ack(bytes: bytesTaken, cut: nil))
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
        switch watch.look(now: now) {
        case .nothing: break
        case .ask: outlet.send(.ping(nonce: now))
        case .isSilent: return disconnect(Disconnection("nothing was received from it for too long"))
        case .neverCompletesFrame:
            return disconnect(Disconnection("it never completes the frame that it is sending"))
        }
        // Ids restart with each connection, which leaves a wide margin.
        guard max(nextCall, nextNumber, nextSubscription) < Self.numbersPerConnection else {
            return disconnect(Disconnection("its numbers are used up", within: 0...0))
        }
        introduceLate()
        askForHealth()
        if let renewsAt, now >= renewsAt, let token = token() {
            self.renewsAt = nil
            renew(token)
        }
    }

    /// When to renew an identity, by the milliseconds that it has left.
    private func renewal(after left: UInt64) -> UInt64 { now + min(left, Self.longestTime) / 5 * 4 }

    private func renew(_ token: String) {
        call(.renew, CallBodyCodec.encodeRenewRequest(token: token)) { [unowned self] result in
            switch result.decoded(CallBodyCodec.decodeRenewAnswer) {
            case .success(let left): renewsAt = left.map(renewal)
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
