import MarqueeLayout
import MarqueeModel

extension SectionLayout {
    /// The layout of a section on a terminal, whether or not it came with one.
    static func shown(_ section: PageSection, on scale: GridScale) -> SectionLayout {
        let (head, measures) = (section.head, scale.measures)
        var layout =
            head.layout?.fitted(to: scale, kind: head.kind).inWholeRows(of: scale)
            ?? SectionDesign(of: head.kind, hasOnlyWords: section.hasOnlyWords).layout(for: head, in: measures)
        // An error is shown in the header.
        if head.error != nil, !layout.supplementaries.contains(where: \.isHeader) {
            layout.supplementaries.insert(measures.supplementary("header", .top), at: 0)
        }
        return layout
    }

    /// This layout on a terminal: on a wide one, more items side by side, and a large first item that leaves room for
    /// the rows after it.
    ///
    /// A layout is made for a phone and gives most widths as fractions of it. On a screen that is `scale.phones` phones
    /// wide, an item keeps the fraction of one phone it was designed for, so a row of posters shows more posters rather
    /// than larger ones.
    func fitted(to scale: GridScale, kind: SectionKind) -> SectionLayout {
        var layout = self
        layout.group = group.divided(by: scale.phones, isRow: scrolling != .none)
        if kind == .main || kind == .hero { layout.group = layout.group.lower(than: scale.heroHeight, of: scale) }
        return layout
    }

    /// This layout with groups below each other that take whole rows, so that all items of a list have equally many:
    /// otherwise some would show on one line what others show on two.
    func inWholeRows(of scale: GridScale) -> SectionLayout {
        guard scrolling == .none, case .group(var group) = group, case .absolute(let points) = group.height else {
            return self
        }
        var layout = self
        func rows(_ points: Double, atLeast least: Double) -> Double {
            max(least, (points / scale.pointsPerRow).rounded()) * scale.pointsPerRow
        }
        group.height = .absolute(rows(points, atLeast: 1))
        layout.group = .group(group)
        layout.spacing = rows(spacing, atLeast: 0)
        return layout
    }
}

extension GridScale {
    /// The sizes of sections without a layout: whole rows.
    var measures: SectionDesign.Measures {
        func rows(_ count: Double) -> Double { count * pointsPerRow }
        return SectionDesign.Measures(
            line: rows(1), tile: rows(2), cell: rows(6), picture: rows((heroHeight / pointsPerRow).rounded()),
            text: rows(8), band: rows(1), margin: 5, padding: 5, gap: 0, end: rows(1), phones: phones)
    }
}

extension LayoutSupplementary {
    /// Kinds are arbitrary, so the position counts too.
    var isHeader: Bool { kind == "header" || edges.contains(.top) && kind != "footer" }
    var isFooter: Bool { !isHeader && (kind == "footer" || edges.contains(.bottom)) }
}

extension LayoutNode {
    /// - Parameter isRow: whether the section scrolls sideways, so that the group itself may be narrower.
    fileprivate func divided(by phones: Double, isRow: Bool) -> LayoutNode {
        guard phones > 1, case .group(var group) = self else { return self }
        if isRow {
            // A page as wide as the screen stays that way: it is meant to be seen alone.
            guard case .fractionalWidth(let share) = group.width, share < 1 else { return self }
            group.width = .fractionalWidth(share / phones)
            group.height = group.height.divided(by: phones)
            return .group(group)
        }
        // A list has one item to a line, however wide.
        guard group.axis == .horizontal, group.count ?? 0 > 1 || group.children.contains(where: \.isNarrow) else {
            return self
        }
        group.height = group.height.divided(by: phones)
        group.count = group.count.map { max($0, Int((Double($0) * phones).rounded())) }
        group.children = group.children.map { $0.narrowed(by: phones) }
        return .group(group)
    }

    /// Whether it leaves room for a neighbour.
    private var isNarrow: Bool {
        let width =
            switch self {
            case .item(let item): item.width
            case .group(let group): group.width
            }
        if case .fractionalWidth(let share) = width { return share <= 0.5 }
        return false
    }

    private func narrowed(by phones: Double) -> LayoutNode {
        switch self {
        case .item(var item):
            item.width = item.width.divided(by: phones)
            item.height = item.height.divided(by: phones)
            return .item(item)
        case .group(var group):
            group.width = group.width.divided(by: phones)
            return .group(group)
        }
    }

    /// The group, at most `limit` points high.
    fileprivate func lower(than limit: Double, of scale: GridScale) -> LayoutNode {
        guard case .group(var group) = self else { return self }
        let points: Double =
            switch group.height {
            case .absolute(let points), .estimated(let points): points
            case .fractionalHeight(let share): share * scale.container.height
            case .fractionalWidth(let share): share * scale.container.width
            }
        guard points > limit else { return self }
        group.height = .absolute(limit)
        return .group(group)
    }
}

extension LayoutDimension {
    /// Fractions of a width become smaller; points and heights stay.
    fileprivate func divided(by phones: Double) -> LayoutDimension {
        guard case .fractionalWidth(let share) = self else { return self }
        return .fractionalWidth(share / phones)
    }
}
