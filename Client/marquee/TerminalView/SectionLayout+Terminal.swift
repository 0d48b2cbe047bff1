import MarqueeLayout
import MarqueeModel

extension SectionLayout {
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
}

extension LayoutNode {
    /// - Parameter isRow: whether the section scrolls sideways, so that the group itself may be narrower.
    fileprivate func divided(by phones: Double, isRow: Bool) -> LayoutNode {
        guard phones > 1,
            case .group(let axis, let width, let height, let insets, let spacing, let count, let children) = self
        else { return self }
        if isRow {
            // A page as wide as the screen stays that way: it is meant to be seen alone.
            guard case .fractionalWidth(let share) = width, share < 1 else { return self }
            return .group(
                axis: axis, width: .fractionalWidth(share / phones), height: height.divided(by: phones), insets: insets,
                spacing: spacing, count: count, children: children)
        }
        // A list has one item to a line, however wide.
        guard axis == .horizontal, count ?? 0 > 1 || children.contains(where: \.isNarrow) else { return self }
        return .group(
            axis: axis, width: width, height: height.divided(by: phones), insets: insets, spacing: spacing,
            count: count.map { max($0, Int((Double($0) * phones).rounded())) },
            children: children.map { $0.narrowed(by: phones) })
    }

    /// Whether it leaves room for a neighbour.
    private var isNarrow: Bool {
        switch self {
        case .item(.fractionalWidth(let share), _, _, _), .group(_, .fractionalWidth(let share), _, _, _, _, _):
            share <= 0.5
        default: false
        }
    }

    private func narrowed(by phones: Double) -> LayoutNode {
        switch self {
        case .item(let width, let height, let insets, let badges):
            .item(
                width: width.divided(by: phones), height: height.divided(by: phones), insets: insets, badges: badges)
        case .group(let axis, let width, let height, let insets, let spacing, let count, let children):
            .group(
                axis: axis, width: width.divided(by: phones), height: height, insets: insets, spacing: spacing,
                count: count, children: children)
        }
    }

    /// The group, at most `limit` points high.
    fileprivate func lower(than limit: Double, of scale: GridScale) -> LayoutNode {
        guard case .group(let axis, let width, let height, let insets, let spacing, let count, let children) = self
        else { return self }
        let points: Double =
            switch height {
            case .absolute(let points), .estimated(let points): points
            case .fractionalHeight(let share): share * scale.container.height
            case .fractionalWidth(let share): share * scale.container.width
            }
        guard points > limit else { return self }
        return .group(
            axis: axis, width: width, height: .absolute(limit), insets: insets, spacing: spacing, count: count,
            children: children)
    }
}

extension LayoutDimension {
    /// Fractions of a width become smaller; points and heights stay.
    fileprivate func divided(by phones: Double) -> LayoutDimension {
        guard case .fractionalWidth(let share) = self else { return self }
        return .fractionalWidth(share / phones)
    }
}
