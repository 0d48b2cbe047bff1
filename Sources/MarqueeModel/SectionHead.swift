/// Something a person can do: its id, its title, and where it leads.
public struct ScreenAction: Hashable, Sendable {
    /// `favorite`, `play`, `info`, `more`, `open`, … An open set.
    public var id: String
    public var title: String
    /// A screen or a link; may be empty.
    public var target: String

    public init(id: String, title: String, target: String = "") {
        self.id = id
        self.title = title
        self.target = target
    }
}

/// The text of a header or footer.
public struct Supplement: Hashable, Sendable {
    public var title: String
    public var actions: [ScreenAction]

    public init(title: String, actions: [ScreenAction] = []) {
        self.title = title
        self.actions = actions
    }
}

/// An order that a section can be shown in.
public struct SortOption: Hashable, Sendable {
    public var id: String
    public var title: String

    public init(id: String, title: String) {
        self.id = id
        self.title = title
    }
}

/// Everything of a section but its items.
public struct SectionHead: Hashable, Sendable {
    public var kind: SectionKind
    public var header: Supplement?
    public var footer: Supplement?
    public var layout: SectionLayout?
    /// The orders on offer; empty when there is only one.
    public var sorts: [SortOption]
    /// The id of the order shown; empty when there is only one.
    public var sort: String
    /// How many items each window step shows, ascending; empty when all are shown.
    public var windows: [UInt32]
    /// The window shown; 0 when all are shown.
    public var window: UInt32
    /// Items that the section could show.
    public var total: UInt32
    public var hasMore: Bool
    /// Why the section can't be shown, if so. For people.
    public var error: String?
    /// The same for programs: upper case with underscores, such as `MOVIE_GONE`. An open set.
    public var errorReason: String?

    public init(kind: SectionKind) {
        self.kind = kind
        self.sorts = []
        self.sort = ""
        self.windows = []
        self.window = 0
        self.total = 0
        self.hasMore = false
    }
}
