/// The results of many schedules.
package struct Summary: Sendable {
    package struct Failure: Sendable {
        package var seed: UInt64
        package var step: Int
        package var violation: Violation
    }

    /// A run with at least this many schedules has to encounter everything at least once.
    package static let coverageSchedules = 500

    /// Requested schedules; `nil` to run until stopped.
    package let asked: UInt64?
    /// Whether only some kinds of schedules were requested, in which not everything happens.
    private let isPartial: Bool
    /// Schedules that ran.
    package private(set) var schedules = 0
    package private(set) var steps = 0
    /// Milliseconds.
    package private(set) var simulated: UInt64 = 0
    package private(set) var counts = Counts()
    package private(set) var failures: [Failure] = []

    package init(asked: UInt64? = nil, isPartial: Bool = false) {
        self.asked = asked
        self.isPartial = isPartial
    }

    package mutating func add(_ schedule: Schedule) {
        schedules += 1
        steps += schedule.steps
        simulated += schedule.now
        counts.add(schedule.counts)
        if let violation = schedule.violation {
            failures.append(Failure(seed: schedule.seed, step: schedule.steps, violation: violation))
        }
    }

    /// Events that should have happened in this many schedules but didn't.
    package var missing: [Occurrence] {
        schedules >= Self.coverageSchedules && !isPartial ? counts.missing : []
    }

    /// Requested schedules that did not run.
    package var notRun: UInt64 {
        guard let asked, asked > UInt64(schedules) else { return 0 }
        return asked - UInt64(schedules)
    }

    package var hasFailed: Bool { !failures.isEmpty || !missing.isEmpty || notRun > 0 }

    /// - Parameter seconds: elapsed real time.
    package func lines(seconds: Double) -> [String] {
        let rate = seconds > 0 ? Double(schedules) / seconds : 0
        var lines = [
            "\(schedules) schedules of \(schedules > 0 ? steps / schedules : 0) steps in \(Self.decimal(seconds)) s: "
                + "\(Self.decimal(rate)) a second, \(Self.duration(simulated)) of simulated time"
        ]
        for (title, range) in Occurrence.groups {
            let entries = Occurrence.allCases.filter(range.contains).map { "\($0.rawValue) \(counts[$0])" }
            var line = "  \(title):"
            for entry in entries {
                if line.count + entry.count > 116 {
                    lines.append(line)
                    line = "   "
                }
                line += " \(entry)"
            }
            lines.append(line)
        }
        for failure in failures {
            lines.append("FAILED seed \(failure.seed), step \(failure.step): \(failure.violation)")
        }
        if !missing.isEmpty { lines.append("NEVER HAPPENED: \(missing.map(\.rawValue).joined(separator: ", "))") }
        lines.append(closing)
        return lines
    }

    /// How many of the requested schedules ran, and the outcome.
    private var closing: String {
        var line = asked.map { "\(schedules) of \($0) schedules ran" } ?? "\(schedules) schedules ran"
        if notRun > 0 { line += "; \(notRun) did not" }
        if !failures.isEmpty { line += "; \(failures.count) broke a guarantee" }
        if !missing.isEmpty { line += "; \(missing.count) things never happened" }
        if !hasFailed { line += "; no guarantee was broken" }
        return line
    }

    /// Whole days and hours, or less.
    package static func duration(_ milliseconds: UInt64) -> String {
        let seconds = milliseconds / 1_000
        if seconds >= 86_400 { return "\(seconds / 86_400) days \(seconds % 86_400 / 3_600) h" }
        if seconds >= 3_600 { return "\(seconds / 3_600) h \(seconds % 3_600 / 60) min" }
        return "\(seconds / 60) min \(seconds % 60) s"
    }

    private static func decimal(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}
