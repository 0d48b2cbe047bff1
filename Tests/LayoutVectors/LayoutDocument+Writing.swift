package import MarqueeModel

extension LayoutDocument {
    /// The document of a layout.
    package init(_ layout: SectionLayout) {
        nodes = []
        insets = Insets(layout.insets)
        spacing = layout.spacing.unlessZero
        scrolling = layout.scrolling == .none ? nil : layout.scrolling.rawValue
        supplementaries = layout.supplementaries.isEmpty ? nil : layout.supplementaries.map(Supplementary.init)
        decoration = layout.decoration?.kind
        decorationInsets = layout.decoration.flatMap { Insets($0.insets) }
        decorationZIndex = layout.decoration?.zIndex.map { Double($0) }
        insetsReference = layout.insetsReference == .automatic ? nil : layout.insetsReference.rawValue
        append(layout.group)
    }

    /// Appends a node and those below it, in preorder.
    private mutating func append(_ node: LayoutNode) {
        let index = nodes.count
        switch node {
        case .item(let item):
            nodes.append(
                Node(
                    type: 1, width: Dimension(item.width), height: Dimension(item.height), insets: Insets(item.insets),
                    badges: item.badges.isEmpty ? nil : item.badges.map(Supplementary.init),
                    edgeSpacing: EdgeSpacing(item.edgeSpacing)))
        case .group(let group):
            nodes.append(
                Node(
                    type: group.axis == .horizontal ? 2 : 3, width: Dimension(group.width),
                    height: Dimension(group.height), insets: Insets(group.insets),
                    spacing: group.spacing.minimum.unlessZero, count: group.count,
                    flexibleSpacing: group.spacing.isFlexible ? true : nil, edgeSpacing: EdgeSpacing(group.edgeSpacing))
            )
            guard !group.children.isEmpty else { return }
            var children: [Int] = []
            for child in group.children {
                children.append(nodes.count)
                append(child)
            }
            nodes[index].children = children
        }
    }
}

extension Double {
    /// `nil` for the default that a document leaves out. −0 is kept: it isn't the same bits.
    fileprivate var unlessZero: Double? { bitPattern == 0 ? nil : self }
}

extension LayoutDocument.Dimension {
    fileprivate init(_ dimension: LayoutDimension) {
        switch dimension {
        case .fractionalWidth(let value): self.init(unit: 1, value: value)
        case .fractionalHeight(let value): self.init(unit: 2, value: value)
        case .absolute(let value): self.init(unit: 3, value: value)
        case .estimated(let value): self.init(unit: 4, value: value)
        }
    }
}

extension LayoutDocument.Insets {
    /// `nil` without any.
    package init?(_ insets: LayoutInsets) {
        self.init(
            top: insets.top.unlessZero, leading: insets.leading.unlessZero, bottom: insets.bottom.unlessZero,
            trailing: insets.trailing.unlessZero)
        guard self != LayoutDocument.Insets() else { return nil }
    }
}

extension LayoutDocument.Spacing {
    fileprivate init?(_ spacing: LayoutSpacing) {
        self.init(points: spacing.minimum.unlessZero, flexible: spacing.isFlexible ? true : nil)
        guard self != LayoutDocument.Spacing() else { return nil }
    }
}

extension LayoutDocument.EdgeSpacing {
    fileprivate init?(_ edges: LayoutEdgeSpacing) {
        self.init(
            top: LayoutDocument.Spacing(edges.top), leading: LayoutDocument.Spacing(edges.leading),
            bottom: LayoutDocument.Spacing(edges.bottom), trailing: LayoutDocument.Spacing(edges.trailing))
        guard self != LayoutDocument.EdgeSpacing() else { return nil }
    }
}

extension LayoutDocument.Supplementary {
    fileprivate init(_ view: LayoutSupplementary) {
        let anchor = LayoutDocument.Anchor(
            edges: view.edges.rawValue == 0 ? nil : view.edges.rawValue, x: view.offsetX.unlessZero,
            y: view.offsetY.unlessZero, fractional: view.offsetIsFractional ? true : nil)
        self.init(
            kind: view.kind.isEmpty ? nil : view.kind, width: LayoutDocument.Dimension(view.width),
            height: LayoutDocument.Dimension(view.height), anchor: anchor == LayoutDocument.Anchor() ? nil : anchor,
            insets: LayoutDocument.Insets(view.insets), pinned: view.isPinned ? true : nil,
            zIndex: view.zIndex.map { Double($0) })
    }
}
