import MarqueeModel
import Yams

/// Reads layouts: `fw 0.3`, insets `[top, leading, bottom, trailing]`, groups of items.
extension ProgrammeReader {
    private static let points = -ProgrammeLimits.points...ProgrammeLimits.points

    private static let scrollings: [(name: String, value: LayoutScrolling)] = [
        ("none", .none), ("continuous", .continuous),
        ("continuous-group-leading-boundary", .continuousGroupLeadingBoundary), ("paging", .paging),
        ("group-paging", .groupPaging), ("group-paging-centered", .groupPagingCentered),
    ]

    private static let edges: [(name: String, value: LayoutEdges)] = [
        ("top", .top), ("leading", .leading), ("bottom", .bottom), ("trailing", .trailing),
    ]

    private static let references: [(name: String, value: LayoutInsetsReference)] = [
        ("automatic", .automatic), ("none", .none), ("safe-area", .safeArea), ("layout-margins", .layoutMargins),
        ("readable-content", .readableContent),
    ]

    mutating func layout(_ node: Node) -> SectionLayout? {
        guard
            let fields = fields(
                node, "a layout",
                allowed: [
                    "group", "insets", "insets-reference", "spacing", "scrolling", "header", "footer", "leading",
                    "supplementaries",
                    "decoration",
                ])
        else { return nil }
        let insets = fields["insets"].map { self.insets($0, "the layout's insets") } ?? .zero
        let reference =
            fields["insets-reference"].map { choice($0, "reference of insets", ProgrammeReader.references) }
            ?? LayoutInsetsReference.automatic
        let spacing = fields["spacing"].map { number($0, "spacing", in: 0...ProgrammeLimits.points) } ?? 0
        let scrolling =
            fields["scrolling"].map { choice($0, "scrolling", ProgrammeReader.scrollings) } ?? LayoutScrolling.none
        let decoration = fields["decoration"].flatMap { self.decoration($0) }
        let supplementaries = supplementaries(of: fields)
        var nodes = 0
        guard let groupNode = required("group", in: fields), let group = group(groupNode, depth: 1, nodes: &nodes),
            let insets, let reference, let spacing, let scrolling, let supplementaries
        else { return nil }
        return SectionLayout(
            group: group, insets: insets, insetsReference: reference, spacing: spacing, scrolling: scrolling,
            supplementaries: supplementaries, decoration: decoration)
    }

    /// Reads a kind, or `{kind, insets, z-index}`.
    private mutating func decoration(_ node: Node) -> LayoutDecoration? {
        guard case .mapping = node else { return identifier(node, "decoration").map { LayoutDecoration(kind: $0) } }
        guard let fields = fields(node, "the decoration", allowed: ["kind", "insets", "z-index"]) else { return nil }
        let kind = required("kind", in: fields).flatMap { identifier($0, "the kind of the decoration") }
        let insets = fields["insets"].map { self.insets($0, "the insets of the decoration") } ?? .zero
        let zIndex = fields["z-index"].flatMap { self.zIndex($0, "the z-index of the decoration") }
        guard let kind, let insets else { return nil }
        return LayoutDecoration(kind: kind, insets: insets, zIndex: zIndex)
    }

    private mutating func zIndex(_ node: Node, _ what: String) -> Int? {
        integer(node, what, in: -ProgrammeLimits.zIndex...ProgrammeLimits.zIndex)
    }

    // MARK: - Groups and items

    private mutating func group(_ node: Node, depth: Int, nodes: inout Int) -> LayoutNode? {
        guard
            let fields = fields(
                node, "a group",
                allowed: ["axis", "width", "height", "insets", "edge-spacing", "spacing", "count", "items"])
        else { return nil }
        guard depth <= ProgrammeLimits.layoutDepth else {
            report(node, "groups may be nested at most \(ProgrammeLimits.layoutDepth) deep")
            return nil
        }
        guard isRoom(for: node, nodes: &nodes) else { return nil }
        let axis = required("axis", in: fields).flatMap {
            choice($0, "axis", [("horizontal", LayoutNode.Axis.horizontal), ("vertical", .vertical)])
        }
        let size = size(of: fields)
        let insets = fields["insets"].map { self.insets($0, "the group's insets") } ?? .zero
        let spacing = fields["spacing"].map { self.spacing($0, "spacing") } ?? LayoutSpacing.zero
        if depth == 1, let node = fields["edge-spacing"] {
            report(node, "a section's own group has no 'edge-spacing'; the layout's 'insets' and 'spacing' do this")
        }
        let edgeSpacing = edgeSpacing(of: fields, "the group's edge spacing")
        let count = fields["count"].flatMap { integer($0, "count", in: 1...ProgrammeLimits.listItems) }
        guard let itemsNode = required("items", in: fields),
            let entries = list(itemsNode, "'items' of a group", atMost: SectionLayout.maximumNodes)
        else { return nil }
        guard !entries.isEmpty else {
            report(itemsNode, "a group needs at least one item")
            return nil
        }
        if fields["count"] != nil, entries.count != 1 {
            report(itemsNode, "a group with a count has exactly one item, not \(entries.count)")
        }
        let children = entries.map { child($0, depth: depth, nodes: &nodes) }
        guard let axis, let size, let insets, let edgeSpacing, let spacing, children.allSatisfy({ $0 != nil }) else {
            return nil
        }
        return .group(
            axis: axis, width: size.width, height: size.height, insets: insets, edgeSpacing: edgeSpacing,
            spacing: spacing, count: count, children: children.compactMap { $0 })
    }

    /// Reads an item, or `group: …`.
    private mutating func child(_ node: Node, depth: Int, nodes: inout Int) -> LayoutNode? {
        if case .mapping(let mapping) = node, mapping.count == 1, let inner = mapping["group"] {
            return group(inner, depth: depth + 1, nodes: &nodes)
        }
        guard let fields = fields(node, "an item", allowed: ["width", "height", "insets", "edge-spacing", "badges"]),
            isRoom(for: node, nodes: &nodes)
        else { return nil }
        let size = size(of: fields)
        let insets = fields["insets"].map { self.insets($0, "the item's insets") } ?? .zero
        let edgeSpacing = edgeSpacing(of: fields, "the item's edge spacing")
        var badges: [LayoutSupplementary] = []
        if let node = fields["badges"] {
            guard let entries = list(node, "badges", atMost: ProgrammeLimits.badges) else { return nil }
            badges = entries.compactMap { supplementary($0, "a badge", kind: nil, edges: nil, isBadge: true) }
        }
        guard let size, let insets, let edgeSpacing else { return nil }
        return .item(
            width: size.width, height: size.height, insets: insets, edgeSpacing: edgeSpacing, badges: badges)
    }

    private mutating func isRoom(for node: Node, nodes: inout Int) -> Bool {
        nodes += 1
        if nodes == SectionLayout.maximumNodes + 1 {
            report(node, "a layout has at most \(SectionLayout.maximumNodes) groups and items")
        }
        return nodes <= SectionLayout.maximumNodes
    }

    // MARK: - Supplementaries

    private mutating func supplementaries(of fields: Fields) -> [LayoutSupplementary]? {
        var found: [LayoutSupplementary?] = []
        for (kind, edges) in [("header", LayoutEdges.top), ("footer", .bottom), ("leading", .leading)] {
            guard let node = fields[kind] else { continue }
            found.append(supplementary(node, "the \(kind)", kind: kind, edges: edges))
        }
        if let node = fields["supplementaries"] {
            guard let entries = list(node, "supplementaries", atMost: ProgrammeLimits.supplementaries) else {
                return nil
            }
            for entry in entries { found.append(supplementary(entry, "a supplementary", kind: nil, edges: nil)) }
        }
        return found.allSatisfy { $0 != nil } ? found.compactMap { $0 } : nil
    }

    /// - Parameters:
    ///   - kind: `nil` if the file names it.
    ///   - edges: `nil` if the file must name them.
    ///   - isBadge: whether it belongs to an item.
    private mutating func supplementary(
        _ node: Node, _ what: String, kind: String?, edges: LayoutEdges?, isBadge: Bool = false
    ) -> LayoutSupplementary? {
        let named = kind == nil ? ["kind", "edges"] : []
        guard
            let fields = fields(
                node, what,
                allowed: named + ["width", "height", "insets", "offset", "fraction-offset", "pinned", "z-index"])
        else { return nil }
        let kind = kind ?? required("kind", in: fields).flatMap { identifier($0, "the kind of \(what)") }
        let edges = edges ?? required("edges", in: fields).flatMap { self.edges($0, "the edges of \(what)") }
        let size = size(of: fields)
        let insets = fields["insets"].map { self.insets($0, "the insets of \(what)") } ?? .zero
        if fields["offset"] != nil, let node = fields["fraction-offset"] {
            report(node, "\(what) has either 'offset' or 'fraction-offset', not both")
        }
        let offsetNode = fields["offset"] ?? fields["fraction-offset"]
        let offset = offsetNode.map { numbers($0, "the offset of \(what)", names: ["x", "y"]) } ?? [0, 0]
        let isPinned =
            fields["pinned"].map { choice($0, "value of 'pinned'", [("true", true), ("false", false)]) } ?? false
        let zIndex = fields["z-index"].flatMap { self.zIndex($0, "the z-index of \(what)") }
        guard let kind, let edges, let size, let insets, let offset, let isPinned else { return nil }
        if isPinned, isBadge || edges.contains(.top) == edges.contains(.bottom) {
            report(fields["pinned"], "\(what) can't be pinned; only a section's view at the top or bottom can")
        }
        return LayoutSupplementary(
            kind: kind, width: size.width, height: size.height, edges: edges, offsetX: offset[0], offsetY: offset[1],
            offsetIsFractional: fields["fraction-offset"] != nil, insets: insets, isPinned: isPinned,
            zIndex: zIndex)
    }

    private mutating func edges(_ node: Node, _ what: String) -> LayoutEdges? {
        guard let entries = list(node, what, atMost: ProgrammeReader.edges.count) else { return nil }
        var edges: LayoutEdges = []
        for entry in entries {
            guard let edge = choice(entry, "edge", ProgrammeReader.edges) else { return nil }
            edges.insert(edge)
        }
        return edges
    }

    // MARK: - Numbers

    private mutating func size(of fields: Fields) -> (width: LayoutDimension, height: LayoutDimension)? {
        let width = required("width", in: fields).flatMap { dimension($0, "the width of \(fields.what)") }
        let height = required("height", in: fields).flatMap { dimension($0, "the height of \(fields.what)") }
        guard let width, let height else { return nil }
        return (width, height)
    }

    /// Reads a unit and a number: `fw 0.3`, `fw 1/3`, `fh 0.75`, `abs 200`, `est 50`.
    private mutating func dimension(_ node: Node, _ what: String) -> LayoutDimension? {
        guard let text = text(node, what) else { return nil }
        let words = text.split(separator: " ")
        let units = ["fw", "fh", "abs", "est"]
        guard let unit = words.first.map(String.init), units.contains(unit) else {
            let word = words.first.map { String($0.prefix(16)) } ?? ""
            let hint = NearestName.suggestion(for: word, among: units).map { "; did you mean '\($0)'?" } ?? "."
            report(
                node,
                "\(what) has the unknown unit '\(word)'\(hint) Write 'fw 0.3' or 'fh 0.3' (fraction of width or "
                    + "height), 'abs 200' or 'est 50' (points)")
            return nil
        }
        let isFraction = unit == "fw" || unit == "fh"
        let maximum = isFraction ? ProgrammeLimits.fraction : ProgrammeLimits.points
        guard words.count == 2, let value = quotient(words[1]), value > 0, value <= maximum else {
            report(node, "\(what) must be '\(unit)' and a number above 0, at most \(Int(maximum)), not '\(text)'")
            return nil
        }
        switch unit {
        case "fw": return .fractionalWidth(value)
        case "fh": return .fractionalHeight(value)
        case "abs": return .absolute(value)
        default: return .estimated(value)
        }
    }

    /// Reads `0.3`, or a fraction such as `1/3`.
    private func quotient(_ text: Substring) -> Double? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Double($0) }
        switch parts.count {
        case 1: return parts[0]
        case 2: return parts[0].flatMap { numerator in parts[1].map { numerator / $0 } }
        default: return nil
        }
    }

    /// Reads one number for all sides, or `[top, leading, bottom, trailing]`.
    private mutating func insets(_ node: Node, _ what: String) -> LayoutInsets? {
        if case .scalar = node {
            guard let value = number(node, what, in: ProgrammeReader.points) else { return nil }
            return LayoutInsets(top: value, leading: value, bottom: value, trailing: value)
        }
        guard let sides = numbers(node, what, names: ["top", "leading", "bottom", "trailing"]) else { return nil }
        return LayoutInsets(top: sides[0], leading: sides[1], bottom: sides[2], trailing: sides[3])
    }

    /// Reads `8`, or `flexible 8`: at least 8 points, and a share of what is left.
    private mutating func spacing(_ node: Node, _ what: String) -> LayoutSpacing? {
        guard case .scalar(let scalar) = node else {
            report(node, "\(what) must be a number of points, or 'flexible 8' for at least 8 points")
            return nil
        }
        let words = scalar.string.split(separator: " ")
        guard words.first == "flexible" else {
            return number(node, what, in: 0...ProgrammeLimits.points).map { .fixed($0) }
        }
        let points = words.count == 2 ? Double(words[1]) : nil
        guard let points, (0...ProgrammeLimits.points).contains(points) else {
            report(
                node,
                "\(what) must be 'flexible' and a number from 0 to \(Int(ProgrammeLimits.points)), "
                    + "not '\(scalar.string.prefix(64))'")
            return nil
        }
        return .flexible(points)
    }

    /// Reads one spacing for all sides, or `[top, leading, bottom, trailing]`. If it is missing, there is no space.
    private mutating func edgeSpacing(of fields: Fields, _ what: String) -> LayoutEdgeSpacing? {
        guard let node = fields["edge-spacing"] else { return .zero }
        if case .scalar = node {
            return spacing(node, what).map { LayoutEdgeSpacing(top: $0, leading: $0, bottom: $0, trailing: $0) }
        }
        guard case .sequence(let sequence) = node, sequence.count == 4 else {
            report(node, "\(what) must be a list of 4 spacings: [top, leading, bottom, trailing]")
            return nil
        }
        let sides = sequence.compactMap { spacing($0, what) }
        guard sides.count == 4 else { return nil }
        return LayoutEdgeSpacing(top: sides[0], leading: sides[1], bottom: sides[2], trailing: sides[3])
    }

    /// Reads a list of one number for each of `names`.
    private mutating func numbers(_ node: Node, _ what: String, names: [String]) -> [Double]? {
        guard case .sequence(let sequence) = node, sequence.count == names.count else {
            report(node, "\(what) must be a list of \(names.count) numbers: [\(names.joined(separator: ", "))]")
            return nil
        }
        let values = sequence.map { number($0, what, in: ProgrammeReader.points) }
        return values.allSatisfy { $0 != nil } ? values.compactMap { $0 } : nil
    }
}
