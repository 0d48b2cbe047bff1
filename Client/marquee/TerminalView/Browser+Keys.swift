import MarqueeClient
import MarqueeModel

extension Browser {
    mutating func pressed(_ key: Key, now: Double) -> [Effect] {
        if showsHelp {
            showsHelp = false
            return key == .character("q") ? [.quit] : []
        }
        if search?.isTyping == true { return typed(key, now: now) }
        switch key {
        case .up, .down, .left, .right:
            editPage { page, layout in Browser.move(&page, layout, key) }
            return []
        case .pageUp, .pageDown:
            let rows = viewport.rows
            editPage { page, layout in Browser.scroll(&page, layout, by: key == .pageUp ? -rows : rows) }
            return []
        case .home:
            editPage { page, layout in Browser.jump(&page, layout, toEnd: false) }
            return []
        case .end:
            editPage { page, layout in Browser.jump(&page, layout, toEnd: true) }
            return []
        case .tab, .backTab:
            editPage { page, layout in Browser.jumpSection(&page, layout, forward: key == .tab) }
            return []
        case .enter: return enter(now: now)
        case .backspace: return back(now: now)
        // Whoever wants to be sure types it once more than needed: on the first page it says nothing.
        case .escape: return search == nil && pages.count == 1 ? [] : back(now: now)
        case .character(let character): return command(character, now: now)
        }
    }

    private mutating func command(_ character: Character, now: Double) -> [Effect] {
        switch character {
        case "q": return [.quit]
        case "?":
            showsHelp = true
            return []
        case "/":
            if var search {
                search.isTyping = true
                self.search = search
            } else {
                search = Search()
            }
            return []
        case "f": return toggleFavorite(now: now)
        case "s": return changeSort(now: now)
        case "m": return changeWindow(now: now)
        default: return []
        }
    }

    // MARK: - Search

    /// Characters of a query, at most.
    private static let maximumQuery = 80

    private mutating func typed(_ key: Key, now: Double) -> [Effect] {
        guard var search else { return [] }
        switch key {
        case .escape: return endSearch()
        case .backspace:
            guard !search.query.isEmpty else { return endSearch() }
            search.query.removeLast()
        case .character(let character):
            guard search.query.count < Self.maximumQuery else { return [] }
            search.query.append(character)
        case .enter:
            // What shows may still be of an older query, and is not what was meant.
            guard let found = search.found, found.query == search.query else { return [] }
            return found.total == 0 ? [] : enter(now: now)
        case .up, .down, .left, .right, .tab, .backTab:
            if search.page.focus != nil { search.isTyping = false }
            self.search = search
            return []
        default: return []
        }
        search.error = nil
        search.queryID = takeQueryID()
        if search.query.allSatisfy(\.isWhitespace) {
            search.found = nil
            search.page.sections = []
            search.page.focus = nil
            self.search = search
            return []
        }
        self.search = search
        return [.search(search.query, queryID: search.queryID)]
    }

    private mutating func endSearch() -> [Effect] {
        search = nil
        return []
    }

    // MARK: - Pages

    private mutating func enter(now: Double) -> [Effect] {
        guard let item = focusedItem else { return [] }
        guard let target = Browser.target(of: item) else {
            say("there is nothing to open here", now: now)
            return []
        }
        search = nil
        return open(target)
    }

    /// The screen that an item leads to.
    static func target(of item: ScreenItem) -> ScreenID? {
        switch item.content {
        case .banner(let banner):
            if let subject = item.subject, let id = screen(of: subject) { return id }
            return banner.actions.lazy.compactMap { screen(target: $0.target) }.first
                ?? banner.link.flatMap { screen(target: $0) }
        case .text(let text): return text.action.flatMap { screen(target: $0.target) }
        default: return item.subject.flatMap { screen(of: $0) }
        }
    }

    private static func screen(of subject: Subject) -> ScreenID? {
        guard let slash = subject.name.firstIndex(of: "/") else { return nil }
        let id = subject.name[subject.name.index(after: slash)...]
        guard !id.isEmpty else { return nil }
        return ScreenID(subject.name.hasPrefix("genre/") ? "genre/\(id)" : "detail/\(id)")
    }

    /// Links that leave the app are no screens.
    private static func screen(target: String) -> ScreenID? {
        guard !target.isEmpty, !target.contains(":"), target.utf8.count <= ScreenID.maximumLength else { return nil }
        return ScreenID(target)
    }

    private mutating func open(_ id: ScreenID) -> [Effect] {
        var effects: [Effect] = []
        // A page that lies below is taken out, so that no screen stands on the stack twice.
        if let index = pages.firstIndex(where: { $0.id == id }) {
            pages.append(pages.remove(at: index))
            return []
        }
        if pages.count == Self.maximumPages { effects.append(.leave(pages.remove(at: 1).id)) }
        pages.append(Page(id))
        return effects + [.open(id)]
    }

    private mutating func back(now: Double) -> [Effect] {
        if search != nil { return endSearch() }
        guard pages.count > 1, let page = pages.popLast() else {
            say("this is the first page; q quits", now: now)
            return []
        }
        return [.leave(page.id)]
    }

    // MARK: - Actions

    /// What the focus is on.
    var focusedItem: ScreenItem? {
        guard let position = page.focus?.position, page.sections.indices.contains(position.section),
            page.sections[position.section].items.indices.contains(position.item)
        else { return nil }
        return page.sections[position.section].items[position.item]
    }

    private var focusedSection: PageSection? {
        guard let position = page.focus?.position, page.sections.indices.contains(position.section) else { return nil }
        return page.sections[position.section]
    }

    private mutating func toggleFavorite(now: Double) -> [Effect] {
        guard user != nil else {
            say("favorites need a user: start again with --user NAME", now: now)
            return []
        }
        guard let item = focusedItem, let subject = item.subject, subject.movie != nil else {
            say("only movies can be favorites", now: now)
            return []
        }
        return [.setFavorite(subject, !item.favorite.isFavorite)]
    }

    private mutating func changeSort(now: Double) -> [Effect] {
        guard search == nil, let section = focusedSection, section.head.sorts.count > 1 else {
            say("this section has one order only", now: now)
            return []
        }
        let sorts = section.head.sorts
        let current = sorts.firstIndex { $0.id == section.head.sort } ?? 0
        let next = sorts[(current + 1) % sorts.count]
        return [.show(options(of: section, sort: next.id), on: page.id)]
    }

    private mutating func changeWindow(now: Double) -> [Effect] {
        guard search == nil, let section = focusedSection, section.head.windows.count > 1 else {
            say("there is no more of this section", now: now)
            return []
        }
        let windows = section.head.windows.sorted()
        // After the largest step the smallest: show less.
        let next = windows.first { $0 > section.head.window && section.head.hasMore } ?? windows[0]
        return [.show(options(of: section, window: next), on: page.id)]
    }

    /// Options of one section; those of the others stay as the client has them.
    private func options(of section: PageSection, sort: String? = nil, window: UInt32? = nil) -> [SectionOptions] {
        let head = section.head
        return [
            SectionOptions(
                section: section.id, sort: sort ?? (head.sort.isEmpty ? nil : head.sort),
                window: window ?? (head.window == 0 ? nil : head.window))
        ]
    }
}
