internal import MarqueeModel

extension SectionLayout {
    /// The layout within `LayoutLimits`, so that no later code has to check again.
    func bounded() -> SectionLayout {
        var room = SectionLayout.maximumNodes
        var bounded = self
        bounded.group = group.bounded(room: &room)
        bounded.insets = insets.bounded()
        bounded.spacing = LayoutLimits.extent(spacing)
        bounded.supplementaries = supplementaries.prefix(LayoutLimits.supplementaries).map { $0.bounded() }
        return bounded
    }
}

extension LayoutNode {
    /// An item that fills its group: the content of a group without children, so that every group holds items.
    private static let filling = LayoutNode.item(
        width: .fractionalWidth(1), height: .fractionalHeight(1), insets: .zero, badges: [])

    /// The bounded tree. Nodes beyond `room`, counted in preorder, are left out; each level uses one, so the depth is
    /// bounded as well.
    func bounded(room: inout Int) -> LayoutNode {
        room -= 1
        switch self {
        case .item(let width, let height, let insets, let badges):
            return .item(
                width: width, height: height, insets: insets.bounded(),
                badges: badges.prefix(LayoutLimits.supplementaries).map { $0.bounded() })
        case .group(let axis, let width, let height, let insets, let spacing, let count, let children):
            var kept: [LayoutNode] = []
            for child in children.prefix(count == nil ? SectionLayout.maximumNodes : 1) where room > 0 {
                kept.append(child.bounded(room: &room))
            }
            return .group(
                axis: axis, width: width, height: height, insets: insets.bounded(),
                spacing: LayoutLimits.extent(spacing), count: count.map { min(max($0, 1), LayoutLimits.count) },
                children: kept.isEmpty ? [LayoutNode.filling] : kept)
        }
    }

    var dimensions: DimensionPair {
        switch self {
        case .item(let width, let height, _, _), .group(_, let width, let height, _, _, _, _):
            DimensionPair(width: width, height: height)
        }
    }

    /// Whether any item's size is an estimate, so that measuring it matters.
    var hasEstimatedItem: Bool {
        switch self {
        case .item(let width, let height, _, _): width.isEstimated || height.isEstimated
        case .group(_, _, _, _, _, _, let children): children.contains { $0.hasEstimatedItem }
        }
    }
}

extension LayoutInsets {
    func bounded() -> LayoutInsets {
        LayoutInsets(
            top: LayoutLimits.shift(top), leading: LayoutLimits.shift(leading), bottom: LayoutLimits.shift(bottom),
            trailing: LayoutLimits.shift(trailing))
    }
}

extension LayoutSupplementary {
    func bounded() -> LayoutSupplementary {
        var bounded = self
        bounded.insets = insets.bounded()
        bounded.offsetX = LayoutLimits.shift(offsetX)
        bounded.offsetY = LayoutLimits.shift(offsetY)
        return bounded
    }
}
