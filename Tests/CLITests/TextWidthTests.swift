import Testing

@testable import marquee

struct TextWidthTests {
    @Test(arguments: [
        ("Inception", 9), ("기생충", 6), ("千と千尋", 8), ("Amélie", 6), ("Ame\u{301}lie", 6), ("ｆｕｌｌ", 8), ("★ ♥ │ …", 7),
        ("🎬", 2), ("👨‍👩‍👧", 2), ("🇰🇷", 2), ("👍🏽", 2), ("❤️", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("한글 a", 6), ("", 0),
        // A letter of several parts takes as many columns as its parts do on terminals.
        ("क्षि", 3), ("க்ஷௌ", 3), ("กำ", 2), ("\u{1100}\u{1100}\u{1161}", 4), ("ශ්\u{200D}රී", 2), ("\u{1161}", 0),
        ("\u{200B}\u{301}\u{FE0F}", 0), ("🏴\u{E0067}\u{E007F}", 2), ("1\u{FE0F}\u{20E3}", 2),
    ])
    func `A text takes the columns of its characters`(_ text: String, _ columns: Int) {
        #expect(TextWidth.columns(text) == columns)
    }

    @Test func `Truncation never splits a character or exceeds the limit`() {
        #expect(TextWidth.truncate("Inception", to: 9) == "Inception")
        #expect(TextWidth.truncate("Inception", to: 5) == "Ince…")
        #expect(TextWidth.truncate("기생충", to: 5) == "기생…")
        #expect(TextWidth.truncate("기생충", to: 4) == "기…")
        #expect(TextWidth.truncate("기생충", to: 1) == "…")
        #expect(TextWidth.truncate("x", to: 0).isEmpty)
    }

    @Test func `Padding counts columns, not characters`() {
        #expect(TextWidth.pad("기생충", to: 8) == "기생충  ")
        #expect(TextWidth.pad("7", to: 3, right: true) == "  7")
        #expect(TextWidth.pad("long", to: 2) == "long")
    }

    @Test func `Lines break at spaces and long words anywhere`() {
        #expect(TextWidth.wrap("a thief who steals", to: 8) == ["a thief", "who", "steals"])
        #expect(TextWidth.wrap("가나다라 마", to: 5) == ["가나", "다라", "마"])
        #expect(TextWidth.wrap("  ", to: 5).isEmpty)
    }
}
