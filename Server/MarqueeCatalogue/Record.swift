import Foundation
package import MarqueeModel

/// Names a record: the alias of its type, and its id within that type.
package struct RecordID: Hashable, Sendable, Codable {
    /// The most bytes of an alias: with a slash and the id, it has to fit into a subject.
    package static let maximumTypeLength = 64

    /// The type's alias, such as `episode`.
    package var type: String
    package var id: String

    package init(type: String, id: String) {
        self.type = type
        self.id = id
    }

    /// The record's name in favorites and items: `episode/e1`.
    package var subject: Subject { Subject("\(type)/\(id)") }
}

extension Subject {
    /// The record it names, if it has that form. Its type need not exist.
    package var record: RecordID? {
        let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
            parts[0].unicodeScalars.allSatisfy({
                ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "-" || $0 == "_"
            })
        else { return nil }
        return RecordID(type: String(parts[0]), id: String(parts[1]))
    }
}

/// A record's fields, as a change gives them.
package enum RecordContent: Hashable, Sendable {
    /// In protobuf's JSON mapping.
    case json(JSONValue)
    /// The encoded message. The store and its log hold the canonical form.
    case bytes([UInt8])
}

/// The record types in force, as they were given.
package struct TypesDocument: Hashable, Sendable, Codable {
    /// YAML: which messages are types, what they are called and what is indexed.
    package var declarations: String
    /// A serialized `google.protobuf.FileDescriptorSet`.
    package var descriptors: Base64

    package init(declarations: String, descriptors: [UInt8]) {
        self.declarations = declarations
        self.descriptors = Base64(descriptors)
    }
}

/// Bytes that JSON carries as base64 text.
package struct Base64: Hashable, Sendable, Codable {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let data = Data(base64Encoded: text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "base64 text is expected"))
        }
        bytes = [UInt8](data)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Data(bytes).base64EncodedString())
    }
}

/// The JSON form of a record in a change: `{"type": "episode", "id": "e1", "record": {…}}`, or with `bytes`
/// instead of `record`.
struct RecordDocument: Codable {
    var type: String
    var id: String
    var record: JSONValue?
    var bytes: Base64?
    /// For a merge: the fields to remove.
    var clear: [String]?
    /// For a merge: whether it creates a record that isn't there.
    var create: Bool?

    init(_ id: RecordID, _ content: RecordContent, clear: [String]? = nil, create: Bool? = nil) {
        (type, self.id, self.clear, self.create) = (id.type, id.id, clear, create)
        switch content {
        case .json(let value): record = value
        case .bytes(let bytes): self.bytes = Base64(bytes)
        }
    }

    var name: RecordID { RecordID(type: type, id: id) }

    /// - Throws: when there isn't exactly one of the two contents.
    func content(at path: [any CodingKey]) throws -> RecordContent {
        switch (record, bytes) {
        case (let value?, nil): return .json(value)
        case (nil, let bytes?): return .bytes(bytes.bytes)
        default:
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: path,
                    debugDescription: "a record's content is either 'record', in JSON, or 'bytes', in base64"))
        }
    }
}
