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

    @Option(help: "With --mutant: play this schedule, and print what happens.")
    var seed: UInt64?

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
        var found = 0
        for (number, planted) in Planted.all.enumerated() where mutant == nil || planted.name == mutant {
            if Interruption.hasHappened { break }
            tried += 1
            if find(number) { found += 1 }
        }
        let count = mutant == nil ? Planted.all.count : 1
        say("\(found) of \(count) mutants were found")
        if tried < count { throw ExitCode(130) }
        if found < count { throw ExitCode.failure }
    }

    /// - Returns: whether a guarantee was broken.
    private func find(_ number: Int) -> Bool {
        Planted.switchOn(number)
        defer { Planted.switchOn(nil) }
        let start = ContinuousClock.now
        let run = Run(first: 1, count: seeds, hasRelays: relays, failures: 1, isQuiet: true)
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
        guard let failure = summary.failures.min(by: { $0.seed < $1.seed }) else {
            say("\(column) SURVIVED \(summary.schedules) schedules, \(seconds) s: \(what)")
            return false
        }
        let found = failure.violation.guarantee.rawValue.padding(toLength: 4, withPad: " ", startingAt: 0)
        say("\(column) found by \(found) in schedule \(failure.seed), \(seconds) s: \(what)")
        say("    \(failure.violation.message.prefix(160))")
        return true
    }

    /// Unbuffered, even when writing to a file.
    private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
