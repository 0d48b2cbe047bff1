import MarqueeMirror
import MarqueeModel
import MarqueeScreens
import MarqueeStore
import MarqueeWire
import NIOCore
import Testing

@testable import MarqueeClient
@testable import MarqueeServer

/// One server, some clients and everything that can happen to them, drawn from one seed.
final class RandomSchedule {
    private let seed: UInt64
    private var random: SeededGenerator
    private var now: UInt64 = 0
    private let server: SimulatedServer
    private var clients: [SimulatedClient] = []
    private let history: History
    private let capacity: Int
    /// Clients that don't read, and until which step.
    private var stalled: [String: Int] = [:]
    private var step = 0
    private var isCalm = false
    // What has to hold
    private var positions: [String: Cut] = [:]
    /// The last wish for each favorite by client; no two clients wish for the same one.
    private var wishes: [String: [String: Bool]] = [:]
    /// What happened, for the log of a seed that failed.
    private(set) var log: [String] = []
    private(set) var hasFailed = false
    /// What the runs of all seeds have to meet at least once.
    private(set) var cuts = 0
    private(set) var repairs = 0

    init(seed: UInt64) throws {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        let store = MemoryStore(seed: seed)
        _ = try store.write([.catalogue(key: nil, changes: RandomCatalogue.first(), mutation: nil)])
        let programme = try Programme.parse(text: RandomCatalogue.programme, file: "random.yaml")
        let settings = SessionSettings(cluster: store.cluster, node: "n", agent: "simulation", locales: ["en"])
        var bounds = VersionLibrary.Bounds()
        if random.chance(30) { bounds.versionBytes = random.int(2...20) << 10 }
        if random.chance(30) { bounds.patchBytes = random.int(1...8) << 10 }
        var parts = WireLimits.client
        if random.chance(50) { parts.partBytes = UInt32(random.int(300...3_000)) }
        capacity = random.pick([300, 4_000, 64_000]) ?? 64_000
        server = try SimulatedServer(
            store: store, programme: programme, settings: settings, bounds: bounds, partLimits: parts)
        history = try History(store: store, programme: programme)
        for index in 0..<random.int(2...4) {
            var limits = WireLimits.client
            limits.creditBytes = random.pick([500, 2_000, 1 << 20]) ?? 500
            let user = random.pick(["ana", "ben", nil]) ?? nil
            let client = try SimulatedClient(
                name: "client \(index)", user: user, clientID: UInt8(index + 1), limits: limits)
            client.onMove = { [unowned self, unowned client] in moved(client) }
            client.onSend = { [unowned self] in if case .nack = $0 { repairs += 1 } }
            client.watch(ViewID(screen: "home", locale: "en"))
            clients.append(client)
        }
        server.onWrite = { [unowned self] in follow() }
        follow()
    }

    // MARK: - The schedule

    func run(steps: Int) throws {
        for _ in 0..<steps where !hasFailed {
            step += 1
            now += UInt64(random.int(0...400))
            try act()
            for _ in 0..<random.int(1...5) {
                for client in clients.shuffled(using: &random) { transport(client) }
                for _ in 0..<random.int(0...4) { try work() }
            }
            check()
        }
        try calm()
    }

    private func follow() {
        do { try history.follow(clients.compactMap(\.user)) } catch { fail("\(error)") }
    }

    private func note(_ what: String) { log.append("\(step): \(what)") }

    private func act() throws {
        guard let client = random.pick(clients) else { return }
        switch random.int(0...22) {
        case 0...4:
            let changes = RandomCatalogue.commit(&random)
            note("commit \(changes.map(\.key))")
            try server.commit(changes)
        case 5...7: try setFavorite(client)
        case 8: watchOrNot(client)
        case 9: setParameters(client)
        case 10:
            note("\(client.name) is cut off")
            client.connection?.cut()
        case 11:
            note("\(client.name) disconnects")
            client.disconnect()
        case 12:
            stalled[client.name] = step + random.int(1...40)
        case 13:
            let session = client.connection.flatMap { server.session(of: $0) }
            note("a frame to \(client.name) is damaged")
            session?.damage = { Self.damaged($0) }
        case 14:
            if random.chance(30) {
                note("\(client.name) restarts")
                client.restart()
            }
        case 15:
            if random.chance(20) {
                note("the server restarts")
                try server.restart()
            }
        case 16: tick(after: UInt64(random.int(0...20_000)))
        default: break
        }
    }

    private func setFavorite(_ client: SimulatedClient) throws {
        guard client.user != nil, let index = clients.firstIndex(where: { $0 === client }) else { return }
        let own = RandomCatalogue.movies.filter { Int($0) % clients.count == index }
        guard let id = random.pick(Array(own)) else { return }
        let wish = random.chance(60)
        note("\(client.name) wishes movie/\(id) \(wish)")
        wishes[client.name, default: [:]]["movie/\(id)"] = wish
        try client.setFavorite("movie/\(id)", wish)
    }

    private func watchOrNot(_ client: SimulatedClient) {
        var screens = ["home", "detail/1", "detail/2", "genre/1", "genre/2"]
        if client.user != nil { screens.append("favorites") }
        let id = ViewID(screen: random.pick(screens) ?? "home", locale: "en")
        note("\(client.name) \(client.isWatching(id) ? "leaves" : "watches") \(id.screen)")
        if client.isWatching(id) { client.unwatch(id) } else { client.watch(id) }
    }

    private func setParameters(_ client: SimulatedClient) {
        let sort = random.pick(["popularity", "release-date", "title"]) ?? ""
        let parameters = [
            SectionParameters(section: "rank", sort: sort),
            SectionParameters(section: "basic", window: UInt32(random.int(1...9))),
        ]
        note("\(client.name) wants \(sort)")
        client.setParameters(parameters, of: ViewID(screen: "home", locale: "en"))
    }

    private func tick(after pause: UInt64) {
        now += pause
        for session in server.sessions { session.tick(now: now) }
        for client in clients { client.tick(now: now) }
    }

    /// Some bytes move between a client and the server.
    private func transport(_ client: SimulatedClient) {
        guard let connection = client.connection else {
            if random.chance(50) { connect(client) }
            return
        }
        if random.chance(60) { server.session(of: connection)?.read(random.int(1...1_500), now: now) }
        if random.chance(60) { server.session(of: connection)?.pump(random.int(1...4), now: now) }
        if stalled[client.name] ?? 0 < step, random.chance(60) { client.read(random.int(1...3_000), now: now) }
    }

    private func connect(_ client: SimulatedClient) {
        let connection = Connection(capacity: capacity)
        note("\(client.name) connects")
        server.accept(connection, now: now)
        client.connect(connection, now: now)
    }

    /// A thread of the server does one thing.
    private func work() throws {
        switch random.int(0...3) {
        case 0: server.runHubJob()
        case 1: try server.runWrite()
        default: random.pick(server.sessions)?.runEvent(now: now)
        }
    }

    /// One byte of new content is another one.
    private static func damaged(_ frame: Frame) -> ByteBuffer? {
        func flip(_ bytes: inout [UInt8]) -> Bool {
            guard let last = bytes.indices.last else { return false }
            bytes[last] ^= 1
            return true
        }
        guard let message = try? MessageCodec.decode(frame, limits: .client) else { return nil }
        switch message {
        case .data(var part), .stage(var part):
            guard !part.adds.isEmpty, flip(&part.adds[0].body) else { return nil }
            return MessageCodec.encode(frame.kind == .stage ? .stage(part) : .data(part), flags: frame.flags)
        default: return nil
        }
    }

    // MARK: - What has to hold

    private func fail(_ problem: String) {
        guard !hasFailed else { return }
        hasFailed = true
        let story = log.suffix(30).joined(separator: "\n")
        Issue.record("seed \(seed), step \(step): \(problem)\n\(story)")
    }

    /// After each cut and progress: never back (G1), and all live views at one position, not behind the one said (G3, G9).
    private func moved(_ client: SimulatedClient) {
        cuts += 1
        let position = client.core.position
        if let before = positions[client.name], !position.contains(before) {
            fail("\(client.name) went back from \(before) to \(position)")
        }
        positions[client.name] = position
        let live = client.watched.filter { client.core.isLive($0.id) }
        for revision in position.catalogueRevision...max(position.catalogueRevision, history.newest) {
            let newestOfUser = history.newest(of: client.user)
            for userRevision in position.userRevision...max(position.userRevision, newestOfUser)
            where live.allSatisfy({ isAt(revision, userRevision, client, $0.id, $0.parameters) }) {
                return
            }
        }
        fail("\(client.name) shows \(live.map(\.id)) at no position from \(position) on")
    }

    private func isAt(
        _ revision: UInt64, _ userRevision: UInt64, _ client: SimulatedClient, _ id: ViewID,
        _ parameters: [[SectionParameters]]
    ) -> Bool {
        guard let content = client.core.content(of: id) else { return false }
        return parameters.reversed().contains { wish in
            history.content(of: id, wish, user: client.user, at: revision, userRevision)?.hasSums(of: content) ?? false
        }
    }

    /// After each step: whoever wished for something sees it so, whatever happens between (G6).
    private func check() {
        for client in clients {
            for (subject, wish) in wishes[client.name] ?? [:]
            where client.favorites.mark(of: subject).isFavorite != wish {
                fail("\(client.name) wished \(subject) \(wish) and sees \(client.favorites.mark(of: subject))")
            }
            for status in client.refusals where status.reason != "UNKNOWN_MOVIE" {
                fail("\(client.name) was refused: \(status)")
            }
        }
    }

    // MARK: - The end

    /// Nothing new happens, everybody reads: in the end all is equal (G2).
    private func calm() throws {
        stalled.removeAll()
        for session in server.sessions { session.damage = nil }
        for round in 1...600 where !hasFailed {
            step += 1
            now += 50
            for client in clients where client.connection == nil { connect(client) }
            if round % 50 == 0 { tick(after: UInt64(server.settings.progressIntervalMilliseconds)) }
            try server.settle(now: now)
            for session in server.sessions {
                session.read(now: now)
                session.pump(now: now)
            }
            for client in clients { client.read(now: now) }
            check()
            if round % 50 == 1, isQuiet { return checkEnd() }
        }
        for client in clients {
            note("\(client.name): \(client.core.position), live \(client.watched.map { client.core.isLive($0.id) })")
        }
        fail("no quiet")
    }

    private var isQuiet: Bool {
        !server.hasWork
            && clients.allSatisfy { client in
                client.core.position.catalogueRevision == history.newest
                    && client.core.position.userRevision == history.newest(of: client.user)
                    && client.watched.allSatisfy { client.core.isLive($0.id) }
                    && (try? client.mirror.outbox().isEmpty) == true
            }
    }

    private func checkEnd() {
        for client in clients {
            for (id, parameters) in client.watched {
                guard
                    let expected = history.content(
                        of: id, parameters.last ?? [], user: client.user, at: history.newest,
                        history.newest(of: client.user)), let stored = try? client.mirror.view(id)
                else {
                    fail("\(client.name): nothing to compare \(id) with")
                    continue
                }
                if !expected.equals(stored.list, stored.sections) { fail("\(client.name): \(id) differs") }
                if stored.cut != client.core.position { fail("\(client.name): \(id) is stored at \(stored.cut)") }
            }
            guard let user = client.user, let (_, favorites) = try? server.store.favorites(of: user) else { continue }
            for (subject, wish) in wishes[client.name] ?? [:]
            where favorites.contains(where: { $0.subject == subject }) != wish {
                fail("\(client.name): \(subject) is not \(wish) in the store")
            }
        }
    }
}
