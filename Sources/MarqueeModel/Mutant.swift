#if MARQUEE_MUTANTS
    import Synchronization
#endif

/// A fault that can be planted on purpose, to see whether the simulation finds it. Only in builds made with `-D MARQUEE_MUTANTS`, one at a time;
/// in all others `planted` is false and costs nothing.
package enum Mutant: Int, CaseIterable, Sendable {
    // Diff, wire
    case skipChecksum, loseLaterParts, unknownKindEndsConnection
    // Screens, hub, library
    case wrongTieBreak, dropRemove, missCommit, missFavorites, promiseTooMuch, stalePatch, keepEverything
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

    package var name: String { "\(self)" }

    /// What it does, in a few words.
    package var summary: String {
        switch self {
        case .skipChecksum: "a patch is applied whatever it leads to"
        case .loseLaterParts: "of a patch in parts the later adds are lost"
        case .unknownKindEndsConnection: "a frame of an unknown kind ends the connection"
        case .wrongTieBreak: "equal movies stand by descending id"
        case .dropRemove: "an item that was removed from the end of a list stays"
        case .missCommit: "the hub applies a commit and renews nothing"
        case .missFavorites: "the hub hears of a user's favorites and renews nothing"
        case .promiseTooMuch: "a version is said to hold since a later revision"
        case .stalePatch: "frames that name a later position are sent again"
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
