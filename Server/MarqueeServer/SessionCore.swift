import DequeModule
import MarqueeDiff
package import MarqueeModel
import MarqueeScreens
package import MarqueeWire
package import NIOCore

/// The protocol of one connection on the server's side: `(event, now) -> actions`, without a socket, a clock or a task.
///
/// A session has one position. It holds the newest versions only as references that all sessions share, and of what its
/// client has, just sums; so a slow client costs a few numbers (G8). It moves from one cut to the next in
/// `nextDataFrame`, which the shell calls when the connection can take more: late binding, no queue of changes. Not its
/// business: sockets, evaluation of screens, the store.
///
/// All times are milliseconds of a monotonic clock.
package struct SessionCore {
    /// What the shell has to do. Frames are in `takeControlFrames`, which the shell calls after every event.
    package enum Action: Sendable {
        case authenticate(user: String?, token: String?)
        /// Ask the hub; answer with `opened`.
        case open(ticket: UInt64, OpenRequest)
        /// The hub may forget that this session needs these variants.
        case release([UInt64])
        /// Answer with `answered`.
        case perform(call: UInt32, Call)
        /// Close when everything written has left.
        case close
    }

    /// A unary call, decoded and judged.
    package enum Call: Sendable {
        case health
        case describe(locale: String?)
        case getScreen(GetScreenRequest)
        case search(SearchRequest)
        case collection(CollectionRequest)
        case publish(
            number: UInt64, answeredThrough: UInt64, key: String?, changes: [[UInt8]], held: ByteBudget.Reservation)
    }

    enum Phase {
        case awaitingHello
        case authenticating(Hello, heard: Heard)
        /// The client has seen more than this node has: it waits for the node to catch up.
        case catchingUp(Hello, user: String?, node: Cut)
        case live
        case closed
    }

    /// What was published while a client was being authenticated: its welcome must not name less, as nothing would say
    /// it later.
    struct Heard {
        var user: String?
        var catalogueRevision: UInt64 = 0
        var userRevision: UInt64 = 0
    }

    let library: VersionLibrary
    let settings: SessionSettings
    let budgets: SessionBudgets
    var phase = Phase.awaitingHello
    package internal(set) var identity = Identity(user: nil, mayPublish: false)
    package internal(set) var clientID: [UInt8] = []
    var clientLimits = WireLimits.client

    // Position
    /// The newest position that the hub has told.
    var newest = Cut()
    /// What this session's client has been sent, once all frames before it are written.
    package internal(set) var position = Cut()
    /// The position that the frames written so far name.
    var named = Cut()

    // Subscriptions
    var subscriptions: [UInt32: Subscription] = [:]
    var highestSubscription: UInt32 = 0
    /// Which subscription a live handle belongs to.
    var owners: [UInt64: UInt32] = [:]
    /// Live handles by the content that they show.
    var showing: [UInt64: Set<UInt64>] = [:]
    /// Handles of live subscriptions whose client is behind the newest version.
    var dirty: Set<UInt64> = []
    var openTickets: [UInt64: UInt32] = [:]
    var nextTicket: UInt64 = 1
    var pendingRepair: UInt32?
    var lastNack: UInt32 = 0
    /// Handles of sections that could not be brought to the client, to be tried again.
    var failed: Set<UInt64> = []

    // Manifests
    /// Those that were asked for, in the order in which they will come.
    var questions: [ManifestQuestion] = []
    /// Those that have come, by handle; each until its patch is made.
    var manifests: [UInt64: ContentManifest] = [:]
    /// There may be something to ask for.
    var mayAskForManifests = false
    /// Since when nothing has come of a manifest that was asked for.
    var manifestAwaitedSince: UInt64?

    // Output
    var control: [ByteBuffer] = []
    var outgoing = Outgoing()
    var deferred: [Action] = []
    var credit: UInt64 = 0
    var dataSent: UInt64 = 0
    var dataAcknowledged: UInt64 = 0
    package internal(set) var acknowledged: Cut?
    /// Data frames written since the connection began.
    package internal(set) var deliveries: UInt64 = 0

    // Calls
    /// Those in flight, the ones that wait to be begun included.
    var calls: Set<UInt32> = []
    var waitingCalls: Deque<(id: UInt32, call: Call)> = []
    /// Calls that were begun whose answers may be large.
    var answersInTheMaking: Set<UInt32> = []
    var answers = AnswerQueue()
    /// Since when no part of an answer could be written.
    var answersWaitingSince: UInt64?
    /// Calls in flight whose answers nobody waits for any more.
    var cancelled: Set<UInt32> = []
    /// When calls in flight are overdue.
    var deadlines: [UInt32: UInt64] = [:]
    var highestCall: UInt32 = 0
    var publishing: Publishing?
    /// Bytes of publications that are being committed, by call.
    var publicationsUnderWay: [UInt32: Int] = [:]

    // Liveness
    var opened: UInt64
    var lastHeard: UInt64
    /// When the frame began that is not whole yet. A length that was damaged would swallow frames, and hear nothing,
    /// for ever.
    var frameBegan: UInt64?
    var lastPing: UInt64?
    var hastyPings = HastyPings()
    var lastProgress: UInt64
    var waitingSince: UInt64?
    var catchingUpSince: UInt64?
    var draining = false

    /// - Parameter budgets: what all sessions of the server share.
    package init(
        library: VersionLibrary, settings: SessionSettings, budgets: SessionBudgets = SessionBudgets(), now: UInt64
    ) {
        self.library = library
        self.settings = settings
        self.budgets = budgets
        opened = now
        lastHeard = now
        lastProgress = now
    }

    /// The limit for a frame's length field now.
    package var frameLimit: UInt32 {
        switch phase {
        case .awaitingHello, .authenticating, .catchingUp: WireLimits.unauthenticatedFrameBytes
        case .live, .closed: settings.limits.frameBytes
        }
    }

    /// What the client called itself in hello, while it is being authenticated.
    package var helloClientID: [UInt8] {
        if case .authenticating(let hello, _) = phase { hello.clientID } else { clientID }
    }

    package var isClosed: Bool {
        if case .closed = phase { true } else { false }
    }

    package var subscriptionCount: Int { subscriptions.count }

    /// Questions that the hub has not answered: one for each subscription at most.
    package var waitingOpens: Int { openTickets.count }

    /// Whether the client shows something or waits for an answer.
    package var isUsed: Bool { !subscriptions.isEmpty || !calls.isEmpty }

    /// Control frames and answers to be written now, in order.
    package mutating func takeControlFrames() -> [ByteBuffer] {
        defer { control.removeAll(keepingCapacity: true) }
        return control
    }

    /// What has to be done because of a frame that `nextDataFrame` could not make.
    package mutating func takeDeferredActions() -> [Action] {
        defer { deferred.removeAll() }
        return deferred
    }

    // MARK: - Events

    /// Bytes came in; any of them is life.
    package mutating func heard(now: UInt64) { lastHeard = now }

    /// The bytes that came in have been cut into frames.
    /// - Parameters:
    ///   - frames: that became whole.
    ///   - isWithinFrame: whether the last bytes are the beginning of one that is not.
    package mutating func hasCut(frames: Int, isWithinFrame: Bool, now: UInt64) {
        if frames > 0 || !isWithinFrame { frameBegan = nil }
        if isWithinFrame { frameBegan = frameBegan ?? now }
    }

    /// A frame came in and was decoded.
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
            return fail(.failedPrecondition, "HELLO_REPEATED", "hello was said before")
        case .ping(let nonce):
            return ping(nonce, now: now)
        case .pong:
            return []
        case .ack(let bytes, let cut):
            guard bytes >= dataAcknowledged, bytes <= dataSent else {
                return fail(.invalidArgument, "ACK_INVALID", "an ack counts bytes that were not sent")
            }
            if let cut, newest.isBehind(cut) {
                return fail(.invalidArgument, "ACK_INVALID", "an ack names a position that this node doesn't have")
            }
            if bytes > dataAcknowledged { waitingSince = nil }
            dataAcknowledged = bytes
            if let cut { acknowledged = cut }
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
        case .goAway, .close:
            return shut()
        case .welcome, .progress, .subscriptionError, .join, .data, .stage, .repair, .rebase, .answer:
            return fail(.failedPrecondition, "WRONG_DIRECTION", "only a server sends this message")
        }
    }

    /// The frames that came in can't be understood.
    package mutating func receivedGarbage(_ status: Status) -> [Action] {
        guard !isClosed else { return [] }
        return fail(status)
    }

    /// The hub has moved on.
    package mutating func published(_ publication: Publication) -> [Action] {
        if case .catchingUp(let hello, let user, var node) = phase {
            node.catalogueRevision = max(node.catalogueRevision, publication.catalogueRevision)
            if user != nil, publication.user == user { node.userRevision = publication.userRevision ?? 0 }
            phase = .catchingUp(hello, user: user, node: node)
            return hello.seen.map { node.isBehind($0) } == true ? [] : locateAgain(hello)
        }
        if case .authenticating(let hello, var heard) = phase {
            heard.catalogueRevision = max(heard.catalogueRevision, publication.catalogueRevision)
            if let user = publication.user, user == heard.user {
                heard.userRevision = max(heard.userRevision, publication.userRevision ?? 0)
            }
            phase = .authenticating(hello, heard: heard)
        }
        guard case .live = phase else { return [] }
        newest.catalogueRevision = max(newest.catalogueRevision, publication.catalogueRevision)
        if let user = publication.user, user == identity.user, let revision = publication.userRevision {
            newest.userRevision = max(newest.userRevision, revision)
        }
        for (handle, owner, current) in shown(of: publication.changes) {
            if subscriptions[owner]?.renew(handle, current) == true { forgetManifest(handle) }
            // What was too small to be asked about may be worth it now; nothing would come of it otherwise.
            if subscriptions[owner]?.needsJoin == true { mayAskForManifests = true }
            if subscriptions[owner]?.isLive == true, !failed.contains(handle) { dirty.insert(handle) }
        }
        let actions = replan(publication.replans, gone: publication.gone)
        settle()
        return actions
    }

    /// The changes of what this session shows. Looks through the shorter of the two: a commit may change thousands of
    /// contents, and thousands of sessions may show a few each.
    private func shown(
        of changes: [UInt64: CurrentVersion]
    ) -> [(handle: UInt64, owner: UInt32, current: CurrentVersion)] {
        let shown =
            changes.count < showing.count
            ? changes.compactMap { content, current in showing[content].map { ($0, current) } }
            : showing.compactMap { content, handles in changes[content].map { (handles, $0) } }
        return shown.flatMap { handles, current in
            handles.compactMap { handle in owners[handle].map { (handle, $0, current) } }
        }
    }

    /// Another client needs this one's place: it shows nothing and waits for no answer.
    package mutating func makeRoom() -> [Action] {
        guard !isClosed else { return [] }
        return fail(
            Status(
                .resourceExhausted, reason: "ROOM_NEEDED", remedy: .retrySame,
                message: "the server is full; connections that show nothing make room for others",
                retryAfterMilliseconds: settings.reconnectMilliseconds.upperBound))
    }

    /// The server is about to stop: ask the client to go elsewhere.
    package mutating func drain() -> [Action] {
        draining = true
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

    /// Everything up to the position is written; say so.
    mutating func sayProgress(now: UInt64?) {
        say(.progress(CutChange(position)))
        named = position
        if let now { lastProgress = now }
    }

    mutating func fail(_ code: Status.Code, _ reason: String, _ message: String) -> [Action] {
        fail(Status(code, reason: reason, remedy: .fatal, message: message))
    }

    mutating func fail(_ status: Status) -> [Action] {
        say(.close(status))
        return shut()
    }

    /// The connection is gone, or is to go.
    package mutating func shut() -> [Action] {
        guard !isClosed else { return [] }
        phase = .closed
        let handles = subscriptions.values.flatMap(\.handles)
        subscriptions.removeAll()
        owners.removeAll()
        showing.removeAll()
        dirty.removeAll()
        questions.removeAll()
        manifests.removeAll()
        outgoing = Outgoing()
        waitingCalls.removeAll()
        calls.removeAll()
        deadlines.removeAll()
        answers = AnswerQueue()
        publishing = nil
        return handles.isEmpty ? [.close] : [.release(handles), .close]
    }
}
