internal import CCairo
package import MarqueePresentation

/// The pixels of a small drawing, for callers that display them themselves, such as a terminal.
package struct Raster: Hashable, Sendable {
    package let width: Int
    package let height: Int
    /// Row by row, `0xRRGGBB`.
    let pixels: [UInt32]

    /// - Returns: `nil` outside the drawing.
    package subscript(x: Int, y: Int) -> UInt32? {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return nil }
        return pixels[y * width + x]
    }
}

extension Picture {
    /// Draws shapes at one pixel per point.
    /// - Parameters:
    ///   - width: pixels, as is `height`; at least one.
    ///   - images: the folder of image files; without one, all images are generated.
    package static func raster(
        _ shapes: [Shape], width: Int, height: Int, images: ImageFolder? = nil
    ) throws(PictureError) -> Raster {
        guard (1...PictureLimits.side).contains(width), (1...PictureLimits.side).contains(height),
            width * height <= PictureLimits.pixels
        else {
            throw PictureError(code: .tooLarge, message: "a drawing can't have \(width) × \(height) pixels")
        }
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height)) else {
            throw PictureError(code: .drawing, message: "not enough memory for a picture")
        }
        // The canvas owns the surface, which lives as long as the canvas does.
        let canvas = try CairoCanvas(owning: surface, sink: ByteSink(), images: images)
        defer { withExtendedLifetime(canvas) {} }
        canvas.draw(shapes)
        try CairoCanvas.check(cairo_status(canvas.context))
        return try Raster(surface, width: width, height: height)
    }
}

extension Raster {
    /// Copies the pixels of an image surface.
    fileprivate init(_ surface: OpaquePointer, width: Int, height: Int) throws(PictureError) {
        cairo_surface_flush(surface)
        let stride = Int(cairo_image_surface_get_stride(surface))
        guard let data = cairo_image_surface_get_data(surface) else {
            throw PictureError(code: .drawing, message: "the picture has no pixels")
        }
        var pixels: [UInt32] = []
        pixels.reserveCapacity(width * height)
        for y in 0..<height {
            let line = UnsafeRawPointer(data + y * stride)
            for x in 0..<width {
                pixels.append(line.load(fromByteOffset: 4 * x, as: UInt32.self) & 0xFF_FFFF)
            }
        }
        self.init(width: width, height: height, pixels: pixels)
    }
}
