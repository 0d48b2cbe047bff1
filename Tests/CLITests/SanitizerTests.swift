import Testing

@testable import marquee

struct SanitizerTests {
    @Test func `Escape sequences lose their escape`() {
        #expect(Sanitizer.line("\u{1B}[31mred\u{1B}[0m") == "[31mred[0m")
        #expect(Sanitizer.line("\u{9B}31mred") == "31mred")
        #expect(Sanitizer.line("\u{1B}]0;title\u{07}") == "]0;title")
    }

    @Test func `Control characters are removed and breaks become spaces`() {
        #expect(Sanitizer.line("a\u{0}b\u{8}c\u{7F}d\u{84}e") == "abcde")
        #expect(Sanitizer.line("one\ntwo\tthree\u{2028}four\u{2029}five") == "one two three four five")
        #expect(Sanitizer.line("one\r\ntwo").split(separator: " ") == ["one", "two"])
    }

    @Test(arguments: [0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069, 0x200E, 0x200F, 0x061C])
    func `Bidi controls are removed`(_ value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        #expect(Sanitizer.line("a\(Character(scalar))b") == "ab")
    }

    @Test func `Invisible format characters are removed`() {
        #expect(Sanitizer.line("a\u{200B}b\u{FEFF}c\u{AD}d\u{E0041}e\u{2060}f") == "abcdef")
    }

    @Test func `Words of all scripts stay`() {
        let titles = ["기생충", "Amélie", "千と千尋の神隠し", "جدایی نادر از سیمین", "👨‍👩‍👧", "می\u{200C}خواهم", "L'Été │ ★"]
        for title in titles { #expect(Sanitizer.line(title) == title) }
    }

    @Test func `A pile of marks is cut`() {
        let pile = "a" + String(repeating: "\u{301}", count: 500)
        #expect(Sanitizer.line(pile).unicodeScalars.count == Sanitizer.maximumScalarsPerCharacter)
    }
}
