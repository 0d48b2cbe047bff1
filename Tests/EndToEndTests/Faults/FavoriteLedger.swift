import Foundation
import MarqueeModel

/// The favorites requested on one mirror, one after another, and the command's answers: determines what the server may
/// hold.
struct FavoriteLedger {
    enum Outcome: Hashable {
        /// The command said that the server has it.
        case confirmed
        /// The command said that it will be sent.
        case stored
        /// It was killed before it said anything.
        case unknown
    }

    struct Operation {
        var on: Bool
        var outcome: Outcome
        var began: ContinuousClock.Instant
        var ended: ContinuousClock.Instant
    }

    private(set) var operations: [Subject: [Operation]] = [:]

    mutating func record(_ subject: Subject, _ operation: Operation) {
        operations[subject, default: []].append(operation)
    }

    /// Whether the next request makes a difference, if all before it took effect.
    func isLastOn(_ subject: Subject) -> Bool { operations[subject]?.last?.on ?? false }

    /// Returns the states that the server may report for a subject.
    /// - Parameter sent: whether everything that the mirror had stored was sent in the meantime.
    func allowed(_ subject: Subject, sent: Bool) -> Set<Bool> {
        let all = operations[subject] ?? []
        let certain = all.lastIndex { $0.outcome == .confirmed || (sent && $0.outcome == .stored) }
        let base = certain.map { all[$0].on } ?? false
        // Later changes may have taken effect, entirely or in part.
        return Set(all[(certain.map { $0 + 1 } ?? 0)...].map(\.on) + [base])
    }

    /// Why the server's favorites can't be right; empty if they can.
    /// - Parameter favorites: all of the user's, newest first.
    func violations(in favorites: [Subject], sent: Bool) -> [String] {
        var found: [String] = []
        if Set(favorites).count != favorites.count { found.append("a favorite is there twice: \(favorites)") }
        for subject in operations.keys.sorted(by: { $0.name < $1.name }) {
            let isPresent = favorites.contains(subject)
            guard !allowed(subject, sent: sent).contains(isPresent) else { continue }
            let history = (operations[subject] ?? []).map { "\($0.on ? "set" : "unset") \($0.outcome)" }
            found.append("\(subject) is \(isPresent ? "" : "not ")there after: \(history.joined(separator: ", "))")
        }
        // Of two that were certainly set one after the other, the later one is newer.
        let set = favorites.compactMap { subject in certainlySet(subject).map { (subject, $0) } }
        for (newer, older) in zip(set, set.dropFirst()) where newer.1.ended < older.1.began {
            found.append("\(newer.0) stands before \(older.0), which was set later")
        }
        return found
    }

    /// The confirmed setting of a subject that was certainly unset before it.
    private func certainlySet(_ subject: Subject) -> Operation? {
        guard let all = operations[subject], let last = all.last, last.on, last.outcome == .confirmed else {
            return nil
        }
        guard all.count > 1 else { return last }
        let before = all[all.count - 2]
        return before.on || before.outcome != .confirmed ? nil : last
    }
}
