@_spi(Admin) import MarqueeClient
import MarqueeLayout
import MarqueeModel

/// The state of the terminal view, as a person sees it and acts on it: `(event, now) -> effects`, without a terminal, a
/// clock or a connection.
///
/// Pages form a stack: Enter opens one, Backspace returns. The focus belongs to an item, by its id, so it stays with
/// the item when the item moves. Times are seconds of any one clock.
struct Browser: Sendable {
    /// Maximum pages on the stack; beyond that, the oldest one above the first is dropped.
    static let maximumPages = 16
    /// Maximum changes that are remembered.
    static let maximumEvents = 50
    /// Seconds that a changed item glows.
    static let glowSeconds = 1.5
    /// Seconds for which a moved item shows how many ranks it moved.
    static let rankSeconds = 6.0
    /// Seconds that a note about a change stays.
    static let noteSeconds = 15.0

    enum Event: Sendable {
        case key(Key)
        /// Text that was pasted.
        case text(String)
        /// A state of a screen that was opened.
        case update(ScreenID, ScreenUpdate)
        /// The server has said what it offers.
        case offered(ServerOffer)
        /// A screen that was opened can't be shown.
        case failed(ScreenID, String)
        case client(ClientEvent)
        /// The number of unconfirmed favorites; a screen doesn't report those that it doesn't show.
        case pendingFavorites(Int)
        case found(queryID: UInt64, Result<SearchPage, ClientError>)
        case resized(columns: Int, rows: Int)
        /// Time has passed.
        case tick
    }

    enum Effect: Hashable, Sendable {
        case open(ScreenID)
        case leave(ScreenID)
        /// Sets or unsets it, depending on its state when the client receives this.
        case toggleFavorite(Subject)
        case show([SectionOptions], on: ScreenID)
        /// - Parameter filters: the chosen values of facets.
        case search(String, filters: [FacetValue] = [], queryID: UInt64)
        /// Gives the terminal back to the shell for a while.
        case suspend
        case quit
    }

    /// An item, by its identity and its last position.
    struct Focus: Hashable, Sendable {
        var section: String
        var item: String
        var position: ItemPosition
    }

    /// An item for which something is shown for a while.
    struct ItemKey: Hashable, Sendable {
        var section: String
        var item: String
    }

    struct Page: Sendable {
        let id: ScreenID
        var title = ""
        var sections: [PageSection] = []
        var screen: Screen?
        var origin = ScreenUpdate.Origin.store
        var error: String?
        var focus: Focus?
        /// The first visible row of cells.
        var top = 0
        /// How far sections are scrolled sideways, in points, by id.
        var offsets: [String: Double] = [:]
        /// Until when items glow.
        var glow: [ItemKey: Double] = [:]
        /// How many ranks an item rose (or fell, below zero), and until when that shows.
        var rises: [ItemKey: (ranks: Int, until: Double)] = [:]
        /// Windows that were asked for and haven't come yet, by section.
        var moves: [String: WindowMove] = [:]

        init(_ id: ScreenID) {
            self.id = id
            title = id.name
        }

        func item(at position: ItemPosition) -> ScreenItem? {
            guard sections.indices.contains(position.section),
                sections[position.section].items.indices.contains(position.item)
            else { return nil }
            return sections[position.section].items[position.item]
        }
    }

    struct Search: Sendable {
        var query = ""
        var queryID: UInt64 = 0
        /// Whether keys go into the query; otherwise they move among the results.
        var isTyping = true
        var found: (total: Int, isCapped: Bool, query: String)?
        var error: String?
        /// Whether the query could not be sent for lack of a connection; it is sent when there is one.
        var waitsForServer = false
        /// The values of facets among the matches: fields in the server's order, the most frequent value first.
        var facets: [FacetValue] = []
        /// The chosen values, which all matches have.
        var filters: [FacetValue] = []
        /// The values to choose from, while they are shown.
        var menu: FacetMenu?
        var page = Page(ScreenID("search"))
    }

    let server: String
    let user: String?
    /// The requested locale; a screen may come in another.
    let locale: String
    let wallClock: @Sendable () -> Double
    private(set) var columns: Int
    private(set) var rows: Int
    var pages: [Page]
    /// Searches, by the page on which each began. One that led to another page waits there until the person returns.
    var searches: [ScreenID: Search] = [:]
    var showsHelp = false
    /// The first visible line of the help, if the help doesn't fit.
    var helpTop = 0
    var menu: ActionMenu?
    /// Favorites that are not confirmed yet, on whichever screen.
    private(set) var pendingFavorites = 0
    private(set) var connection = ConnectionState.idle
    /// The newest position that the server has reported.
    private(set) var newest: Cut?
    /// The screens that the server offers; `nil` until it has answered.
    private(set) var offer: ServerOffer?
    /// The latest changes, the newest last, and how long each is shown.
    private(set) var events: [(text: String, until: Double)] = []
    /// A short message to the person, and until when.
    private(set) var notice: (text: String, until: Double)?
    private var nextQueryID: UInt64 = 1

    /// - Parameters:
    ///   - server: as a person names it.
    ///   - locale: the requested language.
    ///   - wallClock: gives seconds since 1970, to say how old something is.
    init(
        screen: ScreenID, server: String, user: String?, locale: String, columns: Int, rows: Int,
        wallClock: @escaping @Sendable () -> Double
    ) {
        self.server = server
        self.user = user
        self.locale = locale
        self.columns = columns
        self.rows = rows
        self.wallClock = wallClock
        pages = [Page(screen)]
    }

    // MARK: - What is shown

    /// Lines below the title for the latest changes: the first place a person looks.
    var eventLines: Int { rows >= 40 ? 2 : rows >= 10 ? 1 : 0 }
    /// The area of the page: below the title and the changes, above the status.
    var viewport: CellRect {
        let above = 1 + facetLines + eventLines
        return CellRect(column: 0, row: above, columns: columns, rows: max(1, rows - 1 - above))
    }
    /// The language of the view's own words: that of the page.
    var language: Language {
        Language(locale: page.screen?.locale ?? pages[pages.count - 1].screen?.locale ?? locale)
    }
    /// Whether the server can't be reached now.
    var isOffline: Bool {
        switch connection {
        case .waiting, .failed, .closed: true
        case .idle, .connecting, .connected: false
        }
    }
    var scale: GridScale { GridScale(columns: columns, rows: viewport.rows) }
    /// The search on the page on top, if there is one.
    var search: Search? {
        get { searches[pages[pages.count - 1].id] }
        set { searches[pages[pages.count - 1].id] = newValue }
    }
    /// The page that keys go to.
    var page: Page { search?.page ?? pages[pages.count - 1] }

    func layout(of page: Page) -> PageLayout { PageLayout(page.sections, scale: scale, language: language) }

    /// Whether something on the screen expires by itself, so that it has to be drawn again soon.
    var isMoving: Bool { !page.glow.isEmpty || !page.rises.isEmpty || notice != nil || !events.isEmpty }

    // MARK: - Events

    mutating func handle(_ event: Event, now: Double) -> [Effect] {
        expire(now)
        switch event {
        case .key(let key): return pressed(key, now: now)
        case .text(let text): return pasted(text, now: now)
        case .update(let id, let update):
            pendingFavorites = update.status.pendingFavorites
            return show(update, of: id, now: now)
        case .offered(let offer):
            self.offer = offer
            return []
        case .failed(let id, let message):
            for index in pages.indices where pages[index].id == id {
                pages[index].error = message
                pages[index].moves = [:]
            }
            note(event: "\(id): \(message)", now: now)
            return []
        case .client(let event): return heard(event, now: now)
        case .pendingFavorites(let count):
            pendingFavorites = count
            return []
        case .found(let queryID, let result):
            found(result, of: queryID)
            return []
        case .resized(let columns, let rows):
            self.columns = columns
            self.rows = rows
            editPage { page, layout in Browser.reveal(&page, layout) }
            return []
        case .tick: return []
        }
    }

    private mutating func expire(_ now: Double) {
        if let until = notice?.until, until <= now { notice = nil }
        events.removeAll { $0.until <= now }
        func expire(_ page: inout Page) {
            page.glow = page.glow.filter { $0.value > now }
            page.rises = page.rises.filter { $0.value.until > now }
        }
        for index in pages.indices { expire(&pages[index]) }
        searches = searches.mapValues { search in
            var search = search
            expire(&search.page)
            return search
        }
    }

    private mutating func heard(_ event: ClientEvent, now: Double) -> [Effect] {
        let language = language
        switch event {
        case .state(let state):
            connection = state
            // Refused screens are requested again: the server may be a different one, or have them by now.
            if case .connected = state {
                for index in pages.indices { pages[index].moves = [:] }
                return pages.compactMap { $0.error == nil ? nil : .open($0.id) } + searchAgain()
            }
        case .progress(let cut): newest = cut
        case .changeRejected(_, let subject, let error):
            say(language("\(subject) was refused: \(error)", "\(subject): 거절됨, \(error)"), now: now)
        case .changesHeldUp(_, let error):
            say(language("changes are waiting: \(error.message)", "변경 대기 중: \(error.message)"), now: now)
        case .changesLost(let count):
            say(
                language(
                    "\(Words.count(count, "pending change")) could not be rescued",
                    "대기 중이던 변경 \(Words.number(count))개를 살리지 못함"), now: now)
        case .optionsRefused(let id, let error):
            for index in pages.indices where pages[index].id == id { pages[index].moves = [:] }
            say(error.message, now: now)
        case .tokenRefused(let error): say(error.message, now: now)
        case .mirrorRecovered(let path, _):
            say(
                language(
                    "the mirror was unreadable and was moved to \(path)", "미러를 읽을 수 없어 \(path)(으)로 옮김"),
                now: now)
        case .mirrorDamaged(let damage):
            say(
                language(
                    "\(Words.count(damage.count, "stored section")) damaged; fetched again when shown",
                    "저장된 섹션 \(damage.count)개 손상; 표시할 때 다시 받음"), now: now)
        case .mirrorProblem(let error): say(error.message, now: now)
        }
        return []
    }

    /// Sends the query that could not be sent.
    private mutating func searchAgain() -> [Effect] {
        guard var search, search.waitsForServer else { return [] }
        search.waitsForServer = false
        search.error = nil
        search.queryID = takeQueryID()
        self.search = search
        return [.search(search.query, filters: search.filters, queryID: search.queryID)]
    }

    private mutating func found(_ result: Result<SearchPage, ClientError>, of queryID: UInt64) {
        // The answer to an older query may come late, when it is no longer wanted.
        guard let id = searches.first(where: { $0.value.queryID == queryID })?.key, var search = searches[id] else {
            return
        }
        switch result {
        case .failure(let error):
            search.error = error.message
        case .success(let page):
            search.error = nil
            search.found = (Int(page.total), page.isTotalCapped, search.query)
            search.facets = page.facets.sorted { $0.key < $1.key }.flatMap { field, values in
                values.map { FacetValue(field: field, value: $0.value, count: $0.count) }
            }
            var head = SectionHead(kind: .grid)
            head.layout = PageSection.searchLayout
            search.page.sections = [PageSection(id: "found", head: head, items: page.items)]
            search.page.top = 0
            search.page.focus = Browser.focus(search.page, at: ItemPosition(section: 0, item: 0))
        }
        searches[id] = search
    }

    // MARK: - Helpers

    /// Shows the person a message for a few seconds.
    mutating func say(_ text: String, now: Double) { notice = (text, now + 4) }

    mutating func note(event: String, now: Double) {
        // An item in two sections changes in both.
        if events.last?.text == event { events.removeLast() }
        events.append((event, now + Self.noteSeconds))
        if events.count > Self.maximumEvents { events.removeFirst() }
    }

    mutating func takeQueryID() -> UInt64 {
        defer { nextQueryID += 1 }
        return nextQueryID
    }

    /// Changes the page that keys go to.
    mutating func editPage(_ edit: (inout Page, PageLayout) -> Void) {
        if var found = search {
            edit(&found.page, layout(of: found.page))
            search = found
        } else {
            let layout = layout(of: pages[pages.count - 1])
            edit(&pages[pages.count - 1], layout)
        }
    }

    /// The item at a place, as focus.
    static func focus(_ page: Page, at position: ItemPosition) -> Focus? {
        guard page.sections.indices.contains(position.section),
            page.sections[position.section].items.indices.contains(position.item)
        else { return nil }
        let section = page.sections[position.section]
        return Focus(section: section.id, item: section.items[position.item].id, position: position)
    }
}
