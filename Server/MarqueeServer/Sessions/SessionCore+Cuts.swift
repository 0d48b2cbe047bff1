import MarqueeDiff
import MarqueeModel
import MarqueeWire
package import NIOCore

extension SessionCore {
    /// The frames of the cut that is being sent.
    struct Outgoing {
        enum Entry {
            case own(Message)
            case shared(EncodedPatch, Int)
        }

        var entries: [Entry] = []
        var next = 0
        var target = Cut()
        var named = Cut()
        /// For a relay: the revisions of its guests' users that it is up to date with after the cut.
        var users: [UserProgress] = []

        var isEmpty: Bool { next >= entries.count }
    }

    /// The next frame of an answer or of data, or `nil` if there is none or the client's credit is used up. The shell
    /// must write the frame, as it counts as sent from here on.
    ///
    /// A cut's target is chosen when its first frame is requested, and doesn't change.
    package mutating func nextDataFrame(now: UInt64) -> ByteBuffer? {
        guard case .live = phase else { return nil }
        if isAhead {
            isAhead = false
            settle()
        }
        if let frame = nextAnswerFrame() { return frame }
        if manifests.mayAsk { askForManifests() }
        if let frame = nextCutFrame(now: now) { return frame }
        guard progress.flow.hasRoom() else {
            if waitingSince == nil, hasWork { waitingSince = now }
            return nil
        }
        waitingSince = nil
        if beginCut() { return nextCutFrame(now: now) }
        let count = (subscriptions.count, variants.failed.count)
        if let frame = nextStagedFrame(now: now) { return frame }
        // A section that has just failed no longer holds up the others.
        if count != (subscriptions.count, variants.failed.count), beginCut() { return nextCutFrame(now: now) }
        if manifests.mayAsk { askForManifests() }
        return nil
    }

    /// Whether the client must be sent something to reach the hub's position.
    var hasWork: Bool {
        if !outgoing.isEmpty { return true }
        guard subscriptions.blocking.isEmpty else { return false }
        return !variants.dirty.isEmpty || pendingRepair != nil || subscriptions.areJoining
    }

    /// Whether there may be frames to write, or actions for the shell.
    package var hasSomethingToSay: Bool {
        !control.isEmpty || !deferred.isEmpty || !calls.answers.isEmpty || manifests.mayAsk || hasWork
    }

    private mutating func nextCutFrame(now: UInt64) -> ByteBuffer? {
        guard !outgoing.isEmpty else { return nil }
        waitingSince = nil
        let index = outgoing.next
        var flags: FrameFlags = []
        if index == 0 { flags.insert(.first) }
        if index == outgoing.entries.count - 1 { flags.insert(.last) }
        let frame: ByteBuffer
        switch outgoing.entries[index] {
        case .own(let message):
            frame = MessageCodec.encode(message, flags: flags)
        case .shared(let encoded, let part):
            frame = encoded.frame(part, kind: .data, flags: flags)
            lasting.deliveries += 1
            progress.flow.send(frame.readableBytes)
        }
        outgoing.next += 1
        if outgoing.isEmpty { finishCut(now: now) }
        return frame
    }

    private mutating func finishCut(now: UInt64) {
        position = outgoing.target
        progress.named = outgoing.named
        for progress in outgoing.users { say(.userProgress(progress)) }
        outgoing = Outgoing()
        // Shared frames carry the position since which their content is current; progress carries the newer one (G9).
        if progress.named != position { sayProgress(now: now) }
        settle()
    }

    /// Moves the session to the hub's position if nothing is left to send.
    mutating func settle() {
        guard variants.dirty.isEmpty, outgoing.isEmpty, !isAhead, subscriptions.areSettled else { return }
        position = newest
        for progress in takeUserProgress() { say(.userProgress(progress)) }
    }

    /// Chooses the newest position as target and lays out the frames that take every live view there (G3).
    /// - Returns: whether there is a cut to send.
    private mutating func beginCut() -> Bool {
        guard subscriptions.blocking.isEmpty, subscriptions.incomplete.isEmpty else { return false }
        var joining = subscriptions.joinable.ids.compactMap { subscriptions[$0] }
        guard !variants.dirty.isEmpty || !joining.isEmpty || pendingRepair != nil else { return false }

        var behind: [ShownVariant] = []
        for subscription in joining { behind += subscription.variants.filter(\.isBehind) }
        for handle in variants.dirty.sorted() {
            guard let owner = variants.owner(of: handle), let subscription = subscriptions[owner],
                !subscription.needsJoin, let variant = subscription.variants.first(where: { $0.handle == handle }),
                variant.isBehind
            else { continue }
            behind.append(variant)
        }

        var patches: [(handle: UInt64, patch: VersionLibrary.Shared)] = []
        var isComplete = true
        for variant in behind {
            guard let held = variant.held else { return false }
            if held.sum == variant.current.version.sum { continue }
            guard let patch = patch(variant, from: held) else {
                isComplete = false
                continue
            }
            patches.append((variant.handle, patch))
        }
        guard isComplete else { return false }
        var later: Set<UInt64> = []
        guard fit(&joining, &patches, later: &later) else { return false }
        var named = progress.named
        var data: [Outgoing.Entry] = []
        for (_, patch) in patches {
            data += (0..<patch.encoded.frameCount).map { .shared(patch.encoded, $0) }
            named = named.advanced(by: patch.since)
        }
        outgoing.target = newest
        if let number = pendingRepair {
            outgoing.entries.append(.own(.repair(number: number)))
            library.events.repairs.add(1, ordering: .relaxed)
        }
        outgoing.entries += joining.map { .own(.join(join($0))) }
        outgoing.entries += data
        // Joins carry the whole target. After a repair without a join, it isn't known which position the client has.
        outgoing.named = !joining.isEmpty ? newest : pendingRepair != nil ? Cut() : named
        outgoing.users = takeUserProgress()
        pendingRepair = nil
        for variant in behind where !later.contains(variant.handle) { markHeld(variant.handle) }
        for subscription in joining {
            subscriptions[subscription.id]?.joined()
            // The client forgets staged versions of the view, and its manifests, too.
            for handle in subscription.handles {
                stagedThere.remove(handle)
                manifests.forget(handle)
            }
        }
        variants.sent()
        if outgoing.isEmpty { settle() }
        return !outgoing.isEmpty
    }

    private func join(_ subscription: Subscription) -> Join {
        // A section that is replaced whole in this cut is bound by the version that the client holds under the older
        // handle; see PROTOCOL.md.
        let bindings = subscription.variants.map { variant in
            Binding(section: variant.section, handle: variant.handle, sum: variant.held?.sum)
        }
        return Join(
            subscription: subscription.id, generation: subscription.generation, viewHandle: bindings[0].handle,
            viewSum: bindings[0].sum ?? Version.empty.sum, sections: Array(bindings.dropFirst()),
            cut: CutChange(newest),
            screen: subscription.screen, locale: subscription.locale)
    }

    /// - Returns: `nil` if the section has to be staged first; it is then marked for that.
    private mutating func patch(_ variant: ShownVariant, from held: Held) -> VersionLibrary.Shared? {
        switch library.route(
            to: variant.current.version, of: variant.handle, from: (held.sum, held.content),
            since: variant.current.since)
        {
        case .patch(let shared), .whole(let shared): return shared
        case .stage: restage(variant.handle, isLost: false)
        case .lost: restage(variant.handle, isLost: true)
        }
        return nil
    }

    private mutating func markHeld(_ handle: UInt64) {
        change(handle) { variant in
            // Only data of a later cut clears this: the staged patch and this cut's data lead to the same version.
            if variant.held?.isStaged == false { variant.cameByManifest = false }
            let current = variant.current
            variant.held = Held(sum: current.version.sum, handle: handle, content: current.content)
        }
    }

    /// - Parameter isLost: whether the client holds a version unknown here, and so is asked for a manifest.
    mutating func restage(_ handle: UInt64, isLost: Bool) {
        guard let owner = variants.owner(of: handle) else { return }
        change(handle) { ($0.held, $0.isUnknown) = (nil, isLost) }
        subscriptions[owner]?.needsJoin = true
        if isLost { manifests.mayAsk = true }
    }

    // MARK: - Staging

    private mutating func nextStagedFrame(now: UInt64) -> ByteBuffer? {
        // Unfinished staging goes first: a client assembles one staged patch at a time, and a session holds one patch
        // made for its client alone.
        let order = subscriptions.staging.map { [$0] } ?? subscriptions.stagingOrder
        for id in order {
            guard let subscription = subscriptions[id], subscription.needsJoin, !subscription.isStaged,
                var staging = subscription.staging ?? nextStaging(of: id, isFirst: id == order.first, now: now)
            else { continue }
            let frame = staging.encoded.stagedFrame(staging.next)
            staging.next += 1
            if staging.next == staging.encoded.frameCount {
                stagedThere.append(staging.handle, bytes: staging.encoded.bytes)
                change(staging.handle) { variant in
                    let content = variant.current.content
                    variant.held = Held(
                        sum: staging.target, handle: staging.handle, content: content, isStaged: true)
                }
                subscriptions[id]?.staging = nil
            } else {
                subscriptions[id]?.staging = staging
            }
            lasting.deliveries += 1
            progress.flow.send(frame.readableBytes)
            return frame
        }
        return nil
    }

    /// The next section of a view that can be staged and has to be, by a patch from its manifest or whole. A section
    /// whose manifest is awaited doesn't hold up the others.
    /// - Parameter isFirst: whether the view is the first to be staged.
    private mutating func nextStaging(of id: UInt32, isFirst: Bool, now: UInt64) -> Staging? {
        for index in subscriptions[id]?.variants.indices ?? 0..<0 {
            guard let variant = subscriptions[id]?.variants[index], variant.isToBeStaged else { continue }
            let target = variant.current.version
            let whole = target.stagedSize
            if variant.wantsManifest {
                if manifests.received[variant.handle] == nil {
                    // A manifest may have become worthwhile only now.
                    manifests.mayAsk = manifests.mayAsk || !manifests.isAsked(variant.handle)
                    continue
                }
                switch makeRoom(for: min(whole, Version.manifestedSize), index, of: id, mayEvict: isFirst, now: now) {
                case .yes: break
                case .later: return nil
                case .never: continue
                }
                // Removing it makes room for another manifest.
                let described = manifests.received.removeValue(forKey: variant.handle)
                if let manifest = described?.manifest,
                    let encoded = library.patch(from: manifest, to: target, of: variant.handle)
                {
                    subscriptions[id]?.variants[index].cameByManifest = true
                    countStaged(variant.section, of: id, .manifest)
                    return Staging(handle: variant.handle, target: target.sum, encoded: encoded)
                }
                subscriptions[id]?.variants[index].isUnknown = false
            }
            switch makeRoom(for: whole, index, of: id, mayEvict: isFirst, now: now) {
            case .yes: break
            case .later: return nil
            case .never: continue
            }
            subscriptions[id]?.variants[index].cameByManifest = false
            manifests.forget(variant.handle)
            if let encoded = library.whole(target, of: variant.handle, since: variant.current.since) {
                countStaged(variant.section, of: id, .snapshot)
                return Staging(handle: variant.handle, target: target.sum, encoded: encoded)
            }
            let status = Status(
                .internalError, reason: "ITEM_TOO_LARGE", remedy: .fatal,
                message: "an item of section '\(variant.section)' is larger than the protocol carries")
            deferred += sectionFailed(index, of: id, status, now: now)
        }
        return nil
    }
}
