#if MARQUEE_MUTANTS
    import Foundation
    import MarqueeModel
    import Simulation

    /// Plants one fault after the other and runs schedules until a guarantee is seen to be broken.
    struct Mutants {
        /// Schedules after which a fault counts as not found.
        let schedules: UInt64
        let workers: Int
        /// Only this one.
        let only: Mutant?

        /// - Returns: those that nothing has found.
        func run() -> [Mutant] {
            var survivors: [Mutant] = []
            for mutant in Mutant.allCases where only == nil || only == mutant {
                Mutant.active = mutant
                let start = ContinuousClock.now
                let run = Run(first: 1, count: schedules, failures: 1, isQuiet: true)
                let threads = (0..<workers).map { slot in
                    let thread = Thread { run.work(slot: slot) }
                    thread.stackSize = 8 << 20
                    thread.start()
                    return thread
                }
                while threads.contains(where: { !$0.isFinished }) { Thread.sleep(forTimeInterval: 0.01) }
                let summary = run.summary
                let seconds = Int((ContinuousClock.now - start) / .seconds(1))
                let name = mutant.name.padding(toLength: 28, withPad: " ", startingAt: 0)
                if let failure = summary.failures.min(by: { $0.seed < $1.seed }) {
                    let found = failure.violation.guarantee.rawValue.padding(toLength: 4, withPad: " ", startingAt: 0)
                    print("\(name) found by \(found) in schedule \(failure.seed), \(seconds) s: \(mutant.summary)")
                    print("    \(failure.violation.message.prefix(160))")
                } else {
                    print("\(name) SURVIVED \(summary.schedules) schedules, \(seconds) s: \(mutant.summary)")
                    survivors.append(mutant)
                }
                fflush(stdout)
            }
            Mutant.active = nil
            return survivors
        }
    }
#endif
