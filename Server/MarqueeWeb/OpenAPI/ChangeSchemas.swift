import MarqueeScreenJSON

/// The schema of a change as it is published, and of its parts.
enum ChangeSchemas {
    private static let name = OpenAPISchema.name
    private static let bytes = OpenAPISchema.reference("marquee-bytes")
    private static let draftName = OpenAPISchema.pattern("^[A-Za-z0-9_.-]{1,64}$")
    /// A record by its type and id: `episode/e1`.
    private static let subject = OpenAPISchema.pattern("^[^/]+/.+$")
    private static let entry = OpenAPISchema.reference("marquee-list-entry")

    /// - Parameter types: aliases of the operator's types; empty if they aren't known.
    static func all(_ types: [String]) -> [String: JSONDocument] {
        var schemas = shared
        schemas["marquee-change"] = OpenAPISchema.oneOf(
            kinds(types).map { kind, content in OpenAPISchema.object([kind: content], required: [kind]) }
        ).with(["description": .string("A change, as Docs/publishing.md describes them: an object with a single key.")])
        for type in types {
            schemas["put-\(type)"] = put(type)
            schemas["merge-\(type)"] = merge(type)
        }
        return schemas
    }

    private static func kinds(_ types: [String]) -> KeyValuePairs<String, JSONDocument> {
        [
            "put": types.isEmpty ? put(nil) : byType("put", types),
            "merge": types.isEmpty ? merge(nil) : byType("merge", types),
            "remove": OpenAPISchema.object(
                ["type": types.isEmpty ? name : OpenAPISchema.texts(types), "id": name], required: ["type", "id"]),
            "list": OpenAPISchema.object(
                ["list": name, "edition": name, "entries": OpenAPISchema.list(of: entry)],
                required: ["list", "entries"]),
            "listItem": OpenAPISchema.oneOf([
                OpenAPISchema.object(
                    [
                        "list": name, "edition": name, "item": entry,
                        "at": .object(["type": .string("integer"), "minimum": .integer(1)]),
                    ], required: ["list", "item"]),
                OpenAPISchema.object(["list": name, "edition": name, "remove": name], required: ["list", "remove"]),
            ]),
            "show": OpenAPISchema.object(["list": name, "edition": name], required: ["list", "edition"]),
            "removeList": OpenAPISchema.object(["list": name, "edition": name], required: ["list"]),
            "choose": OpenAPISchema.oneOf([
                OpenAPISchema.object(["pool": name, "record": subject], required: ["pool", "record"]),
                OpenAPISchema.object(["pool": name, "entry": name], required: ["pool", "entry"]),
            ]),
            "removeChoice": OpenAPISchema.object(["pool": name], required: ["pool"]),
            "page": OpenAPISchema.object(
                [
                    "id": OpenAPISchema.pattern("^[^/]+$"),
                    "sections": OpenAPISchema.list(
                        of: OpenAPISchema.object(
                            ["id": name, "type": name, "title": OpenAPISchema.text, "list": name],
                            required: ["id", "type", "title", "list"])),
                ], required: ["id", "sections"]),
            "removePage": OpenAPISchema.object(["id": name], required: ["id"]),
            "types": OpenAPISchema.object(
                ["declarations": name, "descriptors": bytes], required: ["declarations"]),
            "programme": name,
            "undo": OpenAPISchema.object(
                ["revision": .object(["type": .string("integer"), "minimum": .integer(1)])], required: ["revision"]),
            "draft": OpenAPISchema.oneOf([
                draftName,
                OpenAPISchema.object(
                    ["publish": draftName, "at": OpenAPISchema.text, "despiteConflicts": OpenAPISchema.bool],
                    required: ["publish"]),
                OpenAPISchema.object(["hold": draftName], required: ["hold"]),
                OpenAPISchema.object(["drop": draftName], required: ["drop"]),
            ]),
        ]
    }

    // MARK: - Records

    private static func byType(_ kind: String, _ types: [String]) -> JSONDocument {
        let names = types.map { "\(kind)-\($0)" }
        let mapping = zip(types, names).map { ($0, JSONDocument.string("#/components/schemas/\($1)")) }
        return OpenAPISchema.oneOf(names.map(OpenAPISchema.reference)).with([
            "discriminator": .object([
                "propertyName": .string("type"), "mapping": .object(Dictionary(mapping) { first, _ in first }),
            ])
        ])
    }

    private static func put(_ type: String?) -> JSONDocument {
        OpenAPISchema.object(
            [
                "type": type.map { OpenAPISchema.texts([$0]) } ?? name, "id": name,
                "record": RecordSchemas.Names(type).whole, "bytes": bytes,
            ], required: ["type", "id"]
        ).with(["oneOf": .array([OpenAPISchema.requires("record"), OpenAPISchema.requires("bytes")])])
    }

    private static func merge(_ type: String?) -> JSONDocument {
        OpenAPISchema.object(
            [
                "type": type.map { OpenAPISchema.texts([$0]) } ?? name, "id": name,
                "record": RecordSchemas.Names(type).part, "bytes": bytes,
                "clear": OpenAPISchema.list(of: name), "create": OpenAPISchema.bool,
            ], required: ["type", "id"]
        ).with(["not": OpenAPISchema.requires("record", "bytes")])
    }

    // MARK: - Parts

    private static let shared: [String: JSONDocument] = [
        "marquee-list-entry": OpenAPISchema.object(
            ["key": name, "record": subject, "place": OpenAPISchema.anyObject, "bytes": bytes]
        ).with([
            "anyOf": .array([OpenAPISchema.requires("record"), OpenAPISchema.requires("key")]),
            "not": OpenAPISchema.requires("place", "bytes"),
            "description": .string("An entry of a list. Without a key, the record is its key."),
        ]),
        "marquee-member": OpenAPISchema.object(
            [
                "client": OpenAPISchema.pattern("^[0-9A-Fa-f]{32}$"),
                "number": .object(["type": .string("integer"), "minimum": .integer(1)]),
                "answeredThrough": OpenAPISchema.count, "subject": subject, "member": OpenAPISchema.bool,
                "value": .bool(true),
            ], required: ["client", "number", "subject", "member"],
            description: "A change of a user's collection. 'member' is true to set, false to remove; 'value' is what "
                + "is kept with the member; answers up to 'answeredThrough' have come."),
        "marquee-report": OpenAPISchema.object(
            [
                "client": OpenAPISchema.pattern("^[0-9A-Fa-f]{32}$"),
                "number": .object(["type": .string("integer"), "minimum": .integer(1)]),
                "answeredThrough": OpenAPISchema.count, "screen": name, "section": name,
                "observations": OpenAPISchema.list(of: OpenAPISchema.reference("marquee-observation"), minItems: 1),
            ], required: ["client", "number", "screen", "section", "observations"],
            description: "What people have seen of a section."),
        "marquee-observation": OpenAPISchema.object(
            [
                "kind": OpenAPISchema.texts(["seen", "tap", "action"]), "item": name,
                "place": .object(["type": .string("integer"), "minimum": .integer(1)]), "at": OpenAPISchema.count,
                "for": OpenAPISchema.count, "action": name, "shown": OpenAPISchema.count,
            ], required: ["kind", "item", "place", "at", "shown"],
            description: "'for' of what was seen and 'at' are milliseconds, 'place' is counted from 1, 'shown' is the "
                + "revision that was shown."),
        "marquee-bytes": OpenAPISchema.pattern(
            "^([A-Za-z0-9+/_-]{4})*([A-Za-z0-9+/_-]{2}(==)?|[A-Za-z0-9+/_-]{3}=?)?$"
        ).with(["contentEncoding": .string("base64")]),
        "marquee-int64": wide(
            isSigned: true, pattern: "^(0|-?[1-9][0-9]{0,18})$", from: .signed(.min), to: .integer(Int64.max)),
        "marquee-uint64": wide(
            isSigned: false, pattern: "^(0|[1-9][0-9]{0,19})$", from: .integer(0), to: .unsigned(.max)),
    ]

    /// A whole number of 64 bits, as text or as a number. Beyond 2^53 most programs keep only text exact.
    private static func wide(
        isSigned: Bool, pattern: String, from least: JSONDocument, to most: JSONDocument
    ) -> JSONDocument {
        .object([
            "type": .strings(["string", "integer"]), "format": .string(isSigned ? "int64" : "uint64"),
            "pattern": .string(pattern), "minimum": least, "maximum": most,
        ])
    }
}
