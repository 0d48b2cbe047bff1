import MarqueeModel
import Yams

/// Reads sources: a name alone (`favorites`), or a mapping with one key (`list: top`).
extension ProgrammeReader {
    private static let defaultLimit = 20

    private static let sources = ["items", "pool", "favorites", "collection"] + recordSources

    /// - Parameters:
    ///   - section: the section's id, the default name of a pool.
    ///   - argument: the argument in the screen's name.
    mutating func source(_ node: Node, section: String, argument: Programme.Argument?) -> Programme.Source? {
        if case .scalar(let scalar) = node {
            switch scalar.string {
            case "favorites": return .collection(Programme.CollectionQuery(name: .favorites, limit: nil))
            case let name where ProgrammeReader.sources.contains(name):
                report(node, "the source '\(name)' needs more than its name, such as {\(name): …}")
            default: reportUnknown(node, "source", of: "a section", ProgrammeReader.sources)
            }
            return nil
        }
        guard let fields = fields(node, "a source", allowed: ProgrammeReader.sources) else { return nil }
        guard fields.values.count == 1, let (name, value) = fields.values.first else {
            // Unknown keys have been reported already.
            if fields.values.count > 1 { report(node, "a section has one source, not \(fields.values.count)") }
            return nil
        }
        switch name {
        case "items": return inlineItems(value).map { .items($0) }
        case "pool": return pool(value, section: section)
        case "collection": return collection(value)
        case "records": return records(value, scope: ScreenScope(argument: argument))
        case "record": return record(value, scope: ScreenScope(argument: argument))
        case "nested": return nested(value, scope: ScreenScope(argument: argument))
        case "facet": return facet(value)
        case "list": return list(value, scope: ScreenScope(argument: argument))
        default:
            report(value, "the source '\(name)' takes no value; write 'source: \(name)'")
            return nil
        }
    }

    private mutating func pool(_ node: Node, section: String) -> Programme.Source? {
        guard let fields = fields(node, "a pool", allowed: ["name", "records", "list"]) else { return nil }
        let name = fields["name"].map { poolName($0) } ?? section
        switch (fields["records"], fields["list"]) {
        case (let records?, nil): return name.flatMap { recordPool(records, named: $0) }
        case (nil, let list?): return name.flatMap { listPool(list, named: $0) }
        default:
            report(node, "a pool is either of 'records' or of a 'list'")
            return nil
        }
    }

    mutating func limit(_ node: Node) -> Int? {
        integer(node, "limit", in: 1...ProgrammeLimits.queryLimit)
    }
}
