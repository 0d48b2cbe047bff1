import MarqueeClient
import MarqueeModel
import Testing

@testable import marquee

/// Filters of a search by the values of facets.
struct FacetSearchTests {
    private static let topics = FacetValue(field: "topics", value: "food")

    private func page(_ titles: String..., facets: [String: [(value: String, count: Int)]]) -> SearchPage {
        let items = titles.enumerated().map { Screens.movie(UInt64($0 + 1), $1) }
        var page = SearchPage(items: items, total: items.count)
        page.facets = facets
        return page
    }

    /// A search for "q" with two facets.
    private func searching(_ facets: [String: [(value: String, count: Int)]]? = nil) -> Browser {
        var browser = Pages.browser()
        _ = browser.press(.character("/"), .character("q"))
        let usual = [
            "topics": [(value: "food", count: 12), (value: "war", count: 3)], "show": [(value: "x", count: 1)],
        ]
        _ = browser.handle(.found(queryID: 1, .success(page("One", "Two", facets: facets ?? usual))), now: 0)
        return browser
    }

    @Test func `counts are shown above the results, and a value that is chosen filters them until it is dropped`() {
        var browser = searching()
        #expect(browser.picture[1].hasPrefix(" show: x 1"))
        #expect(browser.picture[2].hasPrefix(" topics: food 12 · war 3"))
        _ = browser.press(.control("v"))
        #expect(browser.picture.contains { $0.contains("▸1   show: x 1") })
        #expect(browser.picture.contains { $0.contains("2   topics: food 12") })
        #expect(browser.press(.down, .enter) == [.search("q", filters: [Self.topics], queryID: 2)])
        _ = browser.handle(.found(queryID: 2, .success(page("One", facets: ["topics": [("food", 12)]]))), now: 0)
        #expect(browser.picture[0].hasPrefix(" / q▏ [food]"))
        #expect(browser.picture[1].hasPrefix(" topics: ✓food 12"))
        // The next letter keeps it.
        #expect(browser.press(.character("x")) == [.search("qx", filters: [Self.topics], queryID: 3)])
        _ = browser.handle(.found(queryID: 3, .success(page(facets: [:]))), now: 0)
        #expect(browser.press(.control("v"), .character("1")) == [.search("qx", queryID: 4)], "nothing matches with it")
    }

    @Test func `a field has one value, Escape chooses none, and Ctrl-U drops all`() {
        var browser = searching()
        _ = browser.press(.down)
        let war = FacetValue(field: "topics", value: "war")
        #expect(browser.press(.character("v"), .character("2")) == [.search("q", filters: [Self.topics], queryID: 2)])
        _ = browser.handle(
            .found(queryID: 2, .success(page("One", facets: ["topics": [("food", 12), ("war", 1)]]))), now: 0)
        #expect(browser.press(.character("v"), .character("2")) == [.search("q", filters: [war], queryID: 3)])
        #expect(browser.press(.character("v"), .escape).isEmpty)
        #expect(browser.search?.menu == nil && browser.search?.filters == [war])
        #expect(browser.press(.character("/"), .control("u"), .character("z")) == [.search("z", queryID: 5)])
    }

    @Test func `without values or a search a notice says so`() {
        var browser = searching([:])
        #expect(browser.press(.control("v")).isEmpty && browser.notice?.text.contains("no values") == true)
        var page = Pages.browser()
        #expect(page.press(.character("v")).isEmpty && page.notice?.text.contains("/ first") == true)
    }

    @Test func `a long menu follows the selection, and digits choose the first nine`() {
        let values = (1...60).map { (value: "value \($0)", count: 61 - $0) }
        var browser = searching(["topics": values])
        _ = browser.press(.control("v"))
        for _ in 0..<45 { _ = browser.press(.down) }
        #expect(browser.picture.contains { $0.contains("▸    topics: value 46 15") })
        #expect(
            browser.press(.character("9"))
                == [.search("q", filters: [FacetValue(field: "topics", value: "value 9")], queryID: 2)])
    }
}
