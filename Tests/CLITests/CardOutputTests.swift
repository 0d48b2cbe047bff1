import Foundation
import MarqueeModel
import MarqueeScreenJSON
import Testing

@_spi(Admin) @testable import MarqueeClient
@testable import marquee

struct CardOutputTests {
    private let printer = ScreenPrinter(columns: 80, rows: 10, style: .plain)
    private var detail: ScreenSection { Cards.section("detail", .detail, height: nil, [Cards.episode]) }

    private func picture(_ sections: ScreenSection..., rows: Int = 24) -> [String] {
        var browser = Pages.browser(rows: rows)
        browser.show(sections)
        return browser.picture
    }

    // MARK: - Text

    @Test func `cards of a list are rows, and missing parts keep their columns`() {
        #expect(
            printer.lines(of: Cards.league) == [
                "table  chart · 3",
                "   1  Northgate     =   Pts 38  Played 17",
                "   2  Harbour City  ▲2  Pts 35  Played 17",
                "  18  서울          ▼1   Pts 8  Played 17",
            ])
        #expect(
            printer.lines(of: Cards.schedule) == [
                "friday  list · 3",
                "   1  Keynote            09:00  Grace                 [Main hall]",
                "   2  Swift on small m…  10:00         ★ 9.1  EUR 20",
                "   3  Lunch                                                        In the garden",
            ])
    }

    @Test func `a card's own section shows all of it`() {
        #expect(
            printer.lines(of: detail) == [
                "detail  1",
                "  Tides",
                "  Slow Rivers",
                "  Mara Lindqvist",
                "  ★ 4.5/5 (1,204) · EUR 4.99 · #3 ▲2",
                "  [NEW] [Free]",
                "  3 May",
                "  ━━━━━━────────────────── 10.5 of 42 min",
                "  Every spring the river gives back what the winter has taken: planks, letters,",
                "  once a piano.",
                "  Length  42 min",
                "  Guests  Ines Ferreira and Tom Okafor of Viana",
                "  [Play] [Show]",
            ])
        let bare = Cards.section("detail", .detail, height: nil, [Cards.item("x", "Bare")])
        #expect(printer.lines(of: bare) == ["detail  1", "  Bare"])
    }

    @Test func `a hostile card stays on its lines`() {
        let item = Cards.item("x", "A\u{1B}[31m\nb") {
            $0.badges = [CardContent.Badge(text: "c\nd\u{202E}")]
            $0.facts = [CardContent.Fact(label: "e\n", value: "f\u{7}g")]
            $0.progress = CardContent.Progress(value: .greatestFiniteMagnitude, total: -1, unit: "\n")
            $0.rating = CardContent.Rating(value: 1e300, scale: 0, count: .max)
        }
        for kind in [SectionKind.detail, .list] {
            for line in printer.lines(of: Cards.section("s", kind, height: 88, [item])) {
                #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E }, "\(line)")
                #expect(TextWidth.columns(line) <= 80)
            }
        }
    }

    @Test func `changes to a card are reported by field`() {
        var new = Cards.episode.content
        if case .card(var card) = new {
            card.overline = nil
            card.rating?.value = 4.7
            card.progress?.value = 20
            card.facts.removeLast()
            card.record?.bytes = []
            new = .card(card)
        }
        #expect(
            ContentWords.changes(from: Cards.episode.content, to: new) == [
                "overline Slow Rivers → none", "rating 4.5 → 4.7", "progress 10.5 of 42 min → 20 of 42 min",
                "facts Length 42 min, Guests Ines Ferreira and Tom Okafor of Viana → Length 42 min", "record changed",
            ])
    }

    // MARK: - NDJSON

    @Test func `ndjson has every field, and the record's bytes as base64`() throws {
        let line = ContentJSON.item(Cards.episode).line()
        let item = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary)
        #expect(item["kind"] as? String == "card")
        let expected: NSDictionary = [
            "overline": "Slow Rivers", "title": "Tides", "subtitle": "Mara Lindqvist", "caption": "3 May",
            "image": ["name": "tides", "aspect": 1],
            "badges": [["text": "NEW", "role": "accent"], ["text": "Free", "role": "good"]],
            "rating": ["value": 4.5, "scale": 5, "count": 1_204], "price": ["amount": "4.99", "currency": "EUR"],
            "rank": ["place": 3, "previous": 5], "progress": ["value": 10.5, "total": 42, "unit": "min"],
            "facts": [
                ["label": "Length", "value": "42 min"],
                ["label": "Guests", "value": "Ines Ferreira and Tom Okafor of Viana"],
            ],
            "actions": [["id": "play", "title": "Play"], ["id": "open", "title": "Show", "target": "show/rivers"]],
            "text": "Every spring the river gives back what the winter has taken: planks, letters, once a piano.",
            "record": ["message": "podcast.v1.Episode", "bytes": "CgP/"],
        ]
        #expect(item["content"] as? NSDictionary == expected)
        #expect(ContentJSON.content(.card(CardContent(title: "x"))).line() == #"{"title":"x"}"#)
    }

    // MARK: - The terminal

    @Test func `rows of cards without an image have their rank and how it moved before the words`() {
        let lines = picture(Cards.schedule, Cards.league)
        #expect(
            lines[2...7] == [
                "▸Keynote", "09:00 · Grace · [Main hall]", "Swift on small machines", "10:00 · ★ 9.1 · EUR 20", "Lunch",
                "In the garden",
            ])
        #expect(lines.contains("  1 =    Northgate · Pts 38 · Played 17"))
        #expect(lines.contains("  2 ▲2   Harbour City · Pts 35 · Played 17"))
        #expect(lines.contains(" 18 ▼1   서울 · Pts 8 · Played 17"))
        let marked = Screens.item("x", .card, .card(CardContent(title: "Bare")), subject: "card/x", mark: .yes)
        let row = picture(Cards.section("s", .list, height: 44, [marked]))[2]
        #expect(row.hasPrefix("▸Bare") && row.hasSuffix("★"), "\(row)")
    }

    @Test func `posters of cards have rank, movement, badges and progress on the image`() {
        let lines = picture(Cards.posters)
        #expect(lines[2].hasPrefix("▌ 3 ▲2 NEW  Free") || lines[2].hasPrefix("  3 ▲2 NEW  Free"), "\(lines[2])")
        #expect(lines.contains { $0.contains("━━━━━━━──────") })
        #expect(lines.contains { $0.contains("Slow Rivers · Mara Lindqvist") && !$0.contains("[NEW]") })
    }

    @Test func `a hero has its words and actions on the image`() {
        let lines = picture(Cards.section("hero", .hero, height: 450, [Cards.episode]), rows: 48)
        #expect(lines.contains { $0.contains("Tides") })
        #expect(lines.contains { $0.contains("Every spring the river") })
        #expect(lines.contains { $0.contains("[Play] [Show]") })
    }

    @Test func `a detail is beside its image, or alone if there is none`() {
        let lines = picture(detail)
        #expect(lines.contains { $0.hasSuffix("  ★ 4.5/5 (1,204) · EUR 4.99 · #3 ▲2") })
        #expect(lines.contains { $0.hasSuffix("  Length  42 min") })
        #expect(lines.contains { $0.hasSuffix("  ━━━━━━────────────────── 10.5 of 42 min") })
        #expect(lines.contains { $0.hasSuffix("  once a piano.") || $0.hasSuffix("planks, letters, once a piano.") })
        #expect(picture(Cards.section("detail", .detail, height: nil, [Cards.item("x", "Bare")]))[2] == "  Bare")
    }

    @Test func `a card leads to the screen of an action, or to the one with its own name`() {
        var browser = Pages.browser()
        #expect(browser.target(of: Cards.episode) == ScreenID("show/rivers"))
        #expect(browser.target(of: Cards.item("x", "Bare")) == ScreenID("card/x"))
        browser.show([detail])
        #expect(
            ActionMenu(browser.page, focused: ItemPosition(section: 0, item: 0)).entries.map(\.action.id) == [
                "play", "open",
            ])
    }

    @Test func `an item leads to the screen that the server offers for its type`() {
        func screen(_ pattern: String) -> OfferedScreen { OfferedScreen(pattern: pattern, title: "", sections: []) }
        var browser = Pages.browser()
        let kind = ItemKind(rawValue: 1_001)
        let record = ScreenItem(item: Item(id: "x", kind: kind, subject: "episode/a/b", body: []), favorite: .no)
        #expect(browser.target(of: record) == nil)
        let patterns = ["home", "topic/$id", "movie/$id", "detail/<movie>", "play/<episode>"]
        let offer = ServerOffer(screens: patterns.map(screen), locales: ["en"])
        #expect(browser.handle(.offered(offer), now: 0) == [])
        #expect(browser.target(of: record) == "play/a/b")
        #expect(browser.target(of: Screens.movie(155, "Heat")) == "detail/155")
        #expect(offer.screen(of: "movie/heat") == "detail/heat")
        #expect(offer.screen(of: "topic/food") == "topic/food")
        for subject in ["show/x", "movie", "movie/", "/x", "home/x"] as [Subject] {
            #expect(offer.screen(of: subject) == nil, "\(subject)")
        }
    }

    @Test(arguments: [
        ("1234567.5", "1,234,567.5"), ("39.50", "39.50"), ("-1234", "-1,234"), ("999", "999"), ("1000", "1,000"),
        ("1.", "1."), ("1.2.3", "1.2.3"), ("from 1000", "from 1000"), ("-", "-"), ("", ""),
    ])
    func `An amount is grouped, and keeps its digits`(amount: String, shown: String) {
        #expect(Words.amount(amount) == shown)
        #expect(Words.price(CardContent.Price(amount: amount, currency: "EUR")).hasSuffix(shown))
    }
}
