import MarqueeLayout
import MarqueeModel
import Testing

@testable import MarqueeClient
@testable import MarqueePresentation

@Suite("Cards of any type") struct CardContentTests {
    private static let sizes = [320.0, 390, 768, 1_024].map { LayoutSize(width: $0, height: 600) }

    private func card(
        in kind: SectionKind, at index: Int = 0, locale: String = "en", _ content: CardContent = SampleCards.full
    ) throws -> Card {
        let item = SampleScreens.item("e", .card, .card(content), subject: "episode/e")
        return try #require(
            Card(item, at: index, of: SectionHead(kind: kind), phrases: Phrases(locale: locale)))
    }

    private func card(_ kind: SectionKind, _ edit: (inout CardContent) -> Void) throws -> Card {
        var content = CardContent(title: "x")
        edit(&content)
        return try card(in: kind, content)
    }

    private func presentation(_ screen: Screen, _ size: LayoutSize, rightToLeft: Bool = false) -> ScreenPresentation {
        var options = ScreenPresentation.Options(size: size)
        (options.isFullHeight, options.isRightToLeft) = (true, rightToLeft)
        return ScreenPresentation(screen, options: options)
    }

    private func shapes(of card: Card, _ width: Double, _ height: Double) -> [Shape] {
        CardDrawing(card, in: LayoutRect(x: 0, y: 0, width: width, height: height), theme: .dark).shapes
    }

    // MARK: - Content

    @Test func `The section decides how a card looks`() throws {
        let kinds: [SectionKind] = [
            .main, .hero, .list, .detail, .banner, .genres, .credits, .courses, .places, .basic, .large, .grid,
            .favorites, .rank, .chart, .text, SectionKind(rawValue: 4_711),
        ]
        let styles = try kinds.map { try card($0) { _ in }.style }
        #expect(
            styles == [
                .hero, .hero, .row, .detail, .banner, .tile, .person, .course, .place, .poster, .poster, .poster,
                .poster, .ranked, .ranked, .row, .poster,
            ])
        // A card with its own rank shows it in any list.
        let ranked = try card(.list) { $0.rank = CardContent.Rank(place: 7, previous: 9) }
        #expect(ranked.style == .ranked && ranked.rank == 7 && ranked.rankChange == .rose(2))
    }

    @Test func `Every field of a card is on its detail`() throws {
        let card = try card(in: .detail)
        #expect(card.overline == "Slow Rivers · Episode 14")
        #expect(card.lines == ["Mara Lindqvist"] && card.info == "3 May 2026 · 42 min · English")
        #expect(card.badges.map(\.text) == ["NEW", "Free", "Explicit", "Dolby"])
        #expect(card.badges.map(\.role) == [.accent, .good, .warning, .neutral])
        #expect(card.rating == Card.Rating(value: 4.6, best: 5, votes: 1_204))
        #expect(card.price == "€4.99")
        #expect(card.rank == 3 && card.rankChange == .rose(2))
        #expect(card.progress?.words == "12.5 of 42 min")
        #expect(card.facts.map(\.label) == ["Length", "Season", "Guests"])
        #expect(card.actions.map(\.id) == ["play", "later", "open"])
        #expect(card.prose?.hasPrefix("Every spring") == true)
        #expect(card.star == .off)
        let said = texts(in: shapes(of: card, 390, 900)).map { $0.text.string.replacing("\n", with: " ") }
        for words in [
            "Slow Rivers · Episode 14", card.title, "Mara Lindqvist", "3 May 2026 · 42 min · English", "NEW", "Free",
            "Explicit", "Dolby", "4.6/5 (1,204)", "€4.99", "#3", "2", "12.5 of 42 min", "Resume", "Listen later",
            "Open the show", "more", "Length", "42 min", "Season", "Guests",
            "Ines Ferreira, Tom Okafor, the harbour master of Viana",
        ] {
            #expect(said.contains(words), "\(words) in \(said)")
        }
    }

    @Test func `Any field of a card may be missing`() throws {
        for kind in SectionKind.names.map(\.0) {
            let card = try card(in: kind, CardContent(title: ""))
            #expect(card.lines.isEmpty && card.badges.isEmpty && card.rating == nil && card.price == nil)
            #expect(card.omitsImage && card.image?.isReferenced == false)
            _ = shapes(of: card, 390, 80)
        }
    }

    @Test(arguments: [(114.0, 200.0), (360, 80), (171, 120)])
    func `A tile of a record whose section has no images is its words, in a frame of any shape`(
        width: Double, height: Double
    ) throws {
        let shapes = shapes(of: try card(in: .grid, CardContent(title: "Tides")), width, height)
        #expect(images(in: shapes).isEmpty)
        #expect(texts(in: shapes).contains { $0.text.string == "Tides" })
    }

    @Test func `A grid of records is lines if none has an image, and a grid if one has`() {
        let plain = (1...3).map { SampleScreens.item("i\($0)", .card, .card(CardContent(title: "Item \($0)"))) }
        var pictured = CardContent(title: "Pictured")
        pictured.image = ImageReference(name: "tides")
        func heights(_ items: [ScreenItem]) -> Set<Double> {
            let section = ScreenSection(
                id: "g", head: SectionHead(kind: .grid), items: items, placeholders: 0, sum: 0)
            let screen = ScreenPresentation(
                SampleScreens.screen(section), options: .init(size: LayoutSize(width: 390, height: 844)))
            return Set(items.indices.compactMap { screen.layout.sections[0].frame(ofItem: $0)?.height })
        }
        #expect(heights(plain) == [80])
        #expect(heights(plain + [SampleScreens.item("p", .card, .card(pictured))]) == [200])
    }

    @Test func `Prices and progress are in the screen's language`() throws {
        func price(_ amount: String, _ currency: String?, _ locale: String) throws -> String? {
            var content = CardContent(title: "x")
            content.price = CardContent.Price(amount: amount, currency: currency)
            return try card(in: .list, locale: locale, content).price
        }
        #expect(try price("1249.5", "USD", "en") == "$1,249.50")
        #expect(try price("15000", "KRW", "ko") == "₩15,000")
        #expect(try price("20", "EUR", "en") == "€20")
        #expect(try price("17.5", nil, "en") == "17.50")
        #expect(try price("free", "EUR", "en") == "free")
        #expect(try price("20", "no code", "en") == "20")
        #expect(try price("", nil, "en") == nil)
        #expect(try card(in: .detail, locale: "ko").progress?.words == "42min 중 12.5min")
    }

    @Test func `Progress is a share of a known total`() throws {
        func progress(_ value: Double, _ total: Double?) throws -> Card.Progress? {
            try card(.list) { $0.progress = CardContent.Progress(value: value, total: total, unit: "min") }.progress
        }
        #expect(try progress(21, 42)?.share == 0.5)
        #expect(try progress(99, 42)?.share == 1 && progress(-1, 42)?.share == 0)
        #expect(try progress(21, nil) == Card.Progress(share: nil, words: "21 min"))
        #expect(try progress(21, 0)?.share == nil)
        for style in [SectionKind.list, .basic, .hero, .detail, .courses] {
            let bar = shapes(
                of: try card(style) { $0.progress = CardContent.Progress(value: 21, total: 42) }, 200, 300)
            let boxes = bar.flatMap { shape -> [Shape] in
                if case .clipped(_, _, let inner) = shape { inner } else { [shape] }
            }.compactMap { shape -> LayoutRect? in
                if case .box(let rect, .color(let color), _) = shape, rect.height <= 5, color == Theme.dark.accent {
                    rect
                } else {
                    nil
                }
            }
            #expect(boxes.count == 1, "\(style.name)")
        }
    }

    @Test func `A card's lists are bounded`() throws {
        let card = try card(.detail) { card in
            card.badges = (0..<1_000).map { CardContent.Badge(text: "\($0)") }
            card.facts = (0..<1_000).map { CardContent.Fact(label: "\($0)", value: "x") }
            card.actions = (0..<1_000).map { ScreenAction(id: "\($0)", title: "\($0)") }
        }
        #expect(card.badges.count == Card.Limit.badges)
        #expect(card.facts.count == Card.Limit.facts)
        #expect(card.actions.count == Card.Limit.actions)
    }

    @Test func `Anything with a subject has a star`() throws {
        func star(_ mark: FavoriteMark, subject: String) throws -> Card.Star {
            let item = SampleScreens.item("e", .card, .card(CardContent(title: "x")), subject: subject, mark: mark)
            return try #require(Card(item, at: 0, of: SectionHead(kind: .list))).star
        }
        #expect(try star(.yes, subject: "episode/e") == .on)
        #expect(try star(.pendingYes, subject: "episode/e") == .pending)
        #expect(try star(.no, subject: "") == .none)
    }

    // MARK: - Places

    @Test func `No word is cut and every text fits on any screen`() {
        for (name, screen) in SampleCards.all {
            for size in Self.sizes {
                let presentation = presentation(screen, size)
                for element in presentation.elements {
                    let drawn = texts(
                        in: ElementDrawing(theme: .dark).shapes(of: element, phrases: presentation.phrases))
                    for (rect, text) in drawn {
                        #expect(
                            Double(text.lines) * text.lineHeight <= rect.height + 0.01,
                            "\(name): \(text.string) \(rect)")
                        for line in text.string.split(separator: "\n") where text.outline == nil {
                            let width = TextRuler.width(of: line, size: text.size, weight: text.weight)
                            #expect(width <= rect.width + 0.5, "\(name), \(size.width): \(line) in \(rect)")
                        }
                        #expect(rect.x >= element.frame.x - 0.01, "\(name), \(size.width): \(text.string)")
                        #expect(rect.maxX <= element.frame.maxX + 0.01, "\(name), \(size.width): \(text.string)")
                    }
                }
            }
        }
    }

    @Test func `A card's texts don't overlap`() {
        for (name, screen) in SampleCards.all {
            for size in Self.sizes {
                for element in presentation(screen, size).elements {
                    guard case .card(let card, _, _) = element.content else { continue }
                    let rects = texts(in: ElementDrawing(theme: .dark).shapes(of: element))
                        .filter { $0.text.outline == nil }.map { ($0.rect.inset(0.5), $0.text.string) }
                    for (index, first) in rects.enumerated() {
                        for second in rects[(index + 1)...] {
                            #expect(
                                !first.0.intersects(second.0),
                                "\(name), \(size.width), \(card.title): \(first.1) on \(second.1)")
                        }
                    }
                }
            }
        }
    }

    @Test func `A table's facts line up in columns`() throws {
        for (size, columns) in zip(Self.sizes, [1, 3, 4, 4]) {
            let presentation = presentation(SampleCards.league, size)
            let edges = presentation.elements.filter { $0.section == 0 }.compactMap { element -> [Double]? in
                guard case .card = element.content else { return nil }
                return texts(in: ElementDrawing(theme: .dark).shapes(of: element)).filter { $0.text.size == 10 }
                    .map(\.rect.maxX)
            }
            #expect(edges.count == 7)
            #expect(Set(edges).count == 1 && edges.first?.count == columns, "\(size.width): \(edges)")
        }
    }

    @Test func `A lone fact has as much room as its number needs`() throws {
        for size in Self.sizes {
            let items = ["7", "331,002,651"].map { value in
                var card = CardContent(title: "Downloads")
                card.facts = [CardContent.Fact(label: "Downloads", value: value)]
                return SampleScreens.item(value, .card, .card(card), subject: "package/\(value.utf8.count)")
            }
            let screen = SampleScreens.screen(SampleScreens.section("top", .chart, SampleCards.rows(64), items))
            let drawn = presentation(screen, size).elements.flatMap { element -> [(rect: LayoutRect, text: Text)] in
                guard case .card = element.content else { return [] }
                return texts(in: ElementDrawing(theme: .dark).shapes(of: element))
            }
            let values = drawn.filter { ["7", "331,002,651"].contains($0.text.string) }
            #expect(values.count == 2, "\(size.width): \(drawn.map(\.text.string))")
            #expect(Set(values.map(\.rect.maxX)).count == 1)
        }
    }

    @Test func `A star moves nothing in the rows of its section`() throws {
        // One can't be a favorite, as it has no subject.
        let marks: [FavoriteMark?] = [.no, .yes, .pendingYes, .pendingNo, nil]
        for (section, kind) in [("table", SectionKind.chart), ("workshops", .list)] {
            let items = marks.enumerated().map { index, mark in
                var card = CardContent(title: "A title that takes more than a single line of most of these rows")
                card.price = CardContent.Price(amount: "120", currency: "EUR")
                card.facts = [CardContent.Fact(label: "Pts", value: "21"), CardContent.Fact(label: "P", value: "13")]
                return SampleScreens.item(
                    "\(index)", .card, .card(card), subject: mark == nil ? "" : "team/\(index)", mark: mark ?? .no)
            }
            let screen = SampleScreens.screen(SampleScreens.section(section, kind, SampleCards.rows(64), items))
            for size in Self.sizes {
                let places = presentation(screen, size).elements.compactMap { element -> [LayoutRect]? in
                    guard case .card(_, _, let index) = element.content else { return nil }
                    return texts(in: ElementDrawing(theme: .dark).shapes(of: element)).filter {
                        $0.text.string != "\(index + 1)"
                    }.map {
                        func rounded(_ points: Double) -> Double { (points * 100).rounded() }
                        return LayoutRect(
                            x: rounded($0.rect.x), y: rounded($0.rect.y - element.frame.y),
                            width: rounded($0.rect.width), height: rounded($0.rect.height))
                    }
                }
                #expect(places.count == marks.count)
                #expect(Set(places).count == 1, "\(section), \(size.width)")
            }
        }
    }

    @Test func `A list without images shows none, and with one, every item has one`() {
        for size in Self.sizes {
            let presentation = presentation(SampleCards.schedule, size)
            func pictures(ofSection section: Int) -> [LayoutRect] {
                presentation.elements.filter { $0.section == section }.flatMap {
                    images(in: ElementDrawing(theme: .dark).shapes(of: $0))
                }
            }
            #expect(pictures(ofSection: 0).isEmpty)
            let workshops = pictures(ofSection: 1)
            #expect(workshops.count == 3)
            #expect(Set(workshops.map(\.width)).count == 1)
        }
    }

    @Test func `A poster in a low frame becomes a row`() throws {
        let card = try card(.basic) { $0.image = ImageReference(name: "i", aspect: 1) }
        #expect(images(in: shapes(of: card, 360, 80)).map(\.width) == [80])
        #expect(images(in: shapes(of: card, 120, 80)).map(\.width) == [120])
    }

    @Test func `A detail is as high as its content`() throws {
        for aspect in [nil, 0.7, 1, 1.8] as [Double?] {
            var content = SampleCards.full
            content.image = aspect.map { ImageReference(name: "i", aspect: $0) }
            let card = try card(in: .detail, content)
            for width in [320.0, 1_024] {
                let height = try #require(CardDrawing.height(of: card, in: width, margin: 20))
                let drawn = CardDrawing(
                    card, in: LayoutRect(x: 0, y: 0, width: width, height: height), theme: .dark, margin: 20
                ).shapes
                let lowest = texts(in: drawn).map(\.rect.maxY).max() ?? 0
                #expect(lowest <= height && height - lowest < 30)
                #expect(images(in: drawn).count == (aspect == nil ? 0 : 1))
            }
        }
    }

    @Test func `A right-to-left screen of cards is mirrored`() {
        let size = Self.sizes[1]
        let row = presentation(SampleCards.league, size, rightToLeft: true).elements.first {
            if case .card = $0.content { true } else { false }
        }
        let drawn = row.map { texts(in: ElementDrawing(theme: .dark, isRightToLeft: true).shapes(of: $0)) } ?? []
        #expect(drawn.first { $0.text.string == "1" }?.rect.maxX == row?.frame.maxX)
    }
}
