@_spi(Admin) import MarqueeClient
import MarqueeModel
import MarqueePresets

extension Browser {
    mutating func pressed(_ key: Key, now: Double) -> [Effect] {
        // The terminal could turn these into signals, but would do so for pasted ones too. They work everywhere.
        switch key {
        case .control("c"): return [.quit]
        case .control("z"): return [.suspend]
        default: break
        }
        if showsHelp { return pressedInHelp(key) }
        if menu != nil { return pressedInMenu(key, now: now) }
        if search?.menu != nil { return pressedInFacets(key) }
        if search?.isTyping == true { return typed(key, now: now) }
        guard let command = KeyTable.commands[key] else { return [] }
        return perform(command, now: now)
    }

    private mutating func perform(_ command: Command, now: Double) -> [Effect] {
        switch command {
        case .up, .down, .left, .right:
            editPage { page, layout in Browser.move(&page, layout, command) }
            return followFocus()
        case .pageUp, .pageDown, .halfPageUp, .halfPageDown:
            let rows = command == .pageUp || command == .pageDown ? viewport.rows : max(1, viewport.rows / 2)
            let isUp = command == .pageUp || command == .halfPageUp
            editPage { page, layout in Browser.scroll(&page, layout, by: isUp ? -rows : rows) }
            return followFocus()
        case .start, .end:
            editPage { page, layout in Browser.jump(&page, layout, toEnd: command == .end) }
            return jumpInSection(toEnd: command == .end)
        case .sectionStart, .sectionEnd: return jumpInSection(toEnd: command == .sectionEnd)
        case .nextSection, .previousSection:
            editPage { page, layout in Browser.jumpSection(&page, layout, forward: command == .nextSection) }
            return followFocus()
        case .open: return enter(now: now)
        case .back: return back(now: now)
        // People press Escape again to be sure, so on the first page it shows no message.
        case .dismiss: return search == nil && pages.count == 1 ? [] : back(now: now)
        case .search:
            if search == nil { search = Search() } else { search?.isTyping = true }
        case .favorite: return focusedItem.map { toggleFavorite($0, now: now) } ?? []
        case .favorites: return openFavorites(now: now)
        case .actions: openMenu(now: now)
        case .facets: openFacets(now: now)
        case .sort: return changeSort(now: now)
        case .window: return changeWindow(now: now)
        case .help:
            showsHelp = true
            helpTop = 0
        case .suspend: return [.suspend]
        case .quit: return [.quit]
        }
        return []
    }

    private mutating func pressedInHelp(_ key: Key) -> [Effect] {
        let last = max(0, KeyTable.bindings.count - BrowserPainter.helpLines(rows: rows))
        switch KeyTable.commands[key] {
        case .quit: return [.quit]
        case .down where helpTop < last: helpTop += 1
        case .up where helpTop > 0: helpTop -= 1
        default: showsHelp = false
        }
        return []
    }

    // MARK: - Actions of items and headers

    private mutating func openMenu(now: Double) {
        let menu = ActionMenu(page, focused: page.focus?.position)
        guard !menu.entries.isEmpty else {
            return say(language("there are no actions here", "여기에는 동작이 없음"), now: now)
        }
        self.menu = menu
    }

    private mutating func pressedInMenu(_ key: Key, now: Double) -> [Effect] {
        guard var menu else { return [] }
        if case .character(let character) = key, let number = character.wholeNumberValue, number > 0 {
            guard menu.entries.indices.contains(number - 1) else { return [] }
            self.menu = nil
            return choose(menu.entries[number - 1], now: now)
        }
        switch KeyTable.commands[key] {
        case .up, .previousSection: menu.move(by: -1)
        case .down, .nextSection: menu.move(by: 1)
        case .open:
            self.menu = nil
            return choose(menu.entries[menu.selected], now: now)
        case .back, .dismiss, .actions:
            self.menu = nil
            return []
        case .quit: return [.quit]
        default: return []
        }
        self.menu = menu
        return []
    }

    private mutating func choose(_ entry: ActionMenu.Entry, now: Double) -> [Effect] {
        let action = entry.action
        if let id = entry.section, let section = page.sections.first(where: { $0.id == id }) {
            return [.show(options(of: section, sort: action.target), on: page.id)]
        }
        if let target = Browser.screen(target: action.target) {
            return target == .favorites ? openFavorites(now: now) : open(target)
        }
        if !action.target.isEmpty {
            say("→ \(Sanitizer.line(action.target))", now: now)
            return []
        }
        switch action.id {
        case "favorite": return entry.item.map { toggleFavorite($0, now: now) } ?? []
        case "info", "open":
            guard let target = entry.item.flatMap({ self.target(of: $0) }) else { break }
            return open(target)
        default: break
        }
        let title = entry.title
        say(language("“\(title)” needs the app; a terminal can't do it", "‘\(title)’: 앱에서만 할 수 있음"), now: now)
        return []
    }

    // MARK: - Search

    /// Maximum bytes of a query, the same as on servers.
    static let maximumQuery = 256

    private mutating func typed(_ key: Key, now: Double) -> [Effect] {
        guard var search else { return [] }
        switch key {
        case .escape: return endSearch()
        case .backspace:
            guard !search.query.isEmpty else { return endSearch() }
            search.query.removeLast()
        // As in a shell.
        case .control("u"): (search.query, search.filters) = ("", [])
        case .control("v"):
            openFacets(now: now)
            return []
        case .character(let character):
            guard append([character], to: &search, now: now) else { return [] }
        case .enter:
            // The results shown may still be those of an older query.
            guard let found = search.found, found.query == search.query else { return [] }
            return found.total == 0 ? [] : enter(now: now)
        case .up, .down, .left, .right, .tab, .backTab:
            if search.page.focus != nil { search.isTyping = false }
            self.search = search
            return []
        default: return []
        }
        return changed(search)
    }

    /// Pasted text goes into the query being typed; anywhere else it does nothing, so its letters don't act as keys.
    mutating func pasted(_ text: String, now: Double) -> [Effect] {
        guard var search, search.isTyping, search.menu == nil, menu == nil, !showsHelp else {
            say(
                language("pasted text is for a search: / first", "붙여넣은 글은 검색에만 쓰임: 먼저 /"), now: now)
            return []
        }
        let words = Sanitizer.line(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !words.isEmpty else { return [] }
        let follows = search.query.last.map { !$0.isWhitespace } == true && text.first?.isWhitespace == true
        guard append((follows ? " " : "") + words, to: &search, now: now) else { return [] }
        return changed(search)
    }

    /// Adds the part that fits, and tells the person if something is left out.
    /// - Returns: whether the query has changed.
    private mutating func append(_ text: some Sequence<Character>, to search: inout Search, now: Double) -> Bool {
        let before = search.query
        for character in text {
            guard search.query.utf8.count + character.utf8.count <= Self.maximumQuery else {
                say(
                    language(
                        "a search has at most \(Self.maximumQuery) bytes; the rest is left out",
                        "검색어는 \(Self.maximumQuery)바이트까지; 나머지는 뺌"), now: now)
                break
            }
            search.query.append(character)
        }
        return search.query != before
    }

    /// Starts a search for a changed query.
    mutating func changed(_ changed: Search) -> [Effect] {
        var search = changed
        search.error = nil
        search.waitsForServer = false
        search.queryID = takeQueryID()
        if search.query.allSatisfy(\.isWhitespace) {
            search.found = nil
            search.facets = []
            search.page.sections = []
            search.page.focus = nil
            self.search = search
            return []
        }
        if isOffline {
            // The mirror holds screens, not the catalogue.
            search.waitsForServer = true
            search.found = nil
            search.page.sections = []
            search.page.focus = nil
            search.error = language(
                "offline: search needs the server, and continues when it is back",
                "오프라인: 검색에는 서버가 필요하며, 다시 연결되면 이어서 찾음")
        }
        self.search = search
        return search.waitsForServer
            ? [] : [.search(search.query, filters: search.filters, queryID: search.queryID)]
    }

    private mutating func endSearch() -> [Effect] {
        search = nil
        return []
    }

    // MARK: - Pages

    private mutating func enter(now: Double) -> [Effect] {
        guard let item = focusedItem else { return [] }
        guard let target = target(of: item) else {
            say(language("there is nothing to open here", "열 것이 없음"), now: now)
            return []
        }
        return open(target)
    }

    /// The screen that an item leads to.
    func target(of item: ScreenItem) -> ScreenID? {
        switch item.content.decoded {
        case .preset(.banner(let banner)):
            if let subject = item.subject, let id = screen(of: subject) { return id }
            return banner.actions.lazy.compactMap { Self.screen(target: $0.target) }.first
                ?? banner.link.flatMap { Self.screen(target: $0) }
        case .card(let card):
            return card.actions.lazy.compactMap { Self.screen(target: $0.target) }.first
                ?? item.subject.flatMap { screen(of: $0) ?? ScreenID($0.name) }
        case .preset(.text(let text)): return text.action.flatMap { Self.screen(target: $0.target) }
        default: return item.subject.flatMap { screen(of: $0) }
        }
    }

    private func screen(of subject: Subject) -> ScreenID? { Self.screen(of: subject, offer) }

    /// The screen that the server offers for a subject; while that is unknown, a genre's own screen or a movie's
    /// details.
    static func screen(of subject: Subject, _ offer: ServerOffer?) -> ScreenID? {
        if let screen = offer?.screen(of: subject) { return screen }
        let prefix = "genre/"
        guard subject.name.hasPrefix(prefix) else { return subject.movie.map { .detail($0) } }
        return subject.name.count > prefix.count ? ScreenID(subject.name) : nil
    }

    /// Links that leave the app are not screens.
    private static func screen(target: String) -> ScreenID? {
        guard !target.isEmpty, !target.contains(":"), target.utf8.count <= ScreenID.maximumLength else { return nil }
        return ScreenID(target)
    }

    private mutating func open(_ id: ScreenID) -> [Effect] {
        // On the way back, keys move among the results.
        search?.isTyping = false
        var effects: [Effect] = []
        // A page further down moves to the top, so no screen is on the stack twice.
        if let index = pages.firstIndex(where: { $0.id == id }) {
            pages.append(pages.remove(at: index))
            search = nil
            // A screen that failed is requested again.
            return pages[pages.count - 1].error == nil ? [] : [.open(id)]
        }
        if pages.count == Self.maximumPages {
            let left = pages.remove(at: 1).id
            searches[left] = nil
            effects.append(.leave(left))
        }
        pages.append(Page(id))
        return effects + [.open(id)]
    }

    private mutating func back(now: Double) -> [Effect] {
        if search != nil { return endSearch() }
        guard pages.count > 1, let page = pages.popLast() else {
            say(language("this is the first page; q quits", "첫 화면임; q로 끝냄"), now: now)
            return []
        }
        return [.leave(page.id)]
    }

    // MARK: - Actions

    /// The item with the focus.
    var focusedItem: ScreenItem? { page.focus.flatMap { page.item(at: $0.position) } }

    var focusedSection: PageSection? {
        guard let position = page.focus?.position, page.sections.indices.contains(position.section) else { return nil }
        return page.sections[position.section]
    }

    /// Whether there is a user; tells the person if not.
    private mutating func hasUser(now: Double) -> Bool {
        guard user == nil else { return true }
        say(
            language(
                "favorites need a user: start again with --user NAME", "즐겨찾기에는 사용자가 필요함: --user 이름"),
            now: now)
        return false
    }

    /// The client decides whether to set or unset: what is shown here may be older than the last press, and two quick
    /// presses must end where they began.
    private mutating func toggleFavorite(_ item: ScreenItem, now: Double) -> [Effect] {
        guard hasUser(now: now) else { return [] }
        guard let subject = item.subject else {
            say(language("this can't be a favorite", "즐겨찾기할 수 없는 항목"), now: now)
            return []
        }
        return [.toggleFavorite(subject)]
    }

    private mutating func openFavorites(now: Double) -> [Effect] {
        guard hasUser(now: now) else { return [] }
        return page.id == .favorites ? [] : open(.favorites)
    }

    private mutating func changeSort(now: Double) -> [Effect] {
        guard search == nil, let section = focusedSection, section.head.sorts.count > 1 else {
            say(language("this section has only one order", "이 섹션은 정렬이 하나뿐임"), now: now)
            return []
        }
        let sorts = section.head.sorts
        let current = sorts.firstIndex { $0.id == section.head.sort } ?? 0
        let next = sorts[(current + 1) % sorts.count]
        return [.show(options(of: section, sort: next.id), on: page.id)]
    }

    private mutating func changeWindow(now: Double) -> [Effect] {
        guard search == nil, let section = focusedSection, section.head.windows.count > 1 else {
            say(language("this section has no more to show", "이 섹션은 더 보일 것이 없음"), now: now)
            return []
        }
        let windows = section.head.windows.sorted()
        // The largest step is followed by the smallest: show less.
        let next = windows.first { $0 > section.head.window && section.head.hasMore } ?? windows[0]
        return [.show(options(of: section, window: next), on: page.id)]
    }

    /// Options of one section; those of the others stay as the client has them.
    func options(
        of section: PageSection, sort: String? = nil, window: UInt32? = nil, place: WindowPlace? = nil
    ) -> [SectionOptions] {
        let head = section.head
        return [
            SectionOptions(
                section: section.id, sort: sort ?? (head.sort.isEmpty ? nil : head.sort),
                window: (window ?? (head.window == 0 ? nil : head.window)).map { Int($0) }, place: place)
        ]
    }
}
