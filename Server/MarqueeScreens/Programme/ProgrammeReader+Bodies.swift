import MarqueeModel
import MarqueeTypes
import Yams

/// Reads bodies, which define how records are shown: `body: card`, `body: record`, a card or a message with a value for
/// each field, such as `body: {card: {title: $title, …}}`.
extension ProgrammeReader {
    private static let bodies = ["card", "record"]

    var fallbackLocale: String { locales.first ?? "en" }

    /// The bodies that a section's source needs.
    ///
    /// - Parameter node: `nil` if the section doesn't have one.
    mutating func bodies(_ node: Node?, for source: Programme.Source) -> [String: RecordBody]? {
        switch source {
        case .records(let query): return body(node, of: query.type)
        case .record(let type, _): return body(node, of: type)
        case .nested(let nested):
            guard let scope = scope(of: nested) else { return nil }
            return body(node, in: scope, type: nil).map { [nested.type: $0] }
        case .collection(let query): return collectionBodies(node, of: query.name)
        case .list(let query), .listPool(_, let query): return listBodies(node, of: query)
        case .facet(let query): return facetBodies(node, of: query)
        case .recordPool(_, let query): return body(node, of: query.type)
        default:
            if let node { report(node, "only sections of records can have a 'body'") }
            return [:]
        }
    }

    /// The names available in templates of a type.
    func scope(of type: TypeDeclaration) -> TemplateScope {
        TemplateScope(shape: types?.shape(of: type), references: type.references, id: type.id, type: type)
    }

    /// - Parameter isFound: whether it is a body of search results.
    private mutating func body(_ node: Node?, of alias: String, isFound: Bool = false) -> [String: RecordBody]? {
        guard let type = types?.type(alias) else { return nil }
        var scope = scope(of: type)
        if isFound { scope.countRefusal = "the result of a search can't count other records" }
        return body(node, in: scope, type: type).map { [alias: $0] }
    }

    /// Bodies by type; types without one get the usual card.
    /// - Parameter isFound: whether they are bodies of search results.
    mutating func bodies(
        _ node: Node?, _ what: String, of aliases: [String], isFound: Bool = false
    ) -> [String: RecordBody]? {
        var named: [String: Node] = [:]
        if let node {
            guard let fields = fields(node, what, allowed: aliases) else { return nil }
            named = fields.values
        }
        var bodies: [String: RecordBody] = [:]
        for alias in aliases {
            guard let body = body(named[alias], of: alias, isFound: isFound) else { return nil }
            bodies.merge(body) { _, new in new }
        }
        return bodies
    }

    /// - Parameter type: `nil` for a nested message.
    mutating func body(_ node: Node?, in scope: TemplateScope, type: TypeDeclaration?) -> RecordBody? {
        func body(_ form: RecordBody.Form) -> RecordBody { RecordBody(form: form, fallbackLocale: fallbackLocale) }
        guard let node else {
            // Clients can draw the record itself if its type has one of Marquee's kinds.
            if let kind = type?.kind, !kind.isRecord { return body(.record(kind: kind)) }
            return body(.card(.usual(for: scope.shape)))
        }
        if case .scalar(let scalar) = node {
            switch scalar.string {
            case "card": return body(.card(.usual(for: scope.shape)))
            case "record":
                if let type { return body(.record(kind: type.kind)) }
                report(node, "only the records of a type have a kind of their own; this body is a card")
            default: reportUnknown(node, "body", of: "a section", ProgrammeReader.bodies)
            }
            return nil
        }
        guard case .mapping(let mapping) = node, mapping["card"] != nil else {
            return messageBody(node, in: scope).map { body($0) }
        }
        guard let fields = fields(node, "a body that is a card", allowed: ["card"]),
            let cardNode = required("card", in: fields)
        else { return nil }
        return card(cardNode, in: scope).map { body(.card($0)) }
    }
}
