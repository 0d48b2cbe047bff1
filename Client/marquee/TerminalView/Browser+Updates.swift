import MarqueeClient
import MarqueeModel

extension Browser {
    mutating func show(_ update: ScreenUpdate, of id: ScreenID, now: Double) -> [Effect] {
        guard let index = pages.firstIndex(where: { $0.id == id }) else { return [] }
        let before = pages[index]
        let row = Browser.focusedRow(before, self.layout(of: before))
        if !update.isFirst, let old = pages[index].screen { remember(update, since: old, page: index, now: now) }
        pages[index].title = update.screen.title
        pages[index].sections = update.screen.sections.map { PageSection($0) }
        pages[index].screen = update.screen
        pages[index].origin = update.origin
        pages[index].error = nil
        let sections = Set(pages[index].sections.map(\.id))
        pages[index].offsets = pages[index].offsets.filter { sections.contains($0.key) }
        pages[index].focus = Browser.refocused(pages[index])
        let arrived = Browser.takeMoves(&pages[index], since: before)
        // A page that was empty begins at its top; one that is being read stays where it is.
        let layout = self.layout(of: pages[index])
        if before.sections.isEmpty { pages[index].top = 0 }
        // Rows that came before the one with the focus don't push it away.
        if let focus = pages[index].focus, focus.item == before.focus?.item, focus.section == before.focus?.section,
            pages[index].sections[focus.position.section].head.anywhere > 0, let row,
            let newRow = Browser.focusedRow(pages[index], layout)
        {
            pages[index].top += newRow - row
        }
        Browser.reveal(&pages[index], layout)
        return arrived && index == pages.count - 1 ? followFocus() : []
    }

    /// The focus on the same item, wherever it is now; on its neighbour if the item has gone.
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
        // If the person asked for another order, place or more items of a section, that isn't news. A window may also
        // move without a key, such as to the anchor of the command line.
        let asked = Set(
            screen.sections.filter { section in
                old[section: section.id].map {
                    $0.head.sort != section.head.sort || $0.head.window != section.head.window
                        || abs(Int($0.head.first) - Int(section.head.first)) >= max(1, $0.items.count)
                } ?? false || pages[index].moves[section.id] != nil
            }.map(\.id))
        let changed = update.changes.reconfiguredItems + update.changes.batches.flatMap(\.insertedItems)
        for position in changed {
            guard screen.sections.indices.contains(position.section),
                screen.sections[position.section].items.indices.contains(position.item)
            else { continue }
            let section = screen.sections[position.section]
            guard !asked.contains(section.id) else { continue }
            pages[index].glow[ItemKey(section: section.id, item: section.items[position.item].id)] =
                now + Self.glowSeconds
        }
        for section in screen.sections where PageSection(section).isRanked && !asked.contains(section.id) {
            guard let before = old[section: section.id] else { continue }
            let ranks = Dictionary(before.items.filter(PageSection.isShown).enumerated().map { ($1.id, $0) }) {
                first, _ in first
            }
            let shift = Int(section.head.first) - Int(before.head.first)
            for (place, item) in section.items.filter(PageSection.isShown).enumerated() {
                let rank = place + shift
                guard let earlier = ranks[item.id], earlier != rank else { continue }
                pages[index].rises[ItemKey(section: section.id, item: item.id)] = (
                    earlier - rank, now + Self.rankSeconds
                )
            }
        }
        let difference = ScreenDifference(from: old, to: screen, changes: update.changes)
        let words = Browser.words(
            difference, sections: old.sections + screen.sections, asked: asked, language: language)
        for text in words { note(event: text, now: now) }
        for section in screen.sections where !asked.contains(section.id) && section.head.first > 0 {
            guard let before = old[section: section.id], before.head.total < section.head.total,
                before.head.first < section.head.first
            else { continue }
            let (count, name) = (Int(section.head.first - before.head.first), Browser.name(section))
            note(event: language("▲ \(count) new above in \(name)", "▲ \(name): 위에 새 줄 \(count)개"), now: now)
        }
    }

    /// Maximum changes of one update that are put into words.
    private static let toldChanges = 4

    /// - Parameters:
    ///   - sections: of both states, for their titles.
    ///   - asked: sections that the person changed, whose items aren't news.
    static func words(
        _ difference: ScreenDifference, sections: [ScreenSection], asked: Set<String>, language: Language
    ) -> [String] {
        let names = Dictionary(sections.map { ($0.id, Browser.name($0)) }) { $1 }
        func name(of id: String) -> String { names[id] ?? id }
        let offsets = sections.offsets
        func place(_ index: Int, _ section: String) -> Int { index + 1 + offsets[section, default: 0] }
        let all = difference.operations.compactMap { operation -> String? in
            switch operation {
            case .sectionDelete(let section, _): "− \(Browser.name(section))"
            case .sectionInsert(let section, _): "+ \(Browser.name(section))"
            case .sectionMove(let section, let from, let to):
                language(
                    "\(to < from ? "▲" : "▼") \(Browser.name(section)) is now section \(to + 1)",
                    "\(to < from ? "▲" : "▼") \(Browser.name(section)): 이제 \(to + 1)번째 섹션")
            case .sectionUpdate: nil
            case .delete(_, let section, _) where asked.contains(section): nil
            case .insert(_, let section, _) where asked.contains(section): nil
            case .move(_, let section, _, _) where asked.contains(section): nil
            case .update(_, _, let section, _) where asked.contains(section): nil
            case .delete(let item, _, _) where !PageSection.isShown(item): nil
            case .insert(let item, _, _) where !PageSection.isShown(item): nil
            // Only its neighbours changed.
            case .move(let item, _, let from, let to) where from == to || !PageSection.isShown(item): nil
            case .delete(let item, let section, _):
                language(
                    "− \(title(item)) left \(name(of: section))", "− \(title(item)): \(name(of: section))에서 빠짐")
            case .insert(let item, let section, let to):
                language(
                    "+ \(title(item)) in \(name(of: section)), at \(place(to, section))",
                    "+ \(title(item)): \(name(of: section)) \(place(to, section))번째")
            case .move(let item, let section, let from, let to):
                language(
                    "\(to < from ? "▲" : "▼") \(title(item)) \(place(from, section)) → \(place(to, section)) in "
                        + name(of: section),
                    "\(to < from ? "▲" : "▼") \(title(item)): \(name(of: section)) \(place(from, section)) → "
                        + "\(place(to, section))")
            case .update(let old, let new, _, _): update(from: old, to: new, language)
            }
        }
        guard all.count > toldChanges else { return all }
        let rest = all.count - toldChanges + 1
        // The newest note is on top; it should be a change, not the count of the rest.
        return [language("and \(Words.count(rest, "other change"))", "그 밖에 변경 \(Words.number(rest))건")]
            + all.prefix(toldChanges - 1).reversed()
    }

    /// Maximum columns of a title in a note, so that what happened to it still fits.
    private static let titleColumns = 36

    private static func title(_ item: ScreenItem) -> String {
        Canvas.fitted(ItemText(item).title, to: titleColumns)
    }

    private static func update(from old: ScreenItem, to new: ScreenItem, _ language: Language) -> String? {
        var facts = ContentWords.changes(from: old.content, to: new.content, in: language)
        if old.favorite != new.favorite {
            switch new.favorite {
            case .yes: facts.append(language("favorite ★", "즐겨찾기 ★"))
            case .pendingYes: facts.append(language("favorite ☆, not confirmed yet", "즐겨찾기 ☆, 확인 대기 중"))
            case .pendingNo:
                facts.append(language("no longer a favorite, not confirmed yet", "즐겨찾기 해제, 확인 대기 중"))
            case .no: facts.append(language("no longer a favorite", "즐겨찾기 해제"))
            }
        }
        return facts.isEmpty ? nil : "\(title(new)): \(facts.joined(separator: ", "))"
    }

    private static func name(_ section: ScreenSection) -> String {
        let title = Sanitizer.line(section.head.header?.title ?? "")
        // An id may be generated; the section's kind tells a person more.
        return title.isEmpty ? section.head.kind.name : Canvas.fitted(title, to: titleColumns)
    }
}
