import MarqueeDiff
package import MarqueeModel
package import MarqueeScreens
package import MarqueeStore
import MarqueeTypes
import MarqueeWire

/// Keeps the versions of all shown variants current: re-evaluates contents that commits and moves touch, and publishes
/// the changes.
///
/// Used by one thread, which owns it and publishes in order. Knows nothing of sessions or sockets, and never calls the
/// store: if something has to be read, it says so (`UserReading`) and is called again with the result.
package final class Hub {
    /// Bounds on the variants remembered without subscribers.
    package struct IdleBounds: Sendable {
        package var variants = 4_096
        /// Bytes that their newest versions keep in memory, counted as if they shared nothing.
        package var bytes = 64 << 20
        /// How long they are remembered, in milliseconds.
        package var milliseconds: UInt64 = 6 * 3_600_000
        /// The variants, and their bytes, beyond which the oldest are remembered for `burstMilliseconds` only, so that
        /// no memory stays in use when a crowd has left.
        package var restingVariants = 512
        package var restingBytes = 2 << 20
        package var burstMilliseconds: UInt64 = 30_000
        /// Items of large contents that are kept current although nobody shows them: enough for six of the largest.
        package var keptItems = 65_536
        /// How long they are kept current, in milliseconds: they take as much memory as shown ones.
        package var keptMilliseconds: UInt64 = 30_000

        package init() {}
    }

    /// The most commits read from the log at once; their changes are published together.
    package static let commitsPerPublication = 64

    package let library: VersionLibrary
    let positions: Positions
    var screens: Screens
    var table: VariantTable
    /// Handles without subscribers; the one idle for longest comes first.
    var idle = AgeQueue<UInt64>()
    let idleBounds: IdleBounds
    /// Large contents that nobody shows, by their numbers; the one left first comes first. They are still kept current:
    /// if somebody showed one again, everybody else would have to wait while it is evaluated.
    var lingering = AgeQueue<UInt64>()
    /// The most variants that may be shown at once.
    let variantLimit: Int
    var shares = VariantShares()
    private let limitHit: () -> Void
    /// The clock at the last `tick`, in milliseconds.
    var now: UInt64
    /// When the screens last forgot the items that they had made, in milliseconds.
    var forgotten: UInt64
    var users: [String: User] = [:]
    /// Sets of a user's collections that were evaluated for the request at hand.
    var evaluated: [VariantKey: EvaluatedSet] = [:]
    let publish: (Publication) -> Void
    /// Reports problems to the operator, such as a programme that can't be used.
    private let report: (String) -> Void

    /// Reads the whole catalogue.
    /// - Parameter programme: used until the catalogue holds a programme of its own.
    package convenience init(
        store: any StoreEngine, library: VersionLibrary, programme: Programme, idleBounds: IdleBounds = IdleBounds(),
        positions: Positions = Positions(), variantLimit: Int = ServerLimits().variants,
        handle: @escaping (ContentKey) -> UInt64 = \.handle, now: UInt64, limitHit: @escaping () -> Void = {},
        publish: @escaping (Publication) -> Void, report: @escaping (String) -> Void
    ) throws(StoreError) {
        self.init(
            screens: try Screens(store: store, programmeFallback: programme), library: library, idleBounds: idleBounds,
            positions: positions, variantLimit: variantLimit, handle: handle, now: now, limitHit: limitHit,
            publish: publish, report: report)
    }

    /// - Parameters:
    ///   - screens: the screens as read from the store.
    ///   - variantLimit: the most variants that may be shown at once.
    ///   - handle: the handle that a variant should have; all servers of a cluster have to agree on it.
    ///   - positions: updated before `publish` announces a position.
    ///   - now: milliseconds of a monotonic clock; ages are counted from here until the first `tick`.
    ///   - limitHit: called when a view is refused because too many variants are shown.
    ///   - publish: called on the owning thread after every change.
    package init(
        screens: Screens, library: VersionLibrary, idleBounds: IdleBounds = IdleBounds(),
        positions: Positions = Positions(), variantLimit: Int = ServerLimits().variants,
        handle: @escaping (ContentKey) -> UInt64 = \.handle, now: UInt64, limitHit: @escaping () -> Void = {},
        publish: @escaping (Publication) -> Void, report: @escaping (String) -> Void
    ) {
        table = VariantTable(handle: handle)
        self.screens = screens
        self.idleBounds = idleBounds
        self.variantLimit = variantLimit
        self.limitHit = limitHit
        self.library = library
        self.positions = positions
        self.now = now
        forgotten = now
        library.tick(now: now)
        self.publish = publish
        self.report = report
        positions.move(to: screens.head, counts: screens.counts, types: screens.types)
        if !screens.programmeErrors.isEmpty { report(Self.describe(screens.programmeErrors)) }
    }

    /// Refuses one more variant if the limit is reached, or if one of the owners has too many of those shown.
    func checkRoom(for owners: [ShareOwner]) throws(Status) {
        let shown = table.variants.count - idle.count
        if shares.admits(owners, shown: shown, limit: variantLimit) { return }
        limitHit()
        throw .tooManyVariants
    }

    private static func describe(_ errors: [FileMistake]) -> String {
        "the stored programme can't be used; the previous one stays in force: "
            + errors.map { "\($0)" }.joined(separator: "; ")
    }

    // MARK: - Positions

    package var catalogueRevision: UInt64 { screens.head.revision }
    package var counts: CatalogueCounts { screens.counts }
    /// The next moment at which time changes what screens show; see `Screens.nextBoundary`.
    package var nextBoundary: Moment? { screens.nextBoundary }
    /// The catalogue's time; `nil` before the first commit of time.
    package var reachedMoment: Moment? { screens.now }
    /// The current programme.
    package var programme: Programme { screens.programme }
    /// The work that evaluation has done since the catalogue was read.
    package var counters: ScreenCounters { screens.counters }

    // MARK: - Commits

    /// Applies and publishes commits from the catalogue's log. Commits applied before have no effect.
    /// - Parameter commits: consecutive ones.
    /// - Throws: if they can't be applied; then the catalogue has to be read again, see `replace`.
    package func follow(_ commits: [CatalogueCommit]) throws(Status) {
        guard let last = commits.last, last.revision > screens.head.revision else { return }
        announce(commits, try screens.apply(commits))
    }

    /// Publishes the changes of commits that were applied to the screens.
    /// - Parameter renewed: contents that were already updated for these commits.
    func announce(_ commits: [CatalogueCommit], _ effects: [CommitEffect], renewed: [UInt64: Version] = [:]) {
        for effect in effects where !effect.programmeErrors.isEmpty {
            report(Self.describe(effect.programmeErrors))
        }
        let replans = effects.reduce(ChangedScreens.none) { $0.union($1.replans) }
        var renewed = renewed
        if replans != .none {
            partContents()
            renewed.merge(watchMissing()) { _, newest in newest }
        }
        for number in screens.takeStarved() {
            if let key = table.contents[number]?.key { screens.replaceMembers(members(for: key), of: [number]) }
        }
        let changes = renew(renewed)
        positions.move(to: screens.head, counts: screens.counts, types: screens.types)
        publish(
            Publication(
                catalogueRevision: screens.head.revision, changes: changes, replans: replans,
                gone: commits.contains(where: \.removesScreens) ? goneViews() : []))
    }

    /// Handles of the section lists of shown views whose screens no longer exist.
    private func goneViews() -> [UInt64] {
        table.variants.filter { variant in
            guard case .view(let view) = variant.value.key, variant.value.subscribers > 0 else { return false }
            return !screens.hasScreen(view.screen)
        }.keys.sorted()
    }

    /// The programme as written, without the sections of pages.
    package var writtenProgramme: Programme { screens.writtenProgramme }

    /// Throws if a store's head is behind a known one, or belongs to another log: the store has lost commits that were
    /// shown, and showing them can't be undone.
    static func check(_ head: LogHead, follows known: LogHead) throws(StoreError) {
        guard head.epoch == known.epoch, head.revision >= known.revision else {
            throw StoreError(.lost, "the store has lost commits that were shown")
        }
    }

    /// Continues with a catalogue that has been read again, because the log no longer reached back to the hub's
    /// position.
    /// - Returns: the previous catalogue.
    /// - Throws: `lost` if it is older than what was shown.
    package func replace(by newest: Screens) throws(StoreError) -> Screens {
        try Self.check(newest.head, follows: screens.head)
        let old = screens
        screens = newest
        lingering = AgeQueue()
        for number in table.contents.keys { table.contents[number]?.isKept = false }
        partContents()
        let changes = renew(watchMissing())
        positions.move(to: screens.head, counts: screens.counts, types: screens.types)
        publish(
            Publication(catalogueRevision: screens.head.revision, changes: changes, replans: .all))
        return old
    }

    /// Has the screens keep current the shown contents that they lack, if the programme has them: the programme may
    /// have lacked a section when the screens were exchanged. Relays show variants and not screens, so they wouldn't
    /// ask for these sections again.
    /// - Returns: the contents' versions.
    private func watchMissing() -> [UInt64: Version] {
        var found: [UInt64: Version] = [:]
        for (number, content) in table.contents.sorted(by: { $0.key < $1.key })
        where content.shown > 0 && !content.isKept {
            found[number] = watchAgain(number, content.key)
        }
        return found
    }

    /// Has new screens keep a shown content current. Sections dropped from the programme keep their content until the
    /// sessions have planned their views again.
    /// - Returns: the content; `nil` if the programme doesn't have it.
    func watchAgain(_ number: UInt64, _ key: ContentKey) -> Version? {
        let version = try? screens.watch(key, as: number, members: members(for: key))
        table.contents[number]?.isKept = version != nil
        return version
    }

    /// Separates variants that a new programme no longer lets share a content, because their section now depends on its
    /// screen.
    ///
    /// Variants share a content only within a family of screens. If the new programme makes them differ, it defines
    /// that family differently, so the sessions that show them plan again and learn their new contents.
    private func partContents() {
        for (number, content) in table.contents.sorted(by: { $0.key < $1.key }) where content.identity != nil {
            let identity = screens.identity(of: content.key)
            // If the section was dropped from the programme, all its variants keep the content.
            guard identity != content.identity, screens.has(content.key) else { continue }
            table.setIdentity(identity, of: number)
            guard identity == nil else { continue }
            for handle in table.guests(of: number) {
                guard let parted = table.part(handle) else { continue }
                if let current = table.contents[parted.number]?.current {
                    library.record(current.version, of: parted.number)
                }
                if table.variants[handle]?.subscribers ?? 0 > 0 { try? keep(parted.number) }
                if let left = parted.left { drop(left) }
            }
        }
    }

    /// Updates the contents that were touched.
    /// - Parameter before: contents that were updated but not adopted.
    /// - Returns: the contents whose version changed.
    func renew(_ before: [UInt64: Version] = [:]) -> [UInt64: CurrentVersion] {
        var changes: [UInt64: CurrentVersion] = [:]
        let renewed = screens.renew().merging(before) { newest, _ in newest }
        // In order, so that every run of a simulation evicts the same entries.
        for (number, version) in renewed.sorted(by: { $0.key < $1.key }) {
            changes[number] = adopt(version, of: number)
        }
        return changes
    }

    /// Makes a version the newest of its content.
    /// - Returns: `nil` if it already is.
    @discardableResult
    func adopt(_ version: Version, of number: UInt64) -> CurrentVersion? {
        guard let content = table.contents[number], content.current.version.sum != version.sum else { return nil }
        let current = CurrentVersion(version: version, since: since(content.key), content: number)
        table.contents[number]?.current = current
        library.record(version, of: number)
        return current
    }

    /// The position since which a version that is adopted now is current.
    func since(_ key: ContentKey) -> CutChange {
        CutChange(
            catalogueRevision: screens.head.revision,
            userRevision: key.user.flatMap { users[$0]?.head.revision })
    }
}

extension CatalogueCommit {
    /// Whether it removes a record, which may be the subject of screens.
    fileprivate var removesScreens: Bool {
        changes.contains { change in
            switch change {
            case .remove: true
            default: false
            }
        }
    }
}
