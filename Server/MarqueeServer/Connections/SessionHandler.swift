import DequeModule
import Logging
import MarqueeModel
import MarqueeStore
import MarqueeTLS
import MarqueeWire
import NIOCore

/// The shell of one session: bytes to messages, actions to I/O. Lives on its connection's event loop and decides
/// nothing.
final class SessionHandler: ChannelInboundHandler, SessionShell, CutOutput {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How long a connection may take to accept its last frames.
    private static let closeTimeout = TimeAmount.seconds(5)

    let services: ServerServices
    let registry: LoopRegistry
    private(set) lazy var session = Session(
        registry.sessions, shell: self, settings: services.settingsNow(), now: opened ?? services.now())
    /// The start of the time in which the client has to identify itself, by the server's clock; `nil` for now.
    private let opened: UInt64?
    private var frames: FrameDecoder
    private(set) var context: ChannelHandlerContext?
    private(set) var isClosing = false
    let connection: ConnectionID
    /// Writes past the pipeline; `nil` without a socket.
    private let direct: DirectOutput?
    /// Whether received frames are waiting: for other sessions to have their turn, or for the client's earlier requests
    /// to finish.
    private var isBehind = false
    /// Whether the connection is being read.
    private var isReading = true
    /// Results of other threads that wait for the session's turn, in order.
    private var results: Deque<(SessionHandler) -> Void> = []

    /// Limits renewals: checking a token costs more than sending one, and happens on threads where connections don't
    /// take turns.
    var renewals: Allowance
    private var tally = SessionTally()
    /// The user for whom this connection is counted.
    var countedUser: String?
    /// The name that the client gives itself, if it may publish.
    var agent: String?
    /// The client's address. The channel's is that of the load balancer, if there is one, and is lost when the channel
    /// closes.
    private let peer: SocketAddress?
    /// Whether an error ended the connection before either side did.
    private var isLost = false

    init(
        services: ServerServices, registry: LoopRegistry, connection: ConnectionID, peer: SocketAddress? = nil,
        direct: DirectOutput? = nil, opened: UInt64? = nil
    ) {
        self.services = services
        self.registry = registry
        self.connection = connection
        self.peer = peer
        self.direct = direct
        self.opened = opened
        renewals = Allowance(perSecond: services.settings.renewals)
        frames = FrameDecoder(maximumLength: WireLimits.unauthenticatedFrameBytes)
    }

    /// Results of other threads that wait for the session's turn.
    var waitingResults: Int { results.count }

    /// The session's load, including the connection's write buffer.
    var load: SessionLoad {
        var load = session.load
        load.bufferedBytes = (try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        return load
    }

    // MARK: - Channel events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        services.counts.sessions.add(1, ordering: .relaxed)
        registry.add(self)
        // A session that begins during a drain is asked to leave, like the others.
        if services.isDraining.load(ordering: .acquiring) { run(session.core.drain()) }
        lookAgain()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        services.counts.sessions.subtract(1, ordering: .relaxed)
        tally.forget(in: services)
        if let countedUser { services.connections.left(user: countedUser) }
        registry.remove(self)
        takeResults()
        noteEnd()
        session.end()
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        session.heard(now: services.now())
        // Reading stops long before this. More arrives only once the client has gone, when NIO delivers the rest of
        // what it sent.
        guard frames.pendingBytes <= SessionSettings.unreadBytes else { return context.close(promise: nil) }
        frames.append(unwrapInboundIn(data))
        if !isBehind, !registry.ask(for: self) {
            isBehind = true
            read(false)
        }
    }

    /// Does as much of the session's work as fits in one turn; the rest waits until others have had their turns.
    /// - Parameter limit: the most steps of input, and of output.
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
        let isDone = results.isEmpty && !isBehind && session.waitingOpens == 0 && !session.hasSomethingToSay
        if isDone, !isClosing { session.settle() }
        return .init(steps: steps, isDone: isDone)
    }

    /// Handles received frames as long as the client may ask for more.
    /// - Returns: the steps taken.
    private func takeFrames(_ limit: Int) -> Int {
        let now = services.now()
        var steps = 0
        var taken = 0
        var isWhole = true
        do throws(WireError) {
            while !isClosing, steps < limit, canReceive {
                frames.maximumLength = session.frameLimit
                guard let frame = try frames.next() else {
                    isWhole = false
                    break
                }
                taken += 1
                steps += SessionSettings.steps(frame.body.readableBytes)
                guard let message = try MessageCodec.decode(frame, limits: services.settings.limits) else { continue }
                run(session.received(message, now: now))
            }
        } catch {
            services.logger.debug("closing a connection: \(error)", metadata: metadata)
            run(session.core.receivedGarbage(error.status))
        }
        session.received(frames: taken, isWithinFrame: !isWhole && frames.pendingBytes > 0, now: now)
        isBehind = isWhole && frames.pendingBytes > 0 && !isClosing
        return steps
    }

    /// Whether the client may ask for more: it reads what it is sent, and few of its requests to open views are
    /// unanswered (G8).
    private var canReceive: Bool {
        context?.channel.isWritable == true && session.waitingOpens < services.source.openAllowance
    }

    /// Stops reading from a client that isn't reading, or whose frames wait to be handled.
    private func settleReading() {
        guard let context, !isClosing else { return }
        read(context.channel.isWritable && !isBehind)
        if isBehind, canReceive { registry.askLater(for: self) }
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

    /// Ends the session of a connection that is gone, and drops its requests.
    private func end() {
        isClosing = true
        services.source.drop(connection)
        if !session.isSynced {
            for guest in Set(session.core.calls.guests.values) { services.source.drop(connection.lane(of: guest)) }
        }
        run(session.core.shut())
        session.identity.grant.leave()
        takeResults()
        count()
    }

    /// Takes a result from another thread; the session handles it in its turn.
    func receive(_ result: @escaping (SessionHandler) -> Void) {
        guard context != nil else { return }
        results.append(result)
        registry.askLater(for: self)
    }

    /// Handles all results. If the connection is gone, views that the hub opened for it are released.
    func takeResults() {
        while let result = results.popFirst() { result(self) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is RoomNeeded, !isClosing else { return context.fireUserInboundEventTriggered(event) }
        run(session.core.makeRoom())
        // Closed at once, as the descriptor is needed: bytes that the socket doesn't take now are lost.
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Operators look for the reason here, as the client isn't told.
        let level: Logger.Level = error is CertificateRefusal ? .notice : .debug
        services.logger.log(level: level, "connection error: \(error)", metadata: metadata)
        isLost = isLost || !session.core.isClosed
        end()
        context.close(promise: nil)
    }

    // MARK: - From the server

    var output: any CutOutput { direct ?? self }

    func write(_ cut: CohortCut) -> Bool {
        guard !isClosing, let context, context.channel.isWritable else { return false }
        context.writeAndFlush(wrapOutboundOut(cut.bytes), promise: nil)
        return true
    }

    func askForTurn() { registry.askLater(for: self) }

    /// Checks the session, whose deadline has come.
    func tick(now: UInt64) {
        // The client isn't silent if frames it sent are waiting here.
        if isBehind, context?.channel.isWritable == true { session.heard(now: now) }
        run(session.tick(now: now))
        // Many sessions may have the same deadline; each writes in its turn.
        if session.hasSomethingToSay { registry.askLater(for: self) } else { lookAgain() }
    }

    /// Ends the connection if the client's identity no longer stands. On a relay's connection, also removes the guests
    /// whose identities no longer stand.
    func checkIdentity() {
        guard !isClosing else { return }
        let identity = session.identity
        if services.identities.standing(of: identity) == .ended {
            return run(session.core.identityEnded(services.identities.ending(of: identity)))
        }
        guard !session.isSynced else { return }
        for (guest, identity) in session.core.guestIdentities
        where services.identities.standing(of: identity) == .ended {
            run(session.core.guestEnded(guest))
            askForTurn()
        }
    }

    /// Ends the session on behalf of an operator, unless it is about to end anyway.
    func endForOperator() {
        guard !isClosing else { return }
        run(session.core.identityEnded(.endedByOperator))
        askForTurn()
    }

    var user: String? { session.identity.user }

    func drain() {
        run(session.core.drain())
        if session.hasSomethingToSay { registry.askLater(for: self) } else { lookAgain() }
    }

    // MARK: - Output

    /// Writes control frames, then data until the connection's buffer is full or the turn is over, and flushes once.
    /// - Returns: the steps taken.
    private func pump(_ limit: Int) -> Int {
        guard let context, context.channel.isActive, !session.isSynced else { return 0 }
        var steps = 0
        var wrote = writeControlFrames(context)
        while !isClosing, context.channel.isWritable {
            guard steps < limit else {
                registry.askLater(for: self)
                break
            }
            guard let frame = session.core.nextDataFrame(now: services.now()) else { break }
            steps += SessionSettings.steps(frame.readableBytes)
            context.write(wrapOutboundOut(frame), promise: nil)
            wrote = true
            // The progress that follows a cut has to be sent before the next cut begins.
            _ = writeControlFrames(context)
        }
        wrote = writeControlFrames(context) || wrote
        run(session.core.takeDeferredActions())
        // Before the flush, so that a client that has received a frame finds it counted.
        count()
        if wrote { context.flush() }
        lookAgain()
        return steps
    }

    private func count() {
        tally.update(
            deliveries: session.core.deliveries, subscriptions: session.core.subscriptionCount,
            isUsed: session.core.isUsed, of: connection, in: services)
    }

    /// Schedules the session's next check, at its deadline.
    private func lookAgain() {
        if let deadline = session.deadline { registry.schedule(self, at: deadline) }
    }

    private func writeControlFrames(_ context: ChannelHandlerContext) -> Bool {
        let frames = session.core.takeControlFrames()
        for frame in frames { context.write(wrapOutboundOut(frame), promise: nil) }
        return !frames.isEmpty
    }

    /// Writes the last frames and closes this direction; the other is read and discarded until the client has closed
    /// too: closing with unread bytes would reset the connection and lose those frames.
    func close() {
        guard let context, !isClosing else { return }
        isClosing = true
        let channel = context.channel
        if TLSServer.isShakingHands(channel) { return channel.close(promise: nil) }
        _ = writeControlFrames(context)
        read(true)
        // A client that has stayed silent this long gets no time to close its direction.
        let isSilent = session.core.endReason == Status.helloTimeout.reason
        context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in
            guard !isSilent else { return channel.close(promise: nil) }
            channel.close(mode: .output).whenFailure { _ in channel.close(promise: nil) }
        }
        context.eventLoop.scheduleTask(in: Self.closeTimeout) { channel.close(promise: nil) }
    }

    var metadata: Logger.Metadata {
        ["peer": "\(address)"]
    }

    var address: String { peer?.text ?? "unknown" }

    /// The client's IP address, without a port.
    var host: String? { peer?.ipAddress }

    /// An id of the client's address; `nil` if connections of that address aren't counted.
    var origin: UInt64? { AddressKey(peer).map { UInt64(bitPattern: Int64($0.hashValue)) } }

    // MARK: - For operators

    func report(now: UInt64) -> SessionReport {
        var report = session.report(connection, address: address, isClosing: isClosing, now: now)
        report.load = load
        return report
    }

    /// Counts the ended connection, and logs what it did.
    private func noteEnd() {
        let reason = session.core.endReason ?? (isLost ? EndTally.connectionLost : EndTally.clientLeft)
        if let ahead = session.core.ahead { services.note(ahead: ahead) }
        let load = session.load
        registry.ended(reason, sentBytes: load.sentBytes)
        services.logger.info(
            "a connection ended", metadata: end(reason, load, opened: session.core.lasting.liveness.opened))
    }

    private func end(_ reason: String, _ load: SessionLoad, opened: UInt64) -> Logger.Metadata {
        let milliseconds = services.now() - min(services.now(), opened)
        var metadata: Logger.Metadata = [
            "connection": .stringConvertible(connection), "peer": "\(address)", "reason": "\(reason)",
            "milliseconds": .stringConvertible(milliseconds), "sent-bytes": .stringConvertible(load.sentBytes),
            "acknowledged-bytes": .stringConvertible(load.acknowledgedBytes),
        ]
        if let user = session.core.identity.user { metadata["user"] = "\(user)" }
        return metadata
    }
}
