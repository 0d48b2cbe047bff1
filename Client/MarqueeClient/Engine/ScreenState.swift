package import MarqueeDiff
package import MarqueeMirror
package import MarqueeModel
import MarqueeWire

/// Everything that is shown of one screen at one moment, as immutable values: confirmed content with the favorites laid over it.
package struct ScreenState: Sendable {
    package struct Section: Sendable {
        package let id: String
        /// What is shown; differs from what is confirmed only where a favorite is pending.
        package let shown: Version
        package let head: SectionHead
        package let placeholders: UInt32
        package let sum: UInt64
    }

    package let id: ViewID
    package let title: String
    package let sections: [Section]
    package let cut: Cut
    package let sum: UInt64
    package let asOf: Double
    package let origin: ScreenUpdate.Origin
    package let favorites: FavoriteOverlay
    package let damaged: [String]

    init(
        id: ViewID, content: SyncCore.ViewContent, cut: Cut, asOf: Double, origin: ScreenUpdate.Origin,
        favorites: FavoriteOverlay, damaged: [String]
    ) {
        self.id = id
        self.cut = cut
        self.asOf = asOf
        self.origin = origin
        self.favorites = favorites
        self.damaged = damaged
        title = BodyCodec.decodeViewHead(content.list.head) ?? id.screen
        sum = Sum.screen(view: content.list, sectionSums: content.sections.mapValues(\.sum))
        sections = content.list.items.compactMap { item -> Section? in
            guard let version = content.sections[item.id] else { return nil }
            let head = BodyCodec.decodeSectionHead(version.head) ?? SectionHead(kind: SectionKind(rawValue: 0))
            let shown = head.kind == .favorites ? favorites.laid(over: version) : version
            return Section(
                id: item.id, shown: shown, head: head,
                placeholders: BodyCodec.decodeSectionReference(item.body)?.placeholders ?? 0, sum: version.sum)
        }
    }

    var screen: Screen {
        Screen(
            id: ScreenID(id.screen), locale: id.locale, title: title,
            sections: sections.map { section in
                ScreenSection(
                    id: section.id, head: section.head,
                    items: section.shown.items.map { ScreenItem(item: $0, favorite: favorites.mark(of: $0.subject)) },
                    placeholders: section.placeholders, sum: section.sum)
            }, revision: cut, sum: sum, asOf: asOf)
    }

    /// The way from an earlier state of the same screen.
    func changes(since old: ScreenState) -> ScreenChanges {
        var changes = ScreenChanges.between(
            old: old.sections.map { ($0.id, $0.shown) }, new: sections.map { ($0.id, $0.shown) })
        guard old.favorites != favorites else { return changes }
        // A star is drawn inside the cell: items whose mark is another one now are reconfigured too.
        var reconfigured = Set(changes.reconfiguredItems)
        let before = Dictionary(old.sections.map { ($0.id, Set($0.shown.items.map(\.id))) }) { a, _ in a }
        for (index, section) in sections.enumerated() {
            guard let known = before[section.id] else { continue }
            for (position, item) in section.shown.items.enumerated()
            where known.contains(item.id) && old.favorites.mark(of: item.subject) != favorites.mark(of: item.subject) {
                reconfigured.insert(ItemPosition(section: index, item: position))
            }
        }
        changes.reconfiguredItems = reconfigured.sorted()
        return changes
    }
}

/// The user's favorites: what the server has confirmed, and what waits in the outbox, laid over it.
package struct FavoriteOverlay: Hashable, Sendable {
    /// Confirmed subjects, newest first.
    package var confirmed: [String] = []
    /// Not yet confirmed: whether the subject is to be a favorite, newest last.
    package var pending: [Pending] = []

    package struct Pending: Hashable, Sendable {
        package var subject: String
        package var on: Bool
        /// What is shown of it before the server sends it.
        package var placeholder: Item?
    }

    private let confirmedSet: Set<String>
    private let pendingState: [String: Bool]

    init(confirmed: [String] = [], pending: [Pending] = []) {
        self.confirmed = confirmed
        self.pending = pending
        confirmedSet = Set(confirmed)
        pendingState = Dictionary(pending.map { ($0.subject, $0.on) }) { _, newest in newest }
    }

    package func mark(of subject: String) -> FavoriteMark {
        guard !subject.isEmpty else { return .no }
        switch pendingState[subject] {
        case true?: return confirmedSet.contains(subject) ? .yes : .pendingYes
        case false?: return confirmedSet.contains(subject) ? .pendingNo : .no
        case nil: return confirmedSet.contains(subject) ? .yes : .no
        }
    }

    /// Confirmed and pending, newest first.
    package var list: [(subject: Subject, mark: FavoriteMark)] {
        let fresh = pending.reversed().map(\.subject).filter { pendingState[$0] == true && !confirmedSet.contains($0) }
        var seen: Set<String> = []
        return (fresh + confirmed).filter { seen.insert($0).inserted && mark(of: $0).isFavorite }
            .map { (Subject($0), mark(of: $0)) }
    }

    /// A list of favorites with the pending ones laid over it: unset ones hidden, set ones first.
    package func laid(over version: Version) -> Version {
        guard !pending.isEmpty else { return version }
        let present = Set(version.items.map(\.subject))
        var seen: Set<String> = []
        let fresh = pending.reversed().filter { entry in
            pendingState[entry.subject] == true && !present.contains(entry.subject)
                && seen.insert(entry.subject).inserted
        }
        let items =
            fresh.map { entry in
                entry.placeholder
                    ?? Item(id: entry.subject, kind: .movie, subject: entry.subject, body: [])
            } + version.items.filter { pendingState[$0.subject] != false }
        return Version(head: version.head, items: items)
    }
}
