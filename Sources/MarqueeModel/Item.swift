/// One entry of a section: identity and kind, separate from content.
///
/// The body is the encoded message of the item's kind. It is stored, hashed and forwarded as bytes, never re-encoded.
package struct Item: Hashable, Sendable {
    /// Unique within its section, never empty.
    package var id: String
    package var kind: ItemKind
    /// Zeroes the padding after `kind`, whose bytes would be undefined: `MarqueeDiff` compares items with `memcmp`.
    private let zero: UInt32 = 0
    /// The entity the item represents, such as `episode/e1`; may be empty.
    package var subject: String
    package var body: [UInt8]

    package init(id: String, kind: ItemKind, subject: String = "", body: [UInt8]) {
        self.id = id
        self.kind = kind
        self.subject = subject
        self.body = body
    }
}

/// The kind of an item. An open set: numbers unknown to this build are carried unchanged.
public struct ItemKind: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A member of a collection, in `ScreenID.collectionSet`.
    package static let member = ItemKind(rawValue: 9)
    /// An item whose kind the server doesn't know, kept as received from a feed. Its content is `encoded`.
    package static let other = ItemKind(rawValue: 12)
    /// An item that any viewer can draw: its body is a `CardContent`.
    package static let card = ItemKind(rawValue: 13)

    /// Whether the item is a record of one of the operator's types, and its body the record's own bytes. Numbers below
    /// 1,000 are reserved for the protocol and its presets.
    package var isRecord: Bool { rawValue >= 1_000 }

    /// An entry in a view's list of sections.
    package static let section = ItemKind(rawValue: 100)
}

/// How a section is meant to be shown. An open set.
public struct SectionKind: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A screen's main content.
    public static let main = SectionKind(rawValue: 1)
    /// A numbered ranking.
    public static let rank = SectionKind(rawValue: 2)
    /// A plain row.
    public static let basic = SectionKind(rawValue: 3)
    /// Large pictures.
    public static let large = SectionKind(rawValue: 4)
    /// Tiles of genres.
    package static let genres = SectionKind(rawValue: 5)
    /// A chart that shows how ranks have moved.
    public static let chart = SectionKind(rawValue: 6)
    /// A description of a record.
    public static let detail = SectionKind(rawValue: 7)
    /// The people who made something.
    package static let credits = SectionKind(rawValue: 8)
    /// Rows, one below another.
    public static let list = SectionKind(rawValue: 9)
    /// A grid.
    public static let grid = SectionKind(rawValue: 10)
    /// A wide picture that links to a screen or URL.
    public static let banner = SectionKind(rawValue: 11)
    /// Running text.
    public static let text = SectionKind(rawValue: 12)
    /// Courses to take.
    package static let courses = SectionKind(rawValue: 13)
    /// Categories to choose from.
    package static let categories = SectionKind(rawValue: 14)
    /// One large picture at the top.
    package static let hero = SectionKind(rawValue: 15)
    /// Places.
    package static let places = SectionKind(rawValue: 16)
    /// The user's favorites.
    public static let favorites = SectionKind(rawValue: 17)
    /// A section of a type that the server doesn't know. Clients that don't know it skip it.
    public static let other = SectionKind(rawValue: 19)
    /// The members of one of a user's collections, which a client applies to every screen.
    package static let collectionSet = SectionKind(rawValue: 18)

    /// The names used in programme files and by the CLI.
    package static let names: [(SectionKind, String)] = [
        (.main, "main"), (.rank, "rank"), (.basic, "basic"), (.large, "large"), (.genres, "genres"), (.chart, "chart"),
        (.detail, "detail"), (.credits, "credits"), (.list, "list"), (.grid, "grid"), (.banner, "banner"),
        (.text, "text"), (.courses, "courses"), (.categories, "categories"), (.hero, "hero"), (.places, "places"),
        (.favorites, "favorites"), (.collectionSet, "collection-set"),
        (.other, "other"),
    ]

    /// Whether this build knows it.
    package var isKnown: Bool { SectionKind.names.contains { $0.0 == self } }

    /// Its name in programmes; for a kind unknown to this build, `kind-` and its number.
    public var name: String {
        SectionKind.names.first { $0.0 == self }?.1 ?? "kind-\(rawValue)"
    }
}
