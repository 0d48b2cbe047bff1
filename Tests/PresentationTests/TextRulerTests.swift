import MarqueePresentation
import Testing

@Suite("Lines of text") struct TextRulerTests {
    private func text(_ string: String, lines: Int = 1, size: Double = 10) -> Text {
        var text = Text(string, size, .regular, .black)
        text.lines = lines
        return text
    }

    private func fitted(_ string: String, lines: Int = 1, in width: Double) -> [String] {
        TextRuler.fitted(text(string, lines: lines), in: width).string.split(separator: "\n").map(String.init)
    }

    @Test func `Text breaks between words`() {
        #expect(fitted("Guardians of the Galaxy", lines: 2, in: 80) == ["Guardians of the", "Galaxy"])
        #expect(fitted("Guardians of the Galaxy", lines: 2, in: 200) == ["Guardians of the Galaxy"])
    }

    @Test func `Text that doesn't fit ends after a whole word`() {
        #expect(fitted("Guardians of the Galaxy", in: 80) == ["Guardians of…"])
        #expect(fitted("The Lord of the Rings: The Two Towers", in: 116) == ["The Lord of the Rings…"])
        #expect(fitted("One by one, a poor family", lines: 2, in: 50) == ["One by", "one, a…"])
        // A lone word on a line is better than an ellipsis.
        #expect(fitted("Interstellar overture", in: 59) == ["Interstellar"])
    }

    @Test func `A word wider than the line shrinks instead of breaking`() {
        let fitted = TextRuler.fitted(text("Documentary"), in: 50)
        #expect(fitted.string == "Documentary")
        #expect(fitted.size < 10 && fitted.size > 6)
        #expect(TextRuler.width(of: fitted) <= 50)
        // Other words keep their given size.
        #expect(TextRuler.fitted(text("Drama"), in: 50).size == 10)
    }

    @Test func `Only a word that doesn't fit at any size is broken`() {
        let word = String(repeating: "m", count: 40)
        let fitted = TextRuler.fitted(text(word, lines: 9), in: 50)
        #expect(fitted.lines > 1)
        #expect(fitted.string.split(separator: "\n").joined() == word)
    }

    @Test func `Facts are dropped whole`() {
        let facts = "2009 · 162 min · Action, Adventure"
        #expect(fitted(facts, in: 300) == [facts])
        #expect(fitted(facts, in: 130) == ["2009 · 162 min · Action"])
        #expect(fitted(facts, in: 90) == ["2009 · 162 min"])
        #expect(fitted(facts, in: 30) == ["2009"])
    }

    @Test func `A date among facts is dropped whole`() {
        #expect(fitted("Busan · Mar 6, 2020", in: 80) == ["Busan"])
        #expect(fitted("Busan · Action, 2 Guns", in: 80) == ["Busan"])
    }

    @Test func `A number that has no room says so`() {
        let number = "9,007,199,254,745,982"
        for (lines, width) in [(1, 40.0), (2, 20)] {
            let fitted = fitted(number, lines: lines, in: width)
            #expect(fitted.count == lines && fitted.last?.hasSuffix("…") == true)
            #expect(number.hasPrefix(fitted.joined().dropLast()), "\(fitted)")
        }
    }

    @Test func `Long names break after a hyphen, and short ones don't`() {
        #expect(fitted("Joseph Gordon-Levitt", lines: 2, in: 79) == ["Joseph Gordon-", "Levitt"])
        #expect(fitted("Bong Joon-ho", lines: 2, in: 54) == ["Bong", "Joon-ho"])
    }

    @Test func `Korean breaks at spaces, Chinese anywhere`() {
        #expect(fitted("가디언즈 오브 갤럭시", lines: 2, in: 70) == ["가디언즈 오브", "갤럭시"])
        #expect(fitted("千と千尋の神隠し", lines: 2, in: 52) == ["千と千尋の", "神隠し"])
    }

    @Test func `Text never exceeds its line limit`() {
        // Ten letters of about 0.6 em at 10 points are about 59 points per word; a space is 2.8.
        let words = text("abcdeabcde abcdeabcde abcdeabcde", lines: 9)
        #expect(TextRuler.lines(of: words, in: 200) == 1)
        #expect(TextRuler.lines(of: words, in: 125) == 2)
        #expect(TextRuler.lines(of: words, in: 65) == 3)
        #expect(TextRuler.lines(of: text(words.string, lines: 2), in: 65) == 2)
        #expect(TextRuler.lines(of: words, in: 0) == 1)
    }

    @Test func `Square letters are wide`() {
        #expect(TextRuler.width(of: text("가나다라")) > 1.5 * TextRuler.width(of: text("aaaa")))
        #expect(
            TextRuler.width(of: "e\u{301}", size: 10, weight: .regular)
                == TextRuler.width(of: "e", size: 10, weight: .regular))
    }

    @Test func `A text's height is that of its lines`() {
        // Titles that nearly fill a line: neither may leave an empty second one.
        for width in stride(from: 60.0, through: 260, by: 1) {
            let title = text("Swift From the First Line", lines: 2, size: 13)
            let fitted = TextRuler.fitted(title, in: width)
            let lines = fitted.string.split(separator: "\n")
            #expect(lines.count == fitted.lines)
            #expect(TextRuler.height(of: title, in: width) == Double(lines.count) * fitted.lineHeight)
        }
    }
}
