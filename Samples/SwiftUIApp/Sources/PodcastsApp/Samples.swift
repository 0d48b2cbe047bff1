import MarqueeClient
public import MarqueeTesting

/// Sample content for the app's previews and tests.
public enum Samples {
    /// A card as the podcasts server sends it.
    public static func episode(_ id: String, _ title: String, show: String, minutes: Double? = nil) -> SampleItem {
        .card(id, title: title, subject: Subject("episode/\(id)")) { card in
            card.subtitle = show
            card.progress = minutes.map { .sample($0, of: 40) }
            card.actions = [.sample("open", title: "Open", target: "episode/\(id)")]
        }
    }

    public static let episodes = [
        episode("tides", "Tides", show: "Harbour Lights", minutes: 10),
        episode("moss", "A Year of Moss", show: "Small Forests"),
        episode("signals", "Signals", show: "Harbour Lights"),
    ]

    public static let home = SampleScreen(
        .home, title: "Podcasts",
        [SampleSection("new", title: "New", placeholders: 3, items: episodes).windowed([2, 20])])

    public static let favorites = SampleScreen(.favorites, title: "Favorites", [.members()])

    public static let details = episodes.map { episode in
        SampleScreen(ScreenID("episode/\(episode.id)"), [SampleSection("about", items: [episode])])
    }

    public static let screens = [home, favorites] + details
}
