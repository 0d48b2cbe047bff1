import MarqueeCatalogue
import MarqueeModel

extension BoundsCheck {
    mutating func pageID(_ id: String) {
        if let refusal = CatalogueBounds.refusal(ofPage: id) { fail(refusal) }
    }

    mutating func page(_ page: Page) {
        pageID(page.id)
        count(page.sections.count, "the page", CatalogueBounds.pageSections)
        var ids = Set<String>()
        for section in page.sections {
            identifier(section.id, "the id of a section", limit: CatalogueBounds.sectionID)
            if !ids.insert(section.id).inserted { fail("the page has the section '\(section.id)' twice") }
            text(section.type, "the type of '\(section.id)'", CatalogueBounds.name, required: true)
            text(section.title, "the title of '\(section.id)'", CatalogueBounds.title)
            list(ListName(section.list))
        }
    }
}
