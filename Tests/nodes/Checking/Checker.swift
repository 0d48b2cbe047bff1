/// Judges a history against the rows that the database has in the end. It knows nothing of the product but what a
/// position is, and what each log leads to.
struct Checker: Sendable {
    /// Exceptions that a fault is granted, and limits that it has to keep.
    struct Terms: Sendable {
        /// Changes on their way may be refused, because their server can no longer tell whether they took effect.
        var mayRefuse = false
        /// The longest wait of those who publish at other servers, in seconds; `nil` where all have to wait.
        var patience: Double?
        /// The server that fails.
        var victim: String?
        /// Observers that stay until the end.
        var lasting: Set<String> = []
    }

    let history: History
    let stored: Stored
    let terms: Terms
    let model: LogModel
    let losses: [ClosedRange<Double>]

    init(_ history: History, stored: Stored, terms: Terms = Terms()) {
        self.history = history
        self.stored = stored
        self.terms = terms
        losses = history.losses
        model = LogModel(history, stored)
    }

    /// Everything that is wrong, by law.
    var violations: [Violation] {
        var found = gone + contents + gaps + keys + counters + favorites + rows
        found += differences + undecided + waits + endings
        if history.omitted > 0 { found.append(Violation(law: .rows, text: "\(history.omitted) events were left out")) }
        return found
    }

    /// Whether what was confirmed at this moment may be lost.
    func mayBeLost(confirmedAt seconds: Double) -> Bool { losses.contains { $0.contains(seconds) } }

    /// Servers that ended by themselves.
    private var endings: [Violation] {
        history.events.compactMap { event in
            guard case .ended(let process, let status) = event.what else { return nil }
            return Violation(law: .alive, text: "\(process) ended by itself: \(status)")
        }
    }

    /// Publishers that had to wait too long while another server failed.
    private var waits: [Violation] {
        guard let patience = terms.patience else { return [] }
        return waitsOfOthers.filter { $0.seconds > patience }.map { wait in
            Violation(
                law: .patience,
                text: "\(wait.writer) waited \(Self.text(wait.seconds)) s for \(wait.key), asked at "
                    + "\(Self.text(wait.at)) s; at most \(Self.text(patience)) s may it be")
        }
    }

    /// How long each publication took at servers that don't fail.
    var waitsOfOthers: [(writer: String, key: String, at: Double, seconds: Double)] {
        var asked: [Write: Double] = [:]
        var waits: [(writer: String, key: String, at: Double, seconds: Double)] = []
        for event in history.events {
            switch event.what {
            case .asked(_, let write): asked[write] = event.at
            case .confirmed(let writer, .mark(let movie, let key), _):
                if let victim = terms.victim, writer.hasSuffix("@\(victim)") { continue }
                guard let at = asked[.mark(movie: movie, key: key)] else { continue }
                waits.append((writer, key, at, event.at - at))
            default: break
            }
        }
        return waits
    }

    private var undecided: [Violation] {
        var open: [Write: (writer: String, at: Double)] = [:]
        var found: [Violation] = []
        for event in history.events {
            switch event.what {
            case .asked(let writer, let write): open[write] = (writer, event.at)
            case .confirmed(_, let write, _): open[write] = nil
            case .refused(let writer, let write, let reason):
                open[write] = nil
                if !terms.mayRefuse, losses.isEmpty {
                    found.append(Violation(law: .decided, text: "\(writer) was refused \(write.text): \(reason)"))
                }
            default: break
            }
        }
        return found
            + open.sorted { $0.value.at < $1.value.at }.map { write, asked in
                Violation(
                    law: .decided,
                    text: "\(write.text) of \(asked.writer), asked at \(Self.text(asked.at)) s, was never confirmed")
            }
    }

    /// A number with one decimal.
    static func text(_ seconds: Double) -> String {
        let tenths = Int((seconds * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }
}
