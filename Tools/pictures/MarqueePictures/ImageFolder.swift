internal import CCairo
internal import CGdkPixbuf
import Foundation

/// A folder of image files, found by the names a screen uses.
///
/// Names come from a server, so they only resolve to files in this folder. Not thread-safe; used only while drawing.
package final class ImageFolder {
    private static let endings = ["", ".png", ".jpg", ".jpeg"]

    private let folder: URL
    private var kept: [String: Image?] = [:]
    private var keptPixels = 0

    /// - Throws: if there is no such folder.
    package init(path: String) throws(PictureError) {
        folder = URL(fileURLWithPath: path, isDirectory: true)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue else {
            throw PictureError(code: .images, message: "there is no folder at \(path)")
        }
    }

    /// The pixels of one file. It owns them.
    final class Image {
        let surface: OpaquePointer
        let width: Int
        let height: Int

        init(surface: OpaquePointer, width: Int, height: Int) {
            self.surface = surface
            self.width = width
            self.height = height
        }

        deinit { cairo_surface_destroy(surface) }
    }

    /// - Parameter name: a file's name, with or without its extension, or a URL, of which the last component counts.
    /// - Returns: `nil` if there is none, or it can't be read within `PictureLimits`.
    func image(named name: String) -> Image? {
        if let known = kept[name] { return known }
        let image = ImageFolder.file(for: name).flatMap { file in
            ImageFolder.endings.lazy.compactMap { self.load(self.folder.appending(path: file + $0)) }.first
        }
        let pixels = image.map { $0.width * $0.height } ?? 0
        if keptPixels + pixels <= PictureLimits.keptPixels {
            kept[name] = image
            keptPixels += pixels
        }
        return image
    }

    /// The name of a file in the folder; `nil` if it isn't a valid one.
    static func file(for name: String) -> String? {
        let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
        let isHidden = last.hasPrefix(".")
        let isPlain = !last.unicodeScalars.contains { $0.properties.generalCategory == .control }
        guard !last.isEmpty, !isHidden, isPlain, last.utf8.count <= 200 else { return nil }
        return String(last.prefix { $0 != "?" && $0 != "#" })
    }

    private func load(_ url: URL) -> Image? {
        let path = url.path
        guard let values = try? url.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey]),
            values.isRegularFile == true, let bytes = values.fileSize, bytes <= PictureLimits.imageBytes
        else { return nil }
        // The dimensions are known before anything is decoded.
        var (width, height): (Int32, Int32) = (0, 0)
        guard let format = gdk_pixbuf_get_file_info(path, &width, &height), isPlain(format), width > 0, height > 0,
            Int(width) * Int(height) <= PictureLimits.imagePixels,
            let pixbuf = gdk_pixbuf_new_from_file(path, nil)
        else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(pixbuf)) }
        return ImageFolder.image(pixbuf)
    }

    /// Whether it is one of the two formats used for posters. The library reads more, including vector formats that can
    /// take arbitrarily long.
    private func isPlain(_ format: OpaquePointer) -> Bool {
        guard let name = gdk_pixbuf_format_get_name(format) else { return false }
        defer { g_free(name) }
        return ["png", "jpeg"].contains(String(cString: name))
    }

    /// The pixels in cairo's format: four bytes in native byte order, with premultiplied alpha.
    private static func image(_ pixbuf: OpaquePointer) -> Image? {
        let (width, height) = (Int(gdk_pixbuf_get_width(pixbuf)), Int(gdk_pixbuf_get_height(pixbuf)))
        let (stride, channels) = (Int(gdk_pixbuf_get_rowstride(pixbuf)), Int(gdk_pixbuf_get_n_channels(pixbuf)))
        guard channels >= 3, gdk_pixbuf_get_bits_per_sample(pixbuf) == 8, let source = gdk_pixbuf_read_pixels(pixbuf),
            let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height)),
            let target = cairo_image_surface_get_data(surface)
        else { return nil }
        let hasAlpha = channels > 3
        let targetStride = Int(cairo_image_surface_get_stride(surface))
        for y in 0..<height {
            let row = source + y * stride
            let line = UnsafeMutableRawPointer(target + y * targetStride)
            for x in 0..<width {
                let pixel = row + x * channels
                let alpha = hasAlpha ? UInt32(pixel[3]) : 255
                func part(_ index: Int) -> UInt32 { (UInt32(pixel[index]) * alpha + 127) / 255 }
                line.storeBytes(
                    of: alpha << 24 | part(0) << 16 | part(1) << 8 | part(2), toByteOffset: 4 * x, as: UInt32.self)
            }
        }
        cairo_surface_mark_dirty(surface)
        return Image(surface: surface, width: width, height: height)
    }
}
