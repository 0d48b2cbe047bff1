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
                switch verdict(on: scalar) {
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

    /// Whether the scalar may reach a terminal as it is.
    static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        if case .keep = verdict(on: scalar) { true } else { false }
    }

    private enum Verdict { case keep, space, drop }

    private static func verdict(on scalar: Unicode.Scalar) -> Verdict {
        if (0x20..<0x7F).contains(scalar.value) { return .keep }
        switch scalar.value {
        case 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x85: return .space
        // Joiners shape emoji and letters of several scripts.
        case 0x200C, 0x200D: return .keep
        default: break
        }
        switch scalar.properties.generalCategory {
        case .lineSeparator, .paragraphSeparator: return .space
        // `control` is C0, DEL and C1. `format` has the bidi controls, invisible operators, tags and byte order marks.
        case .control, .format, .surrogate: return .drop
        default: return .keep
        }
    }
}
