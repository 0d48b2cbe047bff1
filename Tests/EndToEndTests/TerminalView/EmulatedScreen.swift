import CTerminal

/// The screen that a person sees when a program writes to its terminal, as emulated by libvterm.
final class EmulatedScreen {
    private let terminal: OpaquePointer
    private let screen: OpaquePointer
    // Reported by the emulator through a callback; a separate allocation, as the callback gets its address.
    private let properties: UnsafeMutablePointer<Properties>
    private let callbacks: UnsafeMutablePointer<VTermScreenCallbacks>
    private(set) var columns: Int
    private(set) var rows: Int
    /// Everything that was written.
    private(set) var bytes: [UInt8] = []

    private struct Properties {
        var isCursorVisible = true
        var isAlternate = false
    }

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        terminal = vterm_new(Int32(rows), Int32(columns))
        vterm_set_utf8(terminal, 1)
        screen = vterm_obtain_screen(terminal)
        properties = .allocate(capacity: 1)
        properties.initialize(to: Properties())
        callbacks = .allocate(capacity: 1)
        callbacks.initialize(to: VTermScreenCallbacks())
        callbacks.pointee.settermprop = { property, value, user in
            guard let value, let properties = user?.assumingMemoryBound(to: Properties.self) else { return 0 }
            switch property {
            case VTERM_PROP_CURSORVISIBLE: properties.pointee.isCursorVisible = value.pointee.boolean != 0
            case VTERM_PROP_ALTSCREEN: properties.pointee.isAlternate = value.pointee.boolean != 0
            default: break
            }
            return 1
        }
        vterm_screen_set_callbacks(screen, callbacks, properties)
        vterm_screen_enable_altscreen(screen, 1)
        vterm_screen_reset(screen, 1)
    }

    deinit {
        vterm_free(terminal)
        callbacks.deallocate()
        properties.deallocate()
    }

    func write(_ written: some Sequence<UInt8>) {
        let written = Array(written)
        bytes += written
        written.withUnsafeBytes {
            _ = vterm_input_write(terminal, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
        }
    }

    func resize(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        vterm_set_size(terminal, Int32(rows), Int32(columns))
    }

    var isCursorVisible: Bool { properties.pointee.isCursorVisible }
    /// Whether a program has taken over the whole screen and must restore it.
    var isAlternate: Bool { properties.pointee.isAlternate }

    /// The lines from the top, without the spaces at their ends.
    var lines: [String] {
        (0..<rows).map { row in
            // Up to six characters per cell, of four bytes each.
            var text = [CChar](repeating: 0, count: columns * 24)
            let rect = VTermRect(
                start_row: Int32(row), end_row: Int32(row + 1), start_col: 0, end_col: Int32(columns))
            let count = vterm_screen_get_text(screen, &text, text.count, rect)
            let line = String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    var text: String { lines.joined(separator: "\n") }
    func contains(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

    /// Whether a sequence that sets a colour was ever written: `ESC [ … m` with 30 to 48, 90 to 107.
    var hasColors: Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.matches(of: /\u{1B}\[([0-9;]*)m/).contains { match in
            match.1.split(separator: ";").compactMap { Int($0) }.contains {
                (30...38).contains($0) || (40...48).contains($0) || (90...107).contains($0)
            }
        }
    }
}
