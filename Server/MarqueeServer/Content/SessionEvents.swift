import Synchronization

/// Counts rare events of sessions: refusals, repairs, and how sections were resumed.
///
/// Thread safe. Not used on the path of an ordinary delivery.
package final class SessionEvents: Sendable {
    /// How a section that a client offered for resuming was brought up to date; see `Docs/resume.md`.
    package enum Resume: String, CaseIterable, Sendable {
        /// The client has the newest version.
        case unchanged
        /// A patch from the version that the client has.
        case patch
        /// A patch from the version that the client described by a manifest.
        case manifest
        /// The whole section.
        case snapshot
    }

    /// Counts since start.
    package struct Counts: Hashable, Sendable {
        /// Cuts that clients refused.
        package var nacks: UInt64 = 0
        /// Cuts that answered a refused one.
        package var repairs: UInt64 = 0
        /// Sections that a view went without for a while.
        package var failedSections: UInt64 = 0
        /// Sections offered for resuming.
        package var resumes: [Resume: UInt64] = [:]

        package init() {}
    }

    let nacks = Atomic<UInt64>(0)
    let repairs = Atomic<UInt64>(0)
    let failedSections = Atomic<UInt64>(0)
    private let unchanged = Atomic<UInt64>(0)
    private let patches = Atomic<UInt64>(0)
    private let manifests = Atomic<UInt64>(0)
    private let snapshots = Atomic<UInt64>(0)

    func count(_ resume: Resume) {
        switch resume {
        case .unchanged: unchanged.add(1, ordering: .relaxed)
        case .patch: patches.add(1, ordering: .relaxed)
        case .manifest: manifests.add(1, ordering: .relaxed)
        case .snapshot: snapshots.add(1, ordering: .relaxed)
        }
    }

    package var counts: Counts {
        var counts = Counts()
        counts.nacks = nacks.load(ordering: .relaxed)
        counts.repairs = repairs.load(ordering: .relaxed)
        counts.failedSections = failedSections.load(ordering: .relaxed)
        counts.resumes = [
            .unchanged: unchanged.load(ordering: .relaxed), .patch: patches.load(ordering: .relaxed),
            .manifest: manifests.load(ordering: .relaxed), .snapshot: snapshots.load(ordering: .relaxed),
        ]
        return counts
    }
}
