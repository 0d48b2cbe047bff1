import Foundation
package import MarqueeDiff
package import MarqueeMirror
package import MarqueeModel
import MarqueeWire

/// Everything shown of one screen at one moment, as immutable values: confirmed content with the user's collections
/// laid over it.
package struct ScreenState: Sendable {
    package struct Section: Sendable {
        package let id: String
        /// The version shown; differs from the confirmed one only where a member is pending.
        package let shown: Version
        /// The head of `shown`.
        package let head: SectionHead
        package let placeholders: Int
        package let sum: UInt64
    }

    package let id: ViewID
    package let title: String
    /// Sections that are left out because the client has no user.
    package let needsUser: [String]
    package private(set) var sections: [Section]
    package let cut: Cut
    package let sum: UInt64
    package let asOf: Double
    package let origin: ScreenUpdate.Origin
    package let collections: CollectionsOverlay
    package let damaged: [String]
    /// Whether the mirror has it; otherwise it is shown from memory and lost when the process ends.
    package let isStored: Bool
    package let lastError: ClientError?
    let sectionErrors: [String: ClientError]

    /// - Parameter proven: the items to show of damaged sections.
    init(
        id: ViewID, content: SyncCore.ViewContent, cut: Cut, asOf: Double, origin: ScreenUpdate.Origin,
        collections: CollectionsOverlay, damaged: [String], isStored: Bool = true, lastError: ClientError? = nil,
        sectionErrors: [String: ClientError] = [:], proven: [String: Version] = [:]
    ) {
        self.id = id
        self.cut = cut
        self.asOf = asOf
        self.origin = origin
        self.collections = collections
        self.damaged = damaged
        self.isStored = isStored
        self.lastError = lastError
        self.sectionErrors = sectionErrors
        let viewHead = BodyCodec.decodeViewHead(content.list.head)
        title = viewHead?.title ?? id.screen
        needsUser = viewHead?.needsUser ?? []
        sum = Sum.screen(view: content.list, sectionSums: content.sections.mapValues(\.sum))
        sections = content.list.items.compactMap { item -> Section? in
            guard let version = content.sections[item.id] ?? proven[item.id] else { return nil }
            var head = BodyCodec.decodeSectionHead(version.head) ?? SectionHead(kind: SectionKind(rawValue: 0))
            var shown = version
            if let collection = head.listed.map({ collections[$0] }), !collection.pending.isEmpty {
                let laid = collection.laid(over: Array(version.items), of: head.total, from: head.first)
                var bytes = version.head
                if (laid.total, laid.first) != (head.total, head.first) {
                    (head.total, head.first) = (laid.total, laid.first)
                    bytes = BodyCodec.encode(head)
                }
                shown = Version(head: bytes, items: laid.items)
            }
            // A section known to be empty is not waiting for anything.
            let isEmpty = shown.items.isEmpty && head.total == 0
            let placeholders = BodyCodec.decodeSectionReference(item.body)?.placeholders ?? 0
            return Section(
                id: item.id, shown: shown, head: head, placeholders: isEmpty ? 0 : Int(placeholders), sum: version.sum)
        }
    }

    /// The same state with fewer items in some sections.
    /// - Parameter steps: the number of items to show of a section, by its id.
    func narrowed(to steps: [String: UInt32]) -> ScreenState {
        if steps.isEmpty { return self }
        var narrow = self
        narrow.sections = sections.map { section in
            guard let step = steps[section.id] else { return section }
            var head = section.head
            head.window = step
            head.hasMore = head.total > step
            // A footer that offers more or fewer items refers to the window of other readers.
            if head.footer?.actions.contains(where: { ["more", "close"].contains($0.id) }) == true {
                head.footer = nil
            }
            return Section(
                id: section.id,
                shown: Version(
                    head: BodyCodec.encode(head), items: Array(section.shown.items.prefix(Int(clamping: step)))),
                head: head, placeholders: min(section.placeholders, Int(clamping: step)), sum: section.sum)
        }
        return narrow
    }

    package var favorites: CollectionOverlay { collections.favorites }

    var screen: Screen {
        Screen(
            id: ScreenID(id.screen), locale: id.locale, title: title,
            sections: sections.map { section in
                ScreenSection(
                    id: section.id, head: section.head,
                    items: section.shown.items.map { ScreenItem($0, collections.favorites) },
                    placeholders: section.placeholders, sum: section.sum)
            }, needsUser: needsUser, revision: cut, sum: sum,
            asOf: Date(timeIntervalSince1970: asOf), isLive: origin == .live, damagedSections: damaged)
    }

    /// Pending changes of the collections that it lists, and of the favorites among its items.
    var pendingChanges: Int {
        if collections.pendingCount == 0 { return 0 }
        let listed = Set(sections.compactMap(\.head.listed))
        let count = listed.reduce(0) { $0 + collections[$1].pendingCount }
        if listed.contains(.favorites) || favorites.pendingCount == 0 { return count }
        let subjects = Set(sections.flatMap { $0.shown.items.map(\.subject) })
        return count + subjects.count { favorites.mark(of: $0).isPending }
    }

    var status: ScreenStatus {
        ScreenStatus(
            isLive: origin == .live, revision: cut, asOf: asOf == 0 ? nil : Date(timeIntervalSince1970: asOf),
            isStored: isStored,
            pendingFavorites: favorites.pendingCount, pendingChanges: pendingChanges, lastError: lastError,
            sectionErrors: sectionErrors,
            damagedSections: damaged)
    }

    /// The changes since an earlier state of the same screen.
    func changes(since old: ScreenState) -> ScreenChanges {
        var changes = ScreenChanges.between(
            old: old.sections.map { ($0.id, $0.shown) }, new: sections.map { ($0.id, $0.shown) })
        let favorites = favorites
        let oldFavorites = old.favorites
        guard oldFavorites.stamp != favorites.stamp else { return changes }
        // A star is drawn inside the cell: items whose mark has changed are reconfigured too.
        var reconfigured = Set(changes.reconfiguredItems)
        let before = Dictionary(old.sections.map { ($0.id, Set($0.shown.items.map(\.id))) }) { a, _ in a }
        for (index, section) in sections.enumerated() {
            guard let known = before[section.id] else { continue }
            for (position, item) in section.shown.items.enumerated()
            where known.contains(item.id) && !oldFavorites.marks(item.subject, like: favorites) {
                reconfigured.insert(ItemPosition(section: index, item: position))
            }
        }
        changes.reconfiguredItems = reconfigured.sorted()
        return changes
    }
}

extension SectionHead {
    /// The collection that the section lists, over which pending members are laid. Heads stored by mirrors that knew
    /// only favorites don't name it.
    var listed: CollectionName? {
        if kind == .collectionSet { return nil }
        return collection ?? (kind == .favorites ? .favorites : nil)
    }
}

extension ScreenItem {
    init(_ item: Item, _ favorites: CollectionOverlay) {
        self.init(
            item: item, favorite: favorites.mark(of: item.subject), favoriteError: favorites.rejected[item.subject])
    }
}
