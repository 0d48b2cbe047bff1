import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeTypes
import NIOHTTP1
import Testing

@testable import MarqueeServer
@testable import MarqueeWeb

@Suite("The document of the web door")
struct OpenAPITests {
    private static let all = Identity(user: nil, scopes: .everything)

    private func types(of identity: Identity = all) throws -> PublishableTypes {
        PublishableTypes(try TypeSet(try KitchenTypes.document(), file: "types"), for: identity)
    }

    private func reading(_ types: PublishableTypes?) throws -> SchemaReading {
        try SchemaReading(String(buffer: OpenAPIDocument(types).body))
    }

    /// Compiles only while it knows every kind of route; a new one has to be among those below.
    private func kind(of route: WebRoute) -> String {
        switch route {
        case .connect: "connect"
        case .screens: "screens"
        case .screen: "screen"
        case .search: "search"
        case .send(.changes): "publish"
        case .send(.lines): "stream"
        case .send(.record(_, _, let method)): "\(method)"
        case .send(.member): "collection"
        case .send(.seen): "seen"
        case .send(.delivery): "hook"
        case .inspection(.document(.record)): "get"
        case .inspection(.document(.programme)): "programme"
        case .inspection(.document(.types)): "types"
        case .inspection(.commits): "commits"
        case .inspection(.clients): "clients"
        case .inspection(.drafts(nil)): "drafts"
        case .inspection(.drafts): "draft"
        case .openAPI: "openapi"
        case .window: "window"
        case .methods: "methods"
        }
    }

    private static let kinds: Set = [
        "connect", "screens", "screen", "search", "publish", "stream", "put", "patch", "delete", "collection", "hook",
        "seen", "openapi", "get", "programme", "types", "commits", "clients", "drafts", "draft",
    ]

    @Test func `Every route of the door is in the document, with all its methods`() throws {
        let paths = try #require(try reading(try types()).document["paths"])
        let hooks = try HookFile(yaml: "hooks: {x: {changes: [{remove: {type: a, id: $id}}]}}", file: "hooks") { _ in []
        }
        var found: Set<String> = []
        for (template, path) in paths.members {
            let uri = template.replacing(/\{[a-z]+\}/, with: "x")
            var methods = Set(path.members.map { $0.name.uppercased() })
            methods.remove("PARAMETERS")
            for method in methods where method != "HEAD" {
                // A search needs a text.
                let query = template == "/v1/search" ? "?q=x" : ""
                let head = HTTPRequestHead(version: .http1_1, method: HTTPMethod(rawValue: method), uri: uri + query)
                found.insert(kind(of: try WebRoute(head, hooks)))
            }
            let asked = try WebRoute(HTTPRequestHead(version: .http1_1, method: .OPTIONS, uri: uri))
            guard case .methods(let allowed) = asked else { Issue.record("\(template)"); continue }
            #expect(Set(allowed.map(\.rawValue)) == methods.union(["OPTIONS"]), "\(template)")
        }
        #expect(found == Self.kinds)
    }

    @Test func `Every request that the page lists is in the document`() throws {
        let page = try KitchenTypes.page("web")
        let table = try #require(page.firstRange(of: "| request | answer |")).upperBound
        let rows = page[table...].components(separatedBy: "\n").dropFirst(2).prefix { $0.hasPrefix("|") }
        #expect(rows.count { $0.contains("/v1/") } >= 10)
        let paths = try #require(try reading(nil).document["paths"]).members
        for row in rows {
            let cell = row.split(separator: "|")[0]
            // A row may be about the path of the one above it.
            guard let path = cell.firstMatch(of: /\/v1\/[^\s`?]+/)?.output else { continue }
            // NAME on the page is {name} in the document.
            let template = path.replacing(/\/([A-Z]+)/) { "/{\($0.output.1.lowercased())}" }
            let known = try #require(paths.first { $0.name == template }?.value, "\(template)")
            for method in cell.matches(of: /\b(GET|PUT|POST|PATCH|DELETE)\b/) {
                #expect(known[method.output.1.lowercased()] != nil, "\(method.output.1) \(template)")
            }
        }
    }

    @Test func `The document follows the rules of OpenAPI`() throws {
        for types in [nil, try types()] {
            let reading = try reading(types)
            #expect(reading.document["openapi"] == .text("3.1.0"))
            for part in ["schemas", "parameters", "responses", "headers"] {
                for (name, _) in try #require(reading.document["components"]?[part]).members {
                    #expect(name.wholeMatch(of: /[A-Za-z0-9._-]+/) != nil, "\(name)")
                }
            }
            var ids: Set<String> = []
            for (template, path) in try #require(reading.document["paths"]).members {
                let braced = template.matches(of: /\{([a-z]+)\}/).map { String($0.output.1) }
                let named = path["parameters"]?.elements.map { $0["name"]?.string ?? "" } ?? []
                #expect(Set(braced) == Set(named), "\(template)")
                for (method, operation) in path.members where method != "parameters" {
                    let id = operation["operationId"]?.string ?? ""
                    let isNew = ids.insert(id).inserted
                    #expect(isNew, "\(template) \(method)")
                    let answers = try #require(operation["responses"]).members.map(\.value)
                    #expect(answers.allSatisfy { $0["description"] != nil || $0["$ref"] != nil })
                }
            }
            try checkReferences(reading.document, in: reading.document)
        }
    }

    private func checkReferences(_ value: JSONValue, in document: JSONValue) throws {
        for (name, member) in value.members {
            if name == "$ref" {
                let way = member.string.split(separator: "/").dropFirst()
                #expect(way.reduce(document) { $0?[String($1)] } != nil, "\(member.string)")
            }
            try checkReferences(member, in: document)
        }
        for element in value.elements { try checkReferences(element, in: document) }
    }

    @Test func `Equal types give an equal document, and others another tag`() throws {
        let first = OpenAPIDocument(try types())
        #expect(first.body == OpenAPIDocument(try types()).body)
        #expect(first.tag == OpenAPIDocument(try types()).tag)
        #expect(first.tag != OpenAPIDocument(nil).tag)
        let documents = OpenAPIDocuments()
        #expect(documents.document(of: try types()).tag == first.tag)
        #expect(documents.document(of: nil).tag == OpenAPIDocument(nil).tag)
    }

    @Test func `A client sees the types that it may publish, and no others`() throws {
        let scopes = try Scopes(["read *", "publish job", "publish list/*"])
        let some = try reading(try types(of: Identity(user: nil, scopes: scopes)))
        let schemas = try #require(some.document["components"]?["schemas"]).members.map(\.name)
        #expect(schemas.filter { $0.hasPrefix("record-") } == ["record-job"])
        #expect(schemas.contains("legacy.v1.Job"))
        #expect(!schemas.contains { $0.hasPrefix("kitchen.") || $0.hasPrefix("movies.") })
        let reader = OpenAPIDocuments().document(of: try types(of: Identity(user: nil, scopes: .readOnly)))
        #expect(reader.body == OpenAPIDocument(nil).body)
    }

    @Test func `Types that make it too large are left out, and it says so`() throws {
        let whole = OpenAPIDocument(try types())
        let small = OpenAPIDocument(try types(), limit: whole.body.readableBytes / 2)
        let text = String(buffer: small.body)
        #expect(text.contains("The types of records are left out"))
        #expect(text.contains("/v1/records/{type}/{id}"))
        #expect(!text.contains("kitchen"))
    }

    @Test func `A name that a document can't use is written so that it can`() throws {
        let nested = FieldDescriptor(
            name: "next", number: 1, type: .message(0), cardinality: .single, presence: .explicit, isPacked: false)
        let message = MessageDescriptor(fullName: "odd.Ñame-x", file: "odd.proto", fields: [nested])
        let set = DescriptorSet(messages: [message], enumerations: [])
        var schemas = RecordSchemas(set)
        schemas.define(0, isPartial: false)
        #expect(schemas.all.keys.sorted() == ["odd.-C3-91ame-2Dx"])
    }

    @Test func `The changes of the page are accepted, and what isn't a change is refused, as the door does`() throws {
        let reading = try reading(nil)
        let page = try KitchenTypes.page("publishing")
        let block = try #require(page.firstMatch(of: /```json\n(.*?)```/.dotMatchesNewlines())).output.1
        var documents = block.split(separator: "\n").map(String.init)
        documents = documents.map { $0.replacing("the descriptor set in base64", with: "AAAA") }
        let kinds = Set(documents.compactMap { $0.firstMatch(of: /\{"(\w+)"/)?.output.1 })
        #expect(kinds.count == 15)
        for document in documents {
            #expect(try reading.accepts(document, by: "marquee-change"), "\(document)")
            let bytes = Array(document.utf8)
            // An undo is a publication of its own, and the name of a draft no change.
            if try Undo.revision(of: [bytes]) != nil || DraftOrder.isOrder(bytes) { continue }
            #expect(throws: Never.self, "\(document)") { try Change(document: bytes) }
        }
        for document in [
            #"{}"#, #"{"programme": "a", "removePage": {"id": "b"}}"#, #"{"destroy": {"type": "a", "id": "b"}}"#,
            #"{"put": {"type": "a", "id": "b"}}"#, #"{"put": {"type": "a", "record": {}}}"#,
            #"{"put": {"type": "a", "id": "b", "record": {}, "bytes": ""}}"#,
            #"{"put": {"type": "a", "id": "b", "record": {}, "clear": []}}"#,
            #"{"merge": {"type": "a", "id": "b", "create": "no"}}"#, #"{"remove": {"type": "a", "id": ""}}"#,
            #"{"list": {"list": "a", "entries": [{"place": {}}]}}"#, #"{"listItem": {"list": "a"}}"#,
            #"{"listItem": {"list": "a", "item": {"record": "a/b"}, "at": 0}}"#,
            #"{"choose": {"pool": "a", "record": "a/b", "entry": "c"}}"#, #"{"choose": {"pool": "a", "record": "ab"}}"#,
            #"{"page": {"id": "a/b", "sections": []}}"#, #"{"types": {"declarations": "a", "descriptors": "-"}}"#,
        ] {
            #expect(try !reading.accepts(document, by: "marquee-change"), "\(document)")
            #expect(throws: (any Error).self, "\(document)") { try Change(document: Array(document.utf8)) }
        }
    }

    @Test func `A change of a record is judged by the record's type`() throws {
        let reading = try reading(try types())
        for (document, isGood) in [
            (#"{"put": {"type": "job", "id": "j", "record": {"id": "j"}}}"#, true),
            (#"{"put": {"type": "kitchen", "id": "j", "record": {"id": "j"}}}"#, false),
            (#"{"put": {"type": "jobs", "id": "j", "record": {"id": "j"}}}"#, false),
            (#"{"put": {"type": "job", "id": "j", "record": {"priority": 1}}}"#, false),
            (#"{"merge": {"type": "job", "id": "j", "record": {"priority": 1}, "clear": ["title"]}}"#, true),
            (#"{"merge": {"type": "job", "id": "j", "record": {"step": {"offset": 1}}}}"#, true),
            (#"{"put": {"type": "job", "id": "j", "record": {"id": "j", "step": {"offset": 1}}}}"#, false),
            (#"{"remove": {"type": "jobs", "id": "j"}}"#, false),
        ] {
            #expect(try reading.accepts(document, by: "marquee-change") == isGood, "\(document)")
        }
    }
}
