internal import CCairo
package import Foundation
package import MarqueeLayout
package import MarqueePresentation

/// Renders shapes to a file.
package enum Picture {
    /// - Parameters:
    ///   - size: points.
    ///   - scale: pixels per point.
    ///   - images: the folder of image files; without one, all images are generated.
    package static func png(
        _ shapes: [Shape], size: LayoutSize, scale: Double, images: ImageFolder? = nil
    ) throws(PictureError) -> Data {
        let width = try pixels(size.width * scale)
        let height = try pixels(size.height * scale)
        guard width * height <= PictureLimits.pixels else {
            throw PictureError(
                code: .tooLarge,
                message: "the picture would have \(width) × \(height) pixels; the limit is \(PictureLimits.pixels)")
        }
        // A screen is opaque, so it needs no alpha.
        let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height))
        let canvas = try CairoCanvas(owning: surface, sink: ByteSink(), images: images)
        canvas.scale(by: scale)
        canvas.draw(shapes)
        return try canvas.finishedPNG()
    }

    /// A vector drawing. Its text consists of letter shapes, so it looks the same without the fonts.
    package static func svg(
        _ shapes: [Shape], size: LayoutSize, images: ImageFolder? = nil
    ) throws(PictureError) -> Data {
        _ = (try pixels(size.width), try pixels(size.height))
        let sink = ByteSink()
        let surface = cairo_svg_surface_create_for_stream(ByteSink.write, sink.closure, size.width, size.height)
        let canvas = try CairoCanvas(owning: surface, sink: sink, images: images)
        canvas.draw(shapes)
        return try canvas.finishedStream()
    }

    private static func pixels(_ length: Double) throws(PictureError) -> Int {
        guard length.isFinite, length <= Double(PictureLimits.side) else {
            throw PictureError(
                code: .tooLarge, message: "a side of the picture would have more than \(PictureLimits.side) pixels")
        }
        return max(1, Int(length.rounded(.up)))
    }
}
