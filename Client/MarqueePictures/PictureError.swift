/// Why a picture can't be made.
package struct PictureError: Error, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// It would be larger than `PictureLimits` allow.
        case tooLarge
        /// The folder of images can't be read.
        case images
        /// The drawing library gave up.
        case drawing
    }

    package var code: Code
    package var message: String

    package var description: String { message }
}

/// Bounds of pictures and of the images in them.
package enum PictureLimits {
    /// Pixels of a picture's side: what the drawing library can address.
    package static let side = 32_767
    /// Pixels of a picture: 256 MB in memory.
    package static let pixels = 64 << 20
    /// Points of a letter. Beyond some thousands of pixels a font gives up, and for all text that follows as well.
    static let letter = 400.0
    /// Pixels of an image file; a larger one counts as missing.
    static let imagePixels = 32 << 20
    /// Bytes of an image file.
    static let imageBytes = 32 << 20
    /// Pixels of the images that are kept while a picture is drawn; others are read again when they are needed.
    static let keptPixels = 64 << 20
}
