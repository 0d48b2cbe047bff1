/// One entry of a section: identity and kind apart from content.
///
/// The body is the encoded message of the item's kind. It is stored, hashed and forwarded as bytes, never re-encoded.
package struct Item: Hashable, Sendable {
    /// Unique within its section, never empty.
    package var id: String
    package var kind: ItemKind
    /// The entity that the item stands for, such as `movie/27205`; may be empty.
    package var subject: String
    package var body: [UInt8]

    package init(id: String, kind: ItemKind, subject: String = "", body: [UInt8]) {
        self.id = id
        self.kind = kind
        self.subject = subject
        self.body = body
    }
}

/// What an item is. An open set: numbers that this build does not know are carried unchanged.
public struct ItemKind: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let movie = ItemKind(rawValue: 1)
    public static let genre = ItemKind(rawValue: 2)
    public static let credit = ItemKind(rawValue: 3)
    public static let banner = ItemKind(rawValue: 4)
    public static let text = ItemKind(rawValue: 5)
    public static let course = ItemKind(rawValue: 6)
    public static let categories = ItemKind(rawValue: 7)
    public static let detail = ItemKind(rawValue: 8)
    public static let favorite = ItemKind(rawValue: 9)
    public static let chartEntry = ItemKind(rawValue: 10)
    public static let place = ItemKind(rawValue: 11)
    /// Something that the server does not know either and keeps as a feed brought it. Its content is `unknown`.
    public static let other = ItemKind(rawValue: 12)
    /// A section, in a view's own list of sections.
    package static let section = ItemKind(rawValue: 100)

    /// Every kind that this build decodes, ascending.
    package static let known: [ItemKind] = [
        .movie, .genre, .credit, .banner, .text, .course, .categories, .detail, .favorite, .chartEntry, .place,
        .section,
    ]
}

/// How a section is meant to be shown. An open set.
public struct SectionKind: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let main = SectionKind(rawValue: 1)
    public static let rank = SectionKind(rawValue: 2)
    public static let basic = SectionKind(rawValue: 3)
    public static let large = SectionKind(rawValue: 4)
    public static let genres = SectionKind(rawValue: 5)
    public static let chart = SectionKind(rawValue: 6)
    public static let detail = SectionKind(rawValue: 7)
    public static let credits = SectionKind(rawValue: 8)
    public static let list = SectionKind(rawValue: 9)
    public static let grid = SectionKind(rawValue: 10)
    public static let banner = SectionKind(rawValue: 11)
    public static let text = SectionKind(rawValue: 12)
    public static let courses = SectionKind(rawValue: 13)
    public static let categories = SectionKind(rawValue: 14)
    public static let hero = SectionKind(rawValue: 15)
    public static let places = SectionKind(rawValue: 16)
    public static let favorites = SectionKind(rawValue: 17)
    /// A section of a type that the server does not know; to be skipped by who does not know it either.
    public static let other = SectionKind(rawValue: 19)
    /// The private set of favorite subjects that a client lays over every screen.
    package static let favoriteSet = SectionKind(rawValue: 18)

    /// The names used in programme files and by the CLI.
    public static let names: [(SectionKind, String)] = [
        (.main, "main"), (.rank, "rank"), (.basic, "basic"), (.large, "large"), (.genres, "genres"), (.chart, "chart"),
        (.detail, "detail"), (.credits, "credits"), (.list, "list"), (.grid, "grid"), (.banner, "banner"),
        (.text, "text"), (.courses, "courses"), (.categories, "categories"), (.hero, "hero"), (.places, "places"),
        (.favorites, "favorites"), (.favoriteSet, "favorite-set"),
        (.other, "other"),
    ]

    public var name: String {
        SectionKind.names.first { $0.0 == self }?.1 ?? "kind-\(rawValue)"
    }
}
