import MarqueeModel

@testable import MarqueeClient

/// Screens of three apps that have only the card in common.
enum SampleCards {
    static func item(_ id: String, _ title: String, _ edit: (inout CardContent) -> Void = { _ in }) -> ScreenItem {
        var card = CardContent(title: title)
        edit(&card)
        return SampleScreens.item(id, .card, .card(card), subject: "card/\(id)")
    }

    private static func image(_ name: String, _ aspect: Double = 1, _ color: String) -> ImageReference {
        ImageReference(name: name, aspect: aspect, color: color)
    }

    // MARK: - Layouts

    private static let header = SampleScreens.band("header", .absolute(44))

    /// Rows as wide as the screen without its margins.
    static func rows(_ height: Double, spacing: Double = 8) -> SectionLayout {
        SectionLayout(
            group: SampleScreens.group(
                .horizontal, .fractionalWidth(1), .absolute(height),
                SampleScreens.item(.fractionalWidth(1), .fractionalHeight(1))),
            insets: LayoutInsets(leading: 16, bottom: 12, trailing: 16), spacing: spacing, supplementaries: [header])
    }

    /// Tiles that scroll sideways.
    static func tiles(_ width: Double, _ height: Double) -> SectionLayout {
        SectionLayout(
            group: SampleScreens.group(
                .horizontal, .absolute(width), .absolute(height),
                SampleScreens.item(.fractionalWidth(1), .fractionalHeight(1))),
            insets: LayoutInsets(leading: 16, bottom: 12, trailing: 16), spacing: 12, scrolling: .continuous,
            supplementaries: [header])
    }

    // MARK: - A podcast app

    private static let shows: [(title: String, author: String, color: String)] = [
        ("Slow Rivers", "Mara Lindqvist", "#12424d"), ("바다의 시간", "김하늘", "#25204b"),
        ("The Extraordinarily Long Conversation", "Two Friends", "#5a1f2f"), ("Kilowatt", "Energy Desk", "#4c311f"),
        ("Night Trains", "", "#31502a"), ("Donaudampfschifffahrt", "Wien", "#45307a"),
    ]

    static let podcasts = SampleScreens.screen(
        SampleScreens.section(
            "main", .main, SampleScreens.main,
            [
                item("tides", "What the Tide Brings") {
                    $0.overline = "Slow Rivers"
                    $0.subtitle = "An hour with the people who live by the estuary"
                    $0.image = image("tides", 1, "#12424d")
                    $0.badges = [CardContent.Badge(text: "NEW", role: .accent)]
                    $0.progress = CardContent.Progress(value: 12, total: 42, unit: "min")
                    $0.actions = [
                        ScreenAction(id: "favorite", title: "Save"), ScreenAction(id: "play", title: "Play"),
                        ScreenAction(id: "info", title: "Notes"),
                    ]
                }
            ]),
        SampleScreens.section(
            "shows", .basic, tiles(140, 214),
            shows.enumerated().map { index, show in
                item("show\(index)", show.title) {
                    $0.subtitle = show.author
                    if index != 3 { $0.image = image("show\(index)", 1, show.color) }
                    if index == 1 { $0.badges = [CardContent.Badge(text: "HD", role: .good)] }
                    if index == 0 { $0.progress = CardContent.Progress(value: 30, total: 45, unit: "min") }
                    if index == 2 { $0.price = CardContent.Price(amount: "4.99", currency: "EUR") }
                    $0.rating = index == 4 ? nil : CardContent.Rating(value: 4.6, scale: 5, count: 1_204)
                }
            }, header: "For you"),
        SampleScreens.section(
            "top", .rank, tiles(136, 216), ranked(), header: "Top shows"),
        SampleScreens.section(
            "chart", .chart, rows(72), ranked(), header: "Most played this week"))

    private static func ranked() -> [ScreenItem] {
        let ranks: [CardContent.Rank] = [
            .init(previous: 3), .init(previous: 2), .init(isNew: true), .init(previous: 1), .init(), .init(previous: 9),
        ]
        return zip(shows, ranks).enumerated().map { index, pair in
            item("top\(index)", pair.0.title) {
                $0.subtitle = pair.0.author
                $0.caption = "\(2_400 - 210 * index) plays"
                $0.image = image("show\(index)", 1, pair.0.color)
                $0.rank = pair.1
            }
        }
    }

    /// A card with every field except an image.
    static var full: CardContent {
        var card = CardContent(title: "What the Tide Brings Back to Those Who Wait")
        card.overline = "Slow Rivers · Episode 14"
        card.subtitle = "Mara Lindqvist"
        card.caption = "3 May 2026 · 42 min · English"
        card.badges = [
            CardContent.Badge(text: "NEW", role: .accent), CardContent.Badge(text: "Free", role: .good),
            CardContent.Badge(text: "Explicit", role: .warning), CardContent.Badge(text: "Dolby"),
        ]
        card.rating = CardContent.Rating(value: 4.6, scale: 5, count: 1_204)
        card.price = CardContent.Price(amount: "4.99", currency: "EUR")
        card.rank = CardContent.Rank(place: 3, previous: 5)
        card.progress = CardContent.Progress(value: 12.5, total: 42, unit: "min")
        card.actions = [
            ScreenAction(id: "play", title: "Resume"), ScreenAction(id: "later", title: "Listen later"),
            ScreenAction(id: "open", title: "Open the show", target: "show/rivers"),
        ]
        card.text =
            "Every spring the river gives back what the winter has taken: planks, letters, once a piano. Mara walks "
            + "the estuary with the people who collect them, and asks what a thing is worth once it has been lost."
        card.facts = [
            CardContent.Fact(label: "Length", value: "42 min"), CardContent.Fact(label: "Season", value: "2"),
            CardContent.Fact(label: "Guests", value: "Ines Ferreira, Tom Okafor, the harbour master of Viana"),
        ]
        return card
    }

    /// - Parameter aspect: the image's aspect ratio; `nil` for no image.
    static func episode(aspect: Double?) -> Screen {
        var card = full
        card.image = aspect.map { image("tides", $0, "#12424d") }
        let episode = SampleScreens.item("tides", .card, .card(card), subject: "card/tides")
        return SampleScreens.screen(SampleScreens.section("detail", .detail, SampleScreens.detail, [episode]))
    }

    // MARK: - A league table

    static let league = SampleScreens.screen(
        SampleScreens.section(
            "table", .chart, rows(48, spacing: 4),
            [
                ("Northgate Rovers", 38, "+41", 1, 1), ("Harbour City", 35, "+22", 2, 4),
                ("Abersoch Town", 35, "+19", 3, 2),
                ("Wolverhampton Wanderers", 31, "+4", 4, 3), ("서울 유나이티드", 28, "0", 5, 5), ("Fenwick", 20, "−16", 5, 6),
                ("Borussia Mönchengladbach", 12, "−70", 18, 17),
            ].map { (team: (String, Int, String, UInt32, UInt32)) in
                item(team.0, team.0) {
                    $0.subtitle = "W W D L W"
                    $0.rank = CardContent.Rank(place: team.3, previous: team.4)
                    $0.facts = [
                        CardContent.Fact(label: "Pts", value: "\(team.1)"),
                        CardContent.Fact(label: "GD", value: team.2),
                        CardContent.Fact(label: "Played", value: "17"), CardContent.Fact(label: "Won", value: "11"),
                    ]
                }
            }, header: "Division 2"),
        SampleScreens.section(
            "scorers", .chart, rows(64),
            ["Ada Nwosu", "J. van der Meer", "김민재"].enumerated().map { index, name in
                item(name, name) {
                    $0.subtitle = "Harbour City"
                    $0.badges = index == 0 ? [CardContent.Badge(text: "Injured", role: .bad)] : []
                    if index != 1 { $0.image = image(name, 1, "#31502a") }
                    $0.rank = CardContent.Rank(isNew: index == 2)
                    $0.facts = [CardContent.Fact(label: "Goals", value: "\(14 - index)")]
                }
            }, header: "Scorers"))

    // MARK: - A conference

    static let schedule = SampleScreens.screen(
        SampleScreens.section(
            "now", .list, rows(96),
            [
                item("key", "Opening keynote: everything that we got wrong about caches, and what it cost us") {
                    ($0.overline, $0.subtitle) = ("09:00 – 09:50", "Grace Adeyemi")
                    $0.badges = [
                        CardContent.Badge(text: "Main hall", role: .accent),
                        CardContent.Badge(text: "Live", role: .bad),
                    ]
                },
                item("swift", "Swift on small machines") {
                    ($0.overline, $0.subtitle, $0.caption) = ("10:00 – 10:40", "Per Østergård", "Intermediate")
                    $0.badges = [CardContent.Badge(text: "Room 2")]
                },
                item("ko", "분산 시스템의 시간") {
                    ($0.overline, $0.subtitle) = ("10:00 – 10:40", "박서준")
                    $0.badges = [CardContent.Badge(text: "3호실", role: .good)]
                },
                item("bare", "Lunch") { $0.overline = "12:00 – 13:00" },
                item("none", "Registration"),
            ], header: "Friday"),
        SampleScreens.section(
            "workshops", .list, rows(84),
            [
                item("w1", "Profiling with your eyes open") {
                    ($0.subtitle, $0.price) = ("Half a day", CardContent.Price(amount: "120", currency: "EUR"))
                    $0.rating = CardContent.Rating(value: 9.1, count: 48)
                    $0.image = image("w1", 16.0 / 9, "#4c311f")
                },
                item("w2", "Protocol design for people who would rather not") {
                    ($0.subtitle, $0.price) = ("A day", CardContent.Price(amount: "1249.50", currency: "USD"))
                    $0.badges = [CardContent.Badge(text: "Sold out", role: .warning)]
                    $0.progress = CardContent.Progress(value: 30, total: 30, unit: "seats")
                    $0.image = image("w2", 16.0 / 9, "#45307a")
                },
                item("w3", "A walk") { $0.price = CardContent.Price(amount: "free") },
            ], header: "Workshops"),
        SampleScreens.section(
            "news", .banner,
            SectionLayout(
                group: SampleScreens.group(
                    .horizontal, .fractionalWidth(1), .absolute(220),
                    SampleScreens.item(.fractionalWidth(1), .fractionalHeight(1)))),
            [
                item("party", "Party on the roof") {
                    ($0.overline, $0.subtitle) = ("Tonight at 20:00", "Bring a jacket; it is windy up there.")
                    $0.badges = [CardContent.Badge(text: "Free drinks", role: .highlight)]
                    $0.actions = [ScreenAction(id: "join", title: "Join")]
                }
            ]))

    static var all: [(name: String, screen: Screen)] {
        [
            ("podcasts", podcasts), ("episode", episode(aspect: 1)), ("episode-wide", episode(aspect: 16.0 / 9)),
            ("episode-bare", episode(aspect: nil)), ("league", league), ("schedule", schedule),
        ]
    }
}
