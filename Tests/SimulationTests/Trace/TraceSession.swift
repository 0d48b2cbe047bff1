import HubSupport
import MarqueeModel
import MarqueeStore
import MarqueeWire
import NIOCore

@testable import MarqueeServer

/// The shell of a session: bytes to messages, actions to queues, frames to bytes.
final class TraceSession {
    private unowned let server: TraceServer
    let connection: TraceConnection
    private(set) var core: SessionCore
    private var frames = FrameDecoder(maximumLength: WireLimits.unauthenticatedFrameBytes)
    /// Work passed to this session's loop by other threads, in order.
    private var events: [(inout SessionCore, UInt64) -> [SessionCore.Action]] = []
    private var control: [ByteBuffer] = []
    /// Changes a frame on its way out, as a broken network card would.
    var damage: ((Frame) -> ByteBuffer?)?

    init(server: TraceServer, connection: TraceConnection, now: UInt64) {
        self.server = server
        self.connection = connection
        core = SessionCore(library: server.library, settings: server.settings, now: now)
    }

    // MARK: - In

    /// Takes bytes off the wire; all of them by default.
    func read(_ limit: Int = .max, now: UInt64) {
        let bytes = connection.toServer.read(limit)
        if bytes.readableBytes > 0 {
            core.heard(now: now)
            frames.append(bytes)
            do throws(WireError) {
                while !core.isClosed {
                    frames.maximumLength = core.frameLimit
                    guard let frame = try frames.next() else { break }
                    guard let message = try MessageCodec.decode(frame, limits: server.settings.limits) else { continue }
                    run(core.received(message, now: now))
                }
            } catch {
                run(core.receivedGarbage(error.status))
            }
        }
        if connection.toServer.isAtEnd {
            run(core.shut())
            server.forget(self)
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

    // MARK: - Out

    /// Writes the next frame: control frames first.
    /// - Returns: the frame; `nil` if there is none.
    @discardableResult
    func writeFrame(now: UInt64) -> ByteBuffer? {
        control += core.takeControlFrames()
        let frame: ByteBuffer
        if !control.isEmpty {
            frame = control.removeFirst()
        } else if let data = core.nextDataFrame(now: now) {
            frame = damaged(data)
        } else {
            run(core.takeDeferredActions())
            control += core.takeControlFrames()
            if control.isEmpty { return nil }
            frame = control.removeFirst()
        }
        connection.toClient.write(frame)
        run(core.takeDeferredActions())
        return frame
    }

    /// Writes as a session does: control frames always, and at most `limit` data frames while the connection accepts
    /// them.
    func pump(_ limit: Int = .max, now: UInt64) {
        for _ in 0..<limit {
            control += core.takeControlFrames()
            guard !control.isEmpty || connection.toClient.isWritable, writeFrame(now: now) != nil else { break }
        }
        if core.isClosed, control.isEmpty { connection.finish() }
    }

    private func damaged(_ frame: ByteBuffer) -> ByteBuffer {
        guard let damage else { return frame }
        var decoder = FrameDecoder(maximumLength: Frame.maximumLength)
        decoder.append(frame)
        guard let whole = try? decoder.next(), let replaced = damage(whole) else { return frame }
        self.damage = nil
        return replaced
    }

    // MARK: - Actions

    private func run(_ actions: [SessionCore.Action]) {
        for action in actions { run(action) }
    }

    private func run(_ action: SessionCore.Action) {
        switch action {
        case .authenticate(let user, _):
            let client = core.helloClientID
            server.onHub { [self] _ in
                guard let cut = try? server.positions.cut(for: user, in: server.store) else { return }
                let last = (try? server.store.lastMutation(of: client)) ?? nil
                post { core, now in
                    core.authenticated(
                        .success(Identity(user: user, scopes: .everything)), newest: cut, lastMutation: last, now: now)
                }
            }
        case .open(let ticket, let request):
            server.onHub { [self] hub in
                let result = hub.open(request, reading: server.store)
                post { core, _ in core.opened(ticket: ticket, result) }
            }
        case .release(let handles):
            server.onHub { $0.release(handles) }
        case .perform(let call, .collection(let request), _):
            favorite(call, request)
        case .perform(let call, _, _):
            answer(call, .failure(Status(.unimplemented, reason: "METHOD_UNKNOWN", remedy: .fatal, message: "")))
        case .renew(let call, _):
            post { core, now in
                core.renewed(call: call, .success(core.identity), standing: .untilRevoked, now: now)
            }
        case .introduce, .locate, .follow, .unfollow, .drop, .hit, .note, .refusedPublication: break
        case .close:
            break
        }
    }

    private func favorite(_ call: UInt32, _ request: CollectionRequest) {
        guard let user = core.identity.user else { return }
        let mutation = MutationID(
            client: core.clientID, number: request.number, answeredThrough: request.answeredThrough)
        let write = StoreWrite.favorite(user: user, subject: request.subject, on: request.isMember, mutation: mutation)
        server.submit(write) { [self] outcome in
            if let (user, move) = write.memberMove(outcome) {
                server.onHub { [server] in try? $0.userChanged(user, moves: [move], reading: server.store) }
            }
            switch outcome {
            case .done(let revision, let changed), .repeated(let revision, let changed):
                let result = MutationAnswer(
                    number: request.number, cut: CutChange(userRevision: revision), changed: changed)
                answer(call, .success(CallBodyCodec.encode(result)))
            case .cloned, .forgotten, .keyReused, .tooManyClients, .elsewhere, .refused, .failed:
                answer(
                    call, .failure(Status(.invalidArgument, reason: "REFUSED", remedy: .fatal, message: "\(outcome)")))
            }
        }
    }

    private func answer(_ call: UInt32, _ result: Result<[UInt8], Status>) {
        post { core, now in
            core.answered(call: call, result, now: now)
            return []
        }
    }
}
