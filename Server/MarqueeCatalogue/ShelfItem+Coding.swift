internal import MarqueeModel
internal import MarqueePresets

// The JSON form of a shelf's item is its id and one key, the name of its content:
// {"id": "c1", "course": {"title": "Swift", "price": "19.99"}}

extension ShelfItem: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case id, banner, text, course, categories, place, movie, other
    }

    private struct Banner: Codable {
        var title: String?
        var caption: String?
        var description: String?
        var image: ImageReference?
        var link: String?
        var actions: [Action]?
    }

    private struct Text: Codable {
        var text: String
        var highlighted: String?
        var action: Action?
    }

    private struct Course: Codable {
        var title: String
        var author: String?
        var rating: Double?
        var reviews: UInt32?
        var price: String?
        var tag: String?
        var image: ImageReference?
    }

    private struct Place: Codable {
        var title: String
        var distance: String?
        var image: ImageReference?
    }

    private struct Other: Codable {
        var type: String
        var value: String
    }

    private struct Action: Codable {
        var id: String
        var title: String?
        var target: String?

        init(_ action: ScreenAction) {
            id = action.id
            title = action.title
            target = action.target.isEmpty ? nil : action.target
        }

        var value: ScreenAction { ScreenAction(id: id, title: title ?? "", target: target ?? "") }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        let named = container.allKeys.filter { $0 != .id }
        guard named.count == 1, let key = named.first else {
            let known = CodingKeys.allCases.filter { $0 != .id }.map(\.rawValue).joined(separator: ", ")
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "an item has an id and exactly one of these keys: \(known)"))
        }
        switch key {
        case .text:
            let text = try container.decode(Text.self, forKey: key)
            content = .text(
                TextContent(text: text.text, highlighted: text.highlighted, action: text.action?.value))
        case .course:
            let course = try container.decode(Course.self, forKey: key)
            var content = CourseContent(title: course.title)
            content.author = course.author
            content.rating = course.rating
            content.reviews = course.reviews
            content.price = course.price
            content.tag = course.tag
            content.image = course.image
            self.content = .course(content)
        case .categories: content = .categories(try container.decode([String].self, forKey: key))
        case .place:
            let place = try container.decode(Place.self, forKey: key)
            content = .place(PlaceContent(title: place.title, distance: place.distance, image: place.image))
        case .movie: content = .movie(try container.decode(UInt64.self, forKey: key))
        case .other:
            let other = try container.decode(Other.self, forKey: key)
            content = .other(type: other.type, value: other.value)
        case .id, .banner:
            let banner = try container.decode(Banner.self, forKey: .banner)
            var content = BannerContent(title: banner.title ?? "")
            content.caption = banner.caption
            content.description = banner.description
            content.image = banner.image
            content.link = banner.link
            content.actions = (banner.actions ?? []).map(\.value)
            self.content = .banner(content)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        switch content {
        case .banner(let banner):
            let actions = banner.actions.map { Action($0) }
            try container.encode(
                Banner(
                    title: banner.title.isEmpty ? nil : banner.title, caption: banner.caption,
                    description: banner.description, image: banner.image, link: banner.link,
                    actions: actions.isEmpty ? nil : actions), forKey: .banner)
        case .text(let text):
            try container.encode(
                Text(text: text.text, highlighted: text.highlighted, action: text.action.map { Action($0) }),
                forKey: .text)
        case .course(let course):
            try container.encode(
                Course(
                    title: course.title, author: course.author, rating: course.rating, reviews: course.reviews,
                    price: course.price, tag: course.tag, image: course.image), forKey: .course)
        case .categories(let titles): try container.encode(titles, forKey: .categories)
        case .place(let place):
            try container.encode(
                Place(title: place.title, distance: place.distance, image: place.image), forKey: .place)
        case .movie(let id): try container.encode(id, forKey: .movie)
        case .other(let type, let value): try container.encode(Other(type: type, value: value), forKey: .other)
        }
    }
}
