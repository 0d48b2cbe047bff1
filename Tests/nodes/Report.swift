import Foundation

/// The results of one phase.
struct Report: Sendable {
    private let cells: [String]
    /// Descriptions of everything that is not as it should be.
    let failures: [String]

    private static let heading = [
        "phase", "clients that lost live state", "s until live again: p50, p99, most", "bytes for that: p50, p99",
        "sections unchanged, patched, by manifest, whole", "publications", "longest wait for one, s: p50, p99, most",
        "favorites confirmed", "after, s: p50, p99, most", "lost, doubled", "mirrors that differ",
    ]

    /// - Parameter resumes: how sections came to those who returned, by tier.
    init(_ phase: Phase, _ crowd: Crowd, _ resumes: [Int], _ inspection: Inspection) {
        let felt = crowd.devices.map(\.felt)
        let away = felt.filter { $0.losses > 0 }
        let waits = crowd.favorites.flatMap(\.waits)
        cells = [
            phase.name, "\(away.count)", Self.seconds(away.map(\.away)),
            Self.quantiles([0.5, 0.99], of: away.compactMap(\.bytes).map(Double.init), "%.0f"),
            resumes.map(String.init).joined(separator: ", "), "\(crowd.publisher.waits.count)",
            Self.seconds(felt.map(\.behind)), "\(waits.count)", Self.seconds(waits),
            "\(inspection.lost), \(inspection.doubled)", "\(inspection.differing)",
        ]
        failures = inspection.findings + crowd.faults
    }

    private static func seconds(_ durations: [Duration]) -> String {
        quantiles([0.5, 0.99, 1], of: durations.map { $0 / .seconds(1) }, "%.2f")
    }

    /// The smallest of the values that so many of them don't exceed, for each share, as text.
    private static func quantiles(_ shares: [Double], of values: [Double], _ format: String) -> String {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return "-" }
        return shares.map { share in
            String(format: format, sorted[max(0, Int((Double(sorted.count) * share).rounded(.up)) - 1)])
        }.joined(separator: ", ")
    }

    /// All phases, as Markdown shows them.
    static func table(_ reports: [Report]) -> String {
        let rows = [heading, heading.map { _ in "---" }] + reports.map(\.cells)
        return rows.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }
}
