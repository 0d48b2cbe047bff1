import Foundation
import MarqueeMirror
import MarqueeModel
import SeededRandom
import Testing

@_spi(Admin) @testable import MarqueeClient

extension Faults {
    @Suite("Chaos between clients and server", .timeLimit(.minutes(Extent.chaosMinutes)))
    struct ChaosTests {
        @Test
        func `After network faults, damage and restarts, mirrors equal the server; no favorite is lost`() async throws {
            /// The number of connections after which each of the ten kinds of fault has almost certainly struck.
            let manyConnections = 300
            let folder = try Faults.folder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let scene = try await ChaosScene(in: folder, seed: Extent.seed)
            defer { print(scene.summary) }
            try await scene.storm(for: .seconds(Extent.seconds))
            try await scene.settle()
            #expect(scene.journal.violations.isEmpty)
            let counts = scene.proxy.counts
            #expect(counts.connections > 0)
            for fault in ChaosPlan.Fault.allCases where counts.connections >= manyConnections {
                #expect(counts.faults[fault, default: 0] > 0, "\(fault) never happened")
            }
        }
    }
}

/// A server process, clients of the library and of the command line behind a proxy that breaks their connections, and
/// writers.
final class ChaosScene {
    let journal = ChaosJournal()
    let proxy: ChaosProxy
    private let folder: URL
    private let seed: UInt64
    private let server: ServerProcess
    private let clients: [ChaosClient]
    private let writer: FavoriteWriter
    private var subscribers: [(process: RunningProcess, mirror: String)] = []
    /// Not behind the proxy.
    private let witness: MarqueeClient
    private let publishers: [Publisher]
    private var random: SeededGenerator
    private var kills = 0
    private var restarts = 0
    private var publications = 0
    private var charts = 0
    private var settled = Duration.zero

    init(in folder: URL, seed: UInt64) async throws {
        self.folder = folder
        self.seed = seed
        random = SeededGenerator(seed: seed)
        server = try ServerProcess(in: folder, options: ["--ping-interval", "2", "--log-level", "critical"])
        try await server.start()
        proxy = try await ChaosProxy.start(to: server.port, seed: random.next())
        let (port, journal) = (proxy.port, journal)
        clients = ["mina", "mina", "jun", "jun"].enumerated().map { index, user in
            let subjects = (0..<4).map { Subject.movie(UInt64(1_000 * (index + 1) + $0)) }
            return ChaosClient(
                user: user, name: "client-\(index)", subjects: subjects, port: port, in: folder, journal: journal)
        }
        writer = FavoriteWriter(user: "mina", name: "writer", subjects: [.movie(27_205), .movie(13)], in: folder)
        witness = try Self.client(server.port, user: nil)
        publishers = [
            Publisher(try Self.client(server.port, user: nil), movie: 27_205),
            Publisher(try Self.client(proxy.port, user: nil), movie: 680),
        ]
    }

    private static func client(_ port: Int, user: String?) throws -> MarqueeClient {
        var configuration = ClientConfiguration(host: "127.0.0.1", port: port, user: user, mirror: .memory)
        configuration.backoff = .milliseconds(10)...(.milliseconds(500))
        configuration.callTimeout = .seconds(5)
        return MarqueeClient(configuration)
    }

    // MARK: - The storm

    func storm(for duration: Duration) async throws {
        for client in clients { try client.open() }
        for number in 0..<2 { subscribers.append(try subscribe(number)) }
        let end = ContinuousClock.now + duration
        try await withThrowingTaskGroup(of: Void.self) { group in
            for publisher in publishers {
                var random = SeededGenerator(seed: self.random.next())
                group.addTask {
                    while ContinuousClock.now < end {
                        await publisher.publish()
                        try await Task.sleep(for: .milliseconds(random.int(5...100)))
                    }
                }
            }
            try await disturb(until: end)
            try await group.waitForAll()
        }
    }

    /// People set favorites, programs are killed and restarted, and the chart continues.
    private func disturb(until end: ContinuousClock.Instant) async throws {
        while ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(random.int(10...100)))
            switch random.int(1...100) {
            case 1...60:
                guard let client = clients.randomElement(using: &random) else { continue }
                try await client.changeFavorite(using: &random)
            case 61...90: await changeChart()
            case 91...94:
                try await writer.finish(try writer.begin(server: "127.0.0.1:\(proxy.port)", using: &random))
            case 95...96:
                guard let client = clients.randomElement(using: &random) else { continue }
                await client.close()
                try client.open()
                restarts += 1
            case 97...98:
                let number = random.int(0...1)
                try await subscribers[number].process.stop(SIGKILL)
                subscribers[number] = try subscribe(number)
                kills += 1
            default:
                try await server.kill()
                try await server.start()
                kills += 1
            }
        }
    }

    private func subscribe(_ number: Int) throws -> (process: RunningProcess, mirror: String) {
        let mirror = folder.appending(path: "subscriber-\(number).sqlite").path
        let process = try RunningProcess(
            "marquee",
            [
                "subscribe", "home", "--server", "127.0.0.1:\(proxy.port)", "--mirror", mirror, "--output", "ndjson",
                "--user", "eve",
            ], in: folder)
        return (process, mirror)
    }

    /// No chart is like an earlier one. Frames of content that reverts name the position of the first time, so a screen
    /// that shows it claims to be older than it is until the next progress; the journal compares by position.
    private func changeChart() async {
        let order = Array(0..<10).shuffled(using: &random).map { line in
            charts += 1
            return #"{"key": "line \#(line)", "place": {"title": "Line \#(line)", "gross": \#(charts)}}"#
        }
        if (try? await witness.publish([Harness.chart(order)])) != nil { publications += 1 }
    }

    // MARK: - Afterwards

    /// Waits until every client shows the server's state, and compares what is on disk.
    func settle() async throws {
        let began = ContinuousClock.now
        proxy.calm()
        for publisher in publishers {
            for violation in await publisher.violations(asking: witness) { journal.failed(violation) }
        }
        var truth: [ScreenID: Screen] = [:]
        var behind: [String] = []
        try await eventually("every client showing what the server has (\(behind))", within: .seconds(300)) {
            // Requested each time: a publication in flight when the storm ended may still arrive.
            for screen in ChaosClient.screens where screen != .favorites {
                truth[screen] = try await witness.fetchScreen(screen)
            }
            behind = clients.flatMap { client in truth.values.compactMap { client.difference(from: $0) } }
            return behind.isEmpty
        }
        for client in clients {
            let isConfirmed = try await client.client?.waitForConfirmation(within: .seconds(60)) ?? false
            if !isConfirmed { journal.failed("\(client.mirror) can't send its favorites") }
        }
        if let home = truth[.home] { try await settleSubscribers(on: home) }
        settled = ContinuousClock.now - began

        try await compareFavorites()
        for client in clients {
            if let pending = try await client.client?.mirrorStatus().pending, !pending.isEmpty {
                journal.failed("\(client.mirror) still holds \(pending)")
            }
            await client.close()
            try await verify(client.mirror, truth)
        }
        try await verify(writer.mirror, [:])
        await witness.close()
        for publisher in publishers { await publisher.close() }
        await proxy.stop()
        if try await server.stop() != 0 { journal.failed("the server did not end in order: \(server.log)") }
    }

    private func settleSubscribers(on home: Screen) async throws {
        let digits = String(home.sum, radix: 16)
        let sum = "\"sum\":\"" + String(repeating: "0", count: 16 - digits.count) + digits + "\""
        for subscriber in subscribers {
            func lines() -> [Substring] { subscriber.process.output.split(separator: "\n") }
            try await eventually(
                "the server's home, \(sum), instead of \(lines().suffix(8).map { $0.prefix(300) })",
                within: .seconds(180)
            ) {
                lines().last { $0.contains(#""origin":"live""#) }?.contains(sum) == true
            }
            if try await subscriber.process.stop(SIGTERM) != 0 { journal.failed("a subscriber did not end in order") }
            try await verify(subscriber.mirror, [.home: home])
        }
    }

    /// The server has what everybody requested last.
    private func compareFavorites() async throws {
        let port = server.port
        // A change left in a mirror is sent by the next process that opens it.
        try await eventually("the writer's favorites", within: .seconds(60)) {
            let list = try RunningProcess(
                "marquee",
                [
                    "favorite", "list", "--user", writer.user, "--server", "127.0.0.1:\(port)", "--mirror",
                    writer.mirror,
                ],
                in: folder)
            try await list.ended()
            return try MirrorInspection.status(at: writer.mirror).pending.isEmpty
        }
        for user in ["mina", "jun"] {
            let reader = try Self.client(port, user: user)
            let set = try await reader.fetchScreen(ScreenID("user-collections")).sections.flatMap(\.items).compactMap(
                \.subject)
            var requestedMovies = Set<Subject>()
            for client in clients where client.user == user {
                requestedMovies.formUnion(client.requested.filter(\.value).keys)
            }
            let own = Set(writer.ledger.operations.keys)
            if Set(set).subtracting(own) != requestedMovies {
                journal.failed("\(user) has \(set) and asked for \(requestedMovies)")
            }
            if user == writer.user {
                for violation in writer.ledger.violations(in: set.filter { own.contains($0) }, sent: true) {
                    journal.failed(violation)
                }
            }
            await reader.close()
        }
    }

    /// Everything in the file matches its sums and equals the server's state.
    private func verify(_ mirror: String, _ truth: [ScreenID: Screen]) async throws {
        let command = try RunningProcess("marquee", ["mirror", "verify", "--mirror", mirror], in: folder)
        if try await command.ended() != 0 { journal.failed("\(mirror): \(command.output)\(command.errors)") }
        let stored = try Mirror(readOnlyAt: mirror)
        defer { stored.close() }
        for (id, screen) in truth {
            let view = try stored.view(ViewID(screen: id.name, locale: "en"))
            for section in screen.sections
            where (view?.sections[section.id]).map({ Array($0.items) }) != section.items.map(\.item) {
                journal.failed("\(mirror) holds another '\(section.id)' of \(id) than the server")
            }
        }
    }

    var summary: String {
        let counts = proxy.counts
        let faults = ChaosPlan.Fault.allCases.filter { $0 != .none }.map { "\(counts.faults[$0] ?? 0) × \($0)" }
        let shown = journal.counts
        let confirmed = publications + publishers.reduce(0) { $0 + $1.confirmed }
        let requested = clients.reduce(0) { $0 + $1.requested.count } + writer.ledger.operations.count
        return """
            chaos: seed \(seed), \(counts.connections) connections in \(counts.fragments) fragments, \(counts.slowConnections) of \
            them slow; \(faults.joined(separator: ", ")); \(kills) kills, \(restarts) restarts of clients, \
            \(clients.reduce(0) { $0 + $1.reconnects }) times connected; \(confirmed) publications confirmed, favorites of \
            \(requested) movies checked; \(shown.updates) values shown, \(shown.contents) contents compared; all equal again after \
            \(settled); violations: \(journal.violations.isEmpty ? "none" : journal.violations.joined(separator: "\\n"))
            """
    }
}
