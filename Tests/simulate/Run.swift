import Foundation
import Simulation
import Synchronization

/// Runs many schedules on several threads, each seed once.
final class Run: Sendable {
    private struct State {
        var next: UInt64
        var started: UInt64 = 0
        var summary: Summary
        var isStopped = false
        var isImpossible = false
    }

    /// How many schedules to run; `nil` for no end.
    private let count: UInt64?
    private let hasRelays: Bool
    private let hasAudiences: Bool
    private let failures: Int
    /// Whether to suppress printing violations as they occur.
    private let isQuiet: Bool
    private let state: Mutex<State>

    /// - Parameters:
    ///   - hasRelays: whether to leave out seeds whose schedules have no relays.
    ///   - hasAudiences: whether to leave out seeds whose schedules have no audiences.
    ///   - failures: the number after which no more schedules start.
    init(
        first: UInt64, count: UInt64?, hasRelays: Bool = false, hasAudiences: Bool = false, failures: Int,
        isQuiet: Bool = false
    ) {
        self.isQuiet = isQuiet
        self.hasRelays = hasRelays
        self.hasAudiences = hasAudiences
        self.count = count
        self.failures = failures
        state = Mutex(State(next: first, summary: Summary(asked: count, isPartial: hasRelays || hasAudiences)))
    }

    var summary: Summary { state.withLock { $0.summary } }

    /// Whether a schedule could not be run here, for example for lack of disk space.
    var isImpossible: Bool { state.withLock { $0.isImpossible } }

    /// Prevents further schedules from starting.
    func stop() { state.withLock { $0.isStopped = true } }

    /// Runs schedules until there are no more.
    func work(slot: Int) {
        while let seed = next() {
            RunningSeeds.set(seed, slot: slot)
            do {
                let schedule = try Schedule(seed: seed)
                schedule.run()
                finish(schedule)
            } catch {
                FileHandle.standardError.write(Data("seed \(seed) can't be run: \(error)\n".utf8))
                state.withLock { ($0.isStopped, $0.isImpossible) = (true, true) }
            }
        }
        RunningSeeds.set(0, slot: slot)
    }

    private func next() -> UInt64? {
        state.withLock { state in
            guard !state.isStopped, count.map({ state.started < $0 }) ?? true else { return nil }
            while !isWanted(state.next) { state.next &+= 1 }
            defer { (state.next, state.started) = (state.next &+ 1, state.started + 1) }
            return state.next
        }
    }

    private func isWanted(_ seed: UInt64) -> Bool {
        (!hasRelays || Schedule.hasRelays(seed)) && (!hasAudiences || Schedule.hasAudiences(seed))
    }

    private func finish(_ schedule: Schedule) {
        state.withLock { state in
            state.summary.add(schedule)
            if state.summary.failures.count >= failures { state.isStopped = true }
        }
        if let violation = schedule.violation, !isQuiet {
            FileHandle.standardError.write(Data("seed \(schedule.seed), step \(schedule.steps): \(violation)\n".utf8))
        }
    }

    /// One line of progress.
    func progress(seconds: Double) -> String {
        let summary = summary
        let rate = Int(Double(summary.schedules) / seconds)
        return "\(summary.schedules) schedules, \(rate) a second, \(summary.failures.count) failed, "
            + "\(Summary.duration(summary.simulated)) simulated"
    }
}
