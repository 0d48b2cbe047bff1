import MarqueeModel
import MarqueePresets
import Testing

@testable import MarqueeClient
@testable import marquee

struct LanguageTests {
    @Test(arguments: [
        ("ko", Language.korean), ("ko-KR", .korean), ("KO_kr", .korean), ("en", .english), ("de", .english),
        ("kok", .english),
    ])
    func `the view speaks the screen's language where it can`(_ locale: String, _ language: Language) {
        #expect(Language(locale: locale) == language)
    }

    /// English words that a Korean view shows: only names of keys, and text that a server or a person wrote.
    private func englishWords(_ browser: Browser) -> [String] {
        let allowed: Set<String> = [
            "ann", "home", "Home", "Row", "Tab", "Shift-Tab", "PgDn", "PgUp", "Ctrl-F", "Ctrl-D", "Ctrl-U", "Ctrl-Z",
            "Ctrl-C", "Ctrl-V", "fg", "End", "Enter", "Backspace", "Esc", "refused", "Up", "user",
        ]
        return browser.picture.flatMap { $0.matches(of: /[A-Za-z][A-Za-z-]+/).map { String($0.0) } }
            .filter { !allowed.contains($0) }
    }

    @Test func `a Korean view has no English words of its own`() {
        var browser = Pages.browser(user: nil, locale: "ko")
        #expect(englishWords(browser).isEmpty)
        for state in [
            ConnectionState.connecting, .waiting(ClientError(.unavailable, "refused"), pause: .seconds(2)), .closed,
        ] {
            _ = browser.handle(.client(.state(state)), now: 0)
            #expect(englishWords(browser).isEmpty, "\(browser.picture)")
        }
        for key in ["/", "가"] { _ = browser.press(.character(Character(key))) }
        #expect(browser.picture.contains { $0.contains("오프라인") })
        #expect(englishWords(browser).isEmpty, "\(browser.picture)")
        _ = browser.press(.escape)
        let section = Pages.row("a", ["Up"], windows: [6, 12], window: 6, hasMore: true)
        _ = browser.handle(.update(.home, Pages.update([section], origin: .store, locale: "ko")), now: 0)
        for key: Key in ["f", "s", "m", "F", "a", "?"].map({ .character($0) }) + [.backspace] {
            _ = browser.press(key)
            #expect(englishWords(browser).filter { $0 != "more" }.isEmpty, "\(key): \(browser.picture)")
        }
        _ = browser.handle(.tick, now: 60)
        #expect(browser.picture.last?.contains("저장됨") == true)
    }

    @Test func `changes are reported in Korean on a Korean screen`() {
        var browser = Pages.browser(locale: "ko")
        let old = [Pages.row("a", ["가", "나"])]
        _ = browser.handle(.update(.home, Pages.update(old, locale: "ko")), now: 0)
        let new = [Pages.row("a", ["나", "가", "다"])]
        _ = browser.handle(.update(.home, Pages.update(new, since: old, locale: "ko")), now: 1)
        #expect(browser.notes.contains("+ 다: Row a 3번째"))
        #expect(browser.notes.allSatisfy { !$0.contains(" in ") })
    }

    @Test func `a chart of admissions says how many people came, and how many in all`() {
        var entry = ChartEntryContent(title: "A")
        (entry.audience, entry.audienceToDate) = (123_456, 10_000_000)
        func facts(_ language: Language) -> [String] {
            ItemText(.preset(.chartEntry(entry)), in: language).cells.map(\.text).filter { !$0.isEmpty }
        }
        #expect(facts(.korean) == ["관객 123,456명", "누적 10,000,000명"])
        #expect(facts(.english) == ["123,456 admissions", "total 10,000,000"])
    }

    @Test func `a director is called so in the screen's language`() {
        let director = ItemContent.preset(.credit(CreditContent(person: 1, name: "B", job: "Director")))
        #expect(ItemText(director, in: .korean).cells.map(\.text) == ["감독"])
        #expect(ItemText(director, in: .english).cells.map(\.text) == ["Director"])
    }

    @Test func `every field has a name in both languages`() {
        for name in FieldName.allCases {
            #expect(!name.text(in: .english).isEmpty)
            #expect(name.text(in: .korean) != name.text(in: .english))
        }
        let facts = ContentWords.changes(
            from: Screens.entry("a", "A", gross: 1).content, to: Screens.entry("a", "A", gross: 2).content, in: .korean)
        #expect(facts == ["매출 $1 → $2"])
    }
}
