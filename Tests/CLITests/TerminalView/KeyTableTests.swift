import MarqueeModel
import Testing

@testable import MarqueeClient
@testable import marquee

struct KeyTableTests {
    @Test func `every command has a key, and no key has two commands`() {
        #expect(Set(KeyTable.commands.values) == Set(Command.allCases))
        let keys = KeyTable.bindings.flatMap(\.commands.keys)
        #expect(Set(keys).count == keys.count)
    }

    @Test func `every key of the table is named in its label`() {
        let names: [Key: String] = [
            .left: "←", .right: "→", .up: "↑", .down: "↓", .tab: "Tab", .backTab: "Shift-Tab", .pageUp: "PgUp",
            .pageDown: "PgDn", .home: "Home", .end: "End", .enter: "Enter", .backspace: "Backspace", .escape: "Esc",
        ]
        for binding in KeyTable.bindings {
            for key in binding.commands.keys {
                switch key {
                // The space bar is known from pagers.
                case .character(" "): break
                case .character(let character): #expect(binding.label.contains(character), "\(binding.label)")
                case .control(let letter):
                    #expect(binding.label.contains("Ctrl-") && binding.label.contains(letter.uppercased()))
                default: #expect(names[key].map { binding.label.contains($0) } == true, "\(binding.label)")
                }
            }
        }
    }
}

struct ActionMenuTests {
    private func browser() -> Browser {
        var main = SectionHead(kind: .main)
        main.header = Supplement(
            title: "Marquee",
            actions: [
                ScreenAction(id: "menu", title: "My favorites", target: "favorites"),
                ScreenAction(id: "favorite", title: "My list"), ScreenAction(id: "play", title: "Play"),
                ScreenAction(id: "info", title: "Info"),
                ScreenAction(id: "link", title: "Site", target: "https://example.org/"),
            ])
        main.layout = Pages.row("a", []).head.layout
        var rank = Pages.row("rank", ["One", "Two"], sorts: ["popularity", "date"])
        var head = rank.head
        head.header?.actions = head.sorts.map { ScreenAction(id: "sort", title: $0.title, target: $0.id) }
        rank = ScreenSection(id: "rank", head: head, items: rank.items, placeholders: 0, sum: 0)
        var browser = Pages.browser()
        browser.show([
            ScreenSection(id: "main", head: main, items: [Screens.movie(7, "Seven")], placeholders: 0, sum: 0), rank,
        ])
        return browser
    }

    @Test func `a offers what an item and its header can do, and a digit or Enter does it`() {
        var browser = browser()
        #expect(browser.press(.character("a")).isEmpty)
        #expect(
            browser.menu?.entries.map(\.action.title) == ["My favorites", "My list", "Play", "Info", "Site"])
        #expect(browser.picture.contains { $0.contains("▸1  My favorites") })
        #expect(browser.press(.character("2")) == [.toggleFavorite("movie/7")])
        #expect(browser.menu == nil)
        #expect(browser.press(.character("a"), .down, .down, .down, .enter) == [.open("detail/7")])
        #expect(browser.press(.backspace) == [.leave("detail/7")])
        #expect(browser.press(.character("a"), .up, .enter).isEmpty)
        #expect(browser.notice?.text == "→ https://example.org/")
        #expect(browser.press(.character("a"), .character("3")).isEmpty)
        #expect(browser.notice?.text.contains("“Play” needs the app") == true)
        #expect(browser.press(.character("a"), .enter) == [.open(.favorites)])
    }

    @Test func `of other sections' headers it offers where they lead, and nothing that they do with their items`() {
        var browser = browser()
        _ = browser.press(.tab, .character("a"))
        #expect(browser.menu?.entries.map(\.title) == ["popularity", "date", "My favorites", "Site"])
        #expect(browser.menu?.entries.allSatisfy { $0.item?.subject != "movie/7" } == true)
    }

    @Test func `entries of one name say whose they are, and where they lead if that isn't enough`() {
        func section(_ id: String, _ title: String, _ actions: [ScreenAction]) -> ScreenSection {
            let row = Pages.row(id, ["One"])
            var head = row.head
            head.header = Supplement(title: title, actions: actions)
            return ScreenSection(id: id, head: head, items: row.items, placeholders: 0, sum: 0)
        }
        var browser = Pages.browser()
        browser.show([
            section("a", "Top 10", [ScreenAction(id: "open", title: "See all", target: "list/top")]),
            section(
                "b", "New",
                [
                    ScreenAction(id: "open", title: "See all", target: "list/new"),
                    ScreenAction(id: "open", title: "See all", target: "list/newer"),
                    ScreenAction(id: "home", title: "Start", target: "home"),
                ]),
            section("c", "", [ScreenAction(id: "home", title: "Start", target: "home")]),
        ])
        _ = browser.press(.character("a"))
        #expect(
            browser.menu?.entries.map(\.title) == [
                "See all · Top 10", "See all · New · list/new", "See all · New · list/newer", "Start",
            ])
        #expect(browser.picture.contains { $0.contains("▸1  See all · Top 10") })
        #expect(browser.press(.character("3")) == [.open("list/newer")])
    }

    @Test func `the orders of the focused section are among them, and Escape closes the menu`() {
        var browser = browser()
        _ = browser.press(.tab, .character("a"))
        #expect(browser.menu?.entries.prefix(2).map(\.action.title) == ["popularity", "date"])
        #expect(
            browser.press(.character("2")) == [.show([SectionOptions(section: "rank", sort: "date")], on: .home)])
        _ = browser.press(.character("a"), .escape)
        #expect(browser.menu == nil)
        browser.show([Pages.row("a", ["A"])])
        _ = browser.press(.character("a"))
        #expect(browser.menu == nil && browser.notice?.text == "there are no actions here")
    }
}
