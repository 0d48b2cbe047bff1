import MarqueeScreenJSON

/// The paths for people who watch a server, besides its screens.
extension OpenAPIPaths {
    static let watching: [OpenAPIPath] = [programme, types, drafts, draft, commits, clients]

    private static let watchingProblems = [400, 401, 403, 429, 501, 503]

    private static let programme = OpenAPIPath(
        template: "/v1/programme",
        operations: [
            OpenAPIOperation(
                method: .GET, id: "programme", tag: .screens, summary: "The programme as it was published",
                description: "For those who may publish it.",
                answers: [
                    answer(
                        "The text of the programme.",
                        OpenAPISchema.object(
                            ["type": OpenAPISchema.texts(["programme"]), "programme": OpenAPISchema.text],
                            required: ["type", "programme"]))
                ], problems: watchingProblems + [404])
        ])

    private static let types = OpenAPIPath(
        template: "/v1/types",
        operations: [
            OpenAPIOperation(
                method: .GET, id: "types", tag: .publishing, summary: "The types, as the change that publishes them",
                description: "For those who may publish types.",
                answers: [answer("The change.", OpenAPISchema.reference("marquee-change"))],
                problems: watchingProblems + [404])
        ])

    private static let draftSchema = OpenAPISchema.object(
        [
            "draft": OpenAPISchema.name, "publications": OpenAPISchema.count, "changes": OpenAPISchema.count,
            "bytes": OpenAPISchema.count, "version": OpenAPISchema.count, "at": OpenAPISchema.text,
            "despiteConflicts": OpenAPISchema.bool,
            "problem": OpenAPISchema.text,
        ], required: ["draft", "publications", "changes", "bytes"])

    private static let drafts = OpenAPIPath(
        template: "/v1/drafts",
        operations: [
            OpenAPIOperation(
                method: .GET, id: "drafts", tag: .publishing, summary: "Which drafts there are",
                description: "Those that the client's scopes name.",
                answers: [
                    answer(
                        "The drafts: 'at' is when one is published, 'problem' why it wasn't.",
                        OpenAPISchema.object(
                            ["type": OpenAPISchema.texts(["drafts"]), "drafts": OpenAPISchema.list(of: draftSchema)],
                            required: ["type", "drafts"]))
                ], problems: watchingProblems)
        ])

    private static let draft = OpenAPIPath(
        template: "/v1/drafts/{name}",
        parameters: [OpenAPIParameter.parameter("name", in: .path, OpenAPISchema.name, "The draft.")],
        operations: [
            OpenAPIOperation(
                method: .GET, id: "draft", tag: .publishing, summary: "What a draft changes",
                description: "For those with its scope.",
                answers: [
                    answer(
                        "The draft, and each piece before and after: a record as 'put' takes it, anything else as "
                            + "the change that makes it; null where it isn't there.",
                        OpenAPISchema.object(
                            [
                                "type": OpenAPISchema.texts(["draft"]), "draft": draftSchema,
                                "differences": OpenAPISchema.list(
                                    of: OpenAPISchema.object(
                                        [
                                            "name": OpenAPISchema.text,
                                            "kind": OpenAPISchema.texts(["record", "change"]),
                                            "conflict": OpenAPISchema.bool, "before": .bool(true), "after": .bool(true),
                                        ], required: ["name", "kind", "before", "after"])),
                            ], required: ["type", "draft", "differences"]))
                ], problems: watchingProblems + [404, 409])
        ])

    private static let commit = OpenAPISchema.object(
        [
            "revision": OpenAPISchema.count, "time": OpenAPISchema.count, "key": OpenAPISchema.text,
            "count": OpenAPISchema.count,
            "publisher": OpenAPISchema.object([
                "user": OpenAPISchema.text, "by": OpenAPISchema.text, "agent": OpenAPISchema.text,
                "address": OpenAPISchema.text,
            ]),
            "changes": OpenAPISchema.list(
                of: OpenAPISchema.object(
                    ["change": OpenAPISchema.name, "type": OpenAPISchema.name, "id": OpenAPISchema.text],
                    required: ["change"])),
        ], required: ["revision", "time", "count", "changes"])

    private static let commits = OpenAPIPath(
        template: "/v1/commits",
        operations: [
            OpenAPIOperation(
                method: .GET, id: "commits", tag: .publishing, summary: "The newest commits, and who published each",
                description: "For those who may read and publish everything. With Accept: text/event-stream each is "
                    + "an event 'commit': those that are remembered, and those that come.",
                parameters: [
                    OpenAPIParameter.parameter(
                        "Last-Event-ID", in: .header, OpenAPISchema.text,
                        "The id of the last event that the client has, to go on from there.")
                ],
                answers: [
                    OpenAPIOperation.Answer(
                        status: 200, description: "The commits, the newest first, or their events.",
                        content: [
                            "application/json": OpenAPISchema.object(
                                ["type": OpenAPISchema.texts(["commits"]), "commits": OpenAPISchema.list(of: commit)],
                                required: ["type", "commits"]),
                            "text/event-stream": OpenAPISchema.text,
                        ])
                ], problems: watchingProblems)
        ])

    private static let clients = OpenAPIPath(
        template: "/v1/clients",
        operations: [
            OpenAPIOperation(
                method: .GET, id: "clients", tag: .connection, summary: "The state of the clients, the slowest first",
                description: "For those who may read and publish everything.",
                answers: [
                    answer(
                        "At most \(Inspection.maximumClients) of them, and how many there are.",
                        OpenAPISchema.object(
                            [
                                "type": OpenAPISchema.texts(["clients"]), "total": OpenAPISchema.count,
                                "clients": OpenAPISchema.list(of: OpenAPISchema.anyObject),
                            ], required: ["type", "total", "clients"]))
                ], problems: watchingProblems)
        ])

    private static func answer(_ description: String, _ schema: JSONDocument) -> OpenAPIOperation.Answer {
        OpenAPIOperation.Answer(status: 200, description: description, content: ["application/json": schema])
    }
}
