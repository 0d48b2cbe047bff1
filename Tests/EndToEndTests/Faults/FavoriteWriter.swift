import Foundation
import MarqueeModel
import SeededRandom

/// A person who sets and unsets favorites with the command line, on their own mirror, and remembers its answers.
final class FavoriteWriter {
    let user: String
    let mirror: String
    private let folder: URL
    private let subjects: [Subject]
    private(set) var ledger = FavoriteLedger()
    private(set) var counts: [FavoriteLedger.Outcome: Int] = [:]

    init(user: String, name: String, subjects: [Subject], in folder: URL) {
        self.user = user
        self.subjects = subjects
        self.folder = folder
        mirror = folder.appending(path: "\(name).sqlite").path
    }

    /// A command that was started.
    struct Attempt {
        var process: RunningProcess
        var subject: Subject
        var on: Bool
        var began: ContinuousClock.Instant
    }

    /// Starts reversing what the last command about that subject requested.
    func begin(server: String, using random: inout SeededGenerator) throws -> Attempt {
        let subject = random.pick(subjects) ?? .movie(13)
        let on = !ledger.isLastOn(subject)
        let process = try RunningProcess(
            "marquee",
            [
                "favorite", on ? "add" : "remove", subject.name, "--user", user, "--server", server, "--mirror", mirror,
                "--timeout", "1",
            ], in: folder)
        return Attempt(process: process, subject: subject, on: on, began: .now)
    }

    /// Waits until the command ends, however it ends.
    /// - Returns: its answer.
    /// - Throws: when it ended by itself without either answer.
    @discardableResult
    func finish(_ attempt: Attempt) async throws -> FavoriteLedger.Outcome {
        let status = try await attempt.process.ended()
        let output = attempt.process.output
        let outcome: FavoriteLedger.Outcome
        if output.contains("\(attempt.subject) \(attempt.on ? "added" : "removed")") {
            outcome = .confirmed
        } else if output.contains("\(attempt.subject) stored") {
            outcome = .stored
        } else if status == nil {
            outcome = .unknown
        } else {
            throw Overdue(description: "favorite ended with \(status ?? -1): \(output)\(attempt.process.errors)")
        }
        ledger.record(
            attempt.subject,
            FavoriteLedger.Operation(on: attempt.on, outcome: outcome, began: attempt.began, ended: .now))
        counts[outcome, default: 0] += 1
        return outcome
    }
}
