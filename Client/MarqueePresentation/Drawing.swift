package import MarqueeLayout

/// Shapes, and the file to draw them to: the document that `marquee` hands to `marquee-pictures`.
///
/// The two are programs of one version, so other programs must not rely on this format.
package struct Drawing: Codable, Hashable, Sendable {
    package enum Format: String, Codable, Sendable {
        case png, svg
    }

    /// Bytes of a document: several times those of the longest screens.
    package static let maximumBytes = 64 << 20
    /// The program that draws it.
    package static let program = "marquee-pictures"

    package var shapes: [Shape]
    /// Points.
    package var size: LayoutSize
    package var format: Format
    /// Pixels per point; a vector drawing has none.
    package var scale: Double
    /// The path of a folder of image files; without one, all images are generated.
    package var images: String?

    package init(shapes: [Shape], size: LayoutSize, format: Format, scale: Double, images: String? = nil) {
        self.shapes = shapes
        self.size = size
        self.format = format
        self.scale = scale
        self.images = images
    }
}
