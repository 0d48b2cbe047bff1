import MarqueeLayout
import MarqueeModel
import Testing

// The explanations of frames in `AppFrameTests`, number by number, for a screen of 390 × 844.

private func expect(
    _ layout: SectionLayout, items: Int, item: Int, says expected: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let explanation = SectionFrames.explanation(layout: layout, container: phone, itemCount: items, item: item)
    #expect(explanation.lines.joined(separator: "\n") == expected, sourceLocation: sourceLocation)
}

@Suite("Explanations: a streaming service's home") struct StreamingHomeExplanationTests {
    @Test func `The main section is one item`() {
        expect(
            AppLayouts.streamingMain, items: 1, item: 0,
            says: """
                section
                  the screen is 390 × 844
                  insets bottom 20
                  width for its groups: 390
                  its groups are stacked
                  height: groups 450 + bottom inset 20 = 470
                group
                  width: fraction of width 1 of 390 = 390
                  height: absolute 450
                  elements repeat along the height while they fit 450: 1 fits, 450 long; one more would end at 900
                  of the section's 1 group, the first
                item 0
                  width: fraction of width 1 of 390 = 390
                  height: fraction of height 1 of 450 = 450
                  in its group: x = 0; y = 0
                  in the section: x = 0; y = 0
                  frame: x 0, y 0, 390 × 450
                """)
    }

    @Test func `With three items to a group, the fourth begins the next`() {
        expect(
            AppLayouts.streamingBasic, items: 7, item: 3,
            says: """
                section
                  the screen is 390 × 844
                  insets leading 5, trailing 5
                  width for its groups: 390 − 5 − 5 = 380
                  it scrolls sideways; its groups are side by side
                  height: 200 (groups)
                group
                  width: fraction of width 0.9 of 380 = 342
                  height: estimated 200
                  3 equal elements share the width: 342 / 3 = 114
                  of the section's 3 groups, number 2: x = 1 × 342 = 342 after the first
                item 3
                  width: its share, 114
                  height: fraction of height 0.75 of 200 = 150
                  insets top 10, leading 5, trailing 5: from its place to 5, 10 in it, 104 × 140
                  in its group: x = 0; y = 0
                  in the section: x = the section's leading inset 5 + its group 342 + in it 5 = 352; y = 10 (in it)
                  frame: x 352, y 10, 104 × 140
                scrolling
                  its content is 1036 wide, so offsets go from 0 to 646
                  it rests anywhere  [1]
                where the platform's documentation is silent, Marquee reads it as follows
                  [1] a scroll coasts for 0.499 times its speed in points per second
                """)
    }

    @Test func `Two items to a group share its width`() {
        expect(
            AppLayouts.streamingLarge, items: 3, item: 0,
            says: """
                section
                  the screen is 390 × 844
                  insets leading 5, trailing 5
                  width for its groups: 390 − 5 − 5 = 380
                  it scrolls sideways; its groups are side by side
                  height: at the top 30 + groups 400 = 430
                header
                  width: fraction of width 1 of 380 = 380
                  height: absolute 30
                  at the top, above the section's top inset  [1]
                  frame: x 5, y 0, 380 × 30
                group
                  width: fraction of width 0.9 of 380 = 342
                  height: estimated 400
                  2 equal elements share the width: 342 / 2 = 171
                  of the section's 2 groups, the first
                item 0
                  width: its share, 171
                  height: fraction of height 0.75 of 400 = 300
                  insets top 10, leading 5, trailing 5: from its place to 5, 10 in it, 161 × 290
                  in its group: x = 0; y = 0
                  in the section: x = the section's leading inset 5 + in it 5 = 10; y = at the top 30 + in it 10 = 40
                  frame: x 10, y 40, 161 × 290
                scrolling
                  its content is 694 wide, so offsets go from 0 to 304
                  it rests anywhere  [2]
                where the platform's documentation is silent, Marquee reads it as follows
                  [1] headers and footers are outside the section's top and bottom insets: header, top inset, groups, bottom inset, footer
                  [2] a scroll coasts for 0.499 times its speed in points per second
                """)
    }

    @Test func `A rank item takes nine tenths of its group's estimated height`() {
        expect(
            AppLayouts.streamingRank, items: 10, item: 0,
            says: """
                section
                  the screen is 390 × 844
                  insets leading 5, trailing 5
                  width for its groups: 390 − 5 − 5 = 380
                  it scrolls sideways; its groups are side by side
                  height: at the top 30 + groups 200 = 230
                header
                  width: fraction of width 1 of 380 = 380
                  height: absolute 30
                  at the top, above the section's top inset  [1]
                  frame: x 5, y 0, 380 × 30
                group
                  width: fraction of width 0.9 of 380 = 342
                  height: estimated 200
                  2 equal elements share the width: 342 / 2 = 171
                  of the section's 5 groups, the first
                item 0
                  width: its share, 171
                  height: fraction of height 0.9 of 200 = 180
                  insets top 10, leading 5, trailing 5: from its place to 5, 10 in it, 161 × 170
                  in its group: x = 0; y = 0
                  in the section: x = the section's leading inset 5 + in it 5 = 10; y = at the top 30 + in it 10 = 40
                  frame: x 10, y 40, 161 × 170
                scrolling
                  its content is 1720 wide, so offsets go from 0 to 1330
                  it rests anywhere  [2]
                where the platform's documentation is silent, Marquee reads it as follows
                  [1] headers and footers are outside the section's top and bottom insets: header, top inset, groups, bottom inset, footer
                  [2] a scroll coasts for 0.499 times its speed in points per second
                """)
    }

}

@Suite("Explanations: a box office app") struct BoxOfficeExplanationTests {
    @Test func `A rank item takes its height from its width`() {
        expect(
            AppLayouts.boxOfficeRank, items: 10, item: 0,
            says: """
                section
                  the screen is 390 × 844
                  width for its groups: 390
                  it scrolls sideways; its groups are side by side
                  height: at the top 44 + groups 312 = 356
                header
                  width: fraction of width 1 of 390 = 390
                  height: absolute 44
                  at the top, above the section's top inset  [1]
                  frame: x 0, y 0, 390 × 44
                group
                  width: fraction of width 0.4 of 390 = 156
                  height: fraction of width 0.8 of 390 = 312
                  elements repeat along the width while they fit 156: 1 fits, 156 long; one more would end at 312
                  of the section's 10 groups, the first
                item 0
                  width: fraction of width 1 of 156 = 156
                  height: fraction of width 1.7 of 156 = 265.2
                  insets top 10, leading 10, bottom 10, trailing 10: from its place to 10, 10 in it, 136 × 245.2
                  in its group: x = 0; y = 0
                  in the section: x = 10 (in it); y = at the top 44 + in it 10 = 54
                  frame: x 10, y 54, 136 × 245.2
                scrolling
                  its content is 1560 wide, so offsets go from 0 to 1170
                  it rests at each group, one at a time: 0, 156, 312, 468, 624, 780, …, 1170  [2]
                where the platform's documentation is silent, Marquee reads it as follows
                  [1] headers and footers are outside the section's top and bottom insets: header, top inset, groups, bottom inset, footer
                  [2] groups come to rest where the first one's leading edge is, at the section's leading inset
                """)
    }

    @Test func `Genre tiles repeat while they fit`() {
        expect(
            AppLayouts.boxOfficeGenres, items: 6, item: 0,
            says: """
                section
                  the screen is 390 × 844
                  width for its groups: 390
                  its groups are stacked
                  height: at the top 40 + groups 260 + at the bottom 55 = 355
                header
                  width: fraction of width 1 of 390 = 390
                  height: absolute 40
                  at the top, above the section's top inset  [1]
                  frame: x 0, y 0, 390 × 40
                footer
                  width: fraction of width 1 of 390 = 390
                  height: absolute 55
                  at the bottom, below the section's bottom inset  [1]
                  frame: x 0, y 300, 390 × 55
                group
                  width: fraction of width 1 of 390 = 390
                  height: fraction of width 0.3333 of 390 = 130
                  insets trailing 20: inside it is 390 − 20 = 370 wide and 130 high
                  elements repeat along the width while they fit 370: 3 fit, 370 long; one more would end at 493.33
                  of the section's 2 groups, the first
                item 0
                  width: fraction of width 0.3333 of 370 = 123.33
                  height: fraction of width 0.35 of 370 = 129.5
                  insets top 10, leading 10, bottom 10, trailing 10: from its place to 10, 10 in it, 103.33 × 109.5
                  in its group: x = 0; y = 0
                  in the section: x = 10 (in it); y = at the top 40 + in it 10 = 50
                  frame: x 10, y 50, 103.33 × 109.5
                where the platform's documentation is silent, Marquee reads it as follows
                  [1] headers and footers are outside the section's top and bottom insets: header, top inset, groups, bottom inset, footer
                """)
    }

    @Test func `The third credit begins the next column`() {
        expect(
            AppLayouts.boxOfficeCredits, items: 16, item: 2,
            says: """
                section
                  the screen is 390 × 844
                  insets leading 10
                  width for its groups: 390 − 10 = 380
                  it scrolls sideways; its groups are side by side, 15 apart
                  height: at the top 60 + groups 168.8 = 228.8
                header
                  width: fraction of width 1 of 380 = 380
                  height: absolute 60
                  at the top, above the section's top inset  [1]
                  frame: x 10, y 0, 380 × 60
                group
                  width: fraction of width 0.4 of 380 = 152
                  height: fraction of height 0.2 of 844 = 168.8  [2]
                  insets leading 15: inside it is 152 − 15 = 137 wide and 168.8 high
                  elements repeat along the height while they fit 168.8: 2 fit, 123.3 long; one more would end at 184.95
                  of the section's 8 groups, number 2: x = 1 × (152 + spacing 15) = 167 after the first
                item 2
                  width: fraction of width 1 of 137 = 137
                  height: fraction of width 0.45 of 137 = 61.65
                  in its group: x = 15 (the group's inset); y = 0
                  in the section: x = the section's leading inset 10 + its group 167 + in it 15 = 192; y = 60 (at the top)
                  frame: x 192, y 60, 137 × 61.65
                scrolling
                  its content is 1331 wide, so offsets go from 0 to 941
                  it rests anywhere  [3]
                where the platform's documentation is silent, Marquee reads it as follows
                  [1] headers and footers are outside the section's top and bottom insets: header, top inset, groups, bottom inset, footer
                  [2] a group's fractional height is relative to the screen's, before the section's top and bottom insets
                  [3] a scroll coasts for 0.499 times its speed in points per second
                """)
    }

}

@Suite("Explanations: a layout study") struct LayoutStudyExplanationTests {
    @Test func `The grid takes its height from the screen's`() {
        expect(
            AppLayouts.studyGrid, items: 9, item: 0,
            says: """
                section
                  the screen is 390 × 844
                  insets top 2.5, leading 2.5, bottom 2.5, trailing 2.5
                  width for its groups: 390 − 2.5 − 2.5 = 385
                  its groups are stacked
                  height: top inset 2.5 + groups 633 + bottom inset 2.5 = 638
                group
                  width: fraction of width 1 of 385 = 385
                  height: fraction of height 0.25 of 844 = 211  [1]
                  elements repeat along the width while they fit 385: 3 fit, 385 long; one more would end at 513.33
                  of the section's 3 groups, the first
                item 0
                  width: fraction of width 0.3333 of 385 = 128.33
                  height: fraction of height 1 of 211 = 211
                  insets top 2.5, leading 2.5, bottom 2.5, trailing 2.5: from its place to 2.5, 2.5 in it, 123.33 × 206
                  in its group: x = 0; y = 0
                  in the section: x = the section's leading inset 2.5 + in it 2.5 = 5; y = top inset 2.5 + in it 2.5 = 5
                  frame: x 5, y 5, 123.33 × 206
                where the platform's documentation is silent, Marquee reads it as follows
                  [1] a group's fractional height is relative to the screen's, before the section's top and bottom insets
                """)
    }

}

@Suite("Explanations: a course home") struct CourseHomeExplanationTests {
    @Test func `The banner is as wide as the screen`() {
        expect(
            AppLayouts.courseBanner, items: 1, item: 0,
            says: """
                section
                  the screen is 390 × 844
                  width for its groups: 390
                  its groups are stacked
                  height: 220 (groups)
                group
                  width: fraction of width 1 of 390 = 390
                  height: absolute 220
                  elements repeat along the width while they fit 390: 1 fits, 390 long; one more would end at 780
                  of the section's 1 group, the first
                item 0
                  width: fraction of width 1 of 390 = 390
                  height: fraction of height 1 of 220 = 220
                  in its group: x = 0; y = 0
                  in the section: x = 0; y = 0
                  frame: x 0, y 0, 390 × 220
                """)
    }

    @Test func `The second course is placed after the first`() {
        expect(
            AppLayouts.courseRow, items: 8, item: 1,
            says: """
                section
                  the screen is 390 × 844
                  insets leading 20, bottom 20, trailing 20
                  width for its groups: 390 − 20 − 20 = 350
                  it scrolls sideways; its groups are side by side, 10 apart
                  height: groups 200 + bottom inset 20 = 220
                group
                  width: absolute 160
                  height: absolute 200
                  elements repeat along the width while they fit 160: 1 fits, 160 long; one more would end at 320
                  of the section's 8 groups, number 2: x = 1 × (160 + spacing 10) = 170 after the first
                item 1
                  width: fraction of width 1 of 160 = 160
                  height: fraction of height 1 of 200 = 200
                  in its group: x = 0; y = 0
                  in the section: x = the section's leading inset 20 + its group 170 = 190; y = 0
                  frame: x 190, y 0, 160 × 200
                scrolling
                  its content is 1390 wide, so offsets go from 0 to 1000
                  it rests anywhere  [1]
                where the platform's documentation is silent, Marquee reads it as follows
                  [1] a scroll coasts for 0.499 times its speed in points per second
                """)
    }
}
