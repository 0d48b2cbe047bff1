package import MarqueeDiff
package import MarqueeModel
package import MarqueeWire
package import NIOCore

// Versions are compared and encoded outside the lock, so nobody waits. If two sessions build the same patch at the same
// time, both use the one finished first.

extension VersionLibrary {
    /// Chooses how to take a client from the version it holds to `target`.
    /// - Parameters:
    ///   - handle: the variant that the patch is for.
    ///   - base: the held version's sum, and the content that it is a version of.
    ///   - since: the position since which the target is current; the parts carry it.
    package func route(
        to target: Version, of handle: UInt64, from base: (sum: UInt64, content: UInt64), since: CutChange
    ) -> Route {
        let key = PatchKey(handle: handle, base: base.sum, target: target.sum)
        let compared = DiffMemo.Key(base: base.sum, target: target.sum)
        let (known, verdict, old) = state.withLock { state in
            let known = state.patches[key].flatMap { $0.isWithin(since) ? $0 : nil }
            if known != nil { state.counters.hits += 1 }
            return (
                known, state.diffs[compared], state.versions[VersionKey(content: base.content, sum: base.sum)]
            )
        }
        if let known { return .patch(known) }
        switch verdict {
        case .patch(let patch):
            if let shared = share(patch, key: key, since: since) { return .patch(shared) }
        case .notWorthIt: break
        case nil:
            guard let old else {
                return target.isWorthAManifest ? .lost : replacement(target, of: handle, since: since)
            }
            let patch = worthyPatch(from: old, to: target, handle: handle)
            note(patch.map { .patch($0) } ?? .notWorthIt, compared)
            if let patch, let shared = share(patch, key: key, since: since) { return .patch(shared) }
        }
        return replacement(target, of: handle, since: since)
    }

    /// Replaces the whole section within a cut, if it fits one part.
    private func replacement(_ target: Version, of handle: UInt64, since: CutChange) -> Route {
        guard target.encodedSize <= Int(limits.partBytes),
            let whole = wholePatch(target, of: handle, since: since, isForCut: true), whole.encoded.frameCount == 1
        else { return .stage }
        return .whole(whole)
    }

    /// - Returns: `nil` if the patch isn't worth sending, or doesn't lead to its target.
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

    /// - Parameter isForCut: whether the position matters. Staged frames belong to no cut, so any position will do for
    ///   them.
    private func wholePatch(_ target: Version, of handle: UInt64, since: CutChange, isForCut: Bool) -> Shared? {
        let key = PatchKey(handle: handle, base: nil, target: target.sum)
        let known = state.withLock { state in
            let known = state.patches[key].flatMap { !isForCut || $0.isWithin(since) ? $0 : nil }
            if known != nil { state.counters.hits += 1 }
            return known
        }
        if let known { return known }
        let compared = DiffMemo.Key(base: Version.empty.sum, target: target.sum)
        if case .patch(let patch)? = state.withLock({ $0.diffs[compared] }) {
            return share(patch, key: key, since: since)
        }
        let patch = Differ.patch(from: .empty, to: target)
        guard leads(patch, from: .empty, to: target, handle: handle) else { return nil }
        note(.patch(patch), compared)
        return share(patch, key: key, since: since)
    }

    private func note(_ verdict: DiffMemo.Verdict, _ compared: DiffMemo.Key) {
        state.withLock { $0.diffs.add(verdict, for: compared, now: $0.now) }
    }

    /// The patch from a client's manifest to `target`. It is staged for that client alone, so it isn't kept.
    /// - Returns: `nil` if sending the whole section is better.
    package func patch(from manifest: ContentManifest, to target: Version, of handle: UInt64) -> EncodedPatch? {
        guard let patch = Differ.patch(from: manifest, to: target), patch.isWorthSending(insteadOf: target),
            patch.encodedSize <= Self.manifestPatchBytes,
            let encoded = try? PartEncoder.encode(patch, handle: handle, limits: limits)
        else { return nil }
        state.withLock { $0.counters.manifestPatches += 1 }
        return encoded
    }

    /// A patch this small is sent regardless of the section's size.
    private static let alwaysPatchBytes = 256
    /// The most bytes of a patch made for one client; a session holds one at a time.
    package static let manifestPatchBytes = 1 << 20

    /// Roughly the bytes that the tables keep for a patch besides its frames.
    package static let patchOverheadBytes = 256

    private func share(_ patch: Patch, key: PatchKey, since: CutChange) -> Shared? {
        guard
            let encoded = try? PartEncoder.encode(
                patch, handle: key.handle, isWhole: key.base == nil, cut: since, limits: limits)
        else { return nil }
        return state.withLock { state in
            if let first = state.patches[key], first.isWithin(since) { return first }
            state.counters.encodes += 1
            state.counters.encodedBytes += UInt64(encoded.bytes)
            return keep(encoded, key, since, in: &state)
        }
    }

    /// Takes over the frames of a patch encoded by a server upstream, for all sessions with the same base and target.
    /// - Parameters:
    ///   - bodies: the bodies of its frames, in order, at least one.
    ///   - base: `nil` for the whole section.
    package func adopt(
        _ bodies: [ByteBuffer], of handle: UInt64, base: UInt64?, target: UInt64, since: CutChange
    ) {
        let encoded = EncodedPatch(bodies: bodies, isWhole: base == nil)
        let key = PatchKey(handle: handle, base: base, target: target)
        state.withLock { _ = keep(encoded, key, since, in: &$0) }
    }

    private func keep(
        _ encoded: EncodedPatch, _ key: PatchKey, _ since: CutChange, in state: inout State
    ) -> Shared {
        let shared = Shared(encoded: encoded, since: since)
        state.patches.updateValue(shared, forKey: key)
        state.patchOrder.append(key, bytes: encoded.mostBytes + Self.patchOverheadBytes, at: state.now)
        while state.patchOrder.bytes > bounds.patchBytes, let old = state.patchOrder.popFirst() {
            state.patches.removeValue(forKey: old)
        }
        return shared
    }

    /// Whether the patch leads to the target's sum: checked before any client gets it. If it doesn't, evidence is kept.
    private func leads(_ patch: Patch, from base: Version, to target: Version, handle: UInt64) -> Bool {
        state.withLock { $0.counters.comparisons += 1 }
        var computed: UInt64?
        let message: String
        do throws(PatchError) {
            let result = try patch.incrementalTargetSum(from: base)
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
