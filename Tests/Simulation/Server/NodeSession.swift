import MarqueeModel
import MarqueeServer
import MarqueeStore
import MarqueeWire
import NIOCore

/// The shell of a session: bytes to messages, actions to queues, frames to bytes. It decides nothing, like the shipping
/// one.
final class NodeSession: @unchecked Sendable {
    private unowned let node: Node
    let connection: Connection
    private(set) var core: SessionCore
    private var frames = FrameDecoder(maximumLength: WireLimits.unauthenticatedFrameBytes)
    /// Work passed to this session's loop by other threads, in order.
    private var events: [(inout SessionCore, UInt64) -> [SessionCore.Action]] = []
    private var control: [ByteBuffer] = []
    private var isClosing = false

    init(node: Node, connection: Connection, now: UInt64) {
        self.node = node
        self.connection = connection
        core = SessionCore(library: node.library, settings: node.settings.session, now: now)
    }

    // MARK: - In

    /// Takes at most `limit` bytes off the wire.
    func read(_ limit: Int = .max, now: UInt64) {
        // Stop reading from a client that isn't reading.
        guard connection.toClient.isWritable || isClosing || connection.toServer.isFinished else { return }
        let bytes = connection.toServer.read(limit)
        if bytes.readableBytes > 0, !isClosing {
            core.heard(now: now)
            frames.append(bytes)
            var taken = 0
            do throws(WireError) {
                while !isClosing {
                    frames.maximumLength = core.frameLimit
                    guard let frame = try frames.next() else { break }
                    taken += 1
                    guard let message = try MessageCodec.decode(frame, limits: node.settings.session.limits) else {
                        continue
                    }
                    node.judge.record(.toServer(connection: connection.number, message))
                    run(core.received(message, now: now))
                }
            } catch {
                run(core.receivedGarbage(error.status))
            }
            core.hasCut(frames: taken, isWithinFrame: frames.pendingBytes > 0, now: now)
        }
        if connection.toServer.isAtEnd {
            isClosing = true
            run(core.shut())
            connection.finish()
            node.forget(self)
        }
    }

    func post(_ event: @escaping (inout SessionCore, _ now: UInt64) -> [SessionCore.Action]) { events.append(event) }

    var hasEvents: Bool { !events.isEmpty }

    func runEvent(now: UInt64) {
        guard !events.isEmpty else { return }
        let event = events.removeFirst()
        run(event(&core, now))
    }

    func tick(now: UInt64) { run(core.tick(now: now)) }

    func drain() { run(core.drain()) }

    // MARK: - Out

    /// Writes as a session does: control frames always, and at most `limit` data frames while the connection accepts
    /// them.
    func pump(_ limit: Int = .max, now: UInt64, damage: (Connection, ByteBuffer) -> ByteBuffer) {
        writeControl(damage)
        var count = 0
        while !isClosing, count < limit, connection.toClient.isWritable, let frame = core.nextDataFrame(now: now) {
            write(frame, damage)
            writeControl(damage)
            count += 1
        }
        run(core.takeDeferredActions())
        writeControl(damage)
        if isClosing { connection.finish() }
    }

    private func writeControl(_ damage: (Connection, ByteBuffer) -> ByteBuffer) {
        for frame in core.takeControlFrames() { write(frame, damage) }
    }

    private func write(_ frame: ByteBuffer, _ damage: (Connection, ByteBuffer) -> ByteBuffer) {
        guard let kind = frame.getInteger(at: frame.readerIndex + 4, as: UInt16.self),
            let flags = frame.getInteger(at: frame.readerIndex + 6, as: UInt16.self)
        else { return }
        node.judge.record(
            .fromServer(
                connection: connection.number, kind: FrameKind(rawValue: kind), flags: FrameFlags(rawValue: flags),
                bytes: frame.readableBytes))
        connection.toClient.write(damage(connection, frame))
    }

    // MARK: - Actions

    private func run(_ actions: [SessionCore.Action]) {
        for action in actions { run(action) }
    }

    private func run(_ action: SessionCore.Action) {
        switch action {
        case .authenticate(let user, _): authenticate(user)
        case .open(let ticket, let request):
            node.onHub { [self] hub in
                let result = hub.open(request).map(node.translated)
                post { core, _ in core.opened(ticket: ticket, result) }
            }
        case .release(let handles):
            node.onHub { $0.release(handles) }
        case .perform(let call, .collection(let request)):
            collection(call, request)
        case .perform(let call, _):
            answer(call, .failure(Status(.unimplemented, reason: "METHOD_UNKNOWN", remedy: .fatal, message: "")))
        case .close:
            isClosing = true
        }
    }

    private func authenticate(_ user: String?) {
        let client = core.helloClientID
        node.onHub { [self] hub in
            do {
                let cut = try hub.cut(for: user)
                let last = try node.store.lastMutation(of: client)
                post { core, now in
                    core.authenticated(
                        .success(Identity(user: user, mayPublish: true)), newest: cut, lastMutation: last, now: now)
                }
            } catch {
                let status = Status(storeError: error)
                post { core, now in
                    core.authenticated(.failure(status), newest: Cut(), lastMutation: nil, now: now)
                }
            }
        }
    }

    private func collection(_ call: UInt32, _ request: CollectionRequest) {
        guard let user = core.identity.user else { return }
        let client = core.clientID
        let mutation = MutationID(client: client, number: request.number, answeredThrough: request.answeredThrough)
        let change: MemberChange
        do throws(Status) {
            change = try request.change(by: Types.set)
        } catch {
            return answer(call, .failure(error))
        }
        let write = StoreWrite.member(user: user, change, mutation: mutation)
        let taken = node.submit(write) { [self] result in
            node.judge.record(.mutated(device: connection.device, client: client, request, result))
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
