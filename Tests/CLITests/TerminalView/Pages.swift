import MarqueeModel

@testable import MarqueeClient
@testable import marquee

/// Pages made by hand, for a browser of 80 × 24 cells.
enum Pages {
    static func browser(
        columns: Int = 80, rows: Int = 24, user: String? = "ann", locale: String = "en"
    ) -> Browser {
        Browser(
            screen: .home, server: "127.0.0.1:7420", user: user, locale: locale, columns: columns, rows: rows,
            wallClock: { 1_060 })
    }

    /// A row of cards that scrolls sideways: each .4 of the width, so that two and a half show.
    static func row(
        _ id: String, _ titles: [String], kind: SectionKind = .rank, scrolling: LayoutScrolling = .groupPaging,
        sorts: [String] = [], sort: String? = nil, windows: [UInt32] = [], window: UInt32 = 0, hasMore: Bool = false,
        marks: [String: FavoriteMark] = [:]
    ) -> ScreenSection {
        var head = SectionHead(kind: kind)
        head.header = Supplement(title: "Row \(id)")
        head.sorts = sorts.map { SortOption(id: $0, title: $0) }
        head.sort = sort ?? sorts.first ?? ""
        head.windows = windows
        head.window = window
        head.hasMore = hasMore
        if !windows.isEmpty { head.footer = Supplement(title: hasMore ? "more" : "close") }
        head.layout = SectionLayout(
            group: .group(
                axis: .horizontal, width: .fractionalWidth(0.4), height: .absolute(250), insets: .zero, spacing: 0,
                count: nil,
                children: [
                    .item(
                        width: .fractionalWidth(1), height: .fractionalHeight(1),
                        insets: LayoutInsets(top: 0, leading: 5, bottom: 0, trailing: 5), badges: [])
                ]), scrolling: scrolling,
            supplementaries: [
                LayoutSupplementary(kind: "header", width: .fractionalWidth(1), height: .absolute(44), edges: .top)
            ]
                + (windows.isEmpty
                    ? []
                    : [
                        LayoutSupplementary(
                            kind: "footer", width: .fractionalWidth(1), height: .absolute(44), edges: .bottom)
                    ]))
        let items = titles.map { title in
            Screens.movie(
                UInt64(title.unicodeScalars.reduce(0) { $0 &* 31 &+ $1.value }), title, year: 2010, rating: 8,
                mark: marks[title] ?? .no)
        }
        return ScreenSection(id: id, head: head, items: items, placeholders: 0, sum: 0)
    }

    static func update(
        _ sections: [ScreenSection], since old: [ScreenSection]? = nil, origin: ScreenUpdate.Origin = .live,
        revision: UInt64 = 7, locale: String = "en", pendingFavorites: Int = 0
    ) -> ScreenUpdate {
        let screen = Screens.screen(sections, revision: revision, locale: locale)
        return ScreenUpdate(
            screen: screen,
            changes: old.map { Screens.changes(from: Screens.screen($0), to: screen) } ?? ScreenChanges(),
            isFirst: old == nil,
            status: ScreenStatus(isLive: origin == .live, pendingFavorites: pendingFavorites))
    }
}

extension Browser {
    /// Presses keys one after the other.
    mutating func press(_ keys: Key..., now: Double = 0) -> [Effect] {
        keys.flatMap { handle(.key($0), now: now) }
    }

    mutating func show(_ sections: [ScreenSection], since old: [ScreenSection]? = nil, now: Double = 0) {
        _ = handle(.update(.home, Pages.update(sections, since: old)), now: now)
    }

    var notes: [String] { events.map(\.text) }

    var picture: [String] { BrowserPainter(browser: self).canvas().text }

    var focusedTitle: String? { focusedItem.map { ItemText($0).title } }
}
