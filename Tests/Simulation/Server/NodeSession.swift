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
    /// The user for whom this connection is counted.
    private(set) var countedUser: String?
    private var isUsed = false
    /// An observer's decoder for what is written.
    private var tap = FrameDecoder(maximumLength: Frame.maximumLength)

    init(node: Node, loop: NodeLoop, connection: Connection, now: UInt64) {
        self.node = node
        self.loop = loop
        self.connection = connection
        began = now
        // It is there from now on.
        _ = session
    }

    /// The connection is gone.
    func end() { session.end() }

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
                    run(session.received(message, now: now))
                }
            } catch {
                run(session.core.receivedGarbage(error.status))
            }
            session.hasCut(frames: taken, isWithinFrame: frames.pendingBytes > 0, now: now)
        }
        if connection.toServer.isAtEnd {
            isClosing = true
            run(session.core.shut())
            connection.finish()
            node.forget(self)
        }
    }

    func post(
        bringsPublications: Bool = false,
        _ event: @escaping (inout SessionCore, _ now: UInt64) -> [SessionCore.Action]
    ) {
        loop.post(bringsPublications: bringsPublications) { [self] now in run(event(&session.core, now)) }
    }

    func tick(now: UInt64) {
        run(session.tick(now: now))
        guard !isClosing, node.standing(of: session.identity) == .ended else { return }
        node.judge.count(.tokenEnded)
        run(session.core.identityEnded())
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
        case .open(let ticket, let request):
            node.onHub { [self] hub in
                let result = node.open(request, of: hub, for: connection)
                post(bringsPublications: true) { core, _ in core.opened(ticket: ticket, result) }
            }
        case .release(let handles):
            node.release(handles)
        case .perform(let call, .collection(let request), let caller):
            collection(call, request, by: caller)
        case .perform(let call, _, _):
            answer(call, .failure(Status(.unimplemented, reason: "METHOD_UNKNOWN", remedy: .fatal, message: "")))
        case .renew(let call, let token): renew(call, token)
        // No client of a schedule is a relay.
        case .introduce, .locate, .follow, .unfollow, .note: break
        case .hit(let limit): node.judge.record(.hit(limit, connection: connection.number, evicted: nil))
        case .close:
            isClosing = true
        }
    }

    private func authenticate(_ user: String?, _ token: String?) {
        let client = session.core.helloClientID
        let identity: Identity
        switch node.identity(of: token, user: user) {
        case .success(let found): identity = found
        case .failure(let status): return refuse(status)
        }
        guard countedUser != nil || node.welcome(connection, user: identity.user) else {
            return refuse(.tooManyConnections)
        }
        countedUser = identity.user
        admitted(token)
        session.identified(identity)
        node.onHub { [self] hub in
            do {
                let cut = try hub.cut(for: user)
                let last = try node.store.lastMutation(of: client)
                post { [self] core, now in
                    core.authenticated(
                        .success(identity), newest: cut, lastMutation: last, standing: node.standing(of: identity),
                        now: now)
                }
            } catch {
                let status = Status(storeError: error)
                post { core, now in
                    core.authenticated(.failure(status), newest: Cut(), lastMutation: nil, now: now)
                }
            }
        }
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
        let result = node.identity(of: token, user: session.core.identity.user)
        post { [self] core, now in
            let standing = (try? result.get()).map(node.standing) ?? .ended
            if standing != .ended {
                admitted(token)
                node.judge.count(.tokenRenewed)
            }
            return core.renewed(call: call, result, standing: standing, now: now)
        }
    }

    private func collection(_ call: UInt32, _ request: CollectionRequest, by caller: SessionCore.Caller) {
        guard let user = caller.user else { return }
        let client = caller.clientID
        let mutation = MutationID(client: client, number: request.number, answeredThrough: request.answeredThrough)
        let change: MemberChange
        do throws(Status) {
            change = try request.change(by: Types.set)
        } catch {
            return answer(call, .failure(error))
        }
        let write = StoreWrite.member(user: user, change, mutation: mutation)
        let taken = node.submit(write) { [self] result in
            node.judge.record(
                .mutated(
                    device: connection.device, connection: connection.number, client: client, request, result))
            if case .success(let outcome) = result, let (user, move) = write.memberMove(outcome) {
                node.userChanged(user, move)
            }
            let body = result.mutationAnswer(request.number) { revision, _ in CutChange(userRevision: revision) }
            answer(call, body)
        }
        if !taken { answer(call, .failure(.tooManyWrites)) }
    }

    private func answer(_ call: UInt32, _ result: Result<[UInt8], Status>) {
        post { core, now in
            core.answered(call: call, result, now: now)
            return []
        }
    }
}
