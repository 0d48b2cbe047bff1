import MarqueeDiff
package import MarqueeModel
import MarqueeScreens
import MarqueeWire

extension SessionCore {
    // MARK: - From the client

    mutating func subscribe(_ message: Subscribe) -> [Action] {
        let request = OpenRequest(
            screen: message.screen, locale: message.locale, parameters: message.sections, user: identity.user,
            handle: message.handle)
        if let live = subscriptions[message.subscription] {
            guard message.generation > live.requested?.generation ?? live.generation else {
                return fail(.invalidArgument, "GENERATION_INVALID", "a change of parameters needs a higher generation")
            }
            guard message.screen == live.request.screen, message.locale == live.request.locale,
                message.handle == live.request.handle
            else {
                return fail(.invalidArgument, "SUBSCRIPTION_REUSED", "a subscription keeps its screen and locale")
            }
            subscriptions[message.subscription]?.requested = (message.generation, request)
            return open(message.subscription, blocks: false)
        }
        if message.subscription <= lasting.highestSubscription, message.generation > 0 {
            // The subscription ended while the change of parameters was on its way.
            refuse(
                message.subscription, message.generation,
                Status(
                    .notFound, reason: "SUBSCRIPTION_ENDED", remedy: .fatal,
                    message: "subscription \(message.subscription) has ended"))
            return []
        }
        guard message.subscription > lasting.highestSubscription else {
            return fail(.invalidArgument, "SUBSCRIPTION_REUSED", "subscription ids must rise and are never reused")
        }
        lasting.highestSubscription = message.subscription
        if lasting.draining {
            refuse(
                message.subscription, message.generation,
                Status(.unavailable, reason: "DRAINING", remedy: .retrySame, message: "the server is stopping"))
            return []
        }
        // Requests to the hub for subscriptions that have ended count until the hub has answered them.
        guard max(subscriptions.count, openTickets.count) < Int(limits.subscriptions) else {
            refuse(
                message.subscription, message.generation,
                Status(
                    .resourceExhausted, reason: "TOO_MANY_SUBSCRIPTIONS", remedy: .fatal,
                    message: "at most \(limits.subscriptions) subscriptions on a connection"))
            return [.hit(.subscriptions)]
        }
        guard variants.count < variantLimit else {
            refuse(message.subscription, message.generation, .tooManyVariants)
            return [.hit(.variantsPerConnection)]
        }
        if let resume = message.resume, Set(resume.sections.map(\.section)).count < resume.sections.count {
            refuse(
                message.subscription, message.generation,
                Status(
                    .invalidArgument, reason: "REPEATED_SECTION", remedy: .fatal,
                    message: "a section is offered twice for resuming"))
            return []
        }
        if let refusal = refusal(of: request) {
            refuse(message.subscription, message.generation, refusal)
            return []
        }
        var subscription = Subscription(
            id: message.subscription, generation: message.generation, request: request)
        if let resume = message.resume {
            subscription.offered = Dictionary(
                resume.sections.map { ($0.section, $0.sum) }, uniquingKeysWith: { first, _ in first })
            subscription.offered[""] = resume.viewSum
        }
        subscriptions[message.subscription] = subscription
        return open(message.subscription, blocks: false)
    }

    mutating func unsubscribe(_ id: UInt32) -> [Action] {
        guard id <= lasting.highestSubscription else {
            return fail(.invalidArgument, "SUBSCRIPTION_UNKNOWN", "subscription \(id) was never opened")
        }
        return end(id)
    }

    // MARK: - From the hub

    /// Handles the hub's answer to an `open`.
    package mutating func opened(ticket: UInt64, _ result: Result<OpenedView, Status>) -> [Action] {
        guard let id = openTickets.removeValue(forKey: ticket), let subscription = subscriptions[id],
            subscription.ticket == ticket
        else {
            if case .success(let view) = result { return [.release(view.handles)] }
            return []
        }
        subscriptions[id]?.ticket = nil
        if subscription.asksAgain {
            subscriptions[id]?.asksAgain = false
            let again = open(id, blocks: false)
            if case .success(let view) = result { return [.release(view.handles)] + again }
            return again
        }
        if case .success(let view) = result,
            variants.count - subscription.handles.count + view.handles.count > variantLimit
        {
            return [.hit(.variantsPerConnection), .release(view.handles)] + refused(id, subscription, .tooManyVariants)
        }
        switch result {
        case .failure(let status): return refused(id, subscription, status)
        case .success(let view):
            if let user = view.user, guests?.users[user] == nil {
                return refused(id, subscription, .unknownVariant) + [.release(view.handles)]
            }
            if guests == nil, view.cut.userEpoch == newest.userEpoch, view.cut.userRevision < newest.userRevision {
                // The store has lost commits that this client has seen; the node ends as soon as it notices.
                let status = Status(
                    .unavailable, reason: "NODE_BEHIND", remedy: .retryOther,
                    message: "this node is behind what the mirror has seen; another may not be")
                return [.release(view.handles)] + fail(status)
            }
            if let other = other(than: id, showing: view) {
                let status = Status(
                    .alreadyExists, reason: "ALREADY_SUBSCRIBED", remedy: .fatal,
                    message: "subscription \(other.id) shows '\(view.screen)' already")
                return end(id, status) + [.release(view.handles)]
            }
            return install(view, in: id)
        }
    }

    /// The other subscription that shows the same thing, if there is one. A relay shows each variant once, but may show
    /// several variants of one screen.
    private func other(than id: UInt32, showing view: OpenedView) -> Subscription? {
        if subscriptions[id]?.request.handle != nil {
            return variants.owner(of: view.list.handle).flatMap { $0 == id ? nil : subscriptions[$0] }
        }
        return subscriptions.values.first {
            $0.id != id && $0.request.handle == nil && $0.screen == view.screen && $0.locale == view.locale
        }
    }

    /// The most variants that the client may show.
    private var variantLimit: Int { guests == nil ? settings.variantsPerConnection : Int(limits.subscriptions) }

    /// The reason why the client may not see this; `nil` if it may.
    func refusal(of request: OpenRequest) -> Status? {
        if request.handle == nil { return Authoriser.refusal(of: .read(screen: request.screen), to: identity) }
        return guests == nil ? .noRelay : Authoriser.refusal(of: .relay, to: identity)
    }

    /// Handles a refusal by the hub.
    private mutating func refused(_ id: UInt32, _ subscription: Subscription, _ status: Status) -> [Action] {
        guard subscription.isLive else { return end(id, status) }
        guard let requested = subscription.requested else { return openAgain(id, subscription, after: status) }
        // Only the change of parameters failed, as the higher generation tells the client; the view stays unchanged.
        refuse(id, requested.generation, status)
        subscriptions[id]?.requested = nil
        // If the programme has changed too, the view still has to be planned with its old parameters.
        return subscription.blocks ? open(id, blocks: true) : []
    }

    /// Handles a shown view that couldn't be planned again with its parameters. If one of them is about a section that
    /// is gone, the view goes on without any parameters.
    private mutating func openAgain(_ id: UInt32, _ subscription: Subscription, after status: Status) -> [Action] {
        guard status.code == .invalidArgument, !subscription.request.parameters.isEmpty else { return end(id, status) }
        subscriptions[id]?.request.parameters = []
        return open(id, blocks: true)
    }

    private mutating func install(_ view: OpenedView, in id: UInt32) -> [Action] {
        guard var subscription = subscriptions[id] else { return [.release(view.handles)] }
        let oldHandles = subscription.handles
        let before = Dictionary(subscription.variants.map { ($0.section, $0) }, uniquingKeysWith: { a, _ in a })
        subscription.variants = ([view.list] + view.sections).map { variant in
            var shown = ShownVariant(section: variant.section, handle: variant.handle, current: variant.current)
            let old = before[variant.section]
            shown.held = old?.held.flatMap { $0.isStaged && $0.handle != variant.handle ? nil : $0 }
            shown.isUnknown = old.map { $0.isUnknown || subscription.isLive } ?? false
            // The parameters changed before the view joined: the client still holds the version that it offered.
            if shown.held == nil, let sum = subscription.offered[variant.section] {
                shown.held = base(sum, of: variant.handle, current: variant.current)
                shown.isUnknown = sum != Version.empty.sum
            }
            return shown
        }
        if before.isEmpty { countResumed(subscription) }
        subscription.screen = view.screen
        subscription.locale = view.locale
        subscription.user = view.user
        subscription.ticket = nil
        if let requested = subscription.requested { (subscription.generation, subscription.request) = requested }
        subscription.requested = nil
        subscription.blocks = false
        // Staging continues if the variant is still shown.
        if let handle = subscription.staging?.handle,
            !subscription.variants.contains(where: { $0.handle == handle && $0.isToBeStaged })
        {
            subscription.staging = nil
        }
        subscription.needsJoin = true
        forget(Array(before.values), besides: Set(view.handles))
        for variant in subscription.variants {
            variants.add(variant.handle, showing: variant.current.content, of: id)
        }
        manifests.mayAsk = true
        isAhead = isAhead || newest.isBehind(view.cut)
        newest.catalogueRevision = max(newest.catalogueRevision, view.cut.catalogueRevision)
        newest.userRevision = max(newest.userRevision, view.cut.userRevision)
        subscriptions[id] = subscription
        return oldHandles.isEmpty ? [] : [.release(oldHandles)]
    }

    /// Handles a change of the programme: asks the hub again for the views of screens that it defines differently, and
    /// keeps the position until all answers have arrived.
    ///
    /// Reopening a screen that is gone because its record was removed fails, and that error ends its view.
    /// - Parameter gone: handles of the section lists of such views.
    mutating func replan(_ screens: ChangedScreens, gone: [UInt64]) -> [Action] {
        let ended = Set(gone.compactMap { variants.owner(of: $0) })
        guard screens != .none || !ended.isEmpty else { return [] }
        return subscriptions.ids.flatMap { id -> [Action] in
            // A relay decides by itself which variants it shows.
            guard let subscription = subscriptions[id], subscription.request.handle == nil else { return [] }
            let isConcerned =
                ended.contains(id) || screens.contains(subscription.request.screen)
                || subscription.requested.map { screens.contains($0.request.screen) } == true
            return isConcerned ? open(id, blocks: true) : []
        }
    }

    /// Asks the hub again for all views, because the client has other claims and so may see other sections. Keeps the
    /// position until all answers have arrived.
    mutating func replanAll() -> [Action] {
        subscriptions.ids.flatMap { id in
            subscriptions[id]?.request.handle == nil ? open(id, blocks: true) : []
        }
    }

    // MARK: - Helpers

    /// Changes a shown variant.
    mutating func change(_ handle: UInt64, _ change: (inout ShownVariant) -> Void) {
        guard let owner = variants.owner(of: handle),
            let index = subscriptions[owner]?.variants.firstIndex(where: { $0.handle == handle }),
            var variant = subscriptions[owner]?.variants[index]
        else { return }
        change(&variant)
        subscriptions[owner]?.variants[index] = variant
    }

    private mutating func open(_ id: UInt32, blocks: Bool) -> [Action] {
        guard let subscription = subscriptions[id] else { return [] }
        guard subscription.ticket == nil else {
            subscriptions[id]?.asksAgain = true
            subscriptions[id]?.blocks = blocks || subscription.blocks
            return []
        }
        let ticket = lasting.nextTicket
        lasting.nextTicket += 1
        openTickets[ticket] = id
        subscriptions[id]?.ticket = ticket
        subscriptions[id]?.blocks = blocks || subscription.blocks
        var request = subscription.requested?.request ?? subscription.request
        // Set here, because a renewed identity may have other claims.
        request.claims = identity.claims
        return [.open(ticket: ticket, request)]
    }

    /// Ends a subscription and tells the client so.
    mutating func end(_ id: UInt32, _ status: Status) -> [Action] {
        refuse(id, SubscriptionError.wholeSubscription, status)
        return end(id)
    }

    mutating func end(_ id: UInt32) -> [Action] {
        guard let subscription = subscriptions.remove(id) else { return [] }
        forget(subscription.variants)
        settle()
        return subscription.handles.isEmpty ? [] : [.release(subscription.handles)]
    }

    /// Stops showing variants of a subscription.
    /// - Parameter kept: handles that it continues to show.
    private mutating func forget(_ left: [ShownVariant], besides kept: Set<UInt64> = []) {
        for variant in left {
            variants.remove(variant.handle, showing: variant.current.content)
            if !kept.contains(variant.handle) { manifests.forget(variant.handle) }
        }
    }

    mutating func refuse(_ id: UInt32, _ generation: UInt32, _ status: Status) {
        say(.subscriptionError(SubscriptionError(subscription: id, generation: generation, status: status)))
    }

    /// The version that the client says it holds, if a patch can start from it.
    func base(_ sum: UInt64, of handle: UInt64, current: CurrentVersion) -> Held? {
        guard sum == current.version.sum || library.version(sum, of: current.content) != nil else { return nil }
        return Held(sum: sum, handle: handle, content: current.content)
    }
}
