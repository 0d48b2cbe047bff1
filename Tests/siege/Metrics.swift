import MarqueeHTTP

/// The metrics that a server tells operators at one moment, as it does for Prometheus.
struct Metrics: Sendable {
    /// Values by name and labels, such as `marquee_limit_hits_total{limit="variants"}`.
    private let values: [String: Double]

    /// The most that is read of them.
    private static let mostBytes = 1 << 20

    /// Asks a server.
    /// - Parameter port: that of `--admin`.
    init(port: Int) async throws {
        let address = try HTTPAddress("http://\(Target.host):\(port)/metrics")
        let answer = try await HTTPClient(maximumBytes: Self.mostBytes, timeout: .seconds(10)).send(.GET, address)
        guard answer.status == .ok else { throw SiegeError("no metrics: \(answer.status)") }
        values = Dictionary(
            answer.text.split(whereSeparator: \.isNewline).compactMap { line in
                guard let space = line.lastIndex(of: " "), let value = Double(line[space...].dropFirst()) else {
                    return nil
                }
                return (String(line[..<space]), value)
            }, uniquingKeysWith: { first, _ in first })
    }

    /// How much a counter has grown.
    func growth(of name: String, since earlier: Metrics) -> Double {
        (values[name] ?? 0) - (earlier.values[name] ?? 0)
    }

    /// The counters of limits that were hit meanwhile.
    func limitsHit(since earlier: Metrics) -> [String] {
        values.keys.filter { $0.hasPrefix("marquee_limit_hits_total{") && growth(of: $0, since: earlier) > 0 }.sorted()
    }
}
