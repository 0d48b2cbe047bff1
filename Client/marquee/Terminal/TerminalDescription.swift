import CNcurses
import Foundation

/// The terminal that `TERM` names, as terminfo describes it.
struct TerminalDescription: Sendable {
    /// The number of colours; 0 without any.
    let colors: Int
    /// Whether a character in the last column leaves the cursor there until the next one is written.
    let wrapsLate: Bool
    /// Columns and rows of a terminal that reports no size.
    let size: (columns: Int, rows: Int)
    /// The sequence that enters the alternate screen. Sent once, as it also saves where the shell's cursor was.
    let entering: [UInt8]
    /// The sequence that sets the screen up and clears it.
    let preparing: [UInt8]
    /// The sequence that restores the previous screen.
    let leaving: [UInt8]
    /// The sequences of the keys.
    let keys: [[UInt8]: Key]

    /// Turn bracketed paste on and off: the terminal puts a paste between `ESC [ 200 ~` and `ESC [ 201 ~`, which
    /// distinguishes it from keys. Terminals without this mode ignore both.
    private static let (pasteOn, pasteOff) = ("\u{1B}[?2004h", "\u{1B}[?2004l")

    /// Why the terminal can't show screens; `nil` if it can.
    static func obstacle(environment: [String: String]) -> String? {
        guard let name = environment["TERM"], !name.isEmpty else { return "TERM isn't set" }
        let shown = Sanitizer.line(name)
        if name == "dumb" { return "a terminal of the kind 'dumb' can't show screens" }
        guard marquee_terminal_setup() == 0 else { return "no terminal of the kind '\(shown)' is known here" }
        // The view is drawn with ANSI sequences.
        guard string("cup")?.starts(with: Array("\u{1B}[".utf8)) == true else {
            return "a terminal of the kind '\(shown)' can't show screens"
        }
        return nil
    }

    /// - Returns: `nil` if the terminal isn't known.
    init?() {
        guard marquee_terminal_setup() == 0 else { return nil }
        colors = Int(marquee_terminal_number("colors"))
        wrapsLate = marquee_terminal_flag("xenl") != 0
        let (columns, lines) = (marquee_terminal_number("cols"), marquee_terminal_number("lines"))
        size = (columns > 0 ? Int(columns) : Terminal.columnsUnknown, lines > 0 ? Int(lines) : Terminal.rowsUnknown)
        func bytes(_ name: String) -> [UInt8] { Self.string(name) ?? [] }
        let empty = Array("\u{1B}[m\u{1B}[H\u{1B}[2J".utf8)
        entering = bytes("smcup")
        preparing = bytes("smkx") + bytes("civis") + empty + Array(Self.pasteOn.utf8)
        // A terminal without a second screen is left empty.
        leaving =
            Array(Self.pasteOff.utf8) + bytes("sgr0") + bytes("rmkx") + bytes("cnorm")
            + (Self.string("rmcup") ?? empty)
        var keys: [[UInt8]: Key] = [:]
        for (name, key) in Self.keyNames { Self.string(name).map { keys[$0] = key } }
        self.keys = keys
    }

    private static let keyNames: [(String, Key)] = [
        ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right), ("kpp", .pageUp), ("knp", .pageDown),
        ("khome", .home), ("kend", .end), ("kcbt", .backTab), ("kent", .enter), ("kdch1", .backspace),
    ]

    private static func string(_ name: String) -> [UInt8]? {
        marquee_terminal_string(name).map { withoutPadding(Array(String(cString: $0).utf8)) }
    }

    /// Descriptions name pauses, such as `$<2>`, which only terminals on slow lines need.
    static func withoutPadding(_ text: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        var rest = text[...]
        while let byte = rest.first {
            if rest.starts(with: [UInt8(ascii: "$"), UInt8(ascii: "<")]),
                let end = rest.firstIndex(of: UInt8(ascii: ">"))
            {
                rest = rest[(end + 1)...]
            } else {
                kept.append(byte)
                rest = rest.dropFirst()
            }
        }
        return kept
    }
}
