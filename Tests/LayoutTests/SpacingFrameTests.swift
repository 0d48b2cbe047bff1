import MarqueeModel
import Testing

@testable import MarqueeLayout

@Suite("Frames with flexible and edge spacing") struct SpacingFrameTests {
    private let container = LayoutSize(width: 400, height: 800)

    private func frames(
        _ group: LayoutNode, items: Int, measured: [Int: LayoutSize] = [:], rightToLeft: Bool = false
    ) -> SectionFrames {
        SectionFrames(
            layout: SectionLayout(group: group), container: container, itemCount: items, measured: measured,
            rightToLeft: rightToLeft)
    }

    @Test func `Flexible spacing between elements takes what they leave`() {
        // 4 × 90 + 3 × 10 = 390 fit 400, a fifth would end at 490; the 10 left are shared by three gaps
        let frames = frames(row(fw(1), abs(100), spacing: .flexible(10), item(abs(90), fh(1))), items: 6)
        let gap = 10 + 10.0 / 3
        expect((0..<4).compactMap { frames.frame(ofItem: $0)?.x }, are: [0, 90 + gap, 180 + 2 * gap, 310])
        // the last group isn't full, and spaced as if it were
        expect(frames.frame(ofItem: 4), is: rect(0, 100, 90, 100))
        expect(frames.frame(ofItem: 5), is: rect(90 + gap, 100, 90, 100))
    }

    @Test func `A measured group that isn't full is spaced as a full one`() {
        let group = row(fw(1), est(50), spacing: .flexible(10), item(abs(90), est(50)))
        let frames = frames(group, items: 6, measured: [4: LayoutSize(width: 0, height: 30)])
        // the group is as high as its highest item, which isn't measured: 50
        expect(frames.frame(ofItem: 4), is: rect(0, 50, 90, 30))
        expect(frames.frame(ofItem: 5), is: rect(90 + 10 + 10.0 / 3, 50, 90, 50))
    }

    @Test func `Flexible spacing in front of elements moves them to the end`() {
        // 2 × 150 fit 400; the 100 left are shared by the two leading edges
        let edges = LayoutEdgeSpacing(leading: .flexible(0))
        let frames = frames(row(fw(1), abs(100), item(abs(150), fh(1), edges: edges)), items: 2)
        expect(frames.frame(ofItem: 0), is: rect(50, 0, 150, 100))
        expect(frames.frame(ofItem: 1), is: rect(250, 0, 150, 100))
    }

    @Test func `Flexible spacing at both edges centres an element`() {
        let edges = LayoutEdgeSpacing(leading: .flexible(5), trailing: .flexible(5))
        // 300 + 2 × 5 = 310; of the 90 left each edge gets 45
        let frames = frames(row(fw(1), abs(100), item(abs(300), fh(1), edges: edges)), items: 1)
        expect(frames.frame(ofItem: 0), is: rect(50, 0, 300, 100))
    }

    @Test func `Fixed edge spacing moves neighbours away and counts for what fits`() {
        // 5 + 100 + 15 = 120: three fit 400, 360 long
        let edges = LayoutEdgeSpacing(top: 10, leading: 5, trailing: 15)
        let frames = frames(row(fw(1), abs(100), item(abs(100), abs(40), edges: edges)), items: 4)
        expect(frames.frame(ofItem: 0), is: rect(5, 10, 100, 40))
        expect(frames.frame(ofItem: 1), is: rect(125, 10, 100, 40))
        expect(frames.frame(ofItem: 2), is: rect(245, 10, 100, 40))
        expect(frames.frame(ofItem: 3), is: rect(5, 110, 100, 40))
    }

    @Test func `Flexible edge spacing across a group aligns an element in it`() {
        func y(_ edges: LayoutEdgeSpacing) -> Double? {
            frames(row(fw(1), abs(100), item(abs(50), abs(40), edges: edges)), items: 1).frame(ofItem: 0)?.y
        }
        expect(y(LayoutEdgeSpacing(top: .flexible(0), bottom: .flexible(0))), is: 30)  // (100 − 40) / 2
        expect(y(LayoutEdgeSpacing(top: .flexible(0))), is: 60)
        expect(y(LayoutEdgeSpacing(bottom: .flexible(0))), is: 0)
        expect(y(LayoutEdgeSpacing(top: .flexible(0), bottom: 10)), is: 50)  // 100 − 40 − 10
    }

    @Test func `In a group with a count, edge spacing is part of each share`() {
        // (300 − 2 × 15) / 3 = 90 at 0, 105 and 210; 90 − 4 − 6 = 80
        let edges = LayoutEdgeSpacing(leading: 4, trailing: .flexible(6))
        let group = row(abs(300), abs(50), spacing: .flexible(15), count: 3, item(fw(0.9), fh(1), edges: edges))
        let frames = frames(group, items: 2)
        expect(frames.frame(ofItem: 0), is: rect(4, 0, 80, 50))
        expect(frames.frame(ofItem: 1), is: rect(109, 0, 80, 50))
        // for UIKit: thirds of 100, whose insets make them 90 wide and then 80
        #expect(
            group.elements
                == .list(
                    [
                        item(fw(1 / 3), fh(1), insets: insets(0, 4, 0, 16)),
                        item(fw(1 / 3), fh(1), insets: insets(0, 9, 0, 11)),
                        item(fw(1 / 3), fh(1), insets: insets(0, 14, 0, 6)),
                    ], spacing: 0))
    }

    @Test func `A group of the size of its content leaves nothing to share`() {
        let group = column(fw(1), est(100), spacing: .flexible(10), item(fw(1), est(20)))
        // 3 × 20 + 2 × 10 = 80 of 100: each gap gets 10 of the rest
        expect((0..<3).compactMap { frames(group, items: 3).frame(ofItem: $0)?.y }, are: [0, 40, 80])
        let sizes = Dictionary(uniqueKeysWithValues: (0..<3).map { ($0, LayoutSize(width: 0, height: 25)) })
        let measured = frames(group, items: 3, measured: sizes)
        expect((0..<3).compactMap { measured.frame(ofItem: $0)?.y }, are: [0, 35, 70])
        expect(measured.contentSize.height, is: 95)  // 3 × 25 + 2 × 10
    }

    @Test func `A group in a group has edge spacing too, the section's own has none`() {
        let edges = LayoutEdgeSpacing(top: 3, leading: 7)
        let inner = column(abs(100), fh(1), edges: edges, item(fw(1), fh(1)))
        expect(frames(row(fw(1), abs(50), inner), items: 1).frame(ofItem: 0), is: rect(7, 3, 100, 50))
        expect(frames(row(fw(1), abs(50), edges: edges, item(fw(1), fh(1))), items: 1).frame(ofItem: 0)?.x, is: 0)
    }

    @Test func `Right to left, edge spacing is mirrored`() {
        let edges = LayoutEdgeSpacing(leading: 5)
        let frames = frames(
            row(fw(1), abs(100), item(abs(100), fh(1), edges: edges)), items: 1, rightToLeft: true)
        expect(frames.frame(ofItem: 0), is: rect(295, 0, 100, 100))  // 400 − 5 − 100
    }

    @Test func `An explanation names what spacing did`() {
        let edges = LayoutEdgeSpacing(leading: 20)
        let layout = SectionLayout(
            group: row(fw(1), abs(100), spacing: .flexible(10), item(abs(70), fh(1), edges: edges)))
        // 20 + 70 = 90; 4 × 90 + 3 × 10 = 390, and each gap gets 3.33
        let lines = SectionFrames.explanation(layout: layout, container: container, itemCount: 2, item: 1).lines
        #expect(
            lines.contains {
                $0.hasPrefix(
                    "  elements repeat along the width while they fit 400: 4 fit, 390 long with spacings of at least 10; "
                )
            })
        #expect(
            lines.contains(
                "  in its group: x = the one before it 90 + spacing 10 + its edge spacing 20 = 120; y = 0"))
        #expect(
            lines.contains {
                $0.hasPrefix(
                    "  what is left of it is shared by its flexible spacings: its element 1 is moved by x 3.33, y 0")
            })
        #expect(lines.contains("  frame: x 123.33, y 0, 70 × 100"))
    }
}
