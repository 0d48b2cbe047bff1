import MarqueeLayout
import MarqueeModel

/// Draws an item's placeholder: blocks for its image and words, so that nothing jumps when it arrives.
struct PlaceholderDrawing {
    let theme: Theme
    /// Points from the frame's leading edge to the words on a card as wide as the screen.
    let margin: Double

    /// - Parameter style: how the item is expected to look.
    func shapes(of style: Card.Style, in frame: LayoutRect) -> [Shape] {
        guard frame.width > 1, frame.height > 1 else { return [] }
        switch style {
        case .poster, .ranked:
            let natural = frame.width * 1.5
            if style == .ranked, frame.width > frame.height * 1.6 { return row(in: frame, isChart: true) }
            guard frame.height - natural >= 21 else { return [block(frame)] }
            return [block(part(frame, 0, 0, frame.width, natural))]
                + lines([0.8, 0.5], 9, x: 0, y: natural + 8, width: frame.width, in: frame)
        case .row: return row(in: frame, isChart: false)
        case .person:
            let side = min(frame.height, frame.width * 0.34)
            return [.ellipse(part(frame, 0, (frame.height - side) / 2, side, side), .color(theme.placeholder))]
                + lines(
                    [0.9, 0.6], 9, x: side + 8, y: frame.height / 2 - 14, width: frame.width - side - 8, in: frame)
        case .detail:
            let height = min(frame.width * 9 / 16, 300)
            return [block(part(frame, 0, 0, frame.width, height), radius: 0)]
                + lines(
                    [0.6, 0.9, 0.85, 0.4], 11, x: margin, y: height + 24, width: frame.width - 2 * margin, in: frame)
        case .course, .place:
            let height = frame.height * 0.5
            return [block(part(frame, 0, 0, frame.width, height))]
                + lines([0.9, 0.6, 0.4], 9, x: 0, y: height + 8, width: frame.width, in: frame)
        case .banner:
            return [block(part(frame, 0, 0, frame.width, frame.height * 8 / 11), radius: 0)]
                + lines(
                    [0.7, 0.5], 12, x: margin, y: frame.height * 8 / 11 + 8, width: frame.width - 2 * margin, in: frame)
        case .text:
            return lines([0.6], 16, x: 0, y: (frame.height - 16) / 2, width: frame.width, in: frame)
        case .hero: return [block(frame, radius: 0)]
        case .tile: return [block(frame, radius: 12)]
        case .categories, .link: return [block(part(frame, margin, 0, frame.width - 2 * margin, frame.height))]
        }
    }

    private func row(in frame: LayoutRect, isChart: Bool) -> [Shape] {
        let start = isChart ? frame.height * 0.7 : 0
        let image = isChart ? frame.height * 2 / 3 : min(frame.height * 1.5, frame.width * 0.45)
        let x = start + image + 12
        return [block(part(frame, start, 0, image, frame.height))]
            + lines([0.8, 0.5], 10, x: x, y: frame.height / 2 - 15, width: frame.width - x - 12, in: frame)
    }

    private func block(_ rect: LayoutRect, radius: Double = CardDrawing.radius) -> Shape {
        .box(rect, .color(theme.placeholder), radius: radius)
    }

    /// Bars in place of words, as many as fit.
    /// - Parameters:
    ///   - shares: the share of the width each occupies.
    ///   - height: height of each, in points.
    private func lines(
        _ shares: [Double], _ height: Double, x: Double, y: Double, width: Double, in frame: LayoutRect
    ) -> [Shape] {
        shares.enumerated().compactMap { index, share in
            let top = y + Double(index) * height * 1.7
            guard top >= 0, top + height <= frame.height, width > 8 else { return nil }
            return block(part(frame, x, top, width * share, height), radius: height / 2)
        }
    }

    private func part(_ frame: LayoutRect, _ x: Double, _ y: Double, _ width: Double, _ height: Double) -> LayoutRect {
        LayoutRect(x: frame.x + x, y: frame.y + y, width: max(0, width), height: max(0, height))
    }
}

extension Card.Style {
    /// How a section's items are expected to look before they arrive.
    init(expectedIn kind: SectionKind) {
        self =
            switch kind {
            case .main, .hero: .hero
            case .rank, .chart: .ranked
            case .genres: .tile
            case .credits: .person
            case .list: .row
            case .detail: .detail
            case .banner: .banner
            case .text: .text
            case .courses: .course
            case .categories: .categories
            case .places: .place
            default: .poster
            }
    }
}
