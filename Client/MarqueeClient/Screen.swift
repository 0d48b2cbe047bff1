public import Foundation
import MarqueeDiff
public import MarqueeModel
import MarqueeWire

/// A screen as it should be shown now.
public struct Screen: Sendable {
    /// The screen's id.
    public let id: ScreenID
    /// The language delivered by the server.
    package let locale: String
    /// The screen's title; empty if it has none.
    public let title: String
    /// Its sections, in order.
    public internal(set) var sections: [ScreenSection]
    /// Ids of sections left out because the client has no user; see `ClientConfiguration.user`.
    public let needsUser: [String]
    /// The position of this content in the server's logs.
    package let revision: Cut
    /// A checksum of the confirmed content: equal sums mean equal screens, on any device.
    package let sum: UInt64
    /// When this content was last known to be current.
    public let asOf: Date
    /// Whether it was current when it was delivered; otherwise it is the mirror's content as of `asOf`.
    public let isLive: Bool
    /// Ids of stored sections that were corrupted: they are left out, or lack the corrupted items.
    package let damagedSections: [String]

    /// Creates a screen, for tests and previews.
    package init(
        id: ScreenID, locale: String = "en", title: String = "", sections: [ScreenSection], needsUser: [String] = [],
        revision: Cut = Cut(), sum: UInt64 = 0, asOf: Date = Date(), isLive: Bool = true,
        damagedSections: [String] = []
    ) {
        self.id = id
        self.locale = locale
        self.title = title
        self.sections = sections
        self.needsUser = needsUser
        self.revision = revision
        self.sum = sum
        self.asOf = asOf
        self.isLive = isLive
        self.damagedSections = damagedSections
    }

    /// The section with this id; `nil` if the screen has none.
    public subscript(section id: String) -> ScreenSection? { sections.first { $0.id == id } }
}

/// One section of a screen.
public struct ScreenSection: Identifiable, Sendable {
    /// Unique on the screen; stays the same as long as the section exists.
    public let id: String
    /// The section's head as sent by the server.
    package let head: SectionHead
    /// Its items, in order.
    public let items: [ScreenItem]
    /// The number of items to expect while there are none.
    public let placeholders: Int
    /// A checksum of the section's confirmed content.
    package let sum: UInt64
    /// In a preview, the audiences whose value is shown, of each of its lists of values by audience.
    package var audiences: [String] = []

    /// Creates a section, for tests and previews.
    package init(id: String, head: SectionHead, items: [ScreenItem] = [], placeholders: Int = 0, sum: UInt64 = 0) {
        self.id = id
        self.head = head
        self.items = items
        self.placeholders = placeholders
        self.sum = sum
    }

    /// The head in its encoded form, for an export.
    package var encodedHead: [UInt8] { BodyCodec.encode(head) }

    /// The section's purpose, such as a ranking or a list.
    public var kind: SectionKind { head.kind }
    /// How its items are laid out, where the server says so.
    public var layout: SectionLayout? { head.layout }
    /// The text and actions of a view beside the items: `header`, `footer`, or another kind that its layout names.
    public func supplement(_ kind: String) -> Supplement? {
        switch kind {
        case "header": head.header
        case "footer": head.footer
        default: head.supplements[kind]
        }
    }
    /// The reason why the section can't be shown, if it can't.
    public var error: String? { head.error }
    /// The user's collection whose members the section lists, if it lists one.
    public var collection: CollectionName? { head.collection }
    /// The text of its header, if it has one.
    public var title: String? { head.header?.title }
    /// The orders it can be shown in; empty when there is only one.
    public var sorts: [SortOption] { head.sorts }
    /// The id of its order; `nil` when there is only one.
    public var sort: String? { head.sort.isEmpty ? nil : head.sort }
    /// The number of items that each step of its window shows, ascending; empty when all items are shown.
    package var windows: [Int] { head.windows.map { Int($0) } }
    /// The most items it shows; `nil` when it shows all.
    package var window: Int? { head.window == 0 ? nil : Int(head.window) }
    /// The place of its first item in the whole list, from 0. If it grows, that many rows are new above.
    public var offset: Int { Int(head.first) }
    /// The number of items in the whole list.
    public var total: Int { Int(head.total) }
    /// Whether its source has more items than `total`, left out because of the section's limit.
    public var isTotalCapped: Bool { head.isTotalCapped }
    /// Whether a larger window would show more.
    public var hasMore: Bool { head.hasMore }
}

/// Whether an item's subject is a favorite of this user.
public enum FavoriteMark: Hashable, Sendable {
    case no
    case yes
    /// Set here, not yet confirmed.
    case pendingYes
    /// Unset here, not yet confirmed.
    case pendingNo

    /// Whether to show the subject as a favorite, including unconfirmed changes.
    public var isFavorite: Bool { self == .yes || self == .pendingYes }
    /// Whether the server hasn't confirmed it yet.
    public var isPending: Bool { self == .pendingYes || self == .pendingNo }
}

/// One item of a section: its identity and its content.
public struct ScreenItem: Identifiable, Hashable, Sendable {
    package let item: Item
    /// Whether the user has marked the subject as a favorite.
    public let favorite: FavoriteMark
    /// The reason why the last change of this favorite was rolled back, until it is set or unset again or
    /// `MarqueeClient.clearRejectedChanges` is called.
    public let favoriteError: ClientError?

    package init(item: Item, favorite: FavoriteMark, favoriteError: ClientError? = nil) {
        self.item = item
        self.favorite = favorite
        self.favoriteError = favoriteError
    }

    /// Creates an item, for tests and previews.
    /// - Parameters:
    ///   - id: unique within its section, not empty.
    ///   - content: `ItemContent.encoded` for a preset's or an app's own kind.
    ///   - subject: the entity that it represents, if any.
    ///   - favorite: whether the user has marked the subject.
    ///   - favoriteError: the reason why the last change of the mark was rolled back, if it was.
    package init(
        id: String, content: ItemContent, subject: Subject? = nil, favorite: FavoriteMark = .no,
        favoriteError: ClientError? = nil
    ) {
        let kind =
            switch content {
            case .card: ItemKind.card
            case .encoded(let kind, _): kind
            }
        self.init(
            item: Item(id: id, kind: kind, subject: subject?.name ?? "", body: BodyCodec.encode(content)),
            favorite: favorite, favoriteError: favoriteError)
    }

    /// Unique within the section; stays the same as long as the item exists.
    public var id: String { item.id }
    /// The kind of its content.
    public var kind: ItemKind { item.kind }
    /// The entity that the item represents, if any.
    public var subject: Subject? { item.subject.isEmpty ? nil : Subject(item.subject) }
    /// Decoded from the stored bytes on every access.
    public var content: ItemContent { BodyCodec.decode(kind: item.kind, bytes: item.body) }

    /// Whether it decodes to the same content, whatever its mark. Compares bytes.
    package func hasSameContent(as other: ScreenItem) -> Bool { item == other.item }
}

/// A screen, and how it changed.
public struct ScreenUpdate: Sendable {
    /// The origin of a state.
    package enum Origin: Hashable, Sendable {
        /// Read from the mirror: the state as of the last connection.
        case store
        /// Received from the server, and current.
        case live
    }

    /// The screen as it should be shown now.
    public let screen: Screen
    /// The changes since the screen that this sequence delivered before; empty for the first.
    package let changes: ScreenChanges
    /// Whether this is the first value of the sequence.
    package let isFirst: Bool
    /// How far the content can be relied on. If only this has changed, `changes` is empty.
    public let status: ScreenStatus

    /// Creates an update.
    /// - Parameters:
    ///   - screen: the screen to show.
    ///   - changes: the changes since the screen that the same sequence delivered before; see `Screen.changes(since:)`.
    ///   - isFirst: whether there was none.
    ///   - status: how far the content can be relied on.
    package init(screen: Screen, changes: ScreenChanges, isFirst: Bool, status: ScreenStatus) {
        self.screen = screen
        self.changes = changes
        self.isFirst = isFirst
        self.status = status
    }

    /// Creates the update with which a sequence would deliver a screen, for tests and previews.
    /// - Parameters:
    ///   - screen: the screen to show.
    ///   - previous: the screen delivered before; `nil` for the first.
    ///   - status: by default, derived from the screen.
    package init(_ screen: Screen, after previous: Screen? = nil, status: ScreenStatus? = nil) {
        self.init(
            screen: screen, changes: previous.map { screen.changes(since: $0) } ?? ScreenChanges(),
            isFirst: previous == nil,
            status: status
                ?? ScreenStatus(isLive: screen.isLive, revision: screen.revision, asOf: screen.asOf))
    }

    /// Whether this is the server's current state.
    package var isLive: Bool { status.isLive }
    /// When this content was last known to be current.
    package var asOf: Date { screen.asOf }
    /// Whether this is the server's current state or the mirror's.
    package var origin: Origin { status.isLive ? .live : .store }
    /// Stored sections that were corrupted; they are left out and fetched again.
    package var damagedSections: [String] { status.damagedSections }

    /// Whether to animate the change: items or sections were inserted, removed or moved. The first state, and content
    /// that changed in place, are shown without animation.
    public var animatesDifferences: Bool { !isFirst && !changes.batches.isEmpty }
}

/// How far a screen can be relied on.
public struct ScreenStatus: Hashable, Sendable {
    /// Whether this is the server's current state rather than the one known at `asOf`.
    public let isLive: Bool
    /// The position of the content in the server's logs.
    package let revision: Cut
    /// When the content was last known to be current; `nil` if never.
    package let asOf: Date?
    /// Whether the mirror has it. On a full disk, what arrives is shown from memory, and is lost when the process ends
    /// unless there is room again by then.
    public let isStored: Bool
    /// Favorites of this user, on any screen, that no confirmed content contains yet.
    package let pendingFavorites: Int
    /// This screen's pending changes: of the collections that it lists, and of the favorites among its items.
    /// `MarqueeClient.outbox` counts all.
    public let pendingChanges: Int
    /// The reason why it is not current, or not as requested; `nil` if there is none.
    public let lastError: ClientError?
    /// Sections that the server could not update, by id; they show their previous content.
    public let sectionErrors: [String: ClientError]
    /// Stored sections that were corrupted; they are left out and fetched again.
    package let damagedSections: [String]

    /// Creates a status, for tests and previews.
    package init(
        isLive: Bool, revision: Cut = Cut(), asOf: Date? = nil, isStored: Bool = true,
        pendingFavorites: Int = 0, pendingChanges: Int = 0, lastError: ClientError? = nil,
        sectionErrors: [String: ClientError] = [:],
        damagedSections: [String] = []
    ) {
        self.isLive = isLive
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

extension Sequence<ScreenItem> {
    /// Whether these are cards without any image, so that there is only text to show. Of many items, only the first are
    /// checked.
    package var haveOnlyWords: Bool {
        var isEmpty = true
        for item in prefix(ScreenItem.telling) {
            guard case .card(let card) = item.content, card.image == nil else { return false }
            isEmpty = false
        }
        return !isEmpty
    }
}

extension ScreenItem {
    /// The most items checked for an image.
    fileprivate static let telling = 64
}
