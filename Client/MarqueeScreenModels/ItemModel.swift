public import MarqueeClient

/// An item of a screen as views show it: decoded once, when it arrived.
public struct ItemModel<Content: Sendable>: Identifiable, Sendable {
    /// Unique on the whole screen, and the same as long as the item exists, so that animations, selections and scroll
    /// positions follow the item.
    public struct ID: Hashable, Sendable {
        /// The id of the section.
        public var section: String
        /// The item's id, unique in its section.
        public var item: String

        /// The identity of an item of a section.
        public init(section: String, item: String) {
            self.section = section
            self.item = item
        }
    }

    /// Stays the same as long as the item exists.
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
    /// The record that the item stands for; an item without one can't be a favorite.
    public var subject: Subject? { source.subject }
    /// Whether it is a favorite, and whether the server has confirmed that.
    public var favorite: FavoriteMark { source.favorite }
    /// Why the last change of this favorite was rolled back.
    public var favoriteError: ClientError? { source.favoriteError }
}

extension ItemModel: Equatable where Content: Equatable {
    /// Whether the two are the same item with the same content and mark.
    public static func == (a: ItemModel, b: ItemModel) -> Bool { a.id == b.id && a.source == b.source }
}

/// A section of a screen as views show it.
public struct SectionModel<Content: Sendable>: Identifiable, Sendable {
    /// Unique on the screen.
    public let id: String
    /// The head as the server sends it.
    package let head: SectionHead
    /// In the order in which to show them.
    public let items: [ItemModel<Content>]
    /// The number of items to expect while there are none.
    public let placeholders: Int

    /// The title of its header.
    public var title: String? { head.header?.title }
    /// The kind of section, as the programme says.
    public var kind: SectionKind { head.kind }
    /// The orders that it can be shown in, for `ScreenModel.setSort`; empty when there is only one.
    public var sorts: [SortOption] { head.sorts }
    /// The id of its order; `nil` when there is only one.
    public var sort: String? { head.sort.isEmpty ? nil : head.sort }
    /// Whether there is nothing to show of its items but words.
    package var hasOnlyWords: Bool { items.lazy.map(\.source).haveOnlyWords }
    /// Whether there are more items than it shows, and `ScreenModel.showMore` brings some.
    public var canShowMore: Bool { head.hasMore && head.windows.contains { $0 > head.window } }
}
