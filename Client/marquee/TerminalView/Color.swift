/// The colour a painter asks for; the terminal shows the nearest one that it has.
struct Color: Hashable, Sendable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8

    init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// - Parameter rgb: `0xRRGGBB`.
    init(rgb: UInt32) {
        self.init(UInt8(rgb >> 16 & 0xFF), UInt8(rgb >> 8 & 0xFF), UInt8(rgb & 0xFF))
    }

    /// `#rrggbb`.
    init?(hex: String) {
        guard hex.utf8.count == 7, hex.first == "#", let value = UInt32(hex.dropFirst(), radix: 16) else { return nil }
        self.init(UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF))
    }

    static let white = Color(0xFF, 0xFF, 0xFF)
    static let black = Color(0, 0, 0)
    static let gray = Color(0x80, 0x80, 0x80)
    static let dark = Color(0x30, 0x30, 0x30)
    static let red = Color(0xC0, 0x30, 0x30)
    static let green = Color(0x30, 0xA0, 0x50)
    static let yellow = Color(0xE0, 0xB8, 0x30)
    static let accent = Color(0x30, 0x80, 0xD0)
    static let glow = Color(0x60, 0x50, 0x10)

    /// Between this colour (0) and another (1).
    func mixed(with other: Color, _ share: Double) -> Color {
        func mix(_ a: UInt8, _ b: UInt8) -> UInt8 {
            UInt8(min(255, max(0, Double(a) + (Double(b) - Double(a)) * share)))
        }
        return Color(mix(red, other.red), mix(green, other.green), mix(blue, other.blue))
    }

    /// The one of black and white that reads better on it.
    var readable: Color {
        // Weights of the eye's sensitivity, ITU-R BT.601.
        let brightness = Int(red) * 299 + Int(green) * 587 + Int(blue) * 114
        return brightness > 140_000 ? .black : .white
    }

    /// Stands for an image where the terminal has too few colours to draw it: the image's placeholder colour, or one
    /// derived from its name.
    static func artwork(color: String?, name: String) -> Color {
        if let known = color.flatMap({ Color(hex: $0) }), known.isColorful { return known }
        // FNV-1a, 32 bits.
        let hash = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return palette[Int(hash % UInt32(palette.count))]
    }

    /// Of xterm's cube, dark enough for white text.
    private static let palette: [Color] = [
        Color(135, 0, 95), Color(0, 95, 135), Color(95, 95, 0), Color(135, 0, 0), Color(0, 95, 95), Color(95, 0, 135),
        Color(0, 95, 0), Color(0, 0, 135), Color(95, 95, 135), Color(135, 95, 0), Color(135, 95, 95), Color(0, 95, 175),
        Color(95, 0, 0), Color(95, 135, 95), Color(95, 0, 95), Color(95, 95, 175),
    ]

    /// Grays say nothing about an image.
    private var isColorful: Bool { max(red, green, blue) - min(red, green, blue) >= 64 }
}

/// How many colours a terminal can show.
enum ColorDepth: Hashable, Sendable {
    case none
    case eight
    case sixteen
    /// xterm's 256.
    case indexed
    /// Any, 24 bits.
    case direct

    /// Terminfo has no common name for 24-bit colour; terminals say it in the environment.
    private static let directNames: Set<String> = ["truecolor", "24bit"]

    /// - Parameters:
    ///   - colors: how many the terminal's description names.
    ///   - environment: `NO_COLOR` with any text asks for none; `COLORTERM` tells of 24 bits.
    init(colors: Int, environment: [String: String]) {
        switch colors {
        case _ where environment.named("NO_COLOR") != nil: self = .none
        case (1 << 24)...: self = .direct
        case 256... where environment.named("COLORTERM").map(Self.directNames.contains) == true: self = .direct
        case 256...: self = .indexed
        case 16...: self = .sixteen
        case 8...: self = .eight
        default: self = .none
        }
    }

    /// The parameters of the escape sequence that sets a colour, such as `38;5;208`; `nil` where there are no colours.
    /// - Parameter isPaper: whether it is the background.
    func parameters(_ color: Color, isPaper: Bool) -> String? {
        guard self != .direct else {
            return "\(isPaper ? 48 : 38);2;\(color.red);\(color.green);\(color.blue)"
        }
        guard let index = index(of: color) else { return nil }
        return switch self {
        case .indexed: "\(isPaper ? 48 : 38);5;\(index)"
        case _ where index >= 8: "\((isPaper ? 100 : 90) + index - 8)"
        default: "\((isPaper ? 40 : 30) + index)"
        }
    }

    /// The number of the nearest colour that this terminal has; `nil` where colours have no numbers.
    func index(of color: Color) -> Int? {
        switch self {
        case .none, .direct: nil
        case .eight: ColorDepth.nearest(to: color, among: ColorDepth.basic.prefix(8))
        case .sixteen: ColorDepth.nearest(to: color, among: ColorDepth.basic[...])
        case .indexed: ColorDepth.cube(color)
        }
    }

    /// The first 16 colours as xterm draws them.
    private static let basic: [Color] = [
        Color(0, 0, 0), Color(205, 0, 0), Color(0, 205, 0), Color(205, 205, 0), Color(0, 0, 238), Color(205, 0, 205),
        Color(0, 205, 205), Color(229, 229, 229), Color(127, 127, 127), Color(255, 0, 0), Color(0, 255, 0),
        Color(255, 255, 0), Color(92, 92, 255), Color(255, 0, 255), Color(0, 255, 255), Color(255, 255, 255),
    ]

    private static func nearest(to color: Color, among choices: ArraySlice<Color>) -> Int? {
        choices.indices.min { distance(color, choices[$0]) < distance(color, choices[$1]) }
    }

    /// xterm's colours 16...231 are a cube of six steps a side, 232...255 grays.
    private static func cube(_ color: Color) -> Int {
        let steps = [0, 95, 135, 175, 215, 255]
        func step(_ value: UInt8) -> Int {
            steps.indices.min { abs(steps[$0] - Int(value)) < abs(steps[$1] - Int(value)) } ?? 0
        }
        let (red, green, blue) = (step(color.red), step(color.green), step(color.blue))
        let inCube = Color(UInt8(steps[red]), UInt8(steps[green]), UInt8(steps[blue]))
        let mean = (Int(color.red) + Int(color.green) + Int(color.blue)) / 3
        let gray = min(23, max(0, (mean - 3) / 10))
        let level = UInt8(8 + 10 * gray)
        if distance(color, Color(level, level, level)) < distance(color, inCube) { return 232 + gray }
        return 16 + 36 * red + 6 * green + blue
    }

    private static func distance(_ a: Color, _ b: Color) -> Int {
        let red = Int(a.red) - Int(b.red)
        let green = Int(a.green) - Int(b.green)
        let blue = Int(a.blue) - Int(b.blue)
        return red * red + green * green + blue * blue
    }
}
