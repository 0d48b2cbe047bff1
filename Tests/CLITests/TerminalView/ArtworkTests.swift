import MarqueeCatalogue
import MarqueeLayout
import MarqueeModel
import MarqueePresentation
import Testing

@testable import MarqueeClient
@testable import marquee

struct ArtworkTests {
    private func canvas(_ artwork: CardArtwork) -> Canvas {
        var browser = Pages.browser()
        browser.show([Pages.row("a", ["Inception", "Whiplash", "Parasite"])])
        return BrowserPainter(browser: browser, artwork: artwork).canvas()
    }

    private func halves(_ canvas: Canvas) -> [Canvas.Cell] { canvas.cells.filter { $0.text == "▀" } }

    @Test func `artwork is two pixels to a cell, different for each card, the same each time`() {
        let cells = halves(canvas(.pixels(RasterCache())))
        #expect(cells.count > 100)
        // It is a drawing rather than a single colour: somewhere the halves of a cell differ.
        #expect(Set(cells.map(\.style)).count > 30)
        #expect(cells.contains { $0.style.ink != $0.style.paper })
        #expect(halves(canvas(.pixels(RasterCache()))) == cells)
    }

    @Test func `with few colours each card has one; without colours, a frame and words`() {
        #expect(halves(canvas(.flat)).isEmpty)
        let plain = canvas(.frames)
        #expect(halves(plain).isEmpty)
        #expect(plain.text.contains { $0.contains("┌") })
        #expect(plain.text.contains { $0.contains("Inception") && $0.contains("Whiplash") })
        // A card's area is not a solid block, which reversed cells would be.
        #expect(plain.cells.count { $0.style.isReversed || $0.style.paper != nil } < 300)
    }

    @Test(arguments: [
        (ColorDepth.none, "frames"), (.eight, "flat"), (.sixteen, "flat"), (.indexed, "pixels"), (.direct, "pixels"),
    ])
    func `what is drawn depends on what the terminal can show`(_ depth: ColorDepth, _ name: String) {
        let made =
            switch CardArtwork(depth: depth) {
            case .frames: "frames"
            case .flat: "flat"
            case .pixels: "pixels"
            }
        #expect(made == name)
    }

    @Test func `cached drawings are bounded, and none is larger than the bound`() throws {
        let cache = RasterCache()
        let image = try #require(Self.image)
        for columns in 1..<200 { _ = cache.raster(of: image, columns: columns, rows: 60) }
        #expect(cache.pixels <= RasterCache.maximumPixels)
        #expect(cache.raster(of: image, columns: 1_000_000, rows: 1_000_000) == nil)
        #expect(cache.raster(of: image, columns: 0, rows: 4) == nil)
    }

    private static var image: CardImage? {
        Card(Screens.movie(1, "A"), at: 0, of: SectionHead(kind: .rank))?.image
    }
}

struct DensityTests {
    private func titles(_ columns: Int, _ rows: Int) -> Int {
        var browser = Pages.browser(columns: columns, rows: rows)
        let names = (0..<30).map { "Movie\(String(UnicodeScalar(UInt8(65 + $0 % 26))))\($0)" }
        browser.show([Pages.row("a", names), Pages.row("b", names), Pages.row("c", names), Pages.row("d", names)])
        return browser.picture.reduce(0) { $0 + $1.matches(of: /Movie[A-Z][0-9]+/).count }
    }

    @Test func `a wider terminal shows more cards, not larger ones`() {
        let (small, medium, large) = (titles(80, 24), titles(120, 40), titles(200, 60))
        #expect(medium >= small * 4 / 3)
        #expect(large >= small * 5 / 2)
    }

    @Test func `a grid has more columns on a wide terminal, a list stays a list`() {
        func layout(_ width: Double) -> SectionLayout {
            SectionLayout(
                group: .group(
                    axis: .horizontal, width: .fractionalWidth(1), height: .absolute(80), insets: .zero, spacing: 0,
                    count: nil,
                    children: [
                        .item(width: .fractionalWidth(width), height: .fractionalHeight(1), insets: .zero, badges: [])
                    ]))
        }
        let wide = GridScale(columns: 160, rows: 50)
        #expect(layout(1 / 3).fitted(to: wide, kind: .grid) == layout(1 / 6))
        #expect(layout(1).fitted(to: wide, kind: .list) == layout(1))
        let narrow = GridScale(columns: 80, rows: 24)
        #expect(layout(1 / 3).fitted(to: narrow, kind: .grid) == layout(1 / 3))
    }

    @Test func `all items of a list take equally many rows, whatever their height in points`() {
        for (height, spacing) in [(56.0, 6.0), (72, 8), (88, 8), (20, 3)] {
            var head = SectionHead(kind: .list)
            head.layout = SectionLayout(
                group: .group(
                    axis: .vertical, width: .fractionalWidth(1), height: .absolute(height), insets: .zero, spacing: 0,
                    count: nil,
                    children: [
                        .item(width: .fractionalWidth(1), height: .fractionalHeight(1), insets: .zero, badges: [])
                    ]),
                spacing: spacing)
            for scale in [GridScale(columns: 80, rows: 22), GridScale(columns: 120, rows: 38)] {
                let layout = SectionLayout.shown(PageSection(id: "list", head: head, items: []), on: scale)
                guard case .group(let group) = layout.group, case .absolute(let points) = group.height else {
                    Issue.record("the group has another height")
                    continue
                }
                let rows = (0..<20).map { index in
                    let top = 17 + Double(index) * (points + layout.spacing)
                    return scale.cells(LayoutRect(x: 0, y: top, width: 390, height: points)).rows
                }
                #expect(Set(rows).count == 1, "\(height): \(rows)")
            }
        }
    }

    @Test func `a large first item leaves room for what follows it`() {
        let layout = SectionLayout(
            group: .group(
                axis: .vertical, width: .fractionalWidth(1), height: .absolute(450), insets: .zero, spacing: 0,
                count: nil,
                children: [.item(width: .fractionalWidth(1), height: .fractionalHeight(1), insets: .zero, badges: [])]))
        for (columns, rows) in [(80, 22), (120, 36), (200, 56)] {
            let scale = GridScale(columns: columns, rows: rows)
            guard case .group(let group) = layout.fitted(to: scale, kind: .main).group,
                case .absolute(let height) = group.height
            else {
                Issue.record("the group has another height")
                continue
            }
            #expect(height <= scale.container.height / 4 + 1)
        }
        #expect(layout.fitted(to: GridScale(columns: 80, rows: 22), kind: .list) == layout)
    }
}
