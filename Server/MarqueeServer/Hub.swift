import MarqueeDiff
package import MarqueeModel
package import MarqueeScreens
package import MarqueeStore
package import MarqueeWire

/// Keeps the versions of all variants that somebody shows current: reads the log, re-evaluates what commits touch, and tells the sessions.
///
/// Used by one thread, which owns it; publications come from that thread in order. Knows nothing of sessions or sockets.
package final class Hub {
    /// Variants that are remembered after their last subscriber has gone.
    package static let idleVariants = 4_096
    /// Commits read from the log at once; what they change is published together.
    package static let commitsPerPublication = 64

    private enum Key: Hashable {
        case view(ViewKey)
        case section(VariantKey)

        var user: String? {
            if case .section(let key) = self { key.user } else { nil }
        }
    }

    private struct Entry {
        var key: Key
        var current: CurrentVersion
        var dependencies: Dependencies
        var subscribers = 0
        /// Touched while nobody showed it.
        var isStale = false
    }

    private struct User {
        var head: LogHead
        var favorites: [Favorite]
        /// The handles of its private variants.
        var entries: Set<UInt64> = []
    }

    package let library: VersionLibrary
    private let store: any StoreEngine
    private var screens: Screens
    private let programme: Programme
    private var entries: [UInt64: Entry] = [:]
    private var handles: [Key: UInt64] = [:]
    private var idle: [UInt64] = []
    private var nextHandle: UInt64 = 1
    private var users: [String: User] = [:]
    private let publish: (Publication) -> Void
    /// Something that people should hear of: a programme that can't be used.
    private let report: (String) -> Void

    /// Reads the whole catalogue.
    /// - Parameters:
    ///   - programme: what the screens show until the catalogue holds a programme of its own.
    ///   - publish: called on the owning thread after every change.
    package init(
        store: any StoreEngine, library: VersionLibrary, programme: Programme, publish: @escaping (Publication) -> Void,
        report: @escaping (String) -> Void
    ) throws(StoreError) {
        self.store = store
        self.library = library
        self.publish = publish
        self.report = report
        self.programme = programme
        screens = try Screens(store: store, programmeFallback: programme)
        if !screens.programmeErrors.isEmpty { report(Self.describe(screens.programmeErrors)) }
    }

    private static func describe(_ errors: [ProgrammeError]) -> String {
        "the stored programme can't be used, the one before stays in force: "
            + errors.map { "\($0)" }.joined(separator: "; ")
    }

    // MARK: - Positions

    package var catalogueRevision: UInt64 { screens.head.revision }
    package var movieCount: Int { screens.movieCount }

    /// The newest position, with that of a user's log.
    package func cut(for user: String?) throws(StoreError) -> Cut {
        var cut = Cut(catalogueEpoch: screens.head.epoch, catalogueRevision: screens.head.revision)
        if let user {
            let head: LogHead
            if let known = users[user]?.head { head = known } else { head = try store.userHead(user) }
            cut.userEpoch = head.epoch
            cut.userRevision = head.revision
        }
        return cut
    }

    private func position(for user: String?) throws(Status) -> Cut {
        do throws(StoreError) { return try cut(for: user) } catch { throw Status(storeError: error) }
    }

    // MARK: - Commits

    /// Reads what is new in the catalogue's log and publishes it.
    package func catchUp() throws(StoreError) {
        while true {
            let commits: [CatalogueCommit]
            do throws(StoreError) {
                commits = try store.commits(after: screens.head.revision, limit: Self.commitsPerPublication)
            } catch {
                guard error.code == .historyCut else { throw error }
                return try reload()
            }
            if commits.isEmpty { return }
            var effects: [CommitEffect] = []
            for commit in commits {
                do throws(Status) {
                    effects.append(try screens.apply(commit))
                } catch {
                    return try reload()
                }
            }
            for effect in effects where !effect.programmeErrors.isEmpty {
                report(Self.describe(effect.programmeErrors))
            }
            let changes = renew(Array(entries.keys)) { entry in effects.contains { $0.touches(entry.dependencies) } }
            publish(
                Publication(
                    catalogueRevision: screens.head.revision, changes: changes,
                    programmeChanged: effects.contains(where: \.changesProgramme)))
        }
    }

    /// The log no longer reaches back to where we are: read the whole catalogue anew.
    private func reload() throws(StoreError) {
        screens = try Screens(store: store, programmeFallback: programme)
        let changes = renew(Array(entries.keys)) { _ in true }
        publish(
            Publication(catalogueRevision: screens.head.revision, changes: changes, programmeChanged: true))
    }

    /// A user's log has moved; publishes what that changes.
    package func userChanged(_ user: String) throws(StoreError) {
        guard users[user] != nil else {
            let head = try store.userHead(user)
            publish(
                Publication(
                    catalogueRevision: screens.head.revision, user: user, userRevision: head.revision, changes: [:]))
            return
        }
        let (head, favorites) = try store.favorites(of: user)
        users[user]?.head = head
        users[user]?.favorites = favorites
        let changes = renew(users[user]?.entries ?? []) { $0.dependencies.favorites }
        publish(
            Publication(
                catalogueRevision: screens.head.revision, user: user, userRevision: head.revision, changes: changes))
    }

    /// Evaluates the entries anew that a commit touched.
    /// - Returns: those whose content is another one now.
    private func renew(
        _ handles: some Sequence<UInt64>, where isTouched: (Entry) -> Bool
    ) -> [UInt64: CurrentVersion] {
        var changes: [UInt64: CurrentVersion] = [:]
        for handle in handles {
            guard let entry = entries[handle], isTouched(entry) else { continue }
            guard entry.subscribers > 0 else {
                entries[handle]?.isStale = true
                continue
            }
            if let current = evaluate(handle, entry.key), current.version.sum != entry.current.version.sum {
                changes[handle] = current
            }
        }
        return changes
    }

    /// - Returns: `nil` when the variant does not exist any more; what was there stays.
    @discardableResult
    private func evaluate(_ handle: UInt64, _ key: Key) -> CurrentVersion? {
        guard let evaluation = try? evaluation(of: key) else { return nil }
        var current = CurrentVersion(version: evaluation.version, since: since(key))
        if let known = entries[handle]?.current, known.version.sum == current.version.sum { current = known }
        entries[handle]?.current = current
        entries[handle]?.dependencies = evaluation.dependencies
        entries[handle]?.isStale = false
        library.record(current.version, of: handle)
        return current
    }

    private func evaluation(of key: Key) throws(Status) -> Evaluation {
        switch key {
        case .view(let view): try screens.evaluate(view: view)
        case .section(let variant):
            try screens.evaluate(variant, favorites: variant.user.flatMap { users[$0]?.favorites } ?? [])
        }
    }

    private func since(_ key: Key) -> CutChange {
        CutChange(
            catalogueRevision: screens.head.revision, userRevision: key.user.flatMap { users[$0]?.head.revision })
    }

    // MARK: - Views

    /// Plans a view and keeps its variants current until each is released.
    package func open(_ request: OpenRequest) -> Result<OpenedView, Status> {
        var opened: [UInt64] = []
        do throws(Status) {
            let plan = try screens.plan(
                screen: request.screen, locale: request.locale, parameters: request.parameters, user: request.user)
            let list = try activate(.view(plan.view))
            opened.append(list.handle)
            var sections: [OpenedView.Member] = []
            for section in plan.sections {
                let (handle, current) = try activate(.section(section.variant))
                opened.append(handle)
                sections.append(OpenedView.Member(section: section.id, handle: handle, current: current))
            }
            return .success(
                OpenedView(
                    screen: plan.view.screen, locale: plan.view.locale,
                    list: OpenedView.Member(section: "", handle: list.handle, current: list.current),
                    sections: sections, cut: try position(for: request.user)))
        } catch {
            release(opened)
            return .failure(error)
        }
    }

    /// The content of a screen now, without keeping it.
    package func get(_ request: OpenRequest) -> Result<GetScreenAnswer, Status> {
        open(request).map { view in
            defer { release(view.handles) }
            func content(_ member: OpenedView.Member) -> ScreenContent {
                let version = member.current.version
                return ScreenContent(id: member.section, head: version.head, items: version.items, sum: version.sum)
            }
            return GetScreenAnswer(
                screen: view.screen, locale: view.locale, cut: view.cut, view: content(view.list),
                sections: view.sections.map(content))
        }
    }

    package func describe(locale: String?) -> DescribeAnswer { screens.describe(locale: locale) }

    /// The locale that a client's wish is served in.
    package func locale(for wish: String?) -> String { screens.programme.locale(for: wish) }

    /// What can be chosen for a pool, and what it shows now.
    package func choices(of pool: String) -> (all: [Change], now: Change?) {
        let all = screens.choices(of: pool)
        return (all, screens.choice(of: pool).flatMap { all.contains($0) ? $0 : nil } ?? all.first)
    }

    /// One subscriber less for each of these variants.
    package func release(_ handles: [UInt64]) {
        for handle in handles {
            guard var entry = entries[handle], entry.subscribers > 0 else { continue }
            entry.subscribers -= 1
            entries[handle] = entry
            if entry.subscribers == 0 { idle.append(handle) }
        }
        while idle.count > Self.idleVariants { forget(idle.removeFirst()) }
    }

    private func activate(_ key: Key) throws(Status) -> (handle: UInt64, current: CurrentVersion) {
        if let user = key.user, users[user] == nil {
            do throws(StoreError) {
                let (head, favorites) = try store.favorites(of: user)
                users[user] = User(head: head, favorites: favorites)
            } catch {
                throw Status(storeError: error)
            }
        }
        if let handle = handles[key], let entry = entries[handle] {
            if entry.subscribers == 0 { idle.removeAll { $0 == handle } }
            entries[handle]?.subscribers += 1
            if entry.isStale { evaluate(handle, key) }
            if let current = entries[handle]?.current { return (handle, current) }
        }
        let evaluation = try evaluation(of: key)
        let handle = nextHandle
        nextHandle += 1
        let current = CurrentVersion(version: evaluation.version, since: since(key))
        entries[handle] = Entry(
            key: key, current: current, dependencies: evaluation.dependencies, subscribers: 1)
        handles[key] = handle
        if let user = key.user { users[user]?.entries.insert(handle) }
        library.record(current.version, of: handle)
        return (handle, current)
    }

    private func forget(_ handle: UInt64) {
        guard let entry = entries[handle], entry.subscribers == 0 else { return }
        entries[handle] = nil
        handles[entry.key] = nil
        library.forget(handle)
        if let user = entry.key.user {
            users[user]?.entries.remove(handle)
            if users[user]?.entries.isEmpty == true { users[user] = nil }
        }
    }
}

extension Status {
    /// A store that can't do its work.
    package init(storeError error: any Error) {
        if let error = error as? StoreError, error.code == .diskFull {
            self.init(
                .resourceExhausted, reason: "DISK_FULL", remedy: .retrySame,
                message: "the server's disk is full; nothing was changed", retryAfterMilliseconds: 5_000)
        } else {
            self.init(
                .unavailable, reason: "STORE_UNAVAILABLE", remedy: .retrySame,
                message: "the server's store does not answer: \(error)", retryAfterMilliseconds: 1_000)
        }
    }
}
