public import MarqueeModel

extension SectionFrames {
    /// Lays out a section and records why: the layout code itself notes each number where it computes it.
    ///
    /// - Parameters:
    ///   - layout: as in `SectionFrames.init`, like all that follow.
    ///   - container: the size of the screen, in points.
    ///   - itemCount: items of the section.
    ///   - measured: sizes of rendered content, by item.
    ///   - measuredSupplementaries: the same for supplementaries.
    ///   - rightToLeft: mirrors all frames.
    ///   - surroundings: where insets may begin.
    ///   - item: the item to explain; if `nil` or not in the section, only the section is explained.
    public static func explanation(
        layout: SectionLayout, container: LayoutSize, itemCount: Int, measured: [Int: LayoutSize] = [:],
        measuredSupplementaries: [Int: LayoutSize] = [:], rightToLeft: Bool = false,
        surroundings: LayoutSurroundings? = nil, item: Int? = nil
    ) -> LayoutExplanation {
        var notes: SectionNotes? = SectionNotes(item: item)
        let frames = SectionFrames(
            layout: layout, container: container, itemCount: itemCount, measured: measured,
            measuredSupplementaries: measuredSupplementaries, rightToLeft: rightToLeft, surroundings: surroundings,
            notes: &notes)
        return LayoutExplanation(frames: frames, steps: (notes?.steps ?? []) + frames.scrollingSteps)
    }

    /// How an item's place in its group became its frame, and where its badges are.
    func noteItem(_ item: Int, _ layout: SectionLayout, bandsTop: Double, in notes: inout SectionNotes) {
        let group = strip.group(ofItem: item)
        let slot = group.resolved.slots[item - group.firstItem]
        let isSideways = scrolling != .none
        let origin = LayoutRect(
            x: isSideways ? group.start : 0, y: isSideways ? 0 : group.start, width: group.resolved.size.width,
            height: group.resolved.size.height)
        let fromTheLeft = inSection(slot.frame, of: group)
        notes.noteOrigin(
            item, layout, bandsTop: bandsTop, group: origin, inGroup: slot.frame, is: fromTheLeft)
        guard let frame = frame(ofItem: item) else { return }
        notes.noteFrame(
            frame, mirroring: isRightToLeft ? fromTheLeft : nil, in: mirrorWidth, of: .item(item))
        for (index, (badge, shown)) in zip(slot.badges, badgeFrames(ofItem: item)).enumerated() {
            notes.noteBadge(index, badge, badge.placement(on: fromTheLeft), on: fromTheLeft)
            notes.noteFrame(
                shown.frame, mirroring: isRightToLeft ? badge.frame(on: fromTheLeft) : nil, in: mirrorWidth,
                of: .badge(index, kind: badge.kind))
        }
    }

    /// Maximum number of stops listed.
    private static let listedStops = 6

    /// Where the section comes to rest.
    private var scrollingSteps: [LayoutStep] {
        guard scrolling != .none else { return [] }
        let content = LayoutWords.number(contentSize.width)
        let (low, high) = (LayoutWords.number(offsetRange.lowerBound), LayoutWords.number(offsetRange.upperBound))
        var steps = [
            LayoutStep(
                .scrolling, "its content is \(content) wide, so offsets go from \(low) to \(high)",
                assumption: scrolling == .groupPagingCentered ? .endsAreCentred : nil)
        ]
        let stops = pageStops
        guard !stops.isEmpty else {
            steps.append(LayoutStep(.scrolling, "it rests anywhere", assumption: .coasting))
            return steps
        }
        var listed = stops.prefix(Self.listedStops).map { LayoutWords.number($0) }.joined(separator: ", ")
        if stops.count > Self.listedStops { listed += ", …, \(LayoutWords.number(stops[stops.endIndex - 1]))" }
        let (manner, assumption): (String, LayoutAssumption?) =
            switch scrolling {
            case .paging: ("at pages of the screen's width", .pageIsTheScreen)
            case .groupPaging: ("at each group, one at a time", .restsAtLeadingInset)
            case .continuousGroupLeadingBoundary:
                ("at a group's leading edge, as far as it coasts", .restsAtLeadingInset)
            case .groupPagingCentered: ("with a group in the middle, one at a time", nil)
            case .none, .continuous: ("", nil)
            }
        steps.append(LayoutStep(.scrolling, "it rests \(manner): \(listed)", assumption: assumption))
        return steps
    }
}
