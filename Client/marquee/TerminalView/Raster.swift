import MarqueeLayout
import MarqueePresentation

/// A small drawing in pixels, two of which a terminal shows in one cell.
///
/// It draws the shapes of generated artwork: boxes, ellipses and polygons. Letters, symbols and image files are for
/// pictures; at this size nobody could read them.
struct Raster: Hashable, Sendable {
    /// Lines in each row of pixels at which a shape's edges are computed.
    private static let linesInRow = 4

    let width: Int
    let height: Int
    /// Row by row, `0xRRGGBB`.
    private let pixels: [UInt32]

    /// Draws shapes on black, at one pixel per point.
    /// - Parameters:
    ///   - width: pixels, as is `height`; at least one.
    init(_ shapes: [Shape], width: Int, height: Int) {
        var drawing = Drawing(width: width, height: height)
        for shape in shapes { drawing.draw(shape) }
        (self.width, self.height) = (width, height)
        pixels = drawing.pixels.map { color in
            func byte(_ part: Double) -> UInt32 { UInt32((min(max(part, 0), 1) * 255).rounded()) }
            return byte(color.x) << 16 | byte(color.y) << 8 | byte(color.z)
        }
    }

    /// - Returns: `nil` outside the drawing.
    subscript(x: Int, y: Int) -> UInt32? {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return nil }
        return pixels[y * width + x]
    }

    /// The pixels while shapes are drawn over each other.
    private struct Drawing {
        let width: Int
        let height: Int
        /// Red, green and blue, 0...1.
        var pixels: [SIMD3<Double>]

        init(width: Int, height: Int) {
            (self.width, self.height) = (width, height)
            pixels = Array(repeating: .zero, count: width * height)
        }

        mutating func draw(_ shape: Shape) {
            let paint: Paint
            switch shape {
            case .box(_, let filling, _), .ellipse(_, let filling), .polygon(_, let filling): paint = filling
            case .outline, .text, .symbol, .image, .clipped: return
            }
            for row in 0..<height {
                var coverage = Array(repeating: 0.0, count: width)
                var isCovered = false
                for line in 0..<Raster.linesInRow {
                    let y = Double(row) + (Double(line) + 0.5) / Double(Raster.linesInRow)
                    for (start, end) in shape.spans(at: y) {
                        let (start, end) = (max(start, 0), min(end, Double(width)))
                        guard start < end else { continue }
                        isCovered = true
                        for column in Int(start)..<min(width, Int(end.rounded(.up))) {
                            let overlap = min(end, Double(column + 1)) - max(start, Double(column))
                            coverage[column] += overlap / Double(Raster.linesInRow)
                        }
                    }
                }
                guard isCovered else { continue }
                for column in 0..<width where coverage[column] > 0 {
                    let color = paint.color(at: Point(Double(column) + 0.5, Double(row) + 0.5))
                    let old = pixels[row * width + column]
                    let new = SIMD3(color.red, color.green, color.blue)
                    pixels[row * width + column] = old + (new - old) * (color.alpha * min(coverage[column], 1))
                }
            }
        }
    }
}

extension Shape {
    /// The parts of a horizontal line that are inside the shape.
    fileprivate func spans(at y: Double) -> [(start: Double, end: Double)] {
        switch self {
        case .box(let rect, _, let radius):
            guard y >= rect.y, y < rect.maxY else { return [] }
            let radius = max(0, min(radius, rect.width / 2, rect.height / 2))
            // Within a corner the edge is that of a circle.
            let beyond = max(rect.y + radius - y, y - (rect.maxY - radius), 0)
            let inset = radius - (radius * radius - beyond * beyond).squareRoot()
            return [(rect.x + inset, rect.maxX - inset)]
        case .ellipse(let rect, _):
            guard rect.width > 0, rect.height > 0 else { return [] }
            let distance = (y - rect.y) / rect.height * 2 - 1
            guard distance.magnitude < 1 else { return [] }
            let half = rect.width / 2 * (1 - distance * distance).squareRoot()
            let middle = rect.x + rect.width / 2
            return [(middle - half, middle + half)]
        case .polygon(let points, _): return Self.spans(of: points, at: y)
        case .outline, .text, .symbol, .image, .clipped: return []
        }
    }

    /// A point is inside if the edges to its left wind around it.
    private static func spans(of points: [Point], at y: Double) -> [(start: Double, end: Double)] {
        guard var last = points.last else { return [] }
        var crossings: [(x: Double, turn: Int)] = []
        for point in points {
            if (last.y <= y) != (point.y <= y) {
                let share = (y - last.y) / (point.y - last.y)
                crossings.append((last.x + (point.x - last.x) * share, point.y > last.y ? 1 : -1))
            }
            last = point
        }
        crossings.sort { $0.x < $1.x }
        var spans: [(Double, Double)] = []
        var (winding, start) = (0, 0.0)
        for crossing in crossings {
            if winding == 0 { start = crossing.x }
            winding += crossing.turn
            if winding == 0 { spans.append((start, crossing.x)) }
        }
        return spans
    }
}

extension Paint {
    fileprivate func color(at point: Point) -> Color {
        switch self {
        case .color(let color): return color
        case .gradient(let start, let first, let end, let last):
            let (x, y) = (end.x - start.x, end.y - start.y)
            let length = x * x + y * y
            guard length > 0 else { return last }
            let share = ((point.x - start.x) * x + (point.y - start.y) * y) / length
            return first.mixed(with: last, min(max(share, 0), 1))
        }
    }
}
