/// Why a picture can't be made.
package struct PictureError: Error, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// It would exceed `PictureLimits`.
        case tooLarge
        /// The folder of images can't be read.
        case images
        /// The drawing library failed.
        case drawing
    }

    package var code: Code
    package var message: String

    package var description: String { message }
}

/// Limits on pictures and the images in them.
package enum PictureLimits {
    /// Pixels per side of a picture: the drawing library's limit.
    package static let side = 32_767
    /// Pixels in a picture: 256 MB of memory.
    package static let pixels = 64 << 20
    /// Letter size in points. Beyond a few thousand pixels a font fails, and so does all text after it.
    static let letter = 400.0
    /// Pixels in an image file; a larger one counts as missing.
    static let imagePixels = 32 << 20
    /// Bytes in an image file.
    static let imageBytes = 32 << 20
    /// Total pixels of cached images while a picture is drawn; others are read again when needed.
    static let keptPixels = 64 << 20
}
