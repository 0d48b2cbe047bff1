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
