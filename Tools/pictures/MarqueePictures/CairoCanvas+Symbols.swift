internal import CCairo
import Foundation
import MarqueeLayout
import MarqueePresentation

extension CairoCanvas {
    /// A symbol in the current colour, as large as its aspect ratio allows.
    func draw(_ symbol: Symbol, in rect: LayoutRect) {
        let side = min(rect.width, rect.height)
        guard side > 0 else { return }
        let (x, y) = (rect.x + (rect.width - side) / 2, rect.y + (rect.height - side) / 2)
        func at(_ points: (Double, Double)...) -> [Point] {
            points.map { Point(x + $0.0 * side, y + $0.1 * side) }
        }
        func lines(_ runs: [Point]...) {
            cairo_new_path(context)
            for run in runs {
                cairo_new_sub_path(context)
                for point in run { cairo_line_to(context, point.x, point.y) }
            }
            cairo_set_line_width(context, side * 0.15)
            cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
            cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
            cairo_stroke(context)
        }
        switch symbol {
        case .star, .starOutline:
            let isFilled = symbol == .star
            let reach = isFilled ? 0.52 : 0.46
            let tips = (0..<10).map { index -> Point in
                let angle = Double(index) * .pi / 5 - .pi / 2
                let radius = (index.isMultiple(of: 2) ? reach : reach * 0.45) * side
                return Point(x + side / 2 + cos(angle) * radius, y + side * 0.53 + sin(angle) * radius)
            }
            polygon(tips)
            cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
            if isFilled {
                cairo_fill(context)
            } else {
                cairo_set_line_width(context, side * 0.11)
                cairo_stroke(context)
            }
        case .play:
            polygon(at((0.12, 0.04), (0.95, 0.5), (0.12, 0.96)))
            cairo_fill(context)
        case .plus: lines(at((0.5, 0.08), (0.5, 0.92)), at((0.08, 0.5), (0.92, 0.5)))
        case .minus: lines(at((0.08, 0.5), (0.92, 0.5)))
        case .check: lines(at((0.08, 0.55), (0.38, 0.85), (0.92, 0.2)))
        case .chevronDown: lines(at((0.08, 0.28), (0.5, 0.72), (0.92, 0.28)))
        case .chevronUp: lines(at((0.08, 0.72), (0.5, 0.28), (0.92, 0.72)))
        case .chevronRight: lines(at((0.3, 0.08), (0.72, 0.5), (0.3, 0.92)))
        case .info:
            cairo_new_path(context)
            cairo_arc(context, x + side / 2, y + side / 2, side * 0.45, 0, 2 * .pi)
            cairo_set_line_width(context, side * 0.1)
            cairo_stroke(context)
            lines(at((0.5, 0.46), (0.5, 0.72)))
            cairo_arc(context, x + side / 2, y + side * 0.28, side * 0.075, 0, 2 * .pi)
            cairo_fill(context)
        }
    }
}
