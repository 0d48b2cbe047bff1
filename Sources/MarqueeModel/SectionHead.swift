/// An action a person can take: its id, its title, and where it leads.
public struct ScreenAction: Hashable, Sendable {
    /// `favorite`, `play`, `info`, `more`, `open`, … An open set.
    public var id: String
    /// The action's title, as shown to people.
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
    /// The text, as shown to people.
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
    /// The order's id in requests.
    public var id: String
    /// The order's name, as shown to people.
    public var title: String

    /// An order that people can choose.
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
    /// The texts and actions of the layout's other views, by kind.
    package var supplements: [String: Supplement]
    /// How the items are laid out; `nil` leaves it to the viewer.
    package var layout: SectionLayout?
    /// The available orders; empty when there is only one.
    package var sorts: [SortOption]
    /// The id of the current order; empty when there is only one.
    package var sort: String
    /// The available window sizes in items, ascending; empty if all items are shown.
    package var windows: [UInt32]
    /// The current window size; 0 if all items are shown.
    package var window: UInt32
    /// The number of items that the section could show.
    package var total: UInt32
    /// Whether the section's limit caps `total`: its source has more items.
    package var isTotalCapped: Bool
    /// Whether there are more items than the window shows.
    package var hasMore: Bool
    /// Why the section can't be shown, if it can't, as shown to people.
    package var error: String?
    /// The reason for `error`, for programs: upper case with underscores, such as `RECORD_GONE`. An open set.
    package var errorReason: String?
    /// The user's collection whose members the section lists, if any.
    package var collection: CollectionName?
    /// The observations that the operator asks for; `nil` for none.
    package var counting: Counting?
    /// Maximum number of rows in a window placed anywhere in the list; 0 if the section doesn't allow such windows.
    package var anywhere: UInt32
    /// The index in the whole list of the first item shown, from 0.
    package var first: UInt32
    /// The position of the window's anchor, for the client to send back; empty if there is none.
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
