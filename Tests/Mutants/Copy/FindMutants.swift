import ArgumentParser
import Foundation
import MarqueeModel
import Simulation

// In the copy with planted mutants, this program replaces `Simulate.swift`.

@main
struct FindMutants: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract:
            "Switches on planted faults one at a time and runs schedules until a guarantee is broken.",
        discussion: "The exit code is 1 if any fault was not found.")

    @Option(help: "Schedules after which a fault counts as not found.")
    var seeds: UInt64 = 2_000

    @Option(help: "Only this fault.")
    var mutant: String?

    @Flag(help: "Only schedules with a database and relays.")
    var relays = false

    @Flag(help: "Only schedules whose tokens name plans, over screens that differ by audience.")
    var audiences = false

    @Option(help: "With --mutant: play this schedule, and print what happens.")
    var seed: UInt64?

    @Flag(help: "Run all the schedules with each fault, list those that find it, and choose the few that find most.")
    var every = false

    @Option(help: "Concurrent schedules; by default, one per processor.")
    var workers: Int = ProcessInfo.processInfo.activeProcessorCount

    func validate() throws {
        guard seeds > 0 else { throw ValidationError("--seeds must be at least 1") }
        guard (1...1_024).contains(workers) else { throw ValidationError("--workers must be between 1 and 1024") }
        if seed != nil, mutant == nil { throw ValidationError("--seed needs --mutant") }
        if let mutant, !Planted.all.contains(where: { $0.name == mutant }) {
            throw ValidationError("there is no mutant '\(mutant)'")
        }
    }

    func run() throws {
        if let seed, let number = Planted.all.firstIndex(where: { $0.name == mutant }) {
            Planted.switchOn(number)
            let schedule = try Schedule(seed: seed, trace: Trace { print($0) })
            schedule.run()
            return print(schedule.violation.map { "FAILED at step \(schedule.steps): \($0)" } ?? "it survived")
        }
        RunningSeeds.watch(slots: workers)
        Interruption.watch()
        var tried = 0
        var finders: [String: Set<UInt64>] = [:]
        let alone = mutant == nil ? try Self.foundByTestsAlone() : []
        let wanted = Planted.all.enumerated().filter { _, planted in
            mutant.map { planted.name == $0 } ?? !alone.contains(planted.name)
        }
        for (number, planted) in wanted {
            if Interruption.hasHappened { break }
            tried += 1
            let failures = failures(with: number)
            if !failures.isEmpty { finders[planted.name] = Set(failures.map(\.seed)) }
        }
        let count = wanted.count
        if every { choose(from: finders) }
        say("\(finders.count) of \(count) mutants were found")
        if tried < count { throw ExitCode(130) }
        if finders.count < count { throw ExitCode.failure }
    }

    /// The faults that break no guarantee which schedules check, by the table beside them.
    private static func foundByTestsAlone() throws -> Set<String> {
        let table = try String(contentsOfFile: "Tests/Mutants/Faults/found-by.tsv", encoding: .utf8)
        let rows = table.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        return Set(rows.filter { $0.count > 1 && $0[1].isEmpty }.map { String($0[0]) })
    }

    /// - Returns: the schedules in which a guarantee was broken: the first one, or all.
    private func failures(with number: Int) -> [Summary.Failure] {
        Planted.switchOn(number)
        defer { Planted.switchOn(nil) }
        let start = ContinuousClock.now
        let run = Run(
            first: 1, count: seeds, hasRelays: relays, hasAudiences: audiences, failures: every ? .max : 1,
            isQuiet: true)
        let threads = (0..<workers).map { slot in
            let thread = Thread { run.work(slot: slot) }
            thread.stackSize = 8 << 20
            thread.start()
            return thread
        }
        while threads.contains(where: { !$0.isFinished }) {
            if Interruption.hasHappened { run.stop() }
            Thread.sleep(forTimeInterval: 0.01)
        }
        let summary = run.summary
        let seconds = Int((ContinuousClock.now - start) / .seconds(1))
        let (name, what) = Planted.all[number]
        let column = name.padding(toLength: 26, withPad: " ", startingAt: 0)
        let failures = summary.failures.sorted { $0.seed < $1.seed }
        guard let failure = failures.first else {
            say("\(column) SURVIVED \(summary.schedules) schedules, \(seconds) s: \(what)")
            return []
        }
        let found = failure.violation.guarantee.rawValue.padding(toLength: 4, withPad: " ", startingAt: 0)
        say("\(column) found by \(found) in schedule \(failure.seed), \(seconds) s: \(what)")
        say("    \(failure.violation.message.prefix(160))")
        if every { say("    in \(failures.count): \(failures.map { String($0.seed) }.joined(separator: " "))") }
        return failures
    }

    /// Says which schedules find the most mutants together: again and again the one that finds most of those left.
    /// - Parameter finders: for each mutant, the schedules that find it.
    private func choose(from finders: [String: Set<UInt64>]) {
        var left = finders
        while !left.isEmpty {
            let found = left.values.joined().reduce(into: [UInt64: Int]()) { $0[$1, default: 0] += 1 }
            guard let best = found.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return }
            left = left.filter { !$0.value.contains(best.key) }
            say("schedule \(best.key) finds \(best.value) more, \(finders.count - left.count) in all")
        }
    }

    /// Unbuffered, even when writing to a file.
    private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
