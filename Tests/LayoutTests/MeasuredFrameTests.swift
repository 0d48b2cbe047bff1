import MarqueeLayout
import MarqueeModel
import Testing

@Suite("Estimated sizes, once measured") struct MeasuredFrameTests {
    private let container = LayoutSize(width: 300, height: 600)

    private func frames(
        _ layout: SectionLayout, items: Int, heights: [Int: Double] = [:], widths: [Int: Double] = [:]
    ) -> SectionFrames {
        var measured: [Int: LayoutSize] = [:]
        for index in Set(heights.keys).union(widths.keys) {
            measured[index] = LayoutSize(width: widths[index] ?? 0, height: heights[index] ?? 0)
        }
        return SectionFrames(layout: layout, container: container, itemCount: items, measured: measured)
    }

    @Test func `A measured item moves everything below it`() {
        let layout = SectionLayout(group: row(fw(1), est(40), item(fw(1), est(40))), spacing: 5)
        let frames = frames(layout, items: 4, heights: [1: 70, 2: 10])
        expect(frames.frame(ofItem: 0), is: rect(0, 0, 300, 40))
        expect(frames.frame(ofItem: 1), is: rect(0, 45, 300, 70))
        expect(frames.frame(ofItem: 2), is: rect(0, 120, 300, 10))  // 45 + 70 + 5
        expect(frames.frame(ofItem: 3), is: rect(0, 135, 300, 40))  // 120 + 10 + 5
        expect(frames.contentSize.height, is: 175)
        #expect(frames.items(in: rect(0, 116, 300, 10)) == [2])
    }

    @Test func `A row is as high as its tallest item`() {
        let layout = SectionLayout(group: row(fw(1), est(40), count: 3, item(fw(1), est(40))))
        let frames = frames(layout, items: 6, heights: [0: 30, 1: 90])
        expect(frames.frame(ofItem: 0), is: rect(0, 0, 100, 30))
        expect(frames.frame(ofItem: 1), is: rect(100, 0, 100, 90))
        expect(frames.frame(ofItem: 2), is: rect(200, 0, 100, 40))  // not measured: its estimate
        expect(frames.frame(ofItem: 3)?.y, is: 90)
    }

    @Test func `A column is as high as its items together`() {
        let layout = SectionLayout(
            group: column(abs(200), est(100), spacing: 4, item(fw(1), est(46))), scrolling: .continuous)
        // by estimate two fit: 46 + 4 + 46 = 96 ≤ 100. Measured, they are 80 and 46.
        let frames = frames(layout, items: 4, heights: [0: 80])
        expect(frames.frame(ofItem: 1), is: rect(0, 84, 200, 46))
        expect(frames.frame(ofItem: 2), is: rect(200, 0, 200, 46))
        // the section is as tall as its tallest group: 80 + 4 + 46
        expect(frames.contentSize.height, is: 130)
    }

    @Test func `An item that didn't fit keeps its measured size in the next column`() {
        let layout = SectionLayout(
            group: row(fw(1), abs(100), count: 2, column(fw(1), fh(1), item(fw(1), est(40)))))
        // two columns of two: 40 + 40 ≤ 100 < 120. Item 2 is tried in the first column and placed in the second.
        let frames = frames(layout, items: 4, heights: [2: 55])
        expect(frames.frame(ofItem: 2), is: rect(150, 0, 150, 55))
        expect(frames.frame(ofItem: 3), is: rect(150, 55, 150, 40))
    }

    @Test func `A scrolling section whose groups are all measured drops its estimate`() {
        let layout = SectionLayout(
            group: row(abs(100), est(80), item(fw(1), est(80))), scrolling: .continuous)
        expect(frames(layout, items: 2, heights: [0: 50, 1: 60]).contentSize.height, is: 60)
        expect(frames(layout, items: 2, heights: [0: 50]).contentSize.height, is: 80)
    }

    @Test func `A share is a fraction of its group even if both are estimated`() {
        let layout = SectionLayout(group: column(fw(1), est(100), count: 2, item(fw(1), est(1))))
        // shares of 50, whatever the items measure
        let frames = frames(layout, items: 4, heights: [0: 80])
        expect(frames.frame(ofItem: 0), is: rect(0, 0, 300, 50))
        expect(frames.frame(ofItem: 1), is: rect(0, 50, 300, 50))
        expect(frames.frame(ofItem: 2), is: rect(0, 100, 300, 50))
    }

    @Test func `A fraction of a row follows the row's measured size`() {
        let layout = SectionLayout(group: row(fw(1), est(40), item(fw(0.5), est(40)), item(fw(0.5), fh(1))))
        let frames = frames(layout, items: 2, heights: [0: 90])
        expect(frames.frame(ofItem: 1), is: rect(150, 0, 150, 90))
        expect(frames.contentSize.height, is: 90)
    }

    @Test func `Measured widths decide how many fit a row`() {
        let layout = SectionLayout(group: row(fw(1), abs(30), spacing: 10, item(est(90), fh(1))))
        // estimated: 90 + 10 + 90 + 10 + 90 = 290 ≤ 300, three per row
        expect(frames(layout, items: 4).frame(ofItem: 3), is: rect(0, 30, 90, 30))
        // measured: 140 + 10 + 150 = 300 fits; then 200 + 10 + 90 = 300 fits
        let measured = frames(layout, items: 5, widths: [0: 140, 1: 150, 2: 200])
        expect(measured.frame(ofItem: 1), is: rect(150, 0, 150, 30))
        expect(measured.frame(ofItem: 2), is: rect(0, 30, 200, 30))
        expect(measured.frame(ofItem: 3), is: rect(210, 30, 90, 30))
        expect(measured.frame(ofItem: 4), is: rect(0, 60, 90, 30))
    }

    @Test func `A measured size is ignored where nothing is estimated`() {
        let layout = SectionLayout(group: row(fw(1), est(40), item(fw(1), fh(1))))
        #expect(
            frames(layout, items: 3, heights: [0: 90]).contentSize == frames(layout, items: 3).contentSize)
        let absolute = SectionLayout(group: row(fw(1), abs(40), item(fw(1), abs(40))))
        expect(frames(absolute, items: 3, heights: [0: 90]).frame(ofItem: 1)?.y, is: 40)
    }

    @Test func `Measured sizes of missing items change nothing`() {
        let layout = SectionLayout(group: row(fw(1), est(40), count: 2, item(fw(1), est(40))))
        expect(frames(layout, items: 3, heights: [3: 90, -1: 90, 70_000: 1]).contentSize.height, is: 80)
    }

    @Test func `The last group counts only the items it holds`() {
        let layout = SectionLayout(group: row(fw(1), est(40), count: 2, item(fw(1), est(40))))
        // item 2 is alone in its group and 15 high
        expect(frames(layout, items: 3, heights: [2: 15]).contentSize.height, is: 55)
    }

    @Test func `Measuring in any order gives the same frames`() {
        let layout = SectionLayout(group: row(fw(1), est(40), item(fw(1), est(40))), spacing: 5)
        var forwards: [Int: LayoutSize] = [:]
        var backwards: [Int: LayoutSize] = [:]
        for index in 0..<200 {
            forwards[index] = LayoutSize(width: 0, height: Double(index % 7) + 0.1)
            backwards[199 - index] = LayoutSize(width: 0, height: Double((199 - index) % 7) + 0.1)
        }
        let a = SectionFrames(layout: layout, container: container, itemCount: 200, measured: forwards)
        let b = SectionFrames(layout: layout, container: container, itemCount: 200, measured: backwards)
        #expect((0..<200).map(a.frame(ofItem:)) == (0..<200).map(b.frame(ofItem:)))
    }

    @Test func `Centred stops follow measured groups`() {
        let layout = SectionLayout(
            group: row(est(100), abs(50), item(est(100), fh(1))), scrolling: .groupPagingCentered)
        // groups 100, 200, 100 wide: centres 50, 200, 350; the container's is 150
        let frames = frames(layout, items: 3, widths: [1: 200])
        expect(frames.pageStops, are: [-100, 50, 200])
        expect(frames.contentSize.width, is: 400)
    }
}
