import MarqueeModel

@testable import MarqueeClient

/// Sections of cards made by hand.
enum Cards {
    static func item(_ id: String, _ title: String, _ edit: (inout CardContent) -> Void = { _ in }) -> ScreenItem {
        var card = CardContent(title: title)
        edit(&card)
        return Screens.item(id, .card, .card(card), subject: "card/\(id)")
    }

    /// - Parameter height: of an item, in points; `nil` for what its content takes.
    static func section(
        _ id: String, _ kind: SectionKind, height: Double?, width: LayoutDimension = .fractionalWidth(1),
        _ items: [ScreenItem]
    ) -> ScreenSection {
        var head = SectionHead(kind: kind)
        let high = height.map { LayoutDimension.absolute($0) } ?? .estimated(200)
        let inner = height == nil ? high : .fractionalHeight(1)
        head.layout = SectionLayout(
            group: .group(
                axis: .horizontal, width: width, height: high, insets: .zero, spacing: 0, count: nil,
                children: [.item(width: .fractionalWidth(1), height: inner, insets: .zero, badges: [])]),
            scrolling: width == .fractionalWidth(1) ? .none : .continuous)
        return ScreenSection(id: id, head: head, items: items, placeholders: 0, sum: 0)
    }

    /// With every field.
    static var episode: ScreenItem {
        item("tides", "Tides") {
            $0.overline = "Slow Rivers"
            $0.subtitle = "Mara Lindqvist"
            $0.caption = "3 May"
            $0.image = ImageReference(name: "tides", aspect: 1)
            $0.badges = [CardContent.Badge(text: "NEW", role: .accent), CardContent.Badge(text: "Free", role: .good)]
            $0.rating = CardContent.Rating(value: 4.5, scale: 5, count: 1_204)
            $0.price = CardContent.Price(amount: "4.99", currency: "EUR")
            $0.rank = CardContent.Rank(place: 3, previous: 5)
            $0.progress = CardContent.Progress(value: 10.5, total: 42, unit: "min")
            $0.facts = [
                CardContent.Fact(label: "Length", value: "42 min"),
                CardContent.Fact(label: "Guests", value: "Ines Ferreira and Tom Okafor of Viana"),
            ]
            $0.actions = [
                ScreenAction(id: "play", title: "Play"), ScreenAction(id: "open", title: "Show", target: "show/rivers"),
            ]
            $0.text = "Every spring the river gives back what the winter has taken: planks, letters, once a piano."
            $0.record = CardContent.Record(message: "podcast.v1.Episode", bytes: [0x0A, 0x03, 0xFF])
        }
    }

    static let league = section(
        "table", .chart, height: 44,
        [("Northgate", 38, 1, 1), ("Harbour City", 35, 2, 4), ("서울", 8, 18, 17)].map {
            (team: (String, Int, UInt32, UInt32)) in
            item(team.0, team.0) {
                $0.rank = CardContent.Rank(place: team.2, previous: team.3)
                $0.facts = [
                    CardContent.Fact(label: "Pts", value: "\(team.1)"), CardContent.Fact(label: "Played", value: "17"),
                ]
            }
        })

    static let schedule = section(
        "friday", .list, height: 88,
        [
            item("key", "Keynote") {
                ($0.overline, $0.subtitle) = ("09:00", "Grace")
                $0.badges = [CardContent.Badge(text: "Main hall", role: .accent)]
            },
            item("swift", "Swift on small machines") {
                ($0.overline, $0.price) = ("10:00", CardContent.Price(amount: "20", currency: "EUR"))
                $0.rating = CardContent.Rating(value: 9.1)
            },
            item("lunch", "Lunch") { $0.caption = "In the garden" },
        ])

    static var posters: ScreenSection {
        section("row", .rank, height: 200, width: .fractionalWidth(0.4), [episode, item("b", "Bare")])
    }
}
