import Foundation
package import MarqueeCatalogue
package import MarqueeModel
package import MarqueePresetRecords
import MarqueePresets
package import MarqueeStore
import MarqueeTypes

/// Records and lists of a store, read back as the values that the presets made them of.
extension StoreEngine {
    package func allChanges() throws -> [Change] {
        var changes: [Change] = []
        _ = try snapshot { changes.append($0) }
        return changes
    }

    package func movies() throws -> [Movie] { try records("movie").map { Movie($0.fields) }.sorted { $0.id < $1.id } }

    /// Without the part of the crew that no screen shows.
    package func credits() throws -> [Credits] {
        try records("credits").map { Credits($0.fields) }.sorted { $0.movie < $1.movie }
    }

    package func genres() throws -> [Genre] {
        try records("genre").map { Genre(id: $0.fields.number("id") ?? 0, names: $0.fields.texts("name") ?? [:]) }
            .sorted { $0.id < $1.id }
    }

    package func pages() throws -> [Page] {
        try allChanges().compactMap { if case .page(let page) = $0 { page } else { nil } }
    }

    package func chartDays() throws -> [ChartDay] {
        let place = try presetTypes()?.list("chart")?.place
        return try lists("chart").compactMap { list -> ChartDay? in
            guard let step = list.name.edition.flatMap({ ChartStep($0) }) else { return nil }
            let entries = try list.entries.map { entry in
                ChartDay.Entry(entry, try StoredFields(json: place?.json(of: entry.placeBytes ?? []) ?? "{}"))
            }
            let chart = String(list.name.list.dropFirst("chart/".count))
            return ChartDay(chart: chart, date: step.date, time: step.time, entries: entries)
        }
    }

    /// The days shown by charts.
    package func shownDays() throws -> [CalendarDate] {
        try allChanges().compactMap { if case .show(_, let edition) = $0 { ChartStep(edition)?.date } else { nil } }
    }

    /// - Parameter name: of the list that it is.
    package func shelf(_ name: String) throws -> Shelf? {
        guard let list = try lists("shelf").first(where: { $0.name.list == name }) else { return nil }
        let items = try list.entries.compactMap { entry -> ShelfItem? in
            guard let record = entry.record else { return nil }
            if record.type == "movie" {
                return UInt64(record.id).map { ShelfItem(id: entry.key, content: .movie($0)) }
            }
            let fields = try records(record.type).first { $0.id == record.id }?.fields
            return fields.flatMap { ShelfItem.Content(record.type, $0) }.map { ShelfItem(id: entry.key, content: $0) }
        }
        return Shelf(id: String(name.dropFirst("shelf/".count)), items: items)
    }

    private func lists(_ declared: String) throws -> [RecordList] {
        try allChanges().compactMap { change in
            if case .list(let list) = change, list.name.declared == declared { list } else { nil }
        }
    }

    private func presetTypes() throws -> TypeSet? {
        for case .types(let document) in try allChanges() { return try TypeSet(document, file: "types") }
        return nil
    }

    private func records(_ alias: String) throws -> [(id: String, fields: StoredFields)] {
        guard let coder = try presetTypes()?.type(alias)?.coder else { return [] }
        return try allChanges().compactMap { change in
            guard case .put(let id, .bytes(let bytes)) = change, id.type == alias else { return nil }
            return (id.id, try StoredFields(json: coder.json(of: bytes)))
        }
    }
}

/// The fields of a message, by their names in JSON.
private struct StoredFields {
    private let values: [String: Any]

    init(json: String) throws {
        values = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any] ?? [:]
    }

    private init(_ values: [String: Any]) { self.values = values }

    func text(_ name: String) -> String? { values[name] as? String }
    func real(_ name: String) -> Double? { (values[name] as? NSNumber)?.doubleValue }
    func flag(_ name: String) -> Bool? { values[name] as? Bool }
    func texts(_ name: String) -> [String: String]? { values[name] as? [String: String] }
    func list(_ name: String) -> [String]? { values[name] as? [String] }
    func messages(_ name: String) -> [StoredFields] {
        (values[name] as? [[String: Any]] ?? []).map { StoredFields($0) }
    }
    func message(_ name: String) -> StoredFields? { (values[name] as? [String: Any]).map { StoredFields($0) } }

    /// Numbers of 64 bits are texts in JSON.
    func number<Number: FixedWidthInteger>(_ name: String) -> Number? {
        text(name).flatMap { Number($0) } ?? (values[name] as? NSNumber).map { Number(truncating: $0) }
    }

    func image(_ name: String) -> ImageReference? {
        message(name).map {
            ImageReference(name: $0.text("name") ?? "", aspect: $0.real("aspect"), color: $0.text("color"))
        }
    }
}

extension FixedWidthInteger {
    fileprivate init(truncating number: NSNumber) { self.init(truncatingIfNeeded: number.int64Value) }
}

extension Movie {
    fileprivate init(_ fields: StoredFields) {
        var titles = fields.texts("title") ?? [:]
        self.init(id: fields.number("id") ?? 0, title: titles.removeValue(forKey: "en") ?? "")
        self.titles = titles.isEmpty ? nil : titles
        originalTitle = fields.text("originalTitle")
        originalLanguage = fields.text("originalLanguage")
        releaseDate = fields.text("releaseDate").flatMap { CalendarDate($0) }
        runtime = fields.number("runtime")
        genres = fields.list("genres")?.compactMap { UInt64($0) }
        countries = fields.list("countries")
        popularity = fields.real("popularity")
        revenue = fields.number("revenue")
        voteAverage = fields.real("voteAverage")
        voteCount = fields.number("voteCount")
        tagline = fields.text("tagline")
        overview = fields.text("overview")
        poster = fields.image("poster")
        backdrop = fields.image("backdrop")
        if let code = fields.message("certificate")?.text("code"), code != "NR" { certifications = ["US": code] }
    }
}

extension Credits {
    fileprivate init(_ fields: StoredFields) {
        self.init(
            movie: fields.number("movie") ?? 0,
            cast: fields.messages("cast").map {
                Cast(person: $0.number("person") ?? 0, name: $0.text("name") ?? "", character: $0.text("character"))
            },
            crew: fields.messages("directors").map {
                Crew(
                    person: $0.number("person") ?? 0, name: $0.text("name") ?? "", job: $0.text("job") ?? "",
                    department: nil)
            })
    }
}

extension ChartDay.Entry {
    fileprivate init(_ entry: ListEntry, _ place: StoredFields) {
        self.init(key: String(entry.key.dropFirst("release/".count)), title: place.text("title") ?? "")
        movie = entry.record.flatMap { UInt64($0.id) }
        rank = place.number("rank")
        previousRank = place.number("previousRank")
        isNew = place.flag("isNew")
        gross = place.number("gross")
        grossToDate = place.number("grossToDate")
        currency = place.text("currency")
        audience = place.number("audience")
        audienceToDate = place.number("audienceToDate")
        share = place.real("share")
        hours = place.number("hours")
        views = place.number("views")
        weeks = place.number("weeks")
        theaters = place.number("theaters")
        daysInRelease = place.number("daysInRelease")
        distributor = place.text("distributor")
    }
}

extension ShelfItem.Content {
    /// - Returns: `nil` for a type that no shelf has.
    fileprivate init?(_ type: String, _ fields: StoredFields) {
        switch type {
        case "banner":
            var banner = BannerContent(title: fields.text("title") ?? "")
            banner.caption = fields.text("caption")
            banner.description = fields.text("description")
            banner.image = fields.image("image")
            banner.link = fields.text("link")
            banner.actions = fields.messages("actions").map { ScreenAction($0) }
            self = .banner(banner)
        case "text":
            self = .text(
                TextContent(
                    text: fields.text("text") ?? "", highlighted: fields.text("highlighted"),
                    action: fields.message("action").map { ScreenAction($0) }))
        case "course":
            var course = CourseContent(title: fields.text("title") ?? "")
            course.author = fields.text("author")
            course.rating = fields.real("rating")
            course.reviews = fields.number("reviews")
            course.price = fields.text("price")
            course.currency = fields.text("currency")
            course.tag = fields.text("tag")
            course.image = fields.image("image")
            self = .course(course)
        case "categories": self = .categories(fields.list("titles") ?? [])
        case "spot":
            self = .place(
                PlaceContent(
                    title: fields.text("title") ?? "", distance: fields.text("distance"), image: fields.image("image")))
        case "other": self = .other(type: fields.text("type") ?? "", value: fields.text("value") ?? "")
        default: return nil
        }
    }
}

extension ScreenAction {
    fileprivate init(_ fields: StoredFields) {
        self.init(id: fields.text("id") ?? "", title: fields.text("title") ?? "", target: fields.text("target") ?? "")
    }
}
