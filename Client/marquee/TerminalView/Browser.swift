import MarqueeClient
import MarqueeLayout
import MarqueeModel

/// What a person sees and does in the terminal view: `(event, now) -> effects`, without a terminal, a clock or a connection.
///
/// Pages lie on a stack: Enter opens one, Backspace returns. The focus belongs to an item, by its id, so it stays with the item when the item moves.
/// Times are seconds of any clock that the caller keeps to.
struct Browser: Sendable {
    /// Pages on the stack, at most; the oldest one above the first goes.
    static let maximumPages = 16
    /// Latest changes that are remembered.
    static let maximumEvents = 50
    /// Seconds that a changed item glows, and that a moved rank shows where it came from.
    static let glowSeconds = 1.5
    static let rankSeconds = 6.0

    enum Event: Sendable {
        case key(Key)
        /// A state of a screen that was opened.
        case update(ScreenID, ScreenUpdate)
        /// A screen that was opened can't be shown.
        case failed(ScreenID, String)
        case client(ClientEvent)
        case found(queryID: UInt64, Result<SearchPage, ClientError>)
        case resized(columns: Int, rows: Int)
        /// Time has passed.
        case tick
    }

    enum Effect: Hashable, Sendable {
        case open(ScreenID)
        case leave(ScreenID)
        case setFavorite(Subject, Bool)
        case show([SectionOptions], on: ScreenID)
        case search(String, queryID: UInt64)
        case quit
    }

    /// An item, by what it is and where it was last seen.
    struct Focus: Hashable, Sendable {
        var section: String
        var item: String
        var position: ItemPosition
    }

    /// Something of an item that is shown for a while.
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
        /// The first row of cells that shows.
        var top = 0
        /// Points that sections are scrolled sideways, by id.
        var offsets: [String: Double] = [:]
        /// Until when items glow.
        var glow: [ItemKey: Double] = [:]
        /// How many ranks an item rose (or fell, below zero), and until when that shows.
        var rises: [ItemKey: (ranks: Int, until: Double)] = [:]

        init(_ id: ScreenID) {
            self.id = id
            title = id.name
        }
    }

    struct Search: Sendable {
        var query = ""
        var queryID: UInt64 = 0
        /// Keys go into the query; else they move among what was found.
        var isTyping = true
        var found: (total: Int, query: String)?
        var error: String?
        var page = Page(ScreenID("search"))
    }

    let server: String
    let user: String?
    let wallClock: @Sendable () -> Double
    private(set) var columns: Int
    private(set) var rows: Int
    var pages: [Page]
    var search: Search?
    var showsHelp = false
    private(set) var connection = ConnectionState.idle
    /// The newest position that the server has told of.
    private(set) var newest: Cut?
    /// The latest changes, the newest last.
    private(set) var events: [String] = []
    /// A word to the person, and until when.
    private(set) var notice: (text: String, until: Double)?
    private var nextQueryID: UInt64 = 1

    /// - Parameters:
    ///   - server: as a person names it.
    ///   - wallClock: seconds since 1970, to say how old something is.
    init(
        screen: ScreenID, server: String, user: String?, columns: Int, rows: Int,
        wallClock: @escaping @Sendable () -> Double
    ) {
        self.server = server
        self.user = user
        self.columns = columns
        self.rows = rows
        self.wallClock = wallClock
        pages = [Page(screen)]
    }

    // MARK: - What shows

    /// Lines at the bottom for the latest changes.
    var eventLines: Int { rows >= 40 ? 3 : rows >= 20 ? 2 : rows >= 12 ? 1 : 0 }
    /// Where the page stands: below the title, above the changes and the status.
    var viewport: CellRect {
        CellRect(column: 0, row: 1, columns: columns, rows: max(1, rows - 2 - eventLines))
    }
    var scale: GridScale { GridScale(columns: columns, rows: viewport.rows) }
    /// The page that keys go to.
    var page: Page { search?.page ?? pages[pages.count - 1] }

    func layout(of page: Page) -> PageLayout { PageLayout(page.sections, scale: scale) }

    /// Something that changes by itself shows, so the picture is to be drawn again soon.
    var isMoving: Bool { !page.glow.isEmpty || !page.rises.isEmpty || notice != nil }

    // MARK: - Events

    mutating func handle(_ event: Event, now: Double) -> [Effect] {
        expire(now)
        switch event {
        case .key(let key): return pressed(key, now: now)
        case .update(let id, let update):
            take(update, of: id, now: now)
            return []
        case .failed(let id, let message):
            for index in pages.indices where pages[index].id == id { pages[index].error = message }
            note(event: "\(id): \(message)")
            return []
        case .client(let event):
            take(event, now: now)
            return []
        case .found(let queryID, let result):
            take(result, of: queryID)
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
        func expire(_ page: inout Page) {
            page.glow = page.glow.filter { $0.value > now }
            page.rises = page.rises.filter { $0.value.until > now }
        }
        for index in pages.indices { expire(&pages[index]) }
        if var found = search {
            expire(&found.page)
            search = found
        }
    }

    private mutating func take(_ event: ClientEvent, now: Double) {
        switch event {
        case .state(let state): connection = state
        case .progress(let cut): newest = cut
        case .favoriteRejected(let subject, let reason): say("\(subject) was refused: \(reason)", now: now)
        case .favoritesHeldUp(_, let error): say("favorites wait: \(error.message)", now: now)
        case .favoritesLost(let count): say("\(Words.count(count, "pending favorite")) could not be rescued", now: now)
        case .optionsRefused(_, let error): say(error.message, now: now)
        case .mirrorRecovered(let path, _): say("the mirror was unreadable and is now at \(path)", now: now)
        case .mirrorDamaged(let damage):
            say("\(Words.count(damage.count, "stored section")) damaged; mended as they are shown", now: now)
        case .mirrorProblem(let error): say(error.message, now: now)
        }
    }

    private mutating func take(_ result: Result<SearchPage, ClientError>, of queryID: UInt64) {
        // Answers of an older query come late now and then; they are nobody's any more.
        guard var search, search.queryID == queryID else { return }
        switch result {
        case .failure(let error):
            search.error = error.message
        case .success(let page):
            search.error = nil
            search.found = (Int(page.total), search.query)
            var head = SectionHead(kind: .grid)
            head.layout = PageSection.searchLayout
            search.page.sections = [PageSection(id: "found", head: head, items: page.items)]
            search.page.top = 0
            search.page.focus = Browser.focus(search.page, at: ItemPosition(section: 0, item: 0))
        }
        self.search = search
    }

    // MARK: - Helpers

    /// A word to the person for a few seconds.
    mutating func say(_ text: String, now: Double) { notice = (text, now + 4) }

    mutating func note(event: String) {
        // What stands in two sections changes in both.
        guard events.last != event else { return }
        events.append(event)
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
