import MarqueeModel
import MarqueeTypes
import Yams

/// The orders that a section offers: `sorts: [popularity, {id: newest, by: -published, title: Newest}]`.
extension ProgrammeReader {
    /// A list of orders, or of `{id, by, title}`; without `by`, the id is the order.
    ///
    /// - Parameter source: `nil` for one that could not be read.
    mutating func sorts(_ node: Node, of source: Programme.Source?) -> [Programme.Sort]? {
        guard let source, let entries = list(node, "sorts", atMost: ProgrammeLimits.sorts) else { return nil }
        guard source.canBeSorted else {
            report(node, "only sections with 'movies' or 'records' can have sorts")
            return nil
        }
        var sorts: [Programme.Sort] = []
        for entry in entries {
            guard let sort = sort(entry, of: source) else { continue }
            if sorts.contains(where: { $0.id == sort.id }) { report(entry, "the sort '\(sort.id)' is named twice") }
            sorts.append(sort)
        }
        return sorts
    }

    private mutating func sort(_ node: Node, of source: Programme.Source) -> Programme.Sort? {
        guard case .mapping = node else {
            return order(node, of: source).map { Programme.Sort(id: $0.rawValue, order: $0, title: $0.title) }
        }
        guard let fields = fields(node, "a sort", allowed: ["id", "by", "title"]),
            let idNode = required("id", in: fields), let order = order(fields["by"] ?? idNode, of: source)
        else { return nil }
        let id = fields["by"] == nil ? order.rawValue : identifier(idNode, "the id of a sort")
        guard let id else { return nil }
        let title = fields["title"].map { localized($0, "the title of a sort") } ?? order.title
        return title.map { Programme.Sort(id: id, order: order, title: $0) }
    }

    private mutating func order(_ node: Node, of source: Programme.Source) -> SectionSort? {
        guard case .records(let query) = source, let type = types?.type(query.type) else {
            return choice(node, "sort", MovieSort.allCases.map { (name: $0.rawValue, value: .movies($0)) })
        }
        return recordSort(node, of: type).map { .records($0) }
    }
}

extension SectionSort {
    /// Its name where a programme gives none.
    fileprivate var title: LocalizedText {
        switch self {
        case .movies(let sort): sort.title
        case .records(let sort): LocalizedText(sort.field.path.text.replacing("_", with: " ").capitalizedFirst)
        }
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension Programme.Source {
    fileprivate var canBeSorted: Bool {
        switch self {
        case .movies, .fixedMovies, .records: true
        default: false
        }
    }
}
