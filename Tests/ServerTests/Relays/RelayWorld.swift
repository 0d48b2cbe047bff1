import HubSupport
import MarqueeModel
import MarqueeScreens
import MarqueeStore
import MarqueeWire
import NIOCore

@testable import MarqueeRelay
@testable import MarqueeServer

/// A hub with one session, which belongs to a relay, and the relay's core: everything between them moves when a test
/// says so. Alternatively, a relay behind another relay, which then provides the session.
final class RelayWorld {
    /// A view that somebody shows at the relay, with what was published of it.
    struct Shown {
        var view: OpenedView
        var guest: UInt32

        /// Sums by section, the list's under the empty name.
        var sums: [String: UInt64] {
            Dictionary(
                ([view.list] + view.sections).map { ($0.section, $0.current.version.sum) },
                uniquingKeysWith: { a, _ in a })
        }
    }

    let world: HubWorld
    /// The relay that this one is behind; `nil` if it is behind the hub itself.
    let above: RelayWorld?
    private(set) var relay: RelayCore
    let library = VersionLibrary()
    private let loop: LoopSessions
    private let shell = TestShell()
    private var session: Session?
    private var toServer: [Message] = []
    private var toRelay: [Frame] = []
    private var jobs: [() -> Void] = []
    private var heard: Int
    /// The clock of a machine that has been running for a month.
    var now: UInt64 = 30 * 86_400_000
    private(set) var publications: [Publication] = []
    private(set) var disconnections: [String] = []
    private(set) var reports: [String] = []
    private(set) var ended: [UInt32] = []
    /// The views shown at the relay, by their viewers' tickets.
    var shown: [Int: Shown] = [:]
    /// Changes frames on their way to the relay.
    var transform: (Frame) -> Frame? = { $0 }
    /// The users introduced, in order.
    private(set) var introduced: [String?] = []
    /// The users whom the server upstream doesn't know any more.
    var refused: Set<String> = []
    /// The claims of tokens that bring some.
    var claims: [String: Claims] = [:]
    /// Whether the server upstream can't look up anybody.
    var isLookingNobodyUp = false
    /// How many revisions of users' logs the server upstream has not heard of.
    var lagOfUsers: UInt64 = 0
    /// Whether the server upstream answers no plan of home.
    var isRefusingPlans = false
    /// The answers of the relay above, with how much it had published before that, in order.
    private var answersAbove: [(heard: Int, work: (Session) -> Void, asking: Session)] = []
    /// Guests of the relay above, by their numbers on this connection.
    private var guestsAbove: [UInt32: UInt32] = [:]

    init(_ world: HubWorld, above: RelayWorld? = nil, bounds: RelayCore.Bounds = RelayCore.Bounds()) {
        self.world = world
        self.above = above
        heard = above?.publications.count ?? world.publications.count
        loop = LoopSessions(library: above?.library ?? world.library, settings: Self.settings)
        let revision = above?.relay.position.catalogueRevision ?? world.hub.catalogueRevision
        loop.published(Publication(catalogueRevision: revision, changes: [:]))
        relay = RelayCore(
            library: library, bounds: bounds, clientID: [UInt8](repeating: 9, count: Hello.clientIDBytes),
            agent: "relay", now: now,
            outlet: RelayCore.Outlet(
                send: { _ in }, disconnect: { _ in }, publish: { _ in }, guestEnded: { _ in },
                report: { _ in }))
        relay.direct(
            to: RelayCore.Outlet(
                send: { [unowned self] in toServer.append($0) },
                disconnect: { [unowned self] in
                    disconnections.append($0.reason)
                    hangUp()
                },
                publish: { [unowned self] in published($0) },
                guestEnded: { [unowned self] in ended.append($0) }, report: { [unowned self] in reports.append($0) }))
    }

    /// Guests whom the server upstream knows.
    var guestsUpstream: Int { session?.core.guestIdentities.count ?? 0 }
    /// Variants that the server upstream has the relay subscribed to.
    var subscriptionsUpstream: Int { session?.core.subscriptionCount ?? 0 }

    /// A relay that is connected to a new hub.
    static func live(bounds: RelayCore.Bounds = RelayCore.Bounds()) throws -> RelayWorld {
        let world = RelayWorld(try HubWorld(), bounds: bounds)
        world.connect()
        world.settle()
        return world
    }

    private static let settings = SessionSettings(cluster: "c", node: "n", agent: "server", locales: ["en"])

    // MARK: - The connection

    func connect() {
        guard session == nil else { return }
        session = Session(loop, shell: shell, settings: Self.settings, now: now)
        relay.connected(now: now)
    }

    /// The connection breaks: what is on its way is lost.
    func cut() {
        guard session != nil else { return }
        hangUp()
        relay.disconnected(now: now)
    }

    private func hangUp() {
        if let session {
            run(session.core.shut())
            session.end()
        }
        session = nil
        toServer = []
        toRelay = []
        answersAbove = []
        for guest in guestsAbove.values { above?.relay.dismiss(guest) }
        guestsAbove = [:]
    }

    // MARK: - Moving

    /// The server takes one message.
    func serverReads() {
        guard let session, !toServer.isEmpty else { return }
        run(session.received(toServer.removeFirst(), now: now))
    }

    /// The hub does one thing.
    func hubWorks() { if !jobs.isEmpty { jobs.removeFirst()() } }

    /// The server writes at most so many frames of data.
    func serverWrites(_ limit: Int = .max) {
        guard let session else { return }
        deliver()
        control(session)
        var count = 0
        while count < limit, let frame = session.core.nextDataFrame(now: now) {
            write(frame)
            control(session)
            count += 1
        }
        run(session.core.takeDeferredActions())
        control(session)
    }

    private func control(_ session: Session) { for frame in session.core.takeControlFrames() { write(frame) } }

    private func write(_ bytes: ByteBuffer) {
        var decoder = FrameDecoder(maximumLength: Frame.maximumLength)
        decoder.append(bytes)
        if let frame = try? decoder.next(), let changed = transform(frame) { toRelay.append(changed) }
    }

    /// The relay takes one frame.
    func relayReads() {
        guard !toRelay.isEmpty else { return }
        let frame = toRelay.removeFirst()
        guard let message = try? MessageCodec.decode(frame, limits: RelayCore.limits) else { return }
        relay.heard(now: now)
        relay.received(message, frame)
    }

    /// Delivers the hub's publications to the session.
    private func deliver() {
        while let next = answersAbove.first {
            answersAbove.removeFirst()
            hear(upTo: next.heard)
            if next.asking === session { next.work(next.asking) }
        }
        hear(upTo: publishedAbove.count)
    }

    private var publishedAbove: [Publication] { above?.publications ?? world.publications }

    private func hear(upTo count: Int) {
        guard count > heard else { return }
        let publications = publishedAbove[heard..<count]
        heard = count
        for publication in publications { loop.published(publication) }
        while !loop.deliver(while: { true }) {}
        run(shell.takeActions())
    }

    /// Has the session hear of what the relay above answers, after what that has published before.
    private func answered(_ asking: Session?, _ work: @escaping (Session) -> Void) {
        guard let above, let asking, asking === session else { return }
        answersAbove.append((above.publications.count, work, asking))
    }

    /// Everything that can move does.
    func settle() {
        for _ in 0..<200 {
            serverReads()
            hubWorks()
            serverWrites()
            while !toRelay.isEmpty { relayReads() }
            if toServer.isEmpty, jobs.isEmpty, toRelay.isEmpty { break }
        }
    }

    /// Time passes at the relay, and everything that can move does.
    func pass(_ milliseconds: UInt64) {
        now += milliseconds
        relay.heard(now: now)
        relay.tick(now: now)
        settle()
    }

    // MARK: - The server's actions

    /// An identity that may do everything, or only read if it has claims.
    private static func identity(_ user: String?, _ claims: Claims) -> Identity {
        Identity(user: user, grant: Grant(claims.isEmpty ? .everything : .readOnly, from: .open, claims: claims))
    }

    private func run(_ actions: [SessionCore.Action]) {
        for action in actions { run(action) }
    }

    /// Does something later for the present session, unless that has gone by then.
    private func later(_ work: @escaping (Session) -> Void) {
        let asking = session
        jobs.append { [unowned self] in
            guard let asking, asking === session else { return }
            deliver()
            work(asking)
        }
    }

    private func run(_ action: SessionCore.Action) {
        if let above { return run(action, above) }
        let hub = world.hub
        switch action {
        case .authenticate:
            let identity = Identity(user: nil, scopes: .everything)
            session?.identified(identity)
            later { [unowned self] session in
                let cut = world.position(of: nil)
                run(session.core.authenticated(.success(identity), newest: cut, lastMutation: nil, now: now))
            }
        case .open(let ticket, let request):
            later { [unowned self] in run($0.core.opened(ticket: ticket, hub.open(request, reading: world.store))) }
        case .release(let handles): jobs.append { hub.release(handles) }
        case .introduce(let call, let introduction):
            introduced.append(introduction.user)
            let result: Result<Identity, Status> =
                refused.contains(introduction.user ?? "")
                ? .failure(.tokenEnded)
                : .success(Self.identity(introduction.user, introduction.token.flatMap { claims[$0] } ?? .none))
            later { [unowned self] in run($0.core.met(call: call, introduction, result, now: now)) }
        case .locate(let call, let guest, let caller):
            later { [unowned self] session in
                var cut = world.position(of: caller.user)
                cut.userRevision -= min(cut.userRevision, lagOfUsers)
                let position: Result<(cut: Cut, lastMutation: UInt64?), Status> =
                    isLookingNobodyUp
                    ? .failure(Status(storeError: StoreError(.io, "away"))) : .success((cut: cut, lastMutation: nil))
                run(
                    session.core.introduced(
                        call: call, guest: guest, position, standing: .untilRevoked, now: now))
            }
        case .follow(let user): session?.follow(user)
        case .unfollow(let user): session?.unfollow(user)
        case .drop: break
        case .perform(let call, .plan(let request), let caller):
            let open = OpenRequest(request, user: caller.user, claims: caller.identity.claims)
            later { [unowned self] in
                let plan: Result<PlanAnswer, Status> =
                    isRefusingPlans && request.screen == "home"
                    ? .failure(.tooManyVariants) : hub.plan(open, reading: world.store)
                $0.core.answered(call: call, plan.map { CallBodyCodec.encode($0) }, now: now)
            }
        case .perform(let call, _, _):
            later { [unowned self] in $0.core.answered(call: call, .failure(.unimplemented(.health)), now: now) }
        case .renew, .hit, .note, .refusedPublication, .close: break
        }
    }

    /// Has the relay above do it.
    private func run(_ action: SessionCore.Action, _ above: RelayWorld) {
        let relay = above.relay
        switch action {
        case .authenticate:
            let identity = Identity(user: nil, scopes: .everything)
            session?.identified(identity)
            later { [unowned self] session in
                let cut = relay.position
                run(session.core.authenticated(.success(identity), newest: cut, lastMutation: nil, now: now))
            }
        case .open(let ticket, let request):
            let asking = session
            jobs.append { [unowned self] in
                relay.open(request, guest: nil) { [unowned self] result in
                    if asking == nil || asking !== session, case .success(let view) = result {
                        return relay.release(view.handles)
                    }
                    answered(asking) { [unowned self] in run($0.core.opened(ticket: ticket, result)) }
                }
            }
        case .release(let handles): jobs.append { relay.release(handles) }
        case .introduce(let call, let introduction):
            let credentials = Credentials(
                user: introduction.user, token: introduction.token, clientID: introduction.clientID)
            let asking = session
            jobs.append { [unowned self] in
                relay.introduce(credentials) { [unowned self] result in
                    if case .success(let known) = result { guestsAbove[introduction.guest] = known.guest }
                    answered(asking) { [unowned self] in
                        let identity = result.map { Self.identity($0.answer.user, Claims(sum: $0.answer.claims)) }
                        run($0.core.met(call: call, introduction, identity, now: now))
                    }
                }
            }
        case .locate(let call, let guest, _):
            later { [unowned self] session in
                let position = guestsAbove[guest].map { relay.locate($0) } ?? .failure(.unknownGuest)
                run(session.core.introduced(call: call, guest: guest, position, standing: .untilRevoked, now: now))
            }
        case .perform(let call, .plan(let request), let caller):
            let (asking, guest) = (session, caller.relayedGuest.flatMap { guestsAbove[$0] })
            jobs.append { [unowned self] in
                relay.plan(request, for: caller.reader, guest: guest) { [unowned self] result in
                    answered(asking) { [unowned self] in
                        $0.core.answered(call: call, result.map { CallBodyCodec.encode($0) }, now: now)
                    }
                }
            }
        case .perform(let call, _, _):
            later { [unowned self] in $0.core.answered(call: call, .failure(.unimplemented(.health)), now: now) }
        case .follow(let user): session?.follow(user)
        case .unfollow(let user): session?.unfollow(user)
        case .drop, .renew, .hit, .note, .refusedPublication, .close: break
        }
    }

    // MARK: - The relay's clients

    /// Introduces somebody.
    func introduce(_ user: String?, token: String? = nil) -> UInt32? {
        var guest: UInt32?
        let credentials = Credentials(
            user: user, token: token, clientID: [UInt8](repeating: 3, count: Hello.clientIDBytes))
        relay.introduce(credentials) { guest = (try? $0.get())?.guest }
        settle()
        return guest
    }

    /// Has somebody ask for a view, which is among `shown` once it is open.
    func open(_ ticket: Int, _ screen: String, user: String?, guest: UInt32) {
        let claims = Claims(sum: relay.guests[guest]?.claims ?? 0)
        let request = OpenRequest(screen: screen, locale: nil, parameters: [], user: user, claims: claims)
        relay.open(request, guest: guest) { [unowned self] result in
            if let old = shown.removeValue(forKey: ticket) { relay.release(old.view.handles) }
            if case .success(let view) = result { shown[ticket] = Shown(view: view, guest: guest) }
        }
    }

    /// Whether no repeated request waits for its answer: a session sends nothing until then.
    var isQuiet: Bool { relay.openings.isEmpty }

    func close(_ ticket: Int) {
        if let old = shown.removeValue(forKey: ticket) { relay.release(old.view.handles) }
    }

    private func published(_ publication: Publication) {
        publications.append(publication)
        if publication.end != nil { shown = [:] }
        for ticket in shown.keys {
            func renew(_ variant: inout OpenedView.Variant) {
                // As sessions do.
                if let current = publication.changes[variant.current.content], !current.isOlder(than: variant.current) {
                    variant.current = current
                }
            }
            if var view = shown[ticket]?.view {
                renew(&view.list)
                for index in view.sections.indices { renew(&view.sections[index]) }
                shown[ticket]?.view = view
            }
        }
        for (ticket, member) in shown.sorted(by: { $0.key < $1.key })
        where publication.replans.contains(member.view.screen) || publication.gone.contains(member.view.list.handle) {
            open(ticket, member.view.screen, user: relay.guests[member.guest]?.user, guest: member.guest)
        }
    }
}
