import Foundation

/// What became of one mode.
struct Report {
    /// Megabytes that the server may hold more after a siege than before; what it remembers of versions and patches is
    /// its own.
    private static let growth: Double = 128
    private static let columns = [28, 8, 8, 8, 8, 8, 8, 8, 8, 9, 9, 7]

    static let heading = row([
        "mode", "call p50", "p99", "max", "cut p50", "p99", "max", "hello99", "max", "MB most", "MB after", "fds",
    ])

    private let mode: String
    private let times: OrdinaryClient.Times
    private let memory: (before: Double, most: Double, after: Double)
    private let descriptors: (before: Int, after: Int)
    private let isRunning: Bool
    private let error: String?

    /// Puts a server under siege.
    init(mode: Mode, server: ServerUnderSiege, seconds: Double, connections: Int) async throws {
        let ordinary = try OrdinaryClient(port: server.port)
        let measuring = Task { await ordinary.measure() }
        try await ordinary.ready()
        try await Task.sleep(for: .milliseconds(300))
        let before = (server.memory.now, server.descriptors)
        ordinary.reset()
        let field = Mode.Field(
            port: server.port, seconds: seconds, connections: connections, deadline: .now + .seconds(seconds))
        var error: String?
        do { try await mode.attack(field) } catch let failure { error = "\(failure)" }
        // What came late is part of it.
        try await Task.sleep(for: .milliseconds(500))
        times = ordinary.times
        for _ in 0..<200 where server.descriptors > before.1 + Self.spare {
            try await Task.sleep(for: .milliseconds(50))
        }
        descriptors = (before.1, server.descriptors)
        memory = (before.0, server.memory.most, server.memory.now)
        isRunning = server.isRunning
        self.mode = mode.name
        self.error = error
        measuring.cancel()
        await measuring.value
    }

    /// Descriptors that newcomers and the store may have open at the moment of counting.
    private static let spare = 8

    private static func quantile(_ values: [Double], _ part: Double) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return .infinity }
        return sorted[min(sorted.count - 1, Int((Double(sorted.count) * part).rounded(.down)))]
    }

    private static func row(_ cells: [String]) -> String {
        zip(cells, columns).enumerated().map { index, cell in
            let space = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
            return index == 0 ? cell.0 + space : space + cell.0
        }.joined(separator: " ")
    }

    var line: String {
        func text(_ value: Double) -> String { value.isFinite ? String(format: "%.1f", value) : "never" }
        func cells(_ values: [Double], _ parts: [Double]) -> [String] { parts.map { text(Self.quantile(values, $0)) } }
        return Self.row(
            [mode] + cells(times.calls, [0.5, 0.99, 1]) + cells(times.cuts, [0.5, 0.99, 1])
                + cells(times.welcomes, [0.99, 1])
                + [text(memory.most), text(memory.after), "\(descriptors.before)→\(descriptors.after)"])
            + (times.missed.isEmpty ? "" : "  \(times.missed.count) missed: \(times.missed[0])")
            + (error.map { "  attack: \($0)" } ?? "")
    }

    /// What was not as it should be.
    func failures(bound: Double) -> [String] {
        var failures: [String] = []
        if !isRunning { failures.append("the server ended") }
        for (what, values) in [("call", times.calls), ("cut", times.cuts), ("welcome", times.welcomes)] {
            let p99 = Self.quantile(values, 0.99)
            if p99 > bound { failures.append(String(format: "a %@ took %.1f ms at p99", what, p99)) }
        }
        if !times.missed.isEmpty { failures.append("\(times.missed.count) missed, such as \(times.missed[0])") }
        if descriptors.after > descriptors.before + Self.spare {
            failures.append("\(descriptors.after) descriptors stayed open, \(descriptors.before) before")
        }
        if memory.after > memory.before + Self.growth {
            failures.append(String(format: "%.0f MB stayed, %.0f MB before", memory.after, memory.before))
        }
        return failures
    }
}
