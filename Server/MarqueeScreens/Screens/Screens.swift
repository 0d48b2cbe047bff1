package import MarqueeCatalogue
package import MarqueeModel
package import MarqueeStore
package import MarqueeTypes

/// The catalogue and programme at one revision, and all screens built from them.
///
/// Screens are pure functions of the log's prefix, the parameters and the user's collections: no clock, no randomness,
/// the same bytes on every node. The value has one owner; reading is `mutating` only because it may fill caches. Views
/// and variants in use are kept current as commits are applied; see `watch` and `renew`.
package struct Screens: Sendable {
    /// The position in the catalogue's log that this value represents.
    package private(set) var head: LogHead
    /// A position since which the sections of screens are unchanged.
    package private(set) var shaped: LogHead
    /// The current programme, with the sections of the catalogue's pages.
    package private(set) var programme: Programme
    /// The moments at which seasons of the current programme begin and end.
    private var seasonBoundaries: [Moment] = []
    /// The current programme as written, without the pages' sections.
    package private(set) var writtenProgramme: Programme
    /// The current types; `nil` if there are none.
    package private(set) var types: TypeSet? {
        didSet { aliases = types?.types.map(\.alias) ?? [] }
    }
    /// The aliases of the current types: counting records shouldn't copy the types.
    private var aliases: [String] = []
    /// Errors in the log's newest programme or types; empty if they are current.
    package private(set) var programmeErrors: [FileMistake] = []
    var catalogue: Catalogue
    var maker = ItemMaker()
    var views: [UInt64: LiveView] = [:]
    var sections: [UInt64: LiveSection] = [:]
    /// Watched variants that are no longer in the programme. They resume if a later programme has them again.
    var lost: [UInt64: LiveSection] = [:]
    var listeners = Listeners()
    /// Handles of private variants that need the members of further collections of their user.
    var starved: Set<UInt64> = []
    /// Handles to renew.
    var touched: Set<UInt64> = []
    /// The moves in orders of which windows are shown, since the windows last received them.
    var journals: [OrderID: OrderJournal] = [:]
    var work = ScreenCounters()
    var recent: RecentEvents
    /// The handles that `takeChangesSinceCopy` returns; `nil` without a copy.
    private var changedSinceCopy: Set<UInt64>?

    /// The newest programme that was published, as it was written; `nil` if there is none.
    package var programmeText: String? { catalogue.programmeText }

    /// The newest types that were published.
    package var typesDocument: TypesDocument? { catalogue.types }

    /// The canonical bytes of a record; `nil` if there is none.
    package func record(_ id: RecordID) -> [UInt8]? { catalogue.records[id] }

    /// - Parameters:
    ///   - changes: the changes that build the catalogue from scratch, in any order.
    ///   - head: the position they represent.
    ///   - programmeFallback: used while the log has no valid programme.
    package init(snapshot changes: some Sequence<Change>, head: LogHead, programmeFallback: Programme) {
        var catalogue = Catalogue()
        for change in changes { _ = catalogue.apply(change) }
        self.init(catalogue: catalogue, head: head, programmeFallback: programmeFallback)
    }

    /// Reads the whole catalogue of a store. Blocks.
    package init(store: some StoreEngine, programmeFallback: Programme) throws(StoreError) {
        var catalogue = Catalogue()
        let head = try store.snapshot { _ = catalogue.apply($0) }
        self.init(catalogue: catalogue, head: head, programmeFallback: programmeFallback)
    }

    private init(catalogue: Catalogue, head: LogHead, programmeFallback: Programme) {
        self.catalogue = catalogue
        self.head = head
        shaped = head
        recent = RecentEvents(after: head)
        programme = programmeFallback
        writtenProgramme = programmeFallback
        programmeErrors = adoptTypes() + adoptProgramme(from: catalogue.programmeText)
        redefine()
    }

    /// The next moment at which the passing of time may change what screens show, if that time is committed.
    ///
    /// - Returns: `nil` if time changes nothing more; a moment long ago if the catalogue needs a time and has none yet.
    package var nextBoundary: Moment? {
        let season = seasonBoundaries.first { boundary in catalogue.now.map { $0 < boundary } ?? true }
        let ticks = programme.countdowns.map { catalogue.records.nextTick(of: $0) }
        return ([catalogue.records.nextBoundary, season] + ticks).compactMap { $0 }.min()
    }

    /// The catalogue's time.
    package var now: Moment? { catalogue.now }

    /// Number of records that may move in and out of orders with a commit of the catalogue's time. Cheap.
    package func countCrossing(until moment: Moment) -> Int { catalogue.records.countCrossing(until: moment) }

    /// The number of records of each type that has any.
    package var counts: CatalogueCounts {
        CatalogueCounts(
            aliases.map { RecordCount(type: $0, count: UInt64(catalogue.records.count(of: $0))) }
                .filter { $0.count > 0 })
    }

    /// The work done since this value was made.
    package var counters: ScreenCounters {
        var counters = work
        counters.comparisons += catalogue.comparisons
        counters.items = maker.count
        return counters
    }

    /// Drops cached items. Called now and then, so that the memory of a peak is released.
    package mutating func forgetMadeItems() { maker.clear() }

    /// Applies one commit; `renew` then updates what is watched. A commit that was already applied changes nothing.
    ///
    /// If the programme is invalid, the previous one stays current and the effect reports the errors. A node that
    /// starts from a snapshot knows only the newest programme, so check a programme with `Programme.parse` before
    /// committing it.
    ///
    /// - Throws: `failedPrecondition` if a commit is missing in between.
    package mutating func apply(_ commit: CatalogueCommit) throws(Status) -> CommitEffect {
        var effect = CommitEffect()
        guard commit.revision > head.revision else { return effect }
        guard commit.revision == head.revision + 1 else {
            throw Status(
                .failedPrecondition, reason: "REVISION_GAP", remedy: .resync,
                message: "revision \(commit.revision) does not follow \(head.revision)")
        }
        for change in commit.changes { follow(change) }
        let keys = commit.changes.map(\.key)
        if keys.contains(where: \.shapesScreens) {
            let before = programme
            let changesText = keys.contains { $0 == .programme || $0 == .types }
            var errors = keys.contains(.types) ? adoptTypes() : []
            errors += adoptProgramme(from: changesText ? catalogue.programmeText : nil)
            if changesText {
                programmeErrors = errors
                effect.programmeErrors = errors
            }
            effect.replans = programme.changedScreens(since: before)
            shaped.revision = commit.revision
            if programme.counted != before.counted {
                // Records that weren't counted have been added and removed without an event.
                maker.clear()
                recent = RecentEvents(after: LogHead(epoch: head.epoch, revision: commit.revision))
            }
            if programme != before { redefine() }
        }
        head.revision = commit.revision
        return effect
    }

    /// Applies commits in order, as `apply` does each.
    package mutating func apply(_ commits: [CatalogueCommit]) throws(Status) -> [CommitEffect] {
        var effects: [CommitEffect] = []
        for commit in commits { effects.append(try apply(commit)) }
        return effects
    }

    /// A copy for another thread to apply commits to. It isn't updated with later changes here.
    package mutating func copy() -> Screens {
        let copy = self
        changedSinceCopy = []
        return copy
    }

    /// Returns, once, the handles whose view or variant was watched, unwatched or given other members since the last
    /// copy.
    package mutating func takeChangesSinceCopy() -> Set<UInt64> {
        defer { changedSinceCopy = nil }
        return changedSinceCopy ?? []
    }

    mutating func noteChange(of handles: some Sequence<UInt64>) { changedSinceCopy?.formUnion(handles) }

    /// Makes the catalogue's types current. Programmes parsed earlier keep the types they were parsed with.
    ///
    /// - Returns: the errors that keep the previous types current, if any.
    private mutating func adoptTypes() -> [FileMistake] {
        guard let document = catalogue.types else { return [] }
        do throws(FileMistakes) {
            types = try TypeSet(document, file: "types")
            return []
        } catch {
            return error.mistakes
        }
    }

    /// Makes a programme current, with the sections that the catalogue's pages have now.
    ///
    /// - Parameter text: `nil` keeps the current one.
    /// - Returns: the errors that prevented the replacement of the programme, if any.
    private mutating func adoptProgramme(from text: String?) -> [FileMistake] {
        defer {
            programme = writtenProgramme.expanded(with: catalogue.page, types: types)
            programme.collections = types?.userCollections ?? [.favorites]
            seasonBoundaries = programme.seasonBoundaries
        }
        guard let text else { return [] }
        do {
            writtenProgramme = try Programme.parse(text: text, file: "programme", types: types)
            return []
        } catch {
            return error.mistakes
        }
    }
}

extension CatalogueKey {
    /// Whether a change to this key may change which sections screens have.
    fileprivate var shapesScreens: Bool {
        switch self {
        case .programme, .page, .types: true
        default: false
        }
    }
}
