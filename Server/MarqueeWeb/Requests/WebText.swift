import MarqueeDiff
import MarqueeModel
import MarqueeScreenJSON
import MarqueeServer
import MarqueeWire

/// Answers as JSON, in the form that the command line prints.
enum WebText {
    /// The sum of a screen as it is displayed.
    static func sum(_ screen: GetScreenAnswer) -> UInt64 {
        let sums = Dictionary(screen.sections.map { ($0.id, $0.sum) }) { first, _ in first }
        return Sum.screen(view: Version(head: screen.view.head, items: screen.view.items), sectionSums: sums)
    }

    /// The whole screen. An item doesn't say whether it is a favorite: a screen is the same for all who may see it.
    /// - Parameters:
    ///   - sum: the screen's.
    ///   - sections: as `sections` returns them.
    static func snapshot(_ screen: GetScreenAnswer, sum: UInt64, sections: JSONDocument) -> JSONDocument {
        snapshot(
            position("snapshot", screen.screen, screen.cut, sum: sum), screen.locale, screen.view.head, sections)
    }

    /// The sections of a screen, in order.
    /// - Parameter item: an item's document.
    static func sections(
        _ screen: GetScreenAnswer, item: (Item) -> JSONDocument = WebText.item
    ) -> JSONDocument {
        let sections = Dictionary(screen.sections.map { ($0.id, $0) }) { first, _ in first }
        return .array(
            screen.view.items.compactMap { place in
                sections[place.id].map { section($0.id, $0.head, $0.items, sum: $0.sum, place: place, item) }
            })
    }

    private static func snapshot(
        _ position: [String: JSONDocument], _ locale: String, _ head: [UInt8], _ sections: JSONDocument
    ) -> JSONDocument {
        let head = BodyCodec.decodeViewHead(head)
        let needsUser = head?.needsUser ?? []
        var members = position
        members["locale"] = .string(locale)
        if let title = head?.title, !title.isEmpty { members["title"] = .string(title) }
        members["sections"] = sections
        if !needsUser.isEmpty { members["needsUser"] = .strings(needsUser) }
        return .object(members)
    }

    private static func position(_ type: String, _ screen: String, _ cut: Cut, sum: UInt64) -> [String: JSONDocument] {
        JSONDocument.pairs([
            "type": .string(type), "screen": .string(screen), "revision": .unsigned(cut.catalogueRevision),
            "userRevision": cut.userEpoch == 0 ? nil : .unsigned(cut.userRevision),
            "sum": .string(ContentJSON.hexadecimal(sum)),
        ])
    }

    // MARK: - Screens that are followed

    static func snapshot(_ state: FeedState) -> JSONDocument {
        snapshot(position("snapshot", state), state.locale, state.list.head, .array(state.sections.map(section)))
    }

    /// The changes since another state.
    static func update(_ state: FeedState, _ operations: [JSONDocument]) -> JSONDocument {
        var members = position("update", state)
        members["operations"] = .array(operations)
        return .object(members)
    }

    /// The effect that a publication would have on a screen.
    static func preview(_ preview: PublicationPreview) -> JSONDocument {
        let (before, after) = preview.states
        return .object([
            "screen": .string(after.screen), "locale": .string(after.locale), "bytes": .integer(preview.bytes),
            "operations": .array(ScreenOperations.between(before, after)),
        ])
    }

    private static func position(_ type: String, _ state: FeedState) -> [String: JSONDocument] {
        let sums = state.sections.map { ($0.place.id, $0.version?.sum ?? Version.empty.sum) }
        let sum = Sum.screen(view: state.list, sectionSums: Dictionary(sums) { first, _ in first })
        return position(type, state.screen, state.cut, sum: sum)
    }

    /// A section whose version is known.
    static func section(_ section: FeedState.Section) -> JSONDocument {
        let version = section.version ?? .empty
        return self.section(section.place.id, version.head, version.items, sum: version.sum, place: section.place)
    }

    static func head(_ section: FeedState.Section) -> [String: JSONDocument] {
        let version = section.version ?? .empty
        return head(section.place.id, version.head, isEmpty: version.items.isEmpty, place: section.place)
    }

    // MARK: - Parts

    /// - Parameter place: the section's item in the list of sections.
    private static func section(
        _ id: String, _ head: [UInt8], _ items: some Collection<Item>, sum: UInt64, place: Item,
        _ item: (Item) -> JSONDocument = WebText.item
    ) -> JSONDocument {
        var members = self.head(id, head, isEmpty: items.isEmpty, place: place)
        members["sum"] = .string(ContentJSON.hexadecimal(sum))
        members["items"] = .array(items.map(item))
        return .object(members)
    }

    private static func head(_ id: String, _ head: [UInt8], isEmpty: Bool, place: Item) -> [String: JSONDocument] {
        let head = BodyCodec.decodeSectionHead(head) ?? SectionHead(kind: SectionKind(rawValue: 0))
        // A section known to be empty is not waiting for anything.
        let isKnown = isEmpty && head.total == 0
        let placeholders = BodyCodec.decodeSectionReference(place.body)?.placeholders ?? 0
        return ContentJSON.head(id, head, placeholders: isKnown ? 0 : Int(placeholders))
    }

    static func item(_ item: Item) -> JSONDocument {
        .object([
            "id": .string(item.id), "kind": .string(ContentJSON.kind(item.kind)),
            "subject": item.subject.isEmpty ? nil : .string(item.subject),
            "content": ContentJSON.content(BodyCodec.decode(kind: item.kind, bytes: item.body)),
        ])
    }

    static func search(_ found: SearchAnswer, query: String) -> JSONDocument {
        .object([
            "type": .string("search"), "query": .string(query), "total": .integer(found.total),
            "totalCapped": .bool(found.isTotalCapped), "page": .integer(found.page), "pages": .integer(found.pages),
            "items": .array(found.items.map(item)),
            "facets": found.facets.isEmpty ? nil : .array(found.facets.map(facet)),
        ])
    }

    private static func facet(_ facet: SearchAnswer.Facet) -> JSONDocument {
        .object([
            "field": .string(facet.field),
            "values": .array(
                facet.values.map { .object(["value": .string($0.value), "count": .integer($0.count)]) }),
        ])
    }

    static func screens(_ offer: DescribeAnswer) -> JSONDocument {
        .object([
            "type": .string("screens"), "locales": .strings(offer.locales),
            "screens": .array(
                offer.screens.map { screen in
                    .object([
                        "pattern": .string(screen.pattern), "title": .string(screen.title),
                        "example": screen.example.map { .string($0) },
                        "sections": .array(screen.sections.map(section)),
                    ])
                }),
        ])
    }

    private static func section(_ section: SectionDescription) -> JSONDocument {
        .object([
            "id": .string(section.id), "kind": .string(section.kind.name),
            "sorts": section.sorts.isEmpty ? nil : .strings(section.sorts.map(\.id)),
            "windows": section.windows.isEmpty ? nil : .array(section.windows.map { .integer($0) }),
            "anywhere": section.anywhere == 0 ? nil : .integer(section.anywhere),
            "placeholders": section.placeholders == 0 ? nil : .integer(section.placeholders),
        ])
    }
}
