import Foundation

/// The results of one mode.
struct Report {
    /// The settings that all modes have in common.
    struct Scene {
        var program: String
        var attackersUnder: String
        var seconds: Double
        var connections: Int
        /// The access that secured modes need; `nil` if no such mode is run.
        var access: SiegeAccess?

        /// - Parameter seconds: those of the scene unless given.
        func attack(
            _ mode: Mode, at server: ServerUnderSiege, seconds: Double? = nil
        ) async throws -> (outcome: Attack.Outcome, cores: Double) {
            try await Attack.launch(
                mode, under: attackersUnder, ports: (server.port, server.portForOperators, server.portForWeb),
                seconds: seconds ?? self.seconds, connections: connections, access: mode.isSecured ? access : nil)
        }

        /// Starts what a mode attacks, after what that needs.
        /// - Returns: in the order in which they were started; the last one is attacked.
        func servers(for mode: Mode, data: URL) async throws -> [ServerUnderSiege] {
            let server = try await ServerUnderSiege.marquee(
                program, data: data, mode: mode, access: mode.isSecured ? access : nil)
            guard mode.isRelayed else { return [server] }
            do {
                let relay = data.appending(path: "relay")
                return [server, try await ServerUnderSiege.relay(program, before: server, folder: relay)]
            } catch {
                await server.stop()
                throw error
            }
        }
    }

    /// Descriptors of connections to the store that are opened when they are first needed, and stay.
    private static let spare = 8
    /// How much longer than without pressure the ordinary client may wait.
    private static let timesQuiet: Double = 2
    /// Milliseconds in which a probe is to be answered, whatever happens.
    private static let probeBound: Double = 100
    /// Seconds of an attack within which the server is told to end.
    private static let endSeconds: Double = 2
    /// Of a round trip, a cut and a welcome.
    private static let shares = [0.5, 0.99, 1]
    private static let columns = [26, 8, 8, 8, 8, 8, 8, 11, 8, 8, 8, 8, 8]

    static let heading = row([
        "mode", "call p50", "p99", "max", "cut p50", "p99", "max", "welcome p50", "p99", "max", "MB most", "MB after",
        "fds",
    ])

    private let mode: Mode
    private let times: OrdinaryClient.Times
    private let memory: (before: Double, most: Double, after: Double)
    private let descriptors: (before: Int, after: Int)
    private let isRunning: Bool
    /// Why the server's end wasn't an orderly one; `nil` if it was.
    private let end: String?
    private let server: ProcessLoad.Rate
    private let client: ProcessLoad.Rate
    private let attack: (outcome: Attack.Outcome, cores: Double)
    private let seconds: Double
    private let baseline: Baseline
    /// How often limits were hit, and what else the mode has as evidence, by the metrics' names.
    private let counted: [(metric: String, growth: Double)]

    /// Puts a server under siege, then one that does nothing.
    init(mode: Mode, scene: Scene, data: URL) async throws {
        self.mode = mode
        seconds = scene.seconds
        let access = mode.isSecured ? scene.access : nil
        let servers = try await scene.servers(for: mode, data: data)
        let server = servers[servers.count - 1]
        do {
            let probed: String? =
                switch mode.place {
                case .clients: nil
                case .operators: "\(server.portForOperators)/live"
                case .web: "\(server.portForWeb)/v1/screens/home"
                }
            let ordinary = try OrdinaryClient(port: server.port, access: access, probing: probed)
            let measuring = Task { await ordinary.measure() }
            try await ordinary.ready()
            try await Task.sleep(for: .milliseconds(300))
            let metrics = try await server.metrics()
            let before = (memory: server.memory.now, descriptors: server.descriptors)
            let loads = (server: server.load, client: ProcessLoad(of: getpid()))
            ordinary.reset()
            attack = try await scene.attack(mode, at: server)
            self.server = server.load.since(loads.server)
            client = ProcessLoad(of: getpid()).since(loads.client)
            // Late answers are part of it.
            try await Task.sleep(for: .milliseconds(500))
            times = ordinary.times
            measuring.cancel()
            await measuring.value
            try await Task.sleep(for: .seconds(2))
            // Views that nobody shows stay for half a minute, and every ten seconds the server looks
            // whether memory is worth giving back.
            for _ in 0..<580 where server.memory.now > before.memory + mode.growth {
                try await Task.sleep(for: .milliseconds(100))
            }
            for _ in 0..<200 where server.descriptors > before.descriptors + Self.spare {
                try await Task.sleep(for: .milliseconds(50))
            }
            descriptors = (before.descriptors, server.descriptors)
            memory = (before.memory, server.memory.most, server.memory.now)
            isRunning = server.isRunning
            let later = try await server.metrics()
            let names = Set(mode.evidence).union(later.limitsHit(since: metrics))
            counted = names.sorted().map { ($0, later.growth(of: $0, since: metrics)) }
        } catch {
            for server in servers.reversed() { await server.stop() }
            throw error
        }
        end = await Self.end(servers, under: mode.place == .operators ? mode : nil, scene)
        baseline = try await Baseline(mode: mode, scene: scene, folder: data)
    }

    /// Tells servers to end, the attacked one first.
    /// - Parameter mode: one that goes on meanwhile.
    /// - Returns: what was wrong with that.
    private static func end(_ servers: [ServerUnderSiege], under mode: Mode?, _ scene: Scene) async -> String? {
        var attack: Task<Void, Never>?
        if let mode, let server = servers.last {
            attack = Task { _ = try? await scene.attack(mode, at: server, seconds: Self.endSeconds) }
            try? await Task.sleep(for: .seconds(Self.endSeconds / 2))
        }
        var wrong: String?
        for server in servers.reversed() {
            let end = await server.stop()
            wrong = wrong ?? end
        }
        await attack?.value
        return wrong
    }

    /// The smallest of the values that so many of them don't exceed.
    private static func quantile(_ values: [Double], _ share: Double) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return .infinity }
        return sorted[max(0, Int((Double(sorted.count) * share).rounded(.up)) - 1)]
    }

    private static func row(_ cells: [String]) -> String {
        zip(cells, columns).enumerated().map { index, cell in
            let space = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
            return index == 0 ? cell.0 + space : space + cell.0
        }.joined(separator: " ")
    }

    private static func text(_ value: Double) -> String {
        value.isFinite ? String(format: "%.1f", value) : "never"
    }

    /// The waits of the ordinary client, and below that the load of the processes at work meanwhile.
    var lines: String {
        func cells(_ values: [Double]) -> [String] { Self.shares.map { Self.text(Self.quantile(values, $0)) } }
        let first =
            Self.row(
                [mode.name] + cells(times.calls) + cells(times.cuts) + cells(times.welcomes)
                    + [Self.text(memory.most), Self.text(memory.after), "\(descriptors.before)→\(descriptors.after)"])
            + (times.missed.isEmpty ? "" : "  \(times.missed.count) missed: \(times.missed[0])")
            + (attack.outcome.error.map { "  attack: \($0)" } ?? "")
        let delivered = attack.outcome.delivered
        let second = String(
            format: "  server %.2f cores (%@ %.2f), waited %.0f ms/s for one; client waited %.0f ms/s; "
                + "attackers %.2f cores: %d connections, %.0f messages/s, %.1f MB/s",
            server.cores, server.busiest.name, server.busiest.cores, server.waited, client.waited, attack.cores,
            delivered.connections, Double(delivered.messages) / seconds, Double(delivered.bytes) / seconds / 1e6)
        let third =
            "  a server that does nothing: call p99 \(Self.text(Self.quantile(baseline.calls, 0.99))), "
            + "welcome p99 \(Self.text(Self.quantile(baseline.welcomes, 0.99)))"
        let fourth = counted.isEmpty ? [] : ["  " + counted.map { "\($0) +\(Int($1))" }.joined(separator: ", ")]
        let fifth =
            times.probes.isEmpty
            ? []
            : [
                "  \(mode.place == .web ? "/v1/screens/home" : "/live") p99 \(Self.text(Self.quantile(times.probes, 0.99)))"
            ]
        return ([first, second, third] + fourth + fifth).joined(separator: "\n")
    }

    /// Milliseconds that 99 of 100 took at most.
    private var waits: [(what: String, p99: Double)] {
        let reads = mode.place == .web ? [("read", times.probes)] : []
        return ([("call", times.calls), ("cut", times.cuts), ("welcome", times.welcomes)] + reads).map {
            ($0, Self.quantile($1, 0.99))
        }
    }

    /// How much longer the ordinary client waited than in another mode.
    func comparison(with quiet: Report) -> String {
        let ratios = zip(waits, quiet.waits).map { "\($0.what) \(Self.text($0.p99 / $1.p99))" }
        return "  times \(quiet.mode.name) at p99: \(ratios.joined(separator: ", "))"
    }

    /// Returns descriptions of everything that was not as it should be.
    /// - Parameters:
    ///   - leeway: milliseconds that the ordinary client may wait more at p99 than twice as long as without pressure,
    ///     or as at a server that does nothing.
    ///   - quiet: the same without pressure; `nil` if this is it.
    func failures(leeway: Double, quiet: Report?) -> [String] {
        var failures: [String] = []
        if !isRunning { failures.append("the server ended") } else if let end { failures.append(end) }
        for (index, (what, p99)) in waits.enumerated() {
            guard let quiet else { break }
            // The wait at a server that does nothing, under the same attack, is the machine's doing.
            let least = ["call": baseline.calls, "welcome": baseline.welcomes, "read": baseline.welcomes][what].map {
                Self.quantile($0, 0.99)
            }
            var accepted = Self.timesQuiet * max(quiet.waits[index].p99, least ?? 0) + leeway
            if what == "welcome" { accepted += mode.newcomersWait }
            if what == "cut" { accepted += mode.commitsWait }
            if p99 > accepted {
                failures.append(String(format: "a %@ took %.1f ms at p99, and %.1f are accepted", what, p99, accepted))
            }
        }
        if mode.place == .operators, Self.quantile(times.probes, 0.99) > Self.probeBound {
            failures.append("probes weren't answered within \(Int(Self.probeBound)) ms")
        }
        for (metric, growth) in counted where growth <= 0 {
            failures.append("\(metric) didn't rise: there was no such pressure")
        }
        if !times.missed.isEmpty { failures.append("\(times.missed.count) missed, such as \(times.missed[0])") }
        if descriptors.after > descriptors.before + Self.spare {
            failures.append("\(descriptors.after) descriptors stayed open, \(descriptors.before) before")
        }
        if memory.after > memory.before + mode.growth {
            failures.append(String(format: "%.0f MB stayed, %.0f MB before", memory.after, memory.before))
        }
        return failures
    }
}
