/// Which characters of a text may reach a terminal.
package enum TerminalText {
    package enum Verdict { case keep, space, drop }

    /// Whether the scalar may reach a terminal as it is.
    package static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        if case .keep = verdict(on: scalar) { true } else { false }
    }

    package static func verdict(on scalar: Unicode.Scalar) -> Verdict {
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
