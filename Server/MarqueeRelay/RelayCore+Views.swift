package import MarqueeModel
import MarqueeScreens
package import MarqueeServer
package import MarqueeWire

// The relay asks upstream once which variants a view shows, and remembers the answer until upstream invalidates it.

extension RelayCore {
    /// A group of guests who see the same content: those of one user, or of none, with the same claims.
    package struct Reader: Hashable {
        var user: String?
        /// The checksum of their claims, as upstream computed it.
        var claims: UInt64

        /// Guests without a user or claims.
        static let anonymous = Reader(user: nil, claims: 0)

        package init(user: String?, claims: UInt64) {
            self.user = user
            self.claims = claims
        }
    }

    /// A request for a view, and its audience.
    struct PlanKey: Hashable {
        /// The audience of a view. A view that is the same for everybody is asked for once.
        enum Audience: Hashable {
            case everybody
            case reader(Reader)

            var user: String? { if case .reader(let reader) = self { reader.user } else { nil } }
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
        /// The variants that the view shows, held until it is opened; `nil` while they are being asked for.
        var plan: PlanAnswer?
        /// How many times its plan has been asked for.
        var attempts = 0
        /// The variant that the view waits for.
        var awaited: UInt64?
    }

    /// How many times a view's plan is asked for before the view is refused: definitions may change faster than plans
    /// arrive.
    private static let attempts = 8

    // MARK: - For sessions

    /// Opens a view, or a single variant that a plan has named. Its variants are kept current until each is released.
    /// - Parameters:
    ///   - guest: the guest who sees it; `nil` for a relay behind this one.
    ///   - completion: called at once or later, in order with publications.
    package func open(
        _ request: OpenRequest, guest: UInt32?, completion: @escaping (Result<OpenedView, Status>) -> Void
    ) {
        let ticket = openings.add(Opening(request: request, guest: guest, completion: completion))
        if let handle = request.handle { return open(handle, ticket) }
        plan(ticket)
    }

    /// Finds the variants that a view shows. They stay subscribed upstream for a while, so that the client can open
    /// them.
    package func plan(
        _ request: GetScreenRequest, for reader: Reader, guest: UInt32?,
        completion: @escaping (Result<PlanAnswer, Status>) -> Void
    ) {
        obtainPlan(request, for: reader, guest: guest) { [unowned self] result in
            completion(
                result.flatMap { plan in
                    Result { () throws(Status) in
                        try hold(plan, of: request, by: reader, for: guest)
                        release(plan.handles)
                        return plan
                    }
                })
        }
    }

    /// Releases variants that a session no longer shows.
    package func release(_ handles: [UInt64]) {
        for handle in handles {
            guard let count = variants[handle]?.subscribers, count > 0 else { continue }
            variants[handle]?.subscribers = count - 1
            if count == 1 { variants.rest(handle, at: now) }
        }
        forgetIdle()
    }

    // MARK: - Plans

    private func plan(_ ticket: UInt64) {
        guard let asked = openings[ticket] else { return }
        guard openings.attempt(ticket) < Self.attempts else { return finish(ticket, .failure(.viewUnsettled)) }
        let changes = plans.changes
        let reader = asked.request.reader
        obtainPlan(asked.request.screenRequest, for: reader, guest: asked.guest) { [unowned self] result in
            guard openings[ticket] != nil else { return }
            // If the client has left, subscribe to nothing on its behalf.
            guard asked.guest.map({ guests[$0] != nil }) ?? true else {
                return finish(ticket, .failure(.unknownGuest))
            }
            // The plan may be stale if a change arrived after it was asked for.
            if case .success = result, changes != plans.changes, plans[asked.request.screenRequest, reader] == nil {
                return plan(ticket)
            }
            do throws(Status) {
                let plan = try result.get()
                try hold(plan, of: asked.request.screenRequest, by: reader, for: asked.guest)
                openings.plan(ticket, plan)
                openIfReady(ticket)
            } catch {
                finish(ticket, .failure(error))
            }
        }
    }

    private func obtainPlan(
        _ request: GetScreenRequest, for reader: Reader, guest: UInt32?,
        completion: @escaping (Result<PlanAnswer, Status>) -> Void
    ) {
        if let known = plans[request, reader] { return completion(.success(known)) }
        ask(request, guest: guest) { [unowned self] result, isFresh in
            if case .success(let plan) = result, isFresh {
                let key = PlanKey(request: request, audience: plan.isShared ? .everybody : .reader(reader))
                plans.remember(plan, as: key, limit: bounds.plans, now: now)
            }
            completion(result)
        }
    }

    /// Asks upstream for a plan.
    /// - Parameter completion: receives the plan, and whether it is fresh: no plan was invalidated since it was asked
    ///   for.
    func ask(
        _ request: GetScreenRequest, guest: UInt32?, completion: @escaping (Result<PlanAnswer, Status>, Bool) -> Void
    ) {
        let changes = plans.changes
        // Upstream also checks whether the guest may see the view. The call waits until a guest of an earlier
        // connection has been introduced again.
        call(.plan, CallBodyCodec.encode(request), guest: guest) { [unowned self] result in
            completion(result.decoded(CallBodyCodec.decodePlanAnswer), changes == plans.changes)
        }
    }

    /// Handles changed views: forgets their plans, and makes the sessions that show them ask again.
    func planAgain(_ replan: Replan) {
        let screens: ChangedScreens =
            replan.isAll ? .all : replan.families.isEmpty ? .none : .families(Set(replan.families))
        plans.changed()
        planAgain(screens, gone: replan.gone)
    }

    private func planAgain(_ screens: ChangedScreens, gone: [UInt64]) {
        forgetPlans(screens, gone: gone)
        outlet.publish(
            Publication(catalogueRevision: position.catalogueRevision, changes: [:], replans: screens, gone: gone))
    }

    /// Forgets the plans of changed views. Openings that wait for variants of an old plan ask again.
    func forgetPlans(_ screens: ChangedScreens, gone: [UInt64]) {
        let lost = Set(gone)
        for (key, plan) in plans.all where screens.contains(key.request.screen) || lost.contains(plan.viewHandle) {
            plans.forget(key)
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

    // MARK: - Ready

    /// Opens a single variant.
    private func open(_ handle: UInt64, _ ticket: UInt64) {
        guard let variant = variants[handle] else { return finish(ticket, .failure(.unknownVariant)) }
        let plan = PlanAnswer(
            screen: variant.name.screen, locale: variant.name.locale, cut: Cut(), viewHandle: handle, sections: [],
            isShared: variant.user == nil)
        openings.plan(ticket, plan)
        variants[handle]?.subscribers += 1
        variants.idle.remove(handle)
        subscribe(handle, for: openings[ticket]?.guest)
        openIfReady(ticket)
    }

    /// Opens the views that have become ready.
    /// - Parameter handles: the variants with newly arrived versions.
    func openWhatIsReady(_ handles: some Sequence<UInt64>) {
        for ticket in openings.arrived(handles) { openIfReady(ticket) }
    }

    /// Whether a variant can be shown at the position that was published last. A variant that was given up when a
    /// connection was lost, and has not arrived again, may be older than that, however many connections there have been
    /// since.
    private func isReady(_ handle: UInt64) -> Bool {
        guard let variant = variants[handle] else { return false }
        return variant.current != nil && !variant.isOutdated
    }

    private func openIfReady(_ ticket: UInt64) {
        guard let asked = openings[ticket], let plan = asked.plan else { return }
        let missing = plan.handles.first { !isReady($0) }
        guard missing == nil, !isLive || position.catalogueRevision >= plan.cut.catalogueRevision else {
            // Without a connection, nothing will arrive.
            if !isLive { return finish(ticket, .failure(.upstreamAway)) }
            return openings.wait(ticket, for: missing)
        }
        func shown(_ section: String, _ handle: UInt64) -> OpenedView.Variant? {
            variants[handle]?.current.map { OpenedView.Variant(section: section, handle: handle, current: $0) }
        }
        guard let list = shown("", plan.viewHandle) else { return }
        let sections = plan.sections.compactMap { shown($0.section, $0.handle) }
        // If the list and the plan differ, one of them is older, and its successor is on its way.
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

    /// Ends an opening that failed, and releases its variants.
    func finish(_ ticket: UInt64, _ result: Result<OpenedView, Status>) {
        guard let asked = openings.remove(ticket) else { return }
        if let plan = asked.plan { release(plan.handles) }
        asked.completion(result)
    }

    /// Refuses all openings, because the connection is lost or the relay starts over; clients ask again.
    func refuseOpenings() {
        for ticket in openings.tickets { finish(ticket, .failure(.upstreamAway)) }
    }
}

extension PlanAnswer {
    var handles: [UInt64] { [viewHandle] + sections.map(\.handle) }
}

extension OpenRequest {
    fileprivate var reader: RelayCore.Reader { RelayCore.Reader(user: user, claims: claims.sum) }

    fileprivate var screenRequest: GetScreenRequest {
        GetScreenRequest(screen: screen, locale: locale, sections: parameters)
    }
}

extension Status {
    /// The request needs a connection to the server upstream, and there is none.
    package static let upstreamAway = Status(
        .unavailable, reason: "UPSTREAM_AWAY", remedy: .retryOther,
        message: "this relay has lost its server; try again", retryAfterMilliseconds: 1_000)
    /// The view's definition kept changing while it was asked for.
    fileprivate static let viewUnsettled = Status(
        .unavailable, reason: "VIEW_UNSETTLED", remedy: .retrySame,
        message: "the screen is being changed; try again", retryAfterMilliseconds: 1_000)
}
