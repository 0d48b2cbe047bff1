import MarqueeDiff
import MarqueeModel
import MarqueeWire

// A section that a client refuses is sent in another way each time: as a patch from the client's manifest, then whole.
// If the client refuses that, too, the view continues without the section, which is retried later.

extension SessionCore {
    /// Handles a nack: the client refuses the last cut, and lists the versions that it holds.
    mutating func nack(_ nack: Nack, now: UInt64) -> [Action] {
        guard nack.number == lasting.lastNack &+ 1 else {
            return fail(.invalidArgument, "NACK_INVALID", "a connection's nacks are numbered 1, 2, 3 and so on")
        }
        lasting.lastNack = nack.number
        library.events.nacks.add(1, ordering: .relaxed)
        pendingRepair = nack.number
        manifests.mayAsk = true
        let held = Dictionary(nack.held.map { ($0.handle, $0) }, uniquingKeysWith: { a, _ in a })
        let staged = Dictionary(nack.staged.map { ($0.handle, $0.sum) }, uniquingKeysWith: { a, _ in a })
        stagedThere.keep(Set(staged.keys))
        var actions: [Action] = []
        for id in subscriptions.ids {
            guard var subscription = subscriptions[id], !subscription.variants.isEmpty else { continue }
            subscription.staging = nil
            subscription.needsJoin = true
            var refused: [Int] = []
            for index in subscription.variants.indices where subscription.variants[index].failure == nil {
                let (handle, current) = (subscription.variants[index].handle, subscription.variants[index].current)
                if held[handle]?.refused == true {
                    note(nack, subscription, index)
                    subscription.offered[subscription.variants[index].section] = nil
                    refused.append(index)
                }
                subscription.variants[index].takeBack(
                    isLive: subscription.isLive, named: held[handle], staged: staged[handle] ?? nil
                ) { base($0, of: handle, current: current) }
                // A join in the refused cut has not consumed the staged version.
                if subscription.variants[index].held?.isStaged == true, stagedThere.bytes(of: handle) == 0 {
                    stagedThere.append(handle, bytes: current.version.stagedSize)
                }
            }
            subscriptions[id] = subscription
            for index in refused where subscription.variants[index].refusals >= SessionSettings.refusals {
                let status = Status(
                    .dataLoss, reason: "SECTION_REFUSED", remedy: .resync,
                    message: "section '\(subscription.variants[index].section)' was refused however it was sent")
                actions += sectionFailed(index, of: id, status, now: now)
            }
        }
        return actions
    }

    private func note(_ nack: Nack, _ subscription: Subscription, _ index: Int) {
        let variant = subscription.variants[index]
        library.note(
            RefusedPatch(
                handle: variant.handle, place: "\(subscription.screen) \(variant.section)", base: variant.held?.sum,
                target: variant.current.version.sum, cut: nack.good, message: "refused: \(nack.status.message)"))
    }

    // MARK: - Sections that fail

    /// Continues the view without the section, of which the client keeps its version. A view can't continue without its
    /// own list.
    mutating func sectionFailed(_ index: Int, of id: UInt32, _ status: Status, now: UInt64) -> [Action] {
        guard let subscription = subscriptions[id], subscription.variants.indices.contains(index) else { return [] }
        let variant = subscription.variants[index]
        guard !variant.section.isEmpty else { return end(id, status) }
        let bounds = SessionSettings.sectionPause
        let pause = min(bounds.lowerBound << min(variant.failures, 16), bounds.upperBound)
        // The server retries it; the client needn't do anything.
        var status = status
        status.remedy = .retrySame
        status.retryAfterMilliseconds = UInt32(clamping: pause)
        let generation = subscription.isLive ? subscription.joinedGeneration : subscription.generation
        say(
            .subscriptionError(
                SubscriptionError(
                    subscription: id, generation: generation, status: status, section: variant.section)))
        subscriptions[id]?.variants[index].held = nil
        subscriptions[id]?.variants[index].failure = ShownVariant.Failure(until: now + pause)
        subscriptions[id]?.variants[index].failures += 1
        variants.fail(variant.handle)
        library.events.failedSections.add(1, ordering: .relaxed)
        manifests.forget(variant.handle)
        return []
    }

    /// Retries failed sections after a pause, sending them whole.
    mutating func tryFailedSections(now: UInt64) {
        for handle in variants.failed.sorted() {
            guard let owner = variants.owner(of: handle),
                let variant = subscriptions[owner]?.variants.first(where: { $0.handle == handle }),
                now >= variant.failure?.until ?? 0
            else { continue }
            variants.retry(handle)
            change(handle) { variant in
                variant.failure = nil
                variant.refusals = SessionSettings.refusals - 1
            }
            subscriptions[owner]?.needsJoin = true
        }
    }
}

extension SessionCore.ShownVariant {
    /// Replaces the version that the client was assumed to hold with the one that it reports.
    ///
    /// - Parameters:
    ///   - isLive: whether the view has joined, as far as the server knows.
    ///   - named: the version that the client says it holds.
    ///   - staged: the sum of a staged version that the client says it kept.
    ///   - base: returns the version with a sum, if a patch can start from it.
    fileprivate mutating func takeBack(
        isLive: Bool, named: HeldVersion?, staged: UInt64?, base: (UInt64) -> SessionCore.Held?
    ) {
        let before = held
        held = nil
        defer { cameByManifest = false }
        if let named, named.refused {
            // The client's version has changed since the last refusal, so that refusal was repaired.
            if refusals > 0, named.sum != refusedAt { (refusals, failures, cameByManifest) = (0, 0, false) }
            refusals = max(refusals + 1, cameByManifest ? SessionSettings.refusals - 1 : 0)
            refusedAt = named.sum
            isUnknown = named.sum != nil && named.sum != Version.empty.sum
        } else if let staged, let version = base(staged) {
            held = version
            held?.isStaged = true
        } else if let named {
            if let before, before.sum == named.sum, !before.isStaged {
                held = before
            } else {
                held = named.sum.flatMap(base)
            }
            isUnknown = named.sum != nil && named.sum != Version.empty.sum
        } else if isLive {
            isUnknown = false
        } else if let before, !before.isStaged {
            // The view's join wasn't in the cut: the version offered for resuming is still held.
            held = before
        }
    }
}
