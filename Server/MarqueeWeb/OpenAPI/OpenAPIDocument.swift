import Crypto
import Foundation
import MarqueeModel
import MarqueeScreenJSON
import MarqueeServer
import NIOCore

/// A description of all that the door answers, in OpenAPI 3.1, with the types of records that a client may publish.
struct OpenAPIDocument: Sendable {
    /// The most bytes. If the record types make it larger, they are left out, and it says so.
    static let maximumBytes = 4 << 20

    /// JSON. Equal types give equal bytes.
    let body: ByteBuffer
    let tag: EntityTag

    /// - Parameters:
    ///   - types: `nil` where they aren't known.
    ///   - limit: the most bytes.
    init(_ types: PublishableTypes?, limit: Int = maximumBytes) {
        var text = Self.document(types, note: nil).line()
        if let types, !types.types.isEmpty, text.utf8.count > limit {
            text = Self.document(nil, note: "The types of records are left out, as they are too large.").line()
        }
        body = ByteBuffer(string: text + "\n")
        let digest = SHA256.hash(data: Data(text.utf8)).prefix(Self.tagBytes)
        tag = EntityTag(Array(digest).hexadecimal)
    }

    /// Bytes of the document's hash that name it.
    private static let tagBytes = 16

    private static func document(_ types: PublishableTypes?, note: String?) -> JSONDocument {
        let aliases = types?.types.map(\.alias) ?? []
        let paths = OpenAPIPaths.all(aliases).map { ($0.template, $0.document) }
        var schemas = OpenAPIProblems.schemas
        let records = types.map { RecordSchemas($0).all } ?? [:]
        for part in [ScreenSchemas.all, ChangeSchemas.all(aliases), records] {
            schemas.merge(part) { own, _ in own }
        }
        return .object([
            "openapi": .string("3.1.0"),
            "info": .object([
                "title": .string("Marquee"), "version": .string("1"),
                "description": .string(description + (note.map { " \($0)" } ?? "")),
            ]),
            "servers": .array([.object(["url": .string("/")])]),
            "tags": .array(
                OpenAPIOperation.Tag.allCases.map {
                    .object(["name": .string($0.rawValue), "description": .string($0.description)])
                }),
            "security": .array(
                ["token", "user"].map { .object([$0: .array([])]) } + [.object([:] as [String: JSONDocument])]),
            "paths": .object(Dictionary(paths) { first, _ in first }),
            "components": .object([
                "schemas": .object(schemas), "parameters": OpenAPIParameter.components,
                "headers": OpenAPIParameter.fields, "responses": OpenAPIProblems.responses,
                "securitySchemes": .object([
                    "token": .object([
                        "type": .string("http"), "scheme": .string("bearer"),
                        "description": .string("A token of the server's, or a JSON Web Token that it takes."),
                    ]),
                    "user": .object([
                        "type": .string("apiKey"), "in": .string("header"), "name": .string("Marquee-User"),
                        "description": .string("The user who asks, percent-encoded, where the server is open."),
                    ]),
                ]),
            ]),
        ])
    }

    private static let description =
        "The web door of a Marquee server. Record types are those that the client may publish. Their schemas follow "
        + "protobuf's JSON mapping; null for a field that is absent, numbers of enums and numbers as text are read too."
}
