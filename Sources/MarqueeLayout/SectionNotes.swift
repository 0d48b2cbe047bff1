internal import MarqueeModel

/// Records the reasons for a section's frames as they are computed.
struct SectionNotes {
    /// The item to explain.
    var item: Int?
    var steps: [LayoutStep] = []

    init(item: Int?) { self.item = item }

    private mutating func note(
        _ element: LayoutStep.Element, _ words: String, assumption: LayoutAssumption? = nil
    ) {
        steps.append(LayoutStep(element, words, assumption: assumption))
    }

    /// - Parameter distances: at which the section's insets begin.
    mutating func noteReference(_ layout: SectionLayout, _ distances: LayoutInsets, in container: LayoutSize) {
        note(.section, "the screen is \(LayoutWords.size(container))")
        guard distances != .zero else { return }
        let name =
            switch layout.insetsReference {
            case .none: "edges"
            case .automatic, .safeArea: "safe area"
            case .layoutMargins: "margins"
            case .readableContent: "readable content"
            }
        note(
            .section, "its insets begin at the screen's \(name): \(LayoutWords.insets(distances)) more",
            assumption: .usualSurroundings)
    }

    mutating func noteSection(
        _ layout: SectionLayout, isBounded: Bool, container: LayoutSize, groupSpace: LayoutSize, groupWidth: Double
    ) {
        let insets = layout.insets
        if isBounded { note(.section, "parts of its layout exceed the limits and were cut") }
        if insets != .zero { note(.section, "insets \(LayoutWords.insets(insets))") }
        note(
            .section,
            "width for its groups: \(LayoutWords.less(container.width, insets.leading, insets.trailing, is: groupSpace.width))"
        )
        if layout.scrolling == .none {
            note(
                .section, "its groups are stacked\(Self.apart(layout))",
                assumption: groupWidth > 0 && groupWidth * 2 <= groupSpace.width ? .oneGroupToALine : nil)
        } else {
            note(.section, "it scrolls sideways; its groups are side by side\(Self.apart(layout))")
        }
    }

    private static func apart(_ layout: SectionLayout) -> String {
        layout.spacing > 0 ? ", \(LayoutWords.number(layout.spacing)) apart" : ""
    }

    // MARK: - Supplementaries

    mutating func noteSupplementary(
        _ index: Int, _ supplementary: LayoutSupplementary, in space: LayoutSize, estimated: LayoutSize,
        size: LayoutSize, isMeasured: Bool
    ) {
        let element = LayoutStep.Element.supplementary(index, kind: supplementary.kind)
        let dimensions = supplementary.dimensions
        for axis in [LayoutNode.Axis.horizontal, .vertical] {
            let words = LayoutWords.dimension(dimensions[axis], axis, of: space, is: estimated[axis])
            if isMeasured, dimensions[axis].isEstimated {
                note(element, "\(words), measured \(LayoutWords.number(size[axis]))", assumption: .measuredItem)
            } else {
                note(element, words)
            }
        }
        switch supplementary.edges.verticalAnchor {
        case .start: note(element, "at the top, above the section's top inset", assumption: .bandsOutsideInsets)
        case .end: note(element, "at the bottom, below the section's bottom inset", assumption: .bandsOutsideInsets)
        case .middle: note(element, "beside the groups, starting where they start", assumption: .sideViewTakesNoWidth)
        }
        noteHolding(supplementary, size: size, of: element)
        if supplementary.isPinned, supplementary.edges.verticalAnchor != .middle {
            note(element, "pinned: it stays in view while any of the section is", assumption: .pinnedUntilTheEnd)
        }
    }

    /// Offset and insets, which are applied after placement.
    private mutating func noteHolding(
        _ supplementary: LayoutSupplementary, size: LayoutSize, of element: LayoutStep.Element,
        assumption: LayoutAssumption? = .offsetReservesNothing
    ) {
        if supplementary.offsetX != 0 || supplementary.offsetY != 0 {
            let (x, y) = (supplementary.offsetX, supplementary.offsetY)
            if supplementary.offsetIsFractional {
                note(
                    element,
                    "moved by \(LayoutWords.number(x, decimals: 4)) × \(LayoutWords.number(size.width)) = \(LayoutWords.number(x * size.width)) and \(LayoutWords.number(y, decimals: 4)) × \(LayoutWords.number(size.height)) = \(LayoutWords.number(y * size.height))",
                    assumption: assumption)
            } else {
                note(element, "moved by \(LayoutWords.number(x)) and \(LayoutWords.number(y))", assumption: assumption)
            }
        }
        let applied = supplementary.dimensions.applying(supplementary.insets)
        if applied != .zero { note(element, "insets \(LayoutWords.insets(applied))") }
    }

    /// - Parameter original: the left-to-right frame, if it was mirrored.
    mutating func noteFrame(
        _ frame: LayoutRect, mirroring original: LayoutRect?, in width: Double, of element: LayoutStep.Element
    ) {
        if let original {
            note(
                element,
                "from right to left: x = \(LayoutWords.number(width)) − \(LayoutWords.number(original.x)) − \(LayoutWords.number(original.width)) = \(LayoutWords.number(frame.x))",
                assumption: .offsetsAreMirrored)
        }
        note(element, "frame: \(LayoutWords.frame(frame))")
    }

    mutating func noteHeight(
        _ layout: SectionLayout, bands: SupplementaryBands, groups: Double, isEmpty: Bool, is height: Double
    ) {
        let content: (String, Double) =
            bands.side > groups ? ("the tallest side view", bands.side) : ("groups", groups)
        let words = LayoutWords.sum(
            [
                ("at the top", bands.top), ("top inset", layout.insets.top), content,
                ("bottom inset", layout.insets.bottom), ("at the bottom", bands.bottom),
            ], is: height)
        note(.section, "height: \(words)", assumption: isEmpty ? .emptySectionKeepsItsFrame : nil)
    }

    mutating func noteBackground(_ decoration: LayoutDecoration, _ frame: LayoutRect) {
        if decoration.insets != .zero { note(.background, "insets \(LayoutWords.insets(decoration.insets))") }
        note(.background, "frame: \(LayoutWords.frame(frame))", assumption: .backgroundBehindEverything)
    }

    // MARK: - Items

    /// - Parameters:
    ///   - start: where the first group starts.
    ///   - group: the item's group, relative to the first one's start.
    ///   - inGroup: the item's frame within it.
    mutating func noteOrigin(
        _ item: Int, _ layout: SectionLayout, bandsTop: Double, group: LayoutRect, inGroup: LayoutRect,
        is frame: LayoutRect
    ) {
        let x = LayoutWords.sum(
            [("the section's leading inset", layout.insets.leading), ("its group", group.x), ("in it", inGroup.x)],
            is: frame.x)
        let y = LayoutWords.sum(
            [
                ("at the top", bandsTop), ("top inset", layout.insets.top), ("its group", group.y),
                ("in it", inGroup.y),
            ], is: frame.y)
        note(.item(item), "in the section: x = \(x); y = \(y)")
    }

    /// - Parameter placement: the badge's, on the item's frame.
    mutating func noteBadge(
        _ index: Int, _ badge: LayoutSupplementary,
        _ placement: (size: LayoutSize, x: Double, y: Double, frame: LayoutRect), on item: LayoutRect
    ) {
        let element = LayoutStep.Element.badge(index, kind: badge.kind)
        let container = LayoutSize(width: item.width, height: item.height)
        for axis in [LayoutNode.Axis.horizontal, .vertical] {
            let points = placement.size[axis]
            note(element, LayoutWords.dimension(badge.dimensions[axis], axis, of: container, is: points))
        }
        let (horizontal, vertical) = (badge.edges.horizontalAnchor, badge.edges.verticalAnchor)
        let isMiddle = horizontal == .middle && vertical == .middle
        note(
            element,
            "anchored at the item's \(Self.name(horizontal, "leading", "trailing")) and \(Self.name(vertical, "top", "bottom")): \(LayoutWords.number(placement.x)), \(LayoutWords.number(placement.y)) inside its frame",
            assumption: isMiddle ? .badgeInTheMiddle : .badgeOnShrunkItem)
        noteHolding(badge, size: placement.size, of: element, assumption: nil)
    }

    private static func name(_ anchor: Anchor, _ start: String, _ end: String) -> String {
        switch anchor {
        case .start: start
        case .middle: "middle"
        case .end: end
        }
    }
}
