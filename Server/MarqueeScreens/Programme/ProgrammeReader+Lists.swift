import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeTypes
import Yams

/// Reads lists: `list: top-episodes`, `list: {name: standings/$id, limit: 10, edition: "2026-05-01"}`.
extension ProgrammeReader {
    /// The prefix of fields of a list entry's place message in templates.
    static let placePrefix = "place."
    private static let defaultLimit = 20

    mutating func list(_ node: Node, scope: ScreenScope) -> Programme.Source? {
        var name: Node? = node
        var (limit, edition): (Int?, String?) = (ProgrammeReader.defaultLimit, nil)
        var isRead = true
        if case .mapping = node {
            guard let fields = fields(node, "a list", allowed: ["name", "edition", "limit"]) else { return nil }
            name = required("name", in: fields)
            limit = fields["limit"].map { integer($0, "limit", in: 1...ProgrammeLimits.queryLimit) } ?? limit
            if let node = fields["edition"] {
                let what = "the name of an edition"
                edition = stored(node, what) {
                    CatalogueBounds.refusal(of: $0, what, limit: CatalogueBounds.edition)
                }
                isRead = edition != nil
            }
        }
        guard let name, let text = text(name, "the name of a list"), let limit, isRead else { return nil }
        let suffix = "/" + Programme.Argument.placeholder
        let isOfArgument = text.hasSuffix(suffix)
        let list = isOfArgument ? String(text.dropLast(suffix.count)) : text
        if list.contains("$") || (isOfArgument && scope.argument == nil) {
            report(
                name,
                "'\(text)' is not known here; a list may end with '/$id' in a screen named like 'table/$id'"
            )
            return nil
        }
        guard let declaration = declaredList(list, name) else { return nil }
        if edition != nil, !declaration.hasEditions {
            report(name, "the list '\(declaration.name)' has no editions; declare it with 'editions: true'")
            return nil
        }
        let query = Programme.ListQuery(
            list: list, isOfArgument: isOfArgument, edition: edition,
            showsEdition: declaration.hasEditions && edition == nil, limit: limit)
        if !isOfArgument {
            refer(
                to: query.showsEdition ? .shownEdition(list: list) : .list(ListName(list, edition: edition)), at: name)
        }
        return .list(query)
    }

    /// - Parameter node: the list to choose from, in the form of the source `list`, without `/$id`.
    mutating func listPool(_ node: Node, named name: String) -> Programme.Source? {
        guard case .list(var query)? = list(node, scope: ScreenScope()) else { return nil }
        if node.mapping?["limit"] == nil { query.limit = ProgrammeLimits.queryLimit }
        return .listPool(name: name, query)
    }

    private mutating func declaredList(_ name: String, _ node: Node) -> ListDeclaration? {
        let declared = ListName(name).declared
        if let declaration = types?.list(declared) { return declaration }
        let known = types?.lists.map(\.name) ?? []
        if known.isEmpty {
            report(node, "there is no list '\(declared)': no lists are declared with the types, under 'lists'")
        } else {
            let hint = NearestName.hint(for: declared, among: known)
            report(
                node,
                "the declaration of types has no list '\(declared)'\(hint.isEmpty ? "." : hint) Allowed: "
                    + known.joined(separator: ", "))
        }
        return nil
    }

    // MARK: - Bodies

    /// Reads one body if all entries are of one type; otherwise bodies by type, and `place` for entries without a
    /// record.
    mutating func listBodies(_ node: Node?, of query: Programme.ListQuery) -> [String: RecordBody]? {
        guard let types, let list = types.list(query.declared) else { return nil }
        let place = list.place.map { types.shape(of: $0) }
        let placeKey = RecordPresentation.placeBody
        guard let only = list.types.first else {
            // A list without types has entries that consist of their place message alone.
            return body(node, ofPlace: place).map { [placeKey: $0] }
        }
        if list.types.count == 1, !isByType(node, list) {
            return body(node, of: only, placed: place).map { [only: $0, placeKey: $0] }
        }
        let names = list.types + (place == nil ? [] : [placeKey])
        var named: [String: Node] = [:]
        if let node {
            guard let fields = fields(node, "the body of a list", allowed: names) else { return nil }
            named = fields.values
        }
        var bodies: [String: RecordBody] = [:]
        for alias in list.types {
            guard let body = body(named[alias], of: alias, placed: place) else { return nil }
            bodies[alias] = body
        }
        guard place != nil else { return bodies }
        guard let body = body(named[placeKey], ofPlace: place) else { return nil }
        bodies[placeKey] = body
        return bodies
    }

    private func isByType(_ node: Node?, _ list: ListDeclaration) -> Bool {
        guard let mapping = node?.mapping else { return false }
        return mapping.keys.contains { key in
            key.scalar.map { list.types.contains($0.string) || $0.string == RecordPresentation.placeBody } ?? false
        }
    }

    private mutating func body(_ node: Node?, ofPlace place: RecordShape?) -> RecordBody? {
        body(node, in: TemplateScope(shape: place, place: place), type: nil).map {
            RecordBody(form: $0.form, fallbackLocale: $0.fallbackLocale, isOfPlace: true)
        }
    }

    private mutating func body(_ node: Node?, of alias: String, placed place: RecordShape?) -> RecordBody? {
        guard let type = types?.type(alias) else { return nil }
        var scope = scope(of: type)
        scope.place = place
        return body(node, in: scope, type: type)
    }
}

extension TypeSet {
    /// The shape of a list's place messages.
    fileprivate func shape(of place: RecordCoder) -> RecordShape {
        RecordShape(message: place.message, schema: schema, localized: nil)
    }
}
