import MarqueeModel
import MarqueeTypes
import Yams

/// Reads the sorts that a section offers: `sorts: [popularity, {id: newest, by: -published, title: Newest}]`.
extension ProgrammeReader {
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
            return recordSort(node, of: type).map { Programme.Sort(id: $0.name, order: $0, title: $0.title) }
        }
        guard let fields = fields(node, "a sort", allowed: ["id", "by", "title"]),
            let idNode = required("id", in: fields), let order = recordSort(fields["by"] ?? idNode, of: type)
        else { return nil }
        let id = fields["by"] == nil ? order.name : identifier(idNode, "the id of a sort")
        guard let id else { return nil }
        let title = fields["title"].map { localized($0, "the title of a sort", showing: []) } ?? order.title
        return title.map { Programme.Sort(id: id, order: order, title: $0) }
    }
}

extension RecordSort {
    /// The default title of a sort, made from the field's name.
    fileprivate var title: LocalizedText {
        LocalizedText(field.path.text.replacing("_", with: " ").capitalizedFirst)
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
