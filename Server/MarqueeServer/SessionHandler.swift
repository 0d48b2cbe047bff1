import Logging
import MarqueeModel
import MarqueeStore
import MarqueeWire
import NIOCore

/// The shell of one session: bytes to messages, actions to I/O. Lives on its connection's event loop and decides nothing.
final class SessionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How long a connection may take to swallow its last frames.
    private static let closeTimeout = TimeAmount.seconds(5)

    private let services: ServerServices
    private let registry: LoopRegistry
    private var core: SessionCore
    private var frames: FrameDecoder
    private var context: ChannelHandlerContext?
    private var isClosing = false

    init(services: ServerServices, registry: LoopRegistry) {
        self.services = services
        self.registry = registry
        core = SessionCore(library: services.library, settings: services.settingsNow(), now: services.now())
        frames = FrameDecoder(maximumLength: WireLimits.unauthenticatedFrameBytes)
    }

    var subscriptionCount: Int { core.subscriptionCount }
    private var countedDeliveries: UInt64 = 0

    /// What is held for the client now.
    var load: SessionLoad {
        var load = core.load
        load.bufferedBytes = (try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        return load
    }

    // MARK: - Channel events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        registry.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        registry.remove(self)
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        let now = services.now()
        core.heard(now: now)
        frames.append(unwrapInboundIn(data))
        var taken = 0
        do throws(WireError) {
            while !isClosing {
                frames.maximumLength = core.frameLimit
                guard let frame = try frames.next() else { break }
                taken += 1
                guard let message = try MessageCodec.decode(frame, limits: services.settings.limits) else { continue }
                run(core.received(message, now: now))
            }
        } catch {
            services.logger.debug("closing a connection: \(error)", metadata: metadata)
            run(core.receivedGarbage(error.status))
        }
        core.took(frames: taken, isWithinFrame: frames.pendingBytes > 0, now: now)
        pump()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        // Who does not read is not read either: what it could ask for would only pile up (G8).
        context.channel.setOption(.autoRead, value: context.channel.isWritable).whenFailure { _ in }
        pump()
    }

    func channelInactive(context: ChannelHandlerContext) {
        isClosing = true
        run(core.shut())
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        services.logger.debug("connection error: \(error)", metadata: metadata)
        isClosing = true
        run(core.shut())
        context.close(promise: nil)
    }

    // MARK: - From the server

    func published(_ publication: Publication) {
        run(core.published(publication))
        pump()
    }

    func tick(now: UInt64) {
        run(core.tick(now: now))
        pump()
    }

    func drain() {
        run(core.drain())
        pump()
    }

    // MARK: - Actions

    private func run(_ actions: [SessionCore.Action]) {
        for action in actions { run(action) }
    }

    private func run(_ action: SessionCore.Action) {
        switch action {
        case .authenticate(let user, let token): authenticate(user: user, token: token)
        case .open(let ticket, let request):
            onHub { hub in
                hub.open(request)
            } then: { handler, result in
                handler.run(handler.core.opened(ticket: ticket, result))
                handler.pump()
            } orElse: { hub, result in
                if case .success(let view) = result { hub.release(view.handles) }
            }
        case .release(let handles):
            services.onHub { $0.release(handles) }
        case .perform(let call, let request): perform(call, request)
        case .close: close()
        }
    }

    /// Runs `work` on the hub's thread and hands its result back to this handler on its event loop, or to `orElse` when the connection has gone.
    private func onHub<Value: Sendable>(
        _ work: @escaping @Sendable (Hub) -> Value,
        then: @escaping @Sendable (SessionHandler, Value) -> Void,
        orElse: @escaping @Sendable (Hub, Value) -> Void = { _, _ in }
    ) {
        guard let context else { return }
        let loop = context.eventLoop
        let me = NIOLoopBound(self, eventLoop: loop)
        let services = services
        services.onHub { hub in
            let value = work(hub)
            loop.execute {
                if me.value.context != nil {
                    then(me.value, value)
                } else {
                    services.onHub { orElse($0, value) }
                }
            }
        }
    }

    private func authenticate(user: String?, token: String?) {
        guard let context else { return }
        let loop = context.eventLoop
        let me = NIOLoopBound(self, eventLoop: loop)
        let authenticator = services.authenticator
        Task {
            let result: Result<Identity, Status>
            do throws(Status) {
                result = .success(try await authenticator.authenticate(user: user, token: token))
            } catch {
                result = .failure(error)
            }
            loop.execute { me.value.welcome(result) }
        }
    }

    private func welcome(_ result: Result<Identity, Status>) {
        guard context != nil else { return }
        // Names are compared as text in some places and as bytes in others: only those for which that is the same get in.
        var result = result
        if case .success(let identity) = result, let user = identity.user,
            !CatalogueBounds.isIdentifier(user, limit: CatalogueBounds.userName)
        {
            result = .failure(.userInvalid)
        }
        guard case .success(let identity) = result else {
            run(core.authenticated(result, newest: Cut(), lastMutation: nil, now: services.now()))
            pump()
            return
        }
        let client = core.helloClientID
        let store = services.store
        onHub { hub -> Result<(Cut, UInt64?), Status> in
            do {
                return .success((try hub.cut(for: identity.user), try store.lastMutation(of: client)))
            } catch {
                return .failure(Status(storeError: error))
            }
        } then: { handler, position in
            let now = handler.services.now()
            switch position {
            case .success(let (cut, last)):
                handler.run(handler.core.authenticated(.success(identity), newest: cut, lastMutation: last, now: now))
            case .failure(let status):
                handler.run(
                    handler.core.authenticated(.failure(status), newest: Cut(), lastMutation: nil, now: now))
            }
            handler.pump()
        }
    }

    private func perform(_ call: UInt32, _ request: SessionCore.Call) {
        guard let context else { return }
        let loop = context.eventLoop
        let me = NIOLoopBound(self, eventLoop: loop)
        let caller = CallRunner.Caller(
            user: core.identity.user, clientID: core.clientID, deadline: core.deadline(of: call))
        CallRunner(services: services).run(request, caller: caller) { [services] result in
            loop.execute {
                me.value.core.answered(call: call, result, now: services.now())
                me.value.pump()
            }
        }
    }

    // MARK: - Output

    /// Writes control frames, then data while the connection takes it, and flushes once.
    private func pump() {
        guard let context, context.channel.isActive else { return }
        var wrote = writeControlFrames(context)
        while !isClosing, context.channel.isWritable, let frame = core.nextDataFrame(now: services.now()) {
            context.write(wrapOutboundOut(frame), promise: nil)
            wrote = true
            // A progress that follows a cut has to leave before the next cut begins.
            _ = writeControlFrames(context)
        }
        wrote = writeControlFrames(context) || wrote
        run(core.takeDeferredActions())
        // Counted before they leave: who has received a frame finds it in the count.
        services.deliveries.add(core.deliveries - countedDeliveries, ordering: .relaxed)
        countedDeliveries = core.deliveries
        if wrote { context.flush() }
    }

    private func writeControlFrames(_ context: ChannelHandlerContext) -> Bool {
        let frames = core.takeControlFrames()
        for frame in frames { context.write(wrapOutboundOut(frame), promise: nil) }
        return !frames.isEmpty
    }

    /// Says the last words and closes this direction; the other is read and thrown away until the client has closed too, as closing with
    /// unread bytes would reset the connection and take the last words back.
    private func close() {
        guard let context, !isClosing else { return }
        isClosing = true
        _ = writeControlFrames(context)
        let channel = context.channel
        channel.setOption(.autoRead, value: true).whenFailure { _ in }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in
            channel.close(mode: .output).whenFailure { _ in channel.close(promise: nil) }
        }
        context.eventLoop.scheduleTask(in: Self.closeTimeout) { channel.close(promise: nil) }
    }

    private var metadata: Logger.Metadata {
        ["peer": "\(context?.channel.remoteAddress?.description ?? "gone")"]
    }
}

/// The sessions of one event loop.
final class LoopRegistry {
    private var sessions: [ObjectIdentifier: SessionHandler] = [:]

    func add(_ session: SessionHandler) { sessions[ObjectIdentifier(session)] = session }
    func remove(_ session: SessionHandler) { sessions[ObjectIdentifier(session)] = nil }

    func published(_ publication: Publication) {
        for session in sessions.values { session.published(publication) }
    }
    func tick(now: UInt64) {
        for session in sessions.values { session.tick(now: now) }
    }
    func drain() {
        for session in sessions.values { session.drain() }
    }

    /// Subscriptions of each session.
    var subscriptionCounts: [Int] { sessions.values.map(\.subscriptionCount) }

    /// What each session holds for its client.
    var loads: [SessionLoad] { sessions.values.map(\.load) }
}
