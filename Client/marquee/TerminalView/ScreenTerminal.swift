import Foundation

/// The terminal, taken over: shows canvases. All calls come from the one `TerminalSession`.
///
/// Drawing needs nothing but the terminal's description: artwork has thousands of pairs of colours, and ncurses neither
/// frees a pair nor has 24-bit colours on a terminal described as having 256.
struct ScreenTerminal {
    let depth: ColorDepth
    private let description: TerminalDescription
    private let writer: CanvasWriter
    private var shown: Canvas?
    /// Bytes that the terminal has not taken yet: at most one frame, because the next one isn't drawn before.
    private var waiting: ArraySlice<UInt8> = []

    /// Milliseconds that a frame waits for a terminal that is busy. After that, keys and signals come first.
    private static let patience: Int32 = 50

    /// - Throws: `Failure` if the terminal can't show screens.
    init(_ description: TerminalDescription) throws {
        self.description = description
        depth = ColorDepth(colors: description.colors, environment: ProcessInfo.processInfo.environment)
        writer = CanvasWriter(depth: depth, wrapsLate: description.wrapsLate)
        TerminalLoan.install(leaving: description.leaving)
        do {
            try take()
        } catch {
            TerminalLoan.uninstall()
            throw error
        }
    }

    /// Takes the terminal, also again after another program has had it; the next canvas is drawn whole. In the
    /// background this does nothing.
    mutating func take() throws {
        guard JobControl.isForeground else { return }
        let isNew = !TerminalLoan.isTaken
        try TerminalLoan.take()
        waiting = (isNew ? description.entering + description.preparing : description.preparing)[...]
        shown = nil
        flush()
    }

    /// Gives the terminal back. Nobody else may be reading keys.
    func close() {
        if TerminalLoan.isTaken { Self.drain() }
        TerminalLoan.giveBack()
        TerminalLoan.uninstall()
    }

    /// Milliseconds of silence after which typing or pasting has ended.
    private static let pause: Int32 = 50
    /// Maximum reads while draining, so that it ends even if the terminal never falls silent.
    private static let maximumDrained = 1_000

    /// Drops input after the last key, before the shell gets it: it would run the rest of a paste that was taken for
    /// keys.
    private static func drain() {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        for _ in 0..<maximumDrained {
            var poll = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            guard Foundation.poll(&poll, 1, pause) > 0 else { return }
            guard bytes.withUnsafeMutableBytes({ read(STDIN_FILENO, $0.baseAddress, $0.count) }) > 0 else { return }
        }
    }

    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return description.size
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// The terminal may have moved what it shows: the next canvas is drawn whole.
    mutating func redraw() { shown = nil }

    // MARK: - Drawing

    /// Draws the difference from the last canvas; nothing while the terminal belongs to another program, or still takes
    /// the previous frame.
    /// - Returns: whether it was drawn.
    @discardableResult
    mutating func show(_ canvas: Canvas) -> Bool {
        guard TerminalLoan.isTaken, JobControl.isForeground, flush() else { return false }
        waiting = writer.bytes(from: shown, to: canvas)[...]
        shown = canvas
        flush()
        return true
    }

    /// - Returns: whether everything has been written.
    @discardableResult
    private mutating func flush() -> Bool {
        while !waiting.isEmpty {
            let written = waiting.withUnsafeBytes { write(TerminalLoan.output, $0.baseAddress, $0.count) }
            if written > 0 {
                waiting = waiting.dropFirst(written)
            } else if written < 0, errno == EAGAIN {
                var poll = pollfd(fd: TerminalLoan.output, events: Int16(POLLOUT), revents: 0)
                if Foundation.poll(&poll, 1, Self.patience) == 0 { return false }
            } else if written == 0 || errno != EINTR {
                // The terminal has gone. Reading keys notices that too, and ends the session.
                waiting = []
            }
        }
        return true
    }
}
