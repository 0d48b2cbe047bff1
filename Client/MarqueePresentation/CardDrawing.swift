package import MarqueeLayout

/// Arranges a card inside its frame.
///
/// Frames come from a server and may be of any size: what doesn't fit is left out, least important first. Callers clip
/// to the frame. Letter sizes depend on the frame, not on the words, so neighbours look alike; only a word wider than
/// the frame shrinks.
package struct CardDrawing {
    /// Corner radius of posters and panels.
    static let radius = 8.0

    let card: Card
    let frame: LayoutRect
    let theme: Theme
    /// Whether running text is shown in full.
    let isExpanded: Bool
    /// Points from the frame's leading edge to the words on a card as wide as the screen.
    let margin: Double
    let phrases: Phrases

    package init(
        _ card: Card, in frame: LayoutRect, theme: Theme, isExpanded: Bool = false, margin: Double = 0,
        phrases: Phrases = .english
    ) {
        self.card = card
        self.frame = frame
        self.theme = theme
        self.isExpanded = isExpanded
        // Margins take at most half of the frame.
        self.margin = min(max(0, margin), frame.width / 4)
        self.phrases = phrases
    }

    package var shapes: [Shape] {
        guard frame.width > 1, frame.height > 1 else { return [] }
        return switch card.style {
        case .hero: hero
        case .poster: poster
        case .ranked: ranked
        case .tile: tile
        case .person: person
        case .row: row
        case .detail: detail.shapes
        case .banner: banner
        case .text: text.shapes
        case .course: course
        case .categories: categories
        case .place: place
        case .link: link
        }
    }

    /// The height the card wants at a given width, if its content decides it.
    package static func height(
        of card: Card, in width: Double, isExpanded: Bool = false, margin: Double = 0, phrases: Phrases = .english
    ) -> Double? {
        // The height of what is drawn doesn't depend on the colours or the frame's height.
        let frame = LayoutRect(x: 0, y: 0, width: width, height: .greatestFiniteMagnitude)
        let drawing = CardDrawing(
            card, in: frame, theme: .dark, isExpanded: isExpanded, margin: margin, phrases: phrases)
        return switch card.style {
        case .detail: drawing.detail.height
        case .text: drawing.text.height
        default: nil
        }
    }

    // MARK: - Parts

    /// A rectangle in the card.
    func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> LayoutRect {
        LayoutRect(x: frame.x + x, y: frame.y + y, width: max(0, width), height: max(0, height))
    }

    func image(_ image: CardImage?, in rect: LayoutRect, radius: Double = radius, title: String? = nil) -> Shape {
        guard let image, rect.width > 0, rect.height > 0 else {
            return .box(rect, .color(theme.placeholder), radius: radius)
        }
        return .image(
            rect, name: image.isReferenced ? image.name : "", radius: radius,
            instead: Artwork(image).shapes(in: rect, title: title))
    }

    /// Darkens a part of an image so that words on it are legible.
    func scrim(_ rect: LayoutRect, from top: Color, to bottom: Color) -> Shape {
        .box(rect, .gradient(Point(rect.x, rect.y), top, Point(rect.x, rect.maxY), bottom))
    }

    /// A star in a trailing corner of an image; nothing for an item that can't be or isn't a favorite.
    func star(in rect: LayoutRect, atBottom: Bool = false, size: Double = 22, showsOff: Bool = false) -> [Shape] {
        guard card.star != .none, showsOff || card.star != .off else { return [] }
        let place = LayoutRect(
            x: rect.maxX - size - 6, y: atBottom ? rect.maxY - size - 6 : rect.y + 6, width: size, height: size)
        let inner = place.inset(size * 0.2)
        return [
            .ellipse(place, .color(Color.black.opacity(0.55))),
            .symbol(
                inner, card.star == .on ? .star : .starOutline,
                card.star == .off ? Color.white.opacity(0.85) : theme.star),
        ]
    }

    /// The badges in their colours, starting at a place. After the first, those that would exceed `limit` are left out.
    /// - Returns: what to draw, and how wide it is.
    func badges(
        atX x: Double, y: Double, height: Double = 16, width limit: Double
    ) -> (shapes: [Shape], width: Double) {
        var shapes: [Shape] = []
        var taken = 0.0
        for badge in card.badges {
            let colors = theme.color(of: badge.role)
            let text = Text(badge.text, height * 0.62, .bold, colors.text).aligned(.center)
            let gap = taken > 0 ? 5.0 : 0
            var width = TextRuler.width(of: text) + height * 0.7
            if taken > 0, taken + gap + width > limit { break }
            width = min(width, max(limit, height))
            let box = LayoutRect(x: x + taken + gap, y: y, width: width, height: height)
            shapes += [.box(box, .color(colors.fill), radius: height / 4), middle(text, in: box)]
            taken += gap + width
        }
        return (shapes, taken)
    }

    /// A filled star, the number, and any text after it on the same line.
    /// - Returns: what to draw, and how wide it is.
    func ratingLine(
        atX x: Double, y: Double, size: Double, fact: String? = nil, isStrong: Bool = false, width limit: Double = 300
    ) -> (shapes: [Shape], width: Double) {
        var words = fact ?? ""
        var left = x
        var shapes: [Shape] = []
        if let rating = card.rating, rating.value.isFinite, rating.value > 0 {
            let number = Words.decimal(rating.value)
            words = fact.map { "\(number) · \($0)" } ?? number
            if isStrong, rating.best != 10, rating.best.isFinite { words += "/\(Words.short(rating.best))" }
            if isStrong, let votes = rating.votes, votes > 0 { words += " (\(Words.number(votes)))" }
            let top = y + ((size * 1.28).rounded(.up) - size) / 2 - 0.5
            shapes.append(.symbol(LayoutRect(x: x, y: top, width: size, height: size), .star, theme.star))
            left += size + 3
        }
        guard !words.isEmpty else { return ([], 0) }
        let text = Text(
            words, size, isStrong ? .semibold : .regular, isStrong ? theme.text : theme.secondaryText)
        let width = min(TextRuler.width(of: text) + size * 0.3, max(0, limit - (left - x)))
        shapes.append(
            .text(
                LayoutRect(x: left, y: y, width: width, height: text.lineHeight), TextRuler.fitted(text, in: width)))
        return (shapes, left + width - x)
    }

    /// A text in a box as tall as its lines, at most `lines` of them.
    func textShape(_ text: Text, _ x: Double, _ y: Double, _ width: Double, lines: Int? = nil) -> Shape {
        let fitted = TextRuler.fitted(lines.map(text.lines) ?? text, in: width)
        return .text(rect(x, y, width, Double(fitted.lines) * fitted.lineHeight), fitted)
    }
}

extension LayoutRect {
    /// The rectangle inset equally on every side, never below zero size.
    func inset(_ points: Double) -> LayoutRect {
        LayoutRect(
            x: x + points, y: y + points, width: max(0, width - 2 * points), height: max(0, height - 2 * points))
    }
}
