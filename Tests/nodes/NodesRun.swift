import Foundation
import MarqueeClient

/// All phases, one after the other, with the same clients.
struct NodesRun: Sendable {
    var program: String
    var newer: String
    var clients: Int
    var users: Int
    var seconds: Double
    var rates: (publications: Double, favorites: Double)
    var phases: [Phase]
    /// For tokens and the processes' output.
    var folder: URL

    func run() async throws -> [Report] {
        let names = (1...users).map { "user-\($0)" }
        Self.say("starting PostgreSQL, \(Cluster.nodeCount) nodes and two relays")
        let cluster = try await Cluster(program: program, folder: folder, users: names)
        do {
            let reports = try await run(on: cluster, names)
            await cluster.stop()
            return reports
        } catch {
            await cluster.stop()
            throw error
        }
    }

    private func run(on cluster: Cluster, _ names: [String]) async throws -> [Report] {
        let timeline = Timeline()
        let balancer = try await Balancer(before: cluster.servers)
        let crowd = try Crowd(
            port: balancer.port, clients: clients, users: names, tokens: cluster.tokens,
            movies: try await Self.movies(cluster), timeline: timeline)
        let reports = try await withThrowingTaskGroup(of: Void.self) { group in
            for device in crowd.devices { group.addTask { await device.watch() } }
            defer { group.cancelAll() }
            try await join(crowd, balancer)
            var reports: [Report] = []
            for phase in phases {
                reports.append(try await run(phase, crowd, cluster, timeline))
                Self.say("  connections to each server: \(balancer.connections)")
            }
            return reports
        }
        await crowd.publisher.close()
        await balancer.stop()
        return reports
    }

    /// Movies that home shows.
    private static func movies(_ cluster: Cluster) async throws -> [Subject] {
        let client = MarqueeClient(try Crowd.publishing(port: cluster.nodes[0].port, cluster.tokens))
        let home = try await client.fetchScreen(.home)
        await client.close()
        let subjects = home.sections.flatMap { $0.items.compactMap(\.subject) }
        return Set(subjects.filter { $0.name.hasPrefix("movie/") }).sorted { $0.name < $1.name }
    }

    private func join(_ crowd: Crowd, _ balancer: Balancer) async throws {
        let start = ContinuousClock.now
        while true {
            let count = crowd.devices.count { !$0.isLive || $0.picture == nil }
            if count == 0 { break }
            guard ContinuousClock.now - start < Bounds.joining else {
                throw NodesError("\(count) of \(crowd.devices.count) clients are not live: \(crowd.faults.prefix(1))")
            }
            try await Task.sleep(for: Bounds.look)
        }
        Self.say(
            "\(crowd.devices.count) clients are live after \(Self.text(.now - start)); connections to each server: "
                + "\(balancer.connections)")
    }

    private func run(_ phase: Phase, _ crowd: Crowd, _ cluster: Cluster, _ timeline: Timeline) async throws -> Report {
        Self.say("\(phase.name): \(phase.summary)")
        crowd.forget()
        let before = try await Resumes(of: cluster.servers)
        let start = ContinuousClock.now
        let (end, rates, newer) = (start + .seconds(seconds), rates, newer)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await crowd.act(until: end, rates: rates) }
            group.addTask {
                try await Task.sleep(for: Phase.lead)
                try await phase.act(cluster, newer)
                Self.say("  done after \(Self.text(.now - start))")
            }
            try await group.waitForAll()
        }
        let settled = ContinuousClock.now
        let resumes = try await Resumes(of: cluster.servers).since(before)
        let inspection = try await Inspection(of: crowd, at: cluster, timeline: timeline)
        let report = Report(phase, crowd, resumes, inspection)
        Self.say(
            "  all confirmed after \(Self.text(settled - start)), compared after \(Self.text(.now - start)): "
                + "\(report.failures.count) things are not as they should be")
        for failure in report.failures.prefix(Bounds.told) { Self.say("  \(failure)") }
        return report
    }

    private static func text(_ duration: Duration) -> String { String(format: "%.1f s", duration / .seconds(1)) }

    /// Tells whoever waits how far it is.
    static func say(_ line: String) { FileHandle.standardError.write(Data("nodes: \(line)\n".utf8)) }
}
