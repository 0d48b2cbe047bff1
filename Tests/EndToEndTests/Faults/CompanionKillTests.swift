import Foundation
import MarqueeModel
import SeededRandom
import Testing

@_spi(Admin) @testable import MarqueeClient

extension Faults {
    @Suite("kill -9 of an app and its widget", .timeLimit(.minutes(Extent.cycleMinutes)))
    struct CompanionKillTests {
        @Test func `A favorite whose call has returned stays, whichever process on a mirror is killed`() async throws {
            let folder = try Faults.folder()
            defer { try? FileManager.default.removeItem(at: folder) }
            var scene = try await CompanionScene(in: folder, seed: Extent.seed)
            defer { print(scene.summary) }
            for _ in 0..<Extent.companionCycles { try await scene.cycle() }
            try await scene.end()
            #expect(scene.violations.isEmpty)
            #expect(scene.returned > Extent.companionCycles, "each cycle made changes")
        }
    }
}

/// A mirror with an owner that sends to a server and a companion, both changing favorites as fast as they can. In each
/// cycle one or both are killed, and every change that they were told is stored is looked for.
struct CompanionScene {
    private enum Victim: String, CaseIterable {
        case owner, companion, both
    }

    private struct Maker {
        let access: String
        let subjects: [Subject]
        var process: RunningProcess?
        /// A call that returned has stored its change; the outcome of one that was cut off is unknown.
        var ledger = FavoriteLedger()
    }

    private let folder: URL
    private let server: ServerProcess
    private let mirror: String
    private let seed: UInt64
    private var random: SeededGenerator
    private var makers: [Maker]
    private let reader: MarqueeClient
    private var kills: [Victim: Int] = [:]
    private(set) var violations: [String] = []
    private(set) var returned = 0
    private var looked = 0

    init(in folder: URL, seed: UInt64) async throws {
        self.folder = folder
        self.seed = seed
        random = SeededGenerator(seed: seed)
        mirror = folder.appending(path: "app.sqlite").path
        makers = [
            Maker(access: "owner", subjects: ["movie/27205", "movie/496243", "movie/157336"]),
            Maker(access: "companion", subjects: ["movie/13", "movie/680", "movie/1124"]),
        ]
        server = try ServerProcess(in: folder)
        try await server.start()
        reader = MarqueeClient(ClientConfiguration(port: server.port, user: "mina", mirror: .memory))
        // A mirror can have companions once it has been connected to a server.
        try await withOwner { _ in }
    }

    /// Runs with a client that owns the mirror and has no changes left to send.
    private func withOwner(_ body: (MarqueeClient) async throws -> Void) async throws {
        let client = try await MarqueeClient.open(
            ClientConfiguration(port: server.port, user: "mina", mirror: .file(mirror)))
        var home = client.screen(.home).makeAsyncIterator()
        while let update = try await home.next(), !update.isLive {}
        try await body(client)
        await client.close()
    }

    mutating func cycle() async throws {
        let victim = random.pick(Victim.allCases) ?? .both
        for index in makers.indices where makers[index].process == nil {
            let maker = makers[index]
            makers[index].process = try RunningProcess(
                "change-maker",
                [mirror, maker.access, "\(server.port)", "\(random.next())"] + maker.subjects.map(\.name),
                in: folder)
        }
        // Both are at work.
        for maker in makers { _ = try await maker.process?.line(with: "movie/") }
        try await Task.sleep(for: .microseconds(random.int(0...60_000)))
        let dead = makers.indices.filter { victim == .both || makers[$0].access == victim.rawValue }
        for index in dead { makers[index].process?.signal(SIGKILL) }
        for index in dead {
            try await makers[index].process?.ended()
            take(index)
        }
        kills[victim, default: 0] += 1
        try await check(dead)
    }

    /// Reads what a process that has ended had said.
    private mutating func take(_ index: Int) {
        guard let process = makers[index].process else { return }
        if !process.errors.isEmpty { violations.append("\(makers[index].access) said: \(process.errors)") }
        makers[index].process = nil
        for line in process.output.split(separator: "\n") {
            let isDone = !line.hasPrefix("? ")
            let change = isDone ? line[...] : line.dropFirst(2)
            makers[index].ledger.record(
                Subject(String(change.dropFirst())),
                FavoriteLedger.Operation(
                    on: change.hasPrefix("+"), outcome: isDone ? .stored : .unknown, began: .now, ended: .now))
            if isDone { returned += 1 }
        }
    }

    /// Looks for the changes of processes that have ended. Another may go on changing other subjects.
    private mutating func check(_ dead: [Int]) async throws {
        // The mirror first: what is no longer in it by then was confirmed before.
        let pending = try MirrorInspection.status(at: mirror).pending
        let set = try await reader.fetchScreen(ScreenID("user-collections"))
        let confirmed = Set(set.sections.flatMap(\.items).compactMap(\.subject))
        for maker in dead.map({ makers[$0] }) {
            for subject in maker.subjects {
                let found = pending.last { $0.subject == subject }?.isMember ?? confirmed.contains(subject)
                looked += 1
                let allowed = maker.ledger.allowed(subject, sent: true)
                guard !allowed.contains(found) else { continue }
                violations.append("\(subject) of the \(maker.access) is \(found), not \(allowed)")
            }
        }
    }

    mutating func end() async throws {
        for index in makers.indices where makers[index].process != nil {
            try await makers[index].process?.stop(SIGKILL)
            take(index)
        }
        var isSent = false
        try await withOwner { isSent = try await $0.waitForConfirmation(within: .seconds(60)) }
        if !isSent { violations.append("not everything that was stored could be sent") }
        try await check(Array(makers.indices))
        let damage = try MirrorInspection.verify(at: mirror)
        if !damage.isEmpty { violations.append("the mirror is damaged: \(damage)") }
        await reader.close()
        if try await server.stop() != 0 { violations.append("the server did not end in order: \(server.log)") }
    }

    var summary: String {
        """
        kill -9 on one mirror: seed \(seed), \(Victim.allCases.map { "\(kills[$0] ?? 0) × \($0)" }.joined(separator: ", ")); \
        \(returned) changes returned, \(looked) looked up; violations: \(violations.isEmpty ? "none" : violations.joined(separator: "\\n"))
        """
    }
}
