import MarqueeLayout
import MarqueeModel
import Testing

// Frames calculated by hand, with the arithmetic alongside, for a 390 × 844 screen. Origin: the section's top left.

@Suite("Frames: a streaming service's home") struct StreamingHomeFrameTests {
    @Test func `The main section is one item as wide as the screen`() {
        let layout = AppLayouts.streamingMain
        let frames = SectionFrames(layout: layout, container: phone, itemCount: 1)
        // group 1 × 390 by 450; item 1 × 390 by 1 × 450
        expect(frames.frame(ofItem: 0), is: rect(0, 0, 390, 450))
        // 450 + bottom inset 20
        expect(frames.contentSize.height, is: 470)
    }

    @Test func `A basic section has three items to a group`() {
        let layout = AppLayouts.streamingBasic
        let frames = SectionFrames(layout: layout, container: phone, itemCount: 7)
        // container 390 − 5 − 5 = 380; group 0.9 × 380 = 342 by 200; slot 342 / 3 = 114 by 0.75 × 200 = 150
        // x = 5 + 5, y = 10, width 114 − 5 − 5, height 150 − 10
        expect(frames.frame(ofItem: 0), is: rect(10, 10, 104, 140))
        expect(frames.frame(ofItem: 1), is: rect(124, 10, 104, 140))  // 5 + 114 + 5
        expect(frames.frame(ofItem: 2), is: rect(238, 10, 104, 140))  // 5 + 2 × 114 + 5
        expect(frames.frame(ofItem: 3), is: rect(352, 10, 104, 140))  // next group: 5 + 342 + 5
        expect(frames.contentSize.height, is: 200)
        expect(frames.contentSize.width, is: 1_036)  // 5 + 3 groups × 342 + 5
    }

    @Test func `A large section has two items to a group, below a header`() {
        let layout = AppLayouts.streamingLarge
        let frames = SectionFrames(layout: layout, container: phone, itemCount: 3)
        expect(frames.supplementaryFrames.first?.frame, is: rect(5, 0, 380, 30))
        // slot 342 / 2 = 171 by 0.75 × 400 = 300, below the header's 30
        expect(frames.frame(ofItem: 0), is: rect(10, 40, 161, 290))
        expect(frames.frame(ofItem: 1), is: rect(181, 40, 161, 290))  // 5 + 171 + 5
        expect(frames.contentSize.height, is: 430)  // 30 + 400
    }

    @Test func `A rank section has two items to a group, at nine tenths of its height`() {
        let layout = AppLayouts.streamingRank
        let frames = SectionFrames(layout: layout, container: phone, itemCount: 10)
        // slot 171 by 0.9 × 200 = 180
        expect(frames.frame(ofItem: 0), is: rect(10, 40, 161, 170))
        expect(frames.supplementaryFrames.first?.frame, is: rect(5, 0, 380, 30))
    }
}

@Suite("Frames: a box office app") struct BoxOfficeFrameTests {
    @Test func `A rank item takes its height from its width`() {
        let layout = AppLayouts.boxOfficeRank
        let frames = SectionFrames(layout: layout, container: phone, itemCount: 10)
        expect(frames.supplementaryFrames.first?.frame, is: rect(0, 0, 390, 44))
        // group 0.4 × 390 = 156 by 0.8 × 390 = 312; slot 156 by 1.7 × 156 = 265.2; insets 10 on every side
        expect(frames.frame(ofItem: 0), is: rect(10, 54, 136, 245.2))
        expect(frames.frame(ofItem: 1), is: rect(166, 54, 136, 245.2))  // 156 + 10
        expect(frames.contentSize.height, is: 356)  // 44 + 312
        // stops: 0, 156, … while below 10 × 156 − 390 = 1170, then 1170 itself
        expect(frames.pageStops, are: [0, 156, 312, 468, 624, 780, 936, 1_092, 1_170])
    }

    @Test func `Genre tiles are three to a row`() {
        let layout = AppLayouts.boxOfficeGenres
        let frames = SectionFrames(layout: layout, container: phone, itemCount: 6)
        expect(frames.supplementaryFrames.first?.frame, is: rect(0, 0, 390, 40))
        // group 390 by 390 / 3 = 130, inside 390 − 20 = 370; slot 370 / 3 = 123.33 by 0.35 × 370 = 129.5
        expect(frames.frame(ofItem: 0), is: rect(10, 50, 370.0 / 3 - 20, 109.5))
        expect(frames.frame(ofItem: 1), is: rect(10 + 370.0 / 3, 50, 370.0 / 3 - 20, 109.5))
        expect(frames.frame(ofItem: 2), is: rect(10 + 740.0 / 3, 50, 370.0 / 3 - 20, 109.5))
        expect(frames.frame(ofItem: 3), is: rect(10, 180, 370.0 / 3 - 20, 109.5))  // next group: 40 + 130 + 10
        // footer below two groups: 40 + 2 × 130
        expect(frames.supplementaryFrames.last?.frame, is: rect(0, 300, 390, 55))
        expect(frames.contentSize.height, is: 355)
    }

    @Test func `Credits are two to a column`() {
        let layout = AppLayouts.boxOfficeCredits
        let frames = SectionFrames(layout: layout, container: phone, itemCount: 16)
        // container 390 − 10 = 380
        expect(frames.supplementaryFrames.first?.frame, is: rect(10, 0, 380, 60))
        // group 0.4 × 380 = 152 by 0.2 × 844 = 168.8, inside 152 − 15 = 137; slot 137 by 0.45 × 137 = 61.65
        // two fit: 2 × 61.65 = 123.3 ≤ 168.8 < 3 × 61.65 = 184.95
        expect(frames.frame(ofItem: 0), is: rect(25, 60, 137, 61.65))  // 10 + 15
        expect(frames.frame(ofItem: 1), is: rect(25, 121.65, 137, 61.65))  // 60 + 61.65
        expect(frames.frame(ofItem: 2), is: rect(192, 60, 137, 61.65))  // next group: 10 + 152 + 15 + 15
        expect(frames.contentSize.height, is: 228.8)  // 60 + 168.8
        expect(frames.contentSize.width, is: 1_331)  // 10 + 8 × 152 + 7 × 15
    }

    @Test func `A genre is a list on a background`() {
        let layout = SectionLayout(
            group: row(fw(1), abs(80), item(fw(1), fh(1))), insets: insets(5, 20, 0, 20), spacing: 7,
            supplementaries: [header(est(50))], decoration: "background")
        let frames = SectionFrames(layout: layout, container: phone, itemCount: 2)
        expect(frames.supplementaryFrames.first?.frame, is: rect(20, 0, 350, 50))  // 390 − 20 − 20
        expect(frames.frame(ofItem: 0), is: rect(20, 55, 350, 80))  // 50 + top inset 5
        expect(frames.frame(ofItem: 1), is: rect(20, 142, 350, 80))  // 55 + 80 + 7
        expect(frames.decorationFrame, is: rect(0, 0, 390, 222))  // 142 + 80
    }

    @Test func `A favorite has a badge at its corner`() {
        let badge = LayoutSupplementary(
            kind: "minus", width: abs(30), height: abs(30), edges: [.top, .trailing], offsetX: 0.25, offsetY: -0.6,
            offsetIsFractional: true)
        let layout = SectionLayout(
            group: row(fw(1), fh(1 / 3.6), item(fw(1 / 3), fh(1), insets: insets(12, 7, 5, 7), badges: [badge])))
        let frames = SectionFrames(layout: layout, container: phone, itemCount: 4)
        // group 390 by 844 / 3.6 = 234.444; slot 130 by 234.444; 130 − 7 − 7, 234.444 − 12 − 5
        expect(frames.frame(ofItem: 0), is: rect(7, 12, 116, 844 / 3.6 - 17))
        expect(frames.frame(ofItem: 3), is: rect(7, 844 / 3.6 + 12, 116, 844 / 3.6 - 17))
        // within the corner: x = 7 + 116 − 30 = 93, y = 12; moved by 0.25 × 30 = 7.5 and −0.6 × 30 = −18
        expect(frames.badgeFrames(ofItem: 0).first?.frame, is: rect(100.5, -6, 30, 30))
        #expect(frames.badgeFrames(ofItem: 0).map(\.kind) == ["minus"])
    }

    @Test func `Search results are three to a row`() {
        let layout = SectionLayout(
            group: row(fw(1), fh(1 / 3.6), item(fw(1 / 3), fh(1), insets: insets(10, 5, 5, 5))))
        let frames = SectionFrames(layout: layout, container: phone, itemCount: 3)
        // slot 130 by 234.444; the third at 2 × 130 + 5
        expect(frames.frame(ofItem: 2), is: rect(265, 10, 120, 844 / 3.6 - 15))
    }

    @Test func `A detail is as high as its estimate`() {
        let layout = SectionLayout(group: row(fw(1), est(600), item(fw(1), est(600))))
        expect(
            SectionFrames(layout: layout, container: phone, itemCount: 1).frame(ofItem: 0), is: rect(0, 0, 390, 600))
    }
}

@Suite("Frames: a layout study") struct LayoutStudyFrameTests {
    @Test func `The grid of section 0 has three items to a row`() {
        let layout = AppLayouts.studyGrid
        let frames = SectionFrames(layout: layout, container: phone, itemCount: 9)
        // container 390 − 5 = 385; group 385 by 844 / 4 = 211, the fraction taken before the section's vertical insets
        // slot 385 / 3 = 128.33 by 211; x = y = 2.5 + 2.5; 128.33 − 5, 211 − 5
        expect(frames.frame(ofItem: 0), is: rect(5, 5, 385.0 / 3 - 5, 206))
        expect(frames.frame(ofItem: 2), is: rect(5 + 770.0 / 3, 5, 385.0 / 3 - 5, 206))
        expect(frames.frame(ofItem: 3), is: rect(5, 216, 385.0 / 3 - 5, 206))  // 5 + 211
        expect(frames.contentSize.height, is: 638)  // 2.5 + 3 × 211 + 2.5
    }

    @Test func `Elsewhere the grid has five items to a row, and pages`() {
        let layout = SectionLayout(
            group: row(fw(1), fh(0.25), item(fw(0.2), fh(1), insets: insets(2.5, 2.5, 2.5, 2.5))),
            insets: insets(2.5, 2.5, 2.5, 2.5), scrolling: .paging)
        let frames = SectionFrames(layout: layout, container: phone, itemCount: 12)
        // slot 385 / 5 = 77 by 211
        expect(frames.frame(ofItem: 0), is: rect(5, 5, 72, 206))
        expect(frames.frame(ofItem: 4), is: rect(313, 5, 72, 206))  // 5 + 4 × 77
        expect(frames.frame(ofItem: 5), is: rect(390, 5, 72, 206))  // next group, sideways: 5 + 385
        // 2.5 + 3 × 385 + 2.5 = 1160 wide, so it scrolls 1160 − 390 = 770: pages at 0 and 390, the last one short
        expect(frames.contentSize.width, is: 1_160)
        expect(frames.pageStops, are: [0, 390, 770])
        expect(frames.contentSize.height, is: 216)
    }

    @Test func `The hero takes half the screen`() {
        let layout = SectionLayout(group: row(fw(1), fh(0.5), item(fw(1), fh(1))), insets: insets(0, 0, 40, 0))
        let frames = SectionFrames(layout: layout, container: phone, itemCount: 1)
        expect(frames.frame(ofItem: 0), is: rect(0, 0, 390, 422))  // 844 / 2
        expect(frames.contentSize.height, is: 462)
    }

    @Test func `Nearby items are two to a column`() {
        let layout = SectionLayout(
            group: column(fw(0.75), est(200), count: 2, item(fw(1), fh(1))), scrolling: .continuous,
            supplementaries: [header(abs(50))])
        let frames = SectionFrames(layout: layout, container: phone, itemCount: 20)
        // group 0.75 × 390 = 292.5 by 200, slot 292.5 by 200 / 2
        expect(frames.frame(ofItem: 0), is: rect(0, 50, 292.5, 100))
        expect(frames.frame(ofItem: 1), is: rect(0, 150, 292.5, 100))
        expect(frames.frame(ofItem: 2), is: rect(292.5, 50, 292.5, 100))
        expect(frames.contentSize.width, is: 2_925)  // 10 groups
    }

    @Test func `Themes are as large as their estimates`() {
        let layout = SectionLayout(
            group: row(est(335), est(420), item(fw(1), fh(1))), scrolling: .continuous,
            supplementaries: [header(abs(50))])
        let frames = SectionFrames(layout: layout, container: phone, itemCount: 5)
        expect(frames.frame(ofItem: 0), is: rect(0, 50, 335, 420))
        expect(frames.frame(ofItem: 1), is: rect(335, 50, 335, 420))
        expect(frames.contentSize.height, is: 470)
    }
}

@Suite("Frames: a course home") struct CourseHomeFrameTests {
    @Test func `The banner is as wide as the screen`() {
        let layout = AppLayouts.courseBanner
        expect(
            SectionFrames(layout: layout, container: phone, itemCount: 1).frame(ofItem: 0), is: rect(0, 0, 390, 220))
    }

    @Test func `Courses form one row`() {
        let layout = AppLayouts.courseRow
        let frames = SectionFrames(layout: layout, container: phone, itemCount: 8)
        expect(frames.frame(ofItem: 0), is: rect(20, 0, 160, 200))
        expect(frames.frame(ofItem: 1), is: rect(190, 0, 160, 200))  // 20 + 160 + 10
        expect(frames.contentSize.height, is: 220)  // 200 + 20
        expect(frames.contentSize.width, is: 1_390)  // 20 + 8 × 160 + 7 × 10 + 20
    }

    @Test func `Every other section is one item`() {
        // categories: 88 high, bottom 20
        let categories = SectionLayout(group: row(fw(1), abs(88), item(fw(1), fh(1))), insets: insets(0, 0, 20, 0))
        expect(SectionFrames(layout: categories, container: phone, itemCount: 1).contentSize.height, is: 108)
        // a featured course: 390 − 20 − 20 wide, 230 high
        let featured = SectionLayout(group: row(fw(1), abs(230), item(fw(1), fh(1))), insets: insets(0, 20, 20, 20))
        expect(
            SectionFrames(layout: featured, container: phone, itemCount: 1).frame(ofItem: 0), is: rect(20, 0, 350, 230))
        // a text header: estimated 50, then measured 73.5; the bottom inset 8 is the section's
        let text = SectionLayout(group: row(fw(1), est(50), item(fw(1), est(50))), insets: insets(0, 20, 8, 20))
        expect(SectionFrames(layout: text, container: phone, itemCount: 1).contentSize.height, is: 58)
        let measured = SectionFrames(
            layout: text, container: phone, itemCount: 1, measured: [0: LayoutSize(width: 350, height: 73.5)])
        expect(measured.frame(ofItem: 0), is: rect(20, 0, 350, 73.5))
        expect(measured.contentSize.height, is: 81.5)
    }
}
