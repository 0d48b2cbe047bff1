import MarqueeClient
import MarqueeModel

extension Browser {
    mutating func take(_ update: ScreenUpdate, of id: ScreenID, now: Double) {
        guard let index = pages.firstIndex(where: { $0.id == id }) else { return }
        let before = pages[index].sections
        if !update.isFirst, let old = pages[index].screen { remember(update, since: old, page: index, now: now) }
        pages[index].title = update.screen.title
        pages[index].sections = update.screen.sections.map { PageSection($0) }
        pages[index].screen = update.screen
        pages[index].origin = update.origin
        pages[index].error = nil
        let sections = Set(pages[index].sections.map(\.id))
        pages[index].offsets = pages[index].offsets.filter { sections.contains($0.key) }
        pages[index].focus = Browser.refocused(pages[index])
        // An empty page that fills begins at its top; one that was being read stays where the reader is.
        let layout = layout(of: pages[index])
        if before.isEmpty { pages[index].top = 0 }
        Browser.reveal(&pages[index], layout)
    }

    /// The focus on the same item, wherever it is now; on its neighbour if it has gone.
    private static func refocused(_ page: Page) -> Focus? {
        guard let old = page.focus else { return firstFocus(page) }
        guard let section = page.sections.firstIndex(where: { $0.id == old.section }) else { return firstFocus(page) }
        let items = page.sections[section].items
        if let item = items.firstIndex(where: { $0.id == old.item }) {
            return focus(page, at: ItemPosition(section: section, item: item))
        }
        guard !items.isEmpty else { return firstFocus(page) }
        return focus(page, at: ItemPosition(section: section, item: min(old.position.item, items.count - 1)))
    }

    private static func firstFocus(_ page: Page) -> Focus? {
        page.sections.firstIndex { !$0.items.isEmpty }
            .flatMap { focus(page, at: ItemPosition(section: $0, item: 0)) }
    }

    // MARK: - What changed

    private mutating func remember(_ update: ScreenUpdate, since old: Screen, page index: Int, now: Double) {
        let screen = update.screen
        let changed = update.changes.reconfiguredItems + update.changes.batches.flatMap(\.insertedItems)
        for position in changed {
            guard screen.sections.indices.contains(position.section),
                screen.sections[position.section].items.indices.contains(position.item)
            else { continue }
            let section = screen.sections[position.section]
            pages[index].glow[ItemKey(section: section.id, item: section.items[position.item].id)] =
                now + Self.glowSeconds
        }
        for section in screen.sections where PageSection(section).isRanked {
            guard let before = old[section: section.id] else { continue }
            let ranks = Dictionary(before.items.filter(PageSection.isShown).enumerated().map { ($1.id, $0) }) {
                first, _ in first
            }
            for (rank, item) in section.items.filter(PageSection.isShown).enumerated() {
                guard let earlier = ranks[item.id], earlier != rank else { continue }
                pages[index].rises[ItemKey(section: section.id, item: item.id)] = (
                    earlier - rank, now + Self.rankSeconds
                )
            }
        }
        let difference = ScreenDifference(from: old, to: screen, changes: update.changes)
        for text in Browser.words(difference, sections: old.sections + screen.sections) { note(event: text) }
    }

    /// Of one update only so many changes are told in words.
    private static let toldChanges = 4

    /// - Parameter sections: of both states, for their titles.
    static func words(_ difference: ScreenDifference, sections: [ScreenSection]) -> [String] {
        let names = Dictionary(sections.map { ($0.id, Browser.name($0)) }) { $1 }
        func name(of id: String) -> String { names[id] ?? id }
        let all = difference.operations.compactMap { operation -> String? in
            switch operation {
            case .sectionDelete(let section, _): "− \(Browser.name(section))"
            case .sectionInsert(let section, _): "+ \(Browser.name(section))"
            case .sectionMove(let section, let from, let to):
                "\(to < from ? "▲" : "▼") \(Browser.name(section)) is section \(to + 1) now"
            case .sectionUpdate: nil
            case .delete(let item, _, _) where !PageSection.isShown(item): nil
            case .insert(let item, _, _) where !PageSection.isShown(item): nil
            // Where it was among others: a step of the way, and no news.
            case .move(let item, _, let from, let to) where from == to || !PageSection.isShown(item): nil
            case .delete(let item, let section, _): "− \(title(item)) left \(name(of: section))"
            case .insert(let item, let section, let to): "+ \(title(item)) in \(name(of: section)), at \(to + 1)"
            case .move(let item, let section, let from, let to):
                "\(to < from ? "▲" : "▼") \(title(item)) \(from + 1) → \(to + 1) in \(name(of: section))"
            case .update(let old, let new, _, _): update(from: old, to: new)
            }
        }
        guard all.count > toldChanges else { return all }
        return all.prefix(toldChanges - 1) + ["and \(Words.count(all.count - toldChanges + 1, "other change"))"]
    }

    /// Columns of a title among what happened to it, at most; what happened is not to be cut.
    private static let titleColumns = 36

    private static func title(_ item: ScreenItem) -> String {
        Canvas.fitted(ItemText(item).title, to: titleColumns)
    }

    private static func update(from old: ScreenItem, to new: ScreenItem) -> String? {
        var facts = ContentWords.changes(from: old.content, to: new.content)
        if old.favorite != new.favorite {
            switch new.favorite {
            case .yes: facts.append("favorite ★")
            case .pendingYes: facts.append("favorite ☆, not confirmed yet")
            case .pendingNo: facts.append("no favorite any more, not confirmed yet")
            case .no: facts.append("no favorite any more")
            }
        }
        return facts.isEmpty ? nil : "\(title(new)): \(facts.joined(separator: ", "))"
    }

    private static func name(_ section: ScreenSection) -> String {
        let title = Sanitizer.line(section.head.header?.title ?? "")
        // An id may be made by a machine; what kind of section it is tells a person more.
        return title.isEmpty ? section.head.kind.name : Canvas.fitted(title, to: titleColumns)
    }
}
