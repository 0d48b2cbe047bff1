import MarqueeClient
import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import MarqueeScreens
import MarqueeStore
import MarqueeWire

/// The content of every screen at every position: computed from the logs alone, from scratch each time, without a hub,
/// sessions, patches or mirrors.
final class Truth {
    private struct RevisionKey: Hashable {
        var epoch: UInt64
        var revision: UInt64
    }
    private struct ListKey: Hashable {
        var at: RevisionKey
        var screen: String
        /// `nil` where all readers see the same.
        var reader: Reader?
    }
    private struct SectionKey: Hashable {
        var at: RevisionKey
        var userRevision: UInt64
        var variant: VariantKey
        /// `nil` where all readers see the same.
        var reader: Reader?
    }

    /// Screens made of a user's collections.
    static let privateScreens: Set<String> = ["favorites", "progress", ScreenID.collectionSet.name]

    let dialect: Dialect?
    private(set) var lineages: [Lineage] = []
    /// A state for which the server's own code disagrees with the independent computation.
    private(set) var disagreement: String?
    private var marks: [Int: Lineage] = [:]
    private var screens: [RevisionKey: Screens] = [:]
    private var lists: [ListKey: Version?] = [:]
    /// The plans of readers, of screens that differ by audience.
    private var plans: [ListKey: ViewPlan?] = [:]
    private var sections: [SectionKey: Version?] = [:]
    /// The places that were asked for of sections whose windows may be anywhere.
    private var places: [String: [WindowPlace]] = [:]

    init(dialect: Dialect?, catalogueEpoch: UInt64, userEpoch: UInt64) {
        self.dialect = dialect
        lineages = [Lineage(catalogueEpoch: catalogueEpoch, userEpoch: userEpoch)]
    }

    var current: Lineage { lineages[lineages.count - 1] }

    func lineage(ofCatalogue epoch: UInt64) -> Lineage? { lineages.last { $0.catalogueEpoch == epoch } }
    func lineage(ofUsers epoch: UInt64) -> Lineage? { lineages.last { $0.userEpoch == epoch } }

    // MARK: - Following the store

    /// - Returns: what is wrong with the outcome, if anything.
    func follow(_ write: StoreWrite, _ outcome: StoreOutcome) -> String? {
        guard case .done(let revision, changed: true) = outcome else { return nil }
        let index = lineages.count - 1
        switch write {
        case .catalogue(_, let changes, _):
            if lineages[index].apply(changes, revision: revision) { return nil }
            return "catalogue revision \(revision) does not follow \(lineages[index].newest)"
        case .observed, .draft: return nil
        case .member(let user, let change, _):
            if lineages[index].apply(change, of: user, revision: revision) { return nil }
            return "revision \(revision) of \(user), \(change), does not follow"
        }
    }

    /// Saves the current logs, as a backup does.
    func mark(_ number: Int) { marks[number] = current }

    func restore(_ number: Int, catalogueEpoch: UInt64, userEpoch: UInt64) {
        guard let mark = marks[number] else { return }
        lineages.append(Lineage(restoring: mark, catalogueEpoch: catalogueEpoch, userEpoch: userEpoch))
    }

    // MARK: - Screens

    /// A reader's plan of a screen; `nil` for one that is the same for all readers.
    private func plan(_ id: ViewID, for reader: Reader, _ lineage: Lineage, at revision: UInt64) -> ViewPlan? {
        guard let screens = screens(lineage, revision), screens.differsByAudience(id.screen) else { return nil }
        let key = ListKey(
            at: RevisionKey(epoch: lineage.catalogueEpoch, revision: revision), screen: id.description, reader: reader)
        if let known = plans[key] { return known }
        let plan = try? screens.plan(
            screen: id.screen, locale: id.locale, parameters: [], user: reader.user, claims: reader.claims)
        plans[key] = .some(plan)
        return plan
    }

    /// The view's own list of sections.
    func list(
        _ id: ViewID, _ lineage: Lineage, at revision: UInt64, for reader: Reader = Reader()
    ) -> Version? {
        let plan = plan(id, for: reader, lineage, at: revision)
        let key = ListKey(
            at: RevisionKey(epoch: lineage.catalogueEpoch, revision: revision), screen: id.description,
            reader: plan.map { _ in reader })
        if let known = lists[key] { return known }
        let view = plan?.view ?? ViewKey(screen: id.screen, locale: id.locale)
        let version = screens(lineage, revision).flatMap { try? $0.evaluate(view: view).version }
        if plan != nil, let shown = version?.items.map(\.id).filter(Audiences.restricted.contains) {
            let expected = Audiences.restricted.filter { Audiences.includes(reader, in: $0) }
            let title = version.flatMap { BodyCodec.decodeViewHead($0.head)?.title } ?? ""
            if !Audiences.isTitle(title, for: reader) { disagreement = "\(reader) sees the title '\(title)' of \(id)" }
            if shown != expected { disagreement = "\(reader) sees \(shown) of \(id), but should see \(expected)" }
        }
        lists[key] = .some(version)
        return version
    }

    /// Notes a place that a client asks a server for.
    func note(_ place: WindowPlace?, of section: String) {
        guard let place, !places[section, default: []].contains(place) else { return }
        places[section, default: []].append(place)
    }

    /// A window that may be anywhere, as an app asked for it.
    ///
    /// - Parameters:
    ///   - place: without a cursor, it has the one that its client has sent with it, if any: the one with that sum.
    ///   - sum: of what is shown.
    func window(
        at place: WindowPlace, of section: String, _ id: ViewID, reader: Reader, _ lineage: Lineage,
        at revision: UInt64, _ userRevision: UInt64, sum: UInt64
    ) -> Version? {
        func version(_ place: WindowPlace) -> Version? {
            self.section(
                section, of: id, sort: "", window: 0, place: place, reader: reader, lineage, at: revision, userRevision)
        }
        let sent = (places[section] ?? []).filter { sent in
            var sent = sent
            if place.cursor == nil { sent.cursor = nil }
            return sent == place
        }
        return sent.lazy.compactMap(version).first { $0.sum == sum } ?? version(place)
    }

    /// A section as shown with the sort and window named in its head.
    ///
    /// - Parameter sum: of what is shown. A head doesn't say which place was asked for: of a section whose windows may
    ///   be anywhere, it is the window with that sum, if anybody asked for one.
    func section(
        _ section: String, of id: ViewID, sort: String, window: UInt32, reader: Reader, _ lineage: Lineage,
        at revision: UInt64, _ userRevision: UInt64, sum: UInt64
    ) -> Version? {
        var candidates: [WindowPlace?] = [nil]
        if Windows.sections.contains(section) {
            candidates = ([Windows.usual] + (places[section] ?? []).reversed()).map { $0 }
        }
        var usual: Version?
        for place in candidates {
            let version = self.section(
                section, of: id, sort: sort, window: window, place: place, reader: reader, lineage, at: revision,
                userRevision)
            if version?.sum == sum { return version }
            usual = usual ?? version
        }
        return usual
    }

    /// A section as shown with the sort and window named in its head.
    ///
    /// - Parameter place: the place of a window that may be anywhere.
    func section(
        _ section: String, of id: ViewID, sort: String, window: UInt32, place: WindowPlace? = nil, reader: Reader,
        _ lineage: Lineage, at revision: UInt64, _ userRevision: UInt64
    ) -> Version? {
        let isPrivate = Truth.privateScreens.contains(id.screen)
        let (user, plan) = (reader.user, plan(id, for: reader, lineage, at: revision))
        let planned = plan?.sections.first { $0.id == section }
        // Restricted to others.
        if plan != nil, planned == nil { return nil }
        let variant = VariantKey(
            screen: id.screen, section: section, sort: sort, window: window, place: place, locale: id.locale,
            user: isPrivate ? user : nil, rendition: planned?.variant.rendition ?? .fallback)
        let key = SectionKey(
            at: RevisionKey(epoch: lineage.catalogueEpoch, revision: revision),
            userRevision: isPrivate ? userRevision : 0, variant: variant, reader: plan.map { _ in reader })
        if let known = sections[key] { return known }
        var version: Version?
        if let members = isPrivate ? lineage.members(of: user, at: userRevision) : [],
            screens(lineage, revision) != nil
        {
            version = try? screens[key.at]?.evaluate(variant, members: members).version
            check(version, variant, members, lineage.catalogue[Int(revision)])
            if section == Audiences.arm { check(version, for: reader, lineage.catalogue[Int(revision)]) }
        }
        if let dialect { version = version.map(dialect.translated) }
        sections[key] = .some(version)
        return version
    }

    private func check(_ version: Version?, _ key: VariantKey, _ members: [StoredMember], _ state: CatalogueState) {
        guard let version,
            let expected = ExpectedItems.items(
                of: key.section, on: key.screen, sort: key.sort, window: key.window, place: key.place,
                members: members, state),
            version.items.map(\.id) != expected
        else { return }
        disagreement = "\(key.section) of \(key.screen) is \(version.items.map(\.id)), but should be \(expected)"
    }

    private func check(_ version: Version?, for reader: Reader, _ state: CatalogueState) {
        let shown = version.flatMap { BodyCodec.decodeSectionHead($0.head)?.header?.title }
        let expected = Audiences.header(for: reader, isGrown: Programmes.isGrown(state.programme))
        if let version, shown != expected {
            disagreement = "\(reader) sees '\(shown ?? "")' of \(version.items.count), but should see '\(expected)'"
        }
    }

    private func screens(_ lineage: Lineage, _ revision: UInt64) -> Screens? {
        let key = RevisionKey(epoch: lineage.catalogueEpoch, revision: revision)
        if let known = screens[key] { return known }
        guard revision <= lineage.newest else { return nil }
        let state = lineage.catalogue[Int(revision)]
        let made = Screens(
            snapshot: state.changes, head: LogHead(epoch: lineage.catalogueEpoch, revision: revision),
            programmeFallback: Programmes.parsed(state.programme))
        screens[key] = made
        return made
    }

    /// How a screen differs from what it should be at a move's cut, for people.
    func differences(of state: ScreenState, _ move: Move, _ lineage: Lineage) -> [String] {
        let at = move.cut.catalogueRevision
        let reader = move.readers.last ?? Reader()
        guard let list = list(state.id, lineage, at: at, for: reader) else { return ["there is no such screen"] }
        let shown = state.sections.map(\.id)
        let expected = list.items.map(\.id)
        let order = shown == expected ? [] : ["sections \(shown), not \(expected)"]
        return order
            + state.sections.compactMap { section in
                let version = self.section(
                    section.id, of: state.id, sort: section.head.sort, window: section.head.window, reader: reader,
                    lineage, at: at, move.cut.userRevision, sum: section.sum)
                return version?.sum == section.sum
                    ? nil
                    : "\(section.id) by '\(section.head.sort)' \(section.head.window) is \(section.shown.items.map(\.id)), "
                        + "not \(version?.items.map(\.id) ?? [])"
            }
    }

    /// Whether a screen is as it should be at a position, apart from overlaid members.
    func matches(
        _ state: ScreenState, _ reader: Reader, _ lineage: Lineage, _ revision: UInt64, _ userRevision: UInt64
    ) -> Bool {
        guard let list = list(state.id, lineage, at: revision, for: reader), list.items.count == state.sections.count
        else {
            return false
        }
        var sums: [String: UInt64] = [:]
        for section in state.sections {
            guard
                let expected = self.section(
                    section.id, of: state.id, sort: section.head.sort, window: section.head.window, reader: reader,
                    lineage, at: revision, userRevision, sum: section.sum), expected.sum == section.sum
            else { return false }
            sums[section.id] = section.sum
        }
        return Sum.screen(view: list, sectionSums: sums) == state.sum
    }
}
