package import MarqueeLayout

/// Something to draw, in points. A shape renderer knows colours, paths, text and image files, and nothing about cards.
package indirect enum Shape: Hashable, Codable, Sendable {
    /// A rectangle with round corners.
    case box(LayoutRect, Paint, radius: Double = 0)
    case outline(LayoutRect, Color, width: Double, radius: Double = 0)
    case ellipse(LayoutRect, Paint)
    /// A closed path of straight lines.
    case polygon([Point], Paint)
    case text(LayoutRect, Text)
    case symbol(LayoutRect, Symbol, Color)
    /// An image file by its name, filling the rectangle; `instead` is drawn if there is none.
    case image(LayoutRect, name: String, radius: Double, instead: [Shape])
    /// Shapes, clipped to a rectangle with round corners.
    case clipped(LayoutRect, radius: Double, [Shape])
}

package struct Point: Hashable, Codable, Sendable {
    package var x: Double
    package var y: Double

    package init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }
}

package enum Paint: Hashable, Codable, Sendable {
    case color(Color)
    /// From one point to another.
    case gradient(Point, Color, Point, Color)
}

/// Symbols that are drawn rather than written, so they look the same in any font.
package enum Symbol: String, Hashable, Codable, Sendable {
    case star, starOutline, play, plus, minus, info, check, chevronDown, chevronUp, chevronRight
}

/// A text and its style.
package struct Text: Hashable, Codable, Sendable {
    package enum Weight: Int, Hashable, Codable, Sendable {
        case regular = 400, semibold = 600, bold = 700, heavy = 800
    }
    package enum Alignment: String, Hashable, Codable, Sendable { case leading, center, trailing }
    /// Its vertical position in a box taller than its lines.
    package enum Anchor: String, Hashable, Codable, Sendable { case top, middle, bottom }

    /// If `TextRuler.fitted` has broken it into lines, they are separated by `\n`.
    package var string: String
    /// Points.
    package var size: Double
    package var weight: Weight
    package var color: Color
    package var isItalic = false
    package var alignment = Alignment.leading
    package var anchor = Anchor.top
    /// Maximum number of lines; longer text ends with an ellipsis.
    package var lines = 1
    /// The line spacing, as a multiple of the letter size.
    package var leading = 1.28
    /// A part of the string in another colour.
    package var highlight: Highlight?
    /// An outline around each letter.
    package var outline: Color?
    /// Read from the bottom upwards.
    package var isVertical = false

    package struct Highlight: Hashable, Codable, Sendable {
        package var part: String
        package var color: Color
    }

    package init(_ string: String, _ size: Double, _ weight: Weight = .regular, _ color: Color) {
        self.string = string
        self.size = size
        self.weight = weight
        self.color = color
    }

    /// Points from one line to the next.
    package var lineHeight: Double { (size * leading).rounded(.up) }
}

extension Text {
    func aligned(_ alignment: Alignment) -> Text {
        var text = self
        text.alignment = alignment
        return text
    }

    func anchored(_ anchor: Anchor) -> Text {
        var text = self
        text.anchor = anchor
        return text
    }

    func lines(_ lines: Int) -> Text {
        var text = self
        text.lines = lines
        return text
    }

    /// With lines closer together than usual.
    func tight() -> Text {
        var text = self
        text.leading = 1.2
        return text
    }

    func italic() -> Text {
        var text = self
        text.isItalic = true
        return text
    }
}
