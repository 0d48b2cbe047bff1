public import MarqueeModel

/// A kind of screen that a server offers.
@_spi(Admin) public struct OfferedScreen: Hashable, Sendable {
    public struct Section: Hashable, Sendable {
        public var id: String
        public var kind: SectionKind
        public var sorts: [SortOption]
        public var windows: [Int]
        /// The number of items to expect before data arrives.
        public var placeholders: Int
        /// The most rows of a window anywhere in the list; 0 for a section without such windows.
        public var anywhere: Int

        public init(
            id: String, kind: SectionKind, sorts: [SortOption] = [], windows: [Int] = [], placeholders: Int = 0,
            anywhere: Int = 0
        ) {
            self.id = id
            self.kind = kind
            self.sorts = sorts
            self.windows = windows
            self.placeholders = placeholders
            self.anywhere = anywhere
        }
    }

    /// The pattern of ids, such as `home`; `episode/<episode>`, with a subject's type in angle brackets; or
    /// `topic/$id`, for any text.
    public var pattern: String
    public var title: String
    /// An existing screen of this kind.
    public var example: ScreenID?
    public var sections: [Section]

    public init(pattern: String, title: String, example: ScreenID? = nil, sections: [Section] = []) {
        self.pattern = pattern
        self.title = title
        self.example = example
        self.sections = sections
    }
}

/// The screens and languages that a server offers.
@_spi(Admin) public struct ServerOffer: Hashable, Sendable {
    public var screens: [OfferedScreen]
    public var locales: [String]

    public init(screens: [OfferedScreen] = [], locales: [String] = []) {
        self.screens = screens
        self.locales = locales
    }

    /// The screen of a subject, such as `detail/e1` for `episode/e1` if there is a screen `detail/<episode>`; otherwise
    /// the one named after the subject's type.
    ///
    /// - Returns: `nil` if there is neither, or for a subject that isn't a type and an id.
    public func screen(of subject: Subject) -> ScreenID? {
        guard let slash = subject.name.firstIndex(of: "/") else { return nil }
        let (type, id) = (subject.name[..<slash], subject.name[subject.name.index(after: slash)...])
        guard !type.isEmpty, !id.isEmpty else { return nil }
        let patterns = screens.map { $0.pattern.split(separator: "/", maxSplits: 1) }.filter { $0.count == 2 }
        guard let found = patterns.first(where: { $0[1] == "<\(type)>" }) ?? patterns.first(where: { $0[0] == type })
        else { return nil }
        return ScreenID("\(found[0])/\(id)")
    }
}

/// The state of a server.
@_spi(Admin) public struct ServerHealth: Hashable, Sendable {
    /// `serving` or `draining`.
    public var state: String
    public var revision: Cut
    /// Whether the server gives this client its counts of sessions, subscriptions, encodes, deliveries and records.
    /// They are 0 otherwise.
    public var hasCounts = true
    public var sessions: Int
    public var subscriptions: Int
    public var uptime: Duration
    /// Patches encoded since the server started.
    public var encodes: UInt64
    /// Data frames written since the server started.
    public var deliveries: UInt64
    public var version: String
    /// The number of records of each type that has any: first the server's own types, then the others in declaration
    /// order.
    package var records: [RecordCount]
    /// For how long a relay has been without its upstream server, or a server without its database; `nil` if it isn't.
    public var staleness: Duration?
    /// For how long no change could be stored; `nil` if changes are stored, as far as is known.
    public var unwritable: Duration?

    package init(
        state: String, revision: Cut, sessions: Int, subscriptions: Int, uptime: Duration, encodes: UInt64,
        deliveries: UInt64, version: String, records: [RecordCount] = [], staleness: Duration? = nil,
        unwritable: Duration? = nil
    ) {
        self.state = state
        self.revision = revision
        self.sessions = sessions
        self.subscriptions = subscriptions
        self.uptime = uptime
        self.encodes = encodes
        self.deliveries = deliveries
        self.version = version
        self.records = records
        self.staleness = staleness
        self.unwritable = unwritable
    }
}

/// The outcome of a publication.
@_spi(Admin) public struct PublishReceipt: Hashable, Sendable {
    /// The catalogue's revision that contains it.
    public var revision: UInt64
    /// Whether it changed anything.
    public var changed: Bool

    public init(revision: UInt64, changed: Bool) {
        self.revision = revision
        self.changed = changed
    }
}
