import MarqueeLayout
import MarqueeModel

/// Draws a header: its title, and from the right its actions and the available orders.
struct HeaderDrawing {
    /// Points a header reserves for its title.
    private static let leastTitle = 60.0
    /// Lines of a title whose header takes the height of its text.
    private static let measuredLines = 6
    /// Points above and below a measured title, together.
    private static let padding = 12.0

    let header: PresentedElement.Supplementary
    let frame: LayoutRect
    let theme: Theme
    private let left: Double
    private let end: Double

    /// - Parameter margin: points from the header's leading edge to its title, where the section's items start.
    init(_ header: PresentedElement.Supplementary, in frame: LayoutRect, margin: Double, theme: Theme) {
        self.header = header
        self.frame = frame
        self.theme = theme
        left = frame.x + min(margin, frame.width / 4)
        end = frame.maxX - min(margin, frame.width / 4)
    }

    /// The height that the title of a header of estimated height needs.
    static func height(of header: PresentedElement.Supplementary, in width: Double, margin: Double) -> Double {
        guard !header.title.isEmpty else { return 0 }
        let drawing = HeaderDrawing(
            header, in: LayoutRect(x: 0, y: 0, width: width, height: 0), margin: margin, theme: .dark)
        let room = drawing.trailing.start - drawing.left
        return room > 0 ? TextRuler.height(of: drawing.title, in: room) + padding : 0
    }

    var shapes: [Shape] {
        let trailing = self.trailing
        return [block(title, left, trailing.start - left)] + trailing.shapes
    }

    private var title: Text {
        let size = frame.height >= 36 || header.isMeasured ? 20.0 : 18
        return Text(header.title, size, .bold, theme.text).lines(header.isMeasured ? Self.measuredLines : 1)
    }

    /// The views right of the title, and where they start.
    private var trailing: (shapes: [Shape], start: Double) {
        var right = end
        var shapes: [Shape] = []
        for button in buttons.reversed() {
            let height = min(26, frame.height)
            let box = LayoutRect(
                x: right - button.width, y: frame.y + (frame.height - height) / 2, width: button.width, height: height)
            if button.isShown {
                shapes.append(.box(box, .color(theme.accent), radius: height / 2))
            } else if button.isOrder {
                let color = theme.secondaryText.opacity(0.5)
                shapes.append(.outline(box.inset(0.5), color, width: 1, radius: height / 2))
            }
            var label = Text(button.title, button.isOrder ? 12 : 13, .semibold, theme.accent)
                .aligned(button.isOrder ? .center : .trailing)
            if button.isOrder { label.color = button.isShown ? theme.onAccent : theme.secondaryText }
            shapes.append(block(label, box.x, box.width))
            right = box.x - button.gap
        }
        if let error = header.error {
            let label = Text(error, 12, .regular, theme.warning).aligned(.trailing)
            let wide = min(TextRuler.width(of: label) + 6, (right - left) * 0.6)
            shapes.append(block(label, right - wide, wide))
            right -= wide + 10
        }
        return (shapes, right)
    }

    /// The orders and actions that have room, from the leading edge: first the current order, then the actions, then
    /// other orders. Only the first of all may shorten the title.
    private var buttons: [HeaderButton] {
        let orders = header.sorts.enumerated().map { place, option in
            HeaderButton(order: Words.clean(option.title), isShown: option.id == header.sort, place: place)
        }
        let actions = header.actions.enumerated().map { index, action in
            HeaderButton(action: Words.clean(action.title), place: orders.count + index)
        }
        let width = end - left
        // A little more than the title's own width, so that rounding doesn't cut it.
        var room = width - TextRuler.width(of: title) - 2
        var shown: [HeaderButton] = []
        for button in orders.filter(\.isShown) + actions + orders.filter({ !$0.isShown }) {
            let taken = button.width + button.gap
            let mayShorten = shown.isEmpty && width - taken >= Self.leastTitle
            guard taken <= room || mayShorten else { continue }
            shown.append(button)
            room -= taken
        }
        return shown.sorted { $0.place < $1.place }
    }

    /// A text in the middle of the header's height.
    private func block(_ text: Text, _ x: Double, _ width: Double) -> Shape {
        let fitted = TextRuler.fitted(text, in: width)
        let height = text.string.isEmpty ? text.lineHeight : Double(max(1, fitted.lines)) * text.lineHeight
        return .text(
            LayoutRect(x: x, y: frame.y + (frame.height - height) / 2, width: max(0, width), height: height), fitted)
    }
}

/// A choice that a header offers beside its title: an order, or an action.
private struct HeaderButton {
    var title: String
    /// Points, without the gap before it.
    var width: Double
    /// Points before it.
    var gap: Double
    var isOrder: Bool
    /// Whether it is the current order.
    var isShown: Bool
    /// Its place, from the leading edge.
    var place: Int

    init(order title: String, isShown: Bool, place: Int) {
        self.title = title
        width = TextRuler.width(of: title, size: 12, weight: .semibold) + 22
        gap = 7
        isOrder = true
        self.isShown = isShown
        self.place = place
    }

    init(action title: String, place: Int) {
        self.title = title
        width = TextRuler.width(of: title, size: 13, weight: .semibold) + 4
        gap = 14
        isOrder = false
        isShown = false
        self.place = place
    }
}

/// Draws a footer: a button in its middle.
struct FooterDrawing {
    /// Lines of a label whose footer takes the height of its text.
    private static let measuredLines = 4
    /// Points above and below a label, together.
    private static let padding = 18.0

    let footer: PresentedElement.Supplementary
    let frame: LayoutRect
    let theme: Theme

    init(_ footer: PresentedElement.Supplementary, in frame: LayoutRect, theme: Theme) {
        self.footer = footer
        self.frame = frame
        self.theme = theme
    }

    /// The height that the label of a footer of estimated height needs.
    static func height(of footer: PresentedElement.Supplementary, in width: Double) -> Double {
        guard !footer.title.isEmpty else { return 0 }
        let drawing = FooterDrawing(footer, in: LayoutRect(x: 0, y: 0, width: width, height: 0), theme: .dark)
        let room = width - drawing.beside
        return room > 0 ? TextRuler.height(of: drawing.label, in: room) + padding : 0
    }

    private var sign: Symbol? {
        switch footer.actions.first?.id {
        case "more": .chevronDown
        case "close": .chevronUp
        default: nil
        }
    }

    private var label: Text {
        Text(footer.title, 14, .semibold, theme.text).aligned(.center).lines(footer.isMeasured ? Self.measuredLines : 1)
    }

    /// Points of the button beside its label.
    private var beside: Double { sign == nil ? 32 : 56 }

    var shapes: [Shape] {
        guard !footer.title.isEmpty else { return [] }
        let wide = min(TextRuler.width(of: label) + beside, frame.width)
        let fitted = TextRuler.fitted(
            label, in: footer.isMeasured ? frame.width - beside : wide - (sign == nil ? 0 : 20))
        let lines = Double(max(1, fitted.lines)) * label.lineHeight
        let height = min(lines + Self.padding, frame.height)
        let box = LayoutRect(
            x: frame.x + (frame.width - wide) / 2, y: frame.y + (frame.height - height) / 2, width: wide,
            height: height)
        let text = LayoutRect(
            x: box.x, y: box.y + (height - lines) / 2, width: wide - (sign == nil ? 0 : 20), height: lines)
        let mark = LayoutRect(x: box.maxX - 30, y: box.y + (height - 12) / 2, width: 12, height: 12)
        return [.box(box, .color(theme.surface), radius: min(height, 36) / 2), .text(text, fitted)]
            + (sign.map { [.symbol(mark, $0, theme.secondaryText)] } ?? [])
    }
}
