/// The name of a screen: `home`, `detail/27205`, `genre/28`, `favorites`.
public struct ScreenID: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// Maximum length of a screen's name in bytes.
    public static let maximumLength = 256

    public var name: String

    public init(_ name: String) { self.name = name }
    public init(stringLiteral value: String) { self.init(value) }

    public static let home = ScreenID("home")
    public static let favorites = ScreenID("favorites")
    public static func detail(_ movie: UInt64) -> ScreenID { ScreenID("detail/\(movie)") }
    public static func genre(_ genre: UInt64) -> ScreenID { ScreenID("genre/\(genre)") }

    /// The screen with the details of a movie or of an item of a shelf; `nil` for any other subject.
    public static func detail(of subject: Subject) -> ScreenID? {
        if let movie = subject.movie { return .detail(movie) }
        return subject.item.map { ScreenID("detail/\($0)") }
    }

    /// The user's collections, a section each, which every client with a user subscribes to alongside its screens.
    package static let collectionSet = ScreenID("user-collections")

    /// The part before the slash.
    public var family: String { String(name.prefix { $0 != "/" }) }

    /// The part after the first slash, if there is one.
    public var argument: String? {
        guard let slash = name.firstIndex(of: "/") else { return nil }
        return String(name[name.index(after: slash)...])
    }

    public var description: String { name }
}

/// The name of an entity, as used by items and collections: `movie/27205`.
public struct Subject: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// Maximum length of a subject in bytes.
    public static let maximumLength = 256

    public var name: String

    public init(_ name: String) { self.name = name }
    public init(stringLiteral value: String) { self.init(value) }

    public static func movie(_ id: UInt64) -> Subject { Subject("movie/\(id)") }

    /// The movie's id, if the subject is a movie.
    public var movie: UInt64? {
        guard name.hasPrefix("movie/") else { return nil }
        return UInt64(name.dropFirst("movie/".count))
    }

    public var description: String { name }
}
