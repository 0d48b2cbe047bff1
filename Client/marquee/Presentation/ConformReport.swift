import MarqueeConformance
import MarqueeScreenJSON

/// The report of `conform` on the checks and their results.
struct ConformReport {
    var style: TextStyle

    private static let heading = ["chapter", "", "passed", "failed", "not applicable"]

    // Results

    func lines(of report: ConformanceReport) -> [String] {
        table(report) + failures(report) + skipped(report)
    }

    /// One line for each chapter, and one for all.
    private func table(_ report: ConformanceReport) -> [String] {
        var cells = report.rows.map {
            [
                String($0.chapter.number), $0.chapter.title, String($0.passed), String($0.failed),
                String($0.notApplicable),
            ]
        }
        let total = { (count: KeyPath<ConformanceReport.Row, Int>) in
            String(report.rows.reduce(0) { $0 + $1[keyPath: count] })
        }
        cells.append(["", "all", total(\.passed), total(\.failed), total(\.notApplicable)])
        let widths = Self.heading.indices.map { column in
            ([Self.heading] + cells).map { TextWidth.columns($0[column]) }.max() ?? 0
        }
        let row = { (cells: [String]) in
            cells.indices.map { TextWidth.pad(cells[$0], to: widths[$0], right: $0 != 1) }.joined(separator: "  ")
        }
        return [style.bold(row(Self.heading))] + cells.map { $0[3] == "0" ? row($0) : style.bold(row($0)) }
    }

    private func failures(_ report: ConformanceReport) -> [String] {
        report.failures.flatMap { result -> [String] in
            guard case .failed(let deviation) = result.outcome else { return [] }
            return [
                "", style.bold("failed: \(result.name)") + " (\(place(result.chapter)))",
                Sanitizer.line("  \(result.sentence)"), Sanitizer.line("  expected: \(deviation.expected)"),
                Sanitizer.line("  actual:   \(deviation.actual)"),
            ] + deviation.transcript.map { style.dim(Sanitizer.line("  \($0)")) }
        }
    }

    private func skipped(_ report: ConformanceReport) -> [String] {
        var names: [String: [String]] = [:]
        for result in report.results {
            if case .notApplicable(let reason) = result.outcome { names[reason, default: []].append(result.name) }
        }
        return names.sorted { $0.key < $1.key }.flatMap { reason, names in
            ["", Sanitizer.line("not applicable: \(reason)"), "  \(names.joined(separator: ", "))"]
        }
    }

    func document(of result: CheckResult) -> JSONValue {
        let (outcome, deviation, reason): (String, Deviation?, String?) =
            switch result.outcome {
            case .passed: ("passed", nil, nil)
            case .failed(let deviation): ("failed", deviation, nil)
            case .notApplicable(let reason): ("not-applicable", nil, reason)
            }
        return .object([
            "type": .string("check"), "name": .string(result.name), "chapter": .integer(result.chapter.number),
            "sentence": .string(result.sentence), "outcome": .string(outcome),
            "expected": deviation.map { .string($0.expected) }, "came": deviation.map { .string($0.actual) },
            "transcript": deviation.map { .strings($0.transcript) }, "reason": reason.map { .string($0) },
        ])
    }

    func summary(of report: ConformanceReport) -> JSONValue {
        let total = { (count: KeyPath<ConformanceReport.Row, Int>) in
            JSONValue.integer(report.rows.reduce(0) { $0 + $1[keyPath: count] })
        }
        return .object([
            "type": .string("summary"), "passed": total(\.passed), "failed": total(\.failed),
            "notApplicable": total(\.notApplicable),
        ])
    }

    // The list

    func list<Stage>(_ checks: [Check<Stage>], as format: OutputFormat) -> [String] {
        guard format == .lines else {
            return checks.map { check in
                JSONValue.object([
                    "type": .string("check"), "name": .string(check.name), "chapter": .integer(check.chapter.number),
                    "sentence": .string(check.sentence),
                ]).line()
            }
        }
        let width = checks.map(\.name.count).max() ?? 0
        return Set(checks.map(\.chapter)).sorted().flatMap { chapter in
            [style.bold(place(chapter))]
                + checks.filter { $0.chapter == chapter }.map {
                    "  \(TextWidth.pad($0.name, to: width))  \($0.sentence)"
                }
        }
    }

    private func place(_ chapter: Chapter) -> String { "chapter \(chapter.number), \(chapter.title)" }
}
