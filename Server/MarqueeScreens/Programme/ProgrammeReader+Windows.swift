import Yams

/// The windows that a section has.
enum ReadWindows {
    /// All items are shown.
    static let all = ReadWindows.steps([])

    /// From the first item, with these numbers of items.
    case steps([UInt32])
    /// Anywhere in the list, with at most this many rows.
    case anywhere(UInt32)

    var steps: [UInt32] { if case .steps(let steps) = self { steps } else { [] } }
    var anywhere: UInt32? { if case .anywhere(let rows) = self { rows } else { nil } }
}

/// Reads `windows: [6, 12]`, `windows: anywhere` and `windows: {anywhere: 100}`.
extension ProgrammeReader {
    /// - Parameters:
    ///   - source: `nil` if it could not be read.
    ///   - sorts: the sorts that the section offers.
    mutating func windows(
        _ node: Node, of source: Programme.Source?, _ sorts: [Programme.Sort], in section: Fields
    ) -> ReadWindows? {
        if case .sequence = node { return windows(node).map { .steps($0) } }
        let rows: UInt32?
        if case .mapping = node {
            guard let fields = fields(node, "windows", allowed: ["anywhere"]) else { return nil }
            rows = required("anywhere", in: fields).flatMap {
                integer($0, "the rows of a window", in: 1...UInt32(ProgrammeLimits.queryLimit))
            }
        } else {
            rows = choice(node, "word for windows", [(name: "anywhere", value: ProgrammeLimits.windowRows)])
        }
        guard let rows, let source else { return nil }
        checkAnywhere(node, source, sorts, in: section)
        return .anywhere(rows)
    }

    /// Reports sections with windows anywhere whose rows no index can count.
    private mutating func checkAnywhere(
        _ node: Node, _ source: Programme.Source, _ sorts: [Programme.Sort], in section: Fields
    ) {
        let query: Programme.RecordQuery
        switch source {
        case .records(let found):
            checkUnlimited(section, "records")
            query = found
        case .list: return checkUnlimited(section, "list")
        case .collection: return checkUnlimited(section, "collection")
        default:
            return report(
                node, "only sections with 'records', 'list', 'collection' or 'favorites' can have windows anywhere")
        }
        if query.sort != nil, !sorts.isEmpty {
            report(
                section["sorts"], "with windows anywhere, the order is either the query's 'sort' or one of the 'sorts'")
        }
    }

    /// Reports a limit of the source.
    private mutating func checkUnlimited(_ section: Fields, _ key: String) {
        guard case .mapping(let source)? = section["source"], case .mapping(let query)? = source[key],
            let limit = query["limit"]
        else { return }
        report(limit, "with windows anywhere, all \(key == "records" ? key : "entries") are shown: leave out 'limit'")
    }

    mutating func windows(_ node: Node) -> [UInt32]? {
        guard let entries = list(node, "windows", atMost: ProgrammeLimits.windows) else { return nil }
        var windows: [UInt32] = []
        for entry in entries {
            guard let window = integer(entry, "a window", in: 1...UInt32(ProgrammeLimits.queryLimit)) else { continue }
            if let last = windows.last, window <= last {
                report(entry, "windows must ascend, but \(window) follows \(last)")
            }
            windows.append(window)
        }
        return windows
    }
}
