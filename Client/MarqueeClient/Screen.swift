import MarqueeDiff
public import MarqueeModel
import MarqueeWire

/// A screen as it should be shown now.
public struct Screen: Sendable {
    public let id: ScreenID
    /// The language that the server delivers.
    public let locale: String
    public let title: String
    public let sections: [ScreenSection]
    /// Ids of sections that are left out because the client has no user; see `ClientConfiguration.user`.
    public let needsUser: [String]
    /// The position in the server's logs that this content belongs to.
    public let revision: Cut
    /// A checksum of the confirmed content: equal sums mean equal screens, on any device.
    public let sum: UInt64
    /// When this content was last known to be current, in seconds since 1970.
    public let asOf: Double

    init(
        id: ScreenID, locale: String, title: String, sections: [ScreenSection], needsUser: [String] = [], revision: Cut,
        sum: UInt64, asOf: Double
    ) {
        self.id = id
        self.locale = locale
        self.title = title
        self.sections = sections
        self.needsUser = needsUser
        self.revision = revision
        self.sum = sum
        self.asOf = asOf
    }

    public subscript(section id: String) -> ScreenSection? { sections.first { $0.id == id } }
}

/// One section of a screen.
public struct ScreenSection: Identifiable, Sendable {
    public let id: String
    public let head: SectionHead
    public let items: [ScreenItem]
    /// The number of items to expect while there are none.
    public let placeholders: UInt32
    public let sum: UInt64

    public var kind: SectionKind { head.kind }
}

/// Whether an item's subject is a favorite of this user.
public enum FavoriteMark: Hashable, Sendable {
    case no
    case yes
    /// Set here, not yet confirmed.
    case pendingYes
    /// Unset here, not yet confirmed.
    case pendingNo

    /// What to show.
    public var isFavorite: Bool { self == .yes || self == .pendingYes }
    public var isPending: Bool { self == .pendingYes || self == .pendingNo }
}

/// One item of a section: its identity apart from its content.
public struct ScreenItem: Identifiable, Hashable, Sendable {
    let item: Item
    public let favorite: FavoriteMark
    /// Why the last change of this favorite was rolled back, until it is set or unset again or
    /// `MarqueeClient.forgetRejectedChanges` is called.
    public let favoriteError: String?

    init(item: Item, favorite: FavoriteMark, favoriteError: String? = nil) {
        self.item = item
        self.favorite = favorite
        self.favoriteError = favoriteError
    }

    /// Unique within the section; stays the same as long as the item exists.
    public var id: String { item.id }
    public var kind: ItemKind { item.kind }
    /// The entity that the item stands for, if any.
    public var subject: Subject? { item.subject.isEmpty ? nil : Subject(item.subject) }
    /// Decoded from the stored bytes on every access.
    public var content: ItemContent { BodyCodec.decode(kind: item.kind, bytes: item.body) }
}

/// A screen, and how it changed.
public struct ScreenUpdate: Sendable {
    public enum Origin: Hashable, Sendable {
        /// Read from the mirror: the state of the last connection.
        case store
        /// Current.
        case live
    }

    public let screen: Screen
    /// The changes since the screen that this sequence delivered before; empty for the first.
    public let changes: ScreenChanges
    /// Whether this is the first value of the sequence.
    public let isFirst: Bool
    /// How far it can be relied on. An update may be about this alone; `changes` is empty then.
    public let status: ScreenStatus

    public var origin: Origin { status.isFromCache ? .store : .live }
    /// Stored sections that were corrupted; they are left out and fetched again.
    public var damagedSections: [String] { status.damagedSections }

    /// Whether to animate the change: items or sections were inserted, removed or moved. The first state, and content
    /// that changed in place, are shown without animation.
    public var animatesDifferences: Bool { !isFirst && !changes.batches.isEmpty }
}

/// How far a screen can be relied on.
public struct ScreenStatus: Hashable, Sendable {
    /// Whether this is the state known at `asOf` rather than the server's current one.
    public let isFromCache: Bool
    /// The position in the server's logs that the content belongs to.
    public let revision: Cut
    /// When the content was last known to be current, in seconds since 1970; 0 for never.
    public let asOf: Double
    /// Whether the mirror has it. On a full disk, what arrives is shown from memory, and is lost with the process
    /// unless there is room again before it ends.
    public let isStored: Bool
    /// Favorites of this user that no confirmed content contains yet. `ScreenItem.favorite` shows which items are
    /// pending.
    public let pendingFavorites: Int
    /// The same for all collections, favorites included.
    public let pendingChanges: Int
    /// Why it is not current, or not as it was asked for; `nil` when all is well.
    public let lastError: ClientError?
    /// Sections that the server could not update, by id; they show their previous content.
    public let sectionErrors: [String: ClientError]
    /// Stored sections that were corrupted; they are left out and fetched again.
    public let damagedSections: [String]

    init(
        isFromCache: Bool, revision: Cut = Cut(), asOf: Double = 0, isStored: Bool = true,
        pendingFavorites: Int = 0, pendingChanges: Int = 0, lastError: ClientError? = nil,
        sectionErrors: [String: ClientError] = [:],
        damagedSections: [String] = []
    ) {
        self.isFromCache = isFromCache
        self.revision = revision
        self.asOf = asOf
        self.isStored = isStored
        self.pendingFavorites = pendingFavorites
        self.pendingChanges = pendingChanges
        self.lastError = lastError
        self.sectionErrors = sectionErrors
        self.damagedSections = damagedSections
    }
}
