internal import MarqueeLayout

/// One section on a screen, and its frames.
package struct SectionCase: Codable, Sendable {
    package var name: String
    /// The arithmetic that led to `worked`.
    package var why: String?
    package var contents: SectionContents
    /// `[width, height]` of the screen.
    package var container: [Double]
    package var rightToLeft: Bool?
    package var surroundings: SurroundingsDocument?
    package var asked: SectionQuestions?
    /// Some of the answer, worked out by hand and correct to a ten-thousandth of a point.
    package var worked: SectionAnswer?
    /// All of it, to the last bit.
    package var answer: SectionAnswer?

    package init(
        name: String, contents: SectionContents, container: [Double], rightToLeft: Bool? = nil,
        surroundings: SurroundingsDocument? = nil, asked: SectionQuestions? = nil
    ) {
        self.name = name
        self.contents = contents
        self.container = container
        self.rightToLeft = rightToLeft
        self.surroundings = surroundings
        self.asked = asked
    }

    /// The engine's answer.
    package func engineAnswer() throws -> SectionAnswer {
        let section = try contents.section()
        let frames = SectionFrames(
            layout: section.layout, container: try LayoutSize(pair: container), itemCount: section.itemCount,
            measured: section.measured, measuredSupplementaries: section.measuredSupplementaries,
            rightToLeft: rightToLeft ?? false, surroundings: surroundings?.surroundings)
        let background = section.layout.decoration.flatMap { decoration in
            frames.decorationFrame.map {
                PlacedView(kind: decoration.kind, frame: $0, depth: LayoutDepth.of(decoration))
            }
        }
        return try SectionAnswer(frames, asked ?? SectionQuestions(), background: background)
    }
}

/// The questions of a case about its section.
package struct SectionQuestions: Codable, Sendable {
    /// Items whose frames and badges are asked for; absent: all. There may be none of that index.
    package var items: [Int]?
    /// Which items are in these rectangles.
    package var rects: [[Double]]?
    /// Where the supplementaries are while the section is visible from `y` on for a height: `[y, height]`.
    package var showing: [[Double]]?
    /// Where a movement ends: `[offset, points per second]`.
    package var movements: [[Double]]?

    package init(
        items: [Int]? = nil, rects: [[Double]]? = nil, showing: [[Double]]? = nil, movements: [[Double]]? = nil
    ) {
        self.items = items
        self.rects = rects
        self.showing = showing
        self.movements = movements
    }
}

/// An engine's answer about a section. Of a worked answer, parts may be missing.
package struct SectionAnswer: Codable, Sendable {
    package var itemCount: Int?
    package var contentSize: [Double]?
    /// `[item, x, y, width, height]`, one for each item asked for that there is.
    package var frames: [[Double]]?
    package var badges: [PlacedView]?
    package var supplementaries: [PlacedView]?
    package var background: PlacedView?
    package var stopCount: Int?
    /// `[index, offset]`: all of few, of many the first and the last.
    package var stops: [[Double]]?
    /// The lowest and the highest.
    package var offsetRange: [Double]?
    package var initialOffset: Double?
    /// Items that are visible at the initial offset, if the whole section is on the screen. Of many, the first.
    package var visible: [Int]?
    /// The items in each rectangle. Of many, the first.
    package var inRects: [[Int]]?
    /// The tops of the supplementaries for each part of the section that shows.
    package var showing: [[Double]]?
    /// The offset at which each movement ends.
    package var ends: [Double]?

    /// Stops listed from either end.
    private static let listedStops = 16
    /// Items listed of those in a rectangle.
    private static let listedItems = 64

    init(_ frames: SectionFrames, _ asked: SectionQuestions, background: PlacedView?) throws {
        itemCount = frames.itemCount
        contentSize = frames.contentSize.list
        let items = asked.items ?? Array(0..<frames.itemCount)
        self.frames = items.compactMap { item in frames.frame(ofItem: item).map { [Double(item)] + $0.list } }
        badges = items.flatMap { item in
            frames.badgeFrames(ofItem: item).map {
                PlacedView(item: item, kind: $0.kind, frame: $0.frame, depth: $0.depth)
            }
        }
        supplementaries = frames.supplementaryFrames.map {
            PlacedView(kind: $0.kind, frame: $0.frame, depth: $0.depth)
        }
        self.background = background
        let pageStops = frames.pageStops
        stopCount = pageStops.count
        let listed = Self.listedStops
        stops = pageStops.indices.filter { $0 < listed || $0 >= pageStops.count - listed }
            .map { [Double($0), pageStops[$0]] }
        offsetRange = [frames.offsetRange.lowerBound, frames.offsetRange.upperBound]
        initialOffset = frames.initialOffset
        visible = frames.visibleItems().prefix(Self.listedItems).map(\.index)
        inRects = try (asked.rects ?? []).map { rect in
            Array(frames.items(in: try LayoutRect(list: rect)).prefix(Self.listedItems))
        }
        showing = try (asked.showing ?? []).map { part in
            let part = try LayoutSize(pair: part)
            return frames.supplementaryFrames(showing: LayoutRect(x: 0, y: part.width, width: 1, height: part.height))
                .map(\.frame.y)
        }
        ends = try (asked.movements ?? []).map { movement in
            let movement = try LayoutSize(pair: movement)
            return frames.stop(after: movement.width, velocity: movement.height)
        }
    }
}
