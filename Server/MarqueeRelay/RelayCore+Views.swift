package import MarqueeModel
import MarqueeScreens
package import MarqueeServer
package import MarqueeWire

// Views: which variants they show is asked upstream once, and remembered until upstream says that it has changed.

extension RelayCore {
    /// A view as somebody asks for it.
    struct PlanKey: Hashable {
        /// Whose view it is. What everybody sees alike is asked for once.
        enum Audience: Hashable {
            case everybody
            case anonymous
            case user(String)
        }

        var request: GetScreenRequest
        var audience: Audience
    }

    typealias OpenCompletion = (Result<OpenedView, Status>) -> Void

    /// A view that was asked for and can't be shown yet.
    struct Opening {
        var request: OpenRequest
        var guest: UInt32?
        var completion: OpenCompletion
        /// What it shows, held until it is opened; `nil` while that is being asked.
        var plan: PlanAnswer?
        /// How often it was asked.
        var attempts = 0
        /// The variant that it waits for.
        var awaited: UInt64?
    }

    /// How often one view is asked for until it is refused: definitions may change faster than they arrive.
    private static let attempts = 8
    /// The most subscriptions that upstream hasn't answered: as many as it opens for one connection before it stops
    /// reading.
    static let subscriptionsAtOnce = 16
    /// Stands for the relays behind this one where guests take turns. No guest has it.
    private static let relaysBehind: UInt32 = 0

    // MARK: - For sessions

    /// Opens a view, or a single variant that a plan has named, whose variants are kept current until each is released.
    /// - Parameters:
    ///   - guest: on whose behalf; `nil` for a relay behind this one.
    ///   - completion: called at once or later, in order with what is published.
    package func open(
        _ request: OpenRequest, guest: UInt32?, completion: @escaping (Result<OpenedView, Status>) -> Void
    ) {
        let ticket = openings.add(Opening(request: request, guest: guest, completion: completion))
        if let handle = request.handle { return open(handle, ticket) }
        plan(ticket)
    }

    /// Which variants a view shows; they stay for a while.
    package func plan(
        _ request: GetScreenRequest, user: String?, guest: UInt32?,
        completion: @escaping (Result<PlanAnswer, Status>) -> Void
    ) {
        obtainPlan(request, user: user, guest: guest) { [unowned self] result in
            completion(
                result.flatMap { plan in
                    Result { () throws(Status) in
                        try hold(plan, of: request, user: user, for: guest)
                        release(plan.handles)
                        return plan
                    }
                })
        }
    }

    /// Variants are no longer shown.
    package func release(_ handles: [UInt64]) {
        for handle in handles {
            guard let count = variants[handle]?.subscribers, count > 0 else { continue }
            variants[handle]?.subscribers = count - 1
            if count == 1 { rest(handle) }
        }
        forgetIdle()
    }

    // MARK: - Plans

    private func plan(_ ticket: UInt64) {
        guard let asked = openings[ticket] else { return }
        guard openings.attempt(ticket) < Self.attempts else { return finish(ticket, .failure(.viewUnsettled)) }
        let replan = replans
        obtainPlan(asked.request.screenRequest, user: asked.request.user, guest: asked.guest) { [unowned self] result in
            guard openings[ticket] != nil else { return }
            // Whoever asked has left: nothing is subscribed to for them.
            guard asked.guest.map({ guests[$0] != nil }) ?? true else {
                return finish(ticket, .failure(.unknownGuest))
            }
            // It was asked before something about it has changed.
            if case .success = result, replan != replans, plans[asked.request.screenRequest, asked.request.user] == nil
            {
                return plan(ticket)
            }
            do throws(Status) {
                let plan = try result.get()
                try hold(plan, of: asked.request.screenRequest, user: asked.request.user, for: asked.guest)
                openings.plan(ticket, plan)
                openIfReady(ticket)
            } catch {
                finish(ticket, .failure(error))
            }
        }
    }

    private func obtainPlan(
        _ request: GetScreenRequest, user: String?, guest: UInt32?,
        completion: @escaping (Result<PlanAnswer, Status>) -> Void
    ) {
        if let known = plans[request, user] { return completion(.success(known)) }
        ask(request, guest: guest) { [unowned self] result, isFresh in
            if case .success(let plan) = result, isFresh {
                remember(plan, as: PlanKey(request: request, audience: plan.isShared ? .everybody : .init(user)))
            }
            completion(result)
        }
    }

    /// Asks upstream.
    /// - Parameter completion: is told as well whether nothing had to be planned again since it was asked.
    private func ask(
        _ request: GetScreenRequest, guest: UInt32?, completion: @escaping (Result<PlanAnswer, Status>, Bool) -> Void
    ) {
        let replan = replans
        // What a guest may not see is checked upstream as well; guests who aren't introduced again yet wait for that.
        call(.plan, CallBodyCodec.encode(request), guest: guest) { [unowned self] result in
            completion(result.decoded(CallBodyCodec.decodePlanAnswer), replan == replans)
        }
    }

    private func remember(_ plan: PlanAnswer, as key: PlanKey) {
        plans[key] = plan
        planAges.append(key, at: now)
        while planAges.count > bounds.plans, let oldest = planAges.popFirst() { plans[oldest] = nil }
    }

    func forget(_ key: PlanKey) {
        plans[key] = nil
        planAges.remove(key)
    }

    /// Views have changed upstream: their plans are asked for again, by the sessions that show them.
    func planAgain(_ replan: Replan) {
        let screens: ChangedScreens =
            replan.isAll ? .all : replan.families.isEmpty ? .none : .families(Set(replan.families))
        replans += 1
        planAgain(screens, gone: replan.gone)
    }

    private func planAgain(_ screens: ChangedScreens, gone: [UInt64]) {
        forgetPlans(screens, gone: gone)
        outlet.publish(
            Publication(catalogueRevision: position.catalogueRevision, changes: [:], replans: screens, gone: gone))
    }

    /// Forgets the plans of views that have changed. Those that wait for what an old plan named ask again.
    func forgetPlans(_ screens: ChangedScreens, gone: [UInt64]) {
        let lost = Set(gone)
        for (key, plan) in plans where screens.contains(key.request.screen) || lost.contains(plan.viewHandle) {
            forget(key)
        }
        for ticket in openings.tickets {
            guard let plan = openings[ticket]?.plan, let request = openings[ticket]?.request, request.handle == nil,
                screens.contains(request.screen) || lost.contains(plan.viewHandle)
            else { continue }
            openings.plan(ticket, nil)
            release(plan.handles)
            self.plan(ticket)
        }
    }

    // MARK: - Variants

    /// Adds a subscriber to each variant of a plan, and subscribes upstream to those that aren't there.
    private func hold(
        _ plan: PlanAnswer, of request: GetScreenRequest, user: String?, for guest: UInt32?
    ) throws(Status) {
        let key = PlanKey(request: request, audience: plan.isShared ? .everybody : .init(user))
        let named = plan.named
        for (name, handle, _) in named {
            if let known = variants[handle], known.name != name { throw .handleTaken }
        }
        let new = named.count { variants[$0.handle].map { $0.subscribers == 0 } ?? true }
        guard variants.count - idle.count + new <= variantLimit else { throw .tooManyVariants }
        for (name, handle, isPrivate) in named {
            if variants[handle] == nil { variants[handle] = Variant(name, user: isPrivate ? user : nil, plan: key) }
            variants[handle]?.plan = key
            variants[handle]?.subscribers += 1
            idle.remove(handle)
            subscribe(handle, for: guest)
        }
    }

    /// Subscribes to a variant when it is the guest's turn.
    private func subscribe(_ handle: UInt64, for guest: UInt32?) {
        guard isLive, variants[handle]?.subscription == nil else { return }
        waitingVariants.append(handle, for: guest ?? Self.relaysBehind)
        sendSubscriptions()
    }

    /// Subscribes to what has waited for its turn. Few at a time: upstream reads no further while it opens many, so
    /// whatever others ask for would wait behind them.
    func sendSubscriptions() {
        while isLive, unanswered.count < Self.subscriptionsAtOnce, let handle = waitingVariants.popFirst() {
            // Nobody wants it any more; whoever does next has it wait again.
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
    private func subscribe(_ handle: UInt64) -> UInt32? {
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

    private func rest(_ handle: UInt64) {
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
        // What named it is out of date. Nobody shows a variant of somebody who has left.
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

    // MARK: - Ready

    private func open(_ handle: UInt64, _ ticket: UInt64) {
        guard let variant = variants[handle] else { return finish(ticket, .failure(.unknownVariant)) }
        let plan = PlanAnswer(
            screen: variant.name.screen, locale: variant.name.locale, cut: Cut(), viewHandle: handle, sections: [],
            isShared: variant.user == nil)
        openings.plan(ticket, plan)
        variants[handle]?.subscribers += 1
        idle.remove(handle)
        subscribe(handle, for: openings[ticket]?.guest)
        openIfReady(ticket)
    }

    /// - Parameter handles: the variants of which versions have arrived.
    func openWhatIsReady(_ handles: some Sequence<UInt64>) {
        for ticket in openings.arrived(handles) { openIfReady(ticket) }
    }

    /// Whether a variant can be shown at the position that was published last. What was given up when a connection was
    /// lost, and has not come again, may be older than that, however many connections there have been since.
    private func isReady(_ handle: UInt64) -> Bool {
        guard let variant = variants[handle] else { return false }
        return variant.current != nil && !variant.isOutdated
    }

    private func openIfReady(_ ticket: UInt64) {
        guard let asked = openings[ticket], let plan = asked.plan else { return }
        let missing = plan.handles.first { !isReady($0) }
        guard missing == nil, !isLive || position.catalogueRevision >= plan.cut.catalogueRevision else {
            // Nothing is on its way without a connection.
            if !isLive { return finish(ticket, .failure(.upstreamAway)) }
            return openings.wait(ticket, for: missing)
        }
        func shown(_ section: String, _ handle: UInt64) -> OpenedView.Variant? {
            variants[handle]?.current.map { OpenedView.Variant(section: section, handle: handle, current: $0) }
        }
        guard let list = shown("", plan.viewHandle) else { return }
        let sections = plan.sections.compactMap { shown($0.section, $0.handle) }
        // The list and the plan are from different moments: the newer of them is on its way.
        if asked.request.handle == nil, list.current.version.items.map(\.id) != plan.sections.map(\.section) {
            guard isLive else { return finish(ticket, .failure(.upstreamAway)) }
            return openings.wait(ticket, for: nil)
        }
        let cut = asked.request.handle == nil ? position(for: asked.request.user) : position
        let view = OpenedView(
            screen: plan.screen, locale: plan.locale, list: list, sections: sections, cut: cut,
            user: asked.request.handle.flatMap { variants[$0]?.user })
        _ = openings.remove(ticket)
        asked.completion(.success(view))
    }

    private func finish(_ ticket: UInt64, _ result: Result<OpenedView, Status>) {
        guard let asked = openings.remove(ticket) else { return }
        if let plan = asked.plan { release(plan.handles) }
        asked.completion(result)
    }

    /// The connection is gone: what waits for it is refused, and clients ask again.
    func refuseOpenings() {
        for ticket in openings.tickets { finish(ticket, .failure(.upstreamAway)) }
    }

    // MARK: - Coming back

    /// A connection has begun: introduces guests and asks for everything that is shown. What nobody shows is forgotten.
    func comeBack() {
        while let handle = idle.popFirst() { drop(handle) }
        returning = Returning()
        returning.before = plans
        plans = [:]
        planAges = AgeQueue()
        let shown = Set(variants.values.map(\.plan))
        returning.plans = shown
        returning.variants = Set(variants.keys)
        returning.isComplete = true
        introduceEverybodyAgain()
        for key in shown.sorted(by: { $0.sortKey < $1.sortKey }) {
            switch key.audience {
            case .everybody, .anonymous: ask(again: key, guest: nil)
            case .user(let user):
                // Asked for once one of the user's guests has been introduced.
                if users[user] == nil { lose(key) }
            }
        }
        flush()
    }

    /// Asks for a user's own views that are shown, as one of the user's guests.
    func askAgain(of user: String, guest: UInt32) {
        for key in returning.plans.sorted(by: { $0.sortKey < $1.sortKey }) where key.audience == .user(user) {
            ask(again: key, guest: guest)
        }
    }

    private func ask(again key: PlanKey, guest: UInt32?) {
        ask(key.request, guest: guest) { [unowned self] result, isFresh in
            guard returning.plans.contains(key) else { return }
            if !isFresh, case .success = result { return ask(again: key, guest: guest) }
            returning.plans.remove(key)
            // Whether it shows something else now, or one may not see it any more.
            guard case .success(let plan) = result, let before = returning.before[key], plan.shows(before) else {
                return lose(key)
            }
            remember(plan, as: key)
            for handle in plan.handles {
                subscribe(handle)
                // Another view that shows it may have been lost before.
                if variants[handle]?.hasJoined == false {
                    returning.variants.insert(handle)
                    returning.givenUp.remove(handle)
                }
            }
            flush()
        }
    }

    /// A view can't be shown as it was: nothing waits for what it showed, and sessions plan it again when everything
    /// else has come.
    private func lose(_ key: PlanKey) {
        returning.plans.remove(key)
        returning.lost.insert(key.family)
        for (handle, variant) in variants where variant.plan == key && variant.subscription == nil { giveUp(handle) }
        flush()
    }
}

extension RelayCore.PlanKey.Audience {
    init(_ user: String?) { self = user.map { .user($0) } ?? .anonymous }
}

extension RelayCore.PlanKey {
    fileprivate var family: String { ScreenID(request.screen).family }

    /// For an order that is the same in every run.
    fileprivate var sortKey: String { "\(request.screen) \(request.locale ?? "") \(request.sections) \(audience)" }
}

extension RelayCore.Variant {
    fileprivate var family: String { ScreenID(name.screen).family }
}

extension [RelayCore.PlanKey: PlanAnswer] {
    /// The plan that somebody's view has.
    fileprivate subscript(request: GetScreenRequest, user: String?) -> PlanAnswer? {
        self[RelayCore.PlanKey(request: request, audience: .everybody)]
            ?? self[RelayCore.PlanKey(request: request, audience: .init(user))]
    }
}

extension PlanAnswer {
    var handles: [UInt64] { [viewHandle] + sections.map(\.handle) }

    /// Whether it shows the same as another one.
    fileprivate func shows(_ other: PlanAnswer) -> Bool {
        screen == other.screen && locale == other.locale && viewHandle == other.viewHandle
            && sections == other.sections && isShared == other.isShared
    }

    /// Its variants with what each shows.
    fileprivate var named: [(name: RelayCore.Variant.Name, handle: UInt64, isPrivate: Bool)] {
        func name(_ section: String) -> RelayCore.Variant.Name {
            RelayCore.Variant.Name(screen: screen, section: section, locale: locale)
        }
        return [(name(""), viewHandle, false)] + sections.map { (name($0.section), $0.handle, $0.isPrivate) }
    }
}

extension OpenRequest {
    fileprivate var screenRequest: GetScreenRequest {
        GetScreenRequest(screen: screen, locale: locale, sections: parameters)
    }
}

extension Status {
    /// There is no connection to the server upstream, and this can't be had without.
    package static let upstreamAway = Status(
        .unavailable, reason: "UPSTREAM_AWAY", remedy: .retryOther,
        message: "this relay has lost its server; try again", retryAfterMilliseconds: 1_000)
    /// A view was defined anew again and again while it was asked for.
    fileprivate static let viewUnsettled = Status(
        .unavailable, reason: "VIEW_UNSETTLED", remedy: .retrySame,
        message: "the screen is being changed; try again", retryAfterMilliseconds: 1_000)
    /// Two variants want one handle, on two servers upstream.
    fileprivate static let handleTaken = Status(
        .unavailable, reason: "HANDLE_TAKEN", remedy: .retryOther,
        message: "this relay can't show the screen beside others; another one can")
}
