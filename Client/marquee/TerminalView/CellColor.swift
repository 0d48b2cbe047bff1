/// The colour a painter asks for; the terminal shows the nearest one it has.
struct CellColor: Hashable, Sendable {
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

    static let white = CellColor(0xFF, 0xFF, 0xFF)
    static let black = CellColor(0, 0, 0)
    static let gray = CellColor(0x80, 0x80, 0x80)
    static let dark = CellColor(0x30, 0x30, 0x30)
    static let red = CellColor(0xC0, 0x30, 0x30)
    static let green = CellColor(0x30, 0xA0, 0x50)
    static let yellow = CellColor(0xE0, 0xB8, 0x30)
    static let accent = CellColor(0x30, 0x80, 0xD0)
    static let glow = CellColor(0x60, 0x50, 0x10)

    /// Between this colour (0) and another (1).
    func mixed(with other: CellColor, _ share: Double) -> CellColor {
        func mix(_ a: UInt8, _ b: UInt8) -> UInt8 {
            UInt8(min(255, max(0, Double(a) + (Double(b) - Double(a)) * share)))
        }
        return CellColor(mix(red, other.red), mix(green, other.green), mix(blue, other.blue))
    }

    /// Black or white, whichever reads better on it.
    var readable: CellColor {
        // Weights of the eye's sensitivity, ITU-R BT.601.
        let brightness = Int(red) * 299 + Int(green) * 587 + Int(blue) * 114
        return brightness > 140_000 ? .black : .white
    }

    /// Replaces an image if the terminal has too few colours to draw it: the image's placeholder colour, or one derived
    /// from its name.
    static func artwork(color: String?, name: String) -> CellColor {
        if let known = color.flatMap({ CellColor(hex: $0) }), known.isColorful { return known }
        // FNV-1a, 32 bits.
        let hash = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return palette[Int(hash % UInt32(palette.count))]
    }

    /// Of xterm's cube, dark enough for white text.
    private static let palette: [CellColor] = [
        CellColor(135, 0, 95), CellColor(0, 95, 135), CellColor(95, 95, 0), CellColor(135, 0, 0), CellColor(0, 95, 95),
        CellColor(95, 0, 135),
        CellColor(0, 95, 0), CellColor(0, 0, 135), CellColor(95, 95, 135), CellColor(135, 95, 0),
        CellColor(135, 95, 95), CellColor(0, 95, 175),
        CellColor(95, 0, 0), CellColor(95, 135, 95), CellColor(95, 0, 95), CellColor(95, 95, 175),
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

    /// Terminfo has no common name for 24-bit colour; terminals announce it in the environment.
    private static let directNames: Set<String> = ["truecolor", "24bit"]

    /// - Parameters:
    ///   - colors: the number in the terminal's description.
    ///   - environment: a nonempty `NO_COLOR` asks for none; `COLORTERM` announces 24 bits.
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

    /// The parameters of the escape sequence that sets a colour, such as `38;5;208`; `nil` if there are no colours.
    /// - Parameter isPaper: whether it is the background.
    func parameters(_ color: CellColor, isPaper: Bool) -> String? {
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

    /// The number of the nearest colour this terminal has; `nil` if colours have no numbers.
    func index(of color: CellColor) -> Int? {
        switch self {
        case .none, .direct: nil
        case .eight: ColorDepth.nearest(to: color, among: ColorDepth.basic.prefix(8))
        case .sixteen: ColorDepth.nearest(to: color, among: ColorDepth.basic[...])
        case .indexed: ColorDepth.cube(color)
        }
    }

    /// The first 16 colours as xterm draws them.
    private static let basic: [CellColor] = [
        CellColor(0, 0, 0), CellColor(205, 0, 0), CellColor(0, 205, 0), CellColor(205, 205, 0), CellColor(0, 0, 238),
        CellColor(205, 0, 205),
        CellColor(0, 205, 205), CellColor(229, 229, 229), CellColor(127, 127, 127), CellColor(255, 0, 0),
        CellColor(0, 255, 0),
        CellColor(255, 255, 0), CellColor(92, 92, 255), CellColor(255, 0, 255), CellColor(0, 255, 255),
        CellColor(255, 255, 255),
    ]

    private static func nearest(to color: CellColor, among choices: ArraySlice<CellColor>) -> Int? {
        choices.indices.min { distance(color, choices[$0]) < distance(color, choices[$1]) }
    }

    /// xterm's colours 16...231 are a cube of six steps a side, 232...255 grays.
    private static func cube(_ color: CellColor) -> Int {
        let steps = [0, 95, 135, 175, 215, 255]
        func step(_ value: UInt8) -> Int {
            steps.indices.min { abs(steps[$0] - Int(value)) < abs(steps[$1] - Int(value)) } ?? 0
        }
        let (red, green, blue) = (step(color.red), step(color.green), step(color.blue))
        let inCube = CellColor(UInt8(steps[red]), UInt8(steps[green]), UInt8(steps[blue]))
        let mean = (Int(color.red) + Int(color.green) + Int(color.blue)) / 3
        let gray = min(23, max(0, (mean - 3) / 10))
        let level = UInt8(8 + 10 * gray)
        if distance(color, CellColor(level, level, level)) < distance(color, inCube) { return 232 + gray }
        return 16 + 36 * red + 6 * green + blue
    }

    private static func distance(_ a: CellColor, _ b: CellColor) -> Int {
        let red = Int(a.red) - Int(b.red)
        let green = Int(a.green) - Int(b.green)
        let blue = Int(a.blue) - Int(b.blue)
        return red * red + green * green + blue * blue
    }
}
