import MarqueeModel
import MarqueeServer
import MarqueeStore
import MarqueeWire
import NIOCore

/// The shell of a session: bytes to messages, actions to queues, frames to bytes. It decides nothing, like the shipping
/// one.
final class NodeSession: SessionShell, CutOutput, @unchecked Sendable {
    private unowned let node: Node
    private let loop: NodeLoop
    let connection: Connection
    private(set) lazy var session = Session(
        loop.sessions, shell: self, settings: node.settings.session, now: began)
    private let began: UInt64
    private var frames = FrameDecoder(maximumLength: WireLimits.unauthenticatedFrameBytes)
    private var isClosing = false
    private var hasEnded = false
    /// The user for whom this connection is counted.
    private(set) var countedUser: String?
    private var isUsed = false
    /// By call, the guests for whom a relay has made the requests that aren't answered yet.
    private var guests: [UInt32: UInt32] = [:]
    /// An observer's decoder for what is written.
    private var tap = FrameDecoder(maximumLength: Frame.maximumLength)

    init(node: Node, loop: NodeLoop, connection: Connection, now: UInt64) {
        self.node = node
        self.loop = loop
        self.connection = connection
        began = now
        // Lazy: it exists from here on.
        _ = session
    }

    /// The connection is gone.
    func end() {
        hasEnded = true
        session.identity.grant.leave()
        session.end()
    }

    // MARK: - In

    /// Takes at most `limit` bytes off the wire.
    func read(_ limit: Int = .max, now: UInt64) {
        // Stop reading from a client that isn't reading.
        guard connection.toClient.isWritable || isClosing || connection.toServer.isFinished else { return }
        let bytes = connection.toServer.read(limit)
        if bytes.readableBytes > 0, !isClosing {
            session.heard(now: now)
            frames.append(bytes)
            var taken = 0
            do throws(WireError) {
                while !isClosing {
                    frames.maximumLength = session.frameLimit
                    guard let frame = try frames.next() else { break }
                    taken += 1
                    guard let message = try MessageCodec.decode(frame, limits: node.settings.session.limits) else {
                        continue
                    }
                    node.judge.record(.toServer(connection: connection.number, message))
                    if case .request(let request) = message { guests[request.call] = request.guest }
                    run(session.received(message, now: now))
                }
            } catch {
                run(session.core.receivedGarbage(error.status))
            }
            session.received(frames: taken, isWithinFrame: frames.pendingBytes > 0, now: now)
        }
        if connection.toServer.isAtEnd {
            isClosing = true
            run(session.core.shut())
            session.identity.grant.leave()
            connection.finish()
            node.forget(self)
        }
    }

    func post(
        _ order: NodeLoop.Order = .none,
        _ event: @escaping (inout SessionCore, _ now: UInt64) -> [SessionCore.Action]
    ) {
        loop.post(order) { [self] now in run(event(&session.core, now)) }
    }

    func tick(now: UInt64) {
        run(session.tick(now: now))
        guard !isClosing else { return }
        if node.content.standing(of: session.identity) == .ended {
            node.judge.count(.tokenEnded)
            return run(session.core.identityEnded())
        }
        guard !session.isSynced else { return }
        for (guest, identity) in session.core.guestIdentities.sorted(by: { $0.guest < $1.guest })
        where node.content.standing(of: identity) == .ended {
            run(session.core.guestEnded(guest))
        }
    }

    /// Another connection needs its place.
    func makeRoom() {
        run(session.core.makeRoom())
        writeControl()
        connection.finish()
        node.forget(self)
    }

    func drain() { run(session.core.drain()) }

    // MARK: - Out

    /// Writes as a session does: control frames always, and at most `limit` data frames while the connection accepts
    /// them.
    func pump(_ limit: Int = .max, now: UInt64) {
        guard !session.isSynced else { return }
        writeControl()
        var count = 0
        while !isClosing, count < limit, connection.toClient.isWritable,
            let frame = session.core.nextDataFrame(now: now)
        {
            write(frame)
            writeControl()
            count += 1
        }
        run(session.core.takeDeferredActions())
        if isUsed != session.core.isUsed {
            isUsed.toggle()
            node.set(connection, isUsed: isUsed)
        }
        writeControl()
        guard isClosing else { return session.settle() }
        connection.finish()
        // Nobody answers at the other end. A socket doesn't wait for that.
        if connection.toServer.isBlackHole { node.forget(self) }
    }

    private func writeControl() {
        for frame in session.core.takeControlFrames() { write(frame) }
    }

    // MARK: - For the session

    var output: any CutOutput { self }

    func write(_ cut: CohortCut) -> Bool {
        guard !isClosing, connection.toClient.isWritable else { return false }
        var bytes = cut.bytes
        while let length = bytes.getInteger(at: bytes.readerIndex, as: UInt32.self),
            let frame = bytes.readSlice(length: Int(length) + Frame.lengthBytes)
        {
            write(frame)
        }
        return true
    }

    /// They come by way of the loop's events, and so before what was published later.
    func takeResults() {}

    /// A schedule gives everybody a turn now and then.
    func askForTurn() {}

    private func write(_ frame: ByteBuffer) {
        tap.append(frame)
        if let whole = try? tap.next(), let message = try? MessageCodec.decode(whole, limits: .client) {
            node.judge.record(
                .fromServer(
                    connection: connection.number, message, flags: whole.flags, bytes: whole.wireBytes,
                    screen: node.screen(of: message)))
        } else {
            node.judge.fail(.forwardCompatible, "connection \(connection.number) is sent a frame that can't be read")
        }
        connection.toClient.write(node.onTheWay(connection, frame))
    }

    // MARK: - Actions

    func run(_ actions: [SessionCore.Action]) {
        for action in actions { run(action) }
    }

    private func run(_ action: SessionCore.Action) {
        switch action {
        case .authenticate(let user, let token): authenticate(user, token)
        case .open(let ticket, let request): open(ticket, request)
        case .release(let handles): node.content.release(handles)
        case .perform(let call, let request, let caller): perform(call, request, by: caller)
        case .renew(let call, let token): renew(call, token)
        case .introduce(let call, let introduction): introduce(call, introduction)
        case .locate(let call, let guest, let caller):
            node.content.locate(caller, claim: nil) { [self] position in
                post(.afterEnd) { [self] core, now in
                    let standing = node.content.standing(of: caller.identity)
                    return core.introduced(call: call, guest: guest, position, standing: standing, now: now)
                }
            }
        case .follow(let user): session.follow(user)
        case .unfollow(let user): session.unfollow(user)
        // Work for a guest who has left goes on here, without an answer.
        case .drop: break
        case .note, .refusedPublication: break
        case .hit(let limit): node.judge.record(.hit(limit, connection: connection.number, evicted: nil))
        case .close:
            isClosing = true
        }
    }

    private func open(_ ticket: UInt64, _ request: OpenRequest) {
        let caller = ContentCaller(identity: session.core.identity, clientID: session.core.clientID)
        node.content.open(request, by: caller, for: connection) { [self] result in
            guard !hasEnded else {
                // Nobody is there to show it.
                if case .success(let view) = result { node.content.release(view.handles) }
                return
            }
            post(.withPublications) { core, _ in core.opened(ticket: ticket, result) }
        }
    }

    // MARK: - Identities

    private func authenticate(_ user: String?, _ token: String?) {
        let client = session.core.helloClientID
        let credentials = Credentials(user: user, token: token, clientID: client)
        identify(credentials, of: { [connection] in connection.origin }) { [self] result in
            let identity: Identity
            switch result {
            case .success(let found): identity = found
            case .failure(let status): return refuse(status)
            }
            guard countedUser != nil || node.welcome(connection, user: identity.user) else {
                return refuse(.tooManyConnections)
            }
            countedUser = identity.user
            admitted(token)
            session.identified(identity)
            let caller = ContentCaller(identity: identity, clientID: client)
            node.content.locate(caller, claim: session.core.helloClaim) { [self] position in
                post(.afterEnd) { [self] core, now in
                    switch position {
                    case .success(let (cut, last)):
                        core.authenticated(
                            .success(identity), newest: cut, lastMutation: last,
                            standing: node.content.standing(of: identity), now: now)
                    case .failure(let status):
                        core.authenticated(.failure(status), newest: Cut(), lastMutation: nil, now: now)
                    }
                }
            }
        }
    }

    /// Asks who somebody is; at a node with a store the answer is there at once, otherwise it comes as an event.
    private func identify(
        _ credentials: Credentials, of origin: @escaping () -> Origin,
        then: @escaping (Result<Identity, Status>) -> Void
    ) {
        var isAsking = true
        node.content.identify(credentials, of: origin) { [self] result in
            if isAsking { return then(result) }
            loop.post(.none) { [self] _ in
                if !isClosing, !hasEnded { then(result) }
            }
        }
        isAsking = false
    }

    private func refuse(_ status: Status) {
        post { core, now in
            core.authenticated(.failure(status), newest: Cut(), lastMutation: nil, now: now)
        }
    }

    /// The client goes on under a token.
    private func admitted(_ token: String?) {
        guard let token else { return }
        node.judge.record(.admitted(connection: connection.number, token: token))
    }

    private func renew(_ call: UInt32, _ token: String) {
        let credentials = Credentials(
            user: session.core.identity.user, token: token, clientID: session.core.clientID)
        node.content.identify(credentials, of: { [connection] in connection.origin }) { [self] result in
            post { [self] core, now in
                let standing = (try? result.get()).map(node.content.standing) ?? .ended
                if standing != .ended {
                    admitted(token)
                    node.judge.count(.tokenRenewed)
                }
                return core.renewed(call: call, result, standing: standing, now: now)
            }
        }
    }

    private func introduce(_ call: UInt32, _ introduction: IntroduceRequest) {
        let credentials = Credentials(
            user: introduction.user, token: introduction.token, address: introduction.address,
            clientID: introduction.clientID)
        node.judge.count(.guestIntroduced)
        let guest = introduction.guest
        identify(credentials, of: { [connection] in connection.origin(of: guest) }) { [self] result in
            post { core, now in core.met(call: call, introduction, result, now: now) }
        }
    }

    // MARK: - Calls

    private func perform(_ call: UInt32, _ request: ContentCall, by caller: ContentCaller) {
        let origin = guests.removeValue(forKey: call).map { connection.origin(of: $0) } ?? connection.origin
        node.content.perform(request, by: caller, from: origin) { [self] result in
            post { core, now in
                core.answered(call: call, result, now: now)
                return []
            }
        }
    }
}
