internal import Yams

/// Reads how a type's fields are used: as id, search field, sort, facet or reference.
extension TypeSetReader {
    mutating func path(_ node: Node, _ what: String, _ coder: RecordCoder) -> FieldPath? {
        yaml.text(node, what, atMost: TypeLimits.textBytes).flatMap { path(named: $0, node, what, coder) }
    }

    private mutating func path(
        named text: String, _ node: Node, _ what: String, _ coder: RecordCoder
    ) -> FieldPath? {
        do throws(RecordError) {
            return try FieldPath(text, message: coder.message, set: coder.set)
        } catch {
            yaml.report(node, "\(what): \(error)")
            return nil
        }
    }

    /// Reports why a field can't be used for a purpose.
    mutating func refuse(_ node: Node, _ path: FieldPath, _ coder: RecordCoder, _ what: String) {
        yaml.report(node, "'\(path.text)' is declared as \(coder.set.name(of: path.field)); \(what)")
    }

    mutating func id(_ node: Node, _ coder: RecordCoder) -> FieldPath? {
        guard let path = path(node, "'id'", coder) else { return nil }
        if case .scalar(let scalar) = path.target, path.field.isSingle, scalar == .string || scalar.isInteger {
            return path
        }
        refuse(node, path, coder, "an id is a string or a whole number")
        return nil
    }

    // MARK: - Texts by locale

    mutating func localized(_ node: Node, _ coder: RecordCoder) -> [LocalizedField] {
        guard let entries = yaml.list(node, "'localized'", atMost: TypeLimits.localized) else { return [] }
        return entries.compactMap { entry in
            if case .scalar = entry { return localizedMap(entry, coder) }
            return localizedList(entry, coder)
        }
    }

    private mutating func localizedMap(_ node: Node, _ coder: RecordCoder) -> LocalizedField? {
        guard let path = path(node, "'localized'", coder) else { return nil }
        if case .map(.string) = path.field.cardinality, path.target == .scalar(.string), path.key == nil {
            return LocalizedField(path: path, form: .map)
        }
        refuse(
            node, path, coder,
            "a text by locale is a map<string, string>, or a list given as {field: \(path.text), locale: …, text: …}")
        return nil
    }

    private mutating func localizedList(_ node: Node, _ coder: RecordCoder) -> LocalizedField? {
        guard let fields = yaml.fields(node, "a text by locale", allowed: ["field", "locale", "text"]),
            let list = yaml.required("field", in: fields), let path = path(list, "'field'", coder)
        else { return nil }
        guard case .message(let message) = path.target, path.field.cardinality == .repeated else {
            refuse(list, path, coder, "a text by locale is a list of messages with a locale and a text each")
            return nil
        }
        let inner = RecordCoder(set: coder.set, message: message, name: coder.name)
        func part(_ reader: inout TypeSetReader, _ key: String) -> FieldPath? {
            guard let node = reader.yaml.required(key, in: fields), let path = reader.path(node, "'\(key)'", inner)
            else {
                return nil
            }
            if path.target == .scalar(.string), path.field.isSingle { return path }
            reader.refuse(node, path, inner, "a string is needed")
            return nil
        }
        let locale = part(&self, "locale")
        guard let text = part(&self, "text"), let locale else { return nil }
        return LocalizedField(path: path, form: .list(locale: locale, text: text))
    }

    // MARK: - Indexes

    /// Reads a list of fields, or `{fields: [title], rank: plays, facets: [topics]}`.
    ///
    /// - Parameter facets: those of the type.
    mutating func search(
        _ node: Node?, _ coder: RecordCoder, _ localized: [LocalizedField], _ facets: [FieldPath]
    ) -> (fields: [TypeDeclaration.SearchField], rank: FieldPath?, facets: [FieldPath]) {
        guard let node else { return ([], nil, []) }
        var (listNode, rankNode, facetsNode) = (node, Node?.none, Node?.none)
        if case .mapping = node {
            guard let fields = yaml.fields(node, "'search'", allowed: ["fields", "rank", "facets"]),
                let named = yaml.required("fields", in: fields)
            else { return ([], nil, []) }
            (listNode, rankNode, facetsNode) = (named, fields["rank"], fields["facets"])
        }
        let entries = yaml.list(listNode, "'search'", atMost: TypeLimits.indexes) ?? []
        return (
            entries.compactMap { searchField($0, coder, localized) }, rankNode.flatMap { searchRank($0, coder) },
            facetsNode.map { searchFacets($0, coder, facets) } ?? []
        )
    }

    private mutating func searchFacets(_ node: Node, _ coder: RecordCoder, _ facets: [FieldPath]) -> [FieldPath] {
        let entries = yaml.list(node, "the facets of 'search'", atMost: TypeLimits.indexes) ?? []
        return entries.compactMap { entry in
            guard let path = path(entry, "the facets of 'search'", coder) else { return nil }
            if facets.contains(path) { return path }
            refuse(entry, path, coder, "a search is filtered by what the type declares under 'facets'")
            return nil
        }
    }

    private mutating func searchRank(_ node: Node, _ coder: RecordCoder) -> FieldPath? {
        guard let path = path(node, "'rank'", coder) else { return nil }
        let isOrdered =
            switch path.target {
            case .scalar(let scalar), .wrapped(let scalar): scalar.isInteger || scalar == .double || scalar == .float
            case .timestamp, .duration: true
            case .enumeration, .message: false
            }
        if isOrdered, path.field.isSingle { return path }
        refuse(node, path, coder, "a search is ordered by a number, a time or a duration that occurs once")
        return nil
    }

    private mutating func searchField(
        _ node: Node, _ coder: RecordCoder, _ localized: [LocalizedField]
    ) -> TypeDeclaration.SearchField? {
        guard let path = path(node, "'search'", coder) else { return nil }
        if let field = localized.first(where: { $0.path == path }) { return .localized(field) }
        let isText = path.target == .scalar(.string) || path.target == .wrapped(.string)
        if isText, path.field.isSingle || path.field.cardinality == .repeated { return .plain(path) }
        refuse(node, path, coder, "a search field is a string, a list of them, or a field listed under 'localized'")
        return nil
    }

    /// Reads a path, or `{field: released, as: date}`.
    ///
    /// - Parameter inline: the type's message, if its fields are inline; it tells which of them are dates.
    mutating func sortField(
        _ node: Node, _ coder: RecordCoder, _ localized: [LocalizedField], _ inline: InlineSchema.Message?
    ) -> TypeDeclaration.SortField? {
        if case .mapping = node { return dateField(node, coder) }
        guard let path = path(node, "'sorts'", coder) else { return nil }
        if let field = inline?.fields.first(where: { $0.number == path.field.number }),
            field.type == InlineFieldType(.date)
        {
            return TypeDeclaration.SortField(source: .date(path))
        }
        if let field = localized.first(where: { $0.path == path }) {
            return TypeDeclaration.SortField(source: .localized(field))
        }
        let isOrdered =
            switch path.target {
            case .scalar(let scalar), .wrapped(let scalar): scalar != .bool && scalar != .bytes
            case .timestamp, .duration: true
            case .enumeration, .message: false
            }
        if isOrdered, path.field.isSingle || path.key != nil {
            return TypeDeclaration.SortField(source: .plain(path))
        }
        refuse(
            node, path, coder,
            "a sort is a number, a string, a time or a duration that occurs once, or a field listed under 'localized'")
        return nil
    }

    private mutating func dateField(_ node: Node, _ coder: RecordCoder) -> TypeDeclaration.SortField? {
        guard let fields = yaml.fields(node, "a sort", allowed: ["field", "as"]),
            let named = yaml.required("field", in: fields), let path = path(named, "'field'", coder),
            let form = yaml.required("as", in: fields), let word = yaml.text(form, "'as'", atMost: TypeLimits.textBytes)
        else { return nil }
        guard word == "date" else {
            yaml.reportUnknown(form, "form", of: "a sort", ["date"])
            return nil
        }
        if path.target == .scalar(.string) || path.target == .wrapped(.string), path.field.isSingle {
            return TypeDeclaration.SortField(source: .date(path))
        }
        refuse(named, path, coder, "a date is a string written YYYY-MM-DD")
        return nil
    }

    mutating func facet(_ node: Node, _ coder: RecordCoder) -> FieldPath? {
        guard let path = path(node, "'facets'", coder) else { return nil }
        let isScalar =
            switch path.target {
            case .scalar(let scalar), .wrapped(let scalar): scalar != .bytes
            case .enumeration: true
            case .timestamp, .duration, .message: false
            }
        if isScalar, path.key == nil, path.field.isSingle || path.field.cardinality == .repeated { return path }
        refuse(node, path, coder, "a facet is a scalar or a list of scalars")
        return nil
    }

    /// References in a record's own fields, and in the messages of its lists.
    struct References {
        var own: [TypeDeclaration.Reference] = []
        var nested: [TypeDeclaration.NestedReference] = []
        var count: Int { own.count + nested.count }
    }

    mutating func references(
        _ node: Node, _ coder: RecordCoder, _ aliases: [String]
    ) -> References {
        var references = References()
        let entries = yaml.entries(node, "'references'", atMost: TypeLimits.indexes) ?? []
        for (key, node) in entries {
            let type = knownType(node, aliases)
            guard let text = yaml.text(key, "'references'", atMost: TypeLimits.textBytes) else { continue }
            let outer = list(leadingTo: text, coder)
            guard let path = path(named: outer?.rest ?? text, key, "'references'", outer?.message ?? coder) else {
                continue
            }
            guard case .scalar(let scalar) = path.target, scalar == .string || scalar.isInteger, path.key == nil,
                path.field.isSingle || path.field.cardinality == .repeated
            else {
                refuse(key, path, coder, "a reference is an id, or a list of ids: strings or whole numbers")
                continue
            }
            guard let type else { continue }
            let reference = TypeDeclaration.Reference(path: path, type: type)
            if let outer {
                references.nested.append(TypeDeclaration.NestedReference(list: outer.list, reference: reference))
            } else {
                references.own.append(reference)
            }
        }
        reportDuplicates(references.own.map(\.path.text) + references.nested.map(\.text), "references", node)
        return references
    }

    /// The first list of messages that a path leads through, and the rest of the path within such a message.
    ///
    /// - Returns: `nil` if there is no list on the path.
    private func list(
        leadingTo text: String, _ coder: RecordCoder
    ) -> (list: FieldPath, message: RecordCoder, rest: String)? {
        for dot in text.indices where text[dot] == "." {
            guard let path = try? FieldPath(String(text[..<dot]), message: coder.message, set: coder.set) else {
                return nil
            }
            guard path.field.cardinality == .repeated, case .message(let message) = path.target else { continue }
            let inner = RecordCoder(set: coder.set, message: message, name: coder.name)
            return (path, inner, String(text[text.index(after: dot)...]))
        }
        return nil
    }
}
