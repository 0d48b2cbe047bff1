import CNcurses
import Foundation

/// The terminal, taken over by ncurses: shows canvases and reads keys.
///
/// ncurses is one state for the whole process and none of it may be called from two threads at once: all calls come from the one
/// `TerminalSession`. The terminal is given back by `close`, and by a handler when the process crashes.
struct CursesTerminal {
    private let depth: ColorDepth
    private var pairs: [Pair: Int32] = [:]
    private let pairLimit: Int32

    private struct Pair: Hashable {
        var ink: Int
        var paper: Int
    }

    /// Pairs of colours in use at once, at most; one for each card on a large screen.
    private static let maximumPairs: Int32 = 4_096

    /// Whether the terminal is known and its cursor can be placed; one that only prints gets lines.
    static var canShowScreens: Bool { marquee_curses_is_capable() != 0 }

    /// - Throws: `Failure` where the terminal can't do it.
    init() throws {
        // Text beyond ASCII needs a locale that knows UTF-8, whatever the environment says.
        if setlocale(LC_ALL, "") == nil || marquee_curses_is_wide() == 0 { _ = setlocale(LC_CTYPE, "C.UTF-8") }
        CrashRestore.rememberTerminal()
        guard marquee_curses_open() == 0 else {
            throw Failure(.unavailable, "this terminal can't show screens; try --output lines")
        }
        CrashRestore.install { marquee_curses_capability($0) }
        depth = ColorDepth(colors: Int(marquee_curses_colors()), environment: ProcessInfo.processInfo.environment)
        pairLimit = min(marquee_curses_pairs(), Self.maximumPairs)
    }

    /// Gives the terminal back.
    func close() {
        endwin()
        CrashRestore.uninstall()
    }

    var size: (columns: Int, rows: Int) {
        var columns: Int32 = 0
        var rows: Int32 = 0
        marquee_curses_size(&columns, &rows)
        return (Int(columns), Int(rows))
    }

    /// Takes over the size that the terminal has now.
    func resize() {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return }
        resizeterm(Int32(size.ws_row), Int32(size.ws_col))
    }

    /// Something else may have written to the terminal: the next canvas is drawn whole.
    func redraw() { marquee_curses_redraw() }

    // MARK: - Drawing

    mutating func show(_ canvas: Canvas) {
        let (columns, rows) = size
        for row in 0..<min(rows, canvas.rows) {
            var column = 0
            while column < min(columns, canvas.columns) {
                let style = canvas[column, row].style
                var text = ""
                let start = column
                while column < min(columns, canvas.columns), canvas[column, row].style == style {
                    if let character = canvas[column, row].text { text.append(character) }
                    column += 1
                }
                set(style)
                marquee_curses_put(Int32(start), Int32(row), text)
            }
        }
        refresh()
    }

    private mutating func set(_ style: CellStyle) {
        // Without colours a painted ground is shown by reversing, so that cards and marks are still seen.
        let isReversed = style.isReversed || (depth == .none && style.paper != nil)
        marquee_curses_style(
            style.isBold ? 1 : 0, style.isDim ? 1 : 0, style.isUnderlined ? 1 : 0, isReversed ? 1 : 0, pair(of: style))
    }

    private mutating func pair(of style: CellStyle) -> Int32 {
        let ink = style.ink.flatMap { depth.index(of: $0) } ?? -1
        let paper = style.paper.flatMap { depth.index(of: $0) } ?? -1
        let key = Pair(ink: ink, paper: paper)
        if key == Pair(ink: -1, paper: -1) { return 0 }
        if let known = pairs[key] { return known }
        let number = Int32(pairs.count + 1)
        guard number < pairLimit, init_extended_pair(number, Int32(ink), Int32(paper)) == OK else { return 0 }
        pairs[key] = number
        return number
    }

    // MARK: - Keys

    /// The keys pressed since the last call; never waits.
    func keys() -> [Key] {
        var keys: [Key] = []
        while keys.count < 256 {
            var code: UInt32 = 0
            let kind = marquee_curses_read(&code)
            if kind == ERR { break }
            if let key = kind == KEY_CODE_YES ? function(Int32(bitPattern: code)) : character(code) { keys.append(key) }
        }
        return keys
    }

    private func function(_ code: Int32) -> Key? {
        switch code {
        case KEY_UP: .up
        case KEY_DOWN: .down
        case KEY_LEFT: .left
        case KEY_RIGHT: .right
        case KEY_PPAGE: .pageUp
        case KEY_NPAGE: .pageDown
        case KEY_HOME: .home
        case KEY_END: .end
        case KEY_BTAB: .backTab
        case KEY_ENTER: .enter
        case KEY_BACKSPACE, KEY_DC: .backspace
        default: nil
        }
    }

    private func character(_ code: UInt32) -> Key? {
        switch code {
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x08, 0x7F: .backspace
        case 0x1B: .escape
        case ..<0x20: nil
        default: Unicode.Scalar(code).map { .character(Character($0)) }
        }
    }
}
