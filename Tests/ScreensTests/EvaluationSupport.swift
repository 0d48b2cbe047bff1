import MarqueeCatalogue
import MarqueeDiff
import MarqueeModel
import MarqueePresets
import MarqueeStore
import MarqueeWire

@testable import MarqueeScreens

/// A section as decoded by a client.
struct ShownSection {
    var head: SectionHead
    var items: [Item]

    var ids: [String] { items.map(\.id) }
    var contents: [ItemContent] { items.map { BodyCodec.decode(kind: $0.kind, bytes: $0.body) } }
    var presets: [PresetContent?] { contents.map(\.preset) }
    var movies: [MovieContent] {
        presets.compactMap { if case .movie(let movie) = $0 { movie } else { nil } }
    }
}

extension Screens {
    /// Plans the screen and evaluates one of its sections.
    mutating func section(
        _ id: String, of screen: String = "home", locale: String = "en", sort: String? = nil, window: UInt32? = nil,
        user: String? = nil, favorites: [StoredMember] = []
    ) throws -> ShownSection {
        let plan = try plan(
            screen: screen, locale: locale, parameters: [SectionParameters(section: id, sort: sort, window: window)],
            user: user)
        guard let section = plan.sections.first(where: { $0.id == id }) else { throw TestFailure("no section \(id)") }
        return try shown(section.variant, favorites: favorites)
    }

    mutating func shown(_ variant: VariantKey, favorites: [StoredMember] = []) throws -> ShownSection {
        let version = try evaluate(variant, members: favorites).version
        guard let head = BodyCodec.decodeSectionHead(version.head) else { throw TestFailure("an unreadable head") }
        return ShownSection(head: head, items: version.items)
    }
}

struct TestFailure: Error {
    var message: String
    init(_ message: String) { self.message = message }
}

extension Movie {
    init(
        _ id: UInt64, _ title: String? = nil, genres: [UInt64] = [], popularity: Double? = nil,
        released: String? = nil, revenue: UInt64? = nil, rating: Double? = nil
    ) {
        self.init(id: id, title: title ?? "Movie \(id)")
        self.genres = genres
        self.popularity = popularity
        self.releaseDate = released.flatMap { CalendarDate($0) }
        self.revenue = revenue
        self.voteAverage = rating
    }
}
