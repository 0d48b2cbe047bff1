package import MarqueeDiff
package import MarqueeModel
package import MarqueeWire
import Synchronization

/// The versions of one variant that the node remembers, and the encoded patches between them: what all sessions share.
///
/// Thread safe. Patches are built on first use and kept, so that each (variant, base, target) is encoded once however many subscribers there are.
package final class VersionLibrary: Sendable {
    /// A version is worth a patch only while the patch stays below this share of the whole.
    package static let patchPercent = 70
    /// Versions of one variant, at most.
    package static let versionsPerVariant = 64

    package struct Bounds: Sendable {
        /// Bytes of remembered versions, counted as if they shared nothing.
        package var versionBytes = 256 << 20
        /// Bytes of encoded patches.
        package var patchBytes = 64 << 20

        package init() {}
    }

    /// Counts since start.
    package struct Counters: Hashable, Sendable {
        package var encodes: UInt64 = 0
        package var encodedBytes: UInt64 = 0
        /// Patches, whole sections too, that did not lead to their target and were not sent.
        package var refusedPatches: UInt64 = 0
    }

    /// A patch with the position that its frames name.
    package struct Shared: Sendable {
        package var encoded: EncodedPatch
        /// When content comes back to what it was, frames made earlier serve again: then this is older than the newest change.
        package var since: CutChange

        /// Whether the frames may be sent where the target is current since `limit`. Of content that came back, a session that is quicker
        /// may have had frames made that name a later position: they would promise too much (G9).
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
        var patches: [PatchKey: Shared] = [:]
        var patchOrder = AgeQueue<PatchKey>()
        /// Patches that were found not to be worth sending.
        var unworthy: Set<PatchKey> = []
        var counters = Counters()
    }

    /// Verdicts that are remembered, so that a section that changes much is compared once and not for each subscriber.
    private static let maximumVerdicts = 4_096

    private let state = Mutex(State())
    private let bounds: Bounds
    private let limits: WireLimits

    /// - Parameter limits: what the receiving side accepts; parts are split by them.
    package init(bounds: Bounds = Bounds(), limits: WireLimits = .client) {
        self.bounds = bounds
        self.limits = limits
    }

    package var counters: Counters { state.withLock { $0.counters } }

    /// Bytes held now: versions, patches.
    package var bytes: (versions: Int, patches: Int) {
        state.withLock { ($0.versionOrder.bytes, $0.patchOrder.bytes) }
    }

    /// Remembers a version of a variant.
    package func record(_ version: Version, of handle: UInt64) {
        state.withLock { state in
            let key = VersionKey(handle: handle, sum: version.sum)
            if state.versions.updateValue(version, forKey: key) != nil {
                state.versionAges[handle]?.removeAll { $0 == version.sum }
            }
            state.versionOrder.append(key, bytes: version.encodedSize)
            state.versionAges[handle, default: []].append(version.sum)
            if let ages = state.versionAges[handle], ages.count > Self.versionsPerVariant {
                let old = VersionKey(handle: handle, sum: ages[0])
                state.versionAges[handle]?.removeFirst()
                state.versions[old] = nil
                state.versionOrder.remove(old)
            }
            while state.versionOrder.bytes > bounds.versionBytes, let old = state.versionOrder.popFirst() {
                state.versions[old] = nil
                state.versionAges[old.handle]?.removeAll { $0 == old.sum }
            }
        }
    }

    package func version(_ sum: UInt64, of handle: UInt64) -> Version? {
        state.withLock { $0.versions[VersionKey(handle: handle, sum: sum)] }
    }

    /// Forgets a variant that nobody can ask for any more.
    package func forget(_ handle: UInt64) {
        state.withLock { state in
            for sum in state.versionAges.removeValue(forKey: handle) ?? [] {
                let key = VersionKey(handle: handle, sum: sum)
                state.versions[key] = nil
                state.versionOrder.remove(key)
            }
        }
    }

    /// The way from a held version to `target`.
    /// - Parameters:
    ///   - handle: the variant that the patch is sent under.
    ///   - base: the held version's sum, and the variant under which it was sent.
    ///   - since: the position since which the target is current; named by the parts.
    package func route(
        to target: Version, of handle: UInt64, from base: (sum: UInt64, handle: UInt64), since: CutChange
    ) -> Route {
        state.withLock { state in
            let key = PatchKey(handle: handle, base: base.sum, target: target.sum)
            if let known = state.patches[key], known.isWithin(since) { return .patch(known) }
            if !state.unworthy.contains(key), let old = state.versions[VersionKey(handle: base.handle, sum: base.sum)] {
                let patch = Differ.patch(from: old, to: target)
                if leads(patch, from: old, to: target) {
                    if patch.encodedSize * 100 <= target.encodedSize * Self.patchPercent
                        || patch.encodedSize <= Self.alwaysPatchBytes,
                        let shared = encode(patch, key: key, since: since, state: &state)
                    {
                        return .patch(shared)
                    }
                } else {
                    state.counters.refusedPatches += 1
                }
                if state.unworthy.count >= Self.maximumVerdicts { state.unworthy.removeAll() }
                state.unworthy.insert(key)
            }
            guard target.encodedSize <= Int(limits.partBytes),
                let whole = whole(target, of: handle, since: since, state: &state), whole.encoded.frameCount == 1
            else { return .stage }
            return .whole(whole)
        }
    }

    /// A patch this small is sent whatever the section's size.
    private static let alwaysPatchBytes = 256

    /// The whole section as a patch of the empty version, to be staged or to replace.
    /// - Returns: `nil` when an item exceeds the protocol's bounds.
    package func whole(_ target: Version, of handle: UInt64, since: CutChange) -> EncodedPatch? {
        state.withLock { state in
            // What is staged belongs to no cut, so any position will do.
            let key = PatchKey(handle: handle, base: nil, target: target.sum)
            return (state.patches[key] ?? whole(target, of: handle, since: since, state: &state))?.encoded
        }
    }

    private func whole(_ target: Version, of handle: UInt64, since: CutChange, state: inout State) -> Shared? {
        let key = PatchKey(handle: handle, base: nil, target: target.sum)
        if let known = state.patches[key], known.isWithin(since) { return known }
        let patch = Differ.patch(from: .empty, to: target)
        guard leads(patch, from: .empty, to: target) else {
            state.counters.refusedPatches += 1
            return nil
        }
        return encode(patch, key: key, since: since, state: &state)
    }

    private func encode(_ patch: Patch, key: PatchKey, since: CutChange, state: inout State) -> Shared? {
        guard
            let encoded = try? PartEncoder.encode(
                patch, handle: key.handle, isWhole: key.base == nil, cut: since, limits: limits)
        else { return nil }
        state.counters.encodes += 1
        state.counters.encodedBytes += UInt64(encoded.bytes)
        let shared = Shared(encoded: encoded, since: since)
        state.patches[key] = shared
        state.patchOrder.append(key, bytes: encoded.bytes)
        while state.patchOrder.bytes > bounds.patchBytes, let old = state.patchOrder.popFirst() {
            state.patches[old] = nil
        }
        return shared
    }

    /// Whether the patch gives the target, in bytes and sum: checked before anybody sees it.
    private func leads(_ patch: Patch, from base: Version, to target: Version) -> Bool {
        guard let result = try? base.applying(patch) else { return false }
        return result.sum == target.sum
    }
}

/// Keys with their sizes, in the order in which they were last appended.
private struct AgeQueue<Key: Hashable> {
    private var order: [(key: Key, serial: UInt64)] = []
    private var start = 0
    private var live: [Key: (size: Int, serial: UInt64)] = [:]
    private var serial: UInt64 = 0
    private(set) var bytes = 0

    /// Adds a key, or makes one that is there the youngest.
    mutating func append(_ key: Key, bytes size: Int) {
        serial += 1
        bytes += size - (live.updateValue((size, serial), forKey: key)?.size ?? 0)
        order.append((key, serial))
        if order.count - start > 4 * live.count + 1_024 {
            order = order[start...].filter { live[$0.key]?.serial == $0.serial }
            start = 0
        }
    }

    mutating func remove(_ key: Key) {
        if let entry = live.removeValue(forKey: key) { bytes -= entry.size }
    }

    /// Takes the oldest key out.
    mutating func popFirst() -> Key? {
        while start < order.count {
            let entry = order[start]
            start += 1
            if live[entry.key]?.serial == entry.serial {
                remove(entry.key)
                return entry.key
            }
        }
        return nil
    }
}

extension Version {
    /// Roughly the bytes of the whole version on the wire.
    var encodedSize: Int {
        items.reduce(head.count + 32) { $0 + $1.body.count + $1.id.utf8.count + $1.subject.utf8.count + 12 }
    }
}

extension Patch {
    /// Roughly the bytes of the patch on the wire.
    var encodedSize: Int {
        var size = script.count + 40
        for item in adds { size += item.body.count + item.id.utf8.count + item.subject.utf8.count + 12 }
        for update in updates { size += update.records.count + 5 * update.cleared.count + 4 }
        if let head { size += head.records.count + 5 * head.cleared.count + 4 }
        return size
    }
}
