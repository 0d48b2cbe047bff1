/// An action a person can take: its id, its title, and where it leads.
public struct ScreenAction: Hashable, Sendable {
    /// `favorite`, `play`, `info`, `more`, `open`, … An open set.
    public var id: String
    /// The action's title, for people.
    public var title: String
    /// A screen or a link; may be empty.
    public var target: String

    /// An action, and the screen or URL that it leads to.
    public init(id: String, title: String, target: String = "") {
        self.id = id
        self.title = title
        self.target = target
    }
}

/// The text of a header or footer.
public struct Supplement: Hashable, Sendable {
    /// The text, for people.
    public var title: String
    /// The actions that a person can take there, such as "See all".
    public var actions: [ScreenAction]

    /// A header or footer.
    public init(title: String, actions: [ScreenAction] = []) {
        self.title = title
        self.actions = actions
    }
}

/// An order that a section can be shown in.
public struct SortOption: Hashable, Sendable {
    /// Its name in requests.
    public var id: String
    /// The order's name, for people.
    public var title: String

    /// An order that can be chosen.
    public init(id: String, title: String) {
        self.id = id
        self.title = title
    }
}

/// Everything in a section except its items.
public struct SectionHead: Hashable, Sendable {
    /// The purpose of the section.
    public var kind: SectionKind
    /// The text and actions above the items.
    public var header: Supplement?
    /// The text and actions below the items.
    public var footer: Supplement?
    /// The words of the layout's other views, by their kinds.
    public var supplements: [String: Supplement]
    /// How the items are laid out; `nil` leaves it to the viewer.
    public var layout: SectionLayout?
    /// The available orders; empty when there is only one.
    public var sorts: [SortOption]
    /// The id of the current order; empty when there is only one.
    public var sort: String
    /// How many items each window step shows, ascending; empty when all items are shown.
    public var windows: [UInt32]
    /// The current window; 0 when all items are shown.
    public var window: UInt32
    /// Number of items the section could show.
    public var total: UInt32
    /// Whether its source has more than `total`, which the section's limit leaves out.
    public var isTotalCapped: Bool
    /// Whether there are more items than the window shows.
    public var hasMore: Bool
    /// Why the section can't be shown, if it can't. For people.
    public var error: String?
    /// The same for programs: upper case with underscores, such as `RECORD_GONE`. An open set.
    public var errorReason: String?
    /// The collection of the user whose members the section lists, if it lists one.
    public var collection: CollectionName?

    /// A head with a kind and nothing else; set the other fields.
    public init(kind: SectionKind) {
        self.kind = kind
        self.supplements = [:]
        self.sorts = []
        self.sort = ""
        self.windows = []
        self.window = 0
        self.total = 0
        self.isTotalCapped = false
        self.hasMore = false
    }
}
