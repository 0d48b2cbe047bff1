import MarqueeModel
import MarqueeTypes
import Yams

/// Reads the user's collections: `favorites`, `collection: progress`, `collection: {name: progress, limit: 10}`.
extension ProgrammeReader {
    /// The prefix of a collection's name in the templates of a section that shows one: `$collection.progress`.
    private static let placeholder = "collection"

    private var collectionNames: [String] {
        [CollectionName.favorites.name]
            + (types?.collections.map(\.name) ?? []).filter { $0 != CollectionName.favorites.name }
    }

    mutating func collection(_ node: Node) -> Programme.Source? {
        var nameNode = node
        var limit: Int?
        if case .mapping = node {
            guard let fields = fields(node, "a collection", allowed: ["name", "limit"]),
                let name = required("name", in: fields)
            else { return nil }
            nameNode = name
            if let node = fields["limit"] {
                guard let number = self.limit(node) else { return nil }
                limit = number
            }
        }
        return collectionName(nameNode).map {
            .collection(Programme.CollectionQuery(name: $0, limit: limit))
        }
    }

    private mutating func collectionName(_ node: Node) -> CollectionName? {
        guard let name = identifier(node, "the name of a collection") else { return nil }
        if collectionNames.contains(name) { return CollectionName(name) }
        reportUnknown(node, "collection", of: "the declaration of types", collectionNames)
        return nil
    }

    /// Reads the collection of a condition `id: {in: favorites}`.
    mutating func collectionName(_ node: Node, holding type: TypeDeclaration) -> CollectionName? {
        guard let name = collectionName(node) else { return nil }
        guard let held = types?.collection(name.name)?.types, !held.contains(type.alias) else { return name }
        report(node, "'\(name)' doesn't hold '\(type.alias)', only \(held.joined(separator: ", "))")
        return nil
    }

    /// The bodies by the collection's types; types that aren't named get the default card.
    mutating func collectionBodies(_ node: Node?, of collection: CollectionName) -> [String: RecordBody]? {
        let held = types?.collection(collection.name)?.types ?? aliases
        var named: [String: Node] = [:]
        if let node {
            guard let fields = fields(node, "the body of '\(collection)'", allowed: held) else { return nil }
            named = fields.values
        }
        var bodies: [String: RecordBody] = [:]
        for alias in held {
            guard let type = types?.type(alias) else { return nil }
            var scope = scope(of: type)
            scope.readerOf = alias
            printedCollections = []
            guard let body = body(named[alias], in: scope, type: type) else { return nil }
            bodies[alias] = RecordBody(
                form: body.form, fallbackLocale: body.fallbackLocale, collections: printedCollections)
        }
        return bodies
    }

    /// The value of `$collection.progress` or `$collection.bookmark.page`.
    ///
    /// - Returns: `nil` for another kind of name; `.some(nil)` for a name that was reported.
    mutating func memberValue(
        named name: String, _ node: Node, _ what: String, _ scope: TemplateScope
    ) -> RecordValue?? {
        let parts = name.split(separator: ".", maxSplits: 2).map(String.init)
        // A field of the record with that name takes precedence.
        guard parts.count > 1, parts[0] == Self.placeholder, let shape = scope.shape,
            (try? shape.path(Self.placeholder)) == nil
        else { return nil }
        return .some(member(parts[1], field: parts.count > 2 ? parts[2] : nil, node, what, scope))
    }

    private mutating func member(
        _ name: String, field: String?, _ node: Node, _ what: String, _ scope: TemplateScope
    ) -> RecordValue? {
        guard let type = scope.readerOf else {
            report(
                node,
                "\(what): '$collection' belongs to one user; it is known only in a section with the source "
                    + "'collection' or 'favorites'")
            return nil
        }
        guard let declared = types?.collection(name) else {
            let hint = NearestName.hint(for: name, among: collectionNames)
            report(node, "\(what): there is no collection '\(name)'\(hint)")
            return nil
        }
        guard declared.types.contains(type) else {
            report(node, "\(what): '\(name)' doesn't hold '\(type)', only \(declared.types.joined(separator: ", "))")
            return nil
        }
        guard let value = declared.value, let schema = types?.schema else {
            report(node, "\(what): '\(name)' keeps no value; declare one: '\(name): {of: […], value: uint32}'")
            return nil
        }
        let path: String
        switch (value.isScalar, field) {
        case (true, nil): path = CollectionDeclaration.Value.scalarField
        case (false, let field?): path = field
        case (true, let field?):
            report(node, "\(what): '\(name)' keeps a \(value.type), which has no field '\(field)'")
            return nil
        case (false, nil):
            report(
                node, "\(what): '\(name)' keeps a \(value.type); name a field of it: '$\(Self.placeholder).\(name).…'")
            return nil
        }
        let shape = RecordShape(message: value.message, schema: schema, localized: nil)
        guard let found = readable(named: path, node, what, in: shape) else { return nil }
        printedCollections.insert(CollectionName(name))
        return .member(of: CollectionName(name), field: found)
    }
}
