/// An action a person can take: its id, its title, and where it leads.
public struct ScreenAction: Hashable, Sendable {
    /// `favorite`, `play`, `info`, `more`, `open`, … An open set.
    public var id: String
    /// The action's title, for people.
    public var title: String
    /// A screen or a link; may be empty.
    public var target: String

    /// An action, and the screen or URL that it leads to.
    package init(id: String, title: String, target: String = "") {
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
    package init(title: String, actions: [ScreenAction] = []) {
        self.title = title
        self.actions = actions
    }
}

/// An order that a section can be shown in.
public struct SortOption: Identifiable, Hashable, Sendable {
    /// Its name in requests.
    public var id: String
    /// The order's name, for people.
    public var title: String

    /// An order that can be chosen.
    package init(id: String, title: String) {
        self.id = id
        self.title = title
    }
}

/// Everything in a section except its items.
package struct SectionHead: Hashable, Sendable {
    /// The purpose of the section.
    package var kind: SectionKind
    /// The text and actions above the items.
    package var header: Supplement?
    /// The text and actions below the items.
    package var footer: Supplement?
    /// The words of the layout's other views, by their kinds.
    package var supplements: [String: Supplement]
    /// How the items are laid out; `nil` leaves it to the viewer.
    package var layout: SectionLayout?
    /// The available orders; empty when there is only one.
    package var sorts: [SortOption]
    /// The id of the current order; empty when there is only one.
    package var sort: String
    /// How many items each window step shows, ascending; empty when all items are shown.
    package var windows: [UInt32]
    /// The current window; 0 when all items are shown.
    package var window: UInt32
    /// Number of items the section could show.
    package var total: UInt32
    /// Whether its source has more than `total`, which the section's limit leaves out.
    package var isTotalCapped: Bool
    /// Whether there are more items than the window shows.
    package var hasMore: Bool
    /// Why the section can't be shown, if it can't. For people.
    package var error: String?
    /// The same for programs: upper case with underscores, such as `RECORD_GONE`. An open set.
    package var errorReason: String?
    /// The collection of the user whose members the section lists, if it lists one.
    package var collection: CollectionName?
    /// The observations that the operator asks for; `nil` for none.
    package var counting: Counting?
    /// The most rows of a window anywhere in the list; 0 for a section without such windows.
    package var anywhere: UInt32
    /// The place in the whole list of the first item, from 0.
    package var first: UInt32
    /// The place of a window's anchor, to be sent back; empty if there is none.
    package var cursor: [UInt8]

    /// A head with a kind and nothing else; set the other fields.
    package init(kind: SectionKind) {
        self.kind = kind
        self.supplements = [:]
        self.sorts = []
        self.sort = ""
        self.windows = []
        self.window = 0
        self.total = 0
        self.isTotalCapped = false
        self.hasMore = false
        self.anywhere = 0
        self.first = 0
        self.cursor = []
    }
}
