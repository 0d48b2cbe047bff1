import Logging
import MarqueeModel
import MarqueeStore
import MarqueeWire
import NIOCore

/// The shell of one session: bytes to messages, actions to I/O. Lives on its connection's event loop and decides
/// nothing.
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
    let connection: ConnectionID
    /// Whether frames that came in were not taken, as others come first or as what the client asked for is not done
    /// yet.
    private var isBehind = false
    /// Whether this session waits for its turn to take frames.
    var hasTurn = false

    // What was counted of this session.
    private var countedDeliveries: UInt64 = 0
    private var countedSubscriptions = 0
    private var countedAsUsed = false

    init(services: ServerServices, registry: LoopRegistry, connection: ConnectionID) {
        self.services = services
        self.registry = registry
        self.connection = connection
        core = SessionCore(
            library: services.library, settings: services.settingsNow(), budgets: services.budgets, now: services.now())
        frames = FrameDecoder(maximumLength: WireLimits.unauthenticatedFrameBytes)
    }

    /// What is held for the client now.
    var load: SessionLoad {
        var load = core.load
        load.bufferedBytes = (try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        return load
    }

    // MARK: - Channel events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        services.sessionCount.add(1, ordering: .relaxed)
        registry.add(self)
        // A session that begins during a drain is told to go as the others were.
        if services.isDraining.load(ordering: .acquiring) { run(core.drain()) }
        lookAgain()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        services.sessionCount.subtract(1, ordering: .relaxed)
        services.subscriptionCount.subtract(countedSubscriptions, ordering: .relaxed)
        countedSubscriptions = 0
        registry.remove(self)
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        core.heard(now: services.now())
        // Only when the client has gone does more come than was asked for: the rest of what it sent.
        guard frames.pendingBytes <= SessionSettings.unreadBytes else { return context.close(promise: nil) }
        frames.append(unwrapInboundIn(data))
        if !isBehind { takeFrames(SessionSettings.framesPerTurn) }
    }

    /// Takes frames that have come in, as far as the client may ask for more now.
    /// - Parameter limit: frames; what is left has to wait for the turns of others.
    /// - Returns: how many were taken.
    @discardableResult
    func takeFrames(_ limit: Int) -> Int {
        let now = services.now()
        var taken = 0
        var isWhole = true
        do throws(WireError) {
            while !isClosing, taken < limit, mayTake {
                frames.maximumLength = core.frameLimit
                guard let frame = try frames.next() else {
                    isWhole = false
                    break
                }
                taken += 1
                guard let message = try MessageCodec.decode(frame, limits: services.settings.limits) else { continue }
                run(core.received(message, now: now))
            }
        } catch {
            services.logger.debug("closing a connection: \(error)", metadata: metadata)
            run(core.receivedGarbage(error.status))
        }
        core.took(frames: taken, isWithinFrame: !isWhole && frames.pendingBytes > 0, now: now)
        isBehind = isWhole && frames.pendingBytes > 0 && !isClosing
        pump()
        settleReading()
        return taken
    }

    /// Whether the client may ask for more now: it takes what it is sent, and what it asked for is being done (G8).
    private var mayTake: Bool {
        context?.channel.isWritable == true && core.waitingOpens < services.asking.allowance
    }

    /// Reads from the connection only when all that it sent before has been taken.
    private func settleReading() {
        guard let context, !isClosing else { return }
        context.channel.setOption(.autoRead, value: context.channel.isWritable && !isBehind).whenFailure { _ in }
        if isBehind, mayTake { registry.queue(self) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        pump()
        settleReading()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    /// The connection has gone, and with it what it had asked for.
    private func end() {
        isClosing = true
        services.drop(connection)
        run(core.shut())
        countUse()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is RoomNeeded, !isClosing else { return context.fireUserInboundEventTriggered(event) }
        run(core.makeRoom())
        // Its descriptor is needed now: what the socket does not take at once is lost.
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        services.logger.debug("connection error: \(error)", metadata: metadata)
        end()
        context.close(promise: nil)
    }

    // MARK: - From the server

    func published(_ publication: Publication) {
        run(core.published(publication))
        pump()
    }

    /// Its deadline has come.
    func tick(now: UInt64) {
        // What it says is waiting here, unread.
        if isBehind, context?.channel.isWritable == true { core.heard(now: now) }
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
            ask { hub in
                hub.open(request)
            } then: { handler, result in
                handler.run(handler.core.opened(ticket: ticket, result))
                handler.pump()
                handler.settleReading()
            } orElse: { hub, result in
                if case .success(let view) = result { hub.release(view.handles) }
            }
        case .release(let handles):
            services.onHub { $0.release(handles) }
        case .perform(let call, let request): perform(call, request)
        case .close: close()
        }
    }

    /// Runs `work` on the hub's thread when it is this connection's turn, and hands its result back to this handler on
    /// its event loop, or to `orElse` when the connection has gone. It is not run when the connection goes before.
    private func ask<Value: Sendable>(
        _ work: @escaping @Sendable (Hub) -> Value,
        then: @escaping @Sendable (SessionHandler, Value) -> Void,
        orElse: @escaping @Sendable (Hub, Value) -> Void = { _, _ in }
    ) {
        guard let context else { return }
        let loop = context.eventLoop
        let me = NIOLoopBound(self, eventLoop: loop)
        let services = services
        services.ask(for: connection) { hub in
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
        // Names are compared as text in some places and as bytes in others: only those for which that is the same get
        // in.
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
        core.identified(identity)
        guard let loop = context?.eventLoop else { return }
        let me = NIOLoopBound(self, eventLoop: loop)
        let (client, user, services) = (core.helloClientID, identity.user, services)
        services.welcoming.submit(for: connection) {
            let position: Result<(Cut, UInt64?), StoreError>
            do throws(StoreError) {
                position = .success(
                    (
                        try services.positions.cut(for: user, in: services.store),
                        try services.store.lastMutation(of: client)
                    ))
            } catch {
                position = .failure(error)
            }
            loop.execute { me.value.located(identity, position) }
        }
    }

    private func located(_ identity: Identity, _ position: Result<(Cut, UInt64?), StoreError>) {
        guard context != nil else { return }
        let now = services.now()
        switch position {
        case .success(let (cut, last)):
            run(core.authenticated(.success(identity), newest: cut, lastMutation: last, now: now))
        case .failure(let error):
            let status = Status(storeError: error)
            run(core.authenticated(.failure(status), newest: Cut(), lastMutation: nil, now: now))
        }
        pump()
    }

    private func perform(_ call: UInt32, _ request: SessionCore.Call) {
        guard let context else { return }
        let loop = context.eventLoop
        let me = NIOLoopBound(self, eventLoop: loop)
        let caller = CallRunner.Caller(
            user: core.identity.user, clientID: core.clientID, connection: connection, deadline: core.deadline(of: call)
        )
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
        countUse()
        if wrote { context.flush() }
        lookAgain()
    }

    /// Counts what changed of this session since it was counted last.
    private func countUse() {
        let subscriptions = core.subscriptionCount
        if subscriptions != countedSubscriptions {
            services.subscriptionCount.add(subscriptions - countedSubscriptions, ordering: .relaxed)
            countedSubscriptions = subscriptions
        }
        if core.isUsed != countedAsUsed {
            countedAsUsed = core.isUsed
            services.connections.set(connection, isUsed: countedAsUsed)
        }
    }

    /// Has this session looked at when there will be something to do.
    private func lookAgain() {
        if let deadline = core.deadline { registry.schedule(self, at: deadline) }
    }

    private func writeControlFrames(_ context: ChannelHandlerContext) -> Bool {
        let frames = core.takeControlFrames()
        for frame in frames { context.write(wrapOutboundOut(frame), promise: nil) }
        return !frames.isEmpty
    }

    /// Says the last words and closes this direction; the other is read and thrown away until the client has closed
    /// too, as closing with unread bytes would reset the connection and take the last words back.
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
