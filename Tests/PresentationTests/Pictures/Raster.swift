import CCairo
import MarqueeLayout
import MarqueePresentation

@testable import MarqueePictures

/// The pixels of a drawing.
struct Raster {
    let width: Int
    let height: Int
    /// Red, green and blue, 0...255, line after line.
    private let pixels: [SIMD3<Double>]
    private let scale: Double

    init(_ shapes: [Shape], size: LayoutSize, scale: Double = 1, images: ImageFolder? = nil) throws {
        let (width, height) = (Int(size.width * scale), Int(size.height * scale))
        let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height))
        let canvas = try CairoCanvas(owning: surface, sink: ByteSink(), images: images)
        canvas.scale(by: scale)
        canvas.draw(shapes)
        cairo_surface_flush(surface)
        let stride = Int(cairo_image_surface_get_stride(surface))
        pixels = withExtendedLifetime(canvas) {
            guard let data = cairo_image_surface_get_data(surface) else { return [] }
            return (0..<height).flatMap { y in
                (0..<width).map { x in
                    let pixel = data + y * stride + 4 * x
                    return SIMD3(Double(pixel[2]), Double(pixel[1]), Double(pixel[0]))
                }
            }
        }
        (self.width, self.height, self.scale) = (width, height, scale)
    }

    /// The colour at a point.
    subscript(x: Double, y: Double) -> SIMD3<Double> {
        pixels[min(Int(y * scale), height - 1) * width + min(Int(x * scale), width - 1)]
    }

    /// The distance of a point's colour from another: the difference in the component that differs most, 0...255.
    func distance(_ x: Double, _ y: Double, from color: Color) -> Double {
        let difference = self[x, y] - SIMD3(color.red, color.green, color.blue) * 255
        return max(difference.x.magnitude, difference.y.magnitude, difference.z.magnitude)
    }

    /// The fraction of a rectangle's points whose colour differs by more than a tenth.
    func share(of rect: LayoutRect, unlike color: Color) -> Double {
        var (all, unlike) = (0.0, 0.0)
        for y in stride(from: rect.y + 0.5, to: rect.maxY, by: 1) {
            for x in stride(from: rect.x + 0.5, to: rect.maxX, by: 1) {
                all += 1
                if distance(x, y, from: color) > 25 { unlike += 1 }
            }
        }
        return all > 0 ? unlike / all : 0
    }

    /// The mean colours of a coarse grid: cells from left to right, row by row.
    func cells(columns: Int, rows: Int) -> [SIMD3<Double>] {
        (0..<rows).flatMap { row in
            (0..<columns).map { column in
                let xs = (column * width / columns)..<((column + 1) * width / columns)
                let ys = (row * height / rows)..<((row + 1) * height / rows)
                var sum = SIMD3<Double>()
                for y in ys { for x in xs { sum += pixels[y * width + x] } }
                return sum / Double(xs.count * ys.count)
            }
        }
    }
}
