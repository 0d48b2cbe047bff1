import LayoutVectors
import MarqueeModel
import Testing

@testable import MarqueeLayout

@Suite("Hostile layouts") struct HostileLayoutTests {
    private let container = LayoutSize(width: 390, height: 844)

    private func frames(_ group: LayoutNode, items: Int = 10, spacing: Double = 0) -> SectionFrames {
        SectionFrames(layout: SectionLayout(group: group, spacing: spacing), container: container, itemCount: items)
    }

    @Test func `Any layout gives finite frames`() throws {
        for seed in 0..<UInt64(1_000) {
            var layouts = RandomLayouts(seed: seed, wild: true)
            let layout = layouts.layout()
            let measured = layouts.measured(of: 40)
            let frames = SectionFrames(
                layout: layout, container: container, itemCount: 40, measured: measured, rightToLeft: seed % 2 == 0)
            #expect(frames.contentSize.width.isFinite && frames.contentSize.height.isFinite)
            #expect(frames.contentSize.width >= 0 && frames.contentSize.height >= 0)
            for index in 0..<40 {
                let frame = try #require(frames.frame(ofItem: index))
                #expect(frame.x.isFinite && frame.y.isFinite && frame.width >= 0 && frame.height >= 0)
                for badge in frames.badgeFrames(ofItem: index) {
                    #expect(badge.frame.x.isFinite && badge.frame.y.isFinite)
                }
            }
            #expect(frames.strip.placements <= 41 * 2 * LayoutLimits.placements)
            #expect(frames.pageStops.count <= LayoutLimits.stops)
            #expect(frames.stop(after: 10, velocity: 5).isFinite)
        }
    }

    @Test func `Negative and non-finite numbers count as zero`() {
        for width in [Double.nan, .infinity, -.infinity, -5] {
            expect(frames(row(abs(100), abs(10), item(abs(width), fh(1)))).frame(ofItem: 0), is: rect(0, 0, 0, 10))
            expect(frames(row(abs(100), abs(10), item(fw(width), fh(1)))).frame(ofItem: 0), is: rect(0, 0, 0, 10))
            expect(frames(row(abs(100), abs(10), item(est(width), fh(1)))).frame(ofItem: 0), is: rect(0, 0, 0, 10))
        }
        expect(frames(row(abs(100), abs(10), item(abs(1e300), fh(1)))).frame(ofItem: 0)?.width, is: 1_000_000)
        let insets = insets(.nan, .infinity, -.infinity, 3)
        expect(
            frames(row(abs(100), abs(10), item(fw(1), fh(1), insets: insets))).frame(ofItem: 0), is: rect(0, 0, 97, 10))
    }

    @Test func `An inset larger than its side leaves nothing`() {
        expect(
            frames(row(abs(100), abs(10), item(fw(1), fh(1), insets: insets(8, 0, 8, 0)))).frame(ofItem: 0),
            is: rect(0, 8, 100, 0))
    }

    @Test func `An item with negative insets reaches outwards and is still found`() {
        let frames = frames(row(fw(1), abs(10), item(fw(1), fh(1), insets: insets(-30, 0, -30, 0))), items: 100)
        expect(frames.frame(ofItem: 50), is: rect(0, 470, 390, 70))
        // the items whose 70 points reach 500…510: 30 above and 30 below
        #expect(frames.items(in: rect(0, 500, 390, 10)) == [47, 48, 49, 50, 51, 52, 53])
    }

    @Test func `Elements without size don't repeat for ever`() {
        let frames = frames(row(fw(1), abs(10), item(abs(0), fh(1)), item(abs(0), fh(1))))
        // the list is laid out once: two per group
        expect(frames.frame(ofItem: 1), is: rect(0, 0, 0, 10))
        expect(frames.frame(ofItem: 2), is: rect(0, 10, 0, 10))
    }

    @Test func `Groups without size share one position`() {
        let frames = frames(row(abs(0), abs(0), item(abs(5), abs(5))), items: 3)
        expect(frames.frame(ofItem: 2), is: rect(0, 0, 5, 5))
        #expect(frames.items(in: rect(0, 0, 1, 1)) == [0, 1, 2])
        expect(frames.contentSize.height, is: 0)
    }

    @Test func `Tiny elements fill a group up to its limit`() {
        let tiny = row(fw(1), abs(10), item(abs(1e-9), fh(1)))
        let frames = frames(tiny, items: 10_000)
        #expect(frames.strip.placements <= LayoutLimits.placements)
        // the group itself takes one placement
        expect(frames.frame(ofItem: LayoutLimits.placements - 2)?.y, is: 0)
        expect(frames.frame(ofItem: LayoutLimits.placements - 1)?.y, is: 10)
    }

    @Test func `Nested counts don't multiply beyond the limit`() {
        var node = item(fw(1), fh(1))
        for _ in 0..<6 { node = row(fw(1), fh(1), count: Int.max, node) }
        let frames = frames(node, items: LayoutLimits.items)
        #expect(frames.strip.placements <= LayoutLimits.placements)
        #expect(frames.frame(ofItem: LayoutLimits.items - 1) != nil)
    }

    @Test func `Nested estimates that are measured don't double beyond the limit`() {
        var node = item(fw(0.8), est(10))
        for _ in 0..<20 { node = row(fw(0.8), est(10), item(fw(0.1), est(10)), node, item(fw(0.1), fh(1))) }
        var measured: [Int: LayoutSize] = [:]
        for index in 0..<500 { measured[index] = LayoutSize(width: 10, height: 30) }
        let frames = SectionFrames(
            layout: SectionLayout(group: node), container: container, itemCount: 500, measured: measured)
        #expect(frames.strip.placements <= LayoutLimits.measuredPlacements + 3 * LayoutLimits.placements)
        // none of the 1 + 20 × 2 items is lost
        #expect(frames.strip[0].resolved.slots.count == 41)
        #expect(frames.strip[1].resolved.slots.count == 41)
    }

    @Test func `Placements that are discarded are bounded too`() {
        // Beside the first item a column of thousands is tried and doesn't fit: each group is expensive and holds one
        // item.
        let vain = column(abs(60), fh(1), item(fw(1), abs(1e-9)))
        let layout = SectionLayout(group: row(abs(100), est(10), item(abs(60), est(10)), vain))
        var measured: [Int: LayoutSize] = [:]
        for index in 0..<400 { measured[index] = LayoutSize(width: 0, height: 30) }
        let frames = SectionFrames(layout: layout, container: container, itemCount: 5_000, measured: measured)
        #expect(frames.strip.placements <= LayoutLimits.measuredPlacements + 3 * LayoutLimits.placements)
        // groups beyond the limit keep their estimates
        expect(frames.frame(ofItem: 0)?.height, is: 30)
        expect(frames.frame(ofItem: 399)?.height, is: 10)
    }

    @Test func `Nodes beyond the bound are left out`() {
        var deep = item(fw(1), fh(1))
        for _ in 0..<500 { deep = column(fw(1), fh(1), deep) }
        expect(frames(deep).frame(ofItem: 0), is: rect(0, 0, 390, 844))

        let wide = LayoutNode.group(
            axis: .vertical, width: fw(1), height: abs(1_000), insets: .zero, spacing: 0, count: nil,
            children: (0..<100).map { item(fw(1), abs($0 < SectionLayout.maximumNodes - 1 ? 1 : 500)) })
        // all but the first 63 are left out, so the list starts over after them
        expect(frames(wide, items: 70).frame(ofItem: 63), is: rect(0, 63, 390, 1))
    }

    @Test func `A group without children counts as one item`() {
        let empty = LayoutNode.group(
            axis: .horizontal, width: fw(1), height: abs(20), insets: .zero, spacing: 0, count: nil, children: [])
        expect(frames(empty).frame(ofItem: 2), is: rect(0, 40, 390, 20))
    }

    @Test func `An item in place of a group counts as a group of one`() {
        expect(frames(item(fw(0.5), abs(20))).frame(ofItem: 1), is: rect(0, 20, 195, 20))
    }

    @Test func `Items beyond the bound have no frame`() {
        let frames = frames(row(fw(1), abs(10), item(fw(1), fh(1))), items: .max)
        #expect(frames.itemCount == LayoutLimits.items)
        #expect(frames.frame(ofItem: LayoutLimits.items - 1) != nil)
        #expect(frames.frame(ofItem: LayoutLimits.items) == nil)
        #expect(frames.frame(ofItem: .min) == nil)
        #expect(self.frames(row(fw(1), abs(10), item(fw(1), fh(1))), items: -3).itemCount == 0)
    }

    @Test func `Supplementaries beyond the bound have no frame`() {
        let many = Array(repeating: header(abs(1)), count: 100)
        let layout = SectionLayout(
            group: row(fw(1), abs(10), item(fw(1), fh(1), badges: many)), supplementaries: many)
        let frames = SectionFrames(layout: layout, container: container, itemCount: 1)
        #expect(frames.supplementaryFrames.count == LayoutLimits.supplementaries)
        #expect(frames.badgeFrames(ofItem: 0).count == LayoutLimits.supplementaries)
    }

    @Test func `A container without size is laid out too`() {
        for side in [0, -1, Double.nan, .infinity] {
            for scrolling in LayoutScrolling.allCases {
                let frames = SectionFrames(
                    layout: SectionLayout(group: row(fw(1), fh(1), item(fw(1), fh(1))), scrolling: scrolling),
                    container: LayoutSize(width: side, height: side), itemCount: 5)
                expect(frames.frame(ofItem: 4), is: rect(0, 0, 0, 0))
                expect(frames.stop(after: 3, velocity: 1), is: 0)
            }
        }
    }

    @Test func `An invalid rectangle contains nothing`() {
        let frames = frames(row(fw(1), abs(10), item(fw(1), fh(1))))
        #expect(frames.items(in: rect(.nan, 0, 10, 10)).isEmpty)
        #expect(frames.items(in: rect(0, 0, .nan, 10)).isEmpty)
        #expect(frames.items(in: rect(0, 0, -10, 10)).isEmpty)
        #expect(frames.items(in: rect(0, 0, .infinity, .infinity)).count == 10)
    }
}
