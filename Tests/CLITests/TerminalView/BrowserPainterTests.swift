import MarqueeModel
import Testing

@testable import MarqueeClient
@testable import marquee

struct BrowserPainterTests {
    @Test func `a screen of 80 by 24 cells is one phone screen, laid out by the engine`() {
        var browser = Pages.browser()
        _ = browser.handle(.client(.state(.connected(Self.server))), now: 0)
        browser.show([Pages.row("a", ["Inception", "기생충", "Whiplash"], marks: ["Inception": .yes])])
        let picture = browser.picture
        #expect(picture.count == 24)
        #expect(picture[0] == " Home                                                      ann @ 127.0.0.1:7420")
        // Below the title there is room for the latest change.
        #expect(picture[1] == "")
        #expect(picture[2] == "Row a")
        #expect(picture[3] == "   1                         ★     2                               3")
        #expect(picture[7] == " ▸Inception                      기생충                          Whiplash")
        #expect(picture[8] == " 2010 · ★ 8.0                    2010 · ★ 8.0                    2010 · ★ 8.0")
        #expect(picture[23] == " ● live · revision 7 · current                                           ? keys")
    }

    @Test func `a stored screen says how old it is, and why there is nothing newer`() {
        var browser = Pages.browser()
        _ = browser.handle(
            .client(.state(.waiting(ClientError(.unavailable, "connection refused"), pause: .seconds(3)))), now: 0)
        _ = browser.handle(.update(.home, Pages.update([Pages.row("a", ["A"])], origin: .store)), now: 0)
        let status = browser.picture.last ?? ""
        #expect(status.hasPrefix(" ○ offline, next try within 3 s · revision 7 · stored 1 minute ago"))
    }

    @Test func `pending favorites count once if shown twice, and also if shown elsewhere`() {
        var browser = Pages.browser()
        let marked = ["Alpha", "Beta"].map { Pages.row($0, ["Inception"], marks: ["Inception": .pendingYes]) }
        _ = browser.handle(.update(.home, Pages.update(marked, pendingFavorites: 1)), now: 0)
        #expect(browser.picture.last?.contains("· 1 pending") == true)
        _ = browser.handle(.update(.home, Pages.update(marked, pendingFavorites: 1_200)), now: 0)
        #expect(browser.picture.last?.contains("· 1,200 pending") == true)
        // Setting and unsetting before a confirmation shows no mark, but is still pending.
        let plain = [Pages.row("a", ["Inception"])]
        _ = browser.handle(.update(.home, Pages.update(plain, pendingFavorites: 1)), now: 0)
        #expect(browser.picture.last?.contains("· 1 pending") == true)
        _ = browser.handle(.update(.home, Pages.update(plain)), now: 0)
        #expect(browser.picture.last?.contains("pending") == false)
        // From another screen, which is no longer open.
        _ = browser.handle(.pendingFavorites(2), now: 0)
        #expect(browser.picture.last?.contains("· 2 pending") == true)
    }

    @Test func `a refused screen shows its error, an unanswered one what it is waiting for`() {
        var browser = Pages.browser()
        #expect(browser.picture.contains { $0.contains("waiting for 127.0.0.1:7420") })
        _ = browser.handle(.failed(.home, "there is no screen 'home'"), now: 0)
        #expect(browser.picture.contains { $0.contains("there is no screen 'home'") })
    }

    @Test func `an empty screen says so, and the favorites how to add one`() {
        var browser = Pages.browser()
        browser.show([Pages.row("a", [])])
        #expect(browser.picture.contains { $0.contains("this screen is empty") })
        _ = browser.press(.character("F"))
        _ = browser.handle(.update(.favorites, Pages.update([Pages.row("favorites", [])])), now: 0)
        #expect(browser.picture.contains { $0.contains("no favorites yet; f marks") })
    }

    @Test func `placeholders are where items are expected`() {
        var section = Pages.row("a", [])
        section = ScreenSection(id: "a", head: section.head, items: [], placeholders: 10, sum: 0)
        var browser = Pages.browser()
        browser.show([section])
        #expect(browser.picture.contains { $0.contains("····") })
    }

    @Test func `the help fits 80 by 24 cells, and scrolls where it doesn't fit`() {
        var browser = Pages.browser()
        browser.show([Pages.row("a", ["A"])])
        _ = browser.press(.character("?"))
        for binding in KeyTable.bindings {
            #expect(browser.picture.contains { $0.contains(binding.label) && $0.contains(binding.english) })
        }
        _ = browser.handle(.resized(columns: 40, rows: 10), now: 0)
        #expect(!browser.picture.contains { $0.contains("Ctrl-C") })
        for _ in KeyTable.bindings { _ = browser.showsHelp ? browser.press(.down) : [] }
        _ = browser.press(.character("?"))
        for _ in 0..<(KeyTable.bindings.count - BrowserPainter.helpLines(rows: 10)) { _ = browser.press(.down) }
        #expect(browser.picture.contains { $0.contains("Ctrl-C") })
        _ = browser.handle(.resized(columns: 80, rows: 24), now: 0)
        #expect(browser.press(.character("x")).isEmpty)
        #expect(!browser.showsHelp)
    }

    @Test(arguments: [(1, 1), (19, 24), (80, 5), (20, 6), (300, 100)])
    func `any size is drawn`(columns: Int, rows: Int) {
        var browser = Pages.browser(columns: columns, rows: rows)
        browser.show([Pages.row("a", ["Inception", "기생충"]), Pages.row("b", ["Up"])])
        #expect(browser.picture.count == rows)
    }

    private static let server = ServerInfo(
        cluster: "c", node: "n", user: "ann", agent: "a", locales: ["en"], imageBaseURL: nil)
}

extension SystemRandomNumberGenerator {
    /// SplitMix64: the same numbers for the same seed on every machine.
    static func seeded(_ seed: UInt64) -> Seeded { Seeded(state: seed) }

    struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }
}
