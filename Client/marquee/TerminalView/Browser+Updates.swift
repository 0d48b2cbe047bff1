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
            let ranks = Dictionary(before.items.enumerated().map { ($1.id, $0) }) { first, _ in first }
            for (rank, item) in section.items.enumerated() {
                guard let earlier = ranks[item.id], earlier != rank else { continue }
                pages[index].rises[ItemKey(section: section.id, item: item.id)] = (
                    earlier - rank, now + Self.rankSeconds
                )
            }
        }
        for text in Browser.words(ScreenDifference(from: old, to: screen, changes: update.changes)) {
            note(event: text)
        }
    }

    /// Of one update only so many changes are told in words.
    private static let toldChanges = 4

    static func words(_ difference: ScreenDifference) -> [String] {
        let all = difference.operations.compactMap { operation -> String? in
            switch operation {
            case .sectionDelete(let section, _): "− \(name(section))"
            case .sectionInsert(let section, _): "+ \(name(section))"
            case .sectionMove(let section, let from, let to):
                "\(to < from ? "▲" : "▼") \(name(section)) is section \(to + 1) now"
            case .sectionUpdate: nil
            case .delete(let item, let section, _): "− \(ItemText(item).title) left \(section)"
            case .insert(let item, let section, let to): "+ \(ItemText(item).title) in \(section), at \(to + 1)"
            case .move(let item, let section, let from, let to):
                "\(to < from ? "▲" : "▼") \(ItemText(item).title) \(from + 1) → \(to + 1) in \(section)"
            case .update(let old, let new, _, _): update(from: old, to: new)
            }
        }
        guard all.count > toldChanges else { return all }
        return all.prefix(toldChanges - 1) + ["and \(Words.count(all.count - toldChanges + 1, "other change"))"]
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
        return facts.isEmpty ? nil : "\(ItemText(new).title): \(facts.joined(separator: ", "))"
    }

    private static func name(_ section: ScreenSection) -> String {
        let title = Sanitizer.line(section.head.header?.title ?? "")
        return title.isEmpty ? section.id : title
    }
}
