import MarqueeLayout
import MarqueeModel
import MarqueePresets
import SeededRandom
import Testing

@testable import MarqueeClient
@testable import marquee

struct BrowserTests {
    private let titles = ["Alpha", "Beta", "Gamma", "Delta", "Epsilon"]

    @Test func `arrows move among the cards, and a row scrolls to a stop of its behaviour`() throws {
        var browser = Pages.browser()
        browser.show([Pages.row("a", titles), Pages.row("b", ["One", "Two"])])
        #expect(browser.focusedTitle == "Alpha")
        _ = browser.press(.right, .right)
        #expect(browser.focusedTitle == "Gamma")
        // The third card is cut at 80 % of the width, so the row moves on by one group.
        #expect(browser.page.offsets["a"].map { abs($0 - 156) < 0.01 } == true)
        _ = browser.press(.down)
        #expect(browser.focusedTitle == "Two")
        _ = browser.press(.up)
        #expect(browser.focusedTitle == "Gamma")
        _ = browser.press(.left, .left, .left)
        #expect(browser.focusedTitle == "Alpha")
        #expect(browser.page.offsets["a"] == 0)
    }

    @Test func `the focus stays with its item when the item moves, and goes to a neighbour when it leaves`() {
        var browser = Pages.browser()
        let first = [Pages.row("a", titles)]
        browser.show(first)
        _ = browser.press(.right)
        let second = [Pages.row("a", ["Beta", "Gamma", "Alpha", "Delta", "Epsilon"])]
        browser.show(second, since: first)
        #expect(browser.focusedTitle == "Beta")
        #expect(browser.page.focus?.position == ItemPosition(section: 0, item: 0))
        browser.show([Pages.row("a", ["Gamma", "Alpha"])], since: second)
        #expect(browser.focusedTitle == "Gamma")
        browser.show([], since: [Pages.row("a", ["Gamma", "Alpha"])])
        #expect(browser.focusedItem == nil)
        #expect(browser.press(.down, .up, .right, .enter, .character("f")).isEmpty)
    }

    @Test func `a changed item glows for a moment, and a moved one shows how far it moved`() throws {
        var browser = Pages.browser()
        let old = [Pages.row("a", titles)]
        let new = [Pages.row("a", ["Beta", "Alpha", "Gamma", "Delta", "Zeta"])]
        browser.show(old)
        #expect(browser.page.glow.isEmpty)
        browser.show(new, since: old, now: 10)
        #expect(browser.page.glow.count == 1)
        #expect(browser.page.rises.values.map(\.ranks).sorted() == [-1, 1])
        #expect(browser.picture.contains { $0.contains("▲1") && $0.contains("▼1") })
        #expect(browser.notes.contains("+ Zeta in Row a, at 5"))
        _ = browser.handle(.tick, now: 11.6)
        #expect(browser.page.glow.isEmpty)
        #expect(browser.isMoving)
        _ = browser.handle(.tick, now: 16.1)
        #expect(browser.page.rises.isEmpty)
        // A note about a change stays longer, but goes too.
        #expect(browser.picture[1].contains("Row a"))
        _ = browser.handle(.tick, now: 25.1)
        #expect(browser.notes.isEmpty && browser.picture[1].isEmpty)
        #expect(!browser.isMoving)
    }

    @Test func `a change fits beside a long title, and an untitled section is named by kind`() {
        var browser = Pages.browser()
        let long = String(repeating: "A policeman looks for it. ", count: 8)
        func untitled(_ titles: [String]) -> [ScreenSection] {
            let row = Pages.row("row-4f1c3cd528b016cc", titles)
            var head = row.head
            head.header = nil
            return [ScreenSection(id: row.id, head: head, items: row.items, placeholders: 0, sum: 0)]
        }
        browser.show(untitled([long, "Alpha"]))
        browser.show(untitled(["Alpha", long]), since: untitled([long, "Alpha"]))
        #expect(browser.notes.count == 1)
        #expect(browser.notes.allSatisfy { $0.hasSuffix(" in rank") && TextWidth.columns($0) < 60 })
    }

    @Test func `an item of an unknown kind is skipped, leaves no gap, and isn't news`() {
        var browser = Pages.browser()
        let known = Pages.row("a", ["Alpha", "Beta"])
        let unknown = ScreenItem(item: Item(id: "new", kind: ItemKind(rawValue: 12), body: [1]), favorite: .no)
        func section(_ items: [ScreenItem]) -> ScreenSection {
            ScreenSection(id: known.id, head: known.head, items: items, placeholders: 10, sum: 0)
        }
        browser.show([known])
        let before = browser.picture
        browser.show([section([known.items[0], unknown, known.items[1]])], since: [known], now: 10)
        #expect(browser.picture == before)
        #expect(browser.events.isEmpty)
        browser.show([section([unknown])])
        #expect(!browser.picture.contains { $0.contains("·····") })
    }

    @Test func `Enter opens, Backspace returns, and no screen is on the stack twice`() {
        var browser = Pages.browser()
        browser.show([Pages.row("a", titles)])
        let opened = browser.press(.enter)
        guard case .open(let detail)? = opened.first else {
            Issue.record("nothing was opened")
            return
        }
        #expect(detail.name.hasPrefix("detail/"))
        #expect(browser.page.id == detail)
        #expect(browser.press(.backspace) == [.leave(detail)])
        #expect(browser.page.id == .home)
        #expect(browser.press(.backspace).isEmpty)
        #expect(browser.notice?.text.contains("first page") == true)
    }

    @Test func `beyond the bound the oldest page is dropped, never the first`() {
        var browser = Pages.browser()
        var left: [Browser.Effect] = []
        for number in 0..<40 {
            let section = Pages.row("a", ["Movie \(number)"])
            _ = browser.handle(.update(browser.page.id, Pages.update([section])), now: 0)
            left += browser.press(.enter).filter { if case .leave = $0 { true } else { false } }
        }
        #expect(browser.pages.count == Browser.maximumPages)
        #expect(browser.pages.first?.id == .home)
        #expect(left.count == 40 + 1 - Browser.maximumPages)
    }

    @Test func `a genre leads to its screen, a banner to its action, an external link nowhere`() {
        let browser = Pages.browser()
        let genre = Screens.item("g", .genre, .genre(GenreContent(id: 28, name: "Action")), subject: "genre/28")
        #expect(browser.target(of: genre) == "genre/28")
        var banner = BannerContent(title: "Now")
        banner.actions = [ScreenAction(id: "open", title: "Open", target: "favorites")]
        #expect(browser.target(of: Screens.item("b", .banner, .banner(banner))) == "favorites")
        banner.actions = []
        banner.link = "https://example.org/"
        #expect(browser.target(of: Screens.item("b", .banner, .banner(banner))) == nil)
        #expect(browser.target(of: Screens.item("n", .credit, .credit(CreditContent(person: 1, name: "A")))) == nil)
    }

    @Test func `f toggles, hollow while pending and filled when confirmed`() throws {
        var browser = Pages.browser()
        browser.show([Pages.row("a", ["Alpha"])])
        let subject = try #require(browser.focusedItem?.subject)
        #expect(browser.press(.character("f")) == [.toggleFavorite(subject)])
        browser.show([Pages.row("a", ["Alpha"], marks: ["Alpha": .pendingYes])], since: [Pages.row("a", ["Alpha"])])
        #expect(browser.picture.contains { $0.contains("☆") })
        #expect(browser.press(.character("f")) == [.toggleFavorite(subject)])
        browser.show([Pages.row("a", ["Alpha"], marks: ["Alpha": .yes])])
        #expect(browser.picture.contains { $0.contains("★") && !$0.contains("☆") })
        var nobody = Pages.browser(user: nil)
        nobody.show([Pages.row("a", ["Alpha"])])
        #expect(nobody.press(.character("f")).isEmpty)
        #expect(nobody.notice?.text.contains("--user") == true)
    }

    @Test func `two quick presses of f are two toggles, whatever an old page shows between them`() throws {
        var browser = Pages.browser()
        browser.show([Pages.row("a", ["Alpha"])])
        let subject = try #require(browser.focusedItem?.subject)
        let pressed = browser.press(.character("f"), .character("f"))
        #expect(pressed == [.toggleFavorite(subject), .toggleFavorite(subject)])
        // The page is late and shows the state in between.
        browser.show([Pages.row("a", ["Alpha"], marks: ["Alpha": .pendingYes])])
        #expect(browser.press(.character("f")) == [.toggleFavorite(subject)])
    }

    @Test func `anything with a subject can be a favorite, not only movies`() {
        var browser = Pages.browser()
        var head = SectionHead(kind: .courses)
        head.layout = Pages.row("a", []).head.layout
        let items = [
            Screens.item("c", .course, .course(CourseContent(title: "Swift")), subject: "course/courses/c"),
            Screens.item("t", .text, .text(TextContent(text: "Hello"))),
        ]
        browser.show([ScreenSection(id: "c", head: head, items: items, placeholders: 0, sum: 0)])
        #expect(browser.press(.character("f")) == [.toggleFavorite("course/courses/c")])
        #expect(browser.press(.right, .character("f")).isEmpty)
        #expect(browser.notice?.text == "this can't be a favorite")
    }

    @Test func `a section that the person sorted or enlarged isn't news`() {
        var browser = Pages.browser()
        let sorts = ["popularity", "date"]
        let before = [Pages.row("a", titles, sorts: sorts), Pages.row("b", ["One"])]
        browser.show(before)
        let after = [
            Pages.row("a", titles.reversed() + ["Zeta"], sorts: sorts, sort: "date"), Pages.row("b", ["One", "Two"]),
        ]
        browser.show(after, since: before, now: 1)
        #expect(browser.notes == ["+ Two in Row b, at 2"])
        #expect(browser.page.rises.isEmpty)
        #expect(browser.page.glow.keys.map(\.section) == ["b"])
        let larger = [Pages.row("c", titles, windows: [2, 5], window: 5)]
        browser.show([Pages.row("c", ["Alpha", "Beta"], windows: [2, 5], window: 2)])
        browser.show(larger, since: [Pages.row("c", ["Alpha", "Beta"], windows: [2, 5], window: 2)], now: 30)
        #expect(browser.notes.isEmpty && browser.page.glow.isEmpty)
    }

    @Test func `without a connection a search says so, and continues when the server is back`() {
        var browser = Pages.browser()
        _ = browser.handle(.client(.state(.waiting(ClientError(.unavailable, "refused"), pause: .seconds(1)))), now: 0)
        #expect(browser.press(.character("/"), .character("q")).isEmpty)
        #expect(browser.picture.contains { $0.contains("offline: search needs the server") })
        let server = ServerInfo(cluster: "c", node: "n", user: nil, agent: "a", locales: ["en"], imageBaseURL: nil)
        guard case .search("q", _, let id)? = browser.handle(.client(.state(.connected(server))), now: 1).first else {
            Issue.record("the search was not sent")
            return
        }
        #expect(browser.picture.contains { $0.contains("searching") })
        #expect(browser.handle(.client(.state(.connected(server))), now: 2).isEmpty)
        #expect(browser.search?.queryID == id)
    }

    @Test func `letters move like arrows, and Ctrl-D and Ctrl-U half a page`() {
        var browser = Pages.browser()
        browser.show((0..<6).map { Pages.row("s\($0)", titles) })
        var arrows = browser
        _ = browser.press(.character("l"), .character("j"), .character("l"), .character("h"), .character("k"))
        _ = arrows.press(.right, .down, .right, .left, .up)
        #expect(browser.page.focus == arrows.page.focus)
        _ = browser.press(.control("d"))
        #expect(browser.page.top == browser.viewport.rows / 2)
        _ = browser.press(.control("u"))
        #expect(browser.page.top == 0)
        _ = browser.press(.control("f"))
        #expect(browser.page.top == browser.viewport.rows)
    }

    @Test func `F opens the favorites if there is a user`() {
        var browser = Pages.browser()
        #expect(browser.press(.character("F")) == [.open(.favorites)])
        #expect(browser.page.id == .favorites)
        #expect(browser.press(.character("F")).isEmpty)
        var nobody = Pages.browser(user: nil)
        #expect(nobody.press(.character("F")).isEmpty)
        #expect(nobody.notice?.text.contains("--user") == true)
    }

    @Test func `s cycles through the orders, m through the windows`() {
        var browser = Pages.browser()
        browser.show([
            Pages.row("a", titles, sorts: ["popularity", "date"], windows: [6, 12], window: 6, hasMore: true)
        ])
        #expect(
            browser.press(.character("s")) == [
                .show([SectionOptions(section: "a", sort: "date", window: 6)], on: .home)
            ])
        #expect(
            browser.press(.character("m")) == [
                .show([SectionOptions(section: "a", sort: "popularity", window: 12)], on: .home)
            ])
        browser.show([Pages.row("a", titles, windows: [6, 12], window: 12)])
        #expect(browser.press(.character("m")) == [.show([SectionOptions(section: "a", window: 6)], on: .home)])
        browser.show([Pages.row("a", titles)])
        #expect(browser.press(.character("s"), .character("m")).isEmpty)
    }

    @Test func `search asks with each letter, and a late answer to an older query is ignored`() {
        var browser = Pages.browser()
        #expect(browser.press(.character("/")).isEmpty)
        #expect(browser.press(.character("q")) == [.search("q", queryID: 1)])
        #expect(browser.press(.character("x")) == [.search("qx", queryID: 2)])
        let late = SearchPage(
            items: [Screens.movie(1, "Late")], total: 1, page: 1, pages: 1, revision: Cut())
        _ = browser.handle(.found(queryID: 1, .success(late)), now: 0)
        #expect(browser.page.sections.isEmpty)
        let found = SearchPage(
            items: [Screens.movie(2, "Found")], total: 1, page: 1, pages: 1, revision: Cut())
        _ = browser.handle(.found(queryID: 2, .success(found)), now: 0)
        #expect(browser.picture.first?.contains("/ qx") == true)
        #expect(browser.picture.contains { $0.contains("Found") })
        // The results are still those of the previous query: Enter doesn't open them.
        #expect(browser.press(.character("y"), .enter) == [.search("qxy", queryID: 3)])
        #expect(browser.press(.backspace) == [.search("qx", queryID: 4)])
        _ = browser.handle(.found(queryID: 4, .success(found)), now: 0)
        #expect(browser.press(.enter) == [.open("detail/2")])
        #expect(browser.search == nil)
    }

    @Test func `from a screen that a search opened the way back leads to the results`() throws {
        var browser = Pages.browser()
        browser.show([Pages.row("a", titles)])
        _ = browser.press(.character("/"), .character("o"))
        let found = SearchPage(
            items: [Screens.movie(1, "One"), Screens.movie(2, "Two")], total: 2, page: 1, pages: 1,
            revision: Cut())
        _ = browser.handle(.found(queryID: 1, .success(found)), now: 0)
        #expect(browser.press(.right, .right, .enter) == [.open("detail/2")])
        #expect(browser.page.id == "detail/2")
        #expect(browser.press(.escape) == [.leave("detail/2")])
        #expect(browser.search?.query == "o" && browser.focusedTitle == "Two")
        // Straight from the query, too; and from there, back leads on as before.
        _ = browser.press(.character("/"))
        #expect(browser.press(.enter) == [.open("detail/2")])
        #expect(browser.press(.backspace) == [.leave("detail/2")])
        #expect(browser.search?.isTyping == false)
        #expect(browser.press(.backspace).isEmpty)
        #expect(browser.search == nil && browser.focusedTitle == "Alpha")
        // A screen that is opened from elsewhere comes without the search that was begun on it.
        _ = browser.press(.character("/"), .character("o"))
        _ = browser.handle(.found(queryID: 2, .success(found)), now: 0)
        #expect(browser.press(.right, .character("F")) == [.open(.favorites)])
        #expect(browser.press(.character("/"), .character("o")) == [.search("o", queryID: 3)])
        _ = browser.handle(.found(queryID: 3, .success(found)), now: 0)
        #expect(browser.press(.right, .character("F")).isEmpty)
        #expect(browser.page.id == .favorites && browser.search == nil)
    }

    @Test func `an error doesn't hide what there is, and a screen that failed is asked for once more`() {
        var browser = Pages.browser()
        browser.show([Pages.row("a", titles)])
        _ = browser.handle(.failed(.home, "no longer"), now: 0)
        #expect(browser.picture.last == " ✕ no longer")
        #expect(browser.picture.contains { $0.contains("Alpha") })
        #expect(!browser.picture.dropFirst(2).dropLast().contains { $0.contains("no longer") })
        let server = ServerInfo(cluster: "c", node: "n", user: nil, agent: "a", locales: ["en"], imageBaseURL: nil)
        #expect(browser.handle(.client(.state(.connected(server))), now: 1) == [.open(.home)])
        browser.show([Pages.row("a", titles)])
        #expect(browser.picture.last?.contains("no longer") == false)
        #expect(browser.handle(.client(.state(.connected(server))), now: 2).isEmpty)
    }

    /// A section that came without a layout.
    private func bare(
        _ kind: SectionKind, _ title: String?, _ items: [ScreenItem], error: String? = nil
    ) -> ScreenSection {
        var head = SectionHead(kind: kind)
        head.header = title.map { Supplement(title: $0) }
        head.error = error
        return ScreenSection(id: "s-\(title ?? kind.name)", head: head, items: items, placeholders: 0, sum: 0)
    }

    @Test func `a section without a layout has its header, and lines of equal height`() {
        var browser = Pages.browser(rows: 40)
        browser.show([bare(.list, "Names", (1...9).map { Screens.movie(UInt64($0), "Movie \($0)") })])
        let picture = browser.picture
        #expect(picture.contains { $0.contains("Names") })
        let rows = (1...9).compactMap { number in picture.firstIndex { $0.contains("Movie \(number)") } }
        #expect(rows.count == 9 && zip(rows, rows.dropFirst()).allSatisfy { $1 - $0 == 1 })
    }

    @Test func `a detail without a layout is shown in full, and genres are tiles`() {
        let dive = Cards.item("dive", "Deep Blue") {
            $0.subtitle = "A dive"
            $0.text = String(repeating: "Down there it is dark. ", count: 12) + "The end."
            $0.facts = [CardContent.Fact(label: "Depth", value: "40 m")]
        }
        var browser = Pages.browser(rows: 40)
        let genres = ["Action", "Drama"].enumerated().map {
            Screens.item("g\($0)", .genre, .genre(GenreContent(id: UInt64($0), name: $1)), subject: "genre/\($0)")
        }
        browser.show([bare(.detail, nil, [dive]), bare(.genres, "Genres", genres)])
        for text in ["Deep Blue", "A dive", "The end.", "40 m", "Genres"] {
            #expect(browser.picture.contains { $0.contains(text) }, "\(text)")
        }
        #expect(browser.picture.contains { $0.contains("Action") && $0.contains("Drama") })
    }

    @Test func `sections without a layout have the design of their kind, as on a phone`() {
        let scale = GridScale(columns: 80, rows: 40)
        for (kind, name) in SectionKind.names {
            var head = SectionHead(kind: kind)
            head.header = Supplement(title: "Title")
            let section = PageSection(id: name, head: head, items: [])
            let (shown, phone) = (SectionLayout.shown(section, on: scale), SectionDesign(of: kind).layout(for: head))
            guard case .group(let one) = shown.group, case .group(let other) = phone.group else {
                Issue.record("\(name) has no group")
                continue
            }
            #expect(one.count == other.count && one.axis == other.axis, "\(name)")
            #expect(shown.supplementaries.map(\.kind) == phone.supplementaries.map(\.kind), "\(name)")
        }
    }

    @Test(arguments: [SectionKind.other, SectionKind(rawValue: 4_711)])
    func `a section of an unknown type or kind takes no rows`(kind: SectionKind) {
        func picture(_ sections: [ScreenSection]) -> [String] {
            var browser = Pages.browser(rows: 40)
            browser.show(sections + [bare(.list, "Names", [Screens.movie(1, "Movie 1")])])
            return browser.picture
        }
        let (shown, alone) = (picture([bare(kind, "Unknown", [])]), picture([]))
        #expect(!shown.contains { $0.contains("Unknown") })
        let row = shown.firstIndex { $0.contains("Movie 1") }
        #expect(row != nil && row == alone.firstIndex { $0.contains("Movie 1") })
    }

    @Test func `an error of a section is in its header, and no row of another section`() {
        var browser = Pages.browser()
        let movies = (1...2).map { Screens.movie(UInt64($0), "Movie \($0)") }
        browser.show([
            bare(.list, nil, [], error: "gone"), bare(.list, "Names", [], error: "missing"), bare(.list, nil, movies),
        ])
        let picture = browser.picture.map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(picture.contains("can't be shown: gone"))
        #expect(picture.contains("Names  can't be shown: missing"))
        #expect(picture.contains { $0.contains("Movie 1") } && picture.contains { $0.contains("Movie 2") })
    }

    @Test func `an empty query asks nothing, and Escape and Backspace end the search`() {
        var browser = Pages.browser()
        #expect(browser.press(.character("/"), .character(" ")).isEmpty)
        #expect(browser.press(.escape).isEmpty)
        #expect(browser.search == nil)
        #expect(browser.press(.character("/"), .backspace).isEmpty)
        #expect(browser.search == nil)
        #expect(browser.press(.character("q")) == [.quit])
    }

    @Test func `the events and the query are bounded`() {
        var browser = Pages.browser()
        for number in 0..<500 { browser.note(event: "event \(number)", now: 0) }
        #expect(browser.events.count == Browser.maximumEvents)
        _ = browser.press(.character("/"))
        for _ in 0..<500 { _ = browser.press(.character("가")) }
        #expect((browser.search?.query.utf8.count ?? 0) == Browser.maximumQuery / 3 * 3)
        #expect(browser.notice?.text.contains("at most 256 bytes") == true)
    }

    @Test func `pasted text goes into the query as words, and nowhere else`() {
        var browser = Pages.browser()
        browser.show([Pages.row("a", titles)])
        let text = "q\r\n\trm  -rf\u{3}\u{1B}x\u{202E}\u{A0}y\n"
        for keys: [Key] in [[], [.character("?")], [.character("?"), .character("a")]] {
            for key in keys { _ = browser.press(key) }
            #expect(browser.handle(.text(text), now: 0).isEmpty)
            #expect(browser.notice?.text.contains("/ first") == true)
        }
        #expect(browser.page.id == .home)
        browser.showsHelp = false
        _ = browser.press(.character("/"))
        #expect(browser.handle(.text(text), now: 0) == [.search("q rm -rfx y", queryID: 1)])
        // Words that follow others are apart from them if they were.
        #expect(browser.handle(.text("z\n"), now: 0) == [.search("q rm -rfx yz", queryID: 2)])
        #expect(browser.handle(.text("\tand"), now: 0) == [.search("q rm -rfx yz and", queryID: 3)])
        #expect(browser.handle(.text("\n\u{7}"), now: 0).isEmpty)
        // Too long: what fits, and a word about the rest.
        #expect(browser.notice?.text.contains("256 bytes") != true)
        _ = browser.handle(.text(String(repeating: "가", count: 200)), now: 0)
        #expect(browser.search.map { $0.query.utf8.count > 250 && $0.query.utf8.count <= 256 } == true)
        #expect(browser.notice?.text.contains("256 bytes") == true)
        // Among the results keys move again.
        browser.search?.isTyping = false
        let query = browser.search?.query
        #expect(browser.handle(.text("x"), now: 0).isEmpty)
        #expect(browser.search?.query == query)
    }

    @Test func `the end of a long query is shown, beside the number of results`() {
        var browser = Pages.browser()
        _ = browser.press(.character("/"))
        _ = browser.handle(.text(String(repeating: "가", count: 80) + " end"), now: 0)
        let found = SearchPage(items: [], total: 1_234, page: 1, pages: 1, revision: Cut())
        _ = browser.handle(.found(queryID: 1, .success(found)), now: 0)
        let title = browser.picture[0]
        #expect(title.hasPrefix(" / …가") && title.contains("가 end▏ ") && title.hasSuffix("  1,234 matches"))
    }

    @Test func `the items in view are those that a person sees, each with its visible share`() throws {
        var browser = Pages.browser()
        let row = Pages.row("a", titles)
        var head = row.head
        head.counting = Counting(impressions: Counting.Impressions())
        browser.show([ScreenSection(id: "a", head: head, items: row.items), Pages.row("b", ["One"])])
        func shares() -> [(place: UInt32, share: Double)] {
            browser.itemsInView.values.map { ($0.place, $0.share) }.sorted { $0.place < $1.place }
        }
        #expect(shares().map(\.place) == [1, 2, 3], "two and a half; nobody asks about the other section")
        let (whole, half) = (try #require(shares().first?.share), try #require(shares().last?.share))
        #expect(whole > 0.9 && abs(half / whole - 0.5) < 0.05)
        _ = browser.press(.right, .right, .right, .right)
        #expect(shares().last?.place == 5 && shares().first?.place == 3)
        for key in [Key.character("?"), .character("/")] {
            _ = browser.press(key)
            #expect(browser.itemsInView.isEmpty, "something else covers them")
            _ = browser.press(.escape)
            #expect(!browser.itemsInView.isEmpty)
        }
    }

    @Test func `Ctrl-C ends it and Ctrl-Z stops it, wherever the keys go`() {
        let places: [[Key]] = [[], [.character("?")], [.character("/")]]
        for keys in places {
            var browser = Pages.browser()
            for key in keys { _ = browser.press(key) }
            #expect(browser.press(.control("z")) == [.suspend])
            #expect(browser.press(.control("c")) == [.quit])
        }
    }

    @Test func `random keys, sizes and updates never leave the page or the canvas`() {
        var generator = SystemRandomNumberGenerator.seeded(3)
        let keys: [Key] = [
            .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .tab, .backTab, .enter, .backspace, .escape,
            .character("/"), .character("a"), .character("f"), .character("s"), .character("m"), .character("?"),
            .character("F"), .character("j"), .character("k"), .character("3"), .control("u"), .control("d"),
        ]
        for _ in 0..<Extent.of(10, full: 40) {
            var browser = Pages.browser()
            for step in 0..<120 {
                let now = Double(step) / 4
                switch Int.random(in: 0..<12, using: &generator) {
                case 0:
                    let count = Int.random(in: 0..<4, using: &generator)
                    let sections = (0..<count).map { index in
                        Pages.row(
                            "s\(index)", (0..<Int.random(in: 0..<9, using: &generator)).map { "M\(index)-\($0)" },
                            scrolling: LayoutScrolling.allCases.randomElement(using: &generator) ?? .none)
                    }
                    _ = browser.handle(.update(browser.page.id, Pages.update(sections)), now: now)
                case 1:
                    let columns = Int.random(in: 0..<200, using: &generator)
                    _ = browser.handle(
                        .resized(columns: columns, rows: Int.random(in: 0..<70, using: &generator)), now: now)
                default:
                    _ = browser.handle(.key(keys.randomElement(using: &generator) ?? .up), now: now)
                }
                let canvas = BrowserPainter(browser: browser).canvas()
                #expect(canvas.text.allSatisfy { TextWidth.columns($0) <= max(0, browser.columns) })
                #expect(browser.page.top >= 0)
                if let position = browser.page.focus?.position {
                    #expect(browser.page.sections[position.section].items.indices.contains(position.item))
                }
            }
        }
    }
}
