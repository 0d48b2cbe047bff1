package import MarqueeModel

/// Names a record: the alias of its type, and its id within that type.
package struct RecordID: Hashable, Sendable {
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
package struct TypesDocument: Hashable, Sendable {
    /// YAML: which messages are types, what they are called and what is indexed.
    package var declarations: String
    /// A serialized `google.protobuf.FileDescriptorSet`.
    package var descriptors: [UInt8]

    package init(declarations: String, descriptors: [UInt8]) {
        self.declarations = declarations
        self.descriptors = descriptors
    }
}
