import MarqueeClient
import MarqueeModel
import MarqueePresentation
import MarqueePresets
import Testing

@Suite("Contents of a card") struct CardTests {
    private func card(_ item: ScreenItem, at index: Int = 0, in kind: SectionKind = .basic) throws -> Card {
        try #require(Card(item, at: index, of: SectionHead(kind: kind)))
    }

    @Test func `A movie shows its title, year and rating`() throws {
        let card = try card(SampleScreens.movie(1, "Heat", year: 1995, rating: 7.9, code: "R", color: .adult))
        #expect(card.style == .poster)
        #expect(card.title == "Heat")
        #expect(card.lines == ["1995"])
        #expect(card.rating == Card.Rating(value: 7.9, best: 10, votes: nil))
        #expect(card.badges.map(\.text) == ["R"] && card.badges.first?.role == .bad)
        #expect(card.rank == nil)
    }

    @Test func `Any field of a movie may be missing`() throws {
        let card = try card(SampleScreens.movie(1, "Heat"))
        #expect(card.lines.isEmpty && card.rating == nil && card.badges.isEmpty)
        // Without a reference, the movie itself names its image.
        #expect(card.image?.name == "movie/1")
        #expect(card.image?.isReferenced == false)
    }

    @Test func `The rank is the position`() throws {
        for kind in [SectionKind.rank, .chart] {
            let card = try card(SampleScreens.movie(1, "Heat"), at: 4, in: kind)
            #expect(card.style == .ranked)
            #expect(card.rank == 5)
        }
    }

    @Test func `The star is hollow while pending and filled when confirmed`() throws {
        let stars = try [FavoriteMark.no, .pendingYes, .yes, .pendingNo].map {
            try card(SampleScreens.movie(1, "Heat", mark: $0)).star
        }
        #expect(stars == [.off, .pending, .on, .off])
        // An item without a subject has no star.
        #expect(try card(SampleScreens.item("g", .genre, .genre(GenreContent(id: 28, name: "Action")))).star == .none)
    }

    @Test func `The section decides how a movie looks`() throws {
        let styles = try [SectionKind.main, .hero, .list, .large, .grid, .favorites].map {
            try card(SampleScreens.movie(1, "Heat"), in: $0).style
        }
        #expect(styles == [.hero, .hero, .row, .poster, .poster, .poster])
    }

    @Test func `The main card has its section's actions`() throws {
        var head = SectionHead(kind: .main)
        head.header = Supplement(
            title: "Marquee",
            actions: [ScreenAction(id: "menu", title: "Movies"), ScreenAction(id: "play", title: "Play")])
        let card = try #require(Card(SampleScreens.movie(1, "Heat"), at: 0, of: head))
        #expect(card.actions.map(\.id) == ["menu", "play"])
    }

    @Test func `A banner without a title shows the first words of its text`() throws {
        var content = BannerContent(title: "")
        content.description = "A description of an image"
        content.image = ImageReference(name: "one")
        let card = try card(SampleScreens.item("b", .banner, .banner(content)))
        #expect(card.style == .poster)
        #expect(card.title == "A description of an image")
        #expect(card.lines.isEmpty)
    }

    @Test func `A banner with nothing but a link is a link`() throws {
        var content = BannerContent(title: "")
        content.link = "https://example.org/teams"
        let card = try card(SampleScreens.item("b", .banner, .banner(content)), in: .banner)
        #expect(card.style == .link)
        #expect(card.title == "example.org/teams")
    }

    @Test func `A course shows its author, stars, price and tag`() throws {
        var content = CourseContent(title: "Swift")
        (content.author, content.rating, content.reviews) = ("Ann", 4.5, 1_234)
        (content.price, content.tag) = ("19.99", "Bestseller")
        let card = try card(SampleScreens.item("c", .course, .course(content)), in: .courses)
        #expect(card.lines == ["Ann"])
        #expect(card.rating == Card.Rating(value: 4.5, best: 5, votes: 1_234))
        content.currency = "USD"
        #expect(try self.card(SampleScreens.item("c", .course, .course(content)), in: .courses).price == "$19.99")
        #expect(card.price == "19.99" && card.badges.map(\.text) == ["Bestseller"])
    }

    @Test func `A credit has a character or a job`() throws {
        let cast = CreditContent(person: 1, name: "Ann", character: "Queen")
        let crew = CreditContent(person: 1, name: "Ann", character: "", job: "Director")
        #expect(try card(SampleScreens.item("1", .credit, .credit(cast))).lines == ["Queen"])
        #expect(try card(SampleScreens.item("1", .credit, .credit(crew))).lines == ["Director"])
    }

    @Test func `A chart entry shows its gross`() throws {
        var content = ChartEntryContent(title: "Heat")
        (content.gross, content.grossToDate) = (2_965_433, 1_234_567_890)
        let card = try card(SampleScreens.item("h", .chartEntry, .chartEntry(content)), in: .chart)
        #expect(card.lines == ["$3M", "$1.2B in all"])
        #expect(card.rank == 1)
    }

    @Test(
        arguments: [
            (4, 6, false, .rose(2)), (4, 1, false, .fell(3)), (4, 4, false, .stayed), (4, nil, true, .new),
            (nil, 3, false, .rose(2)), (nil, nil, false, nil),
        ] as [(UInt32?, UInt32?, Bool, ChartMovement?)])
    func `A chart entry shows its source's rank and how it moved`(
        rank: UInt32?, previous: UInt32?, isNew: Bool, movement: ChartMovement?
    ) throws {
        var content = ChartEntryContent(title: "Heat")
        content.gross = 1_000
        (content.rank, content.previousRank, content.isNew) = (rank, previous, isNew)
        let card = try card(SampleScreens.item("h", .chartEntry, .chartEntry(content)), in: .chart)
        #expect(card.rank == Int(rank ?? 1))
        #expect(card.rankChange == movement)
        #expect(card.lines == ["$1K"])
    }

    @Test func `An unknown kind has no card`() {
        let item = SampleScreens.item(
            "x", ItemKind(rawValue: 4_711), .encoded(kind: ItemKind(rawValue: 4_711), bytes: [1, 2, 3]))
        #expect(Card(item, at: 0, of: SectionHead(kind: .basic)) == nil)
    }

    @Test func `Text is on one line and has no control characters`() throws {
        let hostile = "A\u{1B}[31m\n b\u{202E}c\u{200B}\t"
        #expect(try card(SampleScreens.movie(1, hostile)).title == "A [31m bc")
        #expect(Words.clean("a\u{0}b") == "a b")
        #expect(Words.clean(String(repeating: "x", count: 100_000)).count == 2_000)
        // Joiners stay, as they combine several emoji into one.
        #expect(Words.clean("👩\u{200D}🚀") == "👩\u{200D}🚀")
    }

    @Test func `An invalid aspect ratio becomes the usual one`() throws {
        for aspect in [0, -1, .nan, .infinity, 1e9] as [Double] {
            var content = MovieContent(id: 1, title: "Heat")
            content.poster = ImageReference(name: "p", aspect: aspect, color: "red")
            let card = try card(SampleScreens.item("1", .movie, .movie(content)))
            #expect(card.image?.aspect == 2.0 / 3)
            #expect(card.image?.color == nil)
        }
    }
}
