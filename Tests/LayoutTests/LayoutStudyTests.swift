import MarqueeModel
import Testing

@testable import MarqueeLayout

// The layout study's tables, calculated by hand for a 390 × 844 screen.

@Suite("A layout study") struct LayoutStudyTests {
    private let tile = item(fw(1 / 3), fh(1), insets: insets(2.5, 2.5, 2.5, 2.5))
    private let narrowTile = item(fw(0.2), fh(1), insets: insets(2.5, 2.5, 2.5, 2.5))

    /// One layout for the first section, another for the rest.
    private func grid(section: Int, supplementaries: [LayoutSupplementary] = []) -> SectionLayout {
        SectionLayout(
            group: row(fw(1), fh(0.25), section == 0 ? tile : narrowTile), insets: insets(2.5, 2.5, 2.5, 2.5),
            scrolling: section == 0 ? .none : .paging, supplementaries: supplementaries)
    }

    @Test func `Each section has the layout for its index`() {
        let screen = ScreenLayout(
            sections: (0..<3).map { ScreenLayout.Section(layout: grid(section: $0), itemCount: 12) }, container: phone)
        // section 0: four groups of three, 2.5 + 4 × 211 + 2.5 = 849; the others: one line of 2.5 + 211 + 2.5 = 216
        expect(screen.frame(ofSection: 0), is: rect(0, 0, 390, 849))
        expect(screen.frame(ofSection: 1), is: rect(0, 849, 390, 216))
        expect(screen.frame(ofSection: 2), is: rect(0, 1_065, 390, 216))
        expect(screen.contentSize.height, is: 1_281)
        expect(screen.frame(ofItem: 3, inSection: 0), is: rect(5, 216, 385.0 / 3 - 5, 206))  // 5 + 211
        // five per group: the sixth is off screen, and a page of 390 brings it to 0
        expect(screen.frame(ofItem: 5, inSection: 1), is: rect(390, 854, 72, 206))  // 5 + 385; 849 + 5
        expect(screen.frame(ofItem: 5, inSection: 1, offset: 390), is: rect(0, 854, 72, 206))
        #expect(screen.sections[0].scrolling == .none)
        // twelve make three groups: 2.5 + 3 × 385 + 2.5 = 1160 wide, 770 to scroll
        expect(screen.sections[2].pageStops, are: [0, 390, 770])
    }

    @Test func `A section has a header, a footer and a view on the left`() {
        let left = LayoutSupplementary(kind: "left", width: fw(0.1), height: abs(700), edges: .leading)
        let layout = grid(section: 0, supplementaries: [header(abs(100)), footer(abs(100)), left])
        let frames = SectionFrames(layout: layout, container: phone, itemCount: 9)
        // as wide as the section minus its insets, 390 − 2.5 − 2.5
        expect(frames.supplementaryFrames[0].frame, is: rect(2.5, 0, 385, 100))
        // where the groups start, 100 + 2.5, a tenth of 385 wide
        expect(frames.supplementaryFrames[2].frame, is: rect(2.5, 102.5, 38.5, 700))
        expect(frames.frame(ofItem: 0), is: rect(5, 105, 385.0 / 3 - 5, 206))  // 100 + 2.5 + 2.5
        // three groups are 633 high, the view at the left 700: 100 + 2.5 + 700 + 2.5, then the footer
        expect(frames.supplementaryFrames[1].frame, is: rect(2.5, 805, 385, 100))
        expect(frames.contentSize.height, is: 905)
        #expect(frames.supplementaryFrames.map(\.kind) == ["header", "footer", "left"])
    }

    /// Returns the scale that the study's client gives each visible item, by index.
    private func scales(_ frames: SectionFrames, offset: Double) -> [Int: Double] {
        let (x, y) = (offset + 10 + frames.container.width / 2, 20.0)
        return Dictionary(
            uniqueKeysWithValues: frames.visibleItems(atOffset: offset).map { item in
                (item.index, item.frame.contains(x: x, y: y) ? 1.0 : 0.9)
            })
    }

    @Test func `The item under a point is large, the other visible ones small`() {
        let frames = SectionFrames(layout: grid(section: 1), container: phone, itemCount: 12)
        // the point is 0 + 10 + 195 = 205, 20: item 2 is at 5 + 2 × 77 = 159…231, 5…211
        #expect(scales(frames, offset: 0) == [0: 0.9, 1: 0.9, 2: 1, 3: 0.9, 4: 0.9])
        // 390 + 205 = 595: item 7 is at 390 + 2 × 77 = 544…616; of item 10, at 5 + 2 × 385 = 775, five points show
        // before 780
        #expect(scales(frames, offset: 390) == [5: 0.9, 6: 0.9, 7: 1, 8: 0.9, 9: 0.9, 10: 0.9])
        // 233 is between item 2 and item 3, which starts at 236: none is large. 4 is visible up to its last point, 385
        // − 28
        #expect(scales(frames, offset: 28) == [0: 0.9, 1: 0.9, 2: 0.9, 3: 0.9, 4: 0.9, 5: 0.9])
        // the last page: 770 + 205 = 975, where there is nothing any more; item 9 ends at 770, items 10 and 11 at 847
        // and 924
        #expect(scales(frames, offset: 770) == [10: 0.9, 11: 0.9])
    }

    @Test func `Visible items come with their frames`() {
        let frames = SectionFrames(layout: grid(section: 1), container: phone, itemCount: 12)
        let visible = frames.visibleItems(atOffset: 300)
        // items end at 5 + 77 i + 72; the first to end after 300 is 3 (236…308), the last to start before 690 is 8
        // (621…693)
        #expect(visible.map(\.index) == [3, 4, 5, 6, 7, 8])
        expect(visible.first?.frame, is: rect(236, 5, 72, 206))
        expect(visible.last?.frame, is: rect(621, 5, 72, 206))
        #expect(frames.visibleItems() == frames.visibleItems(atOffset: 0))
    }

    @Test func `Each behaviour has its stops`() {
        // 20 items in ten groups of 292.5 wide: 2925, so 2535 to scroll
        func stops(_ scrolling: LayoutScrolling) -> [Double] {
            let nearby = SectionLayout(
                group: column(fw(0.75), est(200), count: 2, item(fw(1), fh(1))), scrolling: scrolling,
                supplementaries: [header(abs(50))])
            return Array(SectionFrames(layout: nearby, container: phone, itemCount: 20).pageStops)
        }
        let groups = (0...8).map { Double($0) * 292.5 } + [2_535]  // 9 × 292.5 = 2632.5 is beyond the end
        expect(stops(.none), are: [0])
        expect(stops(.continuous), are: [])
        expect(stops(.continuousGroupLeadingBoundary), are: groups)
        expect(stops(.groupPaging), are: groups)
        expect(stops(.paging), are: [0, 390, 780, 1_170, 1_560, 1_950, 2_340, 2_535])
        // group i in the middle: 292.5 i + 146.25 − 195
        expect(stops(.groupPagingCentered), are: (0..<10).map { Double($0) * 292.5 - 48.75 })
    }
}
