import MarqueeDiff
package import MarqueeModel
package import MarqueeScreens
package import MarqueeStore
package import MarqueeWire

/// Keeps the versions of all variants that somebody shows current: reads the log, re-evaluates what commits touch, and
/// tells the sessions.
///
/// Used by one thread, which owns it; publications come from that thread in order. Knows nothing of sessions or
/// sockets.
package final class Hub {
    /// What is remembered of variants after their last subscriber has gone, at most.
    package struct IdleBounds: Sendable {
        package var variants = 4_096
        /// Of their newest versions, counted as if they shared nothing.
        package var bytes = 64 << 20
        /// How long, in milliseconds.
        package var milliseconds: UInt64 = 6 * 3_600_000

        package init() {}
    }

    /// Commits read from the log at once; what they change is published together.
    package static let commitsPerPublication = 64

    /// A view or variant that somebody shows, or showed not long ago.
    private struct Entry {
        var key: ContentKey
        var current: CurrentVersion
        var subscribers = 1
        /// Whether the screens keep it current: while it has subscribers, unless the programme had no such thing when
        /// the catalogue was read anew.
        var isKept = true
    }

    private struct User {
        var head: LogHead
        /// Subjects with the revisions that set them; `nil` after something was missed while nobody showed them.
        var favorites: [String: UInt64]?
        /// The handles of its private variants.
        var entries: Set<UInt64> = []

        mutating func set(_ head: LogHead, _ favorites: [Favorite]) {
            self.head = head
            self.favorites = Dictionary(favorites.map { ($0.subject, $0.revision) }, uniquingKeysWith: max)
        }
    }

    package let library: VersionLibrary
    private let positions: Positions
    private let store: any StoreEngine
    private var screens: Screens
    private var entries: [UInt64: Entry] = [:]
    private var handles: [ContentKey: UInt64] = [:]
    /// Handles without a subscriber, the one that has been so longest first.
    private var idle = AgeQueue<UInt64>()
    private let idleBounds: IdleBounds
    /// Milliseconds of a monotonic clock, when it was last looked at.
    private var now: UInt64
    private var nextHandle: UInt64 = 1
    private var users: [String: User] = [:]
    private let publish: (Publication) -> Void
    /// Something that people should hear of: a programme that can't be used.
    private let report: (String) -> Void

    /// Reads the whole catalogue.
    /// - Parameters:
    ///   - programme: what the screens show until the catalogue holds a programme of its own.
    ///   - positions: told where this hub is, before anybody hears of it by `publish`.
    ///   - now: milliseconds of a monotonic clock; ages are counted from here until the first `tick`.
    ///   - publish: called on the owning thread after every change.
    package init(
        store: any StoreEngine, library: VersionLibrary, programme: Programme, idleBounds: IdleBounds = IdleBounds(),
        positions: Positions = Positions(), now: UInt64, publish: @escaping (Publication) -> Void,
        report: @escaping (String) -> Void
    ) throws(StoreError) {
        self.store = store
        self.idleBounds = idleBounds
        self.library = library
        self.positions = positions
        self.now = now
        library.tick(now: now)
        self.publish = publish
        self.report = report
        screens = try Screens(store: store, programmeFallback: programme)
        positions.move(to: screens.head, movies: screens.movieCount)
        if !screens.programmeErrors.isEmpty { report(Self.describe(screens.programmeErrors)) }
    }

    private static func describe(_ errors: [ProgrammeError]) -> String {
        "the stored programme can't be used, the one before stays in force: "
            + errors.map { "\($0)" }.joined(separator: "; ")
    }

    // MARK: - Positions

    package var catalogueRevision: UInt64 { screens.head.revision }
    package var movieCount: Int { screens.movieCount }
    /// What can be asked for, the default first.
    package var locales: [String] { screens.programme.locales }
    /// The work that evaluation has done since the catalogue was read.
    package var counters: ScreenCounters { screens.counters }

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
            try follow(commits)
        }
    }

    /// Moves on by commits that were read from the catalogue's log, and publishes them. Those that are known already
    /// change nothing.
    /// - Parameter commits: consecutive ones.
    package func follow(_ commits: [CatalogueCommit]) throws(StoreError) {
        guard let last = commits.last, last.revision > screens.head.revision else { return }
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
        let changes = renew()
        positions.move(to: screens.head, movies: screens.movieCount)
        publish(
            Publication(
                catalogueRevision: screens.head.revision, changes: changes,
                replans: effects.reduce(.none) { $0.union($1.replans) },
                gone: commits.contains(where: \.removesScreens) ? goneViews() : []))
    }

    /// Views that are shown of screens that aren't there any more.
    private func goneViews() -> [UInt64] {
        entries.filter { entry in
            guard case .view(let view) = entry.value.key, entry.value.subscribers > 0 else { return false }
            return !screens.hasScreen(view.screen)
        }.keys.sorted()
    }

    /// The log no longer reaches back to where we are: read the whole catalogue anew.
    package func reload() throws(StoreError) {
        screens = try Screens(store: store, programmeFallback: screens.writtenProgramme)
        var changes: [UInt64: CurrentVersion] = [:]
        for (handle, entry) in entries.sorted(by: { $0.key < $1.key }) where entry.subscribers > 0 {
            // What the programme does not have any more stays as it was, until the sessions have planned anew.
            let version = try? screens.watch(entry.key, as: handle, favorites: favorites(for: entry.key))
            entries[handle]?.isKept = version != nil
            if let version { changes[handle] = take(version, of: handle) }
        }
        positions.move(to: screens.head, movies: screens.movieCount)
        publish(
            Publication(catalogueRevision: screens.head.revision, changes: changes, replans: .all))
    }

    /// A user's log has moved; publishes what that changes.
    ///
    /// The set is read from the store only where somebody shows it and moves are missing. Otherwise this costs what
    /// the moves touch.
    /// - Parameter moves: what is new in the log, ascending; those known already change nothing.
    package func userChanged(_ user: String, moves: [FavoriteMove] = []) throws(StoreError) {
        guard let known = users[user] else {
            if let newest = moves.last { return publishMove(of: user, to: newest.revision, changes: [:]) }
            return publishMove(of: user, to: try store.userHead(user).revision, changes: [:])
        }
        let new = moves.drop { $0.revision <= known.head.revision }
        let isWhole = zip(new, known.head.revision...).allSatisfy { $0.revision == $1 + 1 }
        if !moves.isEmpty, isWhole {
            apply(Array(new), to: user)
        } else if known.entries.contains(where: { (entries[$0]?.subscribers ?? 0) > 0 }) {
            let (head, favorites) = try store.favorites(of: user)
            users[user]?.set(head, favorites)
            screens.replaceFavorites(favorites, of: known.entries)
        } else {
            users[user]?.head = try store.userHead(user)
            users[user]?.favorites = nil
        }
        publishMove(of: user, to: users[user]?.head.revision ?? 0, changes: renew())
    }

    private func apply(_ moves: [FavoriteMove], to user: String) {
        // Of several moves of a subject, the last one decides.
        var last: [String: FavoriteMove] = [:]
        for move in moves {
            last[move.subject] = move
            users[user]?.favorites?[move.subject] = move.isSet ? move.revision : nil
            users[user]?.head.revision = move.revision
        }
        screens.moveFavorites(last.values.sorted { $0.revision < $1.revision }, of: users[user]?.entries ?? [])
    }

    private func publishMove(of user: String, to revision: UInt64, changes: [UInt64: CurrentVersion]) {
        if let known = users[user] { positions.move(user, to: known.head) }
        publish(
            Publication(
                catalogueRevision: screens.head.revision, user: user, userRevision: revision, changes: changes))
    }

    /// Brings what was touched up to date.
    /// - Returns: those whose content is another one now.
    private func renew() -> [UInt64: CurrentVersion] {
        var changes: [UInt64: CurrentVersion] = [:]
        // In order, so that of what is remembered the same leaves first on every run of a simulation.
        for (handle, version) in screens.renew().sorted(by: { $0.key < $1.key }) {
            changes[handle] = take(version, of: handle)
        }
        return changes
    }

    /// Makes a version the newest of its variant.
    /// - Returns: `nil` when it is that already.
    private func take(_ version: Version, of handle: UInt64) -> CurrentVersion? {
        guard let entry = entries[handle], entry.current.version.sum != version.sum else { return nil }
        let current = CurrentVersion(version: version, since: since(entry.key))
        entries[handle]?.current = current
        library.record(version, of: handle)
        return current
    }

    private func favorites(for key: ContentKey) -> [Favorite] {
        (key.user.flatMap { users[$0]?.favorites } ?? [:]).map { Favorite(subject: $0.key, revision: $0.value) }
    }

    private func since(_ key: ContentKey) -> CutChange {
        CutChange(
            catalogueRevision: screens.head.revision,
            userRevision: key.user.flatMap { users[$0]?.head.revision })
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
            guard let entry = entries[handle], entry.subscribers > 0 else { continue }
            entries[handle]?.subscribers -= 1
            guard entry.subscribers == 1 else { continue }
            screens.unwatch(handle)
            entries[handle]?.isKept = false
            idle.append(handle, bytes: entry.current.version.encodedSize, at: now)
        }
        while idle.count > idleBounds.variants || idle.bytes > idleBounds.bytes, let oldest = idle.popFirst() {
            forget(oldest)
        }
    }

    /// Time passes: what nobody has shown or held for long is forgotten. Called about once a second.
    /// - Parameter now: milliseconds of a monotonic clock.
    package func tick(now: UInt64) {
        self.now = now
        library.tick(now: now)
        while let oldest = idle.popFirst(ageing: idleBounds.milliseconds, at: now) { forget(oldest) }
    }

    private func activate(_ key: ContentKey) throws(Status) -> (handle: UInt64, current: CurrentVersion) {
        if let user = key.user, users[user]?.favorites == nil {
            do throws(StoreError) {
                let (head, favorites) = try positions.load(user) { () throws(StoreError) in
                    try store.favorites(of: user)
                }
                users[user, default: User(head: head)].set(head, favorites)
            } catch {
                throw Status(storeError: error)
            }
        }
        defer {
            if let user = key.user { forgetUnshown(user) }
        }
        if let handle = handles[key], let entry = entries[handle] {
            if !entry.isKept {
                let version = try screens.watch(key, as: handle, favorites: favorites(for: key))
                entries[handle]?.isKept = true
                _ = take(version, of: handle)
            }
            idle.remove(handle)
            entries[handle]?.subscribers += 1
            return (handle, entries[handle]?.current ?? entry.current)
        }
        let handle = nextHandle
        let version = try screens.watch(key, as: handle, favorites: favorites(for: key))
        nextHandle += 1
        let current = CurrentVersion(version: version, since: since(key))
        entries[handle] = Entry(key: key, current: current)
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
            forgetUnshown(user)
        }
    }

    private func forgetUnshown(_ user: String) {
        guard users[user]?.entries.isEmpty == true else { return }
        users[user] = nil
        positions.forget(user)
    }
}

extension CatalogueCommit {
    /// Whether it takes out what screens are about.
    fileprivate var removesScreens: Bool {
        changes.contains { change in
            switch change {
            case .removeMovie, .removeGenre: true
            default: false
            }
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
        } else if let error = error as? StoreError, error.code == .corrupt {
            // Retried, and not often: whoever runs the server has to mend it.
            self.init(
                .dataLoss, reason: "STORE_DAMAGED", remedy: .retrySame,
                message: "the server's store is damaged here; nothing was changed", retryAfterMilliseconds: 60_000)
        } else {
            self.init(
                .unavailable, reason: "STORE_UNAVAILABLE", remedy: .retrySame,
                message: "the server's store does not answer: \(error)", retryAfterMilliseconds: 1_000)
        }
    }
}
