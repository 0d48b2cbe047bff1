import MarqueeDiff
package import MarqueeModel
import MarqueeScreens
import MarqueeStore
package import MarqueeWire
package import NIOCore

/// The protocol of one connection on the server's side: `(event, now) -> actions`, without a socket, a clock or a task.
///
/// A session has one position. It refers to the newest versions, which all sessions share, and keeps only the sums of
/// the versions that its client has, so a slow client costs a few numbers (G8). It moves from one cut to the next in
/// `nextDataFrame`, which the shell calls when the connection accepts more: changes are chosen as late as possible, and
/// never queued. It knows nothing of sockets, evaluation or the store.
///
/// All times are milliseconds of a monotonic clock. Not copyable: it has one owner, and a copy takes thousands of
/// instructions.
package struct SessionCore: ~Copyable {
    /// Work for the shell. Frames aren't among it: the shell calls `takeControlFrames` after every event.
    package enum Action: Sendable {
        case authenticate(user: String?, token: String?)
        /// Ask the hub; then call `opened`.
        case open(ticket: UInt64, OpenRequest)
        /// The session no longer needs these variants.
        case release([UInt64])
        /// Make the call; then call `answered`.
        case perform(call: UInt32, ContentCall, by: ContentCaller)
        /// Check another token of the same user; then call `renewed`.
        case renew(call: UInt32, token: String)
        /// Ask the authenticator for the identity of a relay's guest; then call `met`.
        case introduce(call: UInt32, IntroduceRequest)
        /// Look up the position for a guest's mirror; then call `introduced`.
        case locate(call: UInt32, guest: UInt32, by: ContentCaller)
        /// Receive publications about a guest's user, or no longer receive them.
        case follow(String)
        case unfollow(String)
        /// Drop the work for a relay's guest, which has left.
        case drop(guest: UInt32)
        /// Record that the client has hit a limit.
        case hit(Limit)
        /// Log that a call was answered. `reason` says why it failed, if it did.
        case note(TracedCall, reason: String?)
        /// Log an attempt to publish by a client without any permission to publish.
        case refusedPublication(Status, by: ContentCaller)
        /// Close once everything written has been sent.
        case close
    }

    enum Phase {
        case awaitingHello
        case authenticating(Hello, heard: Heard)
        /// The client has seen more than this node has, and waits for the node to catch up.
        case catchingUp(Hello, user: String?, node: Cut)
        case live
        case closed
    }

    /// The positions published while a client was being authenticated. Its welcome must not announce an older one, as
    /// nothing would correct that later.
    struct Heard {
        var user: String?
        var catalogueRevision: UInt64 = 0
        var userRevision: UInt64 = 0
    }

    let library: VersionLibrary
    let settings: SessionSettings
    let budgets: SessionBudgets
    var phase = Phase.awaitingHello
    /// The state that goes with the session into a cohort, and comes back.
    var lasting: LastingState
    var progress = SyncedProgress()
    var clientLimits = WireLimits.client

    // Position
    /// The hub's newest position.
    var newest = Cut()
    /// Whether a view opened by the hub took the session ahead of the publications it has received. The missing
    /// publications arrive before the session writes again (G9); until then its position stays.
    var isAhead = false
    /// The client's position once all frames written so far have arrived.
    package internal(set) var position = Cut()

    // Subscriptions
    var subscriptions = Subscriptions()
    var variants = VariantIndex()
    /// The subscriptions for which the hub was asked, by ticket.
    var openTickets: [UInt64: UInt32] = [:]
    var pendingRepair: UInt32?

    var manifests = Manifests()
    var stagedThere = StagedLedger()
    var calls = Calls()
    /// The guests on whose behalf it acts, if the client is a relay.
    var guests: Guests?

    // Output
    var control: [ByteBuffer] = []
    var outgoing = Outgoing()
    var deferred: [Action] = []

    // Waiting and ending
    var waitingSince: UInt64?
    var catchingUpSince: UInt64?
    /// The reason why the server ends the connection, as reported to the client; `nil` until it does.
    var endReason: String?
    /// Set if the client has seen more than the store has.
    var ahead: ClientAhead?

    /// - Parameter budgets: the budgets that all sessions of the server share.
    package init(
        library: VersionLibrary, settings: SessionSettings, budgets: SessionBudgets = SessionBudgets(), now: UInt64
    ) {
        self.library = library
        self.settings = settings
        self.budgets = budgets
        lasting = LastingState(liveness: Liveness(now: now))
    }

    package internal(set) var identity: Identity {
        get { lasting.identity }
        set { lasting.identity = newValue }
    }

    package internal(set) var clientID: [UInt8] {
        get { lasting.clientID }
        set { lasting.clientID = newValue }
    }

    /// Data frames written since the connection began, not counting those written to cohorts.
    package var deliveries: UInt64 { lasting.deliveries }

    /// The current limit of a frame's length field.
    package var frameLimit: UInt32 {
        switch phase {
        case .awaitingHello, .authenticating, .catchingUp: WireLimits.unauthenticatedFrameBytes
        case .live, .closed: settings.limits.frameBytes
        }
    }

    /// The limits on what the client may do.
    var limits: WireLimits { guests == nil ? settings.limits : settings.relayLimits }

    /// The client's id; while it is being authenticated, the one in its hello.
    package var helloClientID: [UInt8] {
        if case .authenticating(let hello, _) = phase { hello.clientID } else { clientID }
    }

    /// The claim in the client's hello; `nil` unless it is being authenticated.
    package var helloClaim: PositionClaim? {
        guard case .authenticating(let hello, _) = phase else { return nil }
        return PositionClaim(seen: hello.seen, answeredThrough: hello.answeredThrough)
    }

    /// The name that the client gives itself in its hello; `nil` unless it is being authenticated.
    var helloAgent: String? {
        if case .authenticating(let hello, _) = phase { hello.agent } else { nil }
    }

    package var isClosed: Bool {
        if case .closed = phase { true } else { false }
    }

    package var subscriptionCount: Int { subscriptions.count }

    /// Requests to open a view that the hub hasn't answered: at most one per subscription.
    package var waitingOpens: Int { openTickets.count }

    /// Whether the client has a subscription or a call in flight.
    package var isUsed: Bool { !subscriptions.isEmpty || !calls.inFlight.isEmpty }

    /// Control frames and answers to be written now, in order.
    package mutating func takeControlFrames() -> [ByteBuffer] {
        defer { control.removeAll(keepingCapacity: true) }
        return control
    }

    /// Actions that follow from `nextDataFrame` and `answered`, which return none themselves.
    package mutating func takeDeferredActions() -> [Action] {
        defer { deferred.removeAll() }
        return deferred
    }

    // MARK: - Events

    /// Records that bytes have arrived; any byte proves that the client is alive.
    package mutating func heard(now: UInt64) { lasting.liveness.heard(now: now) }

    /// Records how the received bytes were split into frames.
    /// - Parameters:
    ///   - frames: the number of frames now complete.
    ///   - isWithinFrame: whether an incomplete frame follows them.
    package mutating func received(frames: Int, isWithinFrame: Bool, now: UInt64) {
        lasting.liveness.received(frames: frames, isWithinFrame: isWithinFrame, now: now)
    }

    /// Handles a message that was received and decoded.
    package mutating func received(_ message: Message, now: UInt64) -> [Action] {
        switch phase {
        case .closed:
            return []
        case .awaitingHello:
            if case .close = message { return shut() }
            guard case .hello(let hello) = message else {
                return fail(.failedPrecondition, "HELLO_EXPECTED", "the first message has to be hello")
            }
            return begin(hello)
        case .authenticating, .catchingUp:
            if case .close = message { return shut() }
            return fail(.failedPrecondition, "HELLO_EXPECTED", "wait for welcome after hello")
        case .live:
            return receivedLive(message, now: now)
        }
    }

    private mutating func receivedLive(_ message: Message, now: UInt64) -> [Action] {
        switch message {
        case .hello:
            return fail(.failedPrecondition, "HELLO_REPEATED", "hello was sent before")
        case .ping(let nonce):
            return ping(nonce, now: now)
        case .pong:
            return []
        case .ack(let bytes, let cut):
            let before = progress.flow.acknowledged
            guard progress.flow.acknowledge(bytes) else {
                return fail(.invalidArgument, "ACK_INVALID", "an ack counts bytes that were not sent")
            }
            if let cut, newest.isBehind(cut) {
                return fail(.invalidArgument, "ACK_INVALID", "an ack names a position that this node doesn't have")
            }
            if bytes > before { waitingSince = nil }
            return []
        case .subscribe(let subscribe):
            return self.subscribe(subscribe)
        case .unsubscribe(let id):
            return unsubscribe(id)
        case .nack(let nack):
            return self.nack(nack, now: now)
        case .manifest(let manifest):
            return self.manifest(manifest)
        case .request(let request):
            return self.request(request, now: now)
        case .cancel(let call):
            return cancel(call)
        case .dismiss(let guest):
            return dismiss(guest)
        case .close:
            return shut()
        case .welcome, .progress, .goAway, .subscriptionError, .join, .data, .stage, .repair, .rebase, .answer,
            .guestEnded, .userProgress, .replan:
            return fail(.failedPrecondition, "WRONG_DIRECTION", "only a server sends this message")
        }
    }

    /// Ends the session because the received bytes aren't valid frames or messages.
    package mutating func receivedGarbage(_ status: Status) -> [Action] {
        guard !isClosed else { return [] }
        return fail(status)
    }

    /// Makes room for another client by ending the session, which has no subscription and no call in flight.
    package mutating func makeRoom() -> [Action] {
        guard !isClosed else { return [] }
        return fail(
            Status(
                .resourceExhausted, reason: "ROOM_NEEDED", remedy: .retrySame,
                message: "the server is full; idle connections make room for others",
                retryAfterMilliseconds: settings.reconnectMilliseconds.upperBound))
    }

    /// Asks the client to go elsewhere, because the server is about to stop.
    package mutating func drain() -> [Action] {
        lasting.draining = true
        guard case .live = phase else { return [] }
        sayGoAway()
        return []
    }

    // MARK: - Saying and failing

    mutating func say(_ message: Message) {
        control.append(MessageCodec.encode(message, flags: []))
    }

    mutating func sayGoAway() {
        say(
            .goAway(
                Status(.unavailable, reason: "DRAINING", remedy: .retrySame, message: "the server is stopping"),
                reconnectMilliseconds: settings.reconnectMilliseconds))
    }

    /// Tells the client that everything up to the position has been sent.
    mutating func sayProgress(now: UInt64?) {
        say(.progress(CutChange(position)))
        progress.named = position
        if let now { lasting.liveness.lastProgress = now }
    }
}
