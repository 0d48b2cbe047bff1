package import MarqueeDiff
package import MarqueeModel
package import MarqueeWire
import Synchronization

/// The versions of one variant that the node remembers, and the encoded patches between them: what all sessions share.
///
/// Thread safe. Patches are built on first use and kept, so that each (variant, base, target) is encoded once however
/// many subscribers there are. What is kept is bounded by bytes and by time; time passes when `tick` says so.
package final class VersionLibrary: Sendable {
    /// A version is worth a patch only while the patch stays below this share of the whole.
    package static let patchPercent = 70
    /// Versions of one variant, at most.
    package static let versionsPerVariant = 64

    package struct Bounds: Sendable {
        /// Bytes of remembered versions that a newer one has taken the place of, counted as if they shared nothing. The
        /// newest of each variant are not counted: the hub holds them anyway, and bounds those that nobody shows.
        package var versionBytes = 256 << 20
        /// Bytes of encoded patches.
        package var patchBytes = 64 << 20
        /// How long a version is remembered after a newer one has taken its place, in milliseconds. The newest of a
        /// variant has no age: it is what most clients hold, and the base of the next patch.
        package var versionMilliseconds: UInt64 = 6 * 3_600_000
        /// How long an encoded patch is kept after it was made, in milliseconds.
        package var patchMilliseconds: UInt64 = 10 * 60_000

        package init() {}
    }

    /// Counts since start.
    package struct Counters: Hashable, Sendable {
        package var encodes: UInt64 = 0
        package var encodedBytes: UInt64 = 0
        /// Patches, whole sections too, that did not lead to their target and were not sent.
        package var refusedPatches: UInt64 = 0
        /// Patches made for one client, from the manifest of what it holds.
        package var manifestPatches: UInt64 = 0
    }

    /// A patch with the position that its frames name.
    package struct Shared: Sendable {
        package var encoded: EncodedPatch
        /// When content comes back to what it was, frames made earlier serve again: then this is older than the newest
        /// change.
        package var since: CutChange

        /// Whether the frames may be sent where the target is current since `limit`. Of content that came back, a
        /// session that is quicker may have had frames made that name a later position: they would promise too much
        /// (G9).
        func isWithin(_ limit: CutChange) -> Bool {
            since.catalogueRevision ?? 0 <= limit.catalogueRevision ?? 0
                && since.userRevision ?? 0 <= limit.userRevision ?? 0
        }
    }

    /// How a session gets from what a client holds to a target.
    package enum Route: Sendable {
        case patch(Shared)
        /// The base is gone or the patch is not worth it, and the section fits one part: it is replaced within the cut.
        case whole(Shared)
        /// The base is gone, and the client can describe what it holds for less than the section costs.
        case lost
        /// The section has to be staged first.
        case stage
    }

    private struct PatchKey: Hashable {
        var handle: UInt64
        var base: UInt64?
        var target: UInt64
    }
    private struct VersionKey: Hashable {
        var handle: UInt64
        var sum: UInt64
    }
    private struct State {
        var versions: [VersionKey: Version] = [:]
        /// Sums by variant, the one recorded longest ago first.
        var versionAges: [UInt64: [UInt64]] = [:]
        var versionOrder = AgeQueue<VersionKey>()
        /// Those that are not the newest of their variant, the one that has been so longest first.
        var superseded = AgeQueue<VersionKey>()
        var patches: [PatchKey: Shared] = [:]
        var patchOrder = AgeQueue<PatchKey>()
        /// Patches that were found not to be worth sending.
        var unworthy: Set<PatchKey> = []
        var counters = Counters()
        var evidence = EvidenceRing()
        /// Milliseconds of a monotonic clock, when it was last looked at.
        var now: UInt64 = 0

        mutating func forget(_ key: VersionKey) {
            versions[key] = nil
            versionOrder.remove(key)
            superseded.remove(key)
            versionAges[key.handle]?.removeAll { $0 == key.sum }
            if versionAges[key.handle]?.isEmpty == true { versionAges[key.handle] = nil }
        }
    }

    /// Verdicts that are remembered, so that a section that changes much is compared once and not for each subscriber.
    private static let maximumVerdicts = 4_096

    private let state = Mutex(State())
    private let bounds: Bounds
    private let limits: WireLimits
    private let onEvidence: @Sendable (RefusedPatch) -> Void

    /// - Parameters:
    ///   - limits: what the receiving side accepts; parts are split by them.
    ///   - onEvidence: told of each patch that was refused, here before it was sent or by a client. On whatever thread
    ///     that is.
    package init(
        bounds: Bounds = Bounds(), limits: WireLimits = .client,
        onEvidence: @escaping @Sendable (RefusedPatch) -> Void = { _ in }
    ) {
        self.bounds = bounds
        self.limits = limits
        self.onEvidence = onEvidence
    }

    package var counters: Counters { state.withLock { $0.counters } }

    /// Bytes held now: versions, patches.
    package var bytes: (versions: Int, patches: Int) {
        state.withLock { ($0.versionOrder.bytes, $0.patchOrder.bytes) }
    }

    /// Bytes of the versions that a newer one has taken the place of.
    package var supersededBytes: Int { state.withLock { $0.superseded.bytes } }

    /// The last patches that were refused, here or by clients.
    package var evidence: EvidenceRing { state.withLock { $0.evidence } }

    /// Remembers that a patch was refused.
    package func note(_ refused: RefusedPatch) {
        state.withLock { $0.evidence.append(refused) }
        onEvidence(refused)
    }

    /// Remembers a version of a variant.
    package func record(_ version: Version, of handle: UInt64) {
        state.withLock { state in
            let key = VersionKey(handle: handle, sum: version.sum)
            if let newest = state.versionAges[handle]?.last, newest != version.sum {
                let old = VersionKey(handle: handle, sum: newest)
                state.superseded.append(old, bytes: state.versions[old]?.encodedSize ?? 0, at: state.now)
            }
            state.superseded.remove(key)
            if state.versions.updateValue(version, forKey: key) != nil {
                state.versionAges[handle]?.removeAll { $0 == version.sum }
            }
            state.versionOrder.append(key, bytes: version.encodedSize, at: state.now)
            state.versionAges[handle, default: []].append(version.sum)
            if let ages = state.versionAges[handle], ages.count > Self.versionsPerVariant {
                state.forget(VersionKey(handle: handle, sum: ages[0]))
            }
            while state.superseded.bytes > bounds.versionBytes, let old = state.superseded.popFirst() {
                state.forget(old)
            }
        }
    }

    /// Time passes: forgets what is too old. Called about once a second.
    /// - Parameter now: milliseconds of a monotonic clock.
    package func tick(now: UInt64) {
        state.withLock { state in
            state.now = max(state.now, now)
            while let old = state.superseded.popFirst(ageing: bounds.versionMilliseconds, at: state.now) {
                state.forget(old)
            }
            while let old = state.patchOrder.popFirst(ageing: bounds.patchMilliseconds, at: state.now) {
                state.patches[old] = nil
            }
        }
    }

    package func version(_ sum: UInt64, of handle: UInt64) -> Version? {
        state.withLock { $0.versions[VersionKey(handle: handle, sum: sum)] }
    }

    /// Forgets a variant that nobody can ask for any more.
    package func forget(_ handle: UInt64) {
        state.withLock { state in
            for sum in state.versionAges[handle] ?? [] { state.forget(VersionKey(handle: handle, sum: sum)) }
        }
    }

    // MARK: - Patches

    // Versions are compared and encoded outside of the lock, where they hold nobody up. Of two sessions that make the
    // same patch at the same time, the first one's is kept and the other takes it too.

    /// The way from a held version to `target`.
    /// - Parameters:
    ///   - handle: the variant that the patch is sent under.
    ///   - base: the held version's sum, and the variant under which it was sent.
    ///   - since: the position since which the target is current; named by the parts.
    package func route(
        to target: Version, of handle: UInt64, from base: (sum: UInt64, handle: UInt64), since: CutChange
    ) -> Route {
        let key = PatchKey(handle: handle, base: base.sum, target: target.sum)
        let (known, isUnworthy, old) = state.withLock { state in
            (
                state.patches[key].flatMap { $0.isWithin(since) ? $0 : nil }, state.unworthy.contains(key),
                state.versions[VersionKey(handle: base.handle, sum: base.sum)]
            )
        }
        if let known { return .patch(known) }
        if !isUnworthy {
            guard let old else {
                return target.isWorthAManifest ? .lost : replacement(target, of: handle, since: since)
            }
            if let patch = worthyPatch(from: old, to: target, handle: handle),
                let shared = share(patch, key: key, since: since)
            {
                return .patch(shared)
            }
            state.withLock { state in
                if state.unworthy.count >= Self.maximumVerdicts { state.unworthy.removeAll() }
                state.unworthy.insert(key)
            }
        }
        return replacement(target, of: handle, since: since)
    }

    /// The section whole within a cut, if it fits one part.
    private func replacement(_ target: Version, of handle: UInt64, since: CutChange) -> Route {
        guard target.encodedSize <= Int(limits.partBytes),
            let whole = wholePatch(target, of: handle, since: since, isForCut: true), whole.encoded.frameCount == 1
        else { return .stage }
        return .whole(whole)
    }

    /// - Returns: `nil` when the patch is not worth it, or does not lead to its target.
    private func worthyPatch(from old: Version, to target: Version, handle: UInt64) -> Patch? {
        let patch = Differ.patch(from: old, to: target)
        guard leads(patch, from: old, to: target, handle: handle) else { return nil }
        guard patch.encodedSize <= Self.alwaysPatchBytes || patch.isWorthSending(insteadOf: target) else { return nil }
        return patch
    }

    /// The whole section as a patch of the empty version, to be staged.
    /// - Returns: `nil` when an item exceeds the protocol's bounds.
    package func whole(_ target: Version, of handle: UInt64, since: CutChange) -> EncodedPatch? {
        wholePatch(target, of: handle, since: since, isForCut: false)?.encoded
    }

    /// - Parameter isForCut: what is staged belongs to no cut, so any position will do.
    private func wholePatch(_ target: Version, of handle: UInt64, since: CutChange, isForCut: Bool) -> Shared? {
        let key = PatchKey(handle: handle, base: nil, target: target.sum)
        if let known = state.withLock({ $0.patches[key] }), !isForCut || known.isWithin(since) { return known }
        let patch = Differ.patch(from: .empty, to: target)
        guard leads(patch, from: .empty, to: target, handle: handle) else { return nil }
        return share(patch, key: key, since: since)
    }

    /// The patch from what one client described to `target`, to be staged for it alone: nobody else gets it, so it is
    /// not kept.
    /// - Returns: `nil` where the whole section is the better answer.
    package func patch(from manifest: ContentManifest, to target: Version, of handle: UInt64) -> EncodedPatch? {
        guard let patch = Differ.patch(from: manifest, to: target), patch.isWorthSending(insteadOf: target),
            patch.encodedSize <= Self.manifestPatchBytes,
            let encoded = try? PartEncoder.encode(patch, handle: handle, limits: limits)
        else { return nil }
        state.withLock { $0.counters.manifestPatches += 1 }
        return encoded
    }

    /// A patch this small is sent whatever the section's size.
    private static let alwaysPatchBytes = 256
    /// Bytes of a patch that is made for one client, at most; a session holds one at a time.
    package static let manifestPatchBytes = 1 << 20

    private func share(_ patch: Patch, key: PatchKey, since: CutChange) -> Shared? {
        guard
            let encoded = try? PartEncoder.encode(
                patch, handle: key.handle, isWhole: key.base == nil, cut: since, limits: limits)
        else { return nil }
        return state.withLock { state in
            if let first = state.patches[key], first.isWithin(since) { return first }
            state.counters.encodes += 1
            state.counters.encodedBytes += UInt64(encoded.bytes)
            let shared = Shared(encoded: encoded, since: since)
            state.patches[key] = shared
            state.patchOrder.append(key, bytes: encoded.bytes, at: state.now)
            while state.patchOrder.bytes > bounds.patchBytes, let old = state.patchOrder.popFirst() {
                state.patches[old] = nil
            }
            return shared
        }
    }

    /// Whether the patch gives the target, in bytes and sum: checked before anybody sees it. One that does not leaves
    /// evidence.
    private func leads(_ patch: Patch, from base: Version, to target: Version, handle: UInt64) -> Bool {
        var computed: UInt64?
        let message: String
        do throws(PatchError) {
            let result = try base.applying(patch).sum
            if result == target.sum { return true }
            computed = result
            message = "the patch leads to another version"
        } catch {
            computed = error.computed
            message = error.message
        }
        state.withLock { $0.counters.refusedPatches += 1 }
        note(
            RefusedPatch(
                handle: handle, base: base.sum, target: target.sum, computed: computed,
                message: "not sent: \(message)"))
        return false
    }
}

extension Version {
    /// Roughly the bytes of the whole version on the wire.
    var encodedSize: Int {
        items.reduce(head.count + 32) { $0 + $1.body.count + $1.id.utf8.count + $1.subject.utf8.count + 12 }
    }

    /// Sections of no more bytes are sent whole rather than asked about.
    private static let alwaysWholeBytes = 1_024

    /// Whether it pays to have a client describe what it holds: the answer has to be smaller than the section.
    var isWorthAManifest: Bool {
        let size = encodedSize
        return size > Self.alwaysWholeBytes && size > items.count * Manifest.pairBytes + 64
    }
}

extension Patch {
    /// Whether it stays below the share of the whole up to which a patch is worth sending.
    func isWorthSending(insteadOf target: Version) -> Bool {
        encodedSize * 100 <= target.encodedSize * VersionLibrary.patchPercent
    }

    /// Roughly the bytes of the patch on the wire.
    var encodedSize: Int {
        var size = script.count + 40
        for item in adds { size += item.body.count + item.id.utf8.count + item.subject.utf8.count + 12 }
        for update in updates { size += update.records.count + 5 * update.cleared.count + 4 }
        if let head { size += head.records.count + 5 * head.cleared.count + 4 }
        return size
    }
}
