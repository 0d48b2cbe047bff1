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
        case favorite(FavoriteRequest)
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

    /// The bytes that came in are taken apart.
    /// - Parameters:
    ///   - frames: that became whole.
    ///   - isWithinFrame: whether the last bytes are the beginning of one that is not.
    package mutating func took(frames: Int, isWithinFrame: Bool, now: UInt64) {
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

    private mutating func begin(_ hello: Hello) -> [Action] {
        guard (hello.protocolMinimum...max(hello.protocolMinimum, hello.protocolMaximum)).contains(1) else {
            return fail(
                .failedPrecondition, "PROTOCOL_UNSUPPORTED",
                "this server speaks protocol 1, the client \(hello.protocolMinimum) to \(hello.protocolMaximum)")
        }
        if let cluster = hello.cluster, cluster != settings.cluster {
            return fail(
                Status(
                    .failedPrecondition, reason: "OTHER_CLUSTER", remedy: .fatal,
                    message: "the mirror belongs to another cluster; use another mirror for this server"))
        }
        guard hello.limits.admit(settings.requiredLimits) else {
            return fail(
                .failedPrecondition, "LIMITS_TOO_LOW",
                "the client's limits are below what this server sends; see PROTOCOL.md")
        }
        phase = .authenticating(hello, heard: Heard())
        return [.authenticate(user: hello.user, token: hello.token)]
    }

    /// The authenticator has decided for a client; where the server is has still to be found out.
    package mutating func identified(_ identity: Identity) {
        guard case .authenticating(let hello, var heard) = phase else { return }
        heard.user = identity.user
        phase = .authenticating(hello, heard: heard)
    }

    /// It is known who the client is, and where the server is.
    /// - Parameters:
    ///   - newest: the hub's newest position, with the user's log.
    ///   - lastMutation: the highest number applied for this client.
    package mutating func authenticated(
        _ result: Result<Identity, Status>, newest: Cut, lastMutation: UInt64?, now: UInt64
    ) -> [Action] {
        guard case .authenticating(let hello, let heard) = phase else { return [] }
        switch result {
        case .failure(let status):
            return fail(status)
        case .success(let identity):
            var newest = newest
            newest.catalogueRevision = max(newest.catalogueRevision, heard.catalogueRevision)
            if identity.user != nil, identity.user == heard.user {
                newest.userRevision = max(newest.userRevision, heard.userRevision)
            }
            if let seen = hello.seen, newest.isBehind(seen) {
                return waitForNode(hello, identity, newest, now: now)
            }
            self.identity = identity
            clientID = hello.clientID
            clientLimits = hello.limits
            credit = min(hello.limits.creditBytes, settings.limits.creditBytes)
            self.newest = newest
            position = newest
            named = newest
            phase = .live
            lastProgress = now
            var welcome = Welcome()
            welcome.cluster = settings.cluster
            welcome.user = identity.user
            welcome.node = settings.node
            welcome.limits = settings.limits
            welcome.cut = newest
            welcome.pingIntervalMilliseconds = settings.pingInterval(wished: hello.pingIntervalMilliseconds)
            welcome.pingMinimumMilliseconds = settings.pingMinimumMilliseconds
            welcome.progressIntervalMilliseconds = settings.progressIntervalMilliseconds
            welcome.imageBaseURL = settings.imageBaseURL
            welcome.locales = settings.locales
            welcome.lastMutation = lastMutation
            welcome.agent = settings.agent
            say(.welcome(welcome))
            if draining { sayGoAway() }
            return []
        }
    }

    /// The client has seen more than this node has. It is never given older data (G1): the node has a moment to catch
    /// up, then the client has to go elsewhere.
    private mutating func waitForNode(_ hello: Hello, _ identity: Identity, _ node: Cut, now: UInt64) -> [Action] {
        let since = catchingUpSince ?? now
        catchingUpSince = since
        guard now < since + settings.catchUpMilliseconds else {
            return fail(
                Status(
                    .unavailable, reason: "NODE_BEHIND", remedy: .retryOther,
                    message: "this node is behind what the mirror has seen; another may not be"))
        }
        phase = .catchingUp(hello, user: identity.user, node: node)
        return []
    }

    /// Asks anew where the node is; also what the client's last mutation was, which may have been among what was
    /// missing.
    private mutating func locateAgain(_ hello: Hello) -> [Action] {
        phase = .authenticating(hello, heard: Heard())
        return [.authenticate(user: hello.user, token: hello.token)]
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
        for (handle, current) in publication.changes {
            guard let owner = owners[handle] else { continue }
            if subscriptions[owner]?.renew(handle, current) == true { forgetManifest(handle) }
            // What was too small to be asked about may be worth it now; nothing would come of it otherwise.
            if subscriptions[owner]?.needsJoin == true { mayAskForManifests = true }
            if subscriptions[owner]?.isLive == true, !failed.contains(handle) { dirty.insert(handle) }
        }
        let actions = replan(publication.replans, gone: publication.gone)
        settle()
        return actions
    }

    /// Time passes; called about once a second.
    package mutating func tick(now: UInt64) -> [Action] {
        switch phase {
        case .closed: return []
        case .awaitingHello, .authenticating:
            if now >= opened + settings.helloTimeoutMilliseconds {
                return fail(
                    Status(
                        .deadlineExceeded, reason: "HELLO_TIMEOUT", remedy: .retrySame, message: "no hello came in time"
                    ))
            }
            return []
        case .catchingUp(let hello, _, _): return locateAgain(hello)
        case .live: break
        }
        if now >= lastHeard + 3 * UInt64(settings.pingIntervalMilliseconds) {
            return fail(
                Status(
                    .deadlineExceeded, reason: "SILENT", remedy: .retrySame, message: "nothing was heard for too long"))
        }
        if let began = frameBegan, now >= began + 3 * UInt64(settings.pingIntervalMilliseconds) {
            return fail(
                Status(
                    .deadlineExceeded, reason: "FRAME_UNFINISHED", remedy: .retrySame,
                    message: "a frame did not become whole in time"))
        }
        // The socket may take nothing either; then no frame is asked for.
        waitingSince = hasWork ? waitingSince ?? now : nil
        if let since = waitingSince, now >= since + settings.dataTimeoutMilliseconds {
            return fail(
                Status(
                    .deadlineExceeded, reason: "DATA_NOT_TAKEN", remedy: .retrySame,
                    message: "data was not taken for \(settings.dataTimeoutMilliseconds / 1_000) seconds"))
        }
        manifestAwaitedSince = questions.isEmpty ? nil : manifestAwaitedSince ?? now
        if let since = manifestAwaitedSince, now >= since + settings.manifestTimeoutMilliseconds {
            return fail(
                Status(
                    .deadlineExceeded, reason: "DATA_NOT_TAKEN", remedy: .retrySame,
                    message: "a manifest was not sent for \(settings.manifestTimeoutMilliseconds / 1_000) seconds"))
        }
        if !deadlines.isEmpty { endOverdueCalls(now: now) }
        answersWaitingSince = answers.isEmpty ? nil : answersWaitingSince ?? now
        if let since = answersWaitingSince, now >= since + answerTimeout {
            return fail(
                Status(
                    .deadlineExceeded, reason: "DATA_NOT_TAKEN", remedy: .retrySame,
                    message: "an answer was not taken for \(answerTimeout / 1_000) seconds"))
        }
        // What comes of it later is refused as out of order.
        if let deadline = publishing?.deadline, now >= deadline { publishing = nil }
        if !failed.isEmpty { tryFailedSections(now: now) }
        if now >= lastProgress + UInt64(settings.progressIntervalMilliseconds), outgoing.isEmpty {
            sayProgress(now: now)
        }
        return []
    }

    /// How long answers may wait to be taken now.
    private var answerTimeout: UInt64 {
        budgets.answers.isScarce
            ? min(settings.scarceAnswerMilliseconds, settings.dataTimeoutMilliseconds)
            : settings.dataTimeoutMilliseconds
    }

    /// When `tick` has something to do, at the earliest; 0 for its next call. An event may bring it forward.
    package var deadline: UInt64? {
        switch phase {
        case .closed: return nil
        case .awaitingHello, .authenticating: return opened + settings.helloTimeoutMilliseconds
        case .catchingUp: return 0
        case .live: break
        }
        let silence = 3 * UInt64(settings.pingIntervalMilliseconds)
        var deadline = min(lastHeard + silence, lastProgress + UInt64(settings.progressIntervalMilliseconds))
        func consider(_ time: UInt64) { deadline = min(deadline, time) }
        if let frameBegan { consider(frameBegan + silence) }
        // What is stamped by ticks is looked at in each, until the stamp is gone.
        if !failed.isEmpty || !answers.isEmpty || answersWaitingSince != nil { return 0 }
        if waitingSince != nil || hasWork {
            guard let waitingSince, hasWork else { return 0 }
            consider(waitingSince + settings.dataTimeoutMilliseconds)
        }
        if manifestAwaitedSince != nil || !questions.isEmpty {
            guard let manifestAwaitedSince, !questions.isEmpty else { return 0 }
            consider(manifestAwaitedSince + settings.manifestTimeoutMilliseconds)
        }
        if let publishing { consider(publishing.deadline) }
        if let overdue = deadlines.values.min() { consider(overdue) }
        return deadline
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

    private mutating func sayGoAway() {
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

    private mutating func ping(_ nonce: UInt64, now: UInt64) -> [Action] {
        hastyPings.forget(now: now)
        if let last = lastPing, now < last + UInt64(settings.pingMinimumMilliseconds) {
            hastyPings.add()
            if hastyPings.count > SessionSettings.hastyPings {
                return fail(
                    Status(
                        .resourceExhausted, reason: "TOO_MANY_PINGS", remedy: .retrySame,
                        message: "pings come closer together than \(settings.pingMinimumMilliseconds) ms"))
            }
        }
        lastPing = now
        say(.pong(nonce: nonce))
        return []
    }

    /// The connection is gone, or is to go.
    package mutating func shut() -> [Action] {
        guard !isClosed else { return [] }
        phase = .closed
        let handles = subscriptions.values.flatMap(\.handles)
        subscriptions.removeAll()
        owners.removeAll()
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
