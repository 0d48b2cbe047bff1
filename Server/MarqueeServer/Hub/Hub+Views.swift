package import MarqueeCatalogue
import MarqueeDiff
import MarqueeModel
package import MarqueeScreens
import MarqueeStore
package import MarqueeWire

extension Hub {
    /// Plans a view and keeps its variants current until each is released.
    /// - Parameters:
    ///   - origin: a hash of the requesting client's address; `nil` if it isn't counted.
    ///   - log: the user's log as it was read, if the hub asked for it.
    package func open(
        _ request: OpenRequest, from origin: UInt64? = nil, with log: UserSnapshot? = nil
    ) -> Result<OpenedView, OpenFailure> {
        loaded(request, log) { () throws(Status) in try openLoaded(request, origin) }
    }

    /// Answers a request once the user's collections that it shows are known.
    /// - Parameter answerBytes: the most bytes of an answer; `nil` if the sections aren't sent in one answer.
    private func loaded<Answer>(
        _ request: OpenRequest, _ log: UserSnapshot?, answerBytes: Int? = nil, _ answer: () throws(Status) -> Answer
    ) -> Result<Answer, OpenFailure> {
        let shown = owner(of: request)
        defer {
            evaluated = [:]
            if let shown { forgetUnshown(shown) }
        }
        do throws(OpenFailure) {
            if let shown {
                switch try load(shown, log, { wantedSets(of: request, shown, answerBytes) }) {
                case .evaluated(let sets): evaluated = sets
                case .tooLarge(let bytes): throw .refused(.answerTooLarge(bytes: bytes))
                }
            }
            do throws(Status) { return .success(try answer()) } catch { throw .refused(error) }
        } catch {
            return .failure(error)
        }
    }

    /// The sections of a user's collections that a request shows and that have to be evaluated. They include sections
    /// that need the catalogue only if the user is known to have many members: for a few, copying it isn't worthwhile.
    private func wantedSets(of request: OpenRequest, _ user: String, _ answerBytes: Int?) -> WantedSets {
        let withRecords = users[user]?.members?.count ?? 0 > Self.membersAtOnce
        var sets: [UnevaluatedSet] = []
        if let handle = request.handle {
            if case .section(let key)? = table.variants[handle]?.key {
                sets = screens.set(key, withRecords: withRecords).map { [$0] } ?? []
            }
        } else if let plan = try? screens.plan(
            screen: request.screen, locale: request.locale, parameters: request.parameters, user: user,
            claims: request.claims)
        {
            sets = screens.sets(in: plan, withRecords: withRecords)
        }
        let isAnswer = answerBytes != nil
        return WantedSets(sets: sets.filter { !isCurrent($0.key, isAnswer: isAnswer) }, answerBytes: answerBytes)
    }

    /// Whether a section is up to date. One that nobody shows has to be evaluated again before it is kept current.
    private func isCurrent(_ key: VariantKey, isAnswer: Bool) -> Bool {
        if isAnswer { return fresh(.section(key)) != nil }
        return table.handle(of: .section(key)).flatMap { table.content(of: $0) }?.isKept == true
    }

    /// The user whose collections a request shows, if it shows any.
    private func owner(of request: OpenRequest) -> String? {
        if let handle = request.handle { return table.variants[handle]?.key.user }
        return screens.hasPrivateSections(request.screen) ? request.user : nil
    }

    private func openLoaded(_ request: OpenRequest, _ origin: UInt64?) throws(Status) -> OpenedView {
        if let handle = request.handle { return try open(handle) }
        let owners = ShareOwner.all(user: request.user, origin: origin)
        var opened: [UInt64] = []
        do throws(Status) {
            let plan = try screens.plan(
                screen: request.screen, locale: request.locale, parameters: request.parameters, user: request.user,
                claims: request.claims)
            let list = try activate(.view(plan.view), for: owners)
            opened.append(list.handle)
            var sections: [OpenedView.Variant] = []
            for section in plan.sections {
                let (handle, current) = try activate(.section(section.variant), for: owners)
                opened.append(handle)
                sections.append(OpenedView.Variant(section: section.id, handle: handle, current: current))
            }
            return OpenedView(
                screen: plan.view.screen, locale: plan.view.locale,
                list: OpenedView.Variant(section: "", handle: list.handle, current: list.current),
                sections: sections, cut: position(for: request.user))
        } catch {
            release(opened)
            throw error
        }
    }

    /// Keeps one remembered variant current until it is released.
    private func open(_ handle: UInt64) throws(Status) -> OpenedView {
        guard let key = table.variants[handle]?.key else { throw .unknownVariant }
        let list = OpenedView.Variant(section: "", handle: handle, current: try activate(key, for: []).current)
        return OpenedView(
            screen: key.screen, locale: key.locale, list: list, sections: [], cut: position(for: nil), user: key.user)
    }

    /// The newest position, including the user's log if the hub holds it. If it doesn't, the view shows nothing of that
    /// log and doesn't depend on it.
    private func position(for user: String?) -> Cut {
        Cut(catalogue: screens.head, user: user.flatMap { users[$0]?.head })
    }

    /// The variants that a view shows; they are remembered for a while.
    package func plan(_ request: OpenRequest, with log: UserSnapshot? = nil) -> Result<PlanAnswer, OpenFailure> {
        open(request, with: log).map { view in
            defer { release(view.handles) }
            var cut = view.cut
            (cut.userEpoch, cut.userRevision) = (0, 0)
            return PlanAnswer(
                screen: view.screen, locale: view.locale, cut: cut, viewHandle: view.list.handle,
                sections: view.sections.map {
                    PlanAnswer.Section(
                        section: $0.section, handle: $0.handle, isPrivate: table.variants[$0.handle]?.key.user != nil)
                }, isShared: !screens.hasPrivateSections(view.screen) && !screens.differsByAudience(view.screen))
        }
    }

    /// A screen's current content, without keeping it current. The position includes the user's log only if the screen
    /// shows part of it. Content that is current isn't evaluated again, and evaluation stops once the answer is too
    /// large.
    package func get(
        _ request: OpenRequest, from origin: UInt64? = nil, with log: UserSnapshot? = nil
    ) -> Result<GetScreenAnswer, OpenFailure> {
        loaded(request, log, answerBytes: Int(WireLimits.server.answerBytes)) { () throws(Status) in
            try getLoaded(request, origin)
        }
    }

    private func getLoaded(_ request: OpenRequest, _ origin: UInt64?) throws(Status) -> GetScreenAnswer {
        let plan = try screens.plan(
            screen: request.screen, locale: request.locale, parameters: request.parameters, user: request.user,
            claims: request.claims)
        let owners = ShareOwner.all(user: request.user, origin: origin)
        var opened: [UInt64] = []
        defer { release(opened) }
        var bytes = 0
        func content(_ key: ContentKey, _ section: String) throws(Status) -> ScreenContent {
            let version: Version
            if let known = fresh(key) {
                version = known
            } else {
                let (handle, current) = try activate(key, for: owners)
                opened.append(handle)
                version = current.version
            }
            bytes += version.leastAnswerBytes
            guard bytes <= Int(WireLimits.server.answerBytes) else { throw .answerTooLarge(bytes: bytes) }
            return ScreenContent(id: section, head: version.head, items: Array(version.items), sum: version.sum)
        }
        let view = try content(.view(plan.view), "")
        var sections: [ScreenContent] = []
        for section in plan.sections { sections.append(try content(.section(section.variant), section.id)) }
        return GetScreenAnswer(
            screen: plan.view.screen, locale: plan.view.locale, cut: position(for: request.user), view: view,
            sections: sections)
    }

    /// The content of a remembered variant, if nothing that it depends on has changed.
    func fresh(_ key: ContentKey) -> Version? {
        guard let handle = table.handle(of: key), let content = table.content(of: handle),
            content.isKept || content.asOf == stamp(of: content.key)
        else { return nil }
        return content.current.version
    }

    func stamp(of key: ContentKey) -> VariantTable.Stamp {
        // A set of a user's collections depends on nothing in the catalogue except its definition.
        VariantTable.Stamp(
            catalogue: key.screen == ScreenID.collectionSet.name ? screens.shaped : screens.head,
            user: key.user.flatMap { users[$0]?.head })
    }

    package func describe(locale: String?, user: String? = nil, claims: Claims = .none) -> DescribeAnswer {
        screens.describe(locale: locale, user: user, claims: claims)
    }

    /// The choices for a pool, and the one that it shows now.
    package func choices(of pool: String) -> (all: [Change], now: Change?) {
        let all = screens.choices(of: pool)
        return (all, screens.choice(of: pool).flatMap { all.contains($0) ? $0 : nil } ?? all.first)
    }

    /// Removes a subscriber from each of these variants.
    package func release(_ handles: [UInt64]) {
        for handle in handles {
            guard let variant = table.unsubscribe(handle), let content = table.contents[variant.content] else {
                continue
            }
            shares.release(handle)
            if content.shown == 0 { leave(variant.content, content) }
            idle.append(handle, bytes: content.current.version.storedSize, at: now)
        }
        while idle.count > idleBounds.variants || idle.bytes > idleBounds.bytes, let oldest = idle.popFirst() {
            forget(oldest)
        }
    }

    /// Advances the clock, and forgets variants that have been idle for too long. Called about once a second.
    /// - Parameter now: milliseconds of a monotonic clock.
    package func tick(now: UInt64) {
        self.now = now
        library.tick(now: now)
        while let oldest = idle.popFirst(ageing: idleBounds.milliseconds, at: now) { forget(oldest) }
        while idle.count > idleBounds.restingVariants || idle.bytes > idleBounds.restingBytes,
            let oldest = idle.popFirst(ageing: idleBounds.burstMilliseconds, at: now)
        {
            forget(oldest)
        }
        if now - min(now, forgotten) >= idleBounds.burstMilliseconds {
            screens.forgetMadeItems()
            forgotten = now
        }
        while let oldest = lingering.popFirst(ageing: idleBounds.keptMilliseconds, at: now) { stopKeeping(oldest) }
    }

    // MARK: - Variants

    /// - Parameter owners: the owners charged for it if nobody shows it yet.
    private func activate(
        _ key: ContentKey, for owners: [ShareOwner]
    ) throws(Status) -> (handle: UInt64, current: CurrentVersion) {
        let known = table.handle(of: key)
        let isUnshown = known.map { table.variants[$0]?.subscribers == 0 } ?? true
        if isUnshown { try checkRoom(for: owners) }
        let handle: UInt64
        if let known, let variant = table.variants[known] {
            try keep(variant.content)
            idle.remove(known)
            table.subscribe(known)
            handle = known
        } else {
            handle = table.add(key, showing: try content(of: key))
        }
        if isUnshown { shares.charge(owners, for: handle) }
        guard let current = table.content(of: handle)?.current else {
            preconditionFailure("a variant has a content for as long as it exists")
        }
        return (handle, current)
    }

    /// The content of a new variant: one shared with variants of the same identity, or one of its own.
    private func content(of key: ContentKey) throws(Status) -> UInt64 {
        let identity = screens.identity(of: key)
        if let shared = table.content(identity) {
            try keep(shared)
            return shared
        }
        let number = table.nextNumber
        let version = try watch(key, as: number)
        let current = CurrentVersion(version: version, since: since(key), content: number)
        table.add(key, identity, current, isKept: true)
        if let user = key.user { users[user]?.entries.insert(number) }
        library.record(version, of: number)
        return number
    }

    /// Tells the screens to keep a content current.
    func keep(_ number: UInt64) throws(Status) {
        lingering.remove(number)
        guard let content = table.contents[number], !content.isKept else { return }
        let version = try watch(content.key, as: number)
        table.contents[number]?.isKept = true
        adopt(version, of: number)
    }

    /// Has the screens keep a content current, starting with the result evaluated for this request if there is one.
    private func watch(_ key: ContentKey, as number: UInt64) throws(Status) -> Version {
        if case .section(let section) = key, let set = evaluated[section],
            let version = screens.watch(set, as: number)
        {
            return version
        }
        return try screens.watch(key, as: number, members: members(for: key))
    }

    private func forget(_ handle: UInt64) {
        guard let (number, content) = table.remove(handle) else { return }
        if content.isKept { screens.unwatch(number) }
        lingering.remove(number)
        library.forget(number)
        if let user = content.key.user {
            users[user]?.entries.remove(number)
            forgetUnshown(user)
        }
    }

    /// Forgets a content that nothing shows any more.
    func drop(_ number: UInt64) {
        screens.unwatch(number)
        lingering.remove(number)
        library.forget(number)
    }
}

extension Version {
    /// A lower bound on the bytes that its items take in an answer, where an item that is its own subject names it only
    /// once.
    var leastAnswerBytes: Int { max(0, items.encodedSize - 12 * items.count) / 2 }
}

extension Status {
    /// An answer has more bytes than clients accept.
    static func answerTooLarge(bytes: Int) -> Status {
        Status(
            .resourceExhausted, reason: "ANSWER_TOO_LARGE", remedy: .fatal,
            message: "the answer has \(bytes) bytes or more; subscribe instead")
    }
}
