public import MarqueeClient

/// An item of a screen for views to show: decoded once, when it arrived.
public struct ItemModel<Content: Sendable>: Identifiable, Sendable {
    /// The item's identity, unique on the whole screen. It stays the same as long as the item exists, so that
    /// animations, selections and scroll positions follow the item.
    public struct ID: Hashable, Sendable {
        /// The id of the section.
        public var section: String
        /// The item's id, unique in its section.
        public var item: String

        /// Creates the identity of an item of a section.
        public init(section: String, item: String) {
            self.section = section
            self.item = item
        }
    }

    /// The item's identity, which stays the same as long as the item exists.
    public let id: ID
    /// The content decoded from the item.
    public let content: Content
    let source: ScreenItem

    init(_ source: ScreenItem, in section: String, content: Content) {
        id = ID(section: section, item: source.id)
        self.content = content
        self.source = source
    }

    /// The kind of its content.
    public var kind: ItemKind { source.kind }
    /// The record that the item represents; an item without one can't be a favorite.
    public var subject: Subject? { source.subject }
    /// Whether it is a favorite, and whether the server has confirmed that.
    public var favorite: FavoriteMark { source.favorite }
    /// The reason why the last change of this favorite was rolled back.
    public var favoriteError: ClientError? { source.favoriteError }
}

extension ItemModel: Equatable where Content: Equatable {
    /// Whether two values are the same item with the same content and mark.
    public static func == (a: ItemModel, b: ItemModel) -> Bool { a.id == b.id && a.source == b.source }
}

/// A section of a screen for views to show.
public struct SectionModel<Content: Sendable>: Identifiable, Sendable {
    /// Unique on the screen.
    public let id: String
    /// The section's head as sent by the server.
    package let head: SectionHead
    /// The items, in the order in which to show them.
    public let items: [ItemModel<Content>]
    /// The number of items to expect while there are none.
    public let placeholders: Int

    /// The title of its header.
    public var title: String? { head.header?.title }
    /// The section's kind, as declared by the programme.
    public var kind: SectionKind { head.kind }
    /// The orders that it can be shown in, for `ScreenModel.setSort`; empty when there is only one.
    public var sorts: [SortOption] { head.sorts }
    /// The id of its order; `nil` when there is only one.
    public var sort: String? { head.sort.isEmpty ? nil : head.sort }
    /// Whether its items have only text to show.
    package var hasOnlyWords: Bool { items.lazy.map(\.source).haveOnlyWords }
    /// Whether there are more items than it shows, and `ScreenModel.showMore` can fetch some.
    public var canShowMore: Bool { head.hasMore && head.windows.contains { $0 > head.window } }
}
