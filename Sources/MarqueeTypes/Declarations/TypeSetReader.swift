internal import MarqueeDiff
internal import MarqueeModel
internal import Yams

/// Reads a declaration of types.
struct TypeSetReader {
    var yaml: YAMLReader
    /// The item kinds of the messages that clients know without a declaration, by full name.
    private let builtIn: [String: ItemKind]
    /// The alias that has taken each item kind so far.
    private var kinds: [UInt32: String] = [:]
    /// The messages of inline fields.
    private var inline: InlineSchema?

    private static let keys = ["descriptors", "package", "types", "collections", "lists"]

    init(file: String, builtIn: [String: ItemKind]) {
        yaml = YAMLReader(file: file)
        self.builtIn = builtIn
    }

    struct Parts {
        var types: [TypeDeclaration]
        var collections: [CollectionDeclaration]
        var lists: [ListDeclaration]
        var schema: DescriptorSet
        var inline: InlineSchema?
        /// The descriptor set, with the messages of inline fields.
        var descriptors: [UInt8]
    }

    /// Reads a declaration; `nil` if it has any mistake.
    mutating func read(_ text: String, _ descriptors: [UInt8]) -> Parts? {
        guard let fields = root(text) else { return nil }
        let typesNode = fields["types"]
        let typeEntries = typesNode.flatMap { yaml.entries($0, "'types'", atMost: TypeLimits.types) }
        let inline = typeEntries.flatMap { inlineSchema($0, fields["package"]) }
        let file = inline == nil ? yaml.required("descriptors", in: fields) : fields["descriptors"]
        let name = file.flatMap { yaml.text($0, "'descriptors'", atMost: TypeLimits.textBytes) } ?? ""
        var descriptors = descriptors
        if let inline {
            // If no file is named, any bytes given came from the same declaration and are generated again.
            descriptors = inline.descriptorSet(with: file == nil ? [] : descriptors) ?? descriptors
        }
        var schema: DescriptorSet?
        do throws(DescriptorError) {
            schema = try DescriptorSet(descriptors)
        } catch {
            yaml.report(file ?? typesNode, name.isEmpty ? "\(error)" : "\(name): \(error)")
        }
        if typesNode == nil { _ = yaml.required("types", in: fields) }
        guard let schema, let node = typesNode, let entries = typeEntries else { return nil }
        if entries.isEmpty { yaml.report(node, "'types' is empty") }
        let aliases = entries.compactMap { $0.key.scalar?.string }
        self.inline = inline
        let types = entries.compactMap { type($0.key, $0.value, schema, aliases) }
        let collections = fields["collections"].map { self.collections($0, schema, aliases) } ?? []
        let lists = fields["lists"].map { self.lists($0, schema, aliases) } ?? []
        guard yaml.mistakes.isEmpty else { return nil }
        return Parts(
            types: types, collections: collections, lists: lists, schema: schema, inline: inline,
            descriptors: descriptors)
    }

    /// Reads the name of the descriptor set's file.
    ///
    /// - Returns: `nil` if no file is needed or there is a mistake.
    mutating func descriptorFile(_ text: String) -> String? {
        guard let root = yaml.root(text, atMost: TypeLimits.declarationBytes) else { return nil }
        guard case .mapping(let mapping) = root, let node = mapping["descriptors"] else {
            if Self.hasInlineFields(root) { return nil }
            // A misspelt key is reported instead of the missing key.
            guard yaml.fields(root, "the declaration", allowed: Self.keys) != nil, yaml.mistakes.isEmpty else {
                return nil
            }
            yaml.report(
                root,
                "the declaration needs 'fields' of its types, or 'descriptors': the file that protoc "
                    + "--descriptor_set_out wrote")
            return nil
        }
        return yaml.text(node, "'descriptors'", atMost: TypeLimits.textBytes)
    }

    private mutating func root(_ text: String) -> YAMLReader.Fields? {
        guard let root = yaml.root(text, atMost: TypeLimits.declarationBytes) else { return nil }
        return yaml.fields(root, "the declaration", allowed: Self.keys)
    }

    // MARK: - Types

    private mutating func type(
        _ key: Node, _ node: Node, _ schema: DescriptorSet, _ aliases: [String]
    ) -> TypeDeclaration? {
        let alias = alias(key, "the alias of a type")
        if let alias, TypeLimits.reservedAliases.contains(alias) {
            yaml.report(
                key,
                alias == "place"
                    ? "no type can be called 'place': where a list shows entries of several types, 'place' is the body of "
                        + "those without a record"
                    : "no type can be called '\(alias)': the body of a list that holds it couldn't be told from a body "
                        + "by type, as '\(alias)' is a part of one")
        }
        guard
            let fields = yaml.fields(
                node, "a type",
                allowed: [
                    "message", "fields", "kind", "id", "search", "localized", "references", "sorts", "facets", "labels",
                ])
        else { return nil }
        let kind = alias.flatMap { self.kind($0, fields, key) }
        guard let alias, let coder = coder(fields, alias, schema) else { return nil }
        let id = fields["id"].map { self.id($0, coder) } ?? .some(nil)
        let own = inline?.message(of: alias)
        var localized = fields["localized"].map { self.localized($0, coder) } ?? []
        if let own { localized += inlineTexts(of: own, coder, besides: localized) }
        let sorts = list("sorts", fields) { reader, node in reader.sortField(node, coder, localized, own) }
        let facets = list("facets", fields) { reader, node in reader.facet(node, coder) }
        let (search, searchRank, searchFacets) = self.search(fields["search"], coder, localized, facets)
        let references = fields["references"].map { self.references($0, coder, aliases) } ?? References()
        let labels = fields["labels"].map { self.labels($0, coder) } ?? []
        reportDuplicates(localized.map(\.path.text), "localized", fields)
        reportDuplicates(search.map(\.path.text), "search", fields["search"])
        reportDuplicates(searchFacets.map(\.text), "the facets of 'search'", fields["search"])
        reportDuplicates(sorts.map(\.path.text), "sorts", fields)
        reportDuplicates(facets.map(\.text), "facets", fields)
        let indexes =
            search.count + (searchRank == nil ? 0 : 1) + searchFacets.count + sorts.count + facets.count
            + references.count
        if indexes > TypeLimits.indexes {
            yaml.report(
                node,
                "the type '\(alias)' has \(indexes) sorts, facets, search fields and references; at most "
                    + "\(TypeLimits.indexes) are allowed")
        }
        guard let id, let kind else { return nil }
        return TypeDeclaration(
            alias: alias, kind: kind, coder: coder, id: id, search: search, searchRank: searchRank,
            searchFacets: searchFacets, localized: localized,
            references: references.own, nestedReferences: references.nested, sorts: sorts, facets: facets,
            days: Set(sorts.filter(\.isDate).map(\.path) + (own.map { days(of: $0, coder) } ?? [])), labels: labels)
    }

    /// The inline fields that are declared as dates.
    private func days(of message: InlineSchema.Message, _ coder: RecordCoder) -> [FieldPath] {
        message.fields.filter { $0.type?.value == .date }.compactMap { field in
            try? FieldPath(field.name, message: coder.message, set: coder.set)
        }
    }

    private mutating func list<Value>(
        _ key: String, _ fields: YAMLReader.Fields, _ read: (inout TypeSetReader, Node) -> Value?
    ) -> [Value] {
        guard let node = fields[key], let entries = yaml.list(node, "'\(key)'", atMost: TypeLimits.indexes) else {
            return []
        }
        return entries.compactMap { read(&self, $0) }
    }

    mutating func reportDuplicates(_ names: [String], _ key: String, _ fields: YAMLReader.Fields) {
        reportDuplicates(names, key, fields[key])
    }

    mutating func reportDuplicates(_ names: [String], _ key: String, _ node: Node?) {
        var seen: Set<String> = []
        for name in names where !seen.insert(name).inserted {
            yaml.report(node, "'\(key)' names '\(name)' twice")
        }
    }

    mutating func alias(_ node: Node, _ what: String) -> String? {
        guard let name = yaml.text(node, what, atMost: TypeLimits.aliasBytes) else { return nil }
        guard TypeLimits.isAlias(name) else {
            yaml.report(
                node,
                "\(what), '\(name)', must begin with a letter and have only lowercase letters, digits, '-' and '_'")
            return nil
        }
        return name
    }

    /// The item kind of a type: that of a message clients know, or the declared one, or else one derived from nothing
    /// but the alias, so that it is the same in every declaration.
    private mutating func kind(_ alias: String, _ fields: YAMLReader.Fields, _ key: Node) -> ItemKind? {
        let node = fields["kind"] ?? key
        if let message = fields["message"]?.scalar?.string, let known = builtIn[message] {
            guard fields["kind"].map({ $0.scalar?.string == "\(known.rawValue)" }) ?? true else {
                yaml.report(
                    node,
                    "items of \(message) have the kind \(known.rawValue), which every client knows; leave 'kind' out")
                return nil
            }
            return known
        }
        var number = TypeLimits.firstKind + UInt32(XXH64.hash(Array(alias.utf8)) % TypeLimits.givenKinds)
        if fields["kind"] != nil {
            guard let named = yaml.integer(node, "'kind'", in: TypeLimits.firstKind...UInt32.max) else { return nil }
            number = named
        }
        if let other = kinds.updateValue(alias, forKey: number) {
            yaml.report(
                node,
                "the types '\(other)' and '\(alias)' have the same item kind \(number); give one of them another "
                    + "with 'kind'")
            return nil
        }
        return ItemKind(rawValue: number)
    }

    private mutating func coder(
        _ fields: YAMLReader.Fields, _ alias: String, _ schema: DescriptorSet
    ) -> RecordCoder? {
        let own = inline?.message(of: alias)
        guard let node = own == nil ? yaml.required("message", in: fields) : fields["fields"],
            let name = own.flatMap({ inline?.fullName(of: $0) })
                ?? yaml.text(node, "'message'", atMost: TypeLimits.textBytes)
        else { return nil }
        do throws(DescriptorError) {
            return try RecordCoder(set: schema, message: name, name: alias)
        } catch {
            for reason in error.reason.split(separator: "\n") { yaml.report(node, String(reason)) }
            return nil
        }
    }

    // MARK: - Collections

    private mutating func collections(
        _ node: Node, _ schema: DescriptorSet, _ aliases: [String]
    ) -> [CollectionDeclaration] {
        guard let entries = yaml.entries(node, "'collections'", atMost: TypeLimits.collections) else { return [] }
        return entries.compactMap { key, node in
            let name = alias(key, "the name of a collection")
            guard let fields = yaml.fields(node, "a collection", allowed: ["of", "value"]) else { return nil }
            let of = yaml.required("of", in: fields).flatMap { yaml.list($0, "'of'", atMost: TypeLimits.types) } ?? []
            if let node = fields["of"], of.isEmpty, case .sequence = node { yaml.report(node, "'of' is empty") }
            let types = of.compactMap { knownType($0, aliases) }
            reportDuplicates(types, "of", fields)
            var value: CollectionDeclaration.Value?
            if let node = fields["value"] {
                guard let name, let declared = self.value(node, name, schema) else { return nil }
                value = declared
            }
            return name.map { CollectionDeclaration(name: $0, types: types, value: value) }
        }
    }

    mutating func knownType(_ node: Node, _ aliases: [String]) -> String? {
        guard let alias = yaml.text(node, "the alias of a type", atMost: TypeLimits.textBytes) else { return nil }
        guard aliases.contains(alias) else {
            yaml.report(node, "there is no type '\(alias.prefix(64))'\(NameHint.words(for: alias, among: aliases))")
            return nil
        }
        return alias
    }

    private mutating func value(
        _ node: Node, _ collection: String, _ schema: DescriptorSet
    ) -> CollectionDeclaration.Value? {
        guard let type = yaml.text(node, "'value'", atMost: TypeLimits.textBytes) else { return nil }
        if let scalar = ScalarType(name: type) {
            let field = FieldDescriptor(
                name: CollectionDeclaration.Value.scalarField, jsonName: CollectionDeclaration.Value.scalarField,
                number: 1, type: .scalar(scalar), cardinality: .single,
                presence: .implicit, isPacked: false)
            let message = MessageDescriptor(fullName: type, file: "", fields: [field], wellKnown: .wrapper)
            return CollectionDeclaration.Value(
                type: type, coder: RecordCoder(set: schema, message: message, name: collection))
        }
        do throws(DescriptorError) {
            return CollectionDeclaration.Value(
                type: type,
                coder: try RecordCoder(set: schema, message: type, name: collection, isRecord: false))
        } catch {
            let names = ScalarType.allCases.map(\.name) + schema.messages.map(\.fullName)
            let isKnown = schema.place(named: type) != nil
            yaml.report(
                node,
                isKnown
                    ? "\(error)"
                    : "there is no type '\(type.prefix(64))' for a value"
                        + NameHint.words(for: type, among: names))
            return nil
        }
    }
}
