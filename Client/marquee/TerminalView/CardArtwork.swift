import MarqueeLayout
import MarqueePresentation

/// How the images of cards are drawn, depending on what the terminal can show.
enum CardArtwork {
    /// Without colours: a frame, and words.
    case frames
    /// With few colours: an area of one of them.
    case flat
    /// Drawn, two pixels to a cell.
    case pixels(RasterCache)

    init(depth: ColorDepth) {
        switch depth {
        case .none: self = .frames
        case .eight, .sixteen: self = .flat
        case .indexed, .direct: self = .pixels(RasterCache())
        }
    }
}

/// Small drawings of recently shown artwork. Belongs to the one task that draws.
final class RasterCache {
    /// Maximum pixels kept: a few hundred cards.
    static let maximumPixels = 1 << 19

    private struct Key: Hashable {
        var image: CardImage
        var columns: Int
        var rows: Int
    }

    private var rasters: [Key: Raster] = [:]
    private(set) var pixels = 0

    /// - Returns: `nil` if nothing can be drawn.
    func raster(of image: CardImage, columns: Int, rows: Int) -> Raster? {
        guard columns > 0, rows > 0, columns <= Self.maximumPixels / 2 / rows else { return nil }
        let key = Key(image: image, columns: columns, rows: rows)
        if let known = rasters[key] { return known }
        // A cell is about twice as high as it is wide, so half of one is a square.
        let size = LayoutSize(width: Double(columns), height: Double(2 * rows))
        let shapes = Artwork(image).shapes(in: LayoutRect(x: 0, y: 0, width: size.width, height: size.height))
        let raster = Raster(shapes, width: columns, height: 2 * rows)
        if pixels + columns * 2 * rows > Self.maximumPixels {
            rasters = [:]
            pixels = 0
        }
        rasters[key] = raster
        pixels += columns * 2 * rows
        return raster
    }
}
