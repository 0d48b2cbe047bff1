import MarqueeScreenJSON

/// Makes text from the wire harmless before it reaches a terminal.
///
/// Text from a server may have been written by anybody: an escape sequence could recolour or rewrite the screen, a bidi
/// control could make one title read as another. Such characters are dropped; line breaks and tabs become spaces, so
/// one row stays one row.
enum Sanitizer {
    /// Maximum scalars kept of one character (a letter and its combining marks): a pile of marks would run over other
    /// lines.
    static let maximumScalarsPerCharacter = 16

    /// The text in one line, without characters that control a terminal or the direction of text.
    static func line(_ text: String) -> String {
        var clean = String()
        clean.reserveCapacity(text.utf8.count)
        for character in text {
            var kept = 0
            for scalar in character.unicodeScalars where kept < maximumScalarsPerCharacter {
                switch TerminalText.verdict(on: scalar) {
                case .keep:
                    clean.unicodeScalars.append(scalar)
                    kept += 1
                case .space:
                    clean.unicodeScalars.append(" ")
                    kept += 1
                case .drop: break
                }
            }
        }
        return clean
    }
}
