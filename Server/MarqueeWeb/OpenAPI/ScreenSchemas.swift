import MarqueeScreenJSON

/// Schemas of answers: screens, their updates, searches, and outcomes of changes. Their objects are open, as more keys
/// may be added.
enum ScreenSchemas {
    private static let texts = OpenAPISchema.list(of: OpenAPISchema.text)
    private static let counts = OpenAPISchema.list(of: OpenAPISchema.count)
    private static let items = OpenAPISchema.list(of: OpenAPISchema.reference("marquee-item"))
    private static let sum = OpenAPISchema.pattern("^[0-9a-f]{16}$")
    /// A section without its items.
    private static let head: KeyValuePairs = [
        "id": OpenAPISchema.text, "kind": OpenAPISchema.text, "title": OpenAPISchema.text,
        "footer": OpenAPISchema.text,
        "supplements": JSONDocument.object([
            "type": .string("object"), "additionalProperties": OpenAPISchema.text,
        ]),
        "sort": OpenAPISchema.text, "sorts": texts, "window": OpenAPISchema.count, "windows": counts,
        "anywhere": OpenAPISchema.count, "first": OpenAPISchema.count,
        "total": OpenAPISchema.count, "totalCapped": OpenAPISchema.bool, "collection": OpenAPISchema.text,
        "hasMore": OpenAPISchema.bool, "error": OpenAPISchema.text, "errorReason": OpenAPISchema.text,
        "placeholders": OpenAPISchema.count,
    ]

    private static func position(_ type: String) -> KeyValuePairs<String, JSONDocument> {
        [
            "type": OpenAPISchema.texts([type]), "screen": OpenAPISchema.text, "revision": OpenAPISchema.count,
            "userRevision": OpenAPISchema.count, "sum": sum,
        ]
    }

    private static func extended(
        _ base: KeyValuePairs<String, JSONDocument>, _ more: KeyValuePairs<String, JSONDocument>, required: [String],
        _ description: String
    ) -> JSONDocument {
        let schema = OpenAPISchema.object([:], required: required, isOpen: true, description: description)
        let properties = Dictionary((Array(base) + Array(more)).map { ($0.key, $0.value) }) { first, _ in first }
        return schema.with(["properties": .object(properties)])
    }

    static let all: [String: JSONDocument] = [
        "marquee-screen": extended(
            position("snapshot"),
            [
                "locale": OpenAPISchema.text, "title": OpenAPISchema.text,
                "sections": OpenAPISchema.list(of: OpenAPISchema.reference("marquee-section")), "needsUser": texts,
            ], required: ["type", "screen", "revision", "sum", "locale", "sections"],
            "A screen. 'needsUser' has the sections that are left out without a user."),
        "marquee-update": extended(
            position("update"),
            ["operations": OpenAPISchema.list(of: OpenAPISchema.reference("marquee-operation"))],
            required: ["type", "screen", "revision", "sum", "operations"], "The changes of a screen."),
        "marquee-operation": OpenAPISchema.object(
            [
                "op": OpenAPISchema.texts([
                    "section-delete", "section-insert", "section-move", "section-update", "delete", "insert", "move",
                    "update",
                ]),
                "section": OpenAPISchema.text, "id": OpenAPISchema.text, "from": OpenAPISchema.count,
                "to": OpenAPISchema.count, "content": OpenAPISchema.reference("marquee-section"),
                "head": OpenAPISchema.reference("marquee-section-head"),
                "item": OpenAPISchema.reference("marquee-item"),
            ], required: ["op", "section"], isOpen: true,
            description: "Remove everything deleted or moved, by id; then insert everything inserted or moved at its "
                + "'to', in the order given. Sections come first."),
        "marquee-section-head": extended(head, [:], required: ["id", "kind"], "A section without its items."),
        "marquee-section": extended(
            head, ["sum": sum, "items": items], required: ["id", "kind", "sum", "items"],
            "A section with its items."),
        "marquee-item": OpenAPISchema.object(
            [
                "id": OpenAPISchema.text, "kind": OpenAPISchema.text, "subject": OpenAPISchema.text,
                "content": OpenAPISchema.anyObject,
            ], required: ["id", "kind", "content"], isOpen: true,
            description: "An item. The keys of its content depend on its kind, as Docs/cli-output.md lists them."),
        "marquee-search": OpenAPISchema.object(
            [
                "type": OpenAPISchema.texts(["search"]), "query": OpenAPISchema.text, "total": OpenAPISchema.count,
                "totalCapped": OpenAPISchema.bool, "page": OpenAPISchema.count, "pages": OpenAPISchema.count,
                "items": items,
            ], required: ["type", "query", "total", "page", "pages", "items"], isOpen: true),
        "marquee-screens": OpenAPISchema.object(
            [
                "type": OpenAPISchema.texts(["screens"]), "locales": texts,
                "screens": OpenAPISchema.list(
                    of: OpenAPISchema.object(
                        [
                            "pattern": OpenAPISchema.text, "title": OpenAPISchema.text, "example": OpenAPISchema.text,
                            "sections": OpenAPISchema.list(
                                of: OpenAPISchema.object(
                                    [
                                        "id": OpenAPISchema.text, "kind": OpenAPISchema.text, "sorts": texts,
                                        "windows": counts, "anywhere": OpenAPISchema.count,
                                        "placeholders": OpenAPISchema.count,
                                    ], required: ["id", "kind"], isOpen: true)),
                        ], required: ["pattern", "title", "sections"], isOpen: true)),
            ], required: ["type", "locales", "screens"], isOpen: true),
        "marquee-member-change": OpenAPISchema.object(
            ["number": OpenAPISchema.count, "changed": OpenAPISchema.bool, "userRevision": OpenAPISchema.count],
            required: ["number", "changed"], isOpen: true),
        "marquee-publication": OpenAPISchema.object(
            [
                "revision": OpenAPISchema.count, "changed": OpenAPISchema.bool, "changes": OpenAPISchema.count,
                "dryRun": OpenAPISchema.bool, "line": OpenAPISchema.count,
                "preview": OpenAPISchema.object(
                    [
                        "screen": OpenAPISchema.text, "locale": OpenAPISchema.text, "bytes": OpenAPISchema.count,
                        "operations": OpenAPISchema.list(of: OpenAPISchema.object([:], isOpen: true)),
                    ], required: ["screen", "locale", "bytes", "operations"], isOpen: true),
            ], required: ["changes"], isOpen: true,
            description: "'changed' is false if the changes had no effect; with 'dryRun' nothing was tried. 'line' is "
                + "the line of a stream."),
    ]
}
