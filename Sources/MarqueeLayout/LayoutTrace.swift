internal import MarqueeModel

/// Records decisions as they are made. If no one asked for reasons, there is no trace and nothing is recorded.
struct LayoutTrace {
    /// The item to explain, as counted by the resolver. Steps that concern only other items are left out.
    let item: Int
    /// The same item, as counted by the section.
    let number: Int
    private(set) var steps: [LayoutStep] = []
    /// Child indices, from the section's group down to the element being placed.
    private var path: [Int] = []

    init(item: Int, number: Int) {
        self.item = item
        self.number = number
    }

    /// The index of the next step: later steps can be dropped from here, or others inserted here.
    var mark: Int { steps.count }

    mutating func note(
        _ element: LayoutStep.Element, _ words: String, assumption: LayoutAssumption? = nil, at mark: Int? = nil
    ) {
        steps.insert(LayoutStep(element, words, assumption: assumption), at: mark ?? steps.count)
    }

    mutating func drop(behind mark: Int?) {
        if let mark { steps.removeSubrange(mark...) }
    }

    mutating func append(_ more: [LayoutStep]) { steps += more }

    mutating func enter(_ child: Int) { path.append(child) }
    mutating func leave() { path.removeLast() }

    // MARK: - Decisions of the resolver

    private var group: LayoutStep.Element { .group(path: path) }

    mutating func noteItem(
        _ dimensions: DimensionPair, share: LayoutNode.Axis?, in container: LayoutSize, estimated: LayoutSize,
        size: LayoutSize, isMeasured: GroupResolver.Sides
    ) {
        for axis in [LayoutNode.Axis.horizontal, .vertical] {
            let words = side(axis, of: dimensions, share: share, in: container, is: estimated[axis])
            guard isMeasured[axis] else {
                note(.item(number), words)
                continue
            }
            note(.item(number), "\(words), measured \(LayoutWords.number(size[axis]))", assumption: .measuredItem)
        }
    }

    mutating func noteInsets(_ insets: LayoutInsets, applied: LayoutInsets, ofItemIn frame: LayoutRect) {
        noteIgnored(insets, applied, of: .item(number))
        guard applied != .zero else { return }
        note(
            .item(number),
            "insets \(LayoutWords.insets(applied)): from its place to \(LayoutWords.number(frame.x)), \(LayoutWords.number(frame.y)) in it, \(LayoutWords.size(LayoutSize(width: frame.width, height: frame.height)))"
        )
    }

    private mutating func noteIgnored(
        _ insets: LayoutInsets, _ applied: LayoutInsets, of element: LayoutStep.Element
    ) {
        guard insets != applied else { return }
        note(element, "insets \(LayoutWords.insets(insets)): ignored along an estimated dimension")
    }

    private func side(
        _ axis: LayoutNode.Axis, of dimensions: DimensionPair, share: LayoutNode.Axis?, in container: LayoutSize,
        is points: Double
    ) -> String {
        axis == share
            ? "\(LayoutWords.side(axis)): its share, \(LayoutWords.number(points))"
            : LayoutWords.dimension(dimensions[axis], axis, of: container, is: points)
    }

    mutating func noteGroup(
        _ shape: GroupResolver.GroupShape, in container: LayoutSize, size: LayoutSize, inside: LayoutSize
    ) {
        for axis in [LayoutNode.Axis.horizontal, .vertical] {
            let isOfScreen = path.isEmpty && shape.dimensions[axis].isFraction(of: .vertical)
            note(
                group, side(axis, of: shape.dimensions, share: shape.share, in: container, is: size[axis]),
                assumption: isOfScreen ? .heightBeforeInsets : nil)
        }
        noteIgnored(shape.ownInsets, shape.insets, of: group)
        guard shape.insets != .zero else { return }
        note(
            group,
            "insets \(LayoutWords.insets(shape.insets)): inside it is \(LayoutWords.less(size.width, shape.insets.leading, shape.insets.trailing, is: inside.width)) wide and \(LayoutWords.less(size.height, shape.insets.top, shape.insets.bottom, is: inside.height)) high"
        )
    }

    mutating func noteShares(
        _ count: Int, of shape: GroupResolver.GroupShape, in inside: LayoutSize, share: Double
    ) {
        let (axis, whole) = (shape.axis, LayoutWords.number(inside[shape.axis]))
        let spacing = shape.spacing.minimum
        let available =
            spacing > 0 && count > 1 ? "(\(whole) − \(count - 1) × \(LayoutWords.number(spacing)))" : whole
        let what = LayoutWords.count(count, "equal element")
        note(
            group,
            "\(what) share the \(LayoutWords.side(axis)): \(available) / \(count) = \(LayoutWords.number(share))")
    }

    /// - Parameters:
    ///   - count: how many elements fit, `length` long in total.
    ///   - next: where one more would have ended; `nil` if there was none.
    mutating func noteList(
        _ shape: GroupResolver.GroupShape, _ count: Int, _ length: Double, of inside: LayoutSize, next: Double?,
        at mark: Int?
    ) {
        let axis = shape.axis
        let available = inside[axis]
        var words =
            "elements repeat along the \(LayoutWords.side(axis)) while they fit \(LayoutWords.number(available)): "
        words += "\(count) fit\(count == 1 ? "s" : ""), \(LayoutWords.number(length)) long"
        if shape.spacing != .zero, count > 1 { words += " with spacings of \(LayoutWords.spacing(shape.spacing))" }
        if let next { words += "; one more would end at \(LayoutWords.number(next))" }
        var assumptions: [LayoutAssumption] = []
        if length > available { assumptions.append(count == 1 ? .firstAlwaysStands : .nearlyFits) }
        if shape.dimensions[axis].isEstimated { assumptions.append(.estimatesDecideFit) }
        if next != nil, count % max(shape.children.count, 1) != 0 { assumptions.append(.listMayStopInItsMiddle) }
        note(group, words, assumption: assumptions.first, at: mark)
        for (index, assumption) in assumptions.dropFirst().enumerated() {
            note(group, assumption.sentence, assumption: assumption, at: mark.map { $0 + index + 1 })
        }
    }

    mutating func noteEmptyList(_ shape: GroupResolver.GroupShape, at mark: Int?) {
        note(
            group, "its elements take no space along the \(LayoutWords.side(shape.axis))", assumption: .emptyListOnce,
            at: mark)
    }

    mutating func noteSecondPass(of shape: GroupResolver.GroupShape, breadth: Double, behind mark: Int?) {
        drop(behind: mark)
        note(
            group,
            "its elements are placed again in the measured \(LayoutWords.side(shape.axis.other)) of \(LayoutWords.number(breadth))",
            assumption: .fractionFollows)
    }

    mutating func noteMeasured(_ size: LayoutSize, _ isMeasured: GroupResolver.Sides) {
        for axis in [LayoutNode.Axis.horizontal, .vertical] where isMeasured[axis] {
            note(
                group, "\(LayoutWords.side(axis)): \(LayoutWords.number(size[axis])), that of its measured content",
                assumption: .measuredGroup)
        }
    }

    /// Where the entered child starts in its group.
    mutating func noteStart(
        isGroup: Bool, in shape: GroupResolver.GroupShape, behind count: Int, length: Double, start: Double,
        edgeSpacing: LayoutEdgeSpacing
    ) {
        let element = isGroup ? group : .item(number)
        let insets = (x: shape.insets.leading, y: shape.insets.top)
        let behind: [(name: String, points: Double)] = [
            (count == 1 ? "the one before it" : "the \(count) before it", length),
            ("spacing", count > 0 ? shape.spacing.minimum : 0),
        ]
        func place(_ inset: Double, _ axis: LayoutNode.Axis) -> String {
            let isAlong = axis == shape.axis
            let edge = edgeSpacing.start(axis).minimum
            var parts: [(name: String, points: Double)] = [("the group's inset", inset)]
            if isAlong { parts += behind }
            parts.append(("its edge spacing", edge))
            return LayoutWords.sum(parts, is: inset + (isAlong ? start : 0) + edge)
        }
        note(element, "in its group: x = \(place(insets.x, .horizontal)); y = \(place(insets.y, .vertical))")
    }

    /// The points that flexible spacing adds to the place of a child.
    mutating func noteGrowth(_ child: Int, of shape: GroupResolver.GroupShape, along: Double, across: Double) {
        let (x, y) = shape.axis == .horizontal ? (along, across) : (across, along)
        note(
            group,
            "what is left of it is shared by its flexible spacings: its element \(child) is moved by x \(LayoutWords.number(x)), y \(LayoutWords.number(y))",
            assumption: .lastGroupIsSpacedAsFull)
    }
}
