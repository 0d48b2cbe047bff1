import MarqueeModel
import MarqueeTypes
import Yams

/// Reads orders of records: `[-size, name]`; and the sorts that a section offers: `sorts: [popularity, {id: newest, by:
/// -published, title: Newest}]`.
extension ProgrammeReader {
    /// Reads `published`, `-published` for the largest first, or several in a list.
    mutating func recordSort(_ node: Node, of type: TypeDeclaration) -> RecordSort? {
        guard let nodes = sortParts(node) else { return nil }
        var parts: [RecordSort.Part] = []
        for node in nodes {
            guard let part = sortPart(node, of: type) else { continue }
            if parts.contains(where: { $0.field == part.field }) {
                report(node, "a sort names '\(part.field.path.text)' twice")
            }
            parts.append(part)
        }
        guard let first = parts.first, parts.count == nodes.count else { return nil }
        return RecordSort(first: first, others: Array(parts.dropFirst()))
    }

    /// The fields of a sort: one, or a list of them.
    mutating func sortParts(_ node: Node) -> [Node]? {
        guard case .sequence = node else { return [node] }
        guard let nodes = list(node, "a sort", atMost: ProgrammeLimits.sortParts) else { return nil }
        if nodes.isEmpty { report(node, "a sort is empty") }
        return nodes.isEmpty ? nil : nodes
    }

    private mutating func sortPart(_ node: Node, of type: TypeDeclaration) -> RecordSort.Part? {
        guard let text = text(node, "a sort") else { return nil }
        let isDescending = text.hasPrefix("-")
        let name = isDescending ? String(text.dropFirst()) : text
        return sortField(name, node, of: type).map { RecordSort.Part(field: $0, isDescending: isDescending) }
    }

    /// Reads a list of orders, or of `{id, by, title}`; without `by`, the id is the order.
    ///
    /// - Parameter source: `nil` if it could not be read.
    mutating func sorts(_ node: Node, of source: Programme.Source?) -> [Programme.Sort]? {
        guard let source, let entries = list(node, "sorts", atMost: ProgrammeLimits.sorts) else { return nil }
        guard case .records(let query) = source, let type = types?.type(query.type) else {
            report(node, "only sections with 'records' can have sorts")
            return nil
        }
        var sorts: [Programme.Sort] = []
        for entry in entries {
            guard let sort = sort(entry, of: type) else { continue }
            if sorts.contains(where: { $0.id == sort.id }) { report(entry, "the sort '\(sort.id)' is named twice") }
            sorts.append(sort)
        }
        return sorts
    }

    private mutating func sort(_ node: Node, of type: TypeDeclaration) -> Programme.Sort? {
        guard case .mapping = node else {
            guard let order = recordSort(node, of: type), hasName(order, node) else { return nil }
            return Programme.Sort(id: order.name, order: order, title: order.title)
        }
        guard let fields = fields(node, "a sort", allowed: ["id", "by", "title"]),
            let idNode = required("id", in: fields), let order = recordSort(fields["by"] ?? idNode, of: type)
        else { return nil }
        let id = fields["by"] == nil ? order.name : identifier(idNode, "the id of a sort")
        guard let id, fields["by"] != nil || hasName(order, idNode) else { return nil }
        let title = fields["title"].map { localized($0, "the title of a sort", showing: []) } ?? order.title
        return title.map { Programme.Sort(id: id, order: order, title: $0) }
    }

    /// Whether an order can be the id of a sort; reports it otherwise.
    private mutating func hasName(_ order: RecordSort, _ node: Node) -> Bool {
        if order.others.isEmpty { return true }
        report(node, "a sort by several fields needs an id: {id: …, by: [\(order.name)]}")
        return false
    }
}

extension RecordSort {
    /// The default title of a sort, made from the first field's name.
    fileprivate var title: LocalizedText {
        LocalizedText(first.field.path.text.replacing("_", with: " ").capitalizedFirst)
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
