internal import MarqueeModel

/// The supplementaries of a section around its content: those at the top and bottom form their own bands, those at the
/// sides go beside the groups.
struct SupplementaryBands {
    private let supplementaries: [LayoutSupplementary]
    private let sizes: [LayoutSize]
    /// The section's insets.
    private let insets: LayoutInsets
    private let width: Double
    /// Total height of the supplementaries at the top.
    let top: Double
    /// Total height of the supplementaries at the bottom.
    let bottom: Double
    /// Height of the tallest one at the sides.
    let side: Double

    /// - Parameters:
    ///   - layout: already bounded (`SectionLayout.bounded()`).
    ///   - measured: by supplementary index.
    ///   - notes: records the reasons.
    init(
        _ layout: SectionLayout, container: LayoutSize, measured: [Int: LayoutSize], notes: inout SectionNotes?
    ) {
        supplementaries = layout.supplementaries
        insets = layout.insets
        width = max(0, container.width - insets.leading - insets.trailing)
        let space = LayoutSize(width: width, height: container.height)
        var sizes: [LayoutSize] = []
        for (index, supplementary) in supplementaries.enumerated() {
            let dimensions = supplementary.dimensions
            let estimated = dimensions.size(in: space)
            var size = estimated
            if let known = measured[index] {
                if dimensions.width.isEstimated { size.width = LayoutLimits.extent(known.width) }
                if dimensions.height.isEstimated { size.height = LayoutLimits.extent(known.height) }
            }
            notes?.noteSupplementary(
                index, supplementary, in: space, estimated: estimated, size: size, isMeasured: measured[index] != nil)
            sizes.append(size)
        }
        self.sizes = sizes
        var (top, bottom, side) = (0.0, 0.0, 0.0)
        for (supplementary, size) in zip(supplementaries, sizes) {
            switch supplementary.edges.verticalAnchor {
            case .start: top += size.height
            case .middle: side = max(side, size.height)
            case .end: bottom += size.height
            }
        }
        (self.top, self.bottom, self.side) = (top, bottom, side)
    }

    /// The frames, left to right, in layout order.
    ///
    /// - Parameters:
    ///   - contentTop: where the groups start.
    ///   - bottomTop: where the bottom band starts.
    func frames(contentTop: Double, bottomTop: Double) -> [SupplementaryFrame] {
        var (nextTop, nextBottom) = (0.0, bottomTop)
        return zip(supplementaries, sizes).map { supplementary, size in
            let y: Double
            switch supplementary.edges.verticalAnchor {
            case .start:
                y = nextTop
                nextTop += size.height
            case .middle:
                y = contentTop
            case .end:
                y = nextBottom
                nextBottom += size.height
            }
            let x = insets.leading + supplementary.edges.horizontalAnchor.position(of: size.width, in: width)
            return SupplementaryFrame(
                kind: supplementary.kind, frame: supplementary.frame(x: x, y: y, size: size),
                depth: LayoutDepth.of(supplementary))
        }
    }
}
