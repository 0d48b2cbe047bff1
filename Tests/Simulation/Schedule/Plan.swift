import MarqueeServer
import MarqueeStore
import MarqueeWire
import SeededRandom

/// The decisions of a seed in advance: the participants, the sizes of the limits, and the faults that may happen.
struct Plan {
    /// Kinds of faults a schedule may cause; each seed leaves some out, so that the others come closer together.
    enum Mischief: CaseIterable {
        case cuts, halfOpen, stalls, damage, garbage, unknown, kills, crashes, fullDisks, rot, sleep
        case serverCrashes, serverFullDisks, storeUnreachable, drains, lag, restores, copies, programmes, revocations,
            crowds, suspensions, relayLinks, arrivals, doubts, databases, revisions

        /// Those that need nothing special to be possible.
        static let ordinary = allCases.filter {
            ![.revocations, .crowds, .suspensions, .relayLinks, .arrivals, .doubts, .databases, .revisions].contains($0)
        }
    }

    /// Percent chance that a seed includes a kind of mischief.
    private static let mischiefPercent = 60

    var users: [String?] = ["ana", "ana", "ben"]
    var mischiefs: [Mischief]
    var steps: Int
    var bounds = VersionLibrary.Bounds()
    var parts = WireLimits.client
    var credits: [UInt64] = []
    var capacity: Int
    var storeLimits = StoreLimits()
    var dialect: Dialect?
    /// Mirrors are real SQLite files.
    var isOnFiles: Bool

    init(_ random: inout SeededGenerator) {
        steps = random.int(200...240)
        mischiefs = Mischief.ordinary.filter { _ in random.chance(Self.mischiefPercent) }
        if random.chance(50) { users.append(random.pick(["ben", nil]) ?? nil) }
        if random.chance(35) { bounds.versionBytes = random.int(2...12) << 10 }
        if random.chance(30) { bounds.patchBytes = random.int(1...8) << 10 }
        if random.chance(20) { bounds.versionMilliseconds = UInt64(random.int(1_000...20_000)) }
        if random.chance(20) { bounds.patchMilliseconds = UInt64(random.int(1_000...10_000)) }
        if random.chance(50) { parts.partBytes = UInt32(random.int(300...3_000)) }
        for _ in users { credits.append(random.pick([500, 2_000, 1 << 20]) ?? 500) }
        capacity = random.pick([300, 4_000, 64_000]) ?? 64_000
        if random.chance(30) { storeLimits.historyBytes = random.int(1...3_000) }
        if random.chance(12) { (storeLimits.clients, storeLimits.recentClientSeconds) = (2, 0) }
        if random.chance(12) { storeLimits.answersPerClient = random.int(1...3) }
        if random.chance(12) { dialect = Dialect() }
        isOnFiles = random.chance(4)
    }

    /// Nothing goes wrong on its own, and all limits are as shipped.
    init(quietFor users: [String?], steps: Int = 0) {
        self.users = users
        self.steps = steps
        mischiefs = []
        capacity = 64_000
        credits = users.map { _ in 1 << 20 }
        isOnFiles = false
    }

    /// One schedule in this many has an audience.
    static let audienceEvery: UInt64 = 8
    /// Its devices.
    private static let audience = 8

    /// Adds devices that show the same screen and have no user, so that large cohorts form.
    mutating func addAudience() {
        users += Array(repeating: nil, count: Self.audience)
        credits += Array(repeating: 1 << 20, count: Self.audience)
    }

    /// One schedule in this many has apps that the system suspends.
    static let suspensionsEvery: UInt64 = 7

    /// Lets apps be suspended and resumed.
    mutating func addSuspensions() { mischiefs.append(.suspensions) }

    /// Whether the nodes' store is a database, which tells them later what others have written, fails over, and leaves
    /// them in doubt about commits.
    private(set) var hasDatabase = false
    /// Nodes over the store.
    var servers: Int { hasDatabase ? 3 : 2 }
    /// Those behind the servers; where they form a chain, each mostly behind the one before.
    var relays: Int { hasDatabase ? isChain ? 3 : 2 : 0 }
    /// Whether relays form a chain, and clients arrive at them while connections upstream break.
    private(set) var isChain = false

    /// One schedule in this many has relays, unless it has small limits.
    static let relaysEvery: UInt64 = 2
    /// Whether the catalogue has a time, which screens depend on.
    private(set) var hasTimes = false

    /// One schedule in this many has times, unless it has small limits.
    private static let timesEvery: UInt64 = 11

    static func hasTimes(_ seed: UInt64) -> Bool {
        seed % timesEvery == 7 && !seed.isMultiple(of: limitsEvery)
    }

    /// Lets the catalogue's time be committed, by a programme with sections that follow it.
    mutating func addTimes() { hasTimes = true }

    /// In one schedule in this many, the relays form a chain, if there are any.
    static let chainsEvery: UInt64 = 4

    /// Whether screens have sections whose windows may be anywhere, and people scroll in them.
    private(set) var hasWindows = false

    /// One schedule in this many has windows anywhere, unless it has small limits.
    private static let windowsEvery: UInt64 = 17

    static func hasWindows(_ seed: UInt64) -> Bool {
        seed % windowsEvery == 5 && !seed.isMultiple(of: limitsEvery)
    }

    /// Lets people scroll in sections whose windows may be anywhere.
    mutating func addWindows() { hasWindows = true }

    /// Puts more servers over a database, and relays behind them.
    mutating func addRelays(inChain: Bool) {
        hasDatabase = true
        isChain = inChain
        mischiefs += [.relayLinks, .doubts, .doubts, .databases, .databases]
        if inChain { mischiefs += [.arrivals, .arrivals, .arrivals] }
        if hasAudiences { mischiefs += [.revisions, .revisions] }
    }

    /// One schedule in this many has tokens that end and are revoked, and may allow little.
    static let tokensEvery: UInt64 = 3
    /// How long tokens are valid, in milliseconds; `nil` without tokens.
    private(set) var tokenMilliseconds: UInt64?

    /// Whether not all tokens allow everything.
    private(set) var hasScopes = false

    /// Lets servers admit clients by tokens.
    mutating func addTokens(_ random: inout SeededGenerator) {
        tokenMilliseconds = UInt64(random.int(5...20)) * 1_000
        hasScopes = random.chance(60)
        mischiefs.append(.revocations)
    }

    /// Whether tokens say which plan their user has, and the programme has sections and values by audience.
    private(set) var hasAudiences = false

    /// Some of the schedules with tokens, with relays or without, and without times, windows anywhere and small limits.
    static func hasAudiences(_ seed: UInt64) -> Bool {
        (seed % 18 == 15 || [30, 42].contains(seed % 54)) && !seed.isMultiple(of: limitsEvery) && !hasTimes(seed)
            && !hasWindows(seed)
    }

    /// Lets renewed tokens put their users into other audiences. Nothing is forgotten that patches need.
    mutating func addAudiences() {
        hasAudiences = true
        bounds = VersionLibrary.Bounds()
    }

    /// One schedule in this many has servers with small limits.
    static let limitsEvery: UInt64 = 5
    /// Of each server; `nil` for those that ship.
    private(set) var limits: ServerLimits?

    /// Makes limits small, but not too small for all devices, each with one screen and one connection. All may be at
    /// one server, except that those of a user may have to go to both.
    mutating func addLimits(_ random: inout SeededGenerator) {
        // One mirror may be copied to another device.
        let devices = users.count + 1
        let ofOneUser = Dictionary(grouping: users) { $0 }.values.map(\.count).max() ?? 0
        var limits = ServerLimits()
        limits.connections = devices + random.int(0...3)
        limits.connectionsPerAddress = ofOneUser + random.int(1...2)
        limits.connectionsPerUser = 2
        limits.unauthenticated = devices + random.int(0...1)
        limits.variantsPerConnection = random.int(10...14)
        limits.variants = random.int(22...25) + (users.count > Self.audience ? 2 * Self.audience : 0)
        self.limits = limits
        mischiefs.append(.crowds)
    }

    func has(_ mischief: Mischief) -> Bool { mischiefs.contains(mischief) }
}
