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
                    say("\(name) found by \(found) in schedule \(failure.seed), \(seconds) s: \(mutant.summary)")
                    say("    \(failure.violation.message.prefix(160))")
                } else {
                    say("\(name) SURVIVED \(summary.schedules) schedules, \(seconds) s: \(mutant.summary)")
                    survivors.append(mutant)
                }
            }
            Mutant.active = nil
            return survivors
        }

        /// Told at once, also where it goes to a file.
        private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
    }

    extension Mutant {
        var name: String { "\(self)" }

        /// What it does, in a few words.
        fileprivate var summary: String {
            switch self {
            case .skipChecksum: "a patch is applied whatever it leads to"
            case .loseLaterParts: "of a patch in parts the later adds are lost"
            case .unknownKindEndsConnection: "a frame of an unknown kind ends the connection"
            case .wrongTieBreak: "equal movies stand by descending id"
            case .forgetReturned: "a movie that is driven out and comes back is shown as it was"
            case .forgetLost: "what the programme lacks while the catalogue is read anew comes back as it was"
            case .dropRemove: "an item that was removed from the end of a list stays"
            case .missCommit: "the hub applies a commit and renews nothing"
            case .missFavorites: "the hub hears of a user's favorites and renews nothing"
            case .promiseTooMuch: "a version is said to hold since a later revision"
            case .keepEverything: "versions are remembered beyond their bound"
            case .ignoreCredit: "data is begun beyond the credit"
            case .leaveOutSection: "a cut leaves out one section and says that it was sent"
            case .earlyProgress: "progress names the newest position, not the one that was delivered"
            case .resumeWithWrongBase: "whatever is offered is taken for the newest version"
            case .leakSubscription: "a subscription outlives its end"
            case .trustRefused: "what a client refused is taken for held"
            case .forgetRepair: "a nack is answered by a cut without repair"
            case .forgetParameters: "a change of parameters is forgotten when another is under way"
            case .neverAskAgain: "a section that grows is not asked about"
            case .acknowledgeBeforeDurable: "a write that failed is confirmed"
            case .loseWrite: "the last write of a batch is neither made nor answered"
            case .applyTwice: "an answer that is kept is not looked for"
            case .takeClone: "another mutation under a used number gets the old answer"
            case .wrongAnswer: "a mutation sent again is said to be in the newest revision"
            case .skipRevision: "a favorite takes two revisions"
            case .olderNode: "a node that is behind is as good as any"
            case .ignoreRepair: "cuts are applied while a repair is awaited"
            case .progressDuringRepair: "progress counts while a repair is awaited"
            case .keepRemovedSection: "a section that is gone stays in the mirror"
            case .countTwice: "staged bytes are acknowledged twice"
            case .tellBeforeStoring: "the app is told before the mirror has it"
            case .forgetToTell: "a change of favorites is told to the first screen only"
            case .dropUnknownItems: "items of unknown kinds are left out"
            case .sendBeforeFreezing: "a favorite is sent and still counts as unsent"
            case .newestFirst: "the newest favorite is sent first"
            case .leaveEarly: "a confirmed favorite leaves before the favorites contain it"
            case .keepClonedID: "a cloned mirror keeps its client id"
            case .forgetPosition: "the mirror's newest position is not stored"
            case .skipStoredChecksum: "stored bytes are shown whatever they are"
            }
        }
    }
#endif
