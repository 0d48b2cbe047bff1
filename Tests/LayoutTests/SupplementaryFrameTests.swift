import LayoutVectors
import MarqueeLayout
import MarqueeModel
import Testing

@Suite("Frames of supplementaries and decorations") struct SupplementaryFrameTests {
    private let container = LayoutSize(width: 400, height: 800)

    private func frames(
        _ supplementaries: [LayoutSupplementary], items: Int = 2, insets: LayoutInsets = .zero,
        measured: [Int: LayoutSize] = [:]
    ) -> SectionFrames {
        SectionFrames(
            layout: SectionLayout(
                group: row(fw(1), abs(100), item(fw(1), fh(1))), insets: insets, supplementaries: supplementaries,
                decoration: "background"),
            container: container, itemCount: items, measuredSupplementaries: measured)
    }

    @Test func `Top and bottom supplementaries are outside the section's vertical insets`() {
        let frames = frames([header(abs(30)), footer(abs(20))], insets: insets(5, 10, 7, 30))
        // width 400 − 10 − 30 = 360 at 10
        expect(frames.supplementaryFrames[0].frame, is: rect(10, 0, 360, 30))
        expect(frames.frame(ofItem: 0), is: rect(10, 35, 360, 100))  // 30 + 5
        expect(frames.supplementaryFrames[1].frame, is: rect(10, 242, 360, 20))  // 30 + 5 + 200 + 7
        expect(frames.contentSize.height, is: 262)
        expect(frames.decorationFrame, is: rect(0, 0, 400, 262))
    }

    @Test func `A background is shrunk by its insets`() {
        let layout = SectionLayout(
            group: row(fw(1), abs(100), item(fw(1), fh(1))), supplementaries: [header(abs(30))],
            decoration: LayoutDecoration(kind: "background", insets: insets(30, 10, 5, 20)))
        let frames = SectionFrames(layout: layout, container: container, itemCount: 2)
        expect(frames.decorationFrame, is: rect(10, 30, 370, 195))  // 400 − 10 − 20, 30 + 200 − 30 − 5
        let mirrored = SectionFrames(layout: layout, container: container, itemCount: 2, rightToLeft: true)
        expect(mirrored.decorationFrame, is: rect(20, 30, 370, 195))
    }

    @Test func `Supplementaries are in front of items and a background behind, unless a z-index says otherwise`() {
        var (front, back) = (header(abs(30)), header(abs(30)))
        #expect(LayoutDepth.of(front) > LayoutDepth.item && LayoutDepth.of("background") < LayoutDepth.item)
        (front.zIndex, back.zIndex) = (7, -7)
        #expect(frames([front, back]).supplementaryFrames.map(\.depth) == [7, -7])
        #expect(LayoutDepth.of(LayoutDecoration(kind: "background", zIndex: 2)) == 2)
        let group = row(fw(1), abs(100), item(fw(1), fh(1), badges: [back]))
        let badged = SectionFrames(layout: SectionLayout(group: group), container: container, itemCount: 1)
        #expect(badged.badgeFrames(ofItem: 0).map(\.depth) == [-7])
    }

    @Test func `Several supplementaries at one edge are stacked in order`() {
        let frames = frames([header(abs(30)), footer(abs(20)), header(abs(40)), footer(abs(10))])
        expect(frames.supplementaryFrames.map(\.frame.y), are: [0, 270, 30, 290])  // 70 + 200 = 270
        expect(frames.contentSize.height, is: 300)
    }

    @Test func `A corner decides the side of a narrow supplementary`() {
        func narrow(_ edges: LayoutEdges) -> LayoutSupplementary {
            LayoutSupplementary(kind: "narrow", width: fw(0.25), height: abs(10), edges: edges)
        }
        let frames = frames(
            [narrow([.top, .leading]), narrow(.top), narrow([.top, .trailing]), narrow([.bottom, .trailing])],
            insets: insets(0, 20, 0, 60))
        // container 320 at 20; a quarter is 80; centred (320 − 80) / 2 = 120 further; trailing 240 further
        expect(frames.supplementaryFrames.map(\.frame.x), are: [20, 140, 260, 260])
        expect(frames.supplementaryFrames.map(\.frame.width), are: [80, 80, 80, 80])
    }

    @Test func `A leading supplementary reserves height but no width`() {
        let leading = LayoutSupplementary(kind: "left", width: fw(0.1), height: abs(700), edges: .leading)
        let frames = frames([header(abs(100)), leading, footer(abs(100))], insets: insets(5, 0, 5, 0))
        expect(frames.supplementaryFrames[1].frame, is: rect(0, 105, 40, 700))  // below the header and the top inset
        expect(frames.frame(ofItem: 0), is: rect(0, 105, 400, 100))
        // the groups take 200, the leading one 700: the footer goes below the taller one
        expect(frames.supplementaryFrames[2].frame, is: rect(0, 810, 400, 100))  // 100 + 5 + 700 + 5
        expect(frames.contentSize.height, is: 910)
    }

    @Test func `A trailing supplementary is at the trailing edge`() {
        let trailing = LayoutSupplementary(kind: "right", width: abs(30), height: abs(50), edges: .trailing)
        let frames = frames([trailing], insets: insets(0, 10, 0, 20))
        expect(frames.supplementaryFrames[0].frame, is: rect(350, 0, 30, 50))  // 400 − 20 − 30
        expect(frames.contentSize.height, is: 200)
    }

    @Test func `Offset and insets move the frame and reserve nothing`() {
        let moved = LayoutSupplementary(
            kind: "header", width: fw(1), height: abs(40), edges: .top, offsetX: -8, offsetY: 4,
            insets: insets(1, 2, 3, 4))
        let frames = frames([moved])
        // 0 − 8 + 2, 0 + 4 + 1, 400 − 6, 40 − 4
        expect(frames.supplementaryFrames[0].frame, is: rect(-6, 5, 394, 36))
        expect(frames.frame(ofItem: 0)?.y, is: 40)
    }

    @Test func `An estimated header takes its measured height`() {
        let frames = frames([header(est(50))], measured: [0: LayoutSize(width: 1, height: 64)])
        expect(frames.supplementaryFrames[0].frame, is: rect(0, 0, 400, 64))  // its width isn't estimated
        expect(frames.frame(ofItem: 0)?.y, is: 64)
    }

    @Test func `An empty section keeps its supplementaries and insets`() {
        let frames = frames([header(abs(30)), footer(abs(20))], items: 0, insets: insets(5, 0, 7, 0))
        expect(frames.supplementaryFrames[1].frame, is: rect(0, 42, 400, 20))
        expect(frames.contentSize.height, is: 62)
        #expect(frames.items(in: rect(0, 0, 400, 800)).isEmpty)
    }

    @Test func `The header of a scrolling section is as wide as the screen`() {
        let layout = SectionLayout(
            group: row(abs(100), abs(100), item(fw(1), fh(1))), scrolling: .continuous,
            supplementaries: [header(abs(30))], decoration: "background")
        let frames = SectionFrames(layout: layout, container: container, itemCount: 50)
        expect(frames.supplementaryFrames[0].frame, is: rect(0, 0, 400, 30))
        expect(frames.decorationFrame, is: rect(0, 0, 400, 130))
    }
}

@Suite("Frames of pinned supplementaries") struct PinnedFrameTests {
    private func pinned(_ height: Double, _ edges: LayoutEdges) -> LayoutSupplementary {
        LayoutSupplementary(kind: "pinned", width: fw(1), height: abs(height), edges: edges, isPinned: true)
    }

    /// The tops of the supplementaries of a section with ten rows of 100, while 300 points of it from `y` are visible.
    private func tops(_ supplementaries: [LayoutSupplementary], from y: Double) -> [Double] {
        let layout = SectionLayout(
            group: row(fw(1), abs(100), item(fw(1), fh(1))), supplementaries: supplementaries)
        return SectionFrames(layout: layout, container: phone, itemCount: 10)
            .supplementaryFrames(showing: rect(0, y, 390, 300)).map(\.frame.y)
    }

    @Test func `A pinned header stays at the top of what is visible, until the end of its section pushes it out`() {
        let header = pinned(30, .top)  // the section is 1,030 high
        expect(tops([header], from: -50), are: [0])
        expect(tops([header], from: 0), are: [0])
        expect(tops([header], from: 420), are: [420])
        expect(tops([header], from: 1_000), are: [1_000])
        expect(tops([header], from: 1_020), are: [1_000])  // 1,030 − 30
    }

    @Test func `A pinned footer stays at the bottom of what is visible, until the start of its section pushes it out`()
    {
        let footer = pinned(20, .bottom)  // its own place is 1,000
        expect(tops([footer], from: 0), are: [280])  // 300 − 20
        expect(tops([footer], from: 900), are: [1_000])
        expect(tops([footer], from: -290), are: [0])
    }

    @Test func `Several pinned headers are stacked, and others scroll away`() {
        let headers = [pinned(30, .top), header(abs(40)), pinned(20, .top)]  // at 0, 30 and 70; 1,090 high
        expect(tops(headers, from: 0), are: [0, 30, 70])
        expect(tops(headers, from: 50), are: [50, 30, 80])  // the third would be at 70, and is below the first: 50 + 30
        expect(tops(headers, from: 1_060), are: [1_040, 30, 1_070])  // 1,090 − 20 and − 20 − 30
        expect(tops([pinned(20, .bottom), pinned(30, .bottom)], from: 0), are: [250, 270])  // 300 − 30 − 20
    }

    @Test func `A view at a side isn't pinned, nor is one without the flag`() {
        expect(tops([pinned(30, .leading), header(abs(40))], from: 500), are: [40, 0])
    }

    @Test func `Pinned frames of any layout are within the section or at their own places`() {
        for seed in 0..<UInt64(200) {
            var layouts = RandomLayouts(seed: seed, wild: true)
            let frames = SectionFrames(layout: layouts.layout(), container: phone, itemCount: 30)
            for y in [-1e9, -100, 0, 77, 1e9, .infinity, .nan] {
                let shown = frames.supplementaryFrames(showing: rect(0, y, 390, 844))
                for (own, shown) in zip(frames.supplementaryFrames, shown) where own != shown {
                    #expect(shown.frame.y.isFinite && shown.frame.width == own.frame.width, "seed \(seed)")
                    #expect(shown.frame.height == own.frame.height, "seed \(seed)")
                }
            }
        }
    }

    @Test func `A screen pins the views of the section that is at its top`() {
        let layout = SectionLayout(
            group: row(fw(1), abs(100), item(fw(1), fh(1))), supplementaries: [pinned(30, .top)])
        let section = ScreenLayout.Section(layout: layout, itemCount: 10)
        let screen = ScreenLayout(sections: [section, section], container: phone)
        let visible = rect(0, 1_010, 390, 844)  // the second section starts at 1,030
        expect(screen.supplementaryFrames(ofSection: 0, showing: visible).map(\.frame.y), are: [1_000])
        expect(screen.supplementaryFrames(ofSection: 1, showing: visible).map(\.frame.y), are: [0])
        #expect(screen.supplementaryFrames(ofSection: 2, showing: visible).isEmpty)
    }
}

@Suite("Frames of badges") struct BadgeFrameTests {
    /// A 100 × 60 item at 10, 20 with a 20 × 10 badge.
    private func badge(_ edges: LayoutEdges, x: Double = 0, y: Double = 0, fractional: Bool = false) -> LayoutRect? {
        let badge = LayoutSupplementary(
            kind: "badge", width: abs(20), height: abs(10), edges: edges, offsetX: x, offsetY: y,
            offsetIsFractional: fractional)
        let layout = SectionLayout(
            group: row(fw(1), abs(100), item(abs(110), abs(80), insets: insets(20, 10, 0, 0), badges: [badge])))
        let frames = SectionFrames(layout: layout, container: LayoutSize(width: 400, height: 800), itemCount: 1)
        expect(frames.frame(ofItem: 0), is: rect(10, 20, 100, 60))
        return frames.badgeFrames(ofItem: 0).first?.frame
    }

    @Test func `A badge at a corner is within the item's frame`() {
        expect(badge([.top, .leading]), is: rect(10, 20, 20, 10))
        expect(badge([.top, .trailing]), is: rect(90, 20, 20, 10))  // 10 + 100 − 20
        expect(badge([.bottom, .leading]), is: rect(10, 70, 20, 10))  // 20 + 60 − 10
        expect(badge([.bottom, .trailing]), is: rect(90, 70, 20, 10))
    }

    @Test func `A badge at an edge is halfway along its side`() {
        expect(badge(.top), is: rect(50, 20, 20, 10))  // 10 + (100 − 20) / 2
        expect(badge(.bottom), is: rect(50, 70, 20, 10))
        expect(badge(.leading), is: rect(10, 45, 20, 10))  // 20 + (60 − 10) / 2
        expect(badge(.trailing), is: rect(90, 45, 20, 10))
    }

    @Test func `A badge without an edge, or between opposite ones, is centred`() {
        expect(badge([]), is: rect(50, 45, 20, 10))
        expect(badge([.leading, .trailing, .top]), is: rect(50, 20, 20, 10))
    }

    @Test func `An absolute offset is in points`() {
        expect(badge([.top, .trailing], x: 30, y: -5), is: rect(120, 15, 20, 10))
    }

    @Test func `A fractional offset is a fraction of the badge's own size`() {
        expect(badge([.top, .trailing], x: 0.3, y: -0.3, fractional: true), is: rect(96, 17, 20, 10))  // +6, −3
    }

    @Test func `A badge may be a fraction of its item`() {
        let badge = LayoutSupplementary(kind: "badge", width: fw(0.5), height: fw(0.25), edges: [.top, .leading])
        let layout = SectionLayout(group: row(fw(1), abs(100), item(abs(80), fh(1), badges: [badge])))
        let frames = SectionFrames(layout: layout, container: phone, itemCount: 2)
        expect(frames.badgeFrames(ofItem: 1).first?.frame, is: rect(80, 0, 40, 20))
    }
}
