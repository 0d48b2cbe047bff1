public import MarqueeModel

/// A kind of screen that a server offers.
public struct OfferedScreen: Hashable, Sendable {
    public struct Section: Hashable, Sendable {
        public var id: String
        public var kind: SectionKind
        public var sorts: [SortOption]
        public var windows: [UInt32]
        /// Items to expect before data arrives.
        public var placeholders: UInt32
    }

    /// Such as `home` or `detail/<movie>`.
    public var pattern: String
    public var title: String
    /// A screen of this kind that exists.
    public var example: ScreenID?
    public var sections: [Section]
}

/// What a server offers.
public struct ServerOffer: Hashable, Sendable {
    public var screens: [OfferedScreen]
    public var locales: [String]
}

/// How a server is.
public struct ServerHealth: Hashable, Sendable {
    /// `serving` or `draining`.
    public var state: String
    public var revision: Cut
    public var sessions: UInt32
    public var subscriptions: UInt32
    public var movies: UInt32
    public var uptime: Duration
    /// Patches encoded since start.
    public var encodes: UInt64
    /// Data frames written since start.
    public var deliveries: UInt64
    public var version: String
}

/// What became of a publication.
public struct PublishReceipt: Hashable, Sendable {
    /// The catalogue's revision that contains it.
    public var revision: UInt64
    /// Whether anything had to change.
    public var changed: Bool
}

/// A page of movies that match a query.
public struct SearchPage: Sendable {
    /// The caller's, so that late answers of an older query are told apart.
    public var queryID: UInt64
    public var items: [ScreenItem]
    /// Movies that match; a server counts up to a limit of its own.
    public var total: UInt32
    /// Whether more match than `total` counts.
    public var isTotalCapped = false
    /// From 1.
    public var page: UInt32
    public var pages: UInt32
    /// The position of the catalogue that was searched.
    public var revision: Cut
}
