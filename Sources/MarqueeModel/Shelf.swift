/// A list of items that stands for itself: a row of courses, banners or places, as a feed or an editor puts it
/// together.
package struct Shelf: Hashable, Sendable, Codable {
    package var id: String
    /// In the order shown, with ids that are unique within the shelf.
    package var items: [ShelfItem]

    package init(id: String, items: [ShelfItem]) {
        self.id = id
        self.items = items
    }
}

/// One item of a shelf.
package struct ShelfItem: Hashable, Sendable {
    /// What an item shows.
    package enum Content: Hashable, Sendable {
        case banner(BannerContent)
        case text(TextContent)
        case course(CourseContent)
        case categories([String])
        case place(PlaceContent)
        /// A movie of the catalogue.
        case movie(UInt64)
        /// Something that this version does not know, kept as it came.
        /// - Parameters:
        ///   - type: what its source calls it.
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

/// An ordered list of sections, each with its shelf. The programme says how sections of each type look.
package struct Page: Hashable, Sendable, Codable {
    package struct Section: Hashable, Sendable, Codable {
        /// Unique within the page.
        package var id: String
        /// What its source calls the sort of section, such as `courseSwimlane`.
        package var type: String
        /// May be empty.
        package var title: String
        /// The id of the shelf that it shows.
        package var shelf: String

        package init(id: String, type: String, title: String, shelf: String) {
            self.id = id
            self.type = type
            self.title = title
            self.shelf = shelf
        }
    }

    package var id: String
    package var sections: [Section]

    package init(id: String, sections: [Section]) {
        self.id = id
        self.sections = sections
    }
}

extension Subject {
    /// An item of a shelf, such as `item/featured/7`.
    package static func item(_ name: ItemName) -> Subject { Subject("item/\(name)") }

    /// The item's name, when the subject is an item of a shelf.
    package var item: ItemName? {
        name.hasPrefix("item/") ? ItemName(name.dropFirst("item/".count)) : nil
    }

    /// Whether it can be a favorite: it names a movie or an item of a shelf, in the one form that those have.
    package var isFavoritable: Bool {
        if let movie { return movie > 0 && self == .movie(movie) }
        return item != nil
    }
}

/// Names an item of a shelf: `shelf/item`. Ids of shelves hold no slash, ids of items may.
package struct ItemName: Hashable, Sendable, CustomStringConvertible {
    package var shelf: String
    package var item: String

    package init(shelf: String, item: String) {
        self.shelf = shelf
        self.item = item
    }

    /// - Returns: `nil` for a text without a slash between two names.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        self.init(shelf: String(parts[0]), item: String(parts[1]))
    }

    package var description: String { "\(shelf)/\(item)" }
}
