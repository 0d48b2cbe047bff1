internal import CMarqueeProto
internal import MarqueeModel

// The C form of a layout. On the wire the tree of groups is a flat list of nodes, so that no message contains itself.

/// Numbers of the schema that have no name in C.
private enum LayoutNumbers {
    static let fractionalWidth: UInt32 = 1
    static let fractionalHeight: UInt32 = 2
    static let absolute: UInt32 = 3
    static let estimated: UInt32 = 4
    static let item: UInt32 = 1
    static let horizontal: UInt32 = 2
    static let vertical: UInt32 = 3
    /// Maximum copies of one child in a group.
    static let maximumCount: UInt32 = 1_024
}

/// A node of the flat list, with its children's indices.
private struct FlatNode: ProtobufConvertible {
    var node: LayoutNode
    var children: [UInt32]

    /// The tree below `root` in preorder, so that children come after their parents.
    static func list(_ root: LayoutNode) -> [FlatNode] {
        var nodes: [FlatNode] = []
        append(root, to: &nodes)
        return nodes
    }

    private static func append(_ node: LayoutNode, to nodes: inout [FlatNode]) {
        let index = nodes.count
        nodes.append(FlatNode(node: node, children: []))
        guard case .group(let group) = node else { return }
        for child in group.children {
            nodes[index].children.append(UInt32(nodes.count))
            append(child, to: &nodes)
        }
    }

    func write(to wire: inout Proto.LayoutNode, with packer: Packer) {
        switch node {
        case .item(let item):
            (wire.has_type, wire.type) = packer.number(LayoutNumbers.item)
            wire.width = packer.message(item.width)
            wire.height = packer.message(item.height)
            wire.insets = packer.message(item.insets == .zero ? nil : item.insets)
            wire.edge_spacing = packer.message(item.edgeSpacing == .zero ? nil : item.edgeSpacing)
            (wire.n_badges, wire.badges) = packer.messages(item.badges)
        case .group(let group):
            (wire.has_type, wire.type) = packer.number(
                group.axis == .horizontal ? LayoutNumbers.horizontal : LayoutNumbers.vertical)
            wire.width = packer.message(group.width)
            wire.height = packer.message(group.height)
            wire.insets = packer.message(group.insets == .zero ? nil : group.insets)
            wire.edge_spacing = packer.message(group.edgeSpacing == .zero ? nil : group.edgeSpacing)
            (wire.has_spacing, wire.spacing) = packer.real(unlessZero: group.spacing.minimum)
            (wire.has_flexible_spacing, wire.flexible_spacing) = packer.flag(group.spacing.isFlexible)
            (wire.has_count, wire.count) = packer.number(group.count.map(UInt32.init(clamping:)))
            (wire.n_children, wire.children) = packer.numbers(children)
        }
    }

    /// The node without its children, which are separate list entries.
    static func read(_ wire: Proto.LayoutNode, with unpacker: Unpacker) throws(WireError) -> FlatNode {
        let width: LayoutDimension = try unpacker.required(wire.width, "layout_node.width")
        let height: LayoutDimension = try unpacker.required(wire.height, "layout_node.height")
        let insets: LayoutInsets = try unpacker.message(wire.insets) ?? .zero
        let edgeSpacing: LayoutEdgeSpacing = try unpacker.message(wire.edge_spacing) ?? .zero
        let type = unpacker.number(wire.has_type, wire.type)
        switch type {
        case LayoutNumbers.item:
            try unpacker.check(wire.n_children == 0, "an item in a layout has children")
            return FlatNode(
                node: .item(
                    width: width, height: height, insets: insets, edgeSpacing: edgeSpacing,
                    badges: try unpacker.messages(wire.n_badges, wire.badges)),
                children: [])
        case LayoutNumbers.horizontal, LayoutNumbers.vertical:
            let count = unpacker.number(wire.has_count, wire.count)
            let children = unpacker.numbers(wire.n_children, wire.children)
            try unpacker.check(!children.isEmpty, "a group in a layout has no children")
            if let count {
                try unpacker.check(
                    (1...LayoutNumbers.maximumCount).contains(count) && children.count == 1,
                    "a group in a layout has \(children.count) children and a count of \(count)")
            }
            let points = unpacker.real(wire.has_spacing, wire.spacing) ?? 0
            let isFlexible = unpacker.flag(wire.has_flexible_spacing, wire.flexible_spacing)
            return FlatNode(
                node: .group(
                    axis: type == LayoutNumbers.horizontal ? .horizontal : .vertical, width: width, height: height,
                    insets: insets, edgeSpacing: edgeSpacing, spacing: isFlexible ? .flexible(points) : .fixed(points),
                    count: count.map { Int($0) }, children: []),
                children: children)
        default:
            throw WireError(.outOfRange, "a layout node has the unknown type \(type ?? 0)")
        }
    }

    /// Builds the tree from a flat list. Children come after their parents, each has one parent, and the first node is
    /// a group, the root of all others.
    static func tree(_ nodes: [FlatNode]) -> LayoutNode? {
        guard (1...SectionLayout.maximumNodes).contains(nodes.count) else { return nil }
        var built: [LayoutNode?] = Array(repeating: nil, count: nodes.count)
        // In reverse, so that a node's children are built before it. A child is removed when used, so that a second
        // parent doesn't find it.
        for (index, flat) in nodes.enumerated().reversed() {
            guard case .group(var group) = flat.node else {
                built[index] = flat.node
                continue
            }
            for child in flat.children {
                guard child > index, child < nodes.count, let node = built[Int(child)] else { return nil }
                built[Int(child)] = nil
                group.children.append(node)
            }
            built[index] = .group(group)
        }
        guard case .group? = built[0], built.dropFirst().allSatisfy({ $0 == nil }) else { return nil }
        return built[0]
    }
}

extension Packer {
    func layout(_ layout: SectionLayout) -> UnsafeMutablePointer<Proto.Layout> {
        message(Proto.Layout.self) { wire in
            (wire.n_nodes, wire.nodes) = messages(FlatNode.list(layout.group))
            wire.insets = message(layout.insets == .zero ? nil : layout.insets)
            (wire.has_insets_reference, wire.insets_reference) = number(unlessZero: layout.insetsReference.rawValue)
            (wire.has_spacing, wire.spacing) = real(unlessZero: layout.spacing)
            (wire.has_scrolling, wire.scrolling) = number(unlessZero: layout.scrolling.rawValue)
            (wire.n_supplementaries, wire.supplementaries) = messages(layout.supplementaries)
            wire.decoration = text(layout.decoration?.kind)
            wire.decoration_insets = message(layout.decoration.flatMap { $0.insets == .zero ? nil : $0.insets })
            (wire.has_decoration_z_index, wire.decoration_z_index) = zIndex(layout.decoration?.zIndex)
        }
    }
}

extension Unpacker {
    /// `nil` for an invalid layout. Unknown scrolling counts as none, an unknown reference of insets as automatic.
    func layout(_ wire: Proto.Layout) -> SectionLayout? {
        do throws(WireError) {
            try checkCount(wire.n_nodes, UInt32(SectionLayout.maximumNodes), "layout.nodes")
            guard let group = FlatNode.tree(try messages(wire.n_nodes, wire.nodes)) else { return nil }
            return SectionLayout(
                group: group, insets: try message(wire.insets) ?? .zero,
                insetsReference: LayoutInsetsReference(
                    rawValue: number(wire.has_insets_reference, wire.insets_reference) ?? 0) ?? .automatic,
                spacing: real(wire.has_spacing, wire.spacing) ?? 0,
                scrolling: LayoutScrolling(rawValue: number(wire.has_scrolling, wire.scrolling) ?? 0) ?? .none,
                supplementaries: try messages(wire.n_supplementaries, wire.supplementaries),
                decoration: try decoration(wire))
        } catch {
            return nil
        }
    }
}

extension Packer {
    fileprivate func zIndex(_ index: Int?) -> (protobuf_c_boolean, Double) { real(index.map { Double($0) }) }
}

extension Unpacker {
    /// More than UIKit's layers can distinguish.
    private static let maximumZIndex = 1e6

    fileprivate func zIndex(_ has: protobuf_c_boolean, _ value: Double) -> Int? {
        real(has, value).map { Int(min(max($0, -Self.maximumZIndex), Self.maximumZIndex)) }
    }

    fileprivate func decoration(_ wire: Proto.Layout) throws(WireError) -> LayoutDecoration? {
        guard let kind = text(wire.decoration) else { return nil }
        return LayoutDecoration(
            kind: kind, insets: try message(wire.decoration_insets) ?? .zero,
            zIndex: zIndex(wire.has_decoration_z_index, wire.decoration_z_index))
    }
}

extension LayoutDimension: ProtobufConvertible {
    func write(to wire: inout Proto.Dimension, with packer: Packer) {
        let (unit, value) =
            switch self {
            case .fractionalWidth(let value): (LayoutNumbers.fractionalWidth, value)
            case .fractionalHeight(let value): (LayoutNumbers.fractionalHeight, value)
            case .absolute(let value): (LayoutNumbers.absolute, value)
            case .estimated(let value): (LayoutNumbers.estimated, value)
            }
        (wire.has_unit, wire.unit) = packer.number(unit)
        (wire.has_value, wire.value) = packer.real(value)
    }

    static func read(_ wire: Proto.Dimension, with unpacker: Unpacker) throws(WireError) -> LayoutDimension {
        let value = try unpacker.required(unpacker.real(wire.has_value, wire.value), "dimension.value")
        switch unpacker.number(wire.has_unit, wire.unit) {
        case LayoutNumbers.fractionalWidth: return .fractionalWidth(value)
        case LayoutNumbers.fractionalHeight: return .fractionalHeight(value)
        case LayoutNumbers.absolute: return .absolute(value)
        case LayoutNumbers.estimated: return .estimated(value)
        default: throw WireError(.outOfRange, "dimension.unit is unknown")
        }
    }
}

extension LayoutInsets: ProtobufConvertible {
    func write(to wire: inout Proto.Insets, with packer: Packer) {
        (wire.has_top, wire.top) = packer.real(unlessZero: top)
        (wire.has_leading, wire.leading) = packer.real(unlessZero: leading)
        (wire.has_bottom, wire.bottom) = packer.real(unlessZero: bottom)
        (wire.has_trailing, wire.trailing) = packer.real(unlessZero: trailing)
    }

    static func read(_ wire: Proto.Insets, with unpacker: Unpacker) throws(WireError) -> LayoutInsets {
        LayoutInsets(
            top: unpacker.real(wire.has_top, wire.top) ?? 0,
            leading: unpacker.real(wire.has_leading, wire.leading) ?? 0,
            bottom: unpacker.real(wire.has_bottom, wire.bottom) ?? 0,
            trailing: unpacker.real(wire.has_trailing, wire.trailing) ?? 0)
    }
}

extension LayoutSpacing: ProtobufConvertible {
    func write(to wire: inout Proto.Spacing, with packer: Packer) {
        (wire.has_points, wire.points) = packer.real(unlessZero: minimum)
        (wire.has_flexible, wire.flexible) = packer.flag(isFlexible)
    }

    static func read(_ wire: Proto.Spacing, with unpacker: Unpacker) throws(WireError) -> LayoutSpacing {
        let points = unpacker.real(wire.has_points, wire.points) ?? 0
        return unpacker.flag(wire.has_flexible, wire.flexible) ? .flexible(points) : .fixed(points)
    }
}

extension LayoutEdgeSpacing: ProtobufConvertible {
    func write(to wire: inout Proto.EdgeSpacing, with packer: Packer) {
        wire.top = packer.message(top == .zero ? nil : top)
        wire.leading = packer.message(leading == .zero ? nil : leading)
        wire.bottom = packer.message(bottom == .zero ? nil : bottom)
        wire.trailing = packer.message(trailing == .zero ? nil : trailing)
    }

    static func read(_ wire: Proto.EdgeSpacing, with unpacker: Unpacker) throws(WireError) -> LayoutEdgeSpacing {
        LayoutEdgeSpacing(
            top: try unpacker.message(wire.top) ?? .zero, leading: try unpacker.message(wire.leading) ?? .zero,
            bottom: try unpacker.message(wire.bottom) ?? .zero, trailing: try unpacker.message(wire.trailing) ?? .zero)
    }
}

extension LayoutSupplementary: ProtobufConvertible {
    func write(to wire: inout Proto.Supplementary, with packer: Packer) {
        wire.kind = packer.text(kind)
        wire.width = packer.message(width)
        wire.height = packer.message(height)
        wire.anchor = packer.message(Proto.Anchor.self) { anchor in
            (anchor.has_edges, anchor.edges) = packer.number(unlessZero: edges.rawValue)
            (anchor.has_x, anchor.x) = packer.real(unlessZero: offsetX)
            (anchor.has_y, anchor.y) = packer.real(unlessZero: offsetY)
            (anchor.has_fractional, anchor.fractional) = packer.flag(offsetIsFractional)
        }
        wire.insets = packer.message(insets == .zero ? nil : insets)
        (wire.has_pinned, wire.pinned) = packer.flag(isPinned)
        (wire.has_z_index, wire.z_index) = packer.zIndex(zIndex)
    }

    static func read(_ wire: Proto.Supplementary, with unpacker: Unpacker) throws(WireError) -> LayoutSupplementary {
        let anchor = wire.anchor?.pointee ?? Proto.Anchor()
        return LayoutSupplementary(
            kind: unpacker.text(wire.kind) ?? "", width: try unpacker.required(wire.width, "supplementary.width"),
            height: try unpacker.required(wire.height, "supplementary.height"),
            edges: LayoutEdges(rawValue: unpacker.number(anchor.has_edges, anchor.edges) ?? 0),
            offsetX: unpacker.real(anchor.has_x, anchor.x) ?? 0, offsetY: unpacker.real(anchor.has_y, anchor.y) ?? 0,
            offsetIsFractional: unpacker.flag(anchor.has_fractional, anchor.fractional),
            insets: try unpacker.message(wire.insets) ?? .zero, isPinned: unpacker.flag(wire.has_pinned, wire.pinned),
            zIndex: unpacker.zIndex(wire.has_z_index, wire.z_index))
    }
}
