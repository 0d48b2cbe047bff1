#if MARQUEE_MUTANTS
    import Synchronization
#endif

/// A fault that can be planted on purpose, to see whether the simulation finds it. Only in builds made with `-D MARQUEE_MUTANTS`, one at a time;
/// in all others `planted` is false and costs nothing.
@usableFromInline
package enum Mutant: Int, CaseIterable, Sendable {
    // Diff, wire
    case skipChecksum, loseLaterParts, unknownKindEndsConnection
    // Screens, hub, library
    case wrongTieBreak, forgetReturned, forgetLost, dropRemove, missCommit, missFavorites, promiseTooMuch,
        keepEverything
    // Session
    case ignoreCredit, leaveOutSection, earlyProgress, resumeWithWrongBase, leakSubscription, trustRefused, forgetRepair
    case forgetParameters, neverAskAgain
    // Committer, store
    case acknowledgeBeforeDurable, loseWrite, applyTwice, takeClone, wrongAnswer, skipRevision
    // Sync
    case olderNode, ignoreRepair, progressDuringRepair, keepRemovedSection, countTwice
    // Engine, outbox, mirror
    case tellBeforeStoring, forgetToTell, dropUnknownItems, sendBeforeFreezing, newestFirst, leaveEarly, keepClonedID
    case forgetPosition, skipStoredChecksum

    #if MARQUEE_MUTANTS
        private static let number = Atomic<Int>(-1)

        /// The one that is switched on.
        package static var active: Mutant? {
            get { Mutant(rawValue: number.load(ordering: .relaxed)) }
            set { number.store(newValue?.rawValue ?? -1, ordering: .relaxed) }
        }

        fileprivate static func isActive(_ mutant: Mutant) -> Bool {
            number.load(ordering: .relaxed) == mutant.rawValue
        }
    #endif
}

#if MARQUEE_MUTANTS
    /// Whether a fault is switched on.
    package func planted(_ mutant: Mutant) -> Bool { Mutant.isActive(mutant) }
#else
    /// Never true in this build.
    @inlinable package func planted(_ mutant: Mutant) -> Bool { false }
#endif
