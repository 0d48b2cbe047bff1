import MarqueeDiff
public import MarqueeModel
import MarqueeWire

/// A screen as it is to be shown now.
public struct Screen: Sendable {
    public let id: ScreenID
    /// The language that is served.
    public let locale: String
    public let title: String
    public let sections: [ScreenSection]
    /// The position in the server's logs that this content belongs to.
    public let revision: Cut
    /// Names the confirmed content: equal sums are equal screens, on any device.
    public let sum: UInt64
    /// When this content was last known to be current, in seconds since 1970.
    public let asOf: Double

    public subscript(section id: String) -> ScreenSection? { sections.first { $0.id == id } }
}

/// One section of a screen.
public struct ScreenSection: Identifiable, Sendable {
    public let id: String
    public let head: SectionHead
    public let items: [ScreenItem]
    /// Items to expect while there are none.
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
    /// Why the last change of this favorite was rolled back, until it is set or unset anew, or
    /// `MarqueeClient.forgetRejectedFavorites` was called.
    public let favoriteError: String?

    init(item: Item, favorite: FavoriteMark, favoriteError: String? = nil) {
        self.item = item
        self.favorite = favorite
        self.favoriteError = favoriteError
    }

    /// Unique within the section, the same as long as the item lives.
    public var id: String { item.id }
    public var kind: ItemKind { item.kind }
    /// The entity that the item stands for, if any.
    public var subject: Subject? { item.subject.isEmpty ? nil : Subject(item.subject) }
    /// Decoded from the stored bytes each time it is asked for.
    public var content: ItemContent { BodyCodec.decode(kind: item.kind, bytes: item.body) }
}

/// A screen and the way to it.
public struct ScreenUpdate: Sendable {
    public enum Origin: Hashable, Sendable {
        /// Read from the mirror: what was known when it was last connected.
        case store
        /// Current.
        case live
    }

    public let screen: Screen
    /// From the screen that this sequence gave before; empty for the first.
    public let changes: ScreenChanges
    /// Whether this is the first value of the sequence.
    public let isFirst: Bool
    /// How far it can be relied on. An update may tell of nothing else: then `changes` is empty.
    public let status: ScreenStatus

    public var origin: Origin { status.isFromCache ? .store : .live }
    /// Stored sections whose bytes had changed by themselves; they were left out and are fetched again.
    public var damagedSections: [String] { status.damagedSections }

    /// Whether to animate the change: items or sections came, went or moved since the previous state. The first state,
    /// and content that changed in place, are shown at once.
    public var animatesDifferences: Bool { !isFirst && !changes.batches.isEmpty }
}

/// How far a screen can be relied on.
public struct ScreenStatus: Hashable, Sendable {
    /// Whether it is what was known at `asOf`, and not what the server has now.
    public let isFromCache: Bool
    /// The position in the server's logs that the content belongs to.
    public let revision: Cut
    /// When the content was last known to be current, in seconds since 1970; 0 for never.
    public let asOf: Double
    /// Whether the mirror has it. Where the disk is full what arrives is shown from memory, and is gone with the
    /// process until there is room.
    public let isStored: Bool
    /// Favorites of this user that no confirmed content contains yet. `ScreenItem.favorite` tells which of the items
    /// are pending.
    public let pendingFavorites: Int
    /// Why it is not current, or not as it was asked for; `nil` when all is well.
    public let lastError: ClientError?
    /// Sections that the server could not bring up to date, by id; they show what they had.
    public let sectionErrors: [String: ClientError]
    /// Stored sections whose bytes had changed by themselves; they were left out and are fetched again.
    public let damagedSections: [String]

    init(
        isFromCache: Bool, revision: Cut = Cut(), asOf: Double = 0, isStored: Bool = true,
        pendingFavorites: Int = 0, lastError: ClientError? = nil, sectionErrors: [String: ClientError] = [:],
        damagedSections: [String] = []
    ) {
        self.isFromCache = isFromCache
        self.revision = revision
        self.asOf = asOf
        self.isStored = isStored
        self.pendingFavorites = pendingFavorites
        self.lastError = lastError
        self.sectionErrors = sectionErrors
        self.damagedSections = damagedSections
    }
}
