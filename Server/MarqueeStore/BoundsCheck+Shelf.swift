import MarqueeCatalogue
import MarqueeModel

/// Shelves and pages.
extension BoundsCheck {
    /// A slash would make an item's name ambiguous.
    mutating func shelfID(_ id: String, _ what: String) {
        guard CatalogueBounds.isIdentifier(id, limit: CatalogueBounds.shelfID), !id.contains("/") else {
            return fail(
                "the id of a \(what) has 1 to \(CatalogueBounds.shelfID) bytes, no slash and no control characters, "
                    + "and is in Unicode's composed form (NFC)")
        }
    }

    mutating func itemID(_ id: String) {
        guard CatalogueBounds.isIdentifier(id, limit: CatalogueBounds.shelfItemID) else {
            return fail(
                "the id of an item has 1 to \(CatalogueBounds.shelfItemID) bytes, no control characters, "
                    + "and is in Unicode's composed form (NFC)")
        }
    }

    mutating func shelf(_ shelf: Shelf) {
        shelfID(shelf.id, "shelf")
        count(shelf.items.count, "the shelf", CatalogueBounds.shelfItems)
        var ids = Set<String>()
        for item in shelf.items {
            shelfItem(item)
            if !ids.insert(item.id).inserted { fail("the shelf has the item '\(item.id)' twice") }
        }
    }

    mutating func shelfItem(_ item: ShelfItem) {
        itemID(item.id)
        switch item.content {
        case .banner(let banner):
            text(banner.title, "the title", CatalogueBounds.title)
            text(banner.caption, "the caption", CatalogueBounds.title)
            text(banner.description, "the description", CatalogueBounds.shelfProse)
            text(banner.link, "the link", CatalogueBounds.title)
            image(banner.image, "image")
            count(banner.actions.count, "the actions", CatalogueBounds.shelfActions)
            for action in banner.actions { self.action(action) }
        case .text(let content):
            text(content.text, "the text", CatalogueBounds.shelfProse, required: true)
            text(content.highlighted, "the highlighted part", CatalogueBounds.title)
            if let action = content.action { self.action(action) }
        case .course(let course):
            text(course.title, "the title", CatalogueBounds.title, required: true)
            text(course.author, "the author", CatalogueBounds.name)
            text(course.tag, "the tag", CatalogueBounds.name)
            number(course.rating, "course.rating", atMost: 5)
            if let price = course.price, !BoundsCheck.isDecimal(price) {
                fail("the price is a decimal number such as 19.99, not '\(price.prefix(CatalogueBounds.code))'")
            }
            image(course.image, "image")
        case .categories(let titles):
            count(titles.count, "the categories", CatalogueBounds.shelfCategories)
            for title in titles { text(title, "a category", CatalogueBounds.shelfText, required: true) }
        case .place(let place):
            text(place.title, "the title", CatalogueBounds.title, required: true)
            text(place.distance, "the distance", CatalogueBounds.name)
            image(place.image, "image")
        case .movie(let movie): id(movie, "movie")
        case .other(let type, let value):
            text(type, "the type", CatalogueBounds.name, required: true)
            text(value, "the value", CatalogueBounds.shelfProse)
        }
    }

    private mutating func action(_ action: ScreenAction) {
        text(action.id, "the id of an action", CatalogueBounds.code, required: true)
        text(action.title, "the title of an action", CatalogueBounds.shelfText)
        text(action.target, "the target of an action", CatalogueBounds.shelfText)
    }

    /// Digits, with at most one point between them.
    private static func isDecimal(_ text: String) -> Bool {
        guard text.utf8.count <= CatalogueBounds.code else { return false }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { ("0"..."9").contains($0) } }
    }

    mutating func page(_ page: Page) {
        shelfID(page.id, "page")
        count(page.sections.count, "the page", CatalogueBounds.pageSections)
        var ids = Set<String>()
        for section in page.sections {
            itemID(section.id)
            if !ids.insert(section.id).inserted { fail("the page has the section '\(section.id)' twice") }
            text(section.type, "the type of '\(section.id)'", CatalogueBounds.name, required: true)
            text(section.title, "the title of '\(section.id)'", CatalogueBounds.title)
            switch section.items {
            case .shelf(let shelf): shelfID(shelf, "shelf")
            case .list(let list): self.list(ListName(list))
            }
        }
    }
}
