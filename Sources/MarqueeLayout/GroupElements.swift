package import MarqueeModel

/// The elements of a group, in the two forms from which UIKit and AppKit can build a group.
///
/// A group with a count divides its axis. The initializer that did this, `horizontal(layoutSize:subitem:count:)`, is
/// deprecated; its replacement, `horizontal(layoutSize:repeatingSubitem:count:)`, keeps the subitem's size and leaves
/// making the copies fit to the caller. So the shares are written out here as computed sizes; the frames match those of
/// `SectionFrames`.
package enum GroupElements: Hashable, Sendable {
    /// `horizontal(layoutSize:subitems:)`: the list repeats, `spacing` points apart, until the next element doesn't
    /// fit.
    case list([LayoutNode], spacing: LayoutSpacing)
    /// `horizontal(layoutSize:repeatingSubitem:count:)`: copies of one element, each with its own size, side by side.
    case copies(LayoutNode, count: Int)
}

extension LayoutNode {
    /// The elements of a group; `nil` for an item.
    ///
    /// Without spacing, each of `n` equal shares is 1/n of the group; according to UIKit's header, the deprecated
    /// initializer sized its subitem the same way. With spacing, a share is `(length − (n − 1) × spacing) / n`,
    /// which no dimension can express. So each element gets 1/n of the group, and its own insets move and shrink it
    /// to its share.
    ///
    /// This is exact unless the spacing alone fills the group. Edge spacing along the axis is part of a share, so it
    /// becomes insets too.
    package var elements: GroupElements? {
        guard case .group(let group) = self else { return nil }
        guard let count = group.count, let child = group.children.first else {
            return .list(group.children, spacing: group.spacing)
        }
        let copies = min(max(count, 1), LayoutLimits.count)
        let part = LayoutDimension.fraction(1 / Double(copies), of: group.axis)
        let gap = LayoutLimits.extent(group.spacing.minimum) / Double(copies)
        let share = child.sized(part, along: group.axis).insetByEdgeSpacing(along: group.axis)
        guard gap > 0, copies > 1 else { return .copies(share, count: copies) }
        return .list(
            (0..<copies).map { share.inset(Double($0) * gap, Double(copies - 1 - $0) * gap, along: group.axis) },
            spacing: 0)
    }

    private func sized(_ dimension: LayoutDimension, along axis: Axis) -> LayoutNode {
        var node = self
        node.dimensions[axis] = dimension
        return node
    }

    private func insetByEdgeSpacing(along axis: Axis) -> LayoutNode {
        var node = self
        let (start, end) = (edgeSpacing.start(axis), edgeSpacing.end(axis))
        node.edgeSpacing.clear(axis)
        node.insets = insets.adding(
            LayoutLimits.extent(start.minimum), LayoutLimits.extent(end.minimum), along: axis)
        return node
    }

    private func inset(_ start: Double, _ end: Double, along axis: Axis) -> LayoutNode {
        var node = self
        node.insets = node.insets.adding(start, end, along: axis)
        return node
    }
}

extension LayoutDimension {
    fileprivate static func fraction(_ fraction: Double, of axis: LayoutNode.Axis) -> LayoutDimension {
        axis == .horizontal ? .fractionalWidth(fraction) : .fractionalHeight(fraction)
    }
}

extension LayoutInsets {
    fileprivate func adding(_ start: Double, _ end: Double, along axis: LayoutNode.Axis) -> LayoutInsets {
        axis == .horizontal
            ? LayoutInsets(top: top, leading: leading + start, bottom: bottom, trailing: trailing + end)
            : LayoutInsets(top: top + start, leading: leading, bottom: bottom + end, trailing: trailing)
    }
}
