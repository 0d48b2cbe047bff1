@testable import MarqueeModel
@testable import MarqueePresets
@testable import MarqueeWire

/// Contents of every kind of item, with all fields and with few, and section heads.
enum SampleContents {
    static let poster = ImageReference(name: "p.jpg", aspect: 0.667, color: "#102030")
    static let certification = CertificationContent(country: "US", code: "PG-13", label: "Teens", colorClass: .teen)
    static let action = ScreenAction(id: "play", title: "Play", target: "detail/1")

    static var movie: MovieContent {
        var movie = MovieContent(id: 27_205, title: "Inception")
        movie.originalTitle = "인셉션"
        movie.releaseDate = CalendarDate("2010-07-15")
        movie.runtime = 148
        movie.genres = ["Action", "Science Fiction"]
        movie.voteAverage = 8.4
        movie.voteCount = 0
        movie.popularity = 167.58371
        movie.poster = poster
        movie.backdrop = ImageReference(name: "https://images.example/b.jpg")
        movie.certification = certification
        movie.overview = "A thief who steals secrets from dreams."
        movie.revenue = 825_532_764
        return movie
    }

    static var detail: DetailContent {
        var detail = DetailContent(id: 27_205, title: "Inception")
        detail.originalTitle = "Inception"
        detail.releaseDate = CalendarDate("2010-07-15")
        detail.countries = ["US", "GB"]
        detail.genres = ["Action"]
        detail.runtime = 148
        detail.tagline = "Your mind is the scene of the crime."
        detail.overview = "A thief."
        detail.infoLine = "2010.07.15 │ US │ Action │ 148 min"
        detail.certification = certification
        detail.directors = ["Christopher Nolan"]
        detail.voteAverage = 8.1
        detail.voteCount = 13_752
        detail.poster = poster
        detail.backdrop = poster
        detail.revenue = 1
        return detail
    }

    static var chartEntry: ChartEntryContent {
        var entry = ChartEntryContent(title: "Frozen")
        entry.movie = 109_445
        entry.releaseDate = CalendarDate("2013-11-27")
        entry.gross = 0
        entry.grossToDate = 400_738_009
        entry.theaters = 3_742
        entry.daysInRelease = 36
        entry.distributor = "Walt Disney"
        entry.poster = poster
        entry.voteAverage = 7.3
        entry.rank = 3
        entry.previousRank = 4
        entry.isNew = true
        return entry
    }

    static var banner: BannerContent {
        var banner = BannerContent(title: "New")
        banner.caption = "Caption"
        banner.description = "Description"
        banner.image = poster
        banner.link = "https://example.org/"
        banner.actions = [action, ScreenAction(id: "", title: "")]
        return banner
    }

    static var course: CourseContent {
        var course = CourseContent(title: "Swift")
        course.author = "A. Teacher"
        course.rating = 4.5
        course.reviews = 12
        course.price = "12.99"
        course.currency = "EUR"
        course.tag = "Bestseller"
        course.image = poster
        return course
    }

    static var card: CardContent {
        var card = CardContent(title: "Tides")
        card.overline = "Yesterday"
        card.subtitle = "The Sea Show"
        card.caption = "Season 2"
        card.image = poster
        card.badges = CardContent.Badge.Role.allCases.map { CardContent.Badge(text: "\($0)", role: $0) }
        card.rating = CardContent.Rating(value: 4.5, scale: 5, count: 5_000_000_000)
        card.price = CardContent.Price(amount: "12.99", currency: "EUR")
        card.rank = CardContent.Rank(place: 3, previous: 4, isNew: true)
        card.progress = CardContent.Progress(value: 12.5, total: 42, unit: "min")
        card.facts = [CardContent.Fact(label: "Length", value: "42 min"), CardContent.Fact(label: "", value: "")]
        card.actions = [action, ScreenAction(id: "", title: "")]
        card.text = "Why the sea comes and goes."
        card.record = CardContent.Record(message: "podcast.v1.Episode", bytes: [0x0A, 0, 0xFF])
        return card
    }

    /// A card with all its parts, each of them empty.
    static var emptyCard: CardContent {
        var card = CardContent(title: "")
        card.rating = CardContent.Rating(value: 0)
        card.price = CardContent.Price(amount: "")
        card.rank = CardContent.Rank()
        card.progress = CardContent.Progress(value: 0)
        card.record = CardContent.Record(message: "", bytes: [])
        return card
    }

    static let presets: [PresetContent] = [
        .movie(movie), .movie(MovieContent(id: 0, title: "")),
        .genre(GenreContent(id: 28, name: "Action", image: poster, movies: 1_154)),
        .genre(GenreContent(id: 1, name: "x")),
        .credit(
            CreditContent(person: 6_193, name: "Leonardo DiCaprio", character: "Cobb", job: "Cast", portrait: poster)),
        .credit(CreditContent(person: 1, name: "x")),
        .banner(banner), .banner(BannerContent(title: "x")),
        .text(TextContent(text: "Text with a link", highlighted: "link", action: action)), .text(TextContent(text: "")),
        .course(course), .course(CourseContent(title: "x")),
        .categories(["One", "", "Three"]), .categories([]),
        .detail(detail), .detail(DetailContent(id: 1, title: "x")),
        .chartEntry(chartEntry), .chartEntry(ChartEntryContent(title: "x")),
        .place(PlaceContent(title: "Yosemite", distance: "2 hours", image: poster)), .place(PlaceContent(title: "x")),
    ]

    static let all: [ItemContent] =
        presets.map { .preset($0) } + [
            .card(card), .card(emptyCard), .card(CardContent(title: "x")),
            .member(revision: 5, value: nil), .member(revision: 0, value: nil),
            .member(revision: 7, value: CollectionValue(json: "120")),
            .encoded(kind: ItemKind(rawValue: 4_711), bytes: [1, 2, 3]),
        ]

    static let badge = LayoutSupplementary(
        kind: "badge", width: .absolute(20), height: .absolute(20), edges: [.top, .trailing], offsetX: 0.3,
        offsetY: -0.3, offsetIsFractional: true, insets: LayoutInsets(top: 1, leading: 2, bottom: 3, trailing: 4))

    /// A nested group: one item beside a column of two.
    static let layout = SectionLayout(
        group: .group(
            axis: .horizontal, width: .fractionalWidth(0.85), height: .fractionalWidth(0.4), insets: .zero,
            spacing: .flexible(4), count: nil,
            children: [
                .item(
                    width: .fractionalWidth(0.7), height: .fractionalHeight(1),
                    insets: LayoutInsets(top: 5, leading: 5, bottom: 5, trailing: 5),
                    edgeSpacing: LayoutEdgeSpacing(top: 1, leading: .flexible(0), trailing: .flexible(2)),
                    badges: [badge]),
                .group(
                    axis: .vertical, width: .fractionalWidth(0.3), height: .fractionalHeight(1), insets: .zero,
                    spacing: 0, count: 2,
                    children: [
                        .item(width: .fractionalWidth(1), height: .estimated(44), insets: .zero, badges: [])
                    ]),
            ]),
        insets: LayoutInsets(top: 10), insetsReference: .layoutMargins, spacing: 8, scrolling: .groupPagingCentered,
        supplementaries: [
            LayoutSupplementary(
                kind: "header", width: .fractionalWidth(1), height: .estimated(44), edges: .top, isPinned: true,
                zIndex: 3)
        ], decoration: LayoutDecoration(kind: "background", insets: LayoutInsets(top: 4, leading: 8), zIndex: -1))

    static var head: SectionHead {
        var head = SectionHead(kind: .rank)
        head.header = Supplement(title: "Rank", actions: [action])
        head.footer = Supplement(title: "")
        head.supplements = [
            "letter-index": Supplement(title: "A–Z", actions: [action]), "map": Supplement(title: "Map"),
        ]
        head.layout = layout
        head.sorts = [SortOption(id: "popularity", title: "Popularity"), SortOption(id: "release", title: "Release")]
        head.sort = "release"
        head.windows = [10, 30]
        head.window = 30
        head.total = 100
        (head.anywhere, head.first, head.cursor) = (200, 30, [1, 0, 255])
        head.hasMore = true
        head.error = "the chart is empty"
        return head
    }
}
