import MarqueeModel
import MarqueeWire

/// The part of a session that lasts while its client belongs to a cohort.
struct LastingState {
    var identity = Identity(user: nil, grant: .nothing)
    var clientID: [UInt8] = []
    var liveness: Liveness
    /// The highest ids that the client has used; they aren't used again.
    var highestSubscription: UInt32 = 0
    var highestCall: UInt32 = 0
    var lastNack: UInt32 = 0
    /// The next request to the hub.
    var nextTicket: UInt64 = 1
    /// Data frames that the session's cores have written.
    var deliveries: UInt64 = 0
    var draining = false
}

/// A synced session's own state. A session is synced when its client has everything and neither side is waiting for the
/// other. The views that it shows belong to its cohort.
struct SyncedSession {
    var lasting: LastingState
    /// The client's position once everything written has arrived. The catalogue's revision is that of the last cut, or
    /// of the moment when the session joined its cohort; nothing that it shows has changed since.
    var position: Cut
    /// The client's names of its subscriptions, in the order of the cohort's views.
    var subscriptions: [SubscriptionName]
    /// The histories of variants that the client refused, or that were sent as patches from a manifest.
    var histories: [UInt64: History]

    /// The client's name for a view.
    struct SubscriptionName: Hashable {
        var id: UInt32
        var generation: UInt32
    }

    /// How a variant was sent to the client, in case the client refuses it.
    struct History: Hashable {
        var refusals: Int
        var refusedAt: UInt64?
        var failures: UInt64
        var cameByManifest: Bool

        /// `nil` if there is nothing to remember.
        init?(_ variant: SessionCore.ShownVariant) {
            guard variant.refusals > 0 || variant.failures > 0 || variant.cameByManifest else { return nil }
            refusals = variant.refusals
            refusedAt = variant.refusedAt
            failures = variant.failures
            cameByManifest = variant.cameByManifest
        }
    }
}

/// The part of a synced session that each delivery changes.
struct SyncedProgress {
    var flow = Flow(credit: 0)
    /// The position that the frames written so far carry.
    var named = Cut()

    /// Accounts for a cut that was written.
    mutating func sent(_ cut: CohortCut) {
        flow.send(cut.dataBytes)
        named = named.advanced(by: cut.names)
    }
}

/// The views that synced sessions show, ordered by the handles of their own lists.
struct SyncedViews {
    /// Sessions with equal keys show the same variants, and differ only in their clients.
    struct Key: Hashable {
        struct View: Hashable {
            var request: OpenRequest
            var screen: String
            var locale: String
            var handles: [UInt64]
        }

        var views: [View]
        var clientLimits: WireLimits
    }

    /// Each variant's `held` is its `current`. The user and the client's ids for the views are left out.
    var subscriptions: [SessionCore.Subscription]
    /// The limits of what the clients accept. Kept here, because they would be the largest part of a session's own
    /// state.
    let clientLimits: WireLimits

    var key: Key {
        Key(
            views: subscriptions.map {
                Key.View(request: $0.request, screen: $0.screen, locale: $0.locale, handles: $0.handles)
            }, clientLimits: clientLimits)
    }

    /// Whether sessions with these views hold the same versions. The keys must be equal.
    func isCurrent(with other: SyncedViews) -> Bool {
        zip(subscriptions, other.subscriptions).allSatisfy { mine, others in
            zip(mine.variants, others.variants).allSatisfy {
                $0.current.version.sum == $1.current.version.sum && $0.current.content == $1.current.content
            }
        }
    }
}

extension SessionCore {
    /// Whether the client has everything and there is nothing to decide, so that a cohort can take over.
    var isSynced: Bool {
        guard case .live = phase, control.isEmpty, deferred.isEmpty, outgoing.isEmpty, variants.dirty.isEmpty,
            variants.failed.isEmpty, pendingRepair == nil, openTickets.isEmpty, waitingSince == nil, calls.areDone,
            manifests.areDone, guests == nil
        else { return false }
        return subscriptions.values.allSatisfy(\.isSynced)
    }

    /// The session's own state and its views, for a cohort.
    /// - Returns: `nil` unless it is synced.
    func partsForCohort() -> (session: SyncedSession, progress: SyncedProgress, views: SyncedViews)? {
        guard isSynced else { return nil }
        var histories: [UInt64: SyncedSession.History] = [:]
        for variant in subscriptions.values.lazy.flatMap(\.variants) {
            histories[variant.handle] = SyncedSession.History(variant)
        }
        // Handles are unique, as a client never shows a view twice.
        let views = subscriptions.values.sorted { $0.variants[0].handle < $1.variants[0].handle }
        let session = SyncedSession(
            lasting: lasting, position: newest,
            subscriptions: views.map { SyncedSession.SubscriptionName(id: $0.id, generation: $0.generation) },
            histories: histories)
        return (
            session, progress, SyncedViews(subscriptions: views.map(\.withoutClient), clientLimits: clientLimits)
        )
    }

    /// Restores the core of a session whose client has everything in `views`.
    init(
        _ synced: SyncedSession, _ progress: SyncedProgress, showing views: SyncedViews, library: VersionLibrary,
        settings: SessionSettings,
        budgets: SessionBudgets
    ) {
        self.init(library: library, settings: settings, budgets: budgets, now: synced.lasting.liveness.opened)
        phase = .live
        lasting = synced.lasting
        self.progress = progress
        clientLimits = views.clientLimits
        newest = synced.position
        position = synced.position
        for (var subscription, name) in zip(views.subscriptions, synced.subscriptions) {
            subscription.id = name.id
            subscription.generation = name.generation
            subscription.joinedGeneration = name.generation
            subscription.request.user = identity.user
            for index in subscription.variants.indices {
                let variant = subscription.variants[index]
                if let history = synced.histories[variant.handle] { subscription.variants[index].restore(history) }
                variants.add(variant.handle, showing: variant.current.content, of: subscription.id)
            }
            subscriptions[subscription.id] = subscription
        }
    }
}

extension SessionCore.Subscription {
    fileprivate var isSynced: Bool {
        isLive && !variants.isEmpty && joinedGeneration == generation && !needsJoin && requested == nil && ticket == nil
            && !asksAgain && !blocks && offered.isEmpty
            && staging == nil && variants.allSatisfy(\.isSynced)
    }

    /// The part that all clients that show it have in common.
    fileprivate var withoutClient: SessionCore.Subscription {
        var subscription = self
        (subscription.id, subscription.generation, subscription.joinedGeneration) = (0, 0, 0)
        subscription.request.user = nil
        for index in variants.indices {
            let variant = variants[index]
            subscription.variants[index] = SessionCore.ShownVariant(
                section: variant.section, handle: variant.handle, current: variant.current)
            subscription.variants[index].hold(variant.current)
        }
        return subscription
    }
}

extension SessionCore.ShownVariant {
    fileprivate var isSynced: Bool {
        failure == nil && held?.sum == current.version.sum && held?.handle == handle && held?.isStaged == false
    }

    /// Makes a version both the newest and the one that the client holds.
    mutating func hold(_ version: CurrentVersion) {
        current = version
        held = SessionCore.Held(sum: version.version.sum, handle: handle, content: version.content)
    }

    fileprivate mutating func restore(_ history: SyncedSession.History) {
        refusals = history.refusals
        refusedAt = history.refusedAt
        failures = history.failures
        cameByManifest = history.cameByManifest
    }
}

extension SessionCore.Calls {
    /// Whether every call was answered and its answer was taken.
    fileprivate var areDone: Bool {
        inFlight.isEmpty && answers.isEmpty && publishing == nil && committing.isEmpty && cancelled.isEmpty
    }
}

extension SessionCore.Manifests {
    /// Whether no manifest is awaited, held or wanted.
    fileprivate var areDone: Bool { questions.isEmpty && received.isEmpty && !mayAsk }
}
