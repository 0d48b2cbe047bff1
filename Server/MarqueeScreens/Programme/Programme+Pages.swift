package import MarqueeCatalogue
package import MarqueeModel
package import MarqueeTypes

extension Programme {
    /// The place in a screen for the sections of a page from the catalogue.
    package struct PageSlot: Hashable, Sendable {
        /// The page's id.
        package var page: String
        /// How many of the screen's own sections precede it.
        package var position: Int
        /// The styles of sections, by the page's name for their type.
        package var styles: [String: SectionStyle]
        /// The style of sections of all other types, which are sent as `SectionKind.other`.
        package var otherStyle: SectionStyle
        /// Styles that aren't the same for all readers, by the same name.
        package var renditions: [String: Renditions<SectionStyle>] = [:]
    }

    /// The style of a page's sections of one type.
    package struct SectionStyle: Hashable, Sendable {
        /// Placeholder for the section's own name in a header or footer.
        static let namePlaceholder = "$name"

        package var kind: SectionKind
        package var header: Header?
        package var footer: Footer?
        package var layout: SectionLayout?
        package var windows: [UInt32]
        /// The most rows of a window that can start anywhere in the list; `nil` if windows begin at the first item.
        package var anywhere: UInt32?
        package var placeholders: UInt32
        /// The name of the pool, if only one of the section's items is shown.
        package var pool: String?
        /// The bodies of records by type, for sections that show a list.
        package var bodies: [String: RecordBody]
        /// The texts of the layout's other views, by kind.
        package var supplements: [String: Header] = [:]
        /// Whether such sections are hidden entirely while they have no items.
        package var hidesWhenEmpty = false
        /// The fewest items with which such sections are shown.
        package var minimum: UInt32 = 0
        /// The readers who may see such sections; `nil` for all.
        package var readership: Readership?
        /// The period in which such sections are shown; `nil` for always.
        package var season: Season?
        /// The observations of their items that clients report; `nil` for none.
        package var counting: Counting?

        static func other(_ bodies: [String: RecordBody]) -> SectionStyle {
            SectionStyle(
                kind: .other, header: Header(title: LocalizedText(namePlaceholder), actions: []), footer: nil,
                layout: nil, windows: [], placeholders: 0, pool: nil, bodies: bodies)
        }
    }

    /// The programme with its pages' current sections.
    ///
    /// - Parameters:
    ///   - page: looks up a page in the catalogue by id; a missing page has no sections.
    ///   - types: the types that declare which lists have editions.
    package func expanded(with page: (String) -> Page?, types: TypeSet?) -> Programme {
        var programme = self
        for index in programme.screens.indices where !programme.screens[index].pages.isEmpty {
            programme.screens[index].expand(with: page, types)
        }
        return programme
    }
}

extension Programme.Screen {
    fileprivate mutating func expand(with page: (String) -> Page?, _ types: TypeSet?) {
        let own = sections
        var ids = Set(own.map(\.id))
        sections = []
        for position in 0...own.count {
            for slot in pages where slot.position == position {
                for section in page(slot.page)?.sections ?? [] {
                    let style = slot.styles[section.type] ?? slot.otherStyle
                    // If ids are equal, the programme's own section keeps its id.
                    let id = ids.contains(section.id) ? "\(slot.page)/\(section.id)" : section.id
                    guard ids.insert(id).inserted else { continue }
                    sections.append(style.section(section, id: id, types))
                    renditions[id] = slot.renditions[section.type]?.map(fallback: sections[sections.count - 1]) {
                        $0.section(section, id: id, types)
                    }
                }
            }
            if position < own.count { sections.append(own[position]) }
        }
        pages = []
    }
}

extension Programme.SectionStyle {
    fileprivate func section(_ section: Page.Section, id: String, _ types: TypeSet?) -> Programme.Section {
        let query = Programme.ListQuery(
            list: section.list, isOfArgument: false, edition: nil,
            showsEdition: types?.list(ListName(section.list).declared)?.hasEditions ?? false,
            limit: ProgrammeLimits.queryLimit)
        return Programme.Section(
            id: id, kind: kind, header: header?.naming(section.title), footer: footer?.naming(section.title),
            layout: layout, sorts: [], windows: windows, anywhere: anywhere,
            placeholders: placeholders, source: pool.map { .listPool(name: $0, query) } ?? .list(query), bodies: bodies,
            supplements: supplements.compactMapValues { $0.naming(section.title) },
            hidesWhenEmpty: hidesWhenEmpty, minimum: minimum, readership: readership, season: season,
            counting: counting)
    }
}

extension Programme.Header {
    /// - Returns: `nil` if the header shows only the name and the section has none.
    fileprivate func naming(_ name: String) -> Programme.Header? {
        let placeholder = Programme.SectionStyle.namePlaceholder
        if name.isEmpty, actions.isEmpty, title == LocalizedText(placeholder) { return nil }
        return Programme.Header(title: title.replacing(placeholder, with: name), actions: actions)
    }
}

extension Programme.Footer {
    fileprivate func naming(_ name: String) -> Programme.Footer? {
        switch self {
        case .fixed(let footer): footer.naming(name).map { .fixed($0) }
        case .toggle: self
        }
    }
}
