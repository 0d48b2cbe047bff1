import Testing

@testable import marquee

struct CanvasWriterTests {
    private func written(_ writer: CanvasWriter, _ old: Canvas?, _ new: Canvas) -> String {
        String(decoding: writer.bytes(from: old, to: new), as: UTF8.self)
    }

    @Test func `only cells that differ are written`() {
        let writer = CanvasWriter(depth: .indexed, wrapsLate: true)
        var canvas = Canvas(columns: 20, rows: 3)
        canvas.write("The same", at: 0, 0, within: 20)
        let old = canvas
        #expect(writer.bytes(from: old, to: canvas).isEmpty)
        canvas.write("new", at: 5, 2, within: 20, .bold)
        #expect(written(writer, old, canvas) == "\u{1B}[3;6H\u{1B}[0;1mnew\u{1B}[0m")
        // The terminal's content is unknown after a change of its size: everything is written.
        #expect(written(writer, nil, canvas).contains("The same"))
        #expect(written(writer, Canvas(columns: 9, rows: 3), canvas).contains("The same"))
    }

    @Test(arguments: [
        (ColorDepth.none, "\u{1B}[0;7m"), (.eight, "\u{1B}[0;37;41m"), (.indexed, "\u{1B}[0;38;5;231;48;5;196m"),
        (.direct, "\u{1B}[0;38;2;255;255;255;48;2;255;0;0m"),
    ])
    func `colours are written as the terminal takes them`(_ depth: ColorDepth, _ sequence: String) {
        var canvas = Canvas(columns: 3, rows: 1)
        canvas.fill(canvas.bounds, CellStyle(ink: .white, paper: CellColor(255, 0, 0)))
        #expect(
            written(CanvasWriter(depth: depth, wrapsLate: true), nil, canvas) == "\u{1B}[1;1H\(sequence)   \u{1B}[0m")
    }

    @Test func `after a character of doubtful width the cursor is positioned again`() {
        var canvas = Canvas(columns: 8, rows: 1)
        canvas.write("기a", at: 0, 0, within: 8)
        #expect(written(CanvasWriter(depth: .none, wrapsLate: true), nil, canvas).contains("기\u{1B}[1;3Ha"))
    }

    @Test func `nothing old stays beside a letter that a terminal may draw narrower or wider`() {
        var canvas = Canvas(columns: 8, rows: 1)
        canvas.write("abcdefgh", at: 0, 0, within: 8)
        let old = canvas
        canvas.write("क्षि", at: 1, 0, within: 8)
        // Its columns are emptied first, and the one after it is written again.
        #expect(
            written(CanvasWriter(depth: .none, wrapsLate: true), old, canvas)
                == "\u{1B}[1;2H\u{1B}[0m   \u{1B}[1;2Hक्षि\u{1B}[1;5H \u{1B}[1;5He\u{1B}[0m")
    }

    @Test func `the last cell is left out if it would scroll the screen`() {
        var canvas = Canvas(columns: 2, rows: 2)
        canvas.fill(canvas.bounds, .plain, with: "#")
        func count(_ wrapsLate: Bool) -> Int {
            written(CanvasWriter(depth: .none, wrapsLate: wrapsLate), nil, canvas).count { $0 == "#" }
        }
        #expect(count(true) == 4)
        #expect(count(false) == 3)
    }
}
