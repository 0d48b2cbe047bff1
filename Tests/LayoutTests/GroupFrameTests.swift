import MarqueeLayout
import MarqueeModel
import Testing

@Suite("Frames in groups") struct GroupFrameTests {
    private let container = LayoutSize(width: 400, height: 800)

    private func frames(_ group: LayoutNode, items: Int) -> SectionFrames {
        SectionFrames(layout: SectionLayout(group: group), container: container, itemCount: items)
    }

    @Test func `A nested group stacks its items beside a large one`() {
        let small = item(fw(1), fh(1), insets: insets(2, 2, 2, 2))
        let frames = frames(
            row(
                fw(1), abs(300), item(fw(0.7), fh(1), insets: insets(2, 2, 2, 2)),
                column(fw(0.3), fh(1), count: 2, small)),
            items: 6)
        // large: 0.7 × 400 = 280 by 300, minus 2 on every side
        expect(frames.frame(ofItem: 0), is: rect(2, 2, 276, 296))
        // inner group at 280, 0.3 × 400 = 120 by 300; slots 120 by 150
        expect(frames.frame(ofItem: 1), is: rect(282, 2, 116, 146))
        expect(frames.frame(ofItem: 2), is: rect(282, 152, 116, 146))
        // the next group holds the next three
        expect(frames.frame(ofItem: 3), is: rect(2, 302, 276, 296))
        expect(frames.frame(ofItem: 5), is: rect(282, 452, 116, 146))
        expect(frames.contentSize.height, is: 600)
    }

    @Test func `Three levels take their fractions from the level above`() {
        let frames = frames(
            column(
                fw(0.5), abs(200), insets: insets(10, 10, 10, 10),
                row(fw(1), fh(0.5), insets: insets(0, 20, 0, 20), column(fw(0.5), fh(1), item(fw(0.5), fw(0.5))))),
            items: 9)
        // outer 200 by 200, inside 180 by 180 at 10, 10
        // rows 180 by 90 (two fit), inside 140 by 90 at 20, 0 of the row
        // columns 70 by 90 (two fit); items 35 by 35 (two fit: 70 ≤ 90 < 105)
        expect(frames.frame(ofItem: 0), is: rect(30, 10, 35, 35))
        expect(frames.frame(ofItem: 1), is: rect(30, 45, 35, 35))
        expect(frames.frame(ofItem: 2), is: rect(100, 10, 35, 35))  // 10 + 20 + 70
        expect(frames.frame(ofItem: 4), is: rect(30, 100, 35, 35))  // 10 + 90
        expect(frames.frame(ofItem: 8), is: rect(30, 210, 35, 35))  // eight to a group: 200 + 10
    }

    @Test func `A list repeats while the next element fits`() {
        let frames = frames(
            row(abs(300), abs(50), spacing: 10, item(abs(100), fh(1)), item(abs(50), fh(1))), items: 5)
        // 0…100, 110…160, 170…270; the next would be 280…330 > 300
        expect(frames.frame(ofItem: 0), is: rect(0, 0, 100, 50))
        expect(frames.frame(ofItem: 1), is: rect(110, 0, 50, 50))
        expect(frames.frame(ofItem: 2), is: rect(170, 0, 100, 50))
        // each group starts with the list's first element
        expect(frames.frame(ofItem: 3), is: rect(0, 50, 100, 50))
        expect(frames.frame(ofItem: 4), is: rect(110, 50, 50, 50))
    }

    @Test func `A vertical list repeats downwards`() {
        let frames = frames(
            column(fw(1), abs(100), spacing: 10, item(fw(1), abs(40)), item(fw(0.5), abs(20))), items: 4)
        // 0…40, 50…70; the next would be 80…120 > 100
        expect(frames.frame(ofItem: 0), is: rect(0, 0, 400, 40))
        expect(frames.frame(ofItem: 1), is: rect(0, 50, 200, 20))
        expect(frames.frame(ofItem: 2), is: rect(0, 100, 400, 40))
        expect(frames.contentSize.height, is: 200)
    }

    @Test func `A count divides what the spacings leave of the axis`() {
        let across = frames(row(abs(300), abs(50), spacing: 15, count: 3, item(fw(0.9), fh(0.5))), items: 4)
        // (300 − 2 × 15) / 3 = 90; the item's own 0.9 is ignored, its height 0.5 × 50 isn't
        expect(across.frame(ofItem: 0), is: rect(0, 0, 90, 25))
        expect(across.frame(ofItem: 1), is: rect(105, 0, 90, 25))
        expect(across.frame(ofItem: 2), is: rect(210, 0, 90, 25))
        expect(across.frame(ofItem: 3), is: rect(0, 50, 90, 25))

        let down = frames(column(fw(1), abs(100), spacing: 4, count: 4, item(fw(1), abs(9))), items: 4)
        // (100 − 3 × 4) / 4 = 22
        expect((0..<4).compactMap { down.frame(ofItem: $0)?.y }, are: [0, 26, 52, 78])
        expect(down.frame(ofItem: 3), is: rect(0, 78, 400, 22))
    }

    @Test func `A count divides what the group's insets leave`() {
        let frames = frames(
            row(fw(1), abs(100), insets: insets(10, 20, 30, 40), spacing: 20, count: 2, item(fw(1), fh(1))), items: 2)
        // inside 400 − 60 = 340 by 60; (340 − 20) / 2 = 160
        expect(frames.frame(ofItem: 0), is: rect(20, 10, 160, 60))
        expect(frames.frame(ofItem: 1), is: rect(200, 10, 160, 60))  // 20 + 160 + 20
    }

    @Test func `An item's insets shrink it and move nothing else`() {
        let frames = frames(
            row(
                abs(200), abs(100), insets: insets(10, 20, 30, 40),
                item(fw(0.5), fh(0.5), insets: insets(1, 2, 3, 4))),
            items: 2)
        // inside 140 by 60; slot 70 by 30; 20 + 2, 10 + 1, 70 − 6, 30 − 4
        expect(frames.frame(ofItem: 0), is: rect(22, 11, 64, 26))
        expect(frames.frame(ofItem: 1), is: rect(92, 11, 64, 26))  // 20 + 70 + 2
    }

    @Test func `Insets are ignored on an axis that is estimated`() {
        let frames = frames(row(fw(1), est(50), item(fw(1), est(50), insets: insets(5, 6, 7, 8))), items: 1)
        expect(frames.frame(ofItem: 0), is: rect(6, 0, 386, 50))
    }

    @Test func `A width may be a fraction of the height`() {
        let frames = frames(row(fw(1), abs(100), item(fh(1.5), fh(1))), items: 3)
        // 1.5 × 100 = 150 wide: two fit into 400
        expect(frames.frame(ofItem: 1), is: rect(150, 0, 150, 100))
        expect(frames.frame(ofItem: 2), is: rect(0, 100, 150, 100))
    }

    @Test func `An element that doesn't fit is placed where it comes first`() {
        let frames = frames(row(abs(100), abs(50), item(abs(130), abs(60))), items: 2)
        expect(frames.frame(ofItem: 0), is: rect(0, 0, 130, 60))
        expect(frames.frame(ofItem: 1), is: rect(0, 50, 130, 60))
    }

    @Test func `Equal parts fill a group however they are rounded`() {
        for parts in 2...12 {
            for width in stride(from: 300.0, through: 430, by: 2.5) {
                let frames = SectionFrames(
                    layout: SectionLayout(group: row(fw(1), abs(10), item(fw(1 / Double(parts)), fh(1)))),
                    container: LayoutSize(width: width, height: 800), itemCount: parts + 1)
                expect(frames.frame(ofItem: parts - 1)?.y, is: 0)
                expect(frames.frame(ofItem: parts)?.y, is: 10)
            }
        }
    }

    @Test func `The groups of a section that doesn't scroll are stacked vertically`() {
        let layout = SectionLayout(
            group: row(fw(0.5), abs(40), count: 2, item(fw(1), fh(1))), insets: insets(3, 10, 4, 30), spacing: 6)
        let frames = SectionFrames(layout: layout, container: container, itemCount: 5)
        // container 400 − 40 = 360, group 180 by 40, slots 90
        expect(frames.frame(ofItem: 1), is: rect(100, 3, 90, 40))
        expect(frames.frame(ofItem: 2), is: rect(10, 49, 90, 40))  // 3 + 40 + 6
        expect(frames.frame(ofItem: 4), is: rect(10, 95, 90, 40))  // 3 + 2 × 46
        expect(frames.contentSize.height, is: 139)  // 95 + 40 + 4
    }

    @Test func `Items beyond the last have no frame`() {
        let frames = frames(row(fw(1), abs(50), count: 3, item(fw(1), fh(1))), items: 4)
        #expect(frames.frame(ofItem: 4) == nil)
        #expect(frames.frame(ofItem: -1) == nil)
        #expect(frames.badgeFrames(ofItem: 4).isEmpty)
    }
}
