/// An ordered list of sections, each with its list. The programme says how sections of each type look.
package struct Page: Hashable, Sendable {
    package struct Section: Hashable, Sendable {
        /// Unique within the page.
        package var id: String
        /// The source's name for the type of section, such as `courseSwimlane`.
        package var type: String
        /// May be empty.
        package var title: String
        /// The name of the list with its items, such as `shelf/home.new`.
        package var list: String

        package init(id: String, type: String, title: String, list: String) {
            self.id = id
            self.type = type
            self.title = title
            self.list = list
        }
    }

    package var id: String
    package var sections: [Section]

    package init(id: String, sections: [Section]) {
        self.id = id
        self.sections = sections
    }
}
