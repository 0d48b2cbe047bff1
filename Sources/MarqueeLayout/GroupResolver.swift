internal import MarqueeModel

/// Places everything inside one group of a section.
///
/// It walks the tree once, handing out items in order. Three things make this more than arithmetic: a group with a list
/// repeats it until its axis is full, an estimated group takes the size of its measured content, and the space that its
/// elements leave in a group is shared among its flexible spacings.
///
/// When asked for reasons, it records each decision where it is made, so that explanations always match the layout.
struct GroupResolver {
    /// An element of a group, placed.
    private struct Placement {
        /// Before its insets.
        var size: LayoutSize
        /// The estimated size, ignoring measurements.
        var estimated: LayoutSize
        /// Relative to the element's origin.
        var slots: [ResolvedGroup.Slot]
        /// Which dimensions were measured.
        var isMeasured: Sides
    }

    /// A child of a group, placed as if no spacing grew.
    private struct Element {
        var slots: Range<Int>
        var items: Range<Int>
        /// Flexible spacings before it along the group's axis.
        var flexibleBefore: Int
        /// Across the group's axis, with its edge spacing.
        var breadth: Double
        var edgeSpacing: LayoutEdgeSpacing
    }

    /// The children of a group, placed.
    private struct Content {
        var slots: [ResolvedGroup.Slot] = []
        var elements: [Element] = []
        /// The total of children and spacings along the group's axis.
        var length = 0.0
        /// Flexible spacings along the group's axis.
        var flexible = 0
        /// The points that each of them grows by, unless the group takes the size of its content.
        var growth = 0.0
        /// The largest child across the group's axis, excluding fractions of it.
        var breadth = 0.0
        var isMeasured = Sides()
        /// Whether any child is a fraction of the group across its axis.
        var hasFractionOfBreadth = false
    }

    struct Sides {
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

    /// A group being placed.
    struct GroupShape {
        var axis: LayoutNode.Axis
        var dimensions: DimensionPair
        /// The axis along which it gets a share of its parent group.
        var share: LayoutNode.Axis?
        var ownInsets: LayoutInsets
        /// The insets as applied.
        var insets: LayoutInsets
        var spacing: LayoutSpacing
        var count: Int?
        var children: [LayoutNode]
    }

    private let measured: [Int: LayoutSize]
    private let endItem: Int
    private var nextItem: Int
    /// Elements that may still be placed.
    private var room = LayoutLimits.placements
    /// Elements that may still be placed a second time.
    private var roomAgain = LayoutLimits.placements
    private var trace: LayoutTrace?

    private init(measured: [Int: LayoutSize], items: Range<Int>, trace: LayoutTrace?) {
        self.measured = measured
        self.trace = trace
        nextItem = items.lowerBound
        endItem = items.upperBound
    }

    /// The group using estimates only, with as many items as it can hold.
    ///
    /// - Parameters:
    ///   - node: already bounded (`SectionLayout.bounded()`).
    ///   - trace: records why its item is where it is; the item is counted from the group's first.
    static func resolve(
        _ node: LayoutNode, in container: LayoutSize, trace: inout LayoutTrace?
    ) -> ResolvedGroup {
        resolve(node, in: container, measured: [:], items: 0..<LayoutLimits.items, trace: &trace)
    }

    /// The group that starts with the first of `items`, using measurements.
    ///
    /// - Parameters:
    ///   - node: already bounded (`SectionLayout.bounded()`).
    ///   - items: not empty; the group uses as many of them as it can hold.
    ///   - trace: records why its item is where it is.
    static func resolve(
        _ node: LayoutNode, in container: LayoutSize, measured: [Int: LayoutSize], items: Range<Int>,
        trace: inout LayoutTrace?
    ) -> ResolvedGroup {
        var resolver = GroupResolver(measured: measured, items: items, trace: trace)
        let dimensions = node.dimensions
        let placement = resolver.place(node, dimensions, in: container)
        trace = resolver.trace
        let size = placement?.size ?? dimensions.size(in: container)
        let slots = placement?.slots ?? []
        let whole = LayoutRect(x: 0, y: 0, width: size.width, height: size.height)
        return ResolvedGroup(
            size: size, slots: slots.isEmpty ? [ResolvedGroup.Slot(frame: whole, badges: [])] : slots,
            placements: 2 * LayoutLimits.placements - resolver.room - resolver.roomAgain)
    }

    /// - Parameter share: the axis along which the element gets a share of its group instead of its own dimension.
    /// - Returns: `nil` if there is no item or no room left.
    private mutating func place(
        _ node: LayoutNode, _ dimensions: DimensionPair, share: LayoutNode.Axis? = nil, in container: LayoutSize
    ) -> Placement? {
        guard room > 0, nextItem < endItem else { return nil }
        room -= 1
        switch node {
        case .item(let item):
            return placeItem(dimensions, share: share, item.insets, item.badges, in: container)
        case .group(let group):
            let shape = GroupShape(
                axis: group.axis, dimensions: dimensions, share: share, ownInsets: group.insets,
                insets: dimensions.applying(group.insets), spacing: group.spacing, count: group.count,
                children: group.children)
            return place(shape, in: container)
        }
    }

    private mutating func placeItem(
        _ dimensions: DimensionPair, share: LayoutNode.Axis?, _ insets: LayoutInsets, _ badges: [LayoutSupplementary],
        in container: LayoutSize
    ) -> Placement {
        let estimated = dimensions.size(in: container)
        var placement = Placement(size: estimated, estimated: estimated, slots: [], isMeasured: Sides())
        if let known = measured[nextItem] {
            for axis in [LayoutNode.Axis.horizontal, .vertical] where dimensions[axis].isEstimated {
                placement.size[axis] = LayoutLimits.extent(known[axis])
                placement.isMeasured[axis] = true
            }
        }
        let applied = dimensions.applying(insets)
        let whole = LayoutRect(x: 0, y: 0, width: placement.size.width, height: placement.size.height)
        let slot = ResolvedGroup.Slot(frame: whole.inset(by: applied), badges: badges)
        placement.slots = [slot]
        if isTraced(nextItem..<nextItem + 1) {
            trace?.noteItem(
                dimensions, share: share, in: container, estimated: estimated, size: placement.size,
                isMeasured: placement.isMeasured)
            trace?.noteInsets(insets, applied: applied, ofItemIn: slot.frame)
        }
        nextItem += 1
        return placement
    }

    // MARK: - Groups

    /// - Returns: `nil` if no item fits in it.
    private mutating func place(_ group: GroupShape, in container: LayoutSize) -> Placement? {
        let estimated = group.dimensions.size(in: container)
        let inside = estimated.inset(by: group.insets)
        trace?.noteGroup(group, in: container, size: estimated, inside: inside)
        let mark = trace?.mark
        let (firstItem, roomBefore) = (nextItem, room)
        var content = placeChildren(of: group, in: inside)
        var placement = Placement(size: estimated, estimated: estimated, slots: [], isMeasured: Sides())

        let across = group.axis.other
        if group.dimensions[across].isEstimated, content.isMeasured[across] {
            placement.size[across] = content.breadth
            placement.isMeasured[across] = true
            // Fractions of the measured dimension are placed again. Nesting doubles this, so it has its own allowance;
            // anything it places beyond the first pass counts like everything else.
            let cost = roomBefore - room
            if content.hasFractionOfBreadth, roomAgain >= cost {
                roomAgain -= cost
                let roomAfter = room
                var measuredInside = inside
                measuredInside[across] = content.breadth
                nextItem = firstItem
                trace?.noteSecondPass(of: group, breadth: content.breadth, behind: mark)
                content = placeChildren(of: group, in: measuredInside)
                room = min(roomAfter, room + cost)
            }
        }
        var breadth = inside[across]
        if placement.isMeasured[across] { breadth = content.breadth }
        if group.dimensions[group.axis].isEstimated, content.isMeasured[group.axis] {
            placement.size[group.axis] = content.length
            placement.isMeasured[group.axis] = true
            content.growth = 0
        }
        shareRest(of: group, breadth: breadth, in: &content)
        placement.slots = content.slots.map { slot in
            var slot = slot
            slot.frame = slot.frame.offsetBy(x: group.insets.leading, y: group.insets.top)
            return slot
        }
        trace?.noteMeasured(placement.size, placement.isMeasured)
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
        let share = max(0, (inside[group.axis] - Double(count - 1) * group.spacing.minimum) / Double(count))
        var dimensions = child.dimensions
        dimensions[group.axis] = .absolute(max(0, share - child.edgeSpacing.minimum(group.axis)))
        trace?.noteShares(count, of: group, in: inside, share: share)
        for index in 0..<count {
            guard
                let placement = placeChild(
                    index, child, dimensions, share: group.axis, of: group, in: inside, behind: content)
            else { break }
            append(placement, child, dimensions, to: &content, of: group)
        }
        return content
    }

    /// Repeats the list of children until the next one doesn't fit. The first is always placed, or no group would ever
    /// hold an item.
    private mutating func placeList(of group: GroupShape, in inside: LayoutSize) -> Content {
        var content = Content()
        let mark = trace?.mark
        let available = inside[group.axis] + LayoutLimits.fitTolerance
        // If the axis itself is estimated, estimates decide how many fit: measuring one item must not send another to
        // the next group.
        let goesByEstimates = group.dimensions[group.axis].isEstimated
        var length = 0.0
        while true {
            let lengthBefore = length
            for child in group.children {
                let (item, dimensions) = (nextItem, child.dimensions)
                let traced = trace?.mark
                guard
                    let placement = placeChild(
                        content.elements.count, child, dimensions, of: group, in: inside, behind: content)
                else {
                    trace?.noteList(group, content.elements.count, length, of: inside, next: nil, at: mark)
                    content.growth = growth(of: content, from: length, of: group, in: inside)
                    return content
                }
                let size = (goesByEstimates ? placement.estimated : placement.size)[group.axis]
                let extent = size + child.edgeSpacing.minimum(group.axis)
                let end = content.slots.isEmpty ? extent : length + group.spacing.minimum + extent
                guard content.slots.isEmpty || end <= available else {
                    nextItem = item
                    trace?.drop(behind: traced)
                    trace?.noteList(group, content.elements.count, length, of: inside, next: end, at: mark)
                    content.growth = growth(over: content.flexible, from: length, of: group, in: inside)
                    return content
                }
                length = end
                append(placement, child, dimensions, to: &content, of: group)
            }
            // A list that takes no space would repeat for ever.
            guard length > lengthBefore else {
                trace?.noteEmptyList(group, at: mark)
                return content
            }
        }
    }

    /// Places a child and records where it starts. Of the steps recorded along the way, only those for the requested
    /// item are kept.
    private mutating func placeChild(
        _ index: Int, _ node: LayoutNode, _ dimensions: DimensionPair, share: LayoutNode.Axis? = nil,
        of group: GroupShape, in inside: LayoutSize, behind content: Content
    ) -> Placement? {
        guard let mark = trace?.mark else { return place(node, dimensions, share: share, in: inside) }
        let item = nextItem
        trace?.enter(index)
        defer { trace?.leave() }
        let placement = place(node, dimensions, share: share, in: inside)
        guard isTraced(item..<nextItem) else {
            trace?.drop(behind: mark)
            return placement
        }
        var isGroup = false
        if case .group = node { isGroup = true }
        let start = start(behind: content, group)
        trace?.noteStart(
            isGroup: isGroup, in: group, behind: content.elements.count, length: content.length, start: start,
            edgeSpacing: node.edgeSpacing)
        return placement
    }

    private func isTraced(_ items: Range<Int>) -> Bool { trace.map { items.contains($0.item) } ?? false }

    /// Where the next child starts along the group's axis.
    private func start(behind content: Content, _ group: GroupShape) -> Double {
        content.slots.isEmpty ? 0 : content.length + group.spacing.minimum
    }

    private func append(
        _ placement: Placement, _ node: LayoutNode, _ dimensions: DimensionPair, to content: inout Content,
        of group: GroupShape
    ) {
        let (along, across, edges) = (group.axis, group.axis.other, node.edgeSpacing)
        let start = start(behind: content, group)
        let first = content.slots.count
        for slot in placement.slots {
            var slot = slot
            slot.frame = slot.frame.moved(start + edges.start(along).minimum, edges.start(across).minimum, along)
            content.slots.append(slot)
        }
        content.flexible += !content.elements.isEmpty && group.spacing.isFlexible ? 1 : 0
        content.flexible += edges.start(along).isFlexible ? 1 : 0
        content.elements.append(
            Element(
                slots: first..<content.slots.count, items: nextItem - placement.slots.count..<nextItem,
                flexibleBefore: content.flexible, breadth: placement.size[across] + edges.minimum(across),
                edgeSpacing: edges))
        content.flexible += edges.end(along).isFlexible ? 1 : 0
        content.length = start + placement.size[along] + edges.minimum(along)
        content.isMeasured[along] = content.isMeasured[along] || placement.isMeasured[along]
        if dimensions[across].isFraction(of: across) {
            content.hasFractionOfBreadth = true
        } else {
            content.breadth = max(content.breadth, placement.size[across] + edges.minimum(across))
            content.isMeasured[across] = content.isMeasured[across] || placement.isMeasured[across]
        }
    }

    // MARK: - Flexible spacing

    /// The points that each of `count` flexible spacings of a list grows by.
    ///
    /// - Parameter length: of the list without growth.
    private func growth(over count: Int, from length: Double, of group: GroupShape, in inside: LayoutSize) -> Double {
        count > 0 ? max(0, inside[group.axis] - length) / Double(count) : 0
    }

    /// The same for a list that ended because there are no more items: its spacings are those of a full group, so that
    /// the items of a section's last line are below those of the others.
    private mutating func growth(
        of content: Content, from length: Double, of group: GroupShape, in inside: LayoutSize
    ) -> Double {
        var (count, length, elements) = (content.flexible, length, content.elements.count)
        guard !group.children.isEmpty, elements > 0, isFlexible(group) else { return 0 }
        while room > 0 {
            room -= 1
            let child = group.children[elements % group.children.count]
            let edges = child.edgeSpacing
            let extent = child.dimensions.size(in: inside)[group.axis] + edges.minimum(group.axis)
            let end = length + group.spacing.minimum + extent
            guard end > length, end <= inside[group.axis] + LayoutLimits.fitTolerance else { break }
            length = end
            elements += 1
            count += group.spacing.isFlexible ? 1 : 0
            count += edges.start(group.axis).isFlexible ? 1 : 0
            count += edges.end(group.axis).isFlexible ? 1 : 0
        }
        return growth(over: count, from: length, of: group, in: inside)
    }

    private func isFlexible(_ group: GroupShape) -> Bool {
        group.spacing.isFlexible
            || group.children.contains {
                $0.edgeSpacing.start(group.axis).isFlexible || $0.edgeSpacing.end(group.axis).isFlexible
            }
    }

    /// Moves each element by the growth of the flexible spacings before it.
    ///
    /// - Parameter breadth: of the group's inside, across its axis.
    private mutating func shareRest(of group: GroupShape, breadth: Double, in content: inout Content) {
        for (index, element) in content.elements.enumerated() {
            let along = Double(element.flexibleBefore) * content.growth
            let across = shift(across: group.axis.other, element, in: breadth)
            guard along != 0 || across != 0 else { continue }
            for slot in element.slots {
                content.slots[slot].frame = content.slots[slot].frame.moved(along, across, group.axis)
            }
            guard isTraced(element.items) else { continue }
            trace?.noteGrowth(index, of: group, along: along, across: across)
        }
    }

    /// How far flexible edge spacing moves an element across its group.
    private func shift(across axis: LayoutNode.Axis, _ element: Element, in breadth: Double) -> Double {
        guard element.edgeSpacing.start(axis).isFlexible else { return 0 }
        let rest = max(0, breadth - element.breadth)
        return element.edgeSpacing.end(axis).isFlexible ? rest / 2 : rest
    }
}

extension LayoutRect {
    /// The rectangle moved by one distance along an axis and another across it.
    fileprivate func moved(_ along: Double, _ across: Double, _ axis: LayoutNode.Axis) -> LayoutRect {
        axis == .horizontal ? offsetBy(x: along, y: across) : offsetBy(x: across, y: along)
    }
}
