import MarqueeModel
import MarqueeServer
import MarqueeWire

// Each variant is subscribed to upstream once, however many sessions show it.

extension RelayCore {
    /// Where guests take turns, all relays behind this one count as one guest, with this number. No guest has it.
    private static let relaysBehind: UInt32 = 0

    /// Adds a subscriber to each variant of a plan, and subscribes upstream to new ones.
    func hold(
        _ plan: PlanAnswer, of request: GetScreenRequest, by reader: Reader, for guest: UInt32?
    ) throws(Status) {
        let key = PlanKey(request: request, audience: plan.isShared ? .everybody : .reader(reader))
        let named = plan.named
        for (name, handle, _) in named {
            if let known = variants[handle], known.name != name { throw .handleTaken }
        }
        let new = named.count { variants[$0.handle].map { $0.subscribers == 0 } ?? true }
        guard variants.shown + new <= bounds.variants else { throw .tooManyVariants }
        for (name, handle, isPrivate) in named {
            if variants[handle] == nil {
                variants[handle] = Variant(name, user: isPrivate ? reader.user : nil, plan: key)
            }
            variants[handle]?.plan = key
            variants[handle]?.subscribers += 1
            variants.idle.remove(handle)
            subscribe(handle, for: guest)
        }
    }

    /// Subscribes to a variant upstream, once it is the guest's turn.
    func subscribe(_ handle: UInt64, for guest: UInt32?) {
        guard isLive, variants[handle]?.subscription == nil else { return }
        connection.subscriptions.waiting.append(handle, for: guest ?? Self.relaysBehind)
        sendSubscriptions()
    }

    /// Subscribes to waiting variants, only a few at a time: upstream stops reading while it opens many, and other
    /// requests would have to wait.
    func sendSubscriptions() {
        while isLive, let handle = connection.subscriptions.takeWaiting() {
            // Skip a variant that nobody shows any more; its next subscriber queues it again.
            guard variants[handle]?.subscribers ?? 0 > 0 else { continue }
            if let subscription = subscribe(handle) { connection.subscriptions.awaitAnswer(subscription) }
        }
    }

    /// Called when upstream has begun to answer a subscription, or has refused it.
    func answered(subscription: UInt32?) {
        guard let subscription, connection.subscriptions.answered(subscription) else { return }
        sendSubscriptions()
    }

    /// Subscribes to a variant upstream now.
    /// - Returns: the new subscription; `nil` if there is no connection, or there is a subscription already.
    @discardableResult
    func subscribe(_ handle: UInt64) -> UInt32? {
        guard isLive, let variant = variants[handle], variant.subscription == nil else { return nil }
        makeRoom()
        let subscription = connection.subscriptions.add(handle)
        variants[handle]?.subscription = subscription
        let resume =
            variant.offersNothing
            ? nil
            : variant.held.map {
                Resume(cut: position, viewSum: $0.version.sum, sections: [])
            }
        outlet.send(
            .subscribe(Subscribe(subscription: subscription, screen: "", resume: resume, handle: handle)))
        return subscription
    }

    /// Makes room for one more subscription, if there are as many as the server upstream allows.
    private func makeRoom() {
        let limit = Int(welcome?.limits.subscriptions ?? 0)
        while connection.subscriptions.handles.count >= limit, let oldest = variants.idle.popFirst() { drop(oldest) }
    }

    /// Drops the variants that have been idle longest, as far as limits demand.
    func forgetIdle() {
        while variants.idle.count > bounds.idleVariants || variants.idle.bytes > bounds.idleBytes,
            let oldest = variants.idle.popFirst()
        {
            drop(oldest)
        }
        while let oldest = variants.idle.popFirst(ageing: bounds.idleMilliseconds, at: now) { drop(oldest) }
    }

    /// Drops the variants that have been idle longest of those that a cut changes, as far as they are too many.
    func forgetIdle(changedBy cut: IncomingFrames) {
        let changed = variants.idle.sorted(cut.patches.lazy.map(\.handle))
        for handle in changed.dropLast(bounds.idlePatches) { drop(handle) }
    }

    /// Forgets a variant, and ends its subscription upstream.
    func drop(_ handle: UInt64) {
        guard let variant = variants.remove(handle) else { return }
        connection.arrivals.drop(handle)
        connection.returning.forget(handle)
        library.forget(handle)
        guard let subscription = variant.subscription else { return }
        connection.subscriptions.end(subscription)
        if isLive { outlet.send(.unsubscribe(subscription)) }
    }

    /// Gives up the openings of a guest who has left.
    func endOpenings(of guest: UInt32) {
        _ = connection.subscriptions.waiting.remove(guest)
        for ticket in openings.tickets(of: guest) {
            finish(ticket, .failure(.unknownGuest))
        }
        sendSubscriptions()
    }

    func subscriptionFailed(_ error: SubscriptionError) {
        answered(subscription: error.subscription)
        guard let handle = connection.subscriptions.handles[error.subscription], let variant = variants[handle] else {
            return
        }
        // The error is about an item too large for the protocol: the section stays as it is.
        guard error.section == nil else { return outlet.report("\(variant.name): \(error.status.message)") }
        connection.subscriptions.end(error.subscription)
        variants[handle]?.left()
        // Either the plan that named the variant is out of date, or it is private and its user has left, so that nobody
        // shows it.
        for (key, plan) in plans.all where plan.handles.contains(handle) { plans.forget(key) }
        for ticket in openings.tickets where openings[ticket]?.request.handle == handle {
            finish(ticket, .failure(.unknownVariant))
        }
        if variants[handle]?.subscribers == 0 {
            drop(handle)
        } else {
            giveUp(handle)
            connection.returning.lost.insert(variant.family)
        }
        flush()
    }

    /// Stops waiting for a variant that is shown: it stays behind the published position until it arrives again.
    func giveUp(_ handle: UInt64) {
        connection.arrivals.versions[handle] = nil
        variants[handle]?.isOutdated = true
        connection.returning.giveUp(handle)
    }
}

extension RelayCore.Variant {
    fileprivate var family: String { ScreenID(name.screen).family }
}

extension PlanAnswer {
    /// The plan's variants with their names.
    fileprivate var named: [(name: RelayCore.Variant.Name, handle: UInt64, isPrivate: Bool)] {
        func name(_ section: String) -> RelayCore.Variant.Name {
            RelayCore.Variant.Name(screen: screen, section: section, locale: locale)
        }
        return [(name(""), viewHandle, false)] + sections.map { (name($0.section), $0.handle, $0.isPrivate) }
    }
}

extension Status {
    /// Different variants upstream have the same handle.
    fileprivate static let handleTaken = Status(
        .unavailable, reason: "HANDLE_TAKEN", remedy: .retryOther,
        message: "this relay can't show the screen beside others; another one can")
}
