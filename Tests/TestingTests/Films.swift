import MarqueeClient
import MarqueeTesting

/// The screens of the tests.
enum Films {
    static let titles = ["alien": "Alien", "brazil": "Brazil", "casablanca": "Casablanca", "dune": "Dune"]

    static func film(_ id: String) -> SampleItem {
        .card(id, title: titles[id] ?? id, subject: Subject("film/\(id)"))
    }

    static func home(_ ids: [String] = ["alien", "brazil", "casablanca"]) -> SampleScreen {
        SampleScreen(.home, title: "Home", [SampleSection("new", title: "New", items: ids.map(film))])
    }

    static let favorites = SampleScreen(.favorites, title: "Favorites", [.members()])

    static func detail(_ id: String) -> SampleScreen {
        SampleScreen(ScreenID("film/\(id)"), title: titles[id] ?? id, [SampleSection("about", items: [film(id)])])
    }
}

extension Screen {
    /// The ids of a section's items.
    func ids(_ section: String = "new") -> [String] { self[section: section]?.items.map(\.id) ?? [] }

    /// The marks of a section's items.
    func marks(_ section: String = "new") -> [FavoriteMark] { self[section: section]?.items.map(\.favorite) ?? [] }
}
