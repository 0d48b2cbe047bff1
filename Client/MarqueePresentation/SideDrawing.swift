import MarqueeLayout

/// Draws a side view: a strip along the leading edge of its frame, as wide as its words. A side view reserves no width,
/// so whatever is behind it shows through.
struct SideDrawing {
    private static let letterSize = 13.0
    private static let thickness = 26.0
    /// Points before and after the words of a strip, together.
    private static let padding = 24.0

    let side: PresentedElement.Supplementary
    let frame: LayoutRect
    let theme: Theme

    init(_ side: PresentedElement.Supplementary, in frame: LayoutRect, theme: Theme) {
        self.side = side
        self.frame = frame
        self.theme = theme
    }

    /// The height that the words of a side view of estimated height need, read from the bottom upwards.
    static func height(of side: PresentedElement.Supplementary) -> Double {
        guard !side.title.isEmpty else { return 0 }
        return TextRuler.width(of: Text(side.title, letterSize, .bold, .white)) + padding
    }

    var shapes: [Shape] {
        let isVertical = frame.height > frame.width
        let strip = LayoutRect(
            x: frame.x, y: frame.y, width: isVertical ? min(frame.width, Self.thickness) : frame.width,
            height: isVertical ? frame.height : min(frame.height, Self.thickness))
        let box = Shape.box(
            strip, .color(theme.surface.opacity(0.85)), radius: min(strip.width, strip.height) / 2)
        guard !side.title.isEmpty else { return [box] }
        let size = min(Self.letterSize, min(frame.width, frame.height) * 0.5)
        var label = Text(side.title, size, .bold, theme.accent).aligned(.center)
        label = TextRuler.fitted(label, in: isVertical ? frame.height : frame.width)
        label.isVertical = isVertical
        return [box, .text(strip, label)]
    }
}
