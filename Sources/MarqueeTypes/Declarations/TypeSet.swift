package import MarqueeModel

/// An operator's types of records, collections and lists, as declared in the YAML that `Docs/your-data.md` describes,
/// together with the descriptor set that it names.
package struct TypeSet: Hashable, Sendable {
    /// In the order of the declaration.
    package let types: [TypeDeclaration]
    package let collections: [CollectionDeclaration]
    package let lists: [ListDeclaration]
    /// The schema.
    package let schema: DescriptorSet
    /// The messages of inline fields, if the declaration has any.
    package let inline: InlineSchema?
    /// The declaration as it was written.
    package let declaration: String
    /// The descriptor set as it was given, with the messages of inline fields.
    package let descriptors: [UInt8]

    /// Reads a declaration.
    ///
    /// - Parameters:
    ///   - text: YAML.
    ///   - file: the file's name, for error messages.
    ///   - descriptors: the bytes of the descriptor set that it names; empty if it names none.
    ///   - builtIn: the item kinds of messages that clients know without these types, by the messages' full names.
    /// - Throws: every mistake found, up to `FileMistakes.limit`.
    package init(
        _ text: String, file: String, descriptors: [UInt8], builtIn: [String: ItemKind] = [:]
    ) throws(FileMistakes) {
        var reader = TypeSetReader(file: file, builtIn: builtIn)
        guard let parts = reader.read(text, descriptors) else { throw reader.yaml.error }
        types = parts.types
        collections = parts.collections
        lists = parts.lists
        schema = parts.schema
        inline = parts.inline
        declaration = text
        self.descriptors = parts.descriptors
    }

    /// The file that a declaration names as its descriptor set, exactly as written.
    ///
    /// - Returns: `nil` if it names none, because its types have inline fields.
    /// - Throws: when the declaration is not YAML or has neither. Other mistakes are found by `init`.
    package static func descriptorFile(of text: String, file: String) throws(FileMistakes) -> String? {
        var reader = TypeSetReader(file: file, builtIn: [:])
        let name = reader.descriptorFile(text)
        guard reader.yaml.mistakes.isEmpty else { throw reader.yaml.error }
        return name
    }

    /// The type with this alias.
    package func type(_ alias: String) -> TypeDeclaration? { types.first { $0.alias == alias } }

    /// The collection with this name.
    package func collection(_ name: String) -> CollectionDeclaration? { collections.first { $0.name == name } }

    /// The lists declared under this name.
    package func list(_ name: String) -> ListDeclaration? { lists.first { $0.name == name } }
}

// MARK: - Serialization

extension TypeSet {
    private static let declarationField: UInt32 = 1
    private static let descriptorsField: UInt32 = 2

    /// The set as deterministic bytes: protobuf field 1 is the declaration, field 2 the descriptor set.
    package var serialized: [UInt8] {
        var writer = WireWriter()
        writer.tag(TypeSet.declarationField, .lengthPrefixed)
        writer.lengthPrefixed(declaration.utf8)
        writer.tag(TypeSet.descriptorsField, .lengthPrefixed)
        writer.lengthPrefixed(descriptors)
        return writer.bytes
    }

    /// Reads the output of `serialized`.
    ///
    /// - Parameter file: the name of the declaration in error messages.
    package init(serialized: [UInt8], file: String) throws(FileMistakes) {
        var reader = WireReader(serialized)
        var declaration: String?
        var descriptors: [UInt8]?
        while let field = try? reader.next(), field.wireType == .lengthPrefixed {
            let content = serialized[field.payload]
            if field.number == TypeSet.declarationField { declaration = String(validating: content, as: UTF8.self) }
            if field.number == TypeSet.descriptorsField { descriptors = Array(content) }
        }
        guard reader.isAtEnd, let declaration, let descriptors else {
            throw FileMistakes(mistakes: [
                FileMistake(file: file, line: 1, reason: "these bytes are not a set of types")
            ])
        }
        try self.init(declaration, file: file, descriptors: descriptors)
    }
}
