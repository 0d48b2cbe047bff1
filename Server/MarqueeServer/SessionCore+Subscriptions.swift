import MarqueeDiff
package import MarqueeModel
import MarqueeScreens
import MarqueeWire

extension SessionCore {
    /// What the client holds of a variant: a sum, and the handle under which that version was sent.
    struct Held: Hashable {
        var sum: UInt64
        var handle: UInt64
        /// Staged, and not yet named by a join: the client finds it under this very handle only.
        var isStaged = false
    }

    /// A variant that a subscription shows.
    struct Bound {
        /// Of the section; empty for the view's own list.
        var section: String
        var handle: UInt64
        var current: CurrentVersion
        /// `nil`: nothing that a patch could start from; it has to be staged.
        var held: Held?
        /// The client holds something of it that is not known here: a manifest may help.
        var isUnknown = false
        /// How often it was refused while the client held the same.
        var refusals = 0
        /// What the client held when it was last refused.
        var refusedAt: UInt64?
        /// Whether a patch from its manifest was what it was sent last.
        var cameByManifest = false
        /// It could not be brought to the client, which goes on with what it has.
        var failure: Failure?
        /// How often in a row that came to pass.
        var failures: UInt64 = 0

        /// When a section that failed is tried again.
        struct Failure {
            var until: UInt64
        }

        var isBehind: Bool {
            failure == nil && (held?.sum != current.version.sum || held?.handle != handle)
        }
        var isToBeStaged: Bool { held == nil && failure == nil }
        /// Whether it is staged as a patch of what the client describes. One that was refused like that comes whole.
        var wantsManifest: Bool {
            isToBeStaged && isUnknown && refusals < SessionSettings.refusals - 1 && current.version.isWorthAManifest
        }
    }

    /// One subscription of the client.
    struct Subscription {
        var id: UInt32
        var generation: UInt32
        var request: OpenRequest
        /// A change of parameters that the hub has not answered.
        var wished: (generation: UInt32, request: OpenRequest)?
        var screen = ""
        var locale = ""
        /// The view's own list first, then its sections in order; empty until the hub has answered.
        var members: [Bound] = []
        /// The client shows it: it takes part in every cut.
        var isLive = false
        /// It joins, or is bound anew, in the next cut.
        var needsJoin = false
        /// The generation of the last join that was laid out; what the client shows.
        var joinedGeneration: UInt32 = 0
        /// The question to the hub that is under way; there is one at a time.
        var ticket: UInt64?
        /// What it was about is out of date: ask again once it is answered.
        var asksAgain = false
        /// The session may not move before the hub has answered.
        var blocks = false
        /// What the client said it holds, by section, until the view joins or the section is refused.
        var offered: [String: UInt64] = [:]
        /// The part of the staged version that comes next.
        var staging: Staging?

        var handles: [UInt64] { members.map(\.handle) }
        var isStaged: Bool { !members.isEmpty && !members.contains(where: \.isToBeStaged) }

        /// Whether the client is to be asked what it holds of a member.
        ///
        /// What has begun to be staged goes on: to find out about it now would be of no use.
        func wantsManifest(_ member: Bound) -> Bool { member.wantsManifest && staging?.handle != member.handle }

        /// The client shows the view once it has read the cut that is laid out now.
        mutating func joined() {
            isLive = true
            needsJoin = false
            offered = [:]
            joinedGeneration = generation
            for index in members.indices { members[index].held?.isStaged = false }
        }

        /// - Returns: whether the client turns out to hold it.
        mutating func renew(_ handle: UInt64, _ current: CurrentVersion) -> Bool {
            guard let index = members.firstIndex(where: { $0.handle == handle }) else { return false }
            members[index].current = current
            // It has become what the client holds, for whom nothing has changed then. What is on its way already goes
            // on.
            guard members[index].isToBeStaged, staging?.handle != handle,
                offered[members[index].section] == current.version.sum
            else { return false }
            members[index].held = Held(sum: current.version.sum, handle: handle)
            return true
        }
    }

    /// A version on its way to the client, invisible there until its view joins.
    struct Staging {
        var handle: UInt64
        var target: UInt64
        var encoded: EncodedPatch
        var next = 0
    }

    // MARK: - From the client

    mutating func subscribe(_ message: Subscribe) -> [Action] {
        let request = OpenRequest(
            screen: message.screen, locale: message.locale, parameters: message.sections, user: identity.user)
        if let live = subscriptions[message.subscription] {
            guard message.generation > live.wished?.generation ?? live.generation else {
                return fail(.invalidArgument, "GENERATION_INVALID", "a change of parameters needs a higher generation")
            }
            guard message.screen == live.request.screen, message.locale == live.request.locale else {
                return fail(.invalidArgument, "SUBSCRIPTION_REUSED", "a subscription keeps its screen and locale")
            }
            subscriptions[message.subscription]?.wished = (message.generation, request)
            return open(message.subscription, blocks: false)
        }
        if message.subscription <= highestSubscription, message.generation > 0 {
            // It was ended while the change of parameters was on its way.
            refuse(
                message.subscription, message.generation,
                Status(
                    .notFound, reason: "SUBSCRIPTION_ENDED", remedy: .fatal,
                    message: "subscription \(message.subscription) has ended"))
            return []
        }
        guard message.subscription > highestSubscription else {
            return fail(.invalidArgument, "SUBSCRIPTION_REUSED", "subscription ids rise and are never used again")
        }
        highestSubscription = message.subscription
        if draining {
            refuse(
                message.subscription, message.generation,
                Status(.unavailable, reason: "DRAINING", remedy: .retrySame, message: "the server is stopping"))
            return []
        }
        // Questions of subscriptions that have ended count until the hub has answered them.
        guard max(subscriptions.count, openTickets.count) < Int(settings.limits.subscriptions) else {
            refuse(
                message.subscription, message.generation,
                Status(
                    .resourceExhausted, reason: "TOO_MANY_SUBSCRIPTIONS", remedy: .fatal,
                    message: "at most \(settings.limits.subscriptions) subscriptions on a connection"))
            return []
        }
        if let resume = message.resume, Set(resume.sections.map(\.section)).count < resume.sections.count {
            refuse(
                message.subscription, message.generation,
                Status(
                    .invalidArgument, reason: "REPEATED_SECTION", remedy: .fatal,
                    message: "a section is offered twice for resuming"))
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
        guard id <= highestSubscription else {
            return fail(.invalidArgument, "SUBSCRIPTION_UNKNOWN", "subscription \(id) was never opened")
        }
        return end(id)
    }

    // MARK: - From the hub

    /// The hub has answered an `open`.
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
        switch result {
        case .failure(let status):
            if subscription.isLive, let wished = subscription.wished {
                // The change of parameters failed, which the higher generation says; what is shown stays.
                refuse(id, wished.generation, status)
                subscriptions[id]?.wished = nil
                // Where the programme has changed too, the view is still to be planned with what it had.
                return subscription.blocks ? open(id, blocks: true) : []
            }
            refuse(id, subscription.isLive ? subscription.joinedGeneration : subscription.generation, status)
            return end(id)
        case .success(let view):
            if let other = subscriptions.values.first(where: {
                $0.id != id && $0.screen == view.screen && $0.locale == view.locale
            }) {
                refuse(
                    id, subscription.generation,
                    Status(
                        .alreadyExists, reason: "ALREADY_SUBSCRIBED", remedy: .fatal,
                        message: "subscription \(other.id) shows '\(view.screen)' already"))
                return end(id) + [.release(view.handles)]
            }
            return install(view, in: id)
        }
    }

    private mutating func install(_ view: OpenedView, in id: UInt32) -> [Action] {
        guard var subscription = subscriptions[id] else { return [.release(view.handles)] }
        let oldHandles = subscription.handles
        let before = Dictionary(subscription.members.map { ($0.section, $0) }, uniquingKeysWith: { a, _ in a })
        subscription.members = ([view.list] + view.sections).map { member in
            var bound = Bound(section: member.section, handle: member.handle, current: member.current)
            let old = before[member.section]
            bound.held = old?.held.flatMap { $0.isStaged && $0.handle != member.handle ? nil : $0 }
            bound.isUnknown = old.map { $0.isUnknown || subscription.isLive } ?? false
            // The parameters have changed before the view joined: the client holds what it has offered still.
            if bound.held == nil, let sum = subscription.offered[member.section] {
                bound.held = base(sum, of: member.handle, current: member.current)
                bound.isUnknown = sum != Version.empty.sum
            }
            return bound
        }
        subscription.screen = view.screen
        subscription.locale = view.locale
        subscription.ticket = nil
        if let wished = subscription.wished { (subscription.generation, subscription.request) = wished }
        subscription.wished = nil
        subscription.blocks = false
        // What has begun goes on where it is wanted still.
        if let handle = subscription.staging?.handle,
            !subscription.members.contains(where: { $0.handle == handle && $0.isToBeStaged })
        {
            subscription.staging = nil
        }
        subscription.needsJoin = true
        forget(oldHandles, besides: Set(view.handles))
        for handle in view.handles { owners[handle] = id }
        mayAskForManifests = true
        newest.catalogueRevision = max(newest.catalogueRevision, view.cut.catalogueRevision)
        newest.userRevision = max(newest.userRevision, view.cut.userRevision)
        subscriptions[id] = subscription
        return oldHandles.isEmpty ? [] : [.release(oldHandles)]
    }

    /// The programme changed: ask anew for the views of the screens that it defines otherwise, and stay where we are
    /// until all answers are there.
    ///
    /// Asking again for a screen that is gone, because the movie that it was about was removed, gives the error that
    /// ends its view.
    /// - Parameter gone: handles of the own lists of such views.
    mutating func replan(_ screens: ChangedScreens, gone: [UInt64]) -> [Action] {
        let ended = Set(gone.compactMap { owners[$0] })
        guard screens != .none || !ended.isEmpty else { return [] }
        return subscriptions.keys.sorted().flatMap { id -> [Action] in
            guard let subscription = subscriptions[id] else { return [] }
            let isConcerned =
                ended.contains(id) || screens.contains(subscription.request.screen)
                || subscription.wished.map { screens.contains($0.request.screen) } == true
            return isConcerned ? open(id, blocks: true) : []
        }
    }

    // MARK: - Helpers

    /// Changes what is known of a variant that is shown.
    mutating func change(_ handle: UInt64, _ change: (inout Bound) -> Void) {
        guard let owner = owners[handle],
            let index = subscriptions[owner]?.members.firstIndex(where: { $0.handle == handle }),
            var member = subscriptions[owner]?.members[index]
        else { return }
        change(&member)
        subscriptions[owner]?.members[index] = member
    }

    private mutating func open(_ id: UInt32, blocks: Bool) -> [Action] {
        guard let subscription = subscriptions[id] else { return [] }
        guard subscription.ticket == nil else {
            subscriptions[id]?.asksAgain = true
            subscriptions[id]?.blocks = blocks || subscription.blocks
            return []
        }
        let ticket = nextTicket
        nextTicket += 1
        openTickets[ticket] = id
        subscriptions[id]?.ticket = ticket
        subscriptions[id]?.blocks = blocks || subscription.blocks
        return [.open(ticket: ticket, subscription.wished?.request ?? subscription.request)]
    }

    mutating func end(_ id: UInt32) -> [Action] {
        guard let subscription = subscriptions.removeValue(forKey: id) else { return [] }
        forget(subscription.handles)
        settle()
        return subscription.handles.isEmpty ? [] : [.release(subscription.handles)]
    }

    /// Handles that a subscription shows no longer.
    /// - Parameter kept: those that it shows again, or still.
    private mutating func forget(_ handles: [UInt64], besides kept: Set<UInt64> = []) {
        for handle in handles {
            owners[handle] = nil
            dirty.remove(handle)
            failed.remove(handle)
            if !kept.contains(handle) { forgetManifest(handle) }
        }
    }

    mutating func refuse(_ id: UInt32, _ generation: UInt32, _ status: Status) {
        say(.subscriptionError(SubscriptionError(subscription: id, generation: generation, status: status)))
    }

    /// A version that the client says it holds, if a patch can start from it.
    func base(_ sum: UInt64, of handle: UInt64, current: CurrentVersion) -> Held? {
        guard sum == current.version.sum || library.version(sum, of: handle) != nil else { return nil }
        return Held(sum: sum, handle: handle)
    }
}
