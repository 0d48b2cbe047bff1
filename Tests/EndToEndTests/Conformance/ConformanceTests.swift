import Foundation
import MarqueeConformance
import MarqueePresetRecords
import MarqueeScreens
import MarqueeTypes
import SeededRandom
import Testing

@Suite("Conformance to the protocol as it is written", .serialized, .timeLimit(.minutes(10)))
struct ConformanceTests {
    /// For checks that have to fail, perhaps because something never comes. Programs may take long to start all the
    /// same.
    static let impatient: Deadlines = {
        var deadlines = Deadlines()
        deadlines.answer = .seconds(Extent.of(3, full: 8))
        deadlines.timer = .seconds(Extent.of(3, full: 8))
        return deadlines
    }()

    // Our own server and client

    /// Each harness waits longer for a hello than a server does, and no frame of the server's limit has room for so
    /// many records.
    private static let notOfServers: Set = ["hello-in-time", "too-many-records"]

    /// The programme of the samples, with a list of all movies.
    private static func programme() throws -> Programme {
        let section = "{id: all, kind: list, windows: anywhere, source: {records: {type: movie, sort: title}}}"
        return try Programme.parse(
            text: PresetCatalogue.programme.replacing(
                "\n  genre/$id:", with: "\n  all: {title: All, sections: [\(section)]}\n  genre/$id:"),
            file: "programme.yaml", types: TypeSet(PresetCatalogue.types, file: "types.yaml"))
    }

    @Test func `The server passes every check`() async throws {
        let harness = try await Harness(programme: Self.programme())
        let subject = ServerSubject(
            host: "127.0.0.1", port: harness.server.summary.port, user: "conform", mayPublish: true)
        let report = try await subject.runner().run(ServerChecks.all.filter { !Self.notOfServers.contains($0.name) }) {
            _ in
        }
        expectPassed(report)
        await harness.stop()
    }

    @Test func `The command line client passes every check`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-conform-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let subject = ClientSubject(screen: "home", keepsMirror: true) { try OwnClient($0, port: $0.port, in: folder) }
        expectPassed(try await subject.runner().run(ClientChecks.all) { _ in })
    }

    private func expectPassed(_ report: ConformanceReport) {
        for result in report.results {
            switch result.outcome {
            case .passed: continue
            case .failed(let deviation):
                Issue.record(
                    """
                    \(result.name): expected \(deviation.expected), came \(deviation.actual)
                    \(deviation.transcript.joined(separator: "\n"))
                    """)
            case .notApplicable(let reason):
                Issue.record("\(result.name) is not applicable: \(reason)")
            }
        }
    }

    @Test func `The command ends with 0, with 76 when a check has failed, and with 69 without a server`() async throws {
        let harness = try await Harness()
        let relay = try await DeviantRelay.start(to: harness.server.summary.port, acceptedFrom: .runner) {
            Tampering(fromPeer: { $0.kind == .pong ? .drop : .pass($0) })
        }
        let checks = ["--only", "ping-pong", "--only", "17", "--output", "ndjson"]
        func run(_ port: Int, deadline: Int = 20) throws -> RunningProcess {
            try RunningProcess(
                "marquee", ["conform", "server", "127.0.0.1:\(port)", "--deadline", "\(deadline)"] + checks,
                in: harness.folder)
        }
        let passing = try run(harness.server.summary.port)
        #expect(try await passing.ended() == 0)
        #expect(passing.output.hasSuffix(#"{"failed":0,"notApplicable":0,"passed":16,"type":"summary"}"# + "\n"))
        // It waits for a pong that never comes. Whatever else is late fails as well, which changes nothing here.
        let failing = try run(relay.port, deadline: 3)
        #expect(try await failing.ended() == 76)
        #expect(failing.output.contains(#""name":"ping-pong","outcome":"failed""#))
        await relay.stop()
        await harness.stop()
        let unreachable = try run(harness.server.summary.port)
        #expect(try await unreachable.ended() == 69)
        #expect(unreachable.errors.contains("can't reach a server"))
    }

    // Peers that deviate

    @Test func `Servers that deviate are found`() async throws {
        try await forEach(ServerDeviants.all) { deviant in
            let harness = try await Harness(programme: Self.programme())
            let relay = try await DeviantRelay.start(
                to: harness.server.summary.port, acceptedFrom: .runner, deviant.tampering)
            var subject = ServerSubject(host: "127.0.0.1", port: relay.port, user: "conform", mayPublish: true)
            subject.deadlines = Self.impatient
            let checks = ServerChecks.all.filter { deviant.finds.keys.contains($0.name) }
            expectFound(deviant, in: try await subject.runner().run(checks) { _ in })
            await relay.stop()
            await harness.stop()
        }
    }

    @Test func `Clients that deviate are found`() async throws {
        try await forEach(ClientDeviants.all) { deviant in
            let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-conform-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            var subject = ClientSubject(screen: "home", keepsMirror: true) { launch in
                let relay = try await DeviantRelay.start(to: launch.port, acceptedFrom: .peer, deviant.tampering)
                return try OwnClient(launch, port: relay.port, in: folder, behind: relay)
            }
            subject.deadlines = Self.impatient
            let checks = ClientChecks.all.filter { deviant.finds.keys.contains($0.name) }
            expectFound(deviant, in: try await subject.runner().run(checks) { _ in })
        }
    }

    /// Tries some at a time: most of a deviant's time is waiting, but all at once would leave no program the time it
    /// needs.
    private func forEach(
        _ deviants: [Deviant], _ attempt: @escaping @Sendable (Deviant) async throws -> Void
    ) async throws {
        let atOnce = 8
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, deviant) in deviants.enumerated() {
                if index >= atOnce { try await group.next() }
                group.addTask { try await attempt(deviant) }
            }
            try await group.waitForAll()
        }
    }

    /// Each named check has failed, and says so in the words of the list.
    private func expectFound(_ deviant: Deviant, in report: ConformanceReport) {
        #expect(Set(report.results.map(\.name)) == Set(deviant.finds.keys), "the list names checks that don't exist")
        for result in report.results {
            guard case .failed(let deviation) = result.outcome else {
                Issue.record("\(deviant.sentence): \(result.name) has not failed")
                continue
            }
            #expect(
                deviation.expected.contains(deviant.finds[result.name] ?? ""),
                "\(deviant.sentence): \(result.name) expected \(deviation.expected), came \(deviation.actual)")
        }
    }
}

/// `marquee subscribe`, perhaps behind a relay.
private struct OwnClient: RunningClient {
    private let process: RunningProcess
    private let relay: DeviantRelay?

    init(_ launch: ClientLaunch, port: Int, in folder: URL, behind relay: DeviantRelay? = nil) throws {
        self.relay = relay
        process = try RunningProcess(
            "marquee",
            [
                "subscribe", launch.screen, "--server", "\(launch.host):\(port)", "--mirror", launch.mirror, "--output",
                "lines",
            ], in: folder)
    }

    func ending() async -> String? { process.isRunning ? nil : "it has ended: \(process.errors)" }

    func kill() async {
        _ = try? await process.stop(SIGKILL)
        await relay?.stop()
    }
}
