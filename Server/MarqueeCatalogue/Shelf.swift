package import MarqueeModel
package import MarqueePresets

/// A standalone list of items: a row of courses, banners or places, as compiled by a feed or an editor.
package struct Shelf: Hashable, Sendable, Codable {
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
    /// What an item shows.
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

/// An ordered list of sections, each with its shelf. The programme says how sections of each type look.
package struct Page: Hashable, Sendable, Codable {
    package struct Section: Hashable, Sendable, Codable {
        /// Unique within the page.
        package var id: String
        /// The source's name for the type of section, such as `courseSwimlane`.
        package var type: String
        /// May be empty.
        package var title: String
        /// The id of the shelf it shows.
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
    /// Whether it has the form of a member: it names an item of a shelf, or a record; a movie looks like one.
    package var isCollectable: Bool { item != nil || record != nil }

    /// Whether it is the one spelling of a movie's name.
    package var isMovie: Bool { movie.map { $0 > 0 && self == .movie($0) } ?? false }
}
