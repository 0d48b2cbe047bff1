import MarqueeModel
package import MarqueePresets

/// A standalone list of items: a row of courses, banners or places, as compiled by a feed or an editor.
package struct Shelf: Hashable, Sendable {
    package var id: String
    /// In the order shown, with ids unique within the shelf.
    package var items: [ShelfItem]

    package init(id: String, items: [ShelfItem]) {
        self.id = id
        self.items = items
    }
}

/// One item of a shelf.
package struct ShelfItem: Hashable, Sendable {
    /// The content that an item shows.
    package enum Content: Hashable, Sendable {
        case banner(BannerContent)
        case text(TextContent)
        case course(CourseContent)
        case categories([String])
        case place(PlaceContent)
        /// A movie of the catalogue.
        case movie(UInt64)
        /// Content unknown to this version, kept as received.
        /// - Parameters:
        ///   - type: the source's name for it.
        ///   - value: JSON.
        case other(type: String, value: String)
    }

    package var id: String
    package var content: Content

    package init(id: String, content: Content) {
        self.id = id
        self.content = content
    }
}
