import MarqueeScreenJSON
import NIOHTTP1

/// A path of the door, with its operations.
struct OpenAPIPath {
    /// The path, with its parameters in braces.
    let template: String
    /// The parameters of the path.
    var parameters: [JSONDocument] = []
    var operations: [OpenAPIOperation]

    var document: JSONDocument {
        var members: [String: JSONDocument] = [:]
        if !parameters.isEmpty { members["parameters"] = .array(parameters) }
        for operation in operations {
            members[operation.method.rawValue.lowercased()] = operation.document
            if operation.method == .GET, operation.answersHead { members["head"] = operation.head }
        }
        return .object(members)
    }
}

/// A request, and its answers.
struct OpenAPIOperation {
    enum Tag: String, CaseIterable {
        case screens, publishing, records, collections, connection

        var description: String {
            switch self {
            case .screens: "Reading screens, once or as they change."
            case .publishing: "Publishing changes, many at a time."
            case .records: "Publishing one record, or reading it."
            case .collections: "Changing a user's collections, such as favorites."
            case .connection: "The protocol itself, and this document."
            }
        }
    }

    /// An answer other than a problem.
    struct Answer {
        let status: Int
        let description: String
        /// Schemas by media type.
        var content: [String: JSONDocument] = [:]
        /// Names of its header fields among the components.
        var fields: [String] = []

        static func json(_ description: String, _ schema: String, fields: [String] = []) -> Answer {
            Answer(
                status: 200, description: description, content: ["application/json": OpenAPISchema.reference(schema)],
                fields: fields)
        }

        static let notModified = Answer(status: 304, description: "The version in If-None-Match is current.")
    }

    let method: HTTPMethod
    /// The operation's name in code that is generated from the document.
    let id: String
    let tag: Tag
    let summary: String
    var description: String?
    var parameters: [JSONDocument] = []
    /// Schemas of the body by media type; none if it takes no body.
    var body: [String: JSONDocument] = [:]
    let answers: [Answer]
    /// Statuses of the problems that are its own; any other may come too.
    let problems: [Int]
    /// Whether `HEAD` is answered as well as `GET`.
    var answersHead = true

    fileprivate var document: JSONDocument { document(answers) }

    /// The same for `HEAD`, which has no bodies.
    fileprivate var head: JSONDocument {
        document(answers.map { Answer(status: $0.status, description: $0.description, fields: $0.fields) })
            .with(["operationId": .string("head-\(id)"), "summary": .string("The head of the answer to GET")])
    }

    private func document(_ answers: [Answer]) -> JSONDocument {
        var responses: [String: JSONDocument] = ["default": OpenAPIProblems.reference("problem")]
        for problem in problems { responses["\(problem)"] = OpenAPIProblems.reference("problem-\(problem)") }
        for answer in answers {
            responses["\(answer.status)"] = .object([
                "description": .string(answer.description),
                "content": answer.content.isEmpty ? nil : Self.content(answer.content),
                "headers": answer.fields.isEmpty
                    ? nil
                    : .object(
                        Dictionary(
                            answer.fields.map { ($0, .object(["$ref": .string("#/components/headers/\($0)")])) }
                        ) { first, _ in first }),
            ])
        }
        return .object([
            "operationId": .string(id), "tags": .strings([tag.rawValue]), "summary": .string(summary),
            "description": description.map { .string($0) },
            "parameters": parameters.isEmpty ? nil : .array(parameters),
            "requestBody": body.isEmpty ? nil : .object(["required": .bool(true), "content": Self.content(body)]),
            "responses": .object(responses),
        ])
    }

    private static func content(_ schemas: [String: JSONDocument]) -> JSONDocument {
        .object(schemas.mapValues { .object(["schema": $0]) })
    }
}

/// The parameters of requests.
enum OpenAPIParameter {
    enum Place: String { case path, query, header }

    static func parameter(
        _ name: String, in place: Place, _ schema: JSONDocument, _ description: String,
        more: KeyValuePairs<String, JSONDocument> = [:]
    ) -> JSONDocument {
        JSONDocument.object([
            "name": .string(name), "in": .string(place.rawValue), "schema": schema,
            "description": .string(description), "required": place == .path ? .bool(true) : nil,
        ]).with(more)
    }

    /// - Parameter name: the name of a parameter among the components.
    static func shared(_ name: String) -> JSONDocument {
        .object(["$ref": .string("#/components/parameters/\(name)")])
    }

    /// The parameters that several requests share.
    static let components: JSONDocument = .object([
        "locale": parameter(
            "locale", in: .query, OpenAPISchema.text, "The language, such as ko or pt-BR; the nearest is taken."),
        "if-none-match": parameter(
            "If-None-Match", in: .header, OpenAPISchema.text,
            "The ETag of the version that the client has: it is answered with 304 while it is current."),
        "idempotency-key": parameter(
            "Idempotency-Key", in: .header, OpenAPISchema.pattern("^[!-~]{1,256}$"),
            "With a key the commit is made once, however often it is sent."),
        "content-encoding": parameter(
            "Content-Encoding", in: .header, OpenAPISchema.texts(["gzip"]), "How the body is packed."),
    ])

    /// The header fields that several answers share.
    static let fields: JSONDocument = .object([
        "ETag": field("Names the version of the answer, for If-None-Match."),
        "Retry-After": field("After how many seconds to ask again."),
        "WWW-Authenticate": field("Bearer; for a delivery's signature Marquee-Signature."),
        "Upgrade": field("websocket."),
    ])

    private static func field(_ description: String) -> JSONDocument {
        .object(["description": .string(description), "schema": OpenAPISchema.text])
    }
}

/// Problems, as responses.
enum OpenAPIProblems {
    private static let schema = "marquee-problem"

    fileprivate static func reference(_ name: String) -> JSONDocument {
        .object(["$ref": .string("#/components/responses/\(name)")])
    }

    private static let texts: [Int: String] = [
        400: "The request is wrong: its path, a parameter, a header field or the body's packing.",
        401: "The token or a delivery's signature isn't valid, or a user is needed.",
        403: "A page of another site asks, or the client may not do this.",
        404: "It doesn't exist, or the client may not see it.",
        406: "Accept doesn't allow JSON.",
        408: "The body didn't arrive in time.",
        409: "The request conflicts with the current state.",
        413: "The body is too large, packed or unpacked.",
        415: "The body's type or encoding isn't one of those here.",
        422: "There are mistakes; nothing was changed.",
        426: "The path is for WebSockets.",
        429: "Too much is being done; Retry-After says when to ask again.",
        501: "This server can't do it; a relay has no store.",
        503: "Too much is being done; Retry-After says when to ask again.",
        507: "The server's disk is full; nothing was changed.",
    ]

    private static let fields: [Int: String] = [
        401: "WWW-Authenticate", 426: "Upgrade", 429: "Retry-After", 503: "Retry-After",
        507: "Retry-After",
    ]

    static let responses: JSONDocument = {
        var responses = ["problem": response("Any other problem, as Docs/web.md lists them.", field: nil)]
        for (status, text) in texts { responses["problem-\(status)"] = response(text, field: fields[status]) }
        return .object(responses)
    }()

    private static func response(_ description: String, field: String?) -> JSONDocument {
        .object([
            "description": .string(description),
            "content": .object([
                WebProblem.mediaType: .object(["schema": OpenAPISchema.reference(schema)])
            ]),
            "headers": field.map { .object([$0: .object(["$ref": .string("#/components/headers/\($0)")])]) },
        ])
    }

    /// The schema of a problem.
    static let schemas: [String: JSONDocument] = [
        schema: OpenAPISchema.object(
            [
                "type": OpenAPISchema.text, "title": OpenAPISchema.text, "status": OpenAPISchema.count,
                "reason": OpenAPISchema.text, "detail": OpenAPISchema.text, "line": OpenAPISchema.count,
                "mistakes": OpenAPISchema.list(
                    of: OpenAPISchema.object(
                        [
                            "change": OpenAPISchema.count, "line": OpenAPISchema.count, "path": OpenAPISchema.text,
                            "reason": OpenAPISchema.text, "detail": OpenAPISchema.text,
                        ], required: ["path", "reason", "detail"], isOpen: true)),
            ], required: ["type", "title", "status", "reason", "detail"], isOpen: true,
            description: "A problem by RFC 9457. 'type' and 'reason' are for programs, 'detail' is for people; "
                + "'mistakes' has all that is wrong with a publication, 'line' the line of a stream.")
    ]
}
