import MarqueeModel
import MarqueeRelay
import MarqueeServer
import MarqueeStore
import MarqueeWire
import NIOCore

/// The content of a server upstream: the core of a relay that ships, and its connection.
///
/// Unchecked because a schedule runs on a single thread.
final class RelayContent: NodeContent, @unchecked Sendable {
    private unowned let node: Node
    private unowned let world: any RelayWorld
    private(set) var core: RelayCore?
    /// The pending work of the relay's thread, in order.
    private var jobs: [(RelayCore) -> Void] = []
    /// The connection upstream.
    private(set) var link: Connection?
    private var frames = FrameDecoder(maximumLength: Frame.maximumLength)
    private var backoff = Backoff(bounds: .milliseconds(250)...(.seconds(10)))
    /// When to connect again.
    private var connectsAt: UInt64?
    private var guests = RelayGuests()
    private var ended: Set<UInt32> = []
    private var isRunning = false
    private var now: UInt64 = 0
    private var starts: UInt8 = 0

    init(_ node: Node, world: any RelayWorld) {
        self.node = node
        self.world = world
    }

    // MARK: - Life

    func start(now: UInt64) throws(StoreError) -> UInt64 {
        self.now = now
        starts &+= 1
        let id =
            [UInt8](repeating: UInt8(truncatingIfNeeded: 100 + node.number), count: Hello.clientIDBytes - 1) + [starts]
        var bounds = RelayCore.Bounds()
        // A relay has few guests here.
        bounds.introductions = 2
        bounds.variants = node.settings.limits.variants
        core = RelayCore(
            library: node.library, bounds: bounds,
            token: { [unowned node] in node.settings.authority == nil ? nil : TokenAuthority.ofRelays }, clientID: id,
            agent: "relay \(node.number)", now: now,
            outlet: RelayCore.Outlet(
                send: { [unowned self] in send($0) },
                disconnect: { [unowned self] in disconnect($0) },
                publish: { [unowned node] publication in
                    if publication.end != nil { node.judge.count(.relayBeganAnew) }
                    if !publication.ended.isEmpty { node.judge.count(.relayGaveUp) }
                    node.publish(publication)
                },
                guestEnded: { [unowned self] in ended.insert($0) },
                report: { [unowned node] in node.judge.note("node \(node.number): \($0)") }))
        backoff.reset()
        connectsAt = now
        isRunning = true
        return 0
    }

    func crash() {
        isRunning = false
        node.judge.record(.relayEnded(node: node.number))
        link?.cut()
        link = nil
        connectsAt = nil
        core = nil
        jobs.removeAll()
        // Messages on their way upstream still arrive.
        guests = RelayGuests()
        ended.removeAll()
    }

    // MARK: - The connection

    private func send(_ message: Message) {
        guard let link else { return }
        if case .request(let request) = message, request.method == .introduce, let core {
            // Requests of guests who have left may still be on their way.
            link.guestNumbers.merge(core.numbers) { $1 }
        }
        link.toServer.write(world.carried(MessageCodec.encode(message), on: link))
    }

    /// The core ends the connection.
    private func disconnect(_ why: RelayCore.Disconnection) {
        guard let link else { return }
        self.link = nil
        link.finish()
        lost(why)
    }

    private func lost(_ why: RelayCore.Disconnection) {
        node.judge.note("node \(node.number) loses its server: \(why.reason)")
        let fraction = world.fraction()
        let pause =
            why.within.map { backoff.next(atLeast: .milliseconds($0.lowerBound), fraction: fraction) }
            ?? backoff.next(fraction: fraction)
        connectsAt = now + UInt64(pause / .milliseconds(1))
    }

    /// Connects if it is time to.
    private func connect() {
        guard let core, link == nil, let due = connectsAt, due <= now else { return }
        connectsAt = nil
        guard let link = world.upstream(of: node) else { return lost(RelayCore.Disconnection("nobody answers")) }
        node.judge.count(.relayConnected)
        if world.isRelay(link) { node.judge.count(.relayChained) }
        node.judge.record(.linked(connection: link.number, relay: node.number))
        link.relay = self
        link.guests = guests
        self.link = link
        frames = FrameDecoder(maximumLength: Frame.maximumLength)
        core.connected(now: now)
    }

    /// Takes bytes off the wire; all of them by default.
    /// - Returns: whether anything happened.
    @discardableResult
    func read(_ limit: Int = .max, now: UInt64) -> Bool {
        self.now = now
        connect()
        guard let core, let link else { return false }
        let bytes = link.toClient.read(limit)
        if bytes.readableBytes > 0 {
            core.heard(now: now)
            frames.append(bytes)
            var taken = 0
            do throws(WireError) {
                while self.link === link, let frame = try frames.next() {
                    taken += 1
                    guard let message = try MessageCodec.decode(frame, limits: RelayCore.limits) else { continue }
                    node.judge.record(
                        .toClient(
                            connection: link.number, message, flags: frame.flags, bytes: frame.wireBytes))
                    core.received(message, frame)
                }
                core.received(frames: taken, isWithinFrame: frames.pendingBytes > 0)
            } catch {
                core.failProtocol("\(error)")
            }
            if core.staleMilliseconds(now: now) == nil { backoff.reset() }
        }
        if self.link === link, link.toClient.isAtEnd {
            self.link = nil
            link.finish()
            core.disconnected(now: now)
            lost(RelayCore.Disconnection("it closed the connection"))
        }
        return bytes.readableBytes > 0
    }

    // MARK: - Work

    var hasWork: Bool { !jobs.isEmpty }

    func runJob(now: UInt64) {
        self.now = now
        guard let core, !jobs.isEmpty else { return }
        jobs.removeFirst()(core)
    }

    func tick(now: UInt64) {
        self.now = now
        connect()
        jobs.append { [unowned self] core in
            node.library.tick(now: now)
            core.tick(now: now)
        }
    }

    /// Its node's.
    var number: Int { node.number }

    /// How many variants are subscribed upstream on this connection.
    var subscriptionCount: Int { core?.subscriptionCount ?? 0 }

    /// How many guests were introduced upstream on this connection, and have not left.
    var guestCount: Int { core?.numbers.count ?? 0 }

    // MARK: - For sessions

    func identify(
        _ credentials: Credentials, of origin: @escaping () -> Origin,
        completion: @escaping (Result<Identity, Status>) -> Void
    ) {
        jobs.append { [unowned self] core in
            core.introduce(credentials) { [unowned self] result in
                completion(result.map { identity(of: $0.guest, $0.answer, origin) })
            }
        }
    }

    private func identity(of guest: UInt32, _ answer: IntroduceAnswer, _ origin: @escaping () -> Origin) -> Identity {
        guests.origins[guest] = origin
        let introduction = Introduction(guest: guest) { [weak self] in self?.left($0) }
        return answer.identity(introduction, now: Int64(clamping: now))
    }

    private func left(_ guest: UInt32) {
        // Guests of a dead process leave only as its memory is released.
        guard isRunning else { return }
        jobs.append { [unowned self] core in
            core.dismiss(guest)
            ended.remove(guest)
        }
    }

    func standing(of identity: Identity) -> Standing {
        guard case .upstream(let introduction) = identity.grant.source else { return .untilRevoked }
        if ended.contains(introduction.guest) { return .ended }
        return identity.grant.standing(now: Int64(clamping: now))
    }

    func locate(
        _ caller: ContentCaller, claim: PositionClaim?,
        completion: @escaping (Result<(cut: Cut, lastMutation: UInt64?), Status>) -> Void
    ) {
        jobs.append { core in completion(caller.guest.map { core.locate($0) } ?? .failure(.upstreamAway)) }
    }

    func open(
        _ request: OpenRequest, by caller: ContentCaller, for connection: Connection,
        completion: @escaping (Result<OpenedView, Status>) -> Void
    ) {
        jobs.append { [unowned self] core in
            core.open(request, guest: caller.guest) { [unowned self] result in
                if case .success(let view) = result { node.opened(view, by: request.user) }
                completion(result)
            }
        }
    }

    func release(_ handles: [UInt64]) {
        jobs.append { [unowned self] core in
            core.release(handles)
            node.closed(handles)
        }
    }

    func perform(
        _ call: ContentCall, by caller: ContentCaller, from origin: Origin,
        completion: @escaping (Result<[UInt8], Status>) -> Void
    ) {
        jobs.append { core in
            guard case .plan(let request) = call else {
                return core.perform(call, guest: caller.guest, deadline: nil, completion: completion)
            }
            core.plan(request, for: caller.reader, guest: caller.guest) { result in
                completion(result.map { CallBodyCodec.encode($0) })
            }
        }
    }
}

/// The identities of the guests of one process of a relay.
final class RelayGuests {
    /// Looked up only when needed, because a relay behind this one learns later who its own guests are.
    var origins: [UInt32: () -> Origin] = [:]
}

/// The services that a relay needs from the surrounding simulation.
protocol RelayWorld: AnyObject {
    func fraction() -> Double
    /// A connection to a server, if one answers.
    func upstream(of relay: Node) -> Connection?
    /// Whether a connection is to another relay.
    func isRelay(_ connection: Connection) -> Bool
    /// Returns the frame that arrives at the server upstream when a relay sends one.
    func carried(_ frame: ByteBuffer, on connection: Connection) -> ByteBuffer
}
