public import MarqueeModel

/// The frame of a header, footer, side view or badge.
public struct SupplementaryFrame: Hashable, Sendable {
    /// Its kind in the layout, such as `header`.
    public var kind: String
    /// In points from the section's top left.
    public var frame: LayoutRect
    /// Its place from back to front; see `LayoutDepth`.
    public var depth: Int

    /// A frame of a supplementary.
    public init(kind: String, frame: LayoutRect, depth: Int = LayoutDepth.item + 1) {
        self.kind = kind
        self.frame = frame
        self.depth = depth
    }
}

/// One section, laid out: the frames of its items, supplementaries, badges and background for one container.
///
/// ```swift
/// let frames = SectionFrames(layout: layout, container: LayoutSize(width: 390, height: 844), itemCount: 20)
/// for index in frames.items(in: LayoutRect(x: offset, y: 0, width: 390, height: frames.contentSize.height)) {
///     draw(index, at: frames.frame(ofItem: index))
/// }
/// ```
///
/// All frames are in points from the section's top left. In a section that scrolls sideways the items' frames are those
/// of its whole content: an item appears at its frame minus the offset. Supplementaries and the background don't
/// scroll, so theirs are relative to the section.
///
/// It is a value and computes frames on demand. Every layout gives frames, within `LayoutLimits`. Creating one costs
/// the same for any number of items, unless some are estimated and measured.
public struct SectionFrames: Sendable {
    /// Number of items laid out: the section's, up to `LayoutLimits.items`.
    public let itemCount: Int
    /// The screen, in points.
    public let container: LayoutSize
    /// Whether all frames are mirrored.
    public let isRightToLeft: Bool
    /// How the section scrolls sideways, if at all.
    package let scrolling: LayoutScrolling
    /// The section with everything in it. The height is what it occupies on screen. The width is the container's or, in
    /// a section that scrolls sideways, that of its items and insets, which may be more or less.
    public let contentSize: LayoutSize
    /// In layout order, each at its own place; see `supplementaryFrames(showing:)` for pinned ones.
    public let supplementaryFrames: [SupplementaryFrame]
    /// The background; `nil` if the layout has none.
    public let decorationFrame: LayoutRect?

    /// Indices of the pinned supplementaries.
    let pins: (top: [Int], bottom: [Int])
    let strip: GroupStrip
    /// Where the first group starts, left to right.
    let stripStart: Double
    private let stripTop: Double

    /// - Parameters:
    ///   - layout: how the section is laid out.
    ///   - container: the size of the screen (not of the section), in points.
    ///   - itemCount: items of the section; at most `LayoutLimits.items` are laid out.
    ///   - measured: sizes, by item, of rendered content. Used where the layout is estimated, ignored elsewhere.
    ///   - measuredSupplementaries: the same for supplementaries, by their index in the layout.
    ///   - rightToLeft: mirrors all frames.
    ///   - surroundings: where insets may begin; by default, those of an upright phone or tablet.
    public init(
        layout: SectionLayout, container: LayoutSize, itemCount: Int, measured: [Int: LayoutSize] = [:],
        measuredSupplementaries: [Int: LayoutSize] = [:], rightToLeft: Bool = false,
        surroundings: LayoutSurroundings? = nil
    ) {
        var noNotes: SectionNotes?
        self.init(
            layout: layout, container: container, itemCount: itemCount, measured: measured,
            measuredSupplementaries: measuredSupplementaries, rightToLeft: rightToLeft, surroundings: surroundings,
            notes: &noNotes)
    }

    /// - Parameter notes: records the reasons.
    init(
        layout unbounded: SectionLayout, container: LayoutSize, itemCount: Int, measured: [Int: LayoutSize],
        measuredSupplementaries: [Int: LayoutSize], rightToLeft: Bool, surroundings: LayoutSurroundings?,
        notes: inout SectionNotes?
    ) {
        var layout = unbounded.bounded()
        let isBounded = layout != unbounded
        let container = LayoutSize(
            width: LayoutLimits.extent(container.width), height: LayoutLimits.extent(container.height))
        let reference = (surroundings ?? .usual(width: container.width)).insets(layout.insetsReference)
        notes?.noteReference(layout, reference, in: container)
        layout.insets.leading += reference.leading
        layout.insets.trailing += reference.trailing
        let itemCount = min(max(itemCount, 0), LayoutLimits.items)
        let scrollsSideways = layout.scrolling != .none
        let insets = layout.insets
        let groupSpace = LayoutSize(
            width: max(0, container.width - insets.leading - insets.trailing), height: container.height)
        let measured = layout.group.hasEstimatedItem ? measured.filter { (0..<itemCount).contains($0.key) } : [:]
        strip = GroupStrip(
            layout.group, along: scrollsSideways ? .horizontal : .vertical, in: groupSpace, spacing: layout.spacing,
            itemCount: itemCount, measured: measured)
        notes?.noteSection(
            layout, isBounded: isBounded, container: container, groupSpace: groupSpace,
            groupWidth: scrollsSideways ? groupSpace.width : strip.breadth)
        let bands = SupplementaryBands(
            layout, container: container, measured: measuredSupplementaries, notes: &notes)

        stripStart = insets.leading
        stripTop = bands.top + insets.top
        let stripHeight = max(scrollsSideways ? strip.breadth : strip.length, bands.side)
        let bottomTop = max(0, stripTop + stripHeight + insets.bottom)
        let height = bottomTop + bands.bottom
        contentSize = LayoutSize(
            width: scrollsSideways ? max(0, insets.leading + strip.length + insets.trailing) : container.width,
            height: height)
        let fromTheLeft = bands.frames(contentTop: stripTop, bottomTop: bottomTop)
        supplementaryFrames = fromTheLeft.map { supplementary in
            var supplementary = supplementary
            if rightToLeft { supplementary.frame = supplementary.frame.mirrored(in: container.width) }
            return supplementary
        }
        pins = layout.pins
        decorationFrame = layout.decoration.map { decoration in
            let frame = LayoutRect(x: 0, y: 0, width: container.width, height: height).inset(by: decoration.insets)
            return rightToLeft ? frame.mirrored(in: container.width) : frame
        }
        self.itemCount = itemCount
        self.container = container
        scrolling = layout.scrolling
        isRightToLeft = rightToLeft
        guard var collected = notes else { return }
        for (index, (unmirrored, shown)) in zip(fromTheLeft, supplementaryFrames).enumerated() {
            collected.noteFrame(
                shown.frame, mirroring: rightToLeft ? unmirrored.frame : nil, in: container.width,
                of: .supplementary(index, kind: shown.kind))
        }
        collected.noteHeight(
            layout, bands: bands, groups: scrollsSideways ? strip.breadth : strip.length, isEmpty: itemCount == 0,
            is: height)
        if let decorationFrame, let decoration = layout.decoration {
            collected.noteBackground(decoration, decorationFrame)
        }
        if let item = collected.item, (0..<itemCount).contains(item) {
            collected.steps += strip.reasons(forItem: item, layout.group, in: groupSpace, measured: measured)
            noteItem(item, layout, bandsTop: bands.top, in: &collected)
        }
        notes = collected
    }

    /// The item's frame; `nil` if there is no such item.
    public func frame(ofItem index: Int) -> LayoutRect? {
        guard (0..<itemCount).contains(index) else { return nil }
        let group = strip.group(ofItem: index)
        let frame = inSection(group.resolved.slots[index - group.firstItem].frame, of: group)
        return isRightToLeft ? frame.mirrored(in: mirrorWidth) : frame
    }

    /// The frames of the item's badges, in layout order.
    public func badgeFrames(ofItem index: Int) -> [SupplementaryFrame] {
        guard (0..<itemCount).contains(index) else { return [] }
        let group = strip.group(ofItem: index)
        let slot = group.resolved.slots[index - group.firstItem]
        let item = inSection(slot.frame, of: group)
        return slot.badges.map { badge in
            let frame = badge.frame(on: item)
            return SupplementaryFrame(
                kind: badge.kind, frame: isRightToLeft ? frame.mirrored(in: mirrorWidth) : frame,
                depth: LayoutDepth.of(badge))
        }
    }

    /// The items that overlap a rectangle, in order. In a section that scrolls sideways the rectangle is relative to
    /// its content: for what is visible at an offset, pass `x` = offset.
    ///
    /// The cost is proportional to the groups the rectangle touches.
    public func items(in rect: LayoutRect) -> [Int] {
        var tests = 0
        return items(in: rect, tests: &tests)
    }

    /// - Parameter tests: incremented by the number of items examined.
    func items(in rect: LayoutRect, tests: inout Int) -> [Int] {
        guard rect.width > 0, rect.height > 0, !rect.maxX.isNaN, !rect.maxY.isNaN else { return [] }
        let groups: Range<Int>
        if scrolling == .none {
            groups = strip.groups(from: rect.y - stripTop, to: rect.maxY - stripTop)
        } else {
            let ltr = isRightToLeft ? rect.mirrored(in: mirrorWidth) : rect
            groups = strip.groups(from: ltr.x - stripStart, to: ltr.maxX - stripStart)
        }
        var found: [Int] = []
        for index in groups {
            let group = strip[index]
            for item in group.firstItem..<min(group.firstItem + group.resolved.slots.count, itemCount) {
                tests += 1
                if frame(ofItem: item)?.intersects(rect) == true { found.append(item) }
            }
        }
        return found
    }

    /// The width within which items are mirrored.
    var mirrorWidth: Double { max(contentSize.width, container.width) }

    /// Converts a frame in a group to one in the section, left to right.
    func inSection(_ frame: LayoutRect, of group: GroupStrip.Group) -> LayoutRect {
        let isSideways = scrolling != .none
        return frame.offsetBy(
            x: stripStart + (isSideways ? group.start : 0), y: stripTop + (isSideways ? 0 : group.start))
    }
}
