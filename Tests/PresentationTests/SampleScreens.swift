import Foundation
import MarqueeDiff
import MarqueeModel
import MarqueePresets
import MarqueeWire

@testable import MarqueeClient

/// Handmade screens with every kind of section in the sample apps.
enum SampleScreens {
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

    static func movie(
        _ id: UInt64, _ title: String, year: Int? = nil, rating: Double? = nil, code: String? = nil,
        color: CertificationContent.ColorClass = .teen, placeholder: String? = nil, mark: FavoriteMark = .no
    ) -> ScreenItem {
        var content = MovieContent(id: id, title: title)
        content.releaseDate = year.flatMap { CalendarDate(year: $0, month: 7, day: 15) }
        content.voteAverage = rating
        content.certification = code.map {
            CertificationContent(country: "US", code: $0, label: "label", colorClass: color)
        }
        content.poster = placeholder.map { ImageReference(name: "\(id)-poster", aspect: 2.0 / 3, color: $0) }
        content.backdrop = placeholder.map { ImageReference(name: "\(id)-backdrop", aspect: 16.0 / 9, color: $0) }
        return item("movie/\(id)", .movie, .movie(content), subject: "movie/\(id)", mark: mark)
    }

    static func section(
        _ id: String, _ kind: SectionKind, _ layout: SectionLayout?, _ items: [ScreenItem], header: String? = nil,
        footer: Supplement? = nil, sorts: [String] = [], placeholders: Int = 0, error: String? = nil,
        supplements: [String: Supplement] = [:]
    ) -> ScreenSection {
        var head = SectionHead(kind: kind)
        head.layout = layout
        head.header = header.map { Supplement(title: $0) }
        head.footer = footer
        head.sorts = sorts.map { SortOption(id: $0, title: $0.capitalized) }
        head.sort = sorts.first ?? ""
        head.error = error
        head.supplements = supplements
        head.total = UInt32(items.count)
        return ScreenSection(id: id, head: head, items: items, placeholders: placeholders, sum: 0)
    }

    static func screen(_ sections: ScreenSection..., id: ScreenID = .home) -> Screen {
        Screen(id: id, locale: "en", title: "Home", sections: sections, asOf: Date(timeIntervalSince1970: 0))
    }

    // MARK: - Layouts

    static func item(
        _ width: LayoutDimension, _ height: LayoutDimension, insets: LayoutInsets = .zero,
        badges: [LayoutSupplementary] = []
    ) -> LayoutNode {
        .item(width: width, height: height, insets: insets, badges: badges)
    }

    static func group(
        _ axis: LayoutNode.Axis, _ width: LayoutDimension, _ height: LayoutDimension, _ child: LayoutNode,
        count: Int? = nil
    ) -> LayoutNode {
        .group(axis: axis, width: width, height: height, insets: .zero, spacing: 0, count: count, children: [child])
    }

    static func band(_ kind: String, _ height: LayoutDimension, _ edge: LayoutEdges = .top) -> LayoutSupplementary {
        LayoutSupplementary(kind: kind, width: .fractionalWidth(1), height: height, edges: edge)
    }

    static let main = SectionLayout(
        group: group(
            .vertical, .fractionalWidth(1), .absolute(450), item(.fractionalWidth(1), .fractionalHeight(1))),
        insets: LayoutInsets(bottom: 20))

    static let rank = SectionLayout(
        group: group(
            .horizontal, .fractionalWidth(0.4), .fractionalWidth(0.8),
            item(
                .fractionalWidth(1), .fractionalWidth(1.7),
                insets: LayoutInsets(top: 10, leading: 10, bottom: 10, trailing: 10))),
        scrolling: .groupPaging, supplementaries: [band("header", .absolute(44))])

    static let basic = SectionLayout(
        group: group(
            .horizontal, .fractionalWidth(0.9), .estimated(200),
            item(
                .fractionalWidth(0.3), .fractionalHeight(0.75), insets: LayoutInsets(top: 10, leading: 5, trailing: 5)),
            count: 3),
        insets: LayoutInsets(leading: 5, trailing: 5), scrolling: .continuous)

    static let list = SectionLayout(
        group: group(
            .horizontal, .fractionalWidth(1), .absolute(80), item(.fractionalWidth(1), .fractionalHeight(1))),
        insets: LayoutInsets(top: 5, leading: 20, trailing: 20), spacing: 7,
        supplementaries: [band("header", .estimated(50))], decoration: "background")

    static let favorites = SectionLayout(
        group: group(
            .horizontal, .fractionalWidth(1), .fractionalHeight(1 / 3.6),
            item(
                .fractionalWidth(1.0 / 3), .fractionalHeight(1),
                insets: LayoutInsets(top: 12, leading: 7, bottom: 5, trailing: 7),
                badges: [
                    LayoutSupplementary(
                        kind: "minus", width: .absolute(30), height: .absolute(30), edges: [.top, .trailing],
                        offsetX: 0.25, offsetY: -0.6, offsetIsFractional: true)
                ])))

    static let detail = SectionLayout(
        group: group(
            .vertical, .fractionalWidth(1), .estimated(600), item(.fractionalWidth(1), .estimated(600))))

    static let text = SectionLayout(
        group: group(.vertical, .fractionalWidth(1), .estimated(50), item(.fractionalWidth(1), .estimated(50))),
        insets: LayoutInsets(leading: 20, bottom: 8, trailing: 20))
}
