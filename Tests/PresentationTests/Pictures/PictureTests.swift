import Foundation
import MarqueeClient
import MarqueeLayout
import MarqueeModel
import MarqueePictures
import MarqueePresentation
import MarqueePresets
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("Pictures") struct PictureTests {
    private let phone = LayoutSize(width: 390, height: 844)
    private let red = Color(0xD7263D)

    private func raster(
        _ screen: Screen, theme: Theme = .dark, images: ImageFolder? = nil,
        _ edit: (inout ScreenPresentation.Options) -> Void = { _ in }
    ) throws -> Raster {
        var options = ScreenPresentation.Options(size: phone)
        edit(&options)
        let drawing = ElementDrawing(theme: theme, isRightToLeft: options.isRightToLeft)
        return try Raster(
            drawing.shapes(of: ScreenPresentation(screen, options: options)), size: phone, images: images)
    }

    private func rank(_ items: [ScreenItem]) -> Screen {
        SampleScreens.screen(SampleScreens.section("rank", .rank, SampleScreens.rank, items, header: "Top 10"))
    }

    @Test func `A certificate has its colour`() throws {
        let roles: [(CertificationContent.ColorClass, CardContent.Badge.Role)] = [
            (.everyone, .good), (.teen, .warning), (.adult, .bad), (.unrated, .neutral),
        ]
        for (colorClass, role) in roles {
            let picture = try raster(
                rank([SampleScreens.movie(1, "Heat", code: "WWWWW", color: colorClass, placeholder: "#223344")]))
            // The chip begins 7 points inside the poster at 10, 54; its left edge is free of letters.
            #expect(picture.distance(20, 70, from: Theme.dark.color(of: role).fill) < 8, "\(colorClass)")
        }
    }

    @Test func `A star is filled when confirmed and hollow while pending`() throws {
        // The 22-point circle is 6 points inside the poster's lower right corner: its centre is at 10 + 136 − 17, 54 +
        // 204 − 17.
        let (x, y) = (129.0, 241.0)
        func picture(_ mark: FavoriteMark) throws -> Raster {
            try raster(rank([SampleScreens.movie(1, "Heat", placeholder: "#223344", mark: mark)]))
        }
        let (on, pending, off) = (try picture(.yes), try picture(.pendingYes), try picture(.no))
        #expect(on.distance(x, y, from: Theme.dark.star) < 30)
        #expect(pending.distance(x, y, from: Theme.dark.star) > 100)
        let box = LayoutRect(x: 118, y: 230, width: 22, height: 22)
        func gold(_ picture: Raster) -> Double { 1 - picture.share(of: box, unlike: Theme.dark.star) }
        // The star covers an eighth of the square around its circle.
        #expect(gold(on) > 0.06 && gold(pending) > 0.02)
        #expect(gold(off) < 0.005)
    }

    @Test func `Titles and headers are drawn`() throws {
        let picture = try raster(rank([SampleScreens.movie(1, "Heat", placeholder: "#223344")]))
        // The title is below the poster, which ends at 54 + 204; the header is centred in its 44 points.
        let title = LayoutRect(x: 10, y: 262, width: 40, height: 18)
        #expect(picture.share(of: title, unlike: Theme.dark.background) > 0.05)
        #expect(picture.share(of: LayoutRect(x: 15, y: 8, width: 70, height: 28), unlike: Theme.dark.background) > 0.1)
        #expect(
            picture.share(of: LayoutRect(x: 200, y: 262, width: 150, height: 18), unlike: Theme.dark.background) == 0)
    }

    @Test func `Korean letters are drawn`() throws {
        let picture = try raster(rank([SampleScreens.movie(1, "기생충", placeholder: "#223344")]))
        let title = LayoutRect(x: 10, y: 262, width: 36, height: 18)
        #expect(picture.share(of: title, unlike: Theme.dark.background) > 0.05)
    }

    @Test(arguments: [false, true]) func `A text of any script begins where the screen's texts begin`(
        isRightToLeft: Bool
    ) throws {
        for title in ["Heat", "حرارة", "חום"] {
            let picture = try raster(rank([SampleScreens.movie(1, title, placeholder: "#223344")])) {
                $0.isRightToLeft = isRightToLeft
            }
            // The poster is 136 points wide, 10 from the side.
            func ink(_ x: Double) -> Double {
                let box = LayoutRect(x: isRightToLeft ? phone.width - x - 30 : x, y: 262, width: 30, height: 18)
                return picture.share(of: box, unlike: Theme.dark.background)
            }
            #expect(ink(10) > 0.03 && ink(100) == 0, "\(title)")
        }
    }

    @Test func `The badge that removes an item is red with a white sign`() throws {
        let screen = SampleScreens.screen(
            SampleScreens.section(
                "favorites", .favorites, SampleScreens.favorites,
                [SampleScreens.movie(1, "Heat", placeholder: "#223344", mark: .yes)]))
        let picture = try raster(screen)
        // 30 points at 100.5, −6: its centre is at 115.5, 9
        #expect(picture.distance(115.5, 9, from: .white) < 60)
        #expect(picture.distance(115.5, 15, from: Color(0xE0312F)) < 20)
    }

    @Test func `A background lies only behind its section`() throws {
        let screen = SampleScreens.screen(
            SampleScreens.section(
                "list", .list, SampleScreens.list, [SampleScreens.movie(1, "Heat", placeholder: "#223344")]))
        let picture = try raster(screen)
        // 50 + 5 + 80 = 135 high
        #expect(picture.distance(5, 100, from: Theme.dark.background) > 3)
        #expect(picture.distance(5, 140, from: Theme.dark.background) == 0)
    }

    @Test func `Placeholders are gray`() throws {
        let picture = try raster(
            SampleScreens.screen(SampleScreens.section("rank", .rank, SampleScreens.rank, [], placeholders: 10)))
        #expect(picture.distance(78, 176, from: Theme.dark.placeholder) < 2)
        #expect(picture.distance(156, 176, from: Theme.dark.background) < 2)
    }

    @Test func `Themes differ`() throws {
        let screen = rank([SampleScreens.movie(1, "Heat")])
        #expect(try raster(screen, theme: .light).distance(380, 800, from: .white) == 0)
        #expect(try raster(screen, theme: .dark).distance(380, 800, from: Theme.dark.background) < 1)
    }

    // MARK: - Real images

    private func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-images-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test func `A file with the image's name is drawn in its place`() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let size = LayoutSize(width: 20, height: 30)
        let whole = LayoutRect(x: 0, y: 0, width: 20, height: 30)
        try Picture.png([.box(whole, .color(red))], size: size, scale: 1)
            .write(to: folder.appending(path: "1-poster.png"))
        try Data(base64Encoded: Self.greenJPEG).map { try $0.write(to: folder.appending(path: "2-poster.jpg")) }
        let images = try ImageFolder(path: folder.path)
        let screen = rank((1...3).map { SampleScreens.movie(UInt64($0), "Movie", placeholder: "#223344") })
        let picture = try raster(screen, images: images)
        // The centres of the posters: 10 + 68, 54 + 102; the next ones are 156 further on.
        #expect(picture.distance(78, 156, from: red) < 4)
        #expect(picture.distance(234, 156, from: Color(0x00A000)) < 12, "\(picture[234, 156])")
        // The third has no file.
        #expect(picture.distance(380, 156, from: red) > 40)
        // Without the folder, all are generated.
        #expect(try raster(screen).distance(78, 156, from: red) > 40)
    }

    @Test func `Names from a server lead nowhere outside the folder`() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let inner = folder.appending(path: "images")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        let whole = LayoutRect(x: 0, y: 0, width: 4, height: 4)
        let png = try Picture.png([.box(whole, .color(red))], size: LayoutSize(width: 4, height: 4), scale: 1)
        try png.write(to: folder.appending(path: "secret.png"))
        try png.write(to: inner.appending(path: ".hidden.png"))
        try png.write(to: inner.appending(path: "a.png"))
        try Data("no image".utf8).write(to: inner.appending(path: "b.png"))
        let images = try ImageFolder(path: inner.path)
        func isFound(_ name: String) throws -> Bool {
            let shape = Shape.image(whole, name: name, radius: 0, instead: [.box(whole, .color(.black))])
            return try Raster([shape], size: LayoutSize(width: 4, height: 4), images: images).distance(2, 2, from: red)
                < 4
        }
        #expect(try isFound("a"))
        #expect(try isFound("a.png"))
        #expect(try isFound("https://example.org/some/a.png?width=200"))
        for name in [
            "../secret", "../secret.png", "..", "", "/", ".hidden", "b", "a\u{0}", "\(folder.path)/secret.png",
        ] {
            #expect(try !isFound(name), "\(name)")
        }
    }

    @Test func `A missing folder is reported`() {
        #expect(throws: PictureError.self) { try ImageFolder(path: "/nowhere/at/all") }
    }

    // MARK: - Files

    @Test func `A PNG has the pixels of its scale`() throws {
        let shapes = [Shape.box(LayoutRect(x: 0, y: 0, width: 10, height: 6), .color(red))]
        let data = try Picture.png(shapes, size: LayoutSize(width: 10, height: 6.4), scale: 3)
        // The header: signature, length, IHDR, then width and height.
        #expect(data.prefix(8) == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        func number(at offset: Int) -> Int { data[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        #expect(number(at: 16) == 30)
        #expect(number(at: 20) == 20)
    }

    @Test func `An SVG is well-formed`() throws {
        let screen = rank([SampleScreens.movie(1, "Heat & <Ice>", code: "R", placeholder: "#223344", mark: .yes)])
        let shapes = ElementDrawing(theme: .dark).shapes(
            of: ScreenPresentation(screen, options: .init(size: phone)))
        let data = try Picture.svg(shapes, size: phone)
        #expect(XMLParser(data: data).parse())
        #expect(String(decoding: data.prefix(200), as: UTF8.self).contains("<svg"))
    }

    @Test func `A picture that would be too large is refused`() {
        for (size, scale) in [
            (LayoutSize(width: 1, height: 40_000), 1.0), (LayoutSize(width: 20_000, height: 20_000), 1),
            (LayoutSize(width: 10, height: .infinity), 1), (LayoutSize(width: .nan, height: 10), 1),
        ] {
            #expect(throws: PictureError.self) { try Picture.png([], size: size, scale: scale) }
        }
    }

    @Test func `Frames of any size are drawn`() throws {
        let sizes = [0, 0.4, 3, 17, 90, 400, 1_000_000].flatMap { width in
            [0, 0.4, 3, 17, 90, 400, 1_000_000].map { LayoutRect(x: -5, y: -5, width: width, height: $0) }
        }
        var banner = BannerContent(title: "A title that is not short")
        banner.caption = "A caption"
        banner.actions = [ScreenAction(id: "play", title: "Play"), ScreenAction(id: "info", title: "Info")]
        var course = CourseContent(title: "Course")
        (course.rating, course.price, course.tag) = (4.5, "9.99", "New")
        let presets: [PresetContent] = [
            .movie(MovieContent(id: 1, title: "Heat")), .banner(banner), .course(course),
            .categories(["One", "Two", "Three"]), .place(PlaceContent(title: "Sea", distance: "1 km")),
            .genre(GenreContent(id: 28, name: "Action")), .text(TextContent(text: "Text")),
            .credit(CreditContent(person: 1, name: "Ann", character: "Queen")),
            .detail(DetailContent(id: 1, title: "Heat")),
        ]
        let contents: [(ItemKind, ItemContent)] =
            presets.map { ($0.kind, .preset($0)) }
            + [(.card, .card(SampleCards.full)), (.card, .card(CardContent(title: "")))]
        let kinds: [SectionKind] = [.main, .basic, .rank, .list, .banner, .detail, .courses, .places, .credits]
        for (kind, content) in contents {
            for section in kinds {
                let item = SampleScreens.item("i", kind, content, subject: "movie/1", mark: .yes)
                let card = try #require(Card(item, at: 0, of: SectionHead(kind: section)))
                for frame in sizes {
                    let shapes = CardDrawing(card, in: frame, theme: .light).shapes
                    _ = try Raster(shapes, size: LayoutSize(width: 20, height: 20))
                }
            }
        }
    }

    /// A JPEG of 8 × 8 green pixels.
    private static let greenJPEG = [
        "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdB",
        "RkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09P",
        "T09PT09PT09PT09PT0//wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAA",
        "AAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABQb/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCUABTL/9k=",
    ].joined()
}
