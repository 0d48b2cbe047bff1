import CNcurses
import Foundation

/// The terminal, taken over: shows canvases and reads keys.
///
/// ncurses sets it up, reads keys and gives it back. Drawing bypasses ncurses: artwork needs thousands of colour pairs,
/// and ncurses neither frees a pair nor has 24-bit colours on a terminal described as having 256. ncurses has one state
/// for the whole process and must not be called from two threads at once: all calls come from the one
/// `TerminalSession`. The terminal is given back by `close`, and by a handler when the process crashes.
struct CursesTerminal {
    let depth: ColorDepth
    private let writer: CanvasWriter
    private var shown: Canvas?

    /// Whether the terminal is known and understands ANSI sequences; any other gets lines.
    static var canShowScreens: Bool { marquee_curses_is_capable() != 0 }

    /// - Throws: `Failure` if the terminal can't show screens.
    init() throws {
        // Text beyond ASCII needs a locale that knows UTF-8, whatever the environment says.
        if setlocale(LC_ALL, "") == nil || marquee_curses_is_wide() == 0 { _ = setlocale(LC_CTYPE, "C.UTF-8") }
        CrashRestore.rememberTerminal()
        guard marquee_curses_open() == 0 else {
            throw Failure(.unavailable, "this terminal can't show screens; try --output lines")
        }
        CrashRestore.install { marquee_curses_capability($0) }
        depth = ColorDepth(colors: Int(marquee_curses_colors()), environment: ProcessInfo.processInfo.environment)
        writer = CanvasWriter(depth: depth, wrapsLate: marquee_curses_wraps_late() != 0)
        marquee_curses_redraw()
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

    /// Adopts the terminal's current size.
    mutating func resize() {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return }
        resizeterm(Int32(size.ws_row), Int32(size.ws_col))
        redraw()
    }

    /// Something else may have written to the terminal: it is emptied, and the next canvas is drawn whole.
    mutating func redraw() {
        marquee_curses_redraw()
        shown = nil
    }

    // MARK: - Drawing

    mutating func show(_ canvas: Canvas) {
        var bytes = writer.bytes(from: shown, to: canvas)[...]
        shown = canvas
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if written > 0 {
                bytes = bytes.dropFirst(written)
            } else if written < 0, errno == EAGAIN {
                var poll = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                _ = Foundation.poll(&poll, 1, 100)
            } else if written == 0 || errno != EINTR {
                // The terminal has gone. Reading keys notices that too, and ends the session.
                return
            }
        }
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
        // Ctrl with a letter sends the letter's place in the alphabet.
        case 0x01...0x1A: Unicode.Scalar(code + 0x60).map { .control(Character($0)) }
        case ..<0x20: nil
        default: Unicode.Scalar(code).map { .character(Character($0)) }
        }
    }
}
