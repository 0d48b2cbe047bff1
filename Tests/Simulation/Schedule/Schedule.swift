import Foundation
import MarqueeCatalogue
import MarqueeClient
import MarqueeMirror
import MarqueeModel
import MarqueeScreens
import MarqueeServer
import MarqueeStore
import MarqueeWire
import NIOCore
import SeededRandom

/// Some nodes over one store, relays behind them, some users' devices, and everything that can happen to them, driven
/// by one seed.
package final class Schedule {
    /// Minimum commits per schedule.
    static let commits: UInt64 = 20

    package let seed: UInt64
    let plan: Plan
    let judge: Judge
    let database: SimulatedDatabase
    /// Those over the store, then relays.
    private(set) var nodes: [Node] = []
    private(set) var devices: [Device] = []
    var random: SeededGenerator
    private(set) package var now: UInt64 = 1_000
    private(set) var step = 0
    /// Whether nothing new happens any more.
    var isCalm = false
    var connections = 0
    /// A test's hook for each frame in transit: the frame, its connection, and whether it goes to the server.
    var onTheWay: ((ByteBuffer, Connection, Bool) -> ByteBuffer)?
    var stamps = 0
    var backups: [Int: MemoryStore] = [:]
    /// Writes that the standby does not have.
    var standbyLacks = 0
    /// The content of a promoted standby that lacked commits.
    var promoted: MemoryStore?
    /// Clients that came when a clock leapt.
    var newcomers = 0
    /// Whether something happens in the middle of a node's write.
    var isWithinStep = false
    /// When the operator gives a database that has lost commits new epochs.
    var newEpochsAt: Int?
    /// The relay at which a device arrives next, by its number.
    var arrivals: [Int: Int] = [:]
    /// Connections of no device, which say nothing.
    var crowd: [Connection] = []
    private let folder: URL?
    let authority: TokenAuthority?

    /// - Parameter trace: records what happens.
    package convenience init(seed: UInt64, trace: Trace? = nil) throws {
        var random = SeededGenerator(seed: seed)
        var plan = Plan(&random)
        if seed.isMultiple(of: Plan.audienceEvery) { plan.addAudience() }
        if seed.isMultiple(of: Plan.tokensEvery) { plan.addTokens(&random) }
        if seed.isMultiple(of: Plan.suspensionsEvery) { plan.addSuspensions() }
        if seed.isMultiple(of: Plan.limitsEvery) { plan.addLimits(&random) }
        if Plan.hasTimes(seed) { plan.addTimes() }
        if Plan.hasWindows(seed) { plan.addWindows() }
        if Plan.hasAudiences(seed) { plan.addAudiences() }
        if Self.hasRelays(seed) { plan.addRelays(inChain: seed.isMultiple(of: Plan.chainsEvery)) }
        try self.init(seed: seed, plan: plan, random: random, trace: trace)
    }

    /// Whether a seed's schedule has a database and relays.
    package static func hasRelays(_ seed: UInt64) -> Bool {
        seed.isMultiple(of: Plan.relaysEvery) && !seed.isMultiple(of: Plan.limitsEvery)
    }

    /// Whether tokens name plans in a seed's schedule.
    package static func hasAudiences(_ seed: UInt64) -> Bool { Plan.hasAudiences(seed) }

    init(seed: UInt64, plan: Plan, random: SeededGenerator? = nil, trace: Trace? = nil) throws {
        self.seed = seed
        self.plan = plan
        self.random = random ?? SeededGenerator(seed: seed)
        let store = MemoryStore(limits: plan.storeLimits, seed: seed)
        database = SimulatedDatabase(engine: store, seed: seed)
        if plan.hasDatabase { database.addHost() }
        database.now = now
        let epochs = (try store.catalogueHead().epoch, try store.userHead("").epoch)
        authority = plan.tokenMilliseconds.map {
            TokenAuthority(
                milliseconds: $0, generosity: plan.hasScopes ? .moody : .steady,
                hasPlans: plan.hasAudiences, seed: seed)
        }
        judge = Judge(
            truth: Truth(dialect: plan.dialect, catalogueEpoch: epochs.0, userEpoch: epochs.1), users: plan.users,
            clients: plan.storeLimits.clients, authority: authority, relaysFrom: plan.servers, limits: plan.limits)
        judge.trace = trace
        folder = plan.isOnFiles ? try Self.makeFolder() : nil
        database.onWrite = { [unowned self] in written($0, $1, by: $2) }
        database.onStep = { [unowned self] in stepped($0, $1) }
        database.onFault = { [unowned self] in judge.fail($0, $1) }
        database.onOccurrence = { [unowned self] in judge.count($0) }
        try database.write([.catalogue(key: nil, changes: RandomChanges.first(), mutation: nil)])
        if plan.hasTimes || plan.hasWindows || plan.hasAudiences {
            let programme = Programmes.text(
                .first, hasTimes: plan.hasTimes, hasWindows: plan.hasWindows, hasAudiences: plan.hasAudiences)
            try database.write([.catalogue(key: nil, changes: [.programme(programme)], mutation: nil)])
        }
        var session = SessionSettings(cluster: store.cluster, node: "", agent: "simulation", locales: ["en"])
        session.variantsPerConnection = plan.limits?.variantsPerConnection ?? session.variantsPerConnection
        for number in 0..<(plan.servers + plan.relays) {
            session.node = "node \(number)"
            let settings = Node.Settings(
                session: session, bounds: plan.bounds, parts: plan.parts, programme: Programmes.parsed(nil),
                authority: authority, limits: plan.limits ?? ServerLimits(), dialect: plan.dialect)
            let node = Node(number: number, settings: settings, judge: judge) { node in
                if number < plan.servers { return HubContent(node, database: database, isFollowing: plan.hasDatabase) }
                return RelayContent(node, world: self)
            }
            node.onTheWay = { [unowned self] in damaged($1, on: $0) }
            try node.start(now: now)
            nodes.append(node)
        }
        for (number, user) in plan.users.enumerated() {
            let disk: Disk
            if let folder {
                disk = .file(FileDisk(folder: folder.appendingPathComponent("device-\(number)")))
            } else {
                disk = .memory(MemoryDisk(MirrorState(clientID: [UInt8](repeating: UInt8(number + 1), count: 16))))
            }
            addDevice("device \(number)", user, disk, plan.credits[number])
            try devices[number].start(now: now)
            devices[number].show(Self.home)
        }
        if plan.dialect != nil { judge.count(.dialect) }
        if plan.isOnFiles { judge.count(.storedOnFile) }
    }

    deinit { if let folder { try? FileManager.default.removeItem(at: folder) } }

    static let home = ViewID(screen: "home", locale: "en")
    static let collectionSet = ViewID(screen: ScreenID.collectionSet.name, locale: "en")

    private static func makeFolder() throws -> URL {
        // In memory if possible: this tests the code, not the disk.
        let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
        let base =
            FileManager.default.isWritableFile(atPath: memory.path) ? memory : FileManager.default.temporaryDirectory
        let folder = base.appendingPathComponent("marquee-simulation-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    func addDevice(_ name: String, _ user: String?, _ disk: Disk, _ credit: UInt64) {
        var limits = WireLimits.client
        limits.creditBytes = credit
        devices.append(
            Device(
                number: devices.count, name: name, user: user, disk: disk, limits: limits, judge: judge, world: self))
    }

    /// A disk for another device.
    func newDisk() -> Disk? {
        folder.map { .file(FileDisk(folder: $0.appendingPathComponent("device-\(devices.count)"))) }
    }

    // MARK: - Outcome

    package var violation: Violation? { judge.violation }
    package var counts: Counts { judge.counts }
    package var trace: Trace? { judge.trace }
    package var steps: Int { step }

    /// Runs to the end, or to the first violation.
    package func run() {
        defer {
            for device in devices { device.end() }
            for node in nodes { node.crash() }
        }
        for _ in 0..<plan.steps {
            if judge.violation != nil { return }
            beginStep(after: UInt64(random.int(0...400)))
            act()
            for _ in 0..<random.int(1...4) { everybodyMoves() }
        }
        repairStore()
        while judge.counts[.commit] < Self.commits, judge.violation == nil {
            beginStep(after: UInt64(random.int(0...400)))
            for node in nodes where !node.isUp { start(node) }
            commit(RandomChanges.commit(&random))
            for _ in 0..<3 { everybodyMoves() }
        }
        calmDown()
    }

    var stores: [HubContent] { nodes.compactMap(\.stored) }
    var relays: [RelayContent] { nodes.compactMap(\.relayed) }

    func beginStep(after pause: UInt64) {
        step += 1
        let before = now
        now += pause
        authority?.now = now
        database.now = now
        judge.trace?.step = step
        judge.trace?.now = now
        if before / 1_000 != now / 1_000 { for node in nodes { node.tick(now: now) } }
    }

    // MARK: - Moving

    /// Threads, sockets and clocks make progress, in random order.
    private func everybodyMoves() {
        for device in devices.shuffled(using: &random) {
            guard judge.violation == nil else { return }
            move(device)
        }
        for connection in crowd where random.chance(50) { serve(connection, .max, 1) }
        for relay in relays { move(relay) }
        for _ in 0..<random.int(0...6) { work(nodes[random.int(0...nodes.count - 1)]) }
    }

    private func move(_ device: Device) {
        guard device.sleepsUntil <= step else { return }
        device.advance(to: now)
        if let connection = device.connection {
            if random.chance(60) { serve(connection, random.int(1...1_500), random.int(1...4)) }
            if connection.stalledUntil <= step, random.chance(60) {
                let limit = random.int(1...3_000)
                if connection.toClient.readableBytes > limit { judge.count(.split) }
                device.read(limit)
            }
        }
        // Connections abandoned by the device.
        for node in nodes {
            for session in node.sessions where session.connection.device == device.number {
                if session.connection !== device.connection, random.chance(50) {
                    serve(session.connection, .max, 1)
                }
            }
        }
    }

    /// A relay's connection makes progress, in both directions.
    private func move(_ relay: RelayContent) {
        if let link = relay.link {
            if random.chance(70) { serve(link, .max, random.int(1...8)) }
            if link.stalledUntil <= step, random.chance(70) { relay.read(random.int(1...6_000), now: now) }
        } else {
            relay.read(now: now)
        }
        // Connections abandoned by the relay.
        for node in nodes {
            for session in node.sessions where session.connection.relay === relay {
                if session.connection !== relay.link { serve(session.connection, .max, 1) }
            }
        }
    }

    /// A node reads and writes.
    func serve(_ connection: Connection, _ bytes: Int, _ frames: Int) {
        let node = nodes[connection.node]
        guard node.isUp, let session = node.session(of: connection) else { return }
        session.read(bytes, now: now)
        session.pump(frames, now: now)
    }

    private func damaged(_ frame: ByteBuffer, on connection: Connection) -> ByteBuffer {
        if let onTheWay { return onTheWay(frame, connection, false) }
        guard let damage = connection.damage, let result = damage.applied(to: frame, &random) else { return frame }
        connection.damage = nil
        if damage == .bit || damage == .garbage { connection.isGarbled = true }
        // A damaged bit is caught before anything is refused, so it excuses nothing.
        if damage != .bit { judge.record(.damaged(connection: connection.number)) }
        switch damage {
        case .bit: judge.count(.bitDamaged)
        case .content: judge.count(.contentDamaged)
        case .garbage: judge.count(.garbage)
        case .unknownKind: judge.count(.unknownKind)
        case .unknownField: judge.count(.unknownField)
        }
        judge.note("a frame on connection \(connection.number) is changed: \(damage)")
        return result
    }

    /// A node's thread does one thing.
    private func work(_ node: Node) {
        guard node.isUp else { return }
        if let stored = node.stored, stored.hasNews, random.chance(30) { return look(stored, limit: random.int(1...3)) }
        if let stored = node.stored, stored.hasReads, random.chance(20) {
            return stored.runReads(overtakes: random.chance(30))
        }
        switch random.int(0...3) {
        case 0: node.runJob(now: now)
        case 1: write(node)
        default:
            let members = random.int(1...3)
            random.pick(node.loops)?.runEvent(now: now, members: members, overtakes: random.chance(30))
        }
    }

    /// A node looks at the database, and ends if that lacks what it knows.
    func look(_ stored: HubContent, limit: Int) {
        stored.look(limit: limit)
        guard stored.isLost else { return }
        judge.note("node \(stored.node.number) ends: the database has lost what it has seen")
        judge.count(.databaseFoundBehind)
        stored.node.crash()
    }

    func write(_ node: Node) {
        guard let stored = node.stored else { return node.runJob(now: now) }
        stored.runWrites(overtakes: random.chance(30))
        guard stored.store.hasCrashed else { return }
        judge.note("node \(node.number) dies in a write")
        judge.count(.serverCrashedInWrite)
        node.crash()
    }

    private func written(_ writes: [StoreWrite], _ outcomes: [StoreOutcome], by author: NodeStore?) {
        judge.record(.wrote(writes, outcomes))
        standbyLacks += writes.count
        if newEpochsAt != nil {
            judge.fail(.exactlyOnce, "a node writes to a promoted standby that lacks what has been seen")
        }
        if newcomers > 0 { judge.record(.remembered { [database] in try? database.engine.lastMutation(of: $0) }) }
        for (write, outcome) in zip(writes, outcomes) {
            guard case .done(_, changed: true) = outcome else { continue }
            for store in stores { store.wrote(write, outcome, by: author) }
        }
    }

    // MARK: - Commits

    /// Publishes at a node that is up.
    func commit(_ changes: [Change]) {
        guard let node = random.pick(nodes.filter { $0.isUp && $0.stored != nil }) else { return }
        judge.note("commit at node \(node.number): \(changes.map(\.key))")
        _ = node.stored?.submit(.catalogue(key: nil, changes: changes, mutation: nil)) { _ in }
        if isCalm || random.chance(70) { write(node) }
    }
}
