import Foundation
import MarqueePictures
import MarqueePresentation

/// Reads a `Drawing` from standard input and writes the picture to standard output. `marquee render` runs it.
@main
enum MarqueePicturesProgram {
    static func main() {
        guard CommandLine.arguments.count == 1 else {
            fail(EX_USAGE, "this is the part of `marquee render` that draws; see `marquee help render`")
        }
        do {
            let document = try FileHandle.standardInput.read(upToCount: Drawing.maximumBytes + 1) ?? Data()
            guard document.count <= Drawing.maximumBytes else {
                fail(EX_USAGE, "the drawing has more than \(Drawing.maximumBytes) bytes; draw less of the screen")
            }
            guard let drawing = try? JSONDecoder().decode(Drawing.self, from: document) else {
                fail(EX_DATAERR, "standard input is not a drawing; this is the part of `marquee render` that draws")
            }
            try FileHandle.standardOutput.write(contentsOf: picture(of: drawing))
        } catch let error as PictureError {
            switch error.code {
            case .tooLarge: fail(EX_USAGE, error.message)
            case .images: fail(EX_NOINPUT, error.message)
            case .drawing: fail(EX_IOERR, error.message)
            }
        } catch {
            fail(EX_IOERR, error.localizedDescription)
        }
    }

    private static func picture(of drawing: Drawing) throws(PictureError) -> Data {
        var images: ImageFolder?
        if let path = drawing.images { images = try ImageFolder(path: path) }
        switch drawing.format {
        case .svg: return try Picture.svg(drawing.shapes, size: drawing.size, images: images)
        case .png:
            return try Picture.png(drawing.shapes, size: drawing.size, scale: drawing.scale, images: images)
        }
    }

    private static func fail(_ status: Int32, _ message: String) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(status)
    }
}
