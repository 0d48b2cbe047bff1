/// The name of a screen: `home`, `episode/e1`, `favorites`.
public struct ScreenID: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringInterpolation {
    /// Maximum length of a screen's name in bytes.
    package static let maximumLength = 256

    /// The name, such as `home` or `detail/27205`.
    public var name: String

    /// The screen with this name.
    public init(_ name: String) { self.name = name }
    public init(stringLiteral value: String) { self.init(value) }

    /// The screen that an app opens with.
    public static let home = ScreenID("home")
    /// The screen of the user's favorites.
    public static let favorites = ScreenID("favorites")

    /// The user's collections, one section each. Every client with a user subscribes to it alongside its screens.
    package static let collectionSet = ScreenID("user-collections")

    /// The part before the first slash; the whole name if there is none.
    package var family: String { String(name.prefix { $0 != "/" }) }

    /// The part after the first slash, if there is one.
    package var argument: String? {
        guard let slash = name.firstIndex(of: "/") else { return nil }
        return String(name[name.index(after: slash)...])
    }

    public var description: String { name }
}

/// The name of an entity, as used by items and collections: its type and its id, `episode/e1`. Ids are strings.
public struct Subject: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringInterpolation {
    /// Maximum length of a subject in bytes.
    package static let maximumLength = 256

    /// The text, such as `episode/e1`.
    public var name: String

    /// The subject with this text.
    public init(_ name: String) { self.name = name }
    public init(stringLiteral value: String) { self.init(value) }

    public var description: String { name }
}
