import Testing

@testable import marquee

struct CanvasTests {
    @Test func `wide characters take two cells, and covering half of one removes it`() {
        var canvas = Canvas(columns: 8, rows: 1)
        canvas.write("기생충", at: 0, 0, within: 8)
        #expect(canvas.text == ["기생충"])
        canvas.write("x", at: 1, 0, within: 1)
        #expect(canvas.text == [" x생충"])
        canvas.write("y", at: 4, 0, within: 1)
        #expect(canvas.text == [" x생y"])
    }

    @Test func `a letter keeps all the columns of its parts, and covering one of them removes it`() {
        var canvas = Canvas(columns: 9, rows: 1)
        canvas.write("क्षिa\u{1100}\u{1100}b", at: 0, 0, within: 9)
        func cells() -> [String?] { (0..<9).map { canvas[$0, 0].text.map { String($0) } } }
        #expect(cells() == ["क्षि", nil, nil, "a", "\u{1100}\u{1100}", nil, nil, nil, "b"])
        canvas.write("x", at: 1, 0, within: 1)
        canvas.write("yz", at: 6, 0, within: 2)
        #expect(cells() == [" ", "x", " ", "a", " ", " ", "y", "z", "b"])
        // One that has no room whole is not drawn in part.
        canvas.write("कक्षि", at: 0, 0, within: 3)
        #expect(canvas.text == ["क… a  yzb"])
    }

    @Test func `text is cut with an ellipsis at its limit, and nothing is written outside the clip`() {
        var canvas = Canvas(columns: 10, rows: 3)
        canvas.write("Interstellar", at: 0, 0, within: 6)
        canvas.clip = CellRect(column: 2, row: 1, columns: 4, rows: 1)
        canvas.fill(canvas.bounds, .plain, with: "#")
        canvas.write("abcdefgh", at: 0, 1, within: 8)
        canvas.write("out", at: 2, 2, within: 3)
        canvas.write("out", at: -40, 1, within: 3)
        canvas.write("out", at: 4_000, 1, within: 3)
        #expect(canvas.text == ["Inter…", "  cdef", ""])
    }

    @Test func `half of a wide character at the edge is not drawn`() {
        var canvas = Canvas(columns: 5, rows: 1)
        canvas.clip = CellRect(column: 0, row: 0, columns: 3, rows: 1)
        canvas.write("가나다", at: 0, 0, within: 6)
        #expect(canvas.text == ["가"])
    }

    @Test func `an emoji of several parts becomes its first, whose width terminals agree on`() {
        #expect(Canvas.fitted("👨‍👩‍👧 a", to: 10) == "👨 a")
        #expect(Canvas.fitted("1️⃣ é", to: 10).hasPrefix("1"))
        // Letters that are joined keep their parts.
        #expect(Canvas.fitted("ශ්\u{200D}රී", to: 10) == "ශ්\u{200D}රී")
        #expect(
            !Canvas.fitted("a\u{1B}[31mb\u{202E}", to: 20).unicodeScalars.contains {
                $0.value == 0x1B || $0.value == 0x202E
            })
    }

    @Test func `text keeps the background it is written on`() {
        var canvas = Canvas(columns: 4, rows: 1)
        canvas.fill(canvas.bounds, CellStyle(paper: .red))
        canvas.write("ab", at: 1, 0, within: 2, .bold)
        #expect(canvas[1, 0].style == CellStyle(paper: .red, isBold: true))
    }

    @Test func `an empty canvas takes everything`() {
        var canvas = Canvas(columns: 0, rows: -3)
        canvas.fill(CellRect(column: 0, row: 0, columns: 9, rows: 9), .plain)
        canvas.write("x", at: 0, 0, within: 1)
        #expect(canvas.text.isEmpty)
    }
}

struct ColorDepthTests {
    @Test(
        arguments: [
            (256, [:], ColorDepth.indexed), (88, [:], .sixteen), (16, [:], .sixteen), (8, [:], .eight), (0, [:], .none),
            (256, ["NO_COLOR": "1"], .none), (256, ["NO_COLOR": ""], .indexed),
            (256, ["COLORTERM": "truecolor"], .direct), (256, ["COLORTERM": "24bit"], .direct),
            (256, ["COLORTERM": "yes"], .indexed), (8, ["COLORTERM": "truecolor"], .eight), (1 << 24, [:], .direct),
            (1 << 24, ["NO_COLOR": "1"], .none),
        ] as [(Int, [String: String], ColorDepth)])
    func `the terminal's colours and NO_COLOR decide the depth`(
        colors: Int, environment: [String: String], depth: ColorDepth
    ) {
        #expect(ColorDepth(colors: colors, environment: environment) == depth)
    }

    @Test func `each depth has its nearest colour`() {
        #expect(ColorDepth.none.index(of: .red) == nil)
        #expect(ColorDepth.eight.index(of: CellColor(200, 10, 10)) == 1)
        #expect(ColorDepth.sixteen.index(of: .white) == 15)
        #expect(ColorDepth.indexed.index(of: CellColor(135, 0, 95)) == 16 + 36 * 2 + 1)
        #expect(ColorDepth.indexed.index(of: CellColor(8, 8, 8)) == 232)
        #expect(ColorDepth.indexed.index(of: .white) == 231)
        #expect(ColorDepth.none.parameters(.red, isPaper: true) == nil)
        #expect(ColorDepth.eight.parameters(CellColor(200, 10, 10), isPaper: true) == "41")
        #expect(ColorDepth.sixteen.parameters(.white, isPaper: false) == "97")
        #expect(ColorDepth.indexed.parameters(CellColor(135, 0, 95), isPaper: false) == "38;5;89")
        #expect(ColorDepth.direct.parameters(CellColor(1, 2, 3), isPaper: true) == "48;2;1;2;3")
    }

    @Test func `artwork has its placeholder colour if that is colourful, else one from its name`() {
        #expect(CellColor.artwork(color: "#FF0000", name: "a") == CellColor(255, 0, 0))
        #expect(CellColor.artwork(color: "#202020", name: "a") == CellColor.artwork(color: nil, name: "a"))
        #expect(CellColor.artwork(color: "red", name: "a") == CellColor.artwork(color: nil, name: "a"))
        #expect(CellColor(hex: "#12345") == nil)
    }
}
