public import MarqueeModel

/// The sections of a screen, laid out one below another. A value, like the `SectionFrames` it holds.
public struct ScreenLayout: Sendable {
    /// The input for laying out one section of a screen.
    public struct Section: Sendable {
        /// How the section is laid out.
        public var layout: SectionLayout
        /// How many items it has.
        public var itemCount: Int
        /// Sizes of rendered content, by item.
        public var measured: [Int: LayoutSize]
        /// The same for supplementaries, by their index in the layout.
        public var measuredSupplementaries: [Int: LayoutSize]

        /// The input of one section.
        public init(
            layout: SectionLayout, itemCount: Int, measured: [Int: LayoutSize] = [:],
            measuredSupplementaries: [Int: LayoutSize] = [:]
        ) {
            self.layout = layout
            self.itemCount = itemCount
            self.measured = measured
            self.measuredSupplementaries = measuredSupplementaries
        }
    }

    /// In the order of the screen.
    public let sections: [SectionFrames]
    /// As wide as the container and as high as all sections.
    public let contentSize: LayoutSize
    /// Where each section begins.
    private let tops: [Double]

    /// - Parameters:
    ///   - sections: in the order of the screen.
    ///   - container: the size of the screen, in points.
    ///   - rightToLeft: mirrors all frames.
    ///   - surroundings: where insets may begin; by default, those of an upright phone or tablet.
    public init(
        sections: [Section], container: LayoutSize, rightToLeft: Bool = false, surroundings: LayoutSurroundings? = nil
    ) {
        var top = 0.0
        var tops: [Double] = []
        self.sections = sections.map { section in
            let frames = SectionFrames(
                layout: section.layout, container: container, itemCount: section.itemCount,
                measured: section.measured, measuredSupplementaries: section.measuredSupplementaries,
                rightToLeft: rightToLeft, surroundings: surroundings)
            tops.append(top)
            top += frames.contentSize.height
            return frames
        }
        self.tops = tops
        contentSize = LayoutSize(width: LayoutLimits.extent(container.width), height: top)
    }

    /// The section's rectangle on the screen; `nil` if there is no such section. Add its origin to the frames inside
    /// the section.
    public func frame(ofSection index: Int) -> LayoutRect? {
        guard sections.indices.contains(index) else { return nil }
        return LayoutRect(
            x: 0, y: tops[index], width: contentSize.width, height: sections[index].contentSize.height)
    }

    /// The frames of a section's supplementaries in the section, in layout order, while a part of the screen is
    /// visible; empty if there is no such section.
    ///
    /// - Parameters:
    ///   - index: of the section.
    ///   - rect: the visible part, in points from the top left of the screen.
    public func supplementaryFrames(ofSection index: Int, showing rect: LayoutRect) -> [SupplementaryFrame] {
        guard sections.indices.contains(index) else { return [] }
        return sections[index].supplementaryFrames(showing: rect.offsetBy(x: 0, y: -tops[index]))
    }

    /// The item's frame on the screen; `nil` if there is no such item.
    ///
    /// - Parameters:
    ///   - item: its place in its section.
    ///   - section: the section's place on the screen.
    ///   - offset: the section's sideways scroll offset; by default, the initial one.
    public func frame(ofItem item: Int, inSection section: Int, offset: Double? = nil) -> LayoutRect? {
        guard sections.indices.contains(section) else { return nil }
        let frames = sections[section]
        return frames.frame(ofItem: item)?.offsetBy(x: -(offset ?? frames.initialOffset), y: tops[section])
    }

    /// Lays out a screen and records why one of its sections looks as it does.
    ///
    /// - Parameters:
    ///   - section: by index; returns `nil` if there is no such section.
    ///   - item: the item to explain; if `nil` or not in the section, only the section is explained.
    ///   - sections: as in `ScreenLayout.init`.
    ///   - container: the same.
    ///   - rightToLeft: the same.
    ///   - surroundings: the same.
    public static func explanation(
        ofSection section: Int, item: Int? = nil, sections: [Section], container: LayoutSize, rightToLeft: Bool = false,
        surroundings: LayoutSurroundings? = nil
    ) -> LayoutExplanation? {
        let screen = ScreenLayout(
            sections: sections, container: container, rightToLeft: rightToLeft, surroundings: surroundings)
        guard sections.indices.contains(section), let frame = screen.frame(ofSection: section) else { return nil }
        let asked = sections[section]
        var explanation = SectionFrames.explanation(
            layout: asked.layout, container: container, itemCount: asked.itemCount, measured: asked.measured,
            measuredSupplementaries: asked.measuredSupplementaries, rightToLeft: rightToLeft,
            surroundings: surroundings, item: item)
        let above =
            switch section {
            case 0: "the screen's first section"
            case 1: "below the previous section"
            default: "below the \(section) preceding sections"
            }
        explanation.steps.insert(
            LayoutStep(.section, "\(above): y \(LayoutWords.number(frame.y)) on the screen"), at: 0)
        return explanation
    }

    /// The sections that overlap a rectangle.
    public func sections(in rect: LayoutRect) -> Range<Int> {
        guard rect.height > 0 else { return 0..<0 }
        let first = sections.indices.partitioningIndex { tops[$0] + sections[$0].contentSize.height > rect.y }
        let end = sections.indices.partitioningIndex { tops[$0] >= rect.maxY }
        return first..<max(first, end)
    }

    /// The items visible in a rectangle of the screen, in order.
    ///
    /// - Parameters:
    ///   - rect: in points from the top left of the screen.
    ///   - offsets: of sections scrolled sideways, by section.
    public func items(in rect: LayoutRect, offsets: [Int: Double] = [:]) -> [(section: Int, item: Int)] {
        sections(in: rect).flatMap { index in
            let section = sections[index]
            return section.items(
                in: rect.offsetBy(x: offsets[index] ?? section.initialOffset, y: -tops[index])
            ).map { (section: index, item: $0) }
        }
    }
}
