package import MarqueeCatalogue
package import MarqueeModel
import MarqueeScreens
import MarqueeStore
package import MarqueeWire

extension Hub {
    /// Plans a view and keeps its variants current until each is released.
    package func open(_ request: OpenRequest) -> Result<OpenedView, Status> {
        if let handle = request.handle { return open(handle) }
        var opened: [UInt64] = []
        do throws(Status) {
            let plan = try screens.plan(
                screen: request.screen, locale: request.locale, parameters: request.parameters, user: request.user)
            let list = try activate(.view(plan.view))
            opened.append(list.handle)
            var sections: [OpenedView.Variant] = []
            for section in plan.sections {
                let (handle, current) = try activate(.section(section.variant))
                opened.append(handle)
                sections.append(OpenedView.Variant(section: section.id, handle: handle, current: current))
            }
            return .success(
                OpenedView(
                    screen: plan.view.screen, locale: plan.view.locale,
                    list: OpenedView.Variant(section: "", handle: list.handle, current: list.current),
                    sections: sections, cut: try position(for: request.user)))
        } catch {
            release(opened)
            return .failure(error)
        }
    }

    /// Keeps one remembered variant current until it is released.
    private func open(_ handle: UInt64) -> Result<OpenedView, Status> {
        guard let key = table.variants[handle]?.key else { return .failure(.unknownVariant) }
        do throws(Status) {
            let list = OpenedView.Variant(section: "", handle: handle, current: try activate(key).current)
            return .success(
                OpenedView(
                    screen: key.screen, locale: key.locale, list: list, sections: [], cut: try position(for: nil),
                    user: key.user))
        } catch {
            return .failure(error)
        }
    }

    /// Which variants a view shows; they are remembered for a while.
    package func plan(_ request: OpenRequest) -> Result<PlanAnswer, Status> {
        open(request).map { view in
            defer { release(view.handles) }
            var cut = view.cut
            (cut.userEpoch, cut.userRevision) = (0, 0)
            return PlanAnswer(
                screen: view.screen, locale: view.locale, cut: cut, viewHandle: view.list.handle,
                sections: view.sections.map {
                    PlanAnswer.Section(
                        section: $0.section, handle: $0.handle, isPrivate: table.variants[$0.handle]?.key.user != nil)
                }, isShared: !screens.hasPrivateSections(view.screen))
        }
    }

    private func position(for user: String?) throws(Status) -> Cut {
        do throws(StoreError) { return try cut(for: user) } catch { throw Status(storeError: error) }
    }

    /// A screen's current content, without keeping it current.
    package func get(_ request: OpenRequest) -> Result<GetScreenAnswer, Status> {
        open(request).map { view in
            defer { release(view.handles) }
            func content(_ variant: OpenedView.Variant) -> ScreenContent {
                let version = variant.current.version
                return ScreenContent(
                    id: variant.section, head: version.head, items: Array(version.items), sum: version.sum)
            }
            return GetScreenAnswer(
                screen: view.screen, locale: view.locale, cut: view.cut, view: content(view.list),
                sections: view.sections.map(content))
        }
    }

    package func describe(locale: String?) -> DescribeAnswer { screens.describe(locale: locale) }

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
            if content.shown == 0 {
                screens.unwatch(variant.content)
                table.contents[variant.content]?.isKept = false
            }
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
    }

    // MARK: - Variants

    private func activate(_ key: ContentKey) throws(Status) -> (handle: UInt64, current: CurrentVersion) {
        let known = table.handle(of: key)
        if known.map({ table.variants[$0]?.subscribers == 0 }) ?? true { try checkRoom() }
        if let user = key.user { try load(user) }
        defer {
            if let user = key.user { forgetUnshown(user) }
        }
        let handle: UInt64
        if let known, let variant = table.variants[known] {
            try keep(variant.content)
            idle.remove(known)
            table.subscribe(known)
            handle = known
        } else {
            handle = table.add(key, showing: try content(of: key))
        }
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
        let version = try screens.watch(key, as: number, members: members(for: key))
        let current = CurrentVersion(version: version, since: since(key), content: number)
        table.add(key, identity, current, isKept: true)
        if let user = key.user { users[user]?.entries.insert(number) }
        library.record(version, of: number)
        return number
    }

    /// Tells the screens to keep a content current.
    func keep(_ number: UInt64) throws(Status) {
        guard let content = table.contents[number], !content.isKept else { return }
        let version = try screens.watch(content.key, as: number, members: members(for: content.key))
        table.contents[number]?.isKept = true
        adopt(version, of: number)
    }

    private func forget(_ handle: UInt64) {
        guard let (number, content) = table.remove(handle) else { return }
        library.forget(number)
        if let user = content.key.user {
            users[user]?.entries.remove(number)
            forgetUnshown(user)
        }
    }

    /// Forgets a content that nothing shows any more.
    func drop(_ number: UInt64) {
        screens.unwatch(number)
        library.forget(number)
    }
}
