/// The outcome of one check.
package struct CheckResult: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        case passed
        case failed(Deviation)
        case notApplicable(String)
    }

    package var name: String
    package var chapter: Chapter
    package var sentence: String
    package var outcome: Outcome

    package init(name: String, chapter: Chapter, sentence: String, outcome: Outcome) {
        self.name = name
        self.chapter = chapter
        self.sentence = sentence
        self.outcome = outcome
    }
}

/// The outcomes of all checks, in their order.
package struct ConformanceReport: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        package var chapter: Chapter
        package var passed = 0
        package var failed = 0
        package var notApplicable = 0
    }

    package var results: [CheckResult]

    package init(_ results: [CheckResult]) { self.results = results }

    /// One row for each chapter that has a check.
    package var rows: [Row] {
        var rows: [Chapter: Row] = [:]
        for result in results {
            var row = rows[result.chapter] ?? Row(chapter: result.chapter)
            switch result.outcome {
            case .passed: row.passed += 1
            case .failed: row.failed += 1
            case .notApplicable: row.notApplicable += 1
            }
            rows[result.chapter] = row
        }
        return rows.values.sorted { $0.chapter < $1.chapter }
    }

    package var failures: [CheckResult] {
        results.filter {
            if case .failed = $0.outcome { return true }
            return false
        }
    }
}
