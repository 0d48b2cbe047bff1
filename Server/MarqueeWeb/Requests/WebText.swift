import MarqueeDiff
import MarqueeModel
import MarqueeScreenJSON
import MarqueeWire

/// Answers as JSON, in the form that the command line prints.
enum WebText {
    /// The sum of a screen as it is displayed.
    static func sum(_ screen: GetScreenAnswer) -> UInt64 {
        let sums = Dictionary(screen.sections.map { ($0.id, $0.sum) }) { first, _ in first }
        return Sum.screen(view: Version(head: screen.view.head, items: screen.view.items), sectionSums: sums)
    }

    /// The whole screen. An item doesn't say whether it is a favorite: a screen is the same for all who may see it.
    static func snapshot(_ screen: GetScreenAnswer) -> JSONDocument {
        let sections = Dictionary(screen.sections.map { ($0.id, $0) }) { first, _ in first }
        let head = BodyCodec.decodeViewHead(screen.view.head)
        let title = head?.title ?? screen.screen
        let needsUser = head?.needsUser ?? []
        return .object([
            "type": .string("snapshot"), "screen": .string(screen.screen), "locale": .string(screen.locale),
            "revision": .unsigned(screen.cut.catalogueRevision),
            "userRevision": screen.cut.userEpoch == 0 ? nil : .unsigned(screen.cut.userRevision),
            "sum": .string(ContentJSON.hexadecimal(sum(screen))), "title": title.isEmpty ? nil : .string(title),
            "sections": .array(
                screen.view.items.compactMap { item in sections[item.id].map { section($0, place: item) } }),
            "needsUser": needsUser.isEmpty ? nil : .strings(needsUser),
        ])
    }

    /// - Parameter place: the section's item in the list of sections.
    private static func section(_ section: ScreenContent, place: Item) -> JSONDocument {
        let head = BodyCodec.decodeSectionHead(section.head) ?? SectionHead(kind: SectionKind(rawValue: 0))
        // A section known to be empty is not waiting for anything.
        let isEmpty = section.items.isEmpty && head.total == 0
        let placeholders = BodyCodec.decodeSectionReference(place.body)?.placeholders ?? 0
        var members = ContentJSON.head(section.id, head, placeholders: isEmpty ? 0 : Int(placeholders))
        members["sum"] = .string(ContentJSON.hexadecimal(section.sum))
        members["items"] = .array(section.items.map(item))
        return .object(members)
    }

    private static func item(_ item: Item) -> JSONDocument {
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
            "placeholders": section.placeholders == 0 ? nil : .integer(section.placeholders),
        ])
    }
}
