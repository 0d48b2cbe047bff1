internal import MarqueeModel

/// Places everything inside one group of a section.
///
/// It walks the tree once, handing out items in order. Two things make that more than arithmetic: a group from a list repeats it until its axis
/// is full, and an estimated group takes the size of its measured content.
struct GroupResolver {
    /// An element of a group, placed.
    private struct Placement {
        /// Before its insets.
        var size: LayoutSize
        /// The size by its estimates, whatever was measured.
        var estimated: LayoutSize
        /// From the element's origin.
        var slots: [ResolvedGroup.Slot]
        /// Whether a side is one that was measured.
        var isMeasured: Sides
    }

    /// The children of a group, placed.
    private struct Content {
        var slots: [ResolvedGroup.Slot] = []
        /// The sum of the children and the spacings along the group's axis.
        var length = 0.0
        /// The largest child across the group's axis, of those that are no fraction of it.
        var breadth = 0.0
        var isMeasured = Sides()
        /// Whether a child is a fraction of the group's side across its axis.
        var hasFractionOfBreadth = false
    }

    private struct Sides {
        var width = false
        var height = false

        subscript(axis: LayoutNode.Axis) -> Bool {
            get { axis == .horizontal ? width : height }
            set {
                switch axis {
                case .horizontal: width = newValue
                case .vertical: height = newValue
                }
            }
        }
    }

    private let measured: [Int: LayoutSize]
    private let endItem: Int
    private var nextItem: Int
    /// Elements that may still be placed.
    private var room = LayoutLimits.placements
    /// Elements that may still be placed a second time.
    private var roomAgain = LayoutLimits.placements

    private init(measured: [Int: LayoutSize], items: Range<Int>) {
        self.measured = measured
        nextItem = items.lowerBound
        endItem = items.upperBound
    }

    /// The group by its estimates, with room for as many items as it can hold.
    ///
    /// - Parameter node: within its bounds (`SectionLayout.bounded()`).
    static func resolve(_ node: LayoutNode, in container: LayoutSize) -> ResolvedGroup {
        resolve(node, in: container, measured: [:], items: 0..<LayoutLimits.items)
    }

    /// The group that begins with the first of `items`, as measured.
    ///
    /// - Parameters:
    ///   - node: within its bounds (`SectionLayout.bounded()`).
    ///   - items: not empty; the group takes as many of them as it can hold.
    static func resolve(
        _ node: LayoutNode, in container: LayoutSize, measured: [Int: LayoutSize], items: Range<Int>
    ) -> ResolvedGroup {
        var resolver = GroupResolver(measured: measured, items: items)
        let dimensions = node.dimensions
        let placement = resolver.place(node, dimensions, in: container)
        let size = placement?.size ?? dimensions.size(in: container)
        let slots = placement?.slots ?? []
        let whole = LayoutRect(x: 0, y: 0, width: size.width, height: size.height)
        return ResolvedGroup(
            size: size, slots: slots.isEmpty ? [ResolvedGroup.Slot(frame: whole, badges: [])] : slots,
            placements: 2 * LayoutLimits.placements - resolver.room - resolver.roomAgain)
    }

    /// - Returns: `nil` where there is no item or no room left.
    private mutating func place(
        _ node: LayoutNode, _ dimensions: DimensionPair, in container: LayoutSize
    ) -> Placement? {
        guard room > 0, nextItem < endItem else { return nil }
        room -= 1
        switch node {
        case .item(_, _, let insets, let badges):
            return placeItem(dimensions, insets, badges, in: container)
        case .group(let axis, _, _, let insets, let spacing, let count, let children):
            let group = GroupShape(
                axis: axis, dimensions: dimensions, insets: dimensions.applying(insets), spacing: spacing, count: count,
                children: children)
            return place(group, in: container)
        }
    }

    private mutating func placeItem(
        _ dimensions: DimensionPair, _ insets: LayoutInsets, _ badges: [LayoutSupplementary], in container: LayoutSize
    ) -> Placement {
        let estimated = dimensions.size(in: container)
        var placement = Placement(size: estimated, estimated: estimated, slots: [], isMeasured: Sides())
        if let known = measured[nextItem] {
            for axis in [LayoutNode.Axis.horizontal, .vertical] where dimensions[axis].isEstimated {
                placement.size[axis] = LayoutLimits.extent(known[axis])
                placement.isMeasured[axis] = true
            }
        }
        nextItem += 1
        let whole = LayoutRect(x: 0, y: 0, width: placement.size.width, height: placement.size.height)
        placement.slots = [ResolvedGroup.Slot(frame: whole.inset(by: dimensions.applying(insets)), badges: badges)]
        return placement
    }

    // MARK: - Groups

    private struct GroupShape {
        var axis: LayoutNode.Axis
        var dimensions: DimensionPair
        /// As they apply.
        var insets: LayoutInsets
        var spacing: Double
        var count: Int?
        var children: [LayoutNode]
    }

    /// - Returns: `nil` where no item found room in it.
    private mutating func place(_ group: GroupShape, in container: LayoutSize) -> Placement? {
        let estimated = group.dimensions.size(in: container)
        let inside = estimated.inset(by: group.insets)
        let (firstItem, roomBefore) = (nextItem, room)
        var content = placeChildren(of: group, in: inside)
        var placement = Placement(size: estimated, estimated: estimated, slots: [], isMeasured: Sides())

        let across = group.axis.other
        if group.dimensions[across].isEstimated, content.isMeasured[across] {
            placement.size[across] = content.breadth
            placement.isMeasured[across] = true
            // What is a fraction of the measured side is placed again. Nested, this doubles, so it has an allowance of its own; what
            // it places beyond the first time is paid like anything else.
            let cost = roomBefore - room
            if content.hasFractionOfBreadth, roomAgain >= cost {
                roomAgain -= cost
                let roomAfter = room
                var measuredInside = inside
                measuredInside[across] = content.breadth
                nextItem = firstItem
                content = placeChildren(of: group, in: measuredInside)
                room = min(roomAfter, room + cost)
            }
        }
        if group.dimensions[group.axis].isEstimated, content.isMeasured[group.axis] {
            placement.size[group.axis] = content.length
            placement.isMeasured[group.axis] = true
        }
        placement.slots = content.slots.map { slot in
            var slot = slot
            slot.frame = slot.frame.offsetBy(x: group.insets.leading, y: group.insets.top)
            return slot
        }
        return placement.slots.isEmpty ? nil : placement
    }

    private mutating func placeChildren(of group: GroupShape, in inside: LayoutSize) -> Content {
        if let count = group.count {
            placeShares(count, of: group, in: inside)
        } else {
            placeList(of: group, in: inside)
        }
    }

    /// `count` copies of the one child, each with the same share of the axis.
    private mutating func placeShares(_ count: Int, of group: GroupShape, in inside: LayoutSize) -> Content {
        var content = Content()
        guard let child = group.children.first else { return content }
        let share = max(0, (inside[group.axis] - Double(count - 1) * group.spacing) / Double(count))
        var dimensions = child.dimensions
        let mayGrow = group.dimensions[group.axis].isEstimated && dimensions[group.axis].isEstimated
        dimensions[group.axis] = mayGrow ? .estimated(share) : .absolute(share)
        for _ in 0..<count {
            guard let placement = place(child, dimensions, in: inside) else { break }
            append(placement, dimensions, to: &content, of: group)
        }
        return content
    }

    /// The list of children again and again, until the next one doesn't fit. The first always stands, or no group would ever take an item.
    private mutating func placeList(of group: GroupShape, in inside: LayoutSize) -> Content {
        var content = Content()
        let available = inside[group.axis] + LayoutLimits.fitTolerance
        // Where the axis itself is an estimate, estimates decide how many fit: measuring one item must not send another to the next group.
        let goesByEstimates = group.dimensions[group.axis].isEstimated
        var length = 0.0
        while true {
            let lengthBefore = length
            for child in group.children {
                let (item, dimensions) = (nextItem, child.dimensions)
                guard let placement = place(child, dimensions, in: inside) else { return content }
                let extent = (goesByEstimates ? placement.estimated : placement.size)[group.axis]
                let end = content.slots.isEmpty ? extent : length + group.spacing + extent
                guard content.slots.isEmpty || end <= available else {
                    nextItem = item
                    return content
                }
                length = end
                append(placement, dimensions, to: &content, of: group)
            }
            // A list that takes no room would repeat for ever.
            guard length > lengthBefore else { return content }
        }
    }

    private func append(
        _ placement: Placement, _ dimensions: DimensionPair, to content: inout Content, of group: GroupShape
    ) {
        let (along, across) = (group.axis, group.axis.other)
        let start = content.slots.isEmpty ? 0 : content.length + group.spacing
        for slot in placement.slots {
            var slot = slot
            slot.frame = slot.frame.offsetBy(
                x: along == .horizontal ? start : 0, y: along == .vertical ? start : 0)
            content.slots.append(slot)
        }
        content.length = start + placement.size[along]
        content.isMeasured[along] = content.isMeasured[along] || placement.isMeasured[along]
        if dimensions[across].isFraction(of: across) {
            content.hasFractionOfBreadth = true
        } else {
            content.breadth = max(content.breadth, placement.size[across])
            content.isMeasured[across] = content.isMeasured[across] || placement.isMeasured[across]
        }
    }
}
