import MarqueeModel
import MarqueeTypes
import MarqueeWire
import NIOHTTP1

/// The thing that a request asks for.
enum WebRoute {
    /// A WebSocket.
    case connect
    /// The list of screens.
    case screens(locale: String?)
    case screen(GetScreenRequest)
    case search(SearchRequest)
    /// Something with a body: a publication, mostly.
    case send(WebSubject)
    /// The description of the door, in OpenAPI.
    case openAPI
    /// A file of the window.
    case window(WindowAsset)
    /// A question about the server's content or clients.
    case inspection(Inspection)
    /// The methods of a path.
    case methods([HTTPMethod])

    /// The methods that at least one path has.
    private static let methods: [HTTPMethod] = [.GET, .HEAD, .POST, .PUT, .PATCH, .DELETE, .OPTIONS]
    /// The first part of every path.
    private static let version = "v1"
    static let connectPath = "/v1/connect"

    /// - Parameter hooks: the hooks that exist.
    /// - Throws: the problem to answer with.
    init(_ head: HTTPRequestHead, _ hooks: HookFile = HookFile()) throws(WebProblem) {
        // The server as a whole (RFC 9110 section 9.3.7), not a path of it.
        if head.uri == "*", head.method == .OPTIONS {
            self = .methods(Self.methods)
            return
        }
        let target = try WebTarget(head.uri)
        if let asset = WindowAsset(target.path) {
            self = try Self.checked(head, [.GET, .HEAD]) { () throws(WebProblem) in .window(asset) }
            return
        }
        guard !target.path.contains("") else { throw .nameEmpty(head.path) }
        guard target.path.first == Self.version, target.path.count >= 2 else { throw .notFound(head.path) }
        let rest = Array(target.path.dropFirst(2))
        switch (target.path[1], rest.isEmpty) {
        case ("connect", true): self = try Self.checked(head, [.GET]) { () throws(WebProblem) in .connect }
        case ("screens", true):
            self = try Self.checked(head, [.GET, .HEAD]) { () throws(WebProblem) in
                .screens(locale: try Self.onlyLocale(target))
            }
        case ("screens", false):
            self = try Self.checked(head, [.GET, .HEAD]) { () throws(WebProblem) in
                .screen(try Self.screen(rest.joined(separator: "/"), target.query))
            }
        case ("search", true):
            self = try Self.checked(head, [.GET, .HEAD]) { () throws(WebProblem) in .search(try Self.search(target)) }
        case ("publish", true):
            self = try Self.checked(head, [.POST]) { () throws(WebProblem) in
                .send(.changes(try Self.dryRun(target)))
            }
        case ("publish", false) where rest == ["stream"]:
            self = try Self.checked(head, [.POST]) { () throws(WebProblem) in
                try Self.refuseParameters(target)
                return .send(.lines)
            }
        case ("commits", true), ("clients", true), ("programme", true), ("types", true):
            self = try Self.checked(head, [.GET, .HEAD]) { () throws(WebProblem) in
                try Self.refuseParameters(target)
                let questions: [String: Inspection] = [
                    "commits": .commits, "clients": .clients, "programme": .document(.programme),
                    "types": .document(.types),
                ]
                guard let inspection = questions[target.path[1]] else { throw .notFound(head.path) }
                return .inspection(inspection)
            }
        case ("drafts", _) where rest.count <= 1:
            self = try Self.checked(head, [.GET, .HEAD]) { () throws(WebProblem) in
                try Self.refuseParameters(target)
                return .inspection(.drafts(rest.first))
            }
        case ("records", false) where rest.count == 2:
            self = try Self.checked(head, [.GET, .HEAD, .PUT, .PATCH, .DELETE]) { () throws(WebProblem) in
                try Self.refuseParameters(target)
                let method: WebSubject.RecordMethod
                switch head.method {
                case .PUT: method = .put
                case .PATCH: method = .patch
                case .DELETE: method = .delete
                default: return .inspection(.document(.record(type: rest[0], id: rest[1])))
                }
                return .send(.record(type: rest[0], id: rest[1], method))
            }
        case ("collections", false) where rest.count == 1:
            self = try Self.checked(head, [.POST]) { () throws(WebProblem) in
                try Self.refuseParameters(target)
                return .send(.member(collection: rest[0]))
            }
        case ("seen", true):
            self = try Self.checked(head, [.POST]) { () throws(WebProblem) in
                try Self.refuseParameters(target)
                return .send(.seen)
            }
        case ("hooks", false) where rest.count == 1:
            self = try Self.checked(head, [.POST]) { () throws(WebProblem) in
                guard let hook = hooks.hooks[rest[0]] else { throw .unknownHook(rest[0]) }
                return .send(.delivery(hook))
            }
        case ("openapi.json", true):
            self = try Self.checked(head, [.GET, .HEAD]) { () throws(WebProblem) in
                try Self.refuseParameters(target)
                return .openAPI
            }
        default: throw .notFound(head.path)
        }
    }

    private static func refuseParameters(_ target: WebTarget) throws(WebProblem) {
        if let (name, _) = target.query.first { throw .parameterInvalid(name, expected: "this path takes none") }
    }

    /// - Returns: `nil` for changes that are to be made.
    private static func dryRun(_ target: WebTarget) throws(WebProblem) -> WebSubject.DryRun? {
        guard !target.query.isEmpty else { return nil }
        let expected =
            "this path takes dry-run, without a value, and with it preview, the name of a screen, "
            + "with the screen's own parameters"
        guard let (_, value) = target.query.first(where: { $0.name == "dry-run" }), ["", "1", "true"].contains(value)
        else { throw .parameterInvalid(target.query[0].name, expected: expected) }
        let previews = target.query.filter { $0.name == "preview" }
        let rest = target.query.filter { !["dry-run", "preview"].contains($0.name) }
        guard target.query.count(where: { $0.name == "dry-run" }) == 1, previews.count <= 1 else {
            throw .parameterInvalid("dry-run", expected: expected)
        }
        guard let preview = previews.first else {
            if let (name, _) = rest.first { throw .parameterInvalid(name, expected: expected) }
            return WebSubject.DryRun()
        }
        return WebSubject.DryRun(screen: try screen(preview.value, rest))
    }

    private static func checked(
        _ head: HTTPRequestHead, _ methods: [HTTPMethod], _ route: () throws(WebProblem) -> WebRoute
    ) throws(WebProblem) -> WebRoute {
        if head.method == .OPTIONS { return .methods(methods + [.OPTIONS]) }
        guard methods.contains(head.method) else { throw .methodNotAllowed(methods.map(\.rawValue) + ["OPTIONS"]) }
        return try route()
    }

    private static func onlyLocale(_ target: WebTarget) throws(WebProblem) -> String? {
        var locale: String?
        for (name, value) in target.query {
            guard name == "locale", locale == nil else {
                throw .parameterInvalid(name, expected: "this path takes locale, once")
            }
            locale = value
        }
        return locale
    }

    private static func screen(
        _ name: String, _ query: [(name: String, value: String)]
    ) throws(WebProblem) -> GetScreenRequest {
        var request = GetScreenRequest(screen: name)
        var sections: [String: SectionParameters] = [:]
        var places: [String: String] = [:]
        for (name, value) in query {
            let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
            switch (parts.first, parts.count) {
            case ("locale"?, 1) where request.locale == nil: request.locale = value
            case ("as"?, 1) where request.reader.isEmpty && !value.isEmpty:
                request.reader = value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            case ("at"?, 1) where request.at == nil:
                guard let moment = Moment(written: value) else {
                    throw .parameterInvalid(
                        name, expected: "it is a moment such as 2026-12-24T18:00:00Z; a + in it is written %2B")
                }
                request.at = moment
            case ("draft"?, 1) where request.draft == nil && !value.isEmpty: request.draft = value
            case ("sort"?, 2) where sections[parts[1]]?.sort == nil:
                sections[parts[1], default: SectionParameters(section: parts[1])].sort = value
            case ("window"?, 2) where sections[parts[1]]?.window == nil:
                guard let window = UInt32(value), window > 0 else {
                    throw .parameterInvalid(name, expected: "a window is a number of items, such as window.rank=40")
                }
                sections[parts[1], default: SectionParameters(section: parts[1])].window = window
            case ("anchor"?, 2) where places[parts[1]] == nil:
                guard WindowPlace(written: value, rows: nil) != nil else {
                    throw .parameterInvalid(
                        name, expected: "a place is start, end, item:ID or value:TEXT, such as anchor.rank=value:M")
                }
                places[parts[1]] = value
            default:
                throw .parameterInvalid(
                    name,
                    expected:
                        "this path takes locale, as, at, draft, sort.SECTION, window.SECTION and anchor.SECTION, each once"
                )
            }
        }
        for (section, text) in places {
            var parameters = sections[section] ?? SectionParameters(section: section)
            parameters.place = WindowPlace(written: text, rows: parameters.window)
            parameters.window = nil
            sections[section] = parameters
        }
        request.sections = sections.values.sorted { $0.section < $1.section }
        do throws(WireError) {
            return try CallBodyCodec.decodeGetScreenRequest(CallBodyCodec.encode(request))
        } catch {
            throw WebProblem(error.status)
        }
    }

    private static func search(_ target: WebTarget) throws(WebProblem) -> SearchRequest {
        var request = SearchRequest(query: "", queryID: 1)
        var seen: Set<String> = []
        for (name, value) in target.query {
            let isList = name == "where" || name == "facet"
            guard isList || seen.insert(name).inserted else {
                throw .parameterInvalid(name, expected: "it is given once")
            }
            switch name {
            case "facet": request.facets.append(value)
            case "where":
                guard let filter = NamedValue(value) else {
                    throw .parameterInvalid(name, expected: "it is a field and its value, as in topics=food")
                }
                request.filters.append(SearchRequest.Filter(field: filter.name, value: filter.value))
            case "q": request.query = value
            case "locale": request.locale = value
            case "page":
                guard let page = UInt32(value), page > 0 else {
                    throw .parameterInvalid(name, expected: "pages are counted from 1")
                }
                request.page = page
            default: throw .parameterInvalid(name, expected: "this path takes q, page, locale, where and facet")
            }
        }
        guard !request.query.isEmpty else { throw .parameterInvalid("q", expected: "it is the text to search for") }
        do throws(WireError) {
            return try CallBodyCodec.decodeSearchRequest(CallBodyCodec.encode(request))
        } catch {
            throw WebProblem(error.status)
        }
    }
}
