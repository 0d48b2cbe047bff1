public import MarqueeModel

/// What a mirror holds.
public struct MirrorStatus: Sendable {
    public struct View: Sendable {
        public var screen: ScreenID
        public var locale: String
        public var revision: Cut
        /// Seconds since 1970.
        public var asOf: Double
        public var sections: Int
        public var items: Int
        public var bytes: Int
    }

    public struct PendingFavorite: Sendable {
        public enum State: String, Sendable { case pending, sent, answered }

        public var subject: Subject
        public var on: Bool
        public var state: State
        /// Seconds since 1970.
        public var since: Double
    }

    public var cluster: String?
    public var user: String?
    public var views: [View]
    public var pending: [PendingFavorite]
    /// The last favorites that were rolled back, oldest first.
    public var rejected: [RejectedFavorite]
    /// What went wrong lately, oldest first.
    public var incidents: [MirrorIncident]

    /// What went wrong last.
    public var lastError: MirrorIncident? { incidents.last }
}

/// A favorite that was refused, or rolled back because there is no telling whether it took effect.
public struct RejectedFavorite: Hashable, Sendable {
    public var subject: Subject
    /// Whether it was set or unset.
    public var on: Bool
    /// For people.
    public var reason: String
    /// When the person changed it, in seconds since 1970.
    public var since: Double
}

/// How sending favorites goes.
public struct FavoriteStatus: Hashable, Sendable {
    /// Those that no confirmed content contains yet.
    public var pending: Int
    /// When the oldest that was not answered was set, in seconds since 1970.
    public var since: Double?
    /// Why the server puts off what waits, if it does.
    public var lastError: ClientError?
    /// The last ones that were rolled back, oldest first.
    public var rejected: [RejectedFavorite]
}

/// Something that went wrong, as a mirror remembers it.
public struct MirrorIncident: Hashable, Sendable {
    /// `connection`, `screen`, `favorite`, `patch`, `damage`, `mirror` or another word.
    public var kind: String
    public var screen: ScreenID?
    /// For people.
    public var message: String
    /// Seconds since 1970.
    public var at: Double
}

/// A stored section whose bytes no longer give their sum.
public struct MirrorDamage: Hashable, Sendable, CustomStringConvertible {
    public var screen: ScreenID
    public var locale: String
    /// Empty for the screen's own list of sections.
    public var section: String
    public var detail: String

    public var description: String {
        screen.name.isEmpty
            ? detail : "\(screen) (\(locale)), \(section.isEmpty ? "list of sections" : section): \(detail)"
    }
}
