package import MarqueeModel
package import MarqueeStore

/// Catalogue and programme at one revision, and every screen that they make.
///
/// Screens are pure functions of the log's prefix, the parameters and the user's favorites: no clock, no random number,
/// the same bytes on every node. The value has one owner; reading may fill caches and is `mutating` for that reason
/// only. Views and variants that somebody shows are kept current by following commits, see `watch` and `renew`.
package struct Screens: Sendable {
    /// The position of the catalogue's log that this stands for.
    package private(set) var head: LogHead
    /// The one in force, with the sections of the catalogue's pages.
    package private(set) var programme: Programme
    /// The same as it was written.
    package private(set) var writtenProgramme: Programme
    /// What is wrong with the log's newest programme; empty when that one is in force.
    package private(set) var programmeErrors: [ProgrammeError] = []
    var catalogue: Catalogue
    var maker = ItemMaker()
    var views: [UInt64: LiveView] = [:]
    var sections: [UInt64: LiveSection] = [:]
    /// Watched variants that the programme does not have any more; it may have them again.
    var lost: [UInt64: LiveSection] = [:]
    var listeners = Listeners()
    /// Handles to renew.
    var touched: Set<UInt64> = []
    var work = ScreenCounters()

    /// - Parameters:
    ///   - changes: build the catalogue from nothing, in any order.
    ///   - head: the position that they stand for.
    ///   - programmeFallback: in force while the log has no programme that can be used.
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
        programme = programmeFallback
        writtenProgramme = programmeFallback
        programmeErrors = adoptProgramme(from: catalogue.programmeText)
        redefine()
    }

    /// The number of movies.
    package var movieCount: Int { catalogue.movieCount }

    /// The work done since this value was made.
    package var counters: ScreenCounters {
        var counters = work
        counters.comparisons += catalogue.comparisons
        counters.items = maker.count
        return counters
    }

    /// Moves on by one commit; what is watched is brought up to date by `renew`. A commit that is contained already
    /// changes nothing.
    ///
    /// An invalid programme keeps the one before in force and is reported in the effect. A node that starts from a
    /// snapshot knows only the newest programme; so check a programme with `Programme.parse` before it is committed.
    ///
    /// - Throws: `failedPrecondition` when a commit is missing in between.
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
            let errors = adoptProgramme(from: keys.contains(.programme) ? catalogue.programmeText : nil)
            if keys.contains(.programme) {
                programmeErrors = errors
                effect.programmeErrors = errors
            }
            effect.replans = programme.changedScreens(since: before)
            if programme != before { redefine() }
        }
        head.revision = commit.revision
        return effect
    }

    /// Puts a programme in force, and the sections that the catalogue's pages have now.
    ///
    /// - Parameter text: `nil` for the one in force.
    /// - Returns: why the programme stays the one that it was.
    private mutating func adoptProgramme(from text: String?) -> [ProgrammeError] {
        defer { programme = writtenProgramme.expanded(with: catalogue.page) }
        guard let text else { return [] }
        do {
            writtenProgramme = try Programme.parse(text: text, file: "programme")
            return []
        } catch {
            return error.errors
        }
    }
}

extension CatalogueKey {
    /// Whether a change of it may change which sections screens have.
    fileprivate var shapesScreens: Bool {
        switch self {
        case .programme, .page: true
        default: false
        }
    }
}
