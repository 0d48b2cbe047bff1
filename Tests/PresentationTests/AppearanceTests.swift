import Foundation
import MarqueeLayout
import MarqueeModel
import MarqueePresets
import Testing

@testable import MarqueeClient
@testable import MarqueePresentation

/// Properties common to all drawings of cards and screens, checked on their shapes.
@Suite("How screens look") struct AppearanceTests {
    private static let sizes = [
        LayoutSize(width: 320, height: 568), LayoutSize(width: 390, height: 844), LayoutSize(width: 768, height: 1_024),
        LayoutSize(width: 844, height: 390),
    ]
    private static let titles = [
        "The Lord of the Rings: The Fellowship of the Ring", "Heat", "Guardians of the Galaxy", "Documentary",
        "Harry Potter and the Philosopher's Stone", "기생충", "가디언즈 오브 갤럭시", "Amélie",
    ]

    // MARK: - Screens

    private func movies() -> [ScreenItem] {
        Self.titles.enumerated().map { index, title in
            SampleScreens.movie(
                UInt64(index + 1), title, year: 1_990 + index, rating: 7.5, code: "PG-13", placeholder: "#25204b",
                mark: index == 2 ? .yes : .no)
        }
    }

    private func chart(_ edit: (inout ChartEntryContent) -> Void = { _ in }) -> [ScreenItem] {
        Self.titles.enumerated().map { index, title in
            var entry = ChartEntryContent(title: title)
            (entry.gross, entry.grossToDate, entry.voteAverage) = (2_965_433, 1_234_567_890, 7.1)
            edit(&entry)
            return SampleScreens.item("e\(index)", .chartEntry, .chartEntry(entry), subject: "movie/\(index)")
        }
    }

    private static let rows = SectionLayout(
        group: SampleScreens.group(
            .horizontal, .fractionalWidth(1), .absolute(80),
            SampleScreens.item(.fractionalWidth(1), .fractionalHeight(1))),
        insets: LayoutInsets(leading: 10, trailing: 10), spacing: 7,
        supplementaries: [SampleScreens.band("header", .absolute(44))])

    private static let bleeding = SectionLayout(
        group: SampleScreens.group(
            .horizontal, .fractionalWidth(0.75), .absolute(100),
            SampleScreens.item(.fractionalWidth(1), .fractionalHeight(1))),
        scrolling: .continuous, supplementaries: [SampleScreens.band("header", .absolute(44))])

    private static let banner = SectionLayout(
        group: SampleScreens.group(
            .horizontal, .fractionalWidth(1), .absolute(220),
            SampleScreens.item(.fractionalWidth(1), .fractionalHeight(1))),
        supplementaries: [SampleScreens.band("header", .absolute(44))])

    private func home() -> Screen {
        var banner = BannerContent(title: "An hour a day goes a long way")
        banner.caption = "Courses by people who do it for a living, to be taken at your own pace."
        return SampleScreens.screen(
            SampleScreens.section("main", .main, SampleScreens.main, [movies()[0]]),
            SampleScreens.section(
                "rank", .rank, SampleScreens.rank, movies(), header: "Most popular of all",
                sorts: ["popularity", "date"]),
            SampleScreens.section("basic", .basic, SampleScreens.basic, movies()),
            SampleScreens.section("chart", .chart, Self.rows, chart(), header: "Box office"),
            SampleScreens.section("list", .list, Self.rows, movies(), header: "A list of movies"),
            SampleScreens.section(
                "places", .places, Self.bleeding,
                [
                    SampleScreens.item(
                        "p", .place, .place(PlaceContent(title: "A temple in the mountains", distance: "3 km")))
                ],
                header: "Not far from here"),
            SampleScreens.section(
                "banner", .banner, Self.banner, [SampleScreens.item("b", .banner, .banner(banner))], header: "News"))
    }

    private func presentation(
        _ screen: Screen, _ size: LayoutSize, rightToLeft: Bool = false
    ) -> ScreenPresentation {
        var options = ScreenPresentation.Options(size: size)
        options.isFullHeight = true
        options.isRightToLeft = rightToLeft
        return ScreenPresentation(screen, options: options)
    }

    // MARK: - Shapes

    private func shapes(of card: Card, _ width: Double, _ height: Double, margin: Double = 0) -> [Shape] {
        CardDrawing(
            card, in: LayoutRect(x: 0, y: 0, width: width, height: height), theme: .dark, margin: margin
        ).shapes
    }

    private func card(_ item: ScreenItem, in kind: SectionKind) throws -> Card {
        try #require(Card(item, at: 0, of: SectionHead(kind: kind)))
    }

    // MARK: - Text

    private func words(_ texts: [String]) -> Set<String> {
        let ends: Set<Character> = ["…", ",", ":", ";", ".", "·"]
        let words: [Substring] = texts.flatMap { text in text.split { $0 == " " || $0 == "\n" } }
        let whole = words.map { word in String(word.reversed().drop(while: ends.contains).reversed()) }
        return Set(whole.filter { !$0.isEmpty })
    }

    @Test(arguments: [false, true])
    func `No word is cut on any screen of any size`(rightToLeft: Bool) {
        for size in Self.sizes {
            let presentation = presentation(home(), size, rightToLeft: rightToLeft)
            var said = ["PG-13", presentation.phrases.more]
            for element in presentation.elements {
                switch element.content {
                case .card(let card, _, _):
                    said += [card.title, card.prose ?? "", card.info ?? ""] + card.badges.map(\.text) + card.lines
                    said += card.rank.map { [String($0)] } ?? []
                    said += card.rating.map { [Words.decimal($0.value)] } ?? []
                case .header(let header): said += [header.title] + header.sorts.map(\.title)
                default: break
                }
            }
            let drawn = texts(in: ElementDrawing(theme: .dark, isRightToLeft: rightToLeft).shapes(of: presentation))
            #expect(drawn.count > 40)
            let unknown = words(drawn.map(\.text.string)).subtracting(words(said))
            #expect(unknown.isEmpty, "\(size.width) points wide: \(unknown.sorted())")
        }
    }

    @Test func `Every text fits its box and stays on the screen`() {
        for size in Self.sizes {
            let presentation = presentation(home(), size)
            for element in presentation.elements {
                for (rect, text) in texts(in: ElementDrawing(theme: .dark).shapes(of: element)) {
                    #expect(Double(text.lines) * text.lineHeight <= rect.height + 0.01, "\(text.string) in \(rect)")
                    for line in text.string.split(separator: "\n") where text.outline == nil {
                        let width = TextRuler.width(of: line, size: text.size, weight: text.weight)
                        #expect(width <= rect.width + 0.5, "\(line) in \(rect)")
                    }
                }
            }
        }
    }

    @Test func `Neighbouring titles have the same text size`() throws {
        func sizes(_ items: [ScreenItem], _ kind: SectionKind, _ width: Double, _ height: Double) throws -> Set<Double>
        {
            Set(try items.compactMap { texts(in: shapes(of: try card($0, in: kind), width, height)).first?.text.size })
        }
        // Posters with titles on them, genre tiles and courses, at their widths on a small and a large phone.
        let genres = ["Action", "Documentary", "Science Fiction", "TV"].enumerated().map {
            SampleScreens.item("g\($0)", .genre, .genre(GenreContent(id: UInt64($0), name: $1)))
        }
        let courses = Self.titles.enumerated().map {
            SampleScreens.item("c\($0)", .course, .course(CourseContent(title: $1)))
        }
        for width in [103.3, 128] {
            #expect(try sizes(movies(), .basic, width, width * 1.35).count == 1)
            #expect(try sizes(genres, .genres, width, width).count == 1)
        }
        #expect(try sizes(courses, .courses, 160, 200).count == 1)
    }

    // MARK: - Places

    @Test(arguments: [false, true])
    func `A screen has one leading edge`(rightToLeft: Bool) throws {
        for size in Self.sizes {
            let presentation = presentation(home(), size, rightToLeft: rightToLeft)
            func distance(_ rect: LayoutRect) -> Double {
                ((rightToLeft ? size.width - rect.maxX : rect.x) * 2).rounded() / 2
            }
            var edges: [String: Double] = [:]
            for element in presentation.elements {
                let drawn = ElementDrawing(theme: .dark, isRightToLeft: rightToLeft).shapes(of: element)
                switch element.content {
                case .header:
                    edges["header \(element.section)"] = texts(in: drawn).map { distance($0.rect) }.min()
                case .card(let card, _, let index) where index == 0 && card.style == .banner:
                    edges["words \(element.section)"] = texts(in: drawn).map { distance($0.rect) }.min()
                case .card(let card, _, let index) where index == 0 && card.style != .hero:
                    let all = texts(in: drawn).map(\.rect) + images(in: drawn)
                    edges["card \(element.section)"] = all.map(distance).min()
                default: break
                }
            }
            #expect(edges.count > 9)
            // A number on a poster is inside the poster.
            #expect(Set(edges.values) == [10], "\(size.width): \(edges.sorted { $0.key < $1.key })")
        }
    }

    @Test func `A chart's row is number, poster and text without a gap`() throws {
        for width in [280.0, 350, 728] {
            let drawn = shapes(of: try card(chart()[4], in: .chart), width, 80)
            let poster = try #require(images(in: drawn).first)
            let texts = texts(in: drawn)
            let number = try #require(texts.first)
            #expect(number.text.string == "1" && number.rect.x == 0)
            #expect(poster.x - number.rect.maxX <= 16 && poster.x >= number.rect.maxX)
            let title = try #require(texts.first { $0.text.string.hasPrefix("Harry Potter") })
            #expect(title.rect.x - poster.maxX == 12)
            #expect(texts.contains { $0.text.string.contains("$3M") })
        }
    }

    @Test func `The number of a low poster doesn't cover its title`() throws {
        // The streaming service's rank cell on a phone 320 points wide.
        let drawn = shapes(of: try card(movies()[2], in: .rank), 129.5, 170)
        let number = try #require(texts(in: drawn).first { $0.text.string == "1" })
        let poster = try #require(images(in: drawn).first)
        #expect(poster.x > number.rect.x + 20)
    }

    // MARK: - Courses and banners

    @Test func `Stars are filled in halves`() throws {
        func filled(_ value: Double) throws -> (whole: Int, half: Int) {
            var content = CourseContent(title: "Swift")
            content.rating = value
            let drawn = shapes(of: try card(SampleScreens.item("c", .course, .course(content)), in: .courses), 160, 200)
            var counts = (whole: 0, half: 0)
            for shape in drawn {
                if case .symbol(_, .star, _) = shape { counts.whole += 1 }
                if case .clipped(let clip, _, let inner) = shape, case .symbol(let star, .star, _)? = inner.first {
                    #expect(clip.width == star.width / 2 && clip.x == star.x)
                    counts.half += 1
                }
            }
            return counts
        }
        let expected: [(Double, Int, Int)] = [
            (0, 0, 0), (0.3, 0, 1), (3.2, 3, 0), (4.5, 4, 1), (4.7, 4, 1), (4.8, 5, 0),
        ]
        for (value, whole, half) in expected {
            let counts = try filled(value)
            #expect(counts == (whole, half), "\(value)")
        }
        for value in [-3, 99, .infinity] as [Double] { _ = try filled(value) }
    }

    @Test func `A banner keeps its letter sizes and its caption`() throws {
        for title in ["Learn", "An hour a day goes a long way, and so does every other"] {
            var content = BannerContent(title: title)
            content.caption = "Courses by people who do it for a living, to be taken at your own pace."
            content.image = ImageReference(name: "i")
            let banner = try card(SampleScreens.item("b", .banner, .banner(content)), in: .banner)
            for width in [320.0, 390] {
                let drawn = shapes(of: banner, width, 220, margin: 20)
                let texts = texts(in: drawn)
                #expect(images(in: drawn).first?.height == 160)
                #expect(texts.map(\.text.size) == [24, 12])
                #expect(texts.map(\.rect.x) == [20, 20])
                // Both texts are complete, one below the other, and end where the banner ends.
                let said = texts.map { $0.text.string.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
                #expect(said.last == content.caption)
                #expect(texts[0].rect.maxY <= texts[1].rect.y && texts[1].rect.maxY <= 220)
            }
        }
    }

    @Test func `A one-line title with a two-line caption is below the image`() throws {
        var content = BannerContent(title: "An hour a day")
        content.caption = "Courses by people who do it for a living, to be taken at your own pace."
        let banner = try card(SampleScreens.item("b", .banner, .banner(content)), in: .banner)
        let texts = texts(in: shapes(of: banner, 390, 220, margin: 20))
        #expect(texts.map(\.text.lines) == [1, 2])
        #expect(texts[0].rect.y >= 160)
    }

    // MARK: - Currencies

    @Test func `Amounts have their currency, in the screen's language`() throws {
        func lines(_ currency: String?, _ locale: String) throws -> [String] {
            let item = chart { $0.currency = currency }[0]
            return try #require(
                Card(item, at: 0, of: SectionHead(kind: .chart), phrases: Phrases(locale: locale))
            ).lines
        }
        #expect(try lines(nil, "en") == ["$3M", "$1.2B in all"])
        #expect(try lines("KRW", "ko") == ["₩296.5만", "누적 ₩12.3억"])
        #expect(try lines("KRW", "en") == ["₩3M", "₩1.2B in all"])
        #expect(try lines("JPY", "en").first == "¥3M")
        // A currency without a symbol is written as its code.
        #expect(try lines("CHF", "en").first?.hasPrefix("CHF") == true)
    }

    @Test func `A chart of admissions labels its numbers`() throws {
        let item = chart {
            ($0.gross, $0.grossToDate) = (nil, nil)
            ($0.audience, $0.audienceToDate) = (123_456, 10_000_000)
        }[0]
        func lines(_ locale: String) throws -> [String] {
            try #require(Card(item, at: 0, of: SectionHead(kind: .chart), phrases: Phrases(locale: locale))).lines
        }
        #expect(try lines("en") == ["123.5K admissions", "10M in all"])
        #expect(try lines("ko") == ["관객 12.3만명", "누적 1000만명"])
    }

    @Test func `A chart that counts admissions and money ranks by admissions`() throws {
        let item = chart { ($0.audience, $0.audienceToDate, $0.currency) = (123_456, 10_000_000, "KRW") }[0]
        let card = try #require(Card(item, at: 0, of: SectionHead(kind: .chart), phrases: Phrases(locale: "ko")))
        #expect(card.lines == ["관객 12.3만명", "누적 1000만명", "₩296.5만"])
    }

    @Test func `A row that is too narrow for all facts keeps the total, on a line of its own`() throws {
        let item = chart { $0.voteAverage = 8.1 }[0]
        let card = try #require(Card(item, at: 0, of: SectionHead(kind: .chart), phrases: Phrases(locale: "ko")))
        for width in [350.0, 390, 728] {
            let drawn = texts(in: shapes(of: card, width, 80)).map(\.text.string)
            #expect(drawn.joined(separator: " ").contains("누적 "), "\(width): \(drawn)")
        }
    }

    // MARK: - Headers

    /// The texts of a header of these points, from its leading edge.
    private func header(
        _ title: String, sorts: [String] = [], actions: [String] = [], width: Double
    ) -> [String] {
        var header = PresentedElement.Supplementary(kind: "header")
        header.title = title
        header.sorts = sorts.map { SortOption(id: $0, title: $0) }
        header.sort = sorts.first ?? ""
        header.actions = actions.map { ScreenAction(id: $0, title: $0) }
        let frame = LayoutRect(x: 0, y: 0, width: width, height: 44)
        let element = PresentedElement(content: .header(header), section: 0, frame: frame, clip: frame, margin: 10)
        return texts(in: ElementDrawing(theme: .dark).shapes(of: element)).sorted { $0.rect.x < $1.rect.x }
            .map(\.text.string)
    }

    @Test func `Orders neither shorten a header's title nor hide its action`() {
        let sorts = ["Popularity", "Release date", "Title"]
        #expect(
            header("Top movies", sorts: sorts, actions: ["All"], width: 500) == ["Top movies"] + sorts + ["All"])
        #expect(
            header("Top movies", sorts: sorts, actions: ["All"], width: 300) == ["Top movies", "Popularity", "All"])
        #expect(header("Top movies", sorts: sorts, width: 260) == ["Top movies", "Popularity"])
    }

    @Test func `A long title is shortened only for the current order`() {
        let shown = header("The most popular movies of the year", sorts: ["Newest", "Title"], width: 300)
        #expect(shown.count == 2 && shown.last == "Newest", "\(shown)")
    }

    @Test func `A tile of a genre shows its caption if there is room`() throws {
        var content = CardContent(title: "Food")
        content.caption = "12 episodes"
        let item = SampleScreens.item("f", .card, .card(content))
        func drawn(_ height: Double) throws -> [String] {
            texts(in: shapes(of: try card(item, in: .genres), 110, height)).map(\.text.string)
        }
        #expect(try drawn(100) == ["Food", "12 episodes"])
        #expect(try drawn(30) == ["Food"])
    }

    @Test func `Prices have two decimals or none`() throws {
        func price(_ text: String) throws -> String? {
            var content = CourseContent(title: "Swift")
            content.price = text
            return try card(SampleScreens.item("c", .course, .course(content)), in: .courses).price
        }
        #expect(try price("17.5") == "17.50")
        #expect(try price("1234.99") == "1,234.99")
        #expect(try price("20") == "20")
        #expect(try price("from 20") == "from 20")
        #expect(try price("9".padding(100)) == "9".padding(100))
    }

    // MARK: - Nothing to show

    @Test func `A screen without items says so`() {
        func notice(_ id: ScreenID, locale: String = "en", placeholders: Int = 0, error: String? = nil) -> String? {
            let section = SampleScreens.section(
                "s", .favorites, SampleScreens.favorites, [], placeholders: placeholders, error: error)
            let screen = Screen(
                id: id, locale: locale, title: "", sections: [section], asOf: Date(timeIntervalSince1970: 0))
            let presentation = presentation(screen, Self.sizes[1])
            let drawn = texts(in: ElementDrawing(theme: .dark).shapes(of: presentation)).map(\.text.string)
            #expect(presentation.notice.map { drawn.contains($0.text) } ?? true)
            return presentation.notice?.text
        }
        #expect(notice(.favorites) == "No favorites yet")
        #expect(notice(.favorites, locale: "ko") == "즐겨찾기가 없습니다")
        #expect(notice("search") == "Type to search", "search results are not a screen")
        #expect(notice("chart") == "Nothing here yet")
        #expect(notice("chart", error: "the chart is not there") == "the chart is not there")
        // A screen waiting for content isn't empty.
        #expect(notice("chart", placeholders: 10) == nil)
    }

    @Test func `An error has a header even if the layout has none`() throws {
        let screen = SampleScreens.screen(
            SampleScreens.section("a", .basic, SampleScreens.basic, movies()),
            SampleScreens.section("b", .basic, SampleScreens.basic, [], error: "too large"))
        let presentation = presentation(screen, Self.sizes[1])
        #expect(presentation.notice == nil)
        let errors = presentation.elements.compactMap { element -> String? in
            guard case .header(let header) = element.content else { return nil }
            return header.error
        }
        #expect(errors == ["too large"])
    }

    @Test func `Placeholders are where the images will be`() throws {
        let expected: [(SectionKind, SectionLayout, [ScreenItem])] = [
            (.rank, SampleScreens.rank, movies()), (.list, Self.rows, movies()), (.chart, Self.rows, chart()),
        ]
        for (kind, layout, items) in expected {
            func drawn(_ items: [ScreenItem]) throws -> [Shape] {
                let screen = SampleScreens.screen(
                    SampleScreens.section("s", kind, layout, items, header: "Movies", placeholders: 8))
                let element = try #require(presentation(screen, Self.sizes[1]).elements.first)
                return ElementDrawing(theme: .dark).shapes(of: element)
            }
            let image = try #require(images(in: try drawn(items)).first)
            guard case .box(let block, _, _)? = try drawn([]).first else {
                Issue.record("\(kind.name) has no block")
                continue
            }
            #expect((block.y - image.y).magnitude < 1 && (block.height - image.height).magnitude < 1, "\(kind.name)")
            #expect((block.x - image.x).magnitude < 8, "\(kind.name): \(block) for \(image)")
        }
    }

    @Test func `A side view is a strip through which the background stays visible`() {
        let frame = LayoutRect(x: 2, y: 100, width: 38.5, height: 700)
        func shapes(_ title: String) -> [Shape] {
            var side = PresentedElement.Supplementary(kind: "letter-index")
            side.title = title
            let element = PresentedElement(content: .side(side), section: 0, frame: frame, clip: frame, margin: 0)
            return ElementDrawing(theme: .dark).shapes(of: element)
        }
        for shape in shapes("A–Z") {
            guard case .box(let box, .color(let color), _) = shape else { continue }
            #expect(box.width <= 26 && box.x == frame.x)
            #expect(color.alpha < 1)
        }
        let words = shapes("A–Z").compactMap { if case .text(_, let text) = $0 { text.string } else { nil } }
        #expect(words == ["A–Z"])
        // Its kind is a name for programs.
        #expect(shapes("").count == 1)
    }
}

extension String {
    fileprivate func padding(_ count: Int) -> String { String(repeating: self, count: count) }
}
