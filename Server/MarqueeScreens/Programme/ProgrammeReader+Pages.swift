import MarqueeModel
import MarqueeStore
import Yams

/// Reads pages: `page` names one in the catalogue, `types` defines the styles of its sections.
extension ProgrammeReader {
    /// - Parameter position: number of the screen's own sections that precede it.
    mutating func page(_ node: Node, position: Int) -> Programme.PageSlot? {
        guard let fields = fields(node, "a page", allowed: ["page", "types"]) else { return nil }
        let pageNode = required("page", in: fields)
        let page = pageNode.flatMap { stored($0, "the id of a page") { CatalogueBounds.refusal(ofPage: $0) } }
        if let page, let pageNode { refer(to: .page(page), at: pageNode) }
        guard let typesNode = required("types", in: fields) else { return nil }
        guard case .mapping(let mapping) = typesNode, mapping.count <= ProgrammeLimits.sections else {
            report(
                typesNode,
                "'types' must map at most \(ProgrammeLimits.sections) section types to their styles")
            return nil
        }
        var styles: [String: Programme.SectionStyle] = [:]
        var renditions: [String: Programme.Renditions<Programme.SectionStyle>] = [:]
        for (key, value) in mapping {
            guard let type = text(key, "the name of a type", atMost: ProgrammeLimits.textBytes) else { continue }
            let read = self.renditions(of: value) { $0.style($1, of: type) }
            styles[type] = read.fallback
            renditions[type] = read.others
        }
        guard let page, let bodies = bodies(nil, "the body of a page", of: aliases) else { return nil }
        return Programme.PageSlot(
            page: page, position: position, styles: styles, otherStyle: .other(bodies.mapValues { shared($0) }),
            renditions: renditions)
    }

    /// The placeholders that a header or footer of a page's section may have.
    private static let namedTexts = sectionTexts + [Programme.SectionStyle.namePlaceholder]

    private mutating func style(_ node: Node, of type: String) -> Programme.SectionStyle? {
        guard
            let fields = fields(
                node, "the type '\(type.prefix(64))'",
                allowed: [
                    "kind", "header", "footer", "supplements", "layout", "windows", "placeholders", "empty", "min",
                    "audience", "visible", "pool", "body", "impressions", "taps",
                ])
        else { return nil }
        let kinds = ProgrammeReader.sectionKinds.map { (name: $0.1, value: $0.0) }
        let kind = required("kind", in: fields).flatMap { choice($0, "section kind", kinds) }
        let header = fields["header"].flatMap { self.header($0, "the header", showing: Self.namedTexts) }
        let footer = fields["footer"].flatMap { self.footer($0, showing: Self.namedTexts) }
        let layout = fields["layout"].flatMap { sectionLayout($0) }
        let supplements = fields["supplements"].flatMap { self.supplements($0, of: layout) } ?? [:]
        let placeholders =
            fields["placeholders"].flatMap {
                integer($0, "placeholders", in: 0...UInt32(ProgrammeLimits.queryLimit))
            } ?? 0
        let hidesWhenEmpty = fields["empty"].map { self.hidesWhenEmpty($0) } ?? false
        let minimum = fields["min"].flatMap { self.minimum($0) } ?? 0
        let readership = fields["audience"].flatMap { self.readership($0) }
        let season = fields["visible"].flatMap { self.season($0) }
        let pool = fields["pool"].flatMap { poolName($0) }
        // Each section of the page names its list.
        let list = Programme.ListQuery(list: "", isOfArgument: false, edition: nil, showsEdition: false, limit: 1)
        let source: Programme.Source = pool.map { .listPool(name: $0, list) } ?? .list(list)
        let windows = fields["windows"].flatMap { self.windows($0, of: source, [], in: fields) } ?? .all
        let counting = readCounting(fields)
        if case .toggle? = footer, windows.steps.count < 2 {
            report(fields["footer"], "a footer with 'more' and 'close' needs at least two 'windows'")
        }
        let bodies = self.bodies(fields["body"], "the body of the type '\(type.prefix(64))'", of: aliases)
        guard let kind, let bodies else { return nil }
        return Programme.SectionStyle(
            kind: kind, header: header, footer: footer, layout: layout, windows: windows.steps,
            anywhere: windows.anywhere, placeholders: placeholders, pool: pool, bodies: bodies.mapValues { shared($0) },
            supplements: supplements,
            hidesWhenEmpty: hidesWhenEmpty, minimum: minimum, readership: readership, season: season,
            counting: counting)
    }
}
