import MarqueeScreenJSON

/// The paths of the door, in the order of Docs/web.md. A new path is a value here, and a name in `all`.
enum OpenAPIPaths {
    /// - Parameter types: aliases of the operator's types; empty if they aren't known.
    static func all(_ types: [String]) -> [OpenAPIPath] {
        [screens, screen, search, publish, stream] + records(types) + [collection, seen, hook] + watching + [
            document, connect,
        ]
    }

    // MARK: - Screens

    private static let screens = OpenAPIPath(
        template: "/v1/screens",
        operations: [
            OpenAPIOperation(
                method: .GET, id: "screens", tag: .screens, summary: "The screens that exist",
                parameters: [OpenAPIParameter.shared("locale")],
                answers: [.json("The screens, with their sections, sorts and windows.", "marquee-screens")],
                problems: [400, 401, 406, 429, 503])
        ])

    private static let screen = OpenAPIPath(
        template: "/v1/screens/{name}",
        parameters: [
            OpenAPIParameter.parameter(
                "name", in: .path, OpenAPISchema.name,
                "The screen: home, detail/27205. A slash in a name may be sent as it is or as %2F.",
                more: ["example": .string("home")])
        ],
        operations: [
            OpenAPIOperation(
                method: .GET, id: "screen", tag: .screens, summary: "A screen, once or followed",
                description: "With Accept: text/event-stream the screen is followed: an event 'screen' has all of it "
                    + "(marquee-screen), 'update' its changes (marquee-update), and 'problem' the reason why the "
                    + "stream ends (marquee-problem).",
                parameters: [
                    OpenAPIParameter.shared("locale"),
                    OpenAPIParameter.parameter(
                        "as", in: .query, OpenAPISchema.name,
                        "The screen as this reader sees it: claims and audiences, with commas. For those who may "
                            + "publish the programme; not for events.",
                        more: ["example": .string("plan=free,audience=korea")]),
                    OpenAPIParameter.parameter(
                        "at", in: .query, OpenAPISchema.name,
                        "The screen at this moment, of records as they are now. For those who may publish the "
                            + "programme; not for events.",
                        more: ["example": .string("2026-12-24T18:00:00Z")]),
                    OpenAPIParameter.parameter(
                        "draft", in: .query, OpenAPISchema.name,
                        "The screen as it would be with this draft. For those with the scope; not for events.",
                        more: ["example": .string("spring")]),
                    OpenAPIParameter.parameter(
                        "sections", in: .query,
                        .object([
                            "type": .string("object"),
                            "propertyNames": OpenAPISchema.pattern("^(sort|window|anchor)\\..+$"),
                            "additionalProperties": OpenAPISchema.text,
                        ]),
                        "sort.SECTION is the sort of a section, window.SECTION how many items it shows, anchor.SECTION "
                            + "where they are in a list with windows anywhere: start, end, item:ID or value:TEXT.",
                        more: [
                            "style": .string("form"), "explode": .bool(true),
                            "example": .object(["window.rank": .string("40")]),
                        ]),
                    OpenAPIParameter.shared("if-none-match"),
                    OpenAPIParameter.parameter(
                        "Last-Event-ID", in: .header, OpenAPISchema.text,
                        "The id of the last event that the client has, to go on from there."),
                ],
                answers: [
                    OpenAPIOperation.Answer(
                        status: 200, description: "The screen, or its events.",
                        content: [
                            "application/json": OpenAPISchema.reference("marquee-screen"),
                            "text/event-stream": OpenAPISchema.text,
                        ], fields: ["ETag"]),
                    .notModified,
                ], problems: [400, 401, 404, 406, 429, 503])
        ])

    private static let search = OpenAPIPath(
        template: "/v1/search",
        operations: [
            OpenAPIOperation(
                method: .GET, id: "search", tag: .screens, summary: "Items that match a text",
                parameters: [
                    OpenAPIParameter.parameter(
                        "q", in: .query, OpenAPISchema.name, "The text to search for.", more: ["required": .bool(true)]),
                    OpenAPIParameter.parameter(
                        "page", in: .query, .object(["type": .string("integer"), "minimum": .integer(1)]),
                        "Pages are counted from 1."),
                    OpenAPIParameter.parameter(
                        "where", in: .query, OpenAPISchema.name,
                        "Only items with this value of a facet: topics=food. May be given several times."),
                    OpenAPIParameter.parameter(
                        "facet", in: .query, OpenAPISchema.name,
                        "Count the values of this facet among the matches. May be given several times."),
                    OpenAPIParameter.shared("locale"),
                ],
                answers: [.json("A page of the items found.", "marquee-search")],
                problems: [400, 401, 403, 406, 429, 503])
        ])

    // MARK: - Publishing

    private static let publishingProblems = [400, 401, 403, 404, 408, 409, 413, 415, 422, 429, 503, 507]

    private static let publish = OpenAPIPath(
        template: "/v1/publish",
        operations: [
            OpenAPIOperation(
                method: .POST, id: "publish", tag: .publishing, summary: "Publishes changes, as one commit",
                description: "The body is a change, a list of them, or a change on each line (marquee-change). "
                    + "It has at most \(WebBounds.bodyBytes) bytes, packed or unpacked.",
                parameters: [
                    OpenAPIParameter.parameter(
                        "dry-run", in: .query, OpenAPISchema.texts(["1", "true"]),
                        "Only looks for mistakes, and changes nothing. Needs no value.",
                        more: ["allowEmptyValue": .bool(true)]),
                    OpenAPIParameter.parameter(
                        "preview", in: .query, OpenAPISchema.text,
                        "With dry-run: the screen whose changes the answer has. Its own parameters may follow."),
                    OpenAPIParameter.shared("idempotency-key"), OpenAPIParameter.shared("content-encoding"),
                ],
                body: [
                    "application/json": OpenAPISchema.oneOf([
                        OpenAPISchema.reference("marquee-change"),
                        OpenAPISchema.list(of: OpenAPISchema.reference("marquee-change"), minItems: 1),
                    ]),
                    "application/x-ndjson": OpenAPISchema.text,
                ],
                answers: [.json("The changes are committed or, with dry-run, right.", "marquee-publication")],
                problems: publishingProblems + [501])
        ])

    private static let stream = OpenAPIPath(
        template: "/v1/publish/stream",
        operations: [
            OpenAPIOperation(
                method: .POST, id: "publish-stream", tag: .publishing,
                summary: "Publishes each line of a body without end",
                description: "Each line, a change or a list of them (marquee-change), is a commit and has an answer "
                    + "line with its number: marquee-publication, or marquee-problem, after which the stream goes on.",
                parameters: [OpenAPIParameter.shared("idempotency-key")],
                body: ["application/x-ndjson": OpenAPISchema.text],
                answers: [
                    OpenAPIOperation.Answer(
                        status: 200, description: "A line for each line of the body.",
                        content: ["application/x-ndjson": OpenAPISchema.text])
                ], problems: [400, 401, 403, 415, 429, 503])
        ])

    /// One path for each type or, if they aren't known, one for all.
    private static func records(_ types: [String]) -> [OpenAPIPath] {
        if types.isEmpty { return [records(nil)] }
        return types.map { records($0) }
    }

    private static func records(_ type: String?) -> OpenAPIPath {
        let parameters = [OpenAPIParameter.shared("idempotency-key"), OpenAPIParameter.shared("content-encoding")]
        let named = type.map { " of the type '\($0)'" } ?? ""
        let names = RecordSchemas.Names(type)
        let answer = OpenAPIOperation.Answer.json("The change is committed.", "marquee-publication")
        var path = OpenAPIPath(
            template: "/v1/records/\(type ?? "{type}")/{id}",
            parameters: [
                OpenAPIParameter.parameter(
                    "id", in: .path, OpenAPISchema.name, "The record's id. A slash in it is sent as %2F.")
            ],
            operations: [
                OpenAPIOperation(
                    method: .GET, id: "get-\(type ?? "record")", tag: .records, summary: "Reads a record\(named)",
                    answers: [
                        OpenAPIOperation.Answer(
                            status: 200, description: "The record, as PUT takes it.",
                            content: ["application/json": names.whole])
                    ], problems: [400, 401, 403, 404, 429, 501, 503]),
                OpenAPIOperation(
                    method: .PUT, id: "put-\(type ?? "record")", tag: .records, summary: "Puts a record\(named), whole",
                    parameters: parameters, body: ["application/json": names.whole], answers: [answer],
                    problems: publishingProblems),
                OpenAPIOperation(
                    method: .PATCH, id: "patch-\(type ?? "record")", tag: .records,
                    summary: "Changes fields of an existing record\(named)", parameters: parameters,
                    body: ["application/json": names.part, "application/merge-patch+json": names.part],
                    answers: [answer], problems: publishingProblems),
                OpenAPIOperation(
                    method: .DELETE, id: "delete-\(type ?? "record")", tag: .records,
                    summary: "Removes a record\(named)", parameters: [OpenAPIParameter.shared("idempotency-key")],
                    answers: [answer], problems: publishingProblems),
            ])
        if type == nil {
            path.parameters.append(
                OpenAPIParameter.parameter("type", in: .path, OpenAPISchema.name, "One of the operator's types."))
        }
        return path
    }

    // MARK: - Collections and hooks

    private static let collection = OpenAPIPath(
        template: "/v1/collections/{name}",
        parameters: [OpenAPIParameter.parameter("name", in: .path, OpenAPISchema.name, "The collection: favorites.")],
        operations: [
            OpenAPIOperation(
                method: .POST, id: "change-collection", tag: .collections,
                summary: "Sets or removes a member of a user's collection",
                description: "The client's id and the number name the change, which takes effect once. The body has "
                    + "at most \(WebMember.maximumBytes) bytes.",
                parameters: [OpenAPIParameter.shared("content-encoding")],
                body: ["application/json": OpenAPISchema.reference("marquee-member")],
                answers: [.json("The change is stored.", "marquee-member-change")],
                problems: [400, 401, 403, 404, 408, 409, 413, 415, 422, 429, 503, 507])
        ])

    private static let seen = OpenAPIPath(
        template: "/v1/seen",
        operations: [
            OpenAPIOperation(
                method: .POST, id: "report-seen", tag: .collections,
                summary: "Reports what people have seen, as far as the programme asks for it",
                description: "The client's id and the number name the report, which counts once. 'changed' is false if "
                    + "there is no room for it now; then send it later, under another number. The body has at most "
                    + "\(WebReport.maximumBytes) bytes.",
                parameters: [OpenAPIParameter.shared("content-encoding")],
                body: ["application/json": OpenAPISchema.reference("marquee-report")],
                answers: [.json("The report is stored, or there is no room.", "marquee-member-change")],
                problems: [400, 401, 403, 404, 408, 409, 413, 415, 422, 429, 503, 507])
        ])

    private static let hook = OpenAPIPath(
        template: "/v1/hooks/{name}",
        parameters: [
            OpenAPIParameter.parameter(
                "name", in: .path, OpenAPISchema.name, "One of the hooks that the operator has set up.")
        ],
        operations: [
            OpenAPIOperation(
                method: .POST, id: "deliver", tag: .publishing, summary: "Takes a delivery from another program",
                description: "The body is in that program's form, and signed as the operator has said. It has at most "
                    + "\(Hook.maximumBytes) bytes.",
                parameters: [OpenAPIParameter.shared("content-encoding")],
                body: ["application/json": .bool(true)],
                answers: [.json("The changes that it means are committed.", "marquee-publication")],
                problems: publishingProblems)
        ])

    // MARK: - Connections

    private static let connect = OpenAPIPath(
        template: WebRoute.connectPath,
        operations: [
            OpenAPIOperation(
                method: .GET, id: "connect", tag: .connection, summary: "The protocol over a WebSocket",
                description: "The request upgrades to a WebSocket (RFC 6455) with the subprotocol "
                    + "\(WebSocketHandshake.subprotocol): the protocol's frames in binary messages.",
                parameters: [
                    OpenAPIParameter.parameter(
                        "Sec-WebSocket-Protocol", in: .header, OpenAPISchema.texts([WebSocketHandshake.subprotocol]),
                        "The subprotocol.", more: ["required": .bool(true)])
                ],
                answers: [
                    OpenAPIOperation.Answer(
                        status: 101, description: "The connection is a WebSocket.", fields: ["Upgrade"])
                ], problems: [400, 403, 426], answersHead: false)
        ])

    private static let document = OpenAPIPath(
        template: "/v1/openapi.json",
        operations: [
            OpenAPIOperation(
                method: .GET, id: "openapi", tag: .connection, summary: "This document",
                description: "It has the types of records that the client may publish.",
                parameters: [OpenAPIParameter.shared("if-none-match")],
                answers: [
                    OpenAPIOperation.Answer(
                        status: 200, description: "An OpenAPI document.",
                        content: ["application/json": OpenAPISchema.anyObject], fields: ["ETag"]),
                    .notModified,
                ], problems: [400, 401, 406, 429, 503])
        ])
}
