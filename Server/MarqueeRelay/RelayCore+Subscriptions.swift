import MarqueeModel
import MarqueeServer
import MarqueeWire

// Variants, each of which is subscribed to upstream once, whoever shows it.

extension RelayCore {
    /// The most subscriptions that upstream hasn't answered: as many as it opens for one connection before it stops
    /// reading.
    static let subscriptionsAtOnce = 16
    /// Stands for the relays behind this one where guests take turns. No guest has it.
    private static let relaysBehind: UInt32 = 0

    /// Adds a subscriber to each variant of a plan, and subscribes upstream to those that aren't there.
    func hold(
        _ plan: PlanAnswer, of request: GetScreenRequest, by reader: Reader, for guest: UInt32?
    ) throws(Status) {
        let key = PlanKey(request: request, audience: plan.isShared ? .everybody : .reader(reader))
        let named = plan.named
        for (name, handle, _) in named {
            if let known = variants[handle], known.name != name { throw .handleTaken }
        }
        let new = named.count { variants[$0.handle].map { $0.subscribers == 0 } ?? true }
        guard variants.count - idle.count + new <= variantLimit else { throw .tooManyVariants }
        for (name, handle, isPrivate) in named {
            if variants[handle] == nil {
                variants[handle] = Variant(name, user: isPrivate ? reader.user : nil, plan: key)
            }
            variants[handle]?.plan = key
            variants[handle]?.subscribers += 1
            idle.remove(handle)
            subscribe(handle, for: guest)
        }
    }

    /// Subscribes to a variant when it is the guest's turn.
    func subscribe(_ handle: UInt64, for guest: UInt32?) {
        guard isLive, variants[handle]?.subscription == nil else { return }
        waitingVariants.append(handle, for: guest ?? Self.relaysBehind)
        sendSubscriptions()
    }

    /// Subscribes to what has waited for its turn. Few at a time: upstream reads no further while it opens many, so
    /// whatever others ask for would wait behind them.
    func sendSubscriptions() {
        while isLive, unanswered.count < Self.subscriptionsAtOnce, let handle = waitingVariants.popFirst() {
            // Nobody wants it any more; the next reader makes it wait again.
            guard variants[handle]?.subscribers ?? 0 > 0 else { continue }
            if let subscription = subscribe(handle) { unanswered.insert(subscription) }
        }
    }

    /// Upstream has begun to answer a subscription, or refused it.
    func answered(subscription: UInt32?) {
        guard let subscription, unanswered.remove(subscription) != nil else { return }
        sendSubscriptions()
    }

    /// - Returns: the subscription, if there is a new one.
    @discardableResult
    func subscribe(_ handle: UInt64) -> UInt32? {
        guard isLive, let variant = variants[handle], variant.subscription == nil else { return nil }
        makeRoom()
        let subscription = nextSubscription
        nextSubscription += 1
        variants[handle]?.subscription = subscription
        subscriptions[subscription] = handle
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
        while subscriptions.count >= limit, let oldest = idle.popFirst() { drop(oldest) }
    }

    func rest(_ handle: UInt64) {
        idle.append(handle, bytes: variants[handle]?.held?.version.items.encodedSize ?? 0, at: now)
    }

    func forgetIdle() {
        while idle.count > bounds.idleVariants || idle.bytes > bounds.idleBytes, let oldest = idle.popFirst() {
            drop(oldest)
        }
        while let oldest = idle.popFirst(ageing: bounds.idleMilliseconds, at: now) { drop(oldest) }
    }

    func drop(_ handle: UInt64) {
        guard let variant = variants.removeValue(forKey: handle) else { return }
        idle.remove(handle)
        unpublished[handle] = nil
        staged.drop(handle)
        returning.variants.remove(handle)
        returning.givenUp.remove(handle)
        library.forget(handle)
        guard let subscription = variant.subscription else { return }
        subscriptions[subscription] = nil
        unanswered.remove(subscription)
        if isLive { outlet.send(.unsubscribe(subscription)) }
    }

    /// Gives up what a guest who has left still waits for.
    func endOpenings(of guest: UInt32) {
        _ = waitingVariants.remove(guest)
        for ticket in openings.tickets(of: guest) {
            finish(ticket, .failure(.unknownGuest))
        }
        sendSubscriptions()
    }

    func subscriptionFailed(_ error: SubscriptionError) {
        answered(subscription: error.subscription)
        guard let handle = subscriptions[error.subscription], let variant = variants[handle] else { return }
        // Only an item too large for the protocol: the section stays as it is.
        guard error.section == nil else { return outlet.report("\(variant.name): \(error.status.message)") }
        subscriptions[error.subscription] = nil
        variants[handle]?.left()
        // Plans that name it are out of date. Nobody shows a variant of a user who has left.
        for (key, plan) in plans where plan.handles.contains(handle) { forget(key) }
        for ticket in openings.tickets where openings[ticket]?.request.handle == handle {
            finish(ticket, .failure(.unknownVariant))
        }
        if variants[handle]?.subscribers == 0 {
            drop(handle)
        } else {
            giveUp(handle)
            returning.lost.insert(variant.family)
        }
        flush()
    }

    /// Goes on without a variant that somebody shows: it stays behind what is published next until it has come again.
    func giveUp(_ handle: UInt64) {
        returning.variants.remove(handle)
        unpublished[handle] = nil
        variants[handle]?.isOutdated = true
        returning.givenUp.insert(handle)
    }
}

extension RelayCore.Variant {
    fileprivate var family: String { ScreenID(name.screen).family }
}

extension PlanAnswer {
    /// Its variants with what each shows.
    fileprivate var named: [(name: RelayCore.Variant.Name, handle: UInt64, isPrivate: Bool)] {
        func name(_ section: String) -> RelayCore.Variant.Name {
            RelayCore.Variant.Name(screen: screen, section: section, locale: locale)
        }
        return [(name(""), viewHandle, false)] + sections.map { (name($0.section), $0.handle, $0.isPrivate) }
    }
}

extension Status {
    /// Two variants want one handle, on two servers upstream.
    fileprivate static let handleTaken = Status(
        .unavailable, reason: "HANDLE_TAKEN", remedy: .retryOther,
        message: "this relay can't show the screen beside others; another one can")
}
