import Foundation

/// Standard output: its width in columns, and the text style that it can show.
struct Terminal: Sendable {
    /// Columns for output that is not a terminal, so a file or a pipe has the same lines everywhere.
    static let columnsElsewhere = 100
    /// Columns of a terminal that does not say.
    static let columnsUnknown = 80
    /// Rows of a terminal that does not say.
    static let rowsUnknown = 24
    /// Fewer columns are most likely a mistake; with more, a title would be lost in a field of spaces.
    static let plausibleColumns = 20...500

    var columns: Int
    var style: TextStyle

    /// - Parameters:
    ///   - isTerminal: whether a person is looking at it.
    ///   - measured: the columns that the terminal reports.
    init(isTerminal: Bool, measured: Int?, environment: [String: String]) {
        let plausible = { (number: Int?) in number.flatMap { Terminal.plausibleColumns.contains($0) ? $0 : nil } }
        let claimed = plausible(environment["COLUMNS"].flatMap { Int($0) })
        if isTerminal {
            columns = plausible(measured) ?? claimed ?? Terminal.columnsUnknown
        } else {
            columns = claimed ?? Terminal.columnsElsewhere
        }
        let wantsNoColor = !(environment["NO_COLOR"] ?? "").isEmpty || ["", "dumb"].contains(environment["TERM"] ?? "")
        style = TextStyle(isOn: isTerminal && !wantsNoColor)
    }

    /// Standard output as it is now; a window may change its size between calls.
    static func standardOutput() -> Terminal {
        var size = winsize()
        let measured = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : nil
        return Terminal(
            isTerminal: isatty(STDOUT_FILENO) == 1, measured: measured,
            environment: ProcessInfo.processInfo.environment)
    }
}

/// Weight of text, where the terminal can show it.
struct TextStyle: Sendable {
    var isOn: Bool

    static let plain = TextStyle(isOn: false)

    /// For text to be read first.
    func bold(_ text: String) -> String { isOn && !text.isEmpty ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
    /// For text to be read last.
    func dim(_ text: String) -> String { isOn && !text.isEmpty ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
}
