import Foundation
import MarqueeModel
import SeededRandom
import Testing

@_spi(Admin) @testable import MarqueeClient

extension Faults {
    @Suite("kill -9", .timeLimit(.minutes(Extent.cycleMinutes)))
    struct KillTests {
        @Test func `Whatever is killed, and whenever, confirmed favorites and published changes stay`() async throws {
            let folder = try Faults.folder()
            defer { try? FileManager.default.removeItem(at: folder) }
            var scene = try await KillScene(in: folder, seed: Extent.seed)
            defer { print(scene.summary) }
            for _ in 0..<Extent.cycles { try await scene.cycle() }
            try await scene.end()
            #expect(scene.violations.isEmpty)
            #expect(scene.kills.values.reduce(0, +) == Extent.cycles)
            let kinds = min(Extent.cycles, KillScene.Victim.allCases.count)
            #expect(scene.kills.keys.count == kinds, "each kind of process was killed, where there were cycles enough")
        }
    }
}

/// A server, three people with favorites, a subscriber and a publisher; one of them is killed in each cycle.
struct KillScene {
    enum Victim: String, CaseIterable {
        case server
        case writer
        case subscriber
    }

    private let folder: URL
    private let server: ServerProcess
    private let writers: [FavoriteWriter]
    private let readers: [String: MarqueeClient]
    private let publisher: Publisher
    private var random: SeededGenerator
    private let seed: UInt64
    /// How long an undisturbed command takes here, in microseconds: kills are spread over that time.
    private var usual = 200_000.0
    private(set) var kills: [Victim: Int] = [:]
    /// Those not killed yet; they come first.
    private var spared: [Victim]
    private(set) var violations: [String] = []
    /// The mirrors that were found intact once.
    private var complete: Set<String> = []
    private var checked = 0
    private var verified = 0

    init(in folder: URL, seed: UInt64) async throws {
        self.folder = folder
        self.seed = seed
        random = SeededGenerator(seed: seed)
        spared = Victim.allCases.shuffled(using: &random)
        server = try ServerProcess(in: folder)
        try await server.start()
        let movies: [UInt64] = [27_205, 496_243, 157_336, 13, 680, 1_124, 857, 281_957, 155]
        writers = [("mina", 0), ("mina", 3), ("jun", 6)].map { user, first in
            FavoriteWriter(
                user: user, name: "writer-\(first)", subjects: movies[first..<first + 3].map { .movie($0) }, in: folder)
        }
        var readers: [String: MarqueeClient] = [:]
        for user in ["mina", "jun"] { readers[user] = try Self.client(server.port, user: user) }
        self.readers = readers
        publisher = Publisher(try Self.client(server.port, user: nil), movie: 27_205)
    }

    private static func client(_ port: Int, user: String?, mirror: String? = nil) throws -> MarqueeClient {
        var configuration = ClientConfiguration(host: "127.0.0.1", port: port, user: user, mirror: .memory)
        if let mirror { configuration.mirror = .file(mirror) }
        configuration.backoff = .milliseconds(10)...(.milliseconds(200))
        return MarqueeClient(configuration)
    }

    // MARK: - A cycle

    mutating func cycle() async throws {
        let victim =
            spared.popLast() ?? random.pick([.server, .server, .writer, .writer, .subscriber]) ?? .server
        let moment = Duration.microseconds(Int64(usual * Double.random(in: 0.1...1.1, using: &random)))
        let publication = Task { [publisher] in await publisher.publish() }
        switch victim {
        case .server: try await killServer(after: moment)
        case .writer: try await killWriter(after: moment)
        case .subscriber: try await killSubscriber(after: moment)
        }
        await publication.value
        kills[victim, default: 0] += 1
        try await check(sent: false)
    }

    private mutating func killServer(after moment: Duration) async throws {
        var attempts: [(FavoriteWriter, FavoriteWriter.Attempt)] = []
        for writer in writers.shuffled(using: &random).prefix(random.int(1...2)) {
            attempts.append((writer, try writer.begin(server: server.address, using: &random)))
        }
        try await Task.sleep(for: moment)
        try await server.kill()
        // Sometimes the commands give up before a server is back.
        let isDown = random.chance(15)
        if !isDown { try await server.start() }
        for (writer, attempt) in attempts { try await writer.finish(attempt) }
        if isDown { try await server.start() }
    }

    private mutating func killWriter(after moment: Duration) async throws {
        guard let writer = writers.randomElement(using: &random) else { return }
        let attempt = try writer.begin(server: server.address, using: &random)
        try await Task.sleep(for: moment)
        attempt.process.signal(SIGKILL)
        if try await writer.finish(attempt) == .confirmed {
            usual = 0.9 * usual + 0.1 * Double((ContinuousClock.now - attempt.began) / .microseconds(1))
        }
        try await verify(writer.mirror)
    }

    private mutating func killSubscriber(after moment: Duration) async throws {
        let mirror = folder.appending(path: "subscriber-\(random.int(0...1)).sqlite").path
        let process = try RunningProcess(
            "marquee", ["subscribe", "home", "--server", server.address, "--mirror", mirror, "--quiet"], in: folder)
        // It should also be killed while it stores, not only while it starts.
        try await Task.sleep(for: moment)
        let publication = Task { [publisher] in await publisher.publish() }
        try await Task.sleep(for: .microseconds(random.int(0...30_000)))
        try await process.stop(SIGKILL)
        await publication.value
        try await verify(mirror)
    }

    // MARK: - What has to be true

    private mutating func verify(_ mirror: String) async throws {
        guard FileManager.default.fileExists(atPath: mirror) else { return }
        if !complete.contains(mirror) {
            // It may have been killed while being created: then the next user creates it again.
            await (try Self.client(server.port, user: user(of: mirror), mirror: mirror)).close()
            complete.insert(mirror)
        }
        do throws(ClientError) {
            let damage = try MirrorInspection.verify(at: mirror)
            if !damage.isEmpty { violations.append("\(mirror) is damaged: \(damage)") }
        } catch {
            violations.append("\(mirror) can't be read: \(error)")
        }
        verified += 1
    }

    private func user(of mirror: String) -> String? { writers.first { $0.mirror == mirror }?.user }

    private mutating func check(sent: Bool) async throws {
        for writer in writers {
            guard let reader = readers[writer.user] else { continue }
            let set = try await reader.fetchScreen(ScreenID("user-collections"))
            let favorites = set.sections.flatMap(\.items).compactMap(\.subject)
            violations += writer.ledger.violations(in: favorites, sent: sent)
            // Each effective change is one revision, so nothing took effect twice.
            let issued = writers.filter { $0.user == writer.user }.flatMap { $0.ledger.operations.values }
                .reduce(0) { $0 + $1.count }
            if set.revision.userRevision > issued {
                violations.append("revision \(set.revision.userRevision) of \(writer.user) after \(issued) changes")
            }
            checked += writer.ledger.operations.count
        }
        violations += await publisher.violations()
    }

    /// Lets everything stored be sent, and compares.
    mutating func end() async throws {
        for writer in writers {
            guard FileManager.default.fileExists(atPath: writer.mirror) else { continue }
            let client = try Self.client(server.port, user: writer.user, mirror: writer.mirror)
            var home = client.screen(.home).makeAsyncIterator()
            _ = try await home.first { $0.origin == .live }
            if !(try await client.waitForConfirmation(within: .seconds(60))) {
                violations.append(
                    "\(writer.mirror) can't send what it holds: \(try await client.mirrorStatus().pending)")
            }
            await client.close()
            let verification = try RunningProcess(
                "marquee", ["mirror", "verify", "--mirror", writer.mirror], in: folder)
            if try await verification.ended() != 0 { violations.append(verification.output + verification.errors) }
        }
        try await check(sent: true)
        for reader in readers.values { await reader.close() }
        await publisher.close()
        if try await server.stop() != 0 { violations.append("the server did not end in order: \(server.log)") }
    }

    var summary: String {
        let outcomes = writers.reduce(into: [:] as [FavoriteLedger.Outcome: Int]) { sum, writer in
            sum.merge(writer.counts, uniquingKeysWith: +)
        }
        return """
            kill -9: seed \(seed), \(Victim.allCases.map { "\(kills[$0] ?? 0) × \($0)" }.joined(separator: ", ")); favorites: \
            \(outcomes[.confirmed] ?? 0) confirmed, \(outcomes[.stored] ?? 0) stored, \(outcomes[.unknown] ?? 0) cut off; \
            \(checked) looked up, \(verified) mirrors verified; \(publisher.confirmed) publications confirmed; \
            violations: \(violations.isEmpty ? "none" : violations.joined(separator: "\\n"))
            """
    }
}
