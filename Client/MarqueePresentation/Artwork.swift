import Foundation
package import MarqueeLayout

/// Artwork for an unavailable image: the same for the same name, at any size, on any machine.
package struct Artwork {
    private let image: CardImage
    private var numbers: Numbers
    private let base: Color

    package init(_ image: CardImage) {
        self.image = image
        // A movie's poster and backdrop have different motifs but share the reference's colour.
        var numbers = Numbers(image.name)
        let given = image.color ?? Color(hue: numbers.unit(), saturation: 0.5, lightness: 0.3)
        let (hue, saturation, lightness) = given.hsl
        // Not so dark, gray or pale that nothing can be seen.
        base = Color(
            hue: hue + numbers.number(in: -0.02...0.02), saturation: min(max(saturation * 1.2, 0.42), 0.8),
            lightness: min(max(lightness, 0.27), 0.42))
        self.numbers = numbers
    }

    /// - Parameter title: printed on it, as on a real poster.
    package func shapes(in rect: LayoutRect, title: String? = nil) -> [Shape] {
        guard rect.width > 0, rect.height > 0 else { return [] }
        if image.role == .portrait { return portrait(in: rect) }
        var numbers = numbers
        var shapes = [background(in: rect)]
        switch numbers.index(below: 9) {
        case 0: shapes += hills(in: rect, &numbers)
        case 1: shapes += skyline(in: rect, &numbers)
        case 2: shapes += circles(in: rect, &numbers)
        case 3: shapes += rays(in: rect, &numbers)
        case 4: shapes += peaks(in: rect, &numbers)
        case 5: shapes += rings(in: rect, &numbers)
        case 6: shapes += sea(in: rect, &numbers)
        case 7: shapes += doorway(in: rect, &numbers)
        default: shapes += bands(in: rect, &numbers)
        }
        if let title, !title.isEmpty { shapes += lettering(title, in: rect) }
        return shapes
    }

    // MARK: - Colours

    private func tone(_ lightness: Double, turn: Double = 0) -> Color {
        let hsl = base.hsl
        return Color(hue: hsl.hue + turn, saturation: hsl.saturation, lightness: hsl.lightness + lightness)
    }

    private func background(in rect: LayoutRect) -> Shape {
        .box(
            rect,
            .gradient(
                Point(rect.x, rect.y), tone(0.13, turn: -0.035), Point(rect.x, rect.maxY), tone(-0.12, turn: 0.04)))
    }

    /// Things that glow: the sun, a moon, a lit window.
    private var light: Color { base.mixed(with: Color(0xFFEBCB), 0.78) }

    // MARK: - Motifs

    private func hills(in rect: LayoutRect, _ numbers: inout Numbers) -> [Shape] {
        var shapes = [disc(in: rect, x: numbers.number(in: 0.25...0.75), y: 0.36, radius: 0.2)]
        for layer in 0..<3 {
            let level = 0.52 + 0.15 * Double(layer)
            let (phase, waves) = (numbers.number(in: 0...6.28), numbers.number(in: 0.7...1.6))
            let steps = 24
            let ridge = (0...steps).map { step -> Point in
                let x = Double(step) / Double(steps)
                let y = level + 0.05 * sin(phase + x * waves * 6.28) + 0.02 * sin(phase * 2 + x * waves * 15)
                return Point(rect.x + x * rect.width, rect.y + y * rect.height)
            }
            shapes.append(
                .polygon(
                    ridge + [Point(rect.maxX, rect.maxY), Point(rect.x, rect.maxY)],
                    .color(tone(0.05 - 0.1 * Double(layer), turn: 0.02 * Double(layer)))))
        }
        return shapes
    }

    private func skyline(in rect: LayoutRect, _ numbers: inout Numbers) -> [Shape] {
        var shapes = [disc(in: rect, x: numbers.number(in: 0.2...0.8), y: 0.26, radius: 0.12)]
        for layer in 0..<2 {
            var x = -0.02
            while x < 1 {
                let width = numbers.number(in: 0.09...0.2)
                let height = numbers.number(in: 0.2...0.42) - 0.1 * Double(layer)
                let house = LayoutRect(
                    x: rect.x + x * rect.width, y: rect.maxY - height * rect.height, width: width * rect.width,
                    height: height * rect.height)
                shapes.append(.box(house, .color(tone(layer == 0 ? 0.02 : -0.12, turn: 0.03))))
                if layer == 1 { shapes += windows(of: house, &numbers) }
                x += width + 0.012
            }
        }
        return shapes
    }

    private func windows(of house: LayoutRect, _ numbers: inout Numbers) -> [Shape] {
        let size = house.width * 0.14
        return (0..<6).compactMap { index in
            guard numbers.unit() < 0.55, size > 0.5 else { return nil }
            let (column, row) = (Double(index % 2), Double(index / 2))
            let window = LayoutRect(
                x: house.x + house.width * (0.24 + 0.38 * column), y: house.y + size * (1 + 2.2 * row), width: size,
                height: size)
            return window.maxY < house.maxY ? .box(window, .color(light.opacity(0.75))) : nil
        }
    }

    private func circles(in rect: LayoutRect, _ numbers: inout Numbers) -> [Shape] {
        (0..<5).map { index in
            let radius = numbers.number(in: 0.18...0.5)
            let color = index == 4 ? light.opacity(0.7) : tone(0.06 * Double(index) - 0.04, turn: 0.03 * Double(index))
            return disc(
                in: rect, x: numbers.unit(), y: numbers.number(in: 0.05...0.95),
                radius: index == 4 ? radius * 0.4 : radius,
                color: color.opacity(index == 4 ? 0.8 : 0.55))
        }
    }

    private func rays(in rect: LayoutRect, _ numbers: inout Numbers) -> [Shape] {
        let centre = Point(rect.x + rect.width * numbers.number(in: 0.3...0.7), rect.y + rect.height * 0.62)
        let count = 9 + numbers.index(below: 5)
        let reach = rect.width + rect.height
        let start = numbers.number(in: 0...1)
        let beams = (0..<count).map { index -> Shape in
            let angle = (Double(index) + start) / Double(count) * 6.2832
            let half = 6.2832 / Double(count) / 4
            let ends = [angle - half, angle + half].map {
                Point(centre.x + cos($0) * reach, centre.y + sin($0) * reach)
            }
            return .polygon([centre] + ends, .color(tone(0.12, turn: 0.02).opacity(0.55)))
        }
        let radius = min(rect.width, rect.height) * 0.17
        let sun = LayoutRect(x: centre.x - radius, y: centre.y - radius, width: 2 * radius, height: 2 * radius)
        let ground = LayoutRect(
            x: rect.x, y: rect.y + rect.height * 0.72, width: rect.width, height: rect.height * 0.28)
        let walker = figure(in: rect, x: numbers.number(in: 0.3...0.7), foot: 0.76, height: 0.16)
        return beams + [.ellipse(sun, .color(light)), .box(ground, .color(tone(-0.15)))] + walker
    }

    private func peaks(in rect: LayoutRect, _ numbers: inout Numbers) -> [Shape] {
        var shapes = (0..<14).map { _ in
            disc(in: rect, x: numbers.unit(), y: numbers.number(in: 0...0.45), radius: 0.008, color: light.opacity(0.8))
        }
        shapes.append(disc(in: rect, x: numbers.number(in: 0.15...0.85), y: 0.2, radius: 0.09))
        for layer in 0..<3 {
            let level = 0.38 + 0.17 * Double(layer)
            let middle = numbers.number(in: 0.2...0.8)
            let points = [(middle - 0.7, 1.05), (middle, level), (middle + 0.7, 1.05)].map {
                Point(rect.x + $0.0 * rect.width, rect.y + $0.1 * rect.height)
            }
            shapes.append(.polygon(points, .color(tone(0.04 - 0.09 * Double(layer), turn: 0.03 * Double(layer)))))
        }
        return shapes
    }

    private func bands(in rect: LayoutRect, _ numbers: inout Numbers) -> [Shape] {
        let slope = numbers.number(in: -0.5...0.5) * rect.width
        var shapes: [Shape] = (0..<4).map { index in
            let top = rect.y + rect.height * (0.2 + 0.2 * Double(index)) - slope / 2
            let height = rect.height * 0.1
            return .polygon(
                [
                    Point(rect.x, top), Point(rect.maxX, top + slope), Point(rect.maxX, top + slope + height),
                    Point(rect.x, top + height),
                ], .color(tone(0.14 - 0.07 * Double(index), turn: 0.02 * Double(index)).opacity(0.85)))
        }
        shapes.append(disc(in: rect, x: numbers.number(in: 0.3...0.7), y: 0.42, radius: 0.2))
        return shapes
    }

    private func rings(in rect: LayoutRect, _ numbers: inout Numbers) -> [Shape] {
        let (x, y) = (numbers.number(in: 0.3...0.7), numbers.number(in: 0.3...0.5))
        let rings = (0..<5).map { index in
            disc(
                in: rect, x: x, y: y, radius: 0.9 - 0.17 * Double(index),
                color: tone(-0.06 + 0.055 * Double(index), turn: 0.012 * Double(index)))
        }
        return rings + [disc(in: rect, x: x, y: y, radius: 0.12)]
    }

    private func sea(in rect: LayoutRect, _ numbers: inout Numbers) -> [Shape] {
        let middle = numbers.number(in: 0.3...0.7)
        let horizon = rect.y + rect.height * 0.56
        let water = LayoutRect(x: rect.x, y: horizon, width: rect.width, height: rect.maxY - horizon)
        var shapes = [disc(in: rect, x: middle, y: 0.5, radius: 0.24), .box(water, .color(tone(-0.1, turn: 0.03)))]
        for line in 0..<7 {
            let width = rect.width * (0.46 - 0.05 * Double(line)) * numbers.number(in: 0.7...1.2)
            let glint = LayoutRect(
                x: rect.x + rect.width * middle - width / 2,
                y: horizon + rect.height * (0.02 + 0.045 * Double(line)), width: width, height: rect.height * 0.013)
            shapes.append(
                .box(glint, .color(light.opacity(0.75 - 0.09 * Double(line))), radius: glint.height / 2))
        }
        return shapes
    }

    private func doorway(in rect: LayoutRect, _ numbers: inout Numbers) -> [Shape] {
        let middle = rect.x + rect.width * numbers.number(in: 0.35...0.65)
        let floor = rect.y + rect.height * 0.66
        let half = min(rect.width, rect.height) * 0.13
        let door = LayoutRect(x: middle - half, y: floor - half * 4, width: 2 * half, height: half * 4)
        let ground = LayoutRect(x: rect.x, y: floor, width: rect.width, height: rect.maxY - floor)
        let beam = [
            Point(door.x, floor), Point(door.maxX, floor), Point(door.maxX + half * 2.4, rect.maxY),
            Point(door.x - half * 2.4, rect.maxY),
        ]
        return [
            .box(ground, .color(tone(-0.16))), .polygon(beam, .color(light.opacity(0.28))), .box(door, .color(light)),
        ] + figure(in: rect, x: (middle - rect.x) / rect.width, foot: 0.72, height: 0.2)
    }

    /// A distant figure, in fractions of the rectangle's dimensions.
    private func figure(in rect: LayoutRect, x: Double, foot: Double, height: Double) -> [Shape] {
        let tall = min(rect.height * height, rect.width * 0.4)
        let (middle, bottom) = (rect.x + rect.width * x, rect.y + rect.height * foot)
        let head = tall * 0.1
        let color = tone(-0.24)
        let body = [(-0.09, 0.78), (0.09, 0.78), (0.13, 0.34), (0.06, 0.0), (0.0, 0.3), (-0.06, 0.0), (-0.13, 0.34)]
        return [
            .polygon(body.map { Point(middle + $0.0 * tall, bottom - $0.1 * tall) }, .color(color)),
            .ellipse(
                LayoutRect(x: middle - head, y: bottom - tall * 1.01, width: 2 * head, height: 2 * head), .color(color)),
        ]
    }

    /// A circle in fractions of the rectangle's dimensions; the radius is a fraction of the shorter one.
    private func disc(in rect: LayoutRect, x: Double, y: Double, radius: Double, color: Color? = nil) -> Shape {
        let points = min(rect.width, rect.height) * radius
        return .ellipse(
            LayoutRect(
                x: rect.x + rect.width * x - points, y: rect.y + rect.height * y - points, width: 2 * points,
                height: 2 * points), .color(color ?? light.opacity(0.9)))
    }

    /// Head and shoulders.
    private func portrait(in rect: LayoutRect) -> [Shape] {
        let skin = tone(0.3, turn: 0.03)
        let shoulders = LayoutRect(
            x: rect.x + rect.width * 0.14, y: rect.y + rect.height * 0.64, width: rect.width * 0.72,
            height: rect.height * 0.72)
        return [
            background(in: rect), .ellipse(shoulders, .color(skin.mixed(with: base, 0.35))),
            disc(in: rect, x: 0.5, y: 0.4, radius: 0.2, color: skin),
        ]
    }

    /// The title at the foot, in a letter size that depends only on the image, so neighbours match.
    private func lettering(_ title: String, in rect: LayoutRect) -> [Shape] {
        let inner = rect.width * 0.88
        let size = min(max(rect.width * 0.125, 7), 17)
        let text = Text(title, size, .heavy, .white).aligned(.center).lines(3)
        let height = TextRuler.height(of: text, in: inner)
        let top = rect.maxY - height - rect.width * 0.08
        let shade = LayoutRect(x: rect.x, y: rect.y + rect.height * 0.5, width: rect.width, height: rect.height * 0.5)
        return [
            .box(
                shade,
                .gradient(
                    Point(shade.x, shade.y), .clear, Point(shade.x, shade.maxY), Color.black.opacity(0.72))),
            .text(
                LayoutRect(x: rect.x + (rect.width - inner) / 2, y: top, width: inner, height: height),
                TextRuler.fitted(text, in: inner).anchored(.bottom)),
        ]
    }

    /// Pseudo-random numbers derived from a name: FNV-1a of its bytes, then SplitMix64.
    private struct Numbers {
        private var state: UInt64

        init(_ name: String) {
            state = name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }

        private mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }

        /// 0..<1.
        mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }

        mutating func number(in range: ClosedRange<Double>) -> Double {
            range.lowerBound + unit() * (range.upperBound - range.lowerBound)
        }

        mutating func index(below count: Int) -> Int { Int(unit() * Double(count)) }
    }
}
