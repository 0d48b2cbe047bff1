import MarqueeHTTP

/// How sections came to those who returned, as servers tell operators: by tier, see Docs/resume.md.
///
/// A server that died has forgotten its counts, which were never about clients that had to leave it.
struct Resumes: Sendable {
    static let tiers = ["unchanged", "patch", "manifest", "snapshot"]
    private static let client = HTTPClient(maximumBytes: 1 << 20, timeout: .seconds(10))

    /// The counts of each server since its start, by the server's name and the number of that start.
    private var counts: [String: [Int]] = [:]

    /// Asks all servers.
    init(of servers: [ServerProcess]) async throws {
        for server in servers {
            guard let port = server.adminPort else { throw NodesError("\(server.name) has no metrics") }
            counts["\(server.name) \(server.starts)"] = try await Self.count(port)
        }
    }

    private static func count(_ port: Int) async throws -> [Int] {
        let answer = try await client.send(.GET, HTTPAddress("http://\(ServerProcess.host):\(port)/metrics"))
        guard answer.status == .ok else { throw NodesError("no metrics: \(answer.status)") }
        let lines = answer.text.split(separator: "\n")
        return tiers.map { tier in
            let name = "marquee_resumed_sections_total{tier=\"\(tier)\"} "
            return lines.first { $0.hasPrefix(name) }.flatMap { Int(Double($0.dropFirst(name.count)) ?? 0) } ?? 0
        }
    }

    /// Returns the number of sections counted since then, for each tier.
    func since(_ earlier: Resumes) -> [Int] {
        counts.reduce(Self.tiers.map { _ in 0 }) { sum, server in
            let before = earlier.counts[server.key] ?? Self.tiers.map { _ in 0 }
            return Self.tiers.indices.map { sum[$0] + server.value[$0] - before[$0] }
        }
    }
}
