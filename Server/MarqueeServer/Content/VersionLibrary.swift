package import MarqueeDiff
package import MarqueeModel
package import MarqueeWire
import Synchronization

/// The versions of each content that the server remembers, and the encoded patches between them, shared by all
/// sessions.
///
/// Versions are kept by content, which many variants may show. Patches are kept by variant, as their frames contain its
/// handle.
///
/// Thread safe. Patches are built on first use and kept, so that each (variant, base, target) is encoded once, however
/// many subscribers there are. Versions and patches are bounded by bytes and by age; ages advance with `tick`.
package final class VersionLibrary: Sendable {
    /// A patch is worth sending only up to this percentage of the whole section's size.
    package static let patchPercent = 70
    /// The most versions of one content.
    package static let versionsPerVariant = 64

    package struct Bounds: Sendable {
        /// Bytes that superseded versions keep in memory, counted as if they shared nothing. The newest version of each
        /// content isn't counted: the hub holds it anyway, and bounds the versions that nobody shows.
        package var versionBytes = 256 << 20
        /// Bytes of encoded patches.
        package var patchBytes = 64 << 20
        /// How long a superseded version is remembered, in milliseconds. The newest version of a content doesn't age:
        /// most clients hold it, and it is the base of the next patch.
        package var versionMilliseconds: UInt64 = 6 * 3_600_000
        /// How long an encoded patch is kept after it was made, in milliseconds.
        package var patchMilliseconds: UInt64 = 10 * 60_000
        /// The bytes of encoded patches beyond which the oldest are kept for `burstMilliseconds` only, so that no
        /// memory stays in use when a crowd has left.
        package var restingPatchBytes = 4 << 20
        package var burstMilliseconds: UInt64 = 30_000

        package init() {}
    }

    /// Counts since start.
    package struct Counters: Hashable, Sendable {
        package var encodes: UInt64 = 0
        /// Pairs of versions compared to find the patch from one to the other.
        package var comparisons: UInt64 = 0
        package var encodedBytes: UInt64 = 0
        /// Patches, including whole sections, that already existed when a session needed them.
        package var hits: UInt64 = 0
        /// Patches, including whole sections, that didn't lead to their target and so weren't sent.
        package var refusedPatches: UInt64 = 0
        /// Patches made for one client, from the manifest of the version it holds.
        package var manifestPatches: UInt64 = 0
    }

    /// A patch, and the position that its frames carry.
    package struct Shared: Sendable {
        package var encoded: EncodedPatch
        /// If content returns to an earlier version, the frames made then are reused; this position is then older than
        /// the newest change.
        package var since: CutChange

        /// Whether the frames may be sent, given that the target has been current since `limit`. If content returned to
        /// an earlier version, a faster session may have had frames made with a later position: they would promise too
        /// much (G9).
        func isWithin(_ limit: CutChange) -> Bool {
            since.catalogueRevision ?? 0 <= limit.catalogueRevision ?? 0
                && since.userRevision ?? 0 <= limit.userRevision ?? 0
        }
    }

    /// How a session takes a client from the version it holds to a target.
    package enum Route: Sendable {
        case patch(Shared)
        /// The base is gone or the patch isn't worth sending, and the section fits one part: it is replaced within the
        /// cut.
        case whole(Shared)
        /// The base is gone, and the client's manifest costs less than the section.
        case lost
        /// The section has to be staged first.
        case stage
    }

    struct PatchKey: Hashable {
        var handle: UInt64
        var base: UInt64?
        var target: UInt64
    }
    struct VersionKey: Hashable {
        var content: UInt64
        var sum: UInt64
    }
    struct State {
        var versions = SpreadDictionary<VersionKey, Version>()
        /// The sums of versions by content, in the order in which they were recorded.
        var versionAges: [UInt64: [UInt64]] = [:]
        var versionOrder = AgeQueue<VersionKey>()
        /// Superseded versions, in the order in which they were superseded.
        var superseded = AgeQueue<VersionKey>()
        var patches = SpreadDictionary<PatchKey, Shared>()
        var patchOrder = AgeQueue<PatchKey>()
        /// Differences between versions, shared by all variants.
        var diffs = DiffMemo()
        var counters = Counters()
        var evidence = EvidenceRing()
        /// The clock at the last `tick`, in milliseconds.
        var now: UInt64 = 0

        var bytes: Int { versionOrder.bytes + patchOrder.bytes }

        mutating func forget(_ key: VersionKey) {
            versions.removeValue(forKey: key)
            versionOrder.remove(key)
            superseded.remove(key)
            versionAges[key.content]?.removeAll { $0 == key.sum }
            if versionAges[key.content]?.isEmpty == true { versionAges[key.content] = nil }
        }
    }

    let state = Mutex(State())
    let bounds: Bounds
    let limits: WireLimits
    /// Counts of refusals, and of resumed sections, in all sessions.
    package let events = SessionEvents()
    private let onEvidence: @Sendable (RefusedPatch) -> Void

    /// - Parameters:
    ///   - limits: the limits of the receiving side, by which patches are split into parts.
    ///   - onEvidence: called on any thread for each refused patch, whether it was refused here before it was sent or
    ///     by a client.
    package init(
        bounds: Bounds = Bounds(), limits: WireLimits = .client,
        onEvidence: @escaping @Sendable (RefusedPatch) -> Void = { _ in }
    ) {
        self.bounds = bounds
        self.limits = limits
        self.onEvidence = onEvidence
    }

    package var counters: Counters { state.withLock { $0.counters } }

    /// Bytes of versions and of patches.
    package var bytes: (versions: Int, patches: Int) {
        state.withLock { ($0.versionOrder.bytes, $0.patchOrder.bytes) }
    }

    /// Bytes of superseded versions.
    package var supersededBytes: Int { state.withLock { $0.superseded.bytes } }

    /// The patches refused most recently, here or by clients.
    package var evidence: EvidenceRing { state.withLock { $0.evidence } }

    /// Remembers that a patch was refused.
    package func note(_ refused: RefusedPatch) {
        state.withLock { $0.evidence.append(refused) }
        onEvidence(refused)
    }

    /// Remembers a version of a content.
    package func record(_ version: Version, of content: UInt64) {
        state.withLock { state in
            let key = VersionKey(content: content, sum: version.sum)
            if let newest = state.versionAges[content]?.last, newest != version.sum {
                let old = VersionKey(content: content, sum: newest)
                state.superseded.append(old, bytes: state.versions[old]?.storedSize ?? 0, at: state.now)
            }
            state.superseded.remove(key)
            if state.versions.updateValue(version, forKey: key) != nil {
                state.versionAges[content]?.removeAll { $0 == version.sum }
            }
            state.versionOrder.append(key, bytes: version.storedSize, at: state.now)
            state.versionAges[content, default: []].append(version.sum)
            if let ages = state.versionAges[content], ages.count > Self.versionsPerVariant {
                state.forget(VersionKey(content: content, sum: ages[0]))
            }
            while state.superseded.bytes > bounds.versionBytes, let old = state.superseded.popFirst() {
                state.forget(old)
            }
        }
    }

    /// Advances the clock and forgets entries that are too old. Called about once a second.
    /// - Parameter now: milliseconds of a monotonic clock.
    package func tick(now: UInt64) {
        state.withLock { state in
            state.now = max(state.now, now)
            while let old = state.superseded.popFirst(ageing: bounds.versionMilliseconds, at: state.now) {
                state.forget(old)
            }
            while let old = state.patchOrder.popFirst(ageing: bounds.patchMilliseconds, at: state.now) {
                state.patches.removeValue(forKey: old)
            }
            while state.patchOrder.bytes > bounds.restingPatchBytes,
                let old = state.patchOrder.popFirst(ageing: bounds.burstMilliseconds, at: state.now)
            {
                state.patches.removeValue(forKey: old)
            }
            state.diffs.forget(ageing: bounds.patchMilliseconds, at: state.now)
        }
    }

    package func version(_ sum: UInt64, of content: UInt64) -> Version? {
        state.withLock { $0.versions[VersionKey(content: content, sum: sum)] }
    }

    /// Forgets a content that can't be requested any longer.
    package func forget(_ content: UInt64) {
        state.withLock { state in
            for sum in state.versionAges[content] ?? [] { state.forget(VersionKey(content: content, sum: sum)) }
        }
    }
}

extension Version {
    /// Roughly the bytes of the whole version on the wire.
    var encodedSize: Int { head.count + 32 + items.encodedSize }

    /// Roughly the bytes that the version keeps in memory, some of which it shares with other versions.
    var storedSize: Int { head.count + 32 + items.storedSize }

    /// Sections up to this size are sent whole without asking for a manifest.
    private static let alwaysWholeBytes = 1_024

    /// Whether a manifest pays off, that is, whether it is smaller than the section.
    var isWorthAManifest: Bool {
        let size = encodedSize
        return size > Self.alwaysWholeBytes && size > items.count * Manifest.pairBytes + 64
    }
}

extension Patch {
    /// Whether it is worth sending instead of the whole section.
    func isWorthSending(insteadOf target: Version) -> Bool {
        encodedSize * 100 <= target.encodedSize * VersionLibrary.patchPercent
    }

    /// Roughly the bytes of the patch on the wire.
    var encodedSize: Int {
        var size = script.count + 40
        for item in adds { size += item.encodedSize }
        for update in updates { size += update.records.count + 5 * update.cleared.count + 4 }
        if let head { size += head.records.count + 5 * head.cleared.count + 4 }
        return size
    }
}
