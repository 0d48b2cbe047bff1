/// A colour; each part is 0...1.
package struct Color: Hashable, Codable, Sendable {
    package var red: Double
    package var green: Double
    package var blue: Double
    package var alpha: Double

    package init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// `0x25204B`.
    package init(_ rgb: UInt32, alpha: Double = 1) {
        self.init(
            red: Double(rgb >> 16 & 0xFF) / 255, green: Double(rgb >> 8 & 0xFF) / 255, blue: Double(rgb & 0xFF) / 255,
            alpha: alpha)
    }

    /// - Parameter text: `#rrggbb`; anything else is `nil`.
    package init?(hex text: String) {
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6,
            digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let rgb = UInt32(text.dropFirst(), radix: 16)
        else { return nil }
        self.init(rgb)
    }

    /// - Parameters:
    ///   - hue: in turns; only the fractional part counts.
    ///   - saturation: 0...1, as is `lightness`.
    package init(hue: Double, saturation: Double, lightness: Double) {
        let saturation = min(max(saturation, 0), 1)
        let lightness = min(max(lightness, 0), 1)
        let chroma = (1 - (2 * lightness - 1).magnitude) * saturation
        let turn = (hue - hue.rounded(.down)) * 6
        let second = chroma * (1 - (turn.truncatingRemainder(dividingBy: 2) - 1).magnitude)
        let (red, green, blue) =
            switch turn {
            case ..<1: (chroma, second, 0.0)
            case ..<2: (second, chroma, 0.0)
            case ..<3: (0.0, chroma, second)
            case ..<4: (0.0, second, chroma)
            case ..<5: (second, 0.0, chroma)
            default: (chroma, 0.0, second)
            }
        let base = lightness - chroma / 2
        self.init(red: red + base, green: green + base, blue: blue + base)
    }

    /// Hue in turns, saturation and lightness.
    package var hsl: (hue: Double, saturation: Double, lightness: Double) {
        let (low, high) = (min(red, green, blue), max(red, green, blue))
        let chroma = high - low
        let lightness = (high + low) / 2
        guard chroma > 0 else { return (0, 0, lightness) }
        let sixths =
            switch high {
            case red: ((green - blue) / chroma).truncatingRemainder(dividingBy: 6)
            case green: (blue - red) / chroma + 2
            default: (red - green) / chroma + 4
            }
        return ((sixths < 0 ? sixths + 6 : sixths) / 6, chroma / (1 - (2 * lightness - 1).magnitude), lightness)
    }

    package func opacity(_ alpha: Double) -> Color {
        var color = self
        color.alpha = alpha
        return color
    }

    /// Between this colour (0) and another (1).
    package func mixed(with other: Color, _ share: Double) -> Color {
        func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
        return Color(
            red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue),
            alpha: mix(alpha, other.alpha))
    }

    package static let white = Color(0xFFFFFF)
    package static let black = Color(0x000000)
    package static let clear = Color(0x000000, alpha: 0)
}
