import Foundation
package import MarqueeModel
import MarqueePresets
import MarqueeTypes

/// Items and sections as JSON. A field without a value has no key.
package enum ContentJSON {
    /// Everything in a section except its items and its sum.
    package static func head(_ id: String, _ head: SectionHead, placeholders: Int) -> [String: JSONDocument] {
        JSONDocument.pairs([
            "id": .string(id),
            "kind": .string(head.kind.name),
            "title": text(head.header?.title),
            "footer": text(head.footer?.title),
            "supplements": head.supplements.isEmpty
                ? nil : .object(head.supplements.mapValues { .string($0.title) }),
            "sort": text(head.sort),
            "sorts": head.sorts.isEmpty ? nil : .strings(head.sorts.map(\.id)),
            "window": head.window == 0 ? nil : .integer(head.window),
            "windows": head.windows.isEmpty ? nil : .array(head.windows.map { .integer($0) }),
            "anywhere": head.anywhere == 0 ? nil : .integer(head.anywhere),
            "first": head.anywhere == 0 ? nil : .integer(head.first),
            "total": .integer(head.total),
            "totalCapped": head.isTotalCapped ? .bool(true) : nil,
            "collection": text(head.collection?.name),
            "counting": head.counting.map { counting($0) },
            "hasMore": .bool(head.hasMore),
            "error": text(head.error),
            "errorReason": text(head.errorReason),
            "placeholders": placeholders == 0 ? nil : .integer(placeholders),
        ])
    }

    private static func counting(_ counting: Counting) -> JSONDocument {
        .object(
            JSONDocument.pairs([
                "share": counting.impressions.map { .integer($0.share) },
                "for": counting.impressions.map { .integer($0.duration) },
                "again": counting.impressions.map { .integer($0.again) },
                "taps": .bool(counting.taps),
            ]))
    }

    /// 16 digits.
    package static func hexadecimal(_ sum: UInt64) -> String {
        let digits = String(sum, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func document(_ json: String) -> JSONDocument? {
        (try? JSONValue(parsing: Array(json.utf8))).flatMap { JSONDocument($0) }
    }

    /// The name of an item's kind; `kind-42` for one this program does not know.
    package static func kind(_ kind: ItemKind) -> String {
        switch kind {
        case .movie: "movie"
        case .genre: "genre"
        case .credit: "credit"
        case .banner: "banner"
        case .text: "text"
        case .course: "course"
        case .categories: "categories"
        case .detail: "detail"
        case .member: "member"
        case .chartEntry: "chart-entry"
        case .place: "place"
        case .card: "card"
        case .other: "other"
        default: "kind-\(kind.rawValue)"
        }
    }

    /// - Parameter record: more about the record that the item carries: its fields, by its schema.
    package static func content(_ content: ItemContent, record: [String: JSONDocument]? = nil) -> JSONDocument {
        switch content.decoded {
        case .preset(.movie(let movie)):
            .object([
                "id": number(movie.id), "title": .string(movie.title), "originalTitle": text(movie.originalTitle),
                "releaseDate": text(movie.releaseDate?.description), "runtime": number(movie.runtime),
                "genres": list(movie.genres), "voteAverage": number(movie.voteAverage),
                "voteCount": number(movie.voteCount), "popularity": number(movie.popularity),
                "certification": certification(movie.certification), "overview": text(movie.overview),
                "revenue": number(movie.revenue), "poster": image(movie.poster), "backdrop": image(movie.backdrop),
            ])
        case .preset(.detail(let detail)):
            .object([
                "id": number(detail.id), "title": .string(detail.title), "originalTitle": text(detail.originalTitle),
                "releaseDate": text(detail.releaseDate?.description), "countries": list(detail.countries),
                "genres": list(detail.genres), "runtime": number(detail.runtime), "tagline": text(detail.tagline),
                "overview": text(detail.overview), "infoLine": text(detail.infoLine),
                "certification": certification(detail.certification), "directors": list(detail.directors),
                "voteAverage": number(detail.voteAverage), "voteCount": number(detail.voteCount),
                "revenue": number(detail.revenue), "poster": image(detail.poster), "backdrop": image(detail.backdrop),
            ])
        case .preset(.chartEntry(let entry)):
            .object([
                "title": .string(entry.title), "rank": number(entry.rank), "previousRank": number(entry.previousRank),
                "isNew": entry.isNew ? .bool(true) : nil, "movie": number(entry.movie),
                "releaseDate": text(entry.releaseDate?.description), "gross": number(entry.gross),
                "grossToDate": number(entry.grossToDate), "theaters": number(entry.theaters),
                "daysInRelease": number(entry.daysInRelease), "distributor": text(entry.distributor),
                "voteAverage": number(entry.voteAverage), "poster": image(entry.poster),
                "currency": text(entry.currency), "audience": number(entry.audience),
                "audienceToDate": number(entry.audienceToDate), "share": number(entry.share),
                "hours": number(entry.hours), "views": number(entry.views), "weeks": number(entry.weeks),
            ])
        case .preset(.genre(let genre)):
            .object([
                "id": number(genre.id), "name": .string(genre.name), "movies": .integer(genre.movies),
                "image": image(genre.image),
            ])
        case .preset(.credit(let credit)):
            .object([
                "person": number(credit.person), "name": .string(credit.name), "character": text(credit.character),
                "job": text(credit.job), "portrait": image(credit.portrait),
            ])
        case .preset(.banner(let banner)):
            .object([
                "title": .string(banner.title), "caption": text(banner.caption),
                "description": text(banner.description), "link": text(banner.link), "image": image(banner.image),
                "actions": banner.actions.isEmpty ? nil : .array(banner.actions.map(action)),
            ])
        case .preset(.text(let value)):
            .object([
                "text": .string(value.text), "highlighted": text(value.highlighted), "action": value.action.map(action),
            ])
        case .preset(.course(let course)):
            .object([
                "title": .string(course.title), "author": text(course.author), "rating": number(course.rating),
                "reviews": number(course.reviews), "price": text(course.price), "currency": text(course.currency),
                "tag": text(course.tag), "image": image(course.image),
            ])
        case .preset(.categories(let titles)): .object(["titles": .strings(titles)])
        case .preset(.place(let place)):
            .object([
                "title": .string(place.title), "distance": text(place.distance), "image": image(place.image),
            ])
        case .card(let value): card(value, record)
        case .member(let revision, let value):
            .object(["revision": .unsigned(revision), "value": value.flatMap { Self.document($0.json) }])
        case .unknown(let kind, let bytes):
            .object(
                ["kindNumber": .integer(kind.rawValue), "bytes": .string(bytes.hexadecimal)]
                    .merging(record ?? [:]) { own, _ in own })
        }
    }

    private static func card(_ card: CardContent, _ reading: [String: JSONDocument]?) -> JSONDocument {
        .object([
            "overline": text(card.overline), "title": .string(card.title), "subtitle": text(card.subtitle),
            "caption": text(card.caption), "image": image(card.image),
            "badges": array(card.badges.map { ["text": .string($0.text), "role": .string($0.role.rawValue)] }),
            "rating": card.rating.map {
                .object(["value": .number($0.value), "scale": .number($0.scale), "count": number($0.count)])
            },
            "price": card.price.map { .object(["amount": .string($0.amount), "currency": text($0.currency)]) },
            "rank": card.rank.map {
                .object([
                    "place": number($0.place), "previous": number($0.previous), "isNew": $0.isNew ? .bool(true) : nil,
                ])
            },
            "progress": card.progress.map {
                .object(["value": .number($0.value), "total": number($0.total), "unit": text($0.unit)])
            },
            "facts": array(card.facts.map { ["label": .string($0.label), "value": .string($0.value)] }),
            "actions": card.actions.isEmpty ? nil : .array(card.actions.map(action)), "text": text(card.text),
            "record": card.record.map {
                .object(
                    ["message": .string($0.message), "bytes": .string(Data($0.bytes).base64EncodedString())]
                        .merging(reading ?? [:]) { own, _ in own })
            },
        ])
    }

    // MARK: - Parts

    private static func array(_ objects: [[String: JSONDocument]]) -> JSONDocument? {
        objects.isEmpty ? nil : .array(objects.map { .object($0) })
    }

    private static func text(_ text: String?) -> JSONDocument? {
        text.flatMap { $0.isEmpty ? nil : .string($0) }
    }

    private static func list(_ texts: [String]) -> JSONDocument? { texts.isEmpty ? nil : .strings(texts) }

    private static func number(_ value: (some BinaryInteger)?) -> JSONDocument? { value.map { .integer($0) } }

    private static func number(_ value: Double?) -> JSONDocument? { value.map { .number($0) } }

    private static func image(_ image: ImageReference?) -> JSONDocument? {
        image.map {
            .object(["name": .string($0.name), "aspect": number($0.aspect), "color": text($0.color)])
        }
    }

    private static func certification(_ value: CertificationContent?) -> JSONDocument? {
        value.map {
            .object([
                "country": .string($0.country), "code": .string($0.code), "label": .string($0.label),
                "colorClass": .string($0.colorClass.rawValue),
            ])
        }
    }

    private static func action(_ action: ScreenAction) -> JSONDocument {
        .object(["id": .string(action.id), "title": .string(action.title), "target": text(action.target)])
    }
}
