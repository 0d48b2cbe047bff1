import Foundation

/// The result of one round.
struct FaultResult: Sendable {
    let fault: Fault
    let seed: UInt64
    let violations: [Violation]
    let interruption: Interruption
    /// The longest wait of those who publish at other servers.
    let wait: Double
    /// States that were judged, and changes that were confirmed.
    let states: Int
    let confirmed: Int
    let history: History

    init(fault: Fault, seed: UInt64, checker: Checker, span: ClosedRange<Double>) {
        self.fault = fault
        self.seed = seed
        violations = checker.violations
        history = checker.history
        interruption = Interruption(history, observers: checker.terms.lasting, during: span)
        wait = checker.waitsOfOthers.map(\.seconds).max() ?? 0
        var (states, confirmed) = (0, 0)
        for event in history.events {
            switch event.what {
            case .shown: states += 1
            case .confirmed: confirmed += 1
            default: break
            }
        }
        (self.states, self.confirmed) = (states, confirmed)
    }

    /// Each law that didn't hold, with how often.
    var byLaw: String {
        Law.allCases.compactMap { law in
            let count = violations.count { $0.law == law }
            return count > 0 ? "\(law.rawValue) \(count)" : nil
        }.joined(separator: ", ")
    }

    /// Writes everything that happened, for people.
    func write(to file: URL) throws {
        let text =
            (["\(fault.name): \(fault.summary)", "seed \(seed)", ""] + violations.map { "VIOLATION \($0)" } + [""]
            + history.lines()).joined(separator: "\n")
        try (text + "\n").write(to: file, atomically: true, encoding: .utf8)
    }

    /// All rounds, as Markdown shows them: a line for each fault.
    static func table(_ results: [FaultResult], skipped: [(fault: Fault, reason: String)]) -> String {
        let heading = [
            "fault", "times", "s without live updates: median, worst", "longest wait to publish, s", "states judged",
            "changes confirmed", "violations",
        ]
        var rows = [heading, heading.map { _ in "---" }]
        for fault in Fault.all {
            let rounds = results.filter { $0.fault.name == fault.name }
            if let skip = skipped.first(where: { $0.fault.name == fault.name }) {
                rows.append([fault.name, "0", "-", "-", "-", "-", "skipped: \(skip.reason)"])
            }
            guard !rounds.isEmpty else { continue }
            let medians = rounds.map(\.interruption.median).sorted()
            let worst = rounds.map(\.interruption.worst).max() ?? 0
            let violations = rounds.map(\.byLaw).filter { !$0.isEmpty }
            rows.append([
                fault.name, "\(rounds.count)",
                "\(Checker.text(medians[medians.count / 2])), \(Checker.text(worst))",
                Checker.text(rounds.map(\.wait).max() ?? 0), "\(rounds.map(\.states).reduce(0, +))",
                "\(rounds.map(\.confirmed).reduce(0, +))",
                violations.isEmpty ? "none" : violations.joined(separator: "; "),
            ])
        }
        return rows.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }
}
