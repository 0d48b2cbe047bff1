import ArgumentParser
import Foundation
import Simulation

@main
struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Runs servers and clients through seeded fault schedules and checks every guarantee.",
        discussion: """
            Without --seed it runs many schedules and reports what happened in them. With --seed it plays one again, bit for bit, and tells \
            it line by line. The last line says how many schedules ran. The exit code is 1 when a guarantee was broken, when fewer \
            schedules ran than asked for, or when something never happened in 500 schedules or more; 71 when a schedule could not be \
            run here.
            """)

    @Option(help: "How many schedules to run; 0 runs until Ctrl-C.")
    var seeds: UInt64 = 1_000

    @Option(help: "The first seed.")
    var from: UInt64 = 1

    @Flag(help: "Only schedules with a database and relays.")
    var relays = false

    @Flag(help: "Only schedules whose tokens name plans, over screens that differ by audience.")
    var audiences = false

    @Option(help: "Replay this seed and print what happens.")
    var seed: UInt64?

    @Option(help: "Concurrent schedules; by default, one per processor.")
    var workers: Int = ProcessInfo.processInfo.activeProcessorCount

    @Option(help: "Failures after which no more schedules start.")
    var failures: Int = 10

    @Flag(help: "With --seed: print only the outcome.")
    var quiet = false

    func validate() throws {
        guard (1...1_024).contains(workers) else { throw ValidationError("--workers must be between 1 and 1024") }
        guard failures > 0 else { throw ValidationError("--failures must be at least 1") }
    }

    func run() throws {
        if let seed { try replay(seed) } else { try runMany() }
    }

    private func replay(_ seed: UInt64) throws {
        RunningSeeds.watch(slots: 1)
        RunningSeeds.set(seed, slot: 0)
        let schedule = try Schedule(seed: seed, trace: Trace(write: quiet ? nil : { print($0) }))
        schedule.run()
        let digest = schedule.trace.map { String($0.digest, radix: 16) } ?? ""
        print("seed \(seed): \(schedule.steps) steps, \(Summary.duration(schedule.now)) simulated, trace \(digest)")
        guard let violation = schedule.violation else {
            return print("1 schedule ran, that of seed \(seed); no guarantee was broken")
        }
        print("FAILED at step \(schedule.steps): \(violation)")
        throw ExitCode.failure
    }

    private func runMany() throws {
        let run = Run(
            first: from, count: seeds == 0 ? nil : seeds, hasRelays: relays, hasAudiences: audiences,
            failures: failures)
        let start = ContinuousClock.now
        func seconds() -> Double { (ContinuousClock.now - start) / .seconds(1) }
        RunningSeeds.watch(slots: workers)
        Interruption.watch()
        let threads = (0..<workers).map { slot in
            let thread = Thread { run.work(slot: slot) }
            // Recursion is never deep, but a second thread's default stack is half a megabyte on some systems.
            thread.stackSize = 8 << 20
            thread.start()
            return thread
        }
        var nextLine = 5.0
        while threads.contains(where: { !$0.isFinished }) {
            Thread.sleep(forTimeInterval: 0.05)
            if Interruption.hasHappened { run.stop() }
            guard seconds() >= nextLine else { continue }
            nextLine += 5
            let line = run.progress(seconds: seconds())
            FileHandle.standardError.write(Data("\(line)\n".utf8))
        }
        let summary = run.summary
        for line in summary.lines(seconds: seconds()) { print(line) }
        for failure in summary.failures.prefix(3) { print("replay it: make simulate SEED=\(failure.seed)") }
        if run.isImpossible, summary.failures.isEmpty { throw ExitCode(EX_OSERR) }
        if summary.hasFailed { throw ExitCode.failure }
    }
}
