internal import CCairo
import Foundation
import MarqueeLayout
import MarqueePresentation

/// A cairo drawing surface and its drawing operations. It owns the surface and the context, and belongs to one thread.
final class CairoCanvas {
    private let surface: OpaquePointer
    let context: OpaquePointer
    private let images: ImageFolder?
    /// A surface may write to it until it is destroyed.
    private let sink: ByteSink

    /// - Parameters:
    ///   - surface: ownership passes to the canvas.
    ///   - sink: where a stream surface writes to.
    init(owning surface: OpaquePointer?, sink: ByteSink, images: ImageFolder?) throws(PictureError) {
        guard let surface else { throw PictureError(code: .drawing, message: "not enough memory for a picture") }
        guard let context = cairo_create(surface) else {
            cairo_surface_destroy(surface)
            throw PictureError(code: .drawing, message: "not enough memory for a picture")
        }
        self.surface = surface
        self.context = context
        self.images = images
        self.sink = sink
        try CairoCanvas.check(cairo_surface_status(surface))
        try CairoCanvas.check(cairo_status(context))
    }

    deinit {
        cairo_destroy(context)
        cairo_surface_destroy(surface)
    }

    static func check(_ status: cairo_status_t) throws(PictureError) {
        guard status != CAIRO_STATUS_SUCCESS else { return }
        throw PictureError(
            code: .drawing, message: "the picture can't be drawn: \(String(cString: cairo_status_to_string(status)))")
    }

    func scale(by factor: Double) { cairo_scale(context, factor, factor) }

    /// Finishes an image.
    func finishedPNG() throws(PictureError) -> Data {
        try CairoCanvas.check(cairo_status(context))
        cairo_surface_flush(surface)
        try CairoCanvas.check(cairo_surface_write_to_png_stream(surface, ByteSink.write, sink.closure))
        return sink.data
    }

    /// Finishes a stream. Nothing may be drawn afterwards.
    func finishedStream() throws(PictureError) -> Data {
        try CairoCanvas.check(cairo_status(context))
        // This writes the last bytes.
        cairo_surface_finish(surface)
        try CairoCanvas.check(cairo_surface_status(surface))
        return sink.data
    }

    func draw(_ shapes: [Shape]) {
        for shape in shapes { draw(shape) }
    }

    private func draw(_ shape: Shape) {
        switch shape {
        case .box(let rect, let paint, let radius):
            path(rect, radius)
            fill(paint)
        case .outline(let rect, let color, let width, let radius):
            path(rect, radius)
            set(color)
            cairo_set_line_width(context, width)
            cairo_stroke(context)
        case .ellipse(let rect, let paint):
            guard rect.width > 0, rect.height > 0 else { return }
            cairo_save(context)
            cairo_translate(context, rect.x + rect.width / 2, rect.y + rect.height / 2)
            cairo_scale(context, rect.width / 2, rect.height / 2)
            cairo_new_path(context)
            cairo_arc(context, 0, 0, 1, 0, 2 * .pi)
            cairo_restore(context)
            fill(paint)
        case .polygon(let points, let paint):
            polygon(points)
            fill(paint)
        case .text(let rect, let text): draw(text, in: rect)
        case .symbol(let rect, let symbol, let color):
            set(color)
            draw(symbol, in: rect)
        case .image(let rect, let name, let radius, let instead):
            clipped(rect, radius) {
                if let image = images?.image(named: name) { draw(image, in: rect) } else { draw(instead) }
            }
        case .clipped(let rect, let radius, let shapes): clipped(rect, radius) { draw(shapes) }
        }
    }

    // MARK: - Paths and colours

    func set(_ color: Color) { cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha) }

    private func fill(_ paint: Paint) {
        switch paint {
        case .color(let color):
            set(color)
            cairo_fill(context)
        case .gradient(let start, let first, let end, let last):
            let pattern = cairo_pattern_create_linear(start.x, start.y, end.x, end.y)
            defer { cairo_pattern_destroy(pattern) }
            // A fully transparent end takes the other's colour, or the middle would look dirty.
            let (from, to) = (
                first.alpha == 0 ? last.opacity(0) : first, last.alpha == 0 ? first.opacity(0) : last
            )
            for (offset, color) in [(0.0, from), (1.0, to)] {
                cairo_pattern_add_color_stop_rgba(
                    pattern, offset, color.red, color.green, color.blue, color.alpha)
            }
            cairo_set_source(context, pattern)
            cairo_fill(context)
        }
    }

    private func path(_ rect: LayoutRect, _ radius: Double) {
        cairo_new_path(context)
        let radius = min(radius, rect.width / 2, rect.height / 2)
        guard radius > 0 else { return cairo_rectangle(context, rect.x, rect.y, rect.width, rect.height) }
        let corners = [
            (rect.maxX - radius, rect.y + radius, -0.5), (rect.maxX - radius, rect.maxY - radius, 0.0),
            (rect.x + radius, rect.maxY - radius, 0.5), (rect.x + radius, rect.y + radius, 1.0),
        ]
        for (x, y, turn) in corners { cairo_arc(context, x, y, radius, turn * .pi, (turn + 0.5) * .pi) }
        cairo_close_path(context)
    }

    func polygon(_ points: [Point]) {
        cairo_new_path(context)
        for point in points { cairo_line_to(context, point.x, point.y) }
        cairo_close_path(context)
    }

    private func clipped(_ rect: LayoutRect, _ radius: Double, _ body: () -> Void) {
        cairo_save(context)
        path(rect, radius)
        cairo_clip(context)
        body()
        cairo_restore(context)
    }

    /// Fills the rectangle with the image, cropped where their shapes differ.
    private func draw(_ image: ImageFolder.Image, in rect: LayoutRect) {
        guard rect.width > 0, rect.height > 0 else { return }
        let scale = max(rect.width / Double(image.width), rect.height / Double(image.height))
        cairo_save(context)
        cairo_translate(
            context, rect.x + (rect.width - Double(image.width) * scale) / 2,
            rect.y + (rect.height - Double(image.height) * scale) / 2)
        cairo_scale(context, scale, scale)
        cairo_set_source_surface(context, image.surface, 0, 0)
        cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_GOOD)
        // Transparent parts show the usual background of an image.
        cairo_paint(context)
        cairo_restore(context)
    }
}
