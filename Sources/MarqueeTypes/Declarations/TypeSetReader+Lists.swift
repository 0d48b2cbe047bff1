internal import Yams

/// Reads lists: `standings: {of: [team], place: league.v1.Standing, editions: true}`.
extension TypeSetReader {
    mutating func lists(_ node: Node, _ schema: DescriptorSet, _ aliases: [String]) -> [ListDeclaration] {
        guard let entries = yaml.entries(node, "'lists'", atMost: TypeLimits.lists) else { return [] }
        return entries.compactMap { list($0, $1, schema, aliases) }
    }

    private mutating func list(
        _ key: Node, _ node: Node, _ schema: DescriptorSet, _ aliases: [String]
    ) -> ListDeclaration? {
        let name = alias(key, "the name of a list")
        guard let fields = yaml.fields(node, "a list", allowed: ["of", "place", "editions"]) else { return nil }
        var types: [String] = []
        if let of = fields["of"], let entries = yaml.list(of, "'of'", atMost: TypeLimits.types) {
            if entries.isEmpty { yaml.report(of, "'of' is empty") }
            types = entries.compactMap { knownType($0, aliases) }
            reportDuplicates(types, "of", fields)
        }
        if fields["of"] == nil, fields["place"] == nil {
            yaml.report(
                node, "a list needs 'of', the types of its records, or 'place', the message of its entries")
        }
        let place = fields["place"].flatMap { self.place($0, schema) }
        let hasEditions = fields["editions"].map { flag($0, "'editions'") } ?? false
        guard let name, let hasEditions else { return nil }
        return ListDeclaration(name: name, types: types, place: place, hasEditions: hasEditions)
    }

    private mutating func place(_ node: Node, _ schema: DescriptorSet) -> RecordCoder? {
        guard let message = yaml.text(node, "'place'", atMost: TypeLimits.textBytes) else { return nil }
        do throws(DescriptorError) {
            return try RecordCoder(set: schema, message: message, name: "place")
        } catch {
            for reason in error.reason.split(separator: "\n") { yaml.report(node, String(reason)) }
            return nil
        }
    }

    private mutating func flag(_ node: Node, _ what: String) -> Bool? {
        switch node.scalar?.string {
        case "true": return true
        case "false": return false
        default:
            yaml.report(node, "\(what) must be true or false")
            return nil
        }
    }
}
