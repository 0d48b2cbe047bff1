internal import MarqueeModel

/// One group of a section with everything in it placed. Groups without measured items share one.
struct ResolvedGroup: Sendable {
    /// The place of one item.
    struct Slot: Sendable {
        /// Minus the item's insets; relative to the group's origin, left to right.
        var frame: LayoutRect
        var badges: [LayoutSupplementary]
    }

    let size: LayoutSize
    /// At least one, in the order of the items.
    let slots: [Slot]
    /// How many groups and items were placed to build it.
    let placements: Int

    /// How far items extend beyond the group's own bounds along an axis: an element may be larger than its group.
    func overhang(along axis: LayoutNode.Axis) -> (before: Double, behind: Double) {
        var reach = (before: 0.0, behind: 0.0)
        for slot in slots {
            reach.before = max(reach.before, -slot.frame.start(axis))
            reach.behind = max(reach.behind, slot.frame.end(axis) - size[axis])
        }
        return reach
    }
}
