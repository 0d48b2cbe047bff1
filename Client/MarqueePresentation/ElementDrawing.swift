import MarqueeLayout
import MarqueeModel

/// Draws the elements of a screen in points.
package struct ElementDrawing {
    let theme: Theme
    let isExpanded: Bool
    let isRightToLeft: Bool

    package init(theme: Theme, isExpanded: Bool = false, isRightToLeft: Bool = false) {
        self.theme = theme
        self.isExpanded = isExpanded
        self.isRightToLeft = isRightToLeft
    }

    /// Everything a presentation shows, from back to front.
    package func shapes(of presentation: ScreenPresentation) -> [Shape] {
        let screen = LayoutRect(x: 0, y: 0, width: presentation.window.width, height: presentation.window.height)
        return [.box(screen, .color(theme.background))]
            + presentation.elements.map { element in
                .clipped(element.clip, radius: 0, shapes(of: element, phrases: presentation.phrases))
            } + (presentation.notice.map { notice($0, in: screen) } ?? [])
    }

    package func shapes(of element: PresentedElement, phrases: Phrases = .english) -> [Shape] {
        let frame = element.frame
        var shapes: [Shape] =
            switch element.content {
            case .background: [.box(frame, .color(theme.surface.mixed(with: theme.background, 0.45)))]
            case .card(let card, _, _):
                CardDrawing(
                    card, in: frame, theme: theme, isExpanded: isExpanded, margin: element.margin, phrases: phrases
                ).shapes
            case .placeholder(_, let style):
                PlaceholderDrawing(theme: theme, margin: element.margin).shapes(of: style, in: frame)
            case .badge(let kind, _): badge(kind, in: frame)
            case .header(let header):
                HeaderDrawing(header, in: frame, margin: element.margin, theme: theme).shapes
            case .footer(let footer): FooterDrawing(footer, in: frame, theme: theme).shapes
            case .side(let side): SideDrawing(side, in: frame, theme: theme).shapes
            }
        // Content behind a pinned view doesn't show through it.
        if element.content.isAfloat { shapes.insert(.box(frame, .color(theme.background)), at: 0) }
        return isRightToLeft ? shapes.map { $0.mirrored(in: frame) } : shapes
    }

    /// In the middle of the screen: a symbol, with the words below it.
    private func notice(_ notice: ScreenPresentation.Notice, in screen: LayoutRect) -> [Shape] {
        let color = notice.isError ? theme.warning : theme.secondaryText
        let width = screen.width * 0.7
        let text = TextRuler.fitted(Text(notice.text, 16, .semibold, color).aligned(.center).lines(4), in: width)
        let height = Double(text.lines) * text.lineHeight
        // A full-height picture is as tall as its content, so the notice goes where it would be on a phone.
        let middle = min(screen.height, screen.width * 2) / 2
        let sign = LayoutRect(x: screen.width / 2 - 18, y: middle - 48, width: 36, height: 36)
        return [
            .symbol(sign, notice.symbol, color.opacity(0.6)),
            .text(LayoutRect(x: (screen.width - width) / 2, y: middle, width: width, height: height), text),
        ]
    }

    private func badge(_ kind: String, in frame: LayoutRect) -> [Shape] {
        let side = min(frame.width, frame.height)
        let symbol: Symbol? =
            switch kind {
            case "minus": .minus
            case "plus": .plus
            case "star": .star
            case "check": .check
            default: nil
            }
        guard let symbol else {
            let label = Text(Words.clean(kind), side * 0.5, .bold, theme.onAccent).aligned(.center)
            let box = LayoutRect(
                x: frame.x, y: frame.y + (frame.height - label.lineHeight) / 2, width: frame.width,
                height: label.lineHeight)
            return [.box(frame, .color(theme.accent), radius: side / 2), .text(box, label)]
        }
        let circle = LayoutRect(
            x: frame.x + (frame.width - side) / 2, y: frame.y + (frame.height - side) / 2, width: side, height: side
        ).inset(side * 0.1)
        return [
            .ellipse(circle, .color(.white)), .ellipse(circle.inset(2), .color(theme.badge(kind))),
            .symbol(circle.inset(side * 0.18), symbol, .white),
        ]
    }
}

extension Theme {
    /// Removal is red; the rest use the accent colour.
    fileprivate func badge(_ kind: String) -> Color { kind == "minus" ? Color(0xE0312F) : accent }
}

extension Shape {
    /// The shape mirrored within a frame.
    func mirrored(in frame: LayoutRect) -> Shape {
        func flip(_ x: Double) -> Double { frame.x + frame.maxX - x }
        func flip(_ rect: LayoutRect) -> LayoutRect {
            LayoutRect(x: flip(rect.maxX), y: rect.y, width: rect.width, height: rect.height)
        }
        switch self {
        case .box(let rect, let paint, let radius): return .box(flip(rect), paint, radius: radius)
        case .outline(let rect, let color, let width, let radius):
            return .outline(flip(rect), color, width: width, radius: radius)
        case .ellipse(let rect, let paint): return .ellipse(flip(rect), paint)
        case .polygon(let points, let paint): return .polygon(points.map { Point(flip($0.x), $0.y) }, paint)
        case .text(let rect, var text):
            switch text.alignment {
            case .leading: text.alignment = .trailing
            case .trailing: text.alignment = .leading
            case .center: break
            }
            return .text(flip(rect), text)
        case .symbol(let rect, let symbol, let color): return .symbol(flip(rect), symbol, color)
        // Images aren't mirrored.
        case .image(let rect, let name, let radius, let instead):
            let place = flip(rect)
            return .image(
                place, name: name, radius: radius, instead: instead.map { $0.moved(by: place.x - rect.x) })
        case .clipped(let rect, let radius, let shapes):
            return .clipped(flip(rect), radius: radius, shapes.map { $0.mirrored(in: frame) })
        }
    }

    private func moved(by x: Double) -> Shape {
        switch self {
        case .box(let rect, let paint, let radius):
            return .box(rect.offsetBy(x: x, y: 0), paint.moved(by: x), radius: radius)
        case .outline(let rect, let color, let width, let radius):
            return .outline(rect.offsetBy(x: x, y: 0), color, width: width, radius: radius)
        case .ellipse(let rect, let paint): return .ellipse(rect.offsetBy(x: x, y: 0), paint.moved(by: x))
        case .polygon(let points, let paint):
            return .polygon(points.map { Point($0.x + x, $0.y) }, paint.moved(by: x))
        case .text(let rect, let text): return .text(rect.offsetBy(x: x, y: 0), text)
        case .symbol(let rect, let symbol, let color): return .symbol(rect.offsetBy(x: x, y: 0), symbol, color)
        case .image(let rect, let name, let radius, let instead):
            return .image(
                rect.offsetBy(x: x, y: 0), name: name, radius: radius, instead: instead.map { $0.moved(by: x) })
        case .clipped(let rect, let radius, let shapes):
            return .clipped(rect.offsetBy(x: x, y: 0), radius: radius, shapes.map { $0.moved(by: x) })
        }
    }
}

extension Paint {
    fileprivate func moved(by x: Double) -> Paint {
        switch self {
        case .color: self
        case .gradient(let start, let first, let end, let last):
            .gradient(Point(start.x + x, start.y), first, Point(end.x + x, end.y), last)
        }
    }
}
