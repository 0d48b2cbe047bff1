import MarqueeScreenJSON

/// The paths for people who watch a server, besides its screens.
extension OpenAPIPaths {
    static let watching: [OpenAPIPath] = [programme, types, commits, clients]

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
