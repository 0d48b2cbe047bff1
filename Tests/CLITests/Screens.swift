import Foundation
import MarqueeDiff
import MarqueeModel
import MarqueePresets
import MarqueeWire

@testable import MarqueeClient

/// Screens made by hand.
enum Screens {
    static func movie(
        _ id: UInt64, _ title: String, year: Int? = nil, rating: Double? = nil, mark: FavoriteMark = .no
    ) -> ScreenItem {
        var content = MovieContent(id: id, title: title)
        content.releaseDate = year.flatMap { CalendarDate(year: $0, month: 7, day: 15) }
        content.voteAverage = rating
        return item("movie/\(id)", .movie, .movie(content), subject: "movie/\(id)", mark: mark)
    }

    static func entry(_ id: String, _ title: String, gross: UInt64? = nil) -> ScreenItem {
        var content = ChartEntryContent(title: title)
        content.gross = gross
        return item(id, .chartEntry, .chartEntry(content))
    }

    static func item(
        _ id: String, _ kind: ItemKind, _ content: PresetContent, subject: String = "", mark: FavoriteMark = .no
    ) -> ScreenItem {
        item(id, kind, .preset(content), subject: subject, mark: mark)
    }

    static func item(
        _ id: String, _ kind: ItemKind, _ content: ItemContent, subject: String = "", mark: FavoriteMark = .no
    ) -> ScreenItem {
        ScreenItem(
            item: Item(id: id, kind: kind, subject: subject, body: BodyCodec.encode(content)), favorite: mark)
    }

    static func section(
        _ id: String, _ kind: SectionKind, title: String? = nil, total: UInt32 = 0, sort: String = "",
        _ items: [ScreenItem]
    ) -> ScreenSection {
        var head = SectionHead(kind: kind)
        head.header = title.map { Supplement(title: $0) }
        head.total = total
        head.sort = sort
        head.sorts =
            sort.isEmpty
            ? [] : [SortOption(id: "popularity", title: "Popularity"), SortOption(id: "release", title: "Release")]
        let version = version(head, items)
        return ScreenSection(id: id, head: head, items: items, placeholders: 0, sum: version.sum)
    }

    static func screen(
        _ sections: [ScreenSection], revision: UInt64 = 1, title: String = "Home", locale: String = "en"
    ) -> Screen {
        Screen(
            id: .home, locale: locale, title: title, sections: sections,
            revision: Cut(catalogueEpoch: 7, catalogueRevision: revision), sum: 0xABC,
            asOf: Date(timeIntervalSince1970: 1_000))
    }

    /// The changes as the library gives them.
    static func changes(from old: Screen, to new: Screen) -> ScreenChanges {
        func versions(_ screen: Screen) -> [ScreenChanges.Section] {
            screen.sections.map { (id: $0.id, version: version($0.head, $0.items)) }
        }
        return ScreenChanges.between(old: versions(old), new: versions(new))
    }

    private static func version(_ head: SectionHead, _ items: [ScreenItem]) -> Version {
        Version(head: BodyCodec.encode(head), items: items.map(\.item))
    }
}
