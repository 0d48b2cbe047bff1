import MarqueeTypes

/// The roles that a type's fields have on screens.
struct ScaffoldRoles: Hashable {
    /// A record's name; `nil` if no field is one.
    var title: String?
    /// Short texts beside the title.
    var subtitle: [String] = []
    /// Running text.
    var text: String?
    var image: String?
    /// The day or time to order by.
    var date: String?
    /// The number to order by.
    var number: String?
    /// A text with few values, or a reference.
    var tile: String?
    var search: [String] = []
    var sorts: [String] = []
    var facets: [String] = []

    /// The most tiles that a screen shows.
    static let tiles = 24
    private static let searchFields = 3
    private static let sortFields = 5
    private static let referenceFields = 4

    private static let titles = [
        "title", "name", "headline", "label", "subject", "caption", "model", "ileum", "imeum", "jemog", "jemok",
        "nombre", "nom",
    ]
    private static let texts = [
        "description", "summary", "text", "body", "content", "overview", "abstract", "bio", "notes",
    ]
    private static let images = [
        "image", "photo", "picture", "poster", "cover", "thumbnail", "thumb", "avatar", "logo", "icon", "portrait",
    ]
    private static let dates = [
        "published", "released", "release", "created", "added", "ordered", "placed", "posted", "opened", "starts",
        "start",
        "date", "recorded", "measured", "observed", "updated", "modified",
    ]
    private static let numbers = [
        "popularity", "rank", "score", "rating", "votes", "views", "plays", "downloads", "sales", "sold", "revenue",
        "likes",
        "followers", "passengers", "population", "visitors", "total", "amount", "count", "price", "value",
    ]
    /// Numbers that are names, places on a map or the like.
    private static let names: Set<String> = [
        "id", "lat", "latitude", "lon", "lng", "long", "longitude", "x", "y", "year", "month", "day", "zip", "postal",
        "code",
        "version", "position", "line", "seq", "sequence", "order", "sort", "phone", "number", "no", "key", "index",
        "floor",
    ]
    /// Names of columns by which people sort things into groups.
    private static let kinds = [
        "category", "type", "kind", "genre", "class", "group", "department", "country", "region", "origin", "brand",
        "make", "species", "city", "status", "level", "license",
    ]

    init() {}

    init(_ type: PlannedType) {
        let references = Set(type.references.map(\.field))
        let rows = type.fields.map(\.profile.count).max() ?? 0
        let plain = type.fields.filter { !references.contains($0.name) }
        image = Self.image(plain)
        title = Self.title(plain.filter { $0.name != image }, id: type.id)
        text =
            plain.filter { $0.isText && ![title, image].contains($0.name) && $0.profile.looks[.link] == nil }
            .filter { $0.profile.averageLength > 60 || Self.texts.contains($0.name) && $0.profile.longest > 60 }
            .max { $0.profile.averageLength < $1.profile.averageLength }?.name
        date = Self.date(plain)
        number = Self.number(plain, id: type.id)
        let short = plain.filter { field in
            field.isText && ![title, text, image, type.id].contains(field.name)
                && field.profile.isAll(.text, .code, .integer) && field.profile.longest <= 40
                && field.type.form == .single
        }
        // Values that many rows share.
        let groups = short.filter { field in
            guard let distinct = field.profile.distinct else { return false }
            return distinct > 1 && distinct * 2 <= field.profile.count && distinct <= 200
                && field.profile.count * 2 > rows
        }
        let lists = plain.filter { $0.type == InlineFieldType(.text, .list) && $0.profile.longest <= 200 }
        let linked = type.references.first { $0.type != type.alias }?.field
        // A column of the table's own says more than a part of its JSON.
        let own = groups.filter { !$0.column.contains(".") }
        let good = own.filter { Self.isGood($0) }
        let kind = good.filter { $0.rank(in: Self.kinds) != nil }
            .min { ($0.rank(in: Self.kinds) ?? 0) < ($1.rank(in: Self.kinds) ?? 0) }
        tile = (kind ?? good.first)?.name ?? linked ?? (own.first ?? groups.first ?? lists.first)?.name
        subtitle = Self.subtitle(short, groups, tile)
        chooseIndexes(type, plain, groups, lists)
    }

    private static func isGood(_ field: PlannedField) -> Bool {
        (field.profile.distinct ?? 0) <= 60 && field.profile.amounts == 0 && !field.profile.isMostlyNumbers
    }

    private static func subtitle(_ short: [PlannedField], _ groups: [PlannedField], _ tile: String?) -> [String] {
        let first = short.filter { !$0.profile.isDistinct && $0.name != tile && $0.profile.averageLength > 2 }.prefix(1)
        return first.map(\.name) + groups.filter { $0.name == tile }.map(\.name)
    }

    private mutating func chooseIndexes(
        _ type: PlannedType, _ plain: [PlannedField], _ groups: [PlannedField], _ lists: [PlannedField]
    ) {
        let texts = plain.filter { $0.isText && $0.profile.looks[.link] == nil && $0.name != image }
        search = ([title, text].compactMap { $0 } + subtitle + texts.map(\.name))
            .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
            .prefix(Self.searchFields).map { $0 }
        let days = plain.filter(\.isDay).map(\.name)
        let numbers = plain.filter { $0.isNumber && Self.isMeasure($0) && $0.name != type.id }.map(\.name)
        sorts = ([date, number, title].compactMap { $0 } + days + numbers)
            .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
            .prefix(Self.sortFields).map { $0 }
        let linked = type.references.prefix(Self.referenceFields).map(\.field)
        let free = TypeLimits.indexes - search.count - 1 - sorts.count - 2 * linked.count
        let flags = plain.filter { $0.type == InlineFieldType(.boolean) }
        let others = ([tile].compactMap { $0 } + groups.map(\.name) + lists.map(\.name) + flags.map(\.name))
            .filter { !linked.contains($0) }
            .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        facets = linked + others.prefix(max(0, min(3, free)))
    }

    /// The references that there is room for.
    static func references(_ all: [PlannedType.Reference]) -> [PlannedType.Reference] {
        Array(all.prefix(referenceFields))
    }

    // MARK: - Single roles

    private static func title(_ fields: [PlannedField], id: String?) -> String? {
        let texts = fields.filter {
            $0.isText && $0.profile.looks[.link] == nil && ($0.profile.longest <= 200 || $0.type.form == .byLocale)
        }
        let named = texts.filter { $0.rank(in: titles) != nil }
            .min { a, b in
                // `name` before `short_name`.
                let (first, second) = (a.rank(in: titles) ?? 0, b.rank(in: titles) ?? 0)
                return a.words.count != b.words.count ? a.words.count < b.words.count : first < second
            }
        if let named { return named.name }
        if let localized = texts.first(where: { $0.type.form == .byLocale }) { return localized.name }
        let speaking = texts.filter {
            $0.profile.isAll(.text) && $0.profile.averageLength >= 3 && $0.name != id && isMeasure($0)
                && $0.rank(in: self.texts) == nil
        }
        if let distinct = speaking.first(where: { $0.profile.isDistinct && !$0.name.hasSuffix("id") }) {
            return distinct.name
        }
        let rich = speaking.first { field in
            guard let distinct = field.profile.distinct else { return true }
            return distinct * 2 > field.profile.count
        }
        if let rich { return rich.name }
        // An id that people read, such as a package's name.
        return texts.first { field in
            field.name == id && field.profile.isAll(.text) && field.profile.averageLength >= 3
                && field.rank(in: ScaffoldPlan.keyNames) == nil
        }?.name
    }

    private static func image(_ fields: [PlannedField]) -> String? {
        let links = fields.filter { $0.type == InlineFieldType(.text) && $0.profile.isAll(.link) }
        return (links.first { $0.rank(in: images) != nil } ?? links.first { $0.profile.images * 2 > $0.profile.count })?
            .name
    }

    private static func date(_ fields: [PlannedField]) -> String? {
        let days = fields.filter(\.isDay)
        return
            (days.filter { $0.rank(in: dates) != nil }.min { ($0.rank(in: dates) ?? 0) < ($1.rank(in: dates) ?? 0) }
            ?? days.first)?.name
    }

    private static func number(_ fields: [PlannedField], id: String?) -> String? {
        let measures = fields.filter {
            $0.isNumber && $0.name != id && isMeasure($0) && $0.profile.least < $0.profile.largest
        }
        return
            (measures.filter { $0.rank(in: numbers) != nil }
            .min { ($0.rank(in: numbers) ?? 0) < ($1.rank(in: numbers) ?? 0) } ?? measures.first)?.name
    }

    static func isMeasure(_ field: PlannedField) -> Bool { !field.words.contains { names.contains($0) } }
}
