internal import MarqueeModel

extension SectionLayout {
    /// The layout within `LayoutLimits`, so that no later code has to check again.
    func bounded() -> SectionLayout {
        var room = SectionLayout.maximumNodes
        var bounded = self
        bounded.group = group.bounded(room: &room)
        bounded.insets = insets.bounded()
        bounded.spacing = LayoutLimits.extent(spacing)
        bounded.decoration?.insets = decoration?.insets.bounded() ?? .zero
        bounded.supplementaries = supplementaries.prefix(LayoutLimits.supplementaries).map { $0.bounded() }
        return bounded
    }
}

extension LayoutNode {
    /// An item that fills its group: the content of a group without children, so that every group holds items.
    private static let filling = LayoutNode.item(width: .fractionalWidth(1), height: .fractionalHeight(1))

    /// The bounded tree. Nodes beyond `room`, counted in preorder, are left out; each level uses one, so the depth is
    /// bounded as well.
    func bounded(room: inout Int) -> LayoutNode {
        room -= 1
        switch self {
        case .item(var item):
            item.insets = item.insets.bounded()
            item.edgeSpacing = item.edgeSpacing.bounded()
            item.badges = item.badges.prefix(LayoutLimits.supplementaries).map { $0.bounded() }
            return .item(item)
        case .group(var group):
            var kept: [LayoutNode] = []
            for child in group.children.prefix(group.count == nil ? SectionLayout.maximumNodes : 1) where room > 0 {
                kept.append(child.bounded(room: &room))
            }
            group.insets = group.insets.bounded()
            group.edgeSpacing = group.edgeSpacing.bounded()
            group.spacing = group.spacing.bounded()
            group.count = group.count.map { min(max($0, 1), LayoutLimits.count) }
            group.children = kept.isEmpty ? [LayoutNode.filling] : kept
            return .group(group)
        }
    }

    var dimensions: DimensionPair {
        get {
            switch self {
            case .item(let item): DimensionPair(width: item.width, height: item.height)
            case .group(let group): DimensionPair(width: group.width, height: group.height)
            }
        }
        set {
            switch self {
            case .item(var item):
                (item.width, item.height) = (newValue.width, newValue.height)
                self = .item(item)
            case .group(var group):
                (group.width, group.height) = (newValue.width, newValue.height)
                self = .group(group)
            }
        }
    }

    var insets: LayoutInsets {
        get {
            switch self {
            case .item(let item): item.insets
            case .group(let group): group.insets
            }
        }
        set {
            switch self {
            case .item(var item):
                item.insets = newValue
                self = .item(item)
            case .group(var group):
                group.insets = newValue
                self = .group(group)
            }
        }
    }

    var edgeSpacing: LayoutEdgeSpacing {
        get {
            switch self {
            case .item(let item): item.edgeSpacing
            case .group(let group): group.edgeSpacing
            }
        }
        set {
            switch self {
            case .item(var item):
                item.edgeSpacing = newValue
                self = .item(item)
            case .group(var group):
                group.edgeSpacing = newValue
                self = .group(group)
            }
        }
    }

    /// Whether any item's size is an estimate, so that measuring it matters.
    var hasEstimatedItem: Bool {
        switch self {
        case .item(let item): item.width.isEstimated || item.height.isEstimated
        case .group(let group): group.children.contains { $0.hasEstimatedItem }
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

extension LayoutSpacing {
    func bounded() -> LayoutSpacing {
        switch self {
        case .fixed(let points): .fixed(LayoutLimits.extent(points))
        case .flexible(let points): .flexible(LayoutLimits.extent(points))
        }
    }
}

extension LayoutEdgeSpacing {
    func bounded() -> LayoutEdgeSpacing {
        LayoutEdgeSpacing(
            top: top.bounded(), leading: leading.bounded(), bottom: bottom.bounded(), trailing: trailing.bounded())
    }

    /// At the near edge along an axis.
    func start(_ axis: LayoutNode.Axis) -> LayoutSpacing { axis == .horizontal ? leading : top }
    /// At the far edge along an axis.
    func end(_ axis: LayoutNode.Axis) -> LayoutSpacing { axis == .horizontal ? trailing : bottom }

    /// The least number of points that both edges along an axis take together.
    func minimum(_ axis: LayoutNode.Axis) -> Double { start(axis).minimum + end(axis).minimum }

    /// Leaves nothing along an axis.
    mutating func clear(_ axis: LayoutNode.Axis) {
        switch axis {
        case .horizontal: (leading, trailing) = (.zero, .zero)
        case .vertical: (top, bottom) = (.zero, .zero)
        }
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
