package import MarqueeModel

/// The colours of a picture.
package struct Theme: Hashable, Sendable {
    /// The backmost colour.
    package var background: Color
    /// Cards and panels.
    package var surface: Color
    /// Placeholders.
    package var placeholder: Color
    package var text: Color
    package var secondaryText: Color
    /// Tappable elements.
    package var accent: Color
    /// Content on the accent colour.
    package var onAccent: Color
    package var star: Color
    package var warning: Color

    package static let dark = Theme(
        background: Color(0x0E0F13), surface: Color(0x1C1E25), placeholder: Color(0x23262E), text: Color(0xF5F6F8),
        secondaryText: Color(0xA0A5B1), accent: Color(0xE5383B), onAccent: .white, star: Color(0xFFC83D),
        warning: Color(0xFF8A65))

    package static let light = Theme(
        background: Color(0xFFFFFF), surface: Color(0xF2F3F7), placeholder: Color(0xE6E8EE), text: Color(0x16181D),
        secondaryText: Color(0x646A77), accent: Color(0x5624D0), onAccent: .white, star: Color(0xE59819),
        warning: Color(0xC62828))

    /// The colour that an image darkens to behind white words, in light and dark themes alike.
    var shade: Color { text.hsl.lightness < 0.5 ? Theme.dark.background : background }

    package func color(of role: CardContent.Badge.Role) -> (fill: Color, text: Color) {
        switch role {
        case .accent: (accent, onAccent)
        case .good: (Color(0x2E9E5B), .white)
        case .warning: (Color(0xF2C230), Color(0x1A1A1A))
        case .bad: (Color(0xD7263D), .white)
        case .neutral: (Color(0x6B7280), .white)
        case .highlight: (Color(0xECEB98), Color(0x3D3C0A))
        }
    }
}
