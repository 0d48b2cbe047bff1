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

/// An ordered list of sections, each with its shelf or list. The programme says how sections of each type look.
package struct Page: Hashable, Sendable, Codable {
    package struct Section: Hashable, Sendable {
        /// Where its items come from.
        package enum Items: Hashable, Sendable {
            /// By its id.
            case shelf(String)
            /// By its name, such as `shelf/home.new`.
            case list(String)
        }

        /// Unique within the page.
        package var id: String
        /// The source's name for the type of section, such as `courseSwimlane`.
        package var type: String
        /// May be empty.
        package var title: String
        package var items: Items

        package init(id: String, type: String, title: String, _ items: Items) {
            self.id = id
            self.type = type
            self.title = title
            self.items = items
        }

        package init(id: String, type: String, title: String, shelf: String) {
            self.init(id: id, type: type, title: title, .shelf(shelf))
        }

        /// The id of the shelf it shows, if it shows one.
        package var shelf: String? { if case .shelf(let shelf) = items { shelf } else { nil } }
    }

    package var id: String
    package var sections: [Section]

    package init(id: String, sections: [Section]) {
        self.id = id
        self.sections = sections
    }
}

/// `{"id": "a", "type": "basic", "title": "…", "list": "shelf/home.a"}`, or with `shelf` instead of `list`.
extension Page.Section: Codable {
    private enum CodingKeys: String, CodingKey { case id, type, title, shelf, list }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        type = try container.decode(String.self, forKey: .type)
        title = try container.decode(String.self, forKey: .title)
        let shelf = try container.decodeIfPresent(String.self, forKey: .shelf)
        let list = try container.decodeIfPresent(String.self, forKey: .list)
        switch (shelf, list) {
        case (let shelf?, nil): items = .shelf(shelf)
        case (nil, let list?): items = .list(list)
        default:
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "a section of a page shows either a 'list', by its name, or a 'shelf', by its id")
            )
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(type, forKey: .type)
        try container.encode(title, forKey: .title)
        switch items {
        case .shelf(let shelf): try container.encode(shelf, forKey: .shelf)
        case .list(let list): try container.encode(list, forKey: .list)
        }
    }
}

extension Subject {
    /// Whether it has the form of a member: it names an item of a shelf, or a record; a movie looks like one.
    package var isCollectable: Bool { item != nil || record != nil }

    /// Whether it is the one spelling of a movie's name.
    package var isMovie: Bool { movie.map { $0 > 0 && self == .movie($0) } ?? false }
}
