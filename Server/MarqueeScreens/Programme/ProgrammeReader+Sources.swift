import MarqueeModel
import Yams

/// Sources: a name alone (`detail`, `favorites`), or a mapping with one key (`movies: {genre: 28}`).
extension ProgrammeReader {
    private static let defaultLimit = 20
    private static let defaultCast = 16

    private static let sources =
        [
            "movies", "chart", "items", "shelf", "pool", "genres", "detail", "credits", "item", "favorites",
            "collection",
        ] + recordSources

    /// - Parameters:
    ///   - section: its id, the default name of a pool.
    ///   - argument: the argument in the screen's name.
    mutating func source(_ node: Node, section: String, argument: Programme.Argument?) -> Programme.Source? {
        if case .scalar(let scalar) = node {
            switch scalar.string {
            case "favorites": return .collection(Programme.CollectionQuery(name: .favorites, limit: nil))
            case "detail": return detail(node, argument: argument) ? .detail : nil
            case "item":
                if argument == .item { return .item }
                report(node, "'item' needs a screen named like 'detail/<item>'")
                return nil
            case "credits":
                return detail(node, argument: argument) ? .credits(limit: ProgrammeReader.defaultCast) : nil
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
        case "movies": return movies(value, argument: argument)
        case "chart": return chart(value)
        case "items": return inlineItems(value).map { .items($0) }
        case "shelf":
            guard let shelf = identifier(value, "the id of a shelf") else { return nil }
            refer(to: .shelf(shelf), at: value)
            return .shelf(shelf)
        case "pool": return pool(value, section: section, argument: argument)
        case "genres": return numbers(value, "genres") { .genre($0) }.map { .genres($0) }
        case "credits": return credits(value, argument: argument)
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

    private mutating func movies(_ node: Node, argument: Programme.Argument?) -> Programme.Source? {
        if case .mapping(let mapping) = node, mapping["ids"] != nil {
            guard let fields = fields(node, "a list of fixed movies", allowed: ["ids"]), let ids = fields["ids"] else {
                return nil
            }
            return numbers(ids, "ids") { .movie($0) }.map { .fixedMovies($0) }
        }
        guard let fields = fields(node, "a movie query", allowed: ["genre", "sort", "limit", "ids"]) else {
            return nil
        }
        return query(fields, argument: argument).map { .movies($0) }
    }

    private mutating func pool(
        _ node: Node, section: String, argument: Programme.Argument?
    ) -> Programme.Source? {
        guard
            let fields = fields(
                node, "a pool", allowed: ["name", "shelf", "records", "list", "genre", "sort", "limit"])
        else {
            return nil
        }
        let name = fields["name"].map { identifier($0, "the name of a pool") } ?? section
        if let own = ["records", "list"].first(where: { fields[$0] != nil }), let node = fields[own] {
            if fields.values.keys.contains(where: { ![own, "name"].contains($0) }) {
                report(
                    fields.node,
                    "a pool is either of 'records', of a 'list', of a 'shelf', or of movies by 'genre', 'sort' and "
                        + "'limit'")
            }
            return name.flatMap { own == "list" ? listPool(node, named: $0) : recordPool(node, named: $0) }
        }
        if let node = fields["shelf"] {
            if fields.values.keys.contains(where: { ["genre", "sort", "limit"].contains($0) }) {
                report(fields.node, "a pool is either of a 'shelf' or of movies by 'genre', 'sort' and 'limit'")
            }
            guard let shelf = identifier(node, "the id of a shelf"), let name else { return nil }
            refer(to: .shelf(shelf), pool: name, at: node)
            return .shelfPool(name: name, shelf: shelf)
        }
        guard let query = query(fields, argument: argument, pool: name), let name else { return nil }
        return .pool(name: name, query)
    }

    /// - Parameter pool: what it is the choice of.
    private mutating func query(
        _ fields: Fields, argument: Programme.Argument?, pool: String? = nil
    ) -> Programme.MovieQuery? {
        var filter: Programme.MovieQuery.Filter? = .all
        if let node = fields["genre"] {
            if node.scalar?.string == "$argument" {
                filter = argument == .genre ? .argument : nil
                if filter == nil { report(node, "'$argument' needs a screen named like 'genre/<genre>'") }
            } else {
                filter = integer(node, "genre", in: 0...UInt64.max).map { .genre($0) }
            }
        }
        let orders = MovieSort.allCases.map { (name: $0.rawValue, value: $0) }
        let sort = fields["sort"].map { choice($0, "sort", orders) } ?? .popularity
        let limit = fields["limit"].map { self.limit($0) } ?? ProgrammeReader.defaultLimit
        guard let filter, let sort, let limit else { return nil }
        switch filter {
        case .all: refer(to: .movies(genre: nil), pool: pool, at: fields.node)
        case .genre(let id):
            let node = fields["genre"] ?? fields.node
            if id == 0 {
                let what = pool.map { "the pool '\($0)' can't be filled" } ?? "the section shows nothing"
                warn(node, "\(what): ids of genres begin with 1")
            }
            refer(to: .movies(genre: id), pool: pool, at: node)
        case .argument: break
        }
        return Programme.MovieQuery(filter: filter, sort: sort, limit: limit)
    }

    private mutating func chart(_ node: Node) -> Programme.Source? {
        guard let fields = fields(node, "a chart", allowed: ["id", "limit"]) else { return nil }
        let limit = fields["limit"].map { self.limit($0) } ?? ProgrammeReader.defaultLimit
        guard let node = required("id", in: fields), let id = identifier(node, "the id of a chart"), let limit else {
            return nil
        }
        refer(to: .chart(id), at: node)
        return .chart(id: id, limit: limit)
    }

    private mutating func credits(_ node: Node, argument: Programme.Argument?) -> Programme.Source? {
        guard let fields = fields(node, "credits", allowed: ["limit"]) else { return nil }
        let limit = fields["limit"].map { self.limit($0) } ?? ProgrammeReader.defaultCast
        guard detail(node, argument: argument), let limit else { return nil }
        return .credits(limit: limit)
    }

    /// Whether the screen names a movie to show.
    private mutating func detail(_ node: Node, argument: Programme.Argument?) -> Bool {
        if argument == .movie { return true }
        report(node, "'detail' and 'credits' need a screen named like 'detail/<movie>'")
        return false
    }

    mutating func limit(_ node: Node) -> Int? {
        integer(node, "limit", in: 1...ProgrammeLimits.queryLimit)
    }

    /// A list of distinct ids.
    /// - Parameter target: what each of them names.
    private mutating func numbers(
        _ node: Node, _ what: String, _ target: (UInt64) -> ProgrammeReference.Target
    ) -> [UInt64]? {
        guard let entries = list(node, what, atMost: ProgrammeLimits.listItems) else { return nil }
        if entries.isEmpty { warn(node, "\(what) is an empty list, so the section shows nothing") }
        var seen: Set<UInt64> = []
        let ids = entries.map { entry -> UInt64? in
            guard let id = integer(entry, "an id in \(what)", in: 0...UInt64.max) else { return nil }
            guard seen.insert(id).inserted else {
                report(entry, "\(what) names \(id) twice")
                return nil
            }
            refer(to: target(id), at: entry)
            return id
        }
        return ids.allSatisfy { $0 != nil } ? ids.compactMap { $0 } : nil
    }
}
