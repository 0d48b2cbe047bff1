import DequeModule
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
    /// Whether the connection is read from.
    private var isReading = true
    /// What other threads have done for this session and it has not looked at yet, in order.
    private var results: Deque<(SessionHandler) -> Void> = []

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

    /// Results of other threads that the session has not looked at yet.
    var waitingResults: Int { results.count }

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
        takeResults()
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        core.heard(now: services.now())
        // Only when the client has gone does more come than was asked for: the rest of what it sent.
        guard frames.pendingBytes <= SessionSettings.unreadBytes else { return context.close(promise: nil) }
        frames.append(unwrapInboundIn(data))
        if !isBehind, !registry.ask(for: self) {
            isBehind = true
            read(false)
        }
    }

    /// Does what there is to do for this session, as much as one turn may: what is left waits for the turns of others.
    /// - Parameter limit: steps of what comes in, and as many of what goes out.
    func takeTurn(steps limit: Int) -> LoopTurns<ObjectIdentifier>.Turn {
        var steps = 0
        while steps < limit, let result = results.popFirst() {
            result(self)
            steps += 1
        }
        steps += takeFrames(limit - steps)
        steps += pump(limit)
        settleReading()
        if !results.isEmpty { registry.askLater(for: self) }
        let isDone = results.isEmpty && !isBehind && core.waitingOpens == 0 && !core.hasSomethingToSay
        return .init(steps: steps, isDone: isDone)
    }

    /// Takes frames that have come in, as far as the client may ask for more now.
    /// - Returns: the steps that it took.
    private func takeFrames(_ limit: Int) -> Int {
        let now = services.now()
        var steps = 0
        var taken = 0
        var isWhole = true
        do throws(WireError) {
            while !isClosing, steps < limit, mayTake {
                frames.maximumLength = core.frameLimit
                guard let frame = try frames.next() else {
                    isWhole = false
                    break
                }
                taken += 1
                steps += SessionSettings.steps(frame.body.readableBytes)
                guard let message = try MessageCodec.decode(frame, limits: services.settings.limits) else { continue }
                run(core.received(message, now: now))
            }
        } catch {
            services.logger.debug("closing a connection: \(error)", metadata: metadata)
            run(core.receivedGarbage(error.status))
        }
        core.hasCut(frames: taken, isWithinFrame: !isWhole && frames.pendingBytes > 0, now: now)
        isBehind = isWhole && frames.pendingBytes > 0 && !isClosing
        return steps
    }

    /// Whether the client may ask for more now: it takes what it is sent, and what it asked for is being done (G8).
    private var mayTake: Bool {
        context?.channel.isWritable == true && core.waitingOpens < services.asking.allowance
    }

    /// Reads from the connection only when all that it sent before has been taken.
    private func settleReading() {
        guard let context, !isClosing else { return }
        read(context.channel.isWritable && !isBehind)
        if isBehind, mayTake { registry.askLater(for: self) }
    }

    private func read(_ reads: Bool) {
        guard let context, reads != isReading else { return }
        isReading = reads
        context.channel.setOption(.autoRead, value: reads).whenFailure { _ in }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { registry.askLater(for: self) } else { settleReading() }
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
        takeResults()
        countUse()
    }

    /// Looks at all that has come. Of a connection that has gone, views that the hub has opened are to be released.
    private func takeResults() {
        while let result = results.popFirst() { result(self) }
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

    /// The hub has moved on. Comes after what it has done for this session before: a view that it opened before is
    /// known here when it changes. That is looked at now, which is little work, and not the publication later: it holds
    /// all that has changed, and many sessions would hold many of them.
    func published(_ publication: Publication) {
        takeResults()
        run(core.published(publication))
        if core.hasSomethingToSay { registry.askLater(for: self) }
    }

    /// Its deadline has come.
    func tick(now: UInt64) {
        // What it says is waiting here, unread.
        if isBehind, context?.channel.isWritable == true { core.heard(now: now) }
        run(core.tick(now: now))
        // Of many sessions in one second, each writes in its turn.
        if core.hasSomethingToSay { registry.askLater(for: self) } else { lookAgain() }
    }

    func drain() {
        run(core.drain())
        if core.hasSomethingToSay { registry.askLater(for: self) } else { lookAgain() }
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
            } orElse: { hub, result in
                if case .success(let view) = result { hub.release(view.handles) }
            }
        case .release(let handles): services.release(handles)
        case .perform(let call, let request): perform(call, request)
        case .close: close()
        }
    }

    /// Another thread has done something for this session, which looks at it when its turn comes.
    private func came(_ result: @escaping (SessionHandler) -> Void) {
        guard context != nil else { return }
        results.append(result)
        registry.askLater(for: self)
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
        let inbox = registry.inbox
        services.ask(for: connection) { hub in
            let value = work(hub)
            inbox.add {
                if me.value.context != nil {
                    me.value.came { then($0, value) }
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
        let (authenticator, inbox) = (services.authenticator, registry.inbox)
        Task {
            let result: Result<Identity, Status>
            do throws(Status) {
                result = .success(try await authenticator.authenticate(user: user, token: token))
            } catch {
                result = .failure(error)
            }
            inbox.add { me.value.came { $0.authenticated(result) } }
        }
    }

    private func authenticated(_ result: Result<Identity, Status>) {
        guard !isClosing else { return }
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
            return
        }
        core.identified(identity)
        guard let loop = context?.eventLoop else { return }
        let me = NIOLoopBound(self, eventLoop: loop)
        let (client, user, services, inbox) = (core.helloClientID, identity.user, services, registry.inbox)
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
            inbox.add { me.value.came { $0.located(identity, position) } }
        }
    }

    private func located(_ identity: Identity, _ position: Result<(Cut, UInt64?), StoreError>) {
        let now = services.now()
        switch position {
        case .success(let (cut, last)):
            run(core.authenticated(.success(identity), newest: cut, lastMutation: last, now: now))
        case .failure(let error):
            let status = Status(storeError: error)
            run(core.authenticated(.failure(status), newest: Cut(), lastMutation: nil, now: now))
        }
    }

    private func perform(_ call: UInt32, _ request: SessionCore.Call) {
        guard let context else { return }
        let loop = context.eventLoop
        let me = NIOLoopBound(self, eventLoop: loop)
        let caller = CallRunner.Caller(
            user: core.identity.user, clientID: core.clientID, connection: connection, deadline: core.deadline(of: call)
        )
        CallRunner(services: services).run(request, caller: caller) { [services, inbox = registry.inbox] result in
            inbox.add {
                me.value.came { $0.core.answered(call: call, result, now: services.now()) }
            }
        }
    }

    // MARK: - Output

    /// Writes control frames, then data until the connection's buffer is full or the turn is over, and flushes once.
    /// - Returns: the steps that it took.
    private func pump(_ limit: Int) -> Int {
        guard let context, context.channel.isActive else { return 0 }
        var steps = 0
        var wrote = writeControlFrames(context)
        while !isClosing, context.channel.isWritable {
            guard steps < limit else {
                registry.askLater(for: self)
                break
            }
            guard let frame = core.nextDataFrame(now: services.now()) else { break }
            steps += SessionSettings.steps(frame.readableBytes)
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
        return steps
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
        read(true)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in
            channel.close(mode: .output).whenFailure { _ in channel.close(promise: nil) }
        }
        context.eventLoop.scheduleTask(in: Self.closeTimeout) { channel.close(promise: nil) }
    }

    private var metadata: Logger.Metadata {
        ["peer": "\(context?.channel.remoteAddress?.description ?? "gone")"]
    }
}
