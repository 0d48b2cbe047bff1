import MarqueeLayout
import MarqueeModel
import Testing

@Suite("Sideways scrolling") struct ScrollingTests {
    /// Groups of 100 × 50, 10 apart, with insets of 20, in a container 250 wide.
    private func frames(
        _ scrolling: LayoutScrolling, items: Int = 6, rightToLeft: Bool = false
    ) -> SectionFrames {
        SectionFrames(
            layout: SectionLayout(
                group: row(abs(100), abs(50), item(fw(1), fh(1))), insets: insets(0, 20, 0, 20), spacing: 10,
                scrolling: scrolling),
            container: LayoutSize(width: 250, height: 500), itemCount: items, rightToLeft: rightToLeft)
    }

    // Six groups: 20 + 6 × 100 + 5 × 10 + 20 = 690 wide, so the largest offset is 690 − 250 = 440.

    @Test func `A section that doesn't scroll has one stop`() {
        expect(frames(.none).pageStops, are: [0])
        expect(frames(.none).stop(after: 80, velocity: 1_000), is: 0)
        expect(frames(.none).contentSize.width, is: 250)
    }

    @Test func `Continuous scrolling stops anywhere`() {
        let frames = frames(.continuous)
        #expect(frames.pageStops.isEmpty)
        expect(frames.offsetRange.lowerBound, is: 0)
        expect(frames.offsetRange.upperBound, is: 440)
        expect(frames.stop(after: 123, velocity: 0), is: 123)
        // coasts for 0.499 s worth of its speed: 100 + 200 × 0.499
        expect(frames.stop(after: 100, velocity: 200), is: 199.8)
        expect(frames.stop(after: 100, velocity: 9_000), is: 440)
        expect(frames.stop(after: 100, velocity: -9_000), is: 0)
    }

    @Test func `Leading boundaries are stops until the end of the content`() {
        let frames = frames(.continuousGroupLeadingBoundary)
        // a group's leading edge where the first one's was: multiples of 110 below 440, then 440
        expect(frames.pageStops, are: [0, 110, 220, 330, 440])
        expect(frames.stop(after: 50, velocity: 0), is: 0)
        expect(frames.stop(after: 60, velocity: 0), is: 110)
        // 110 + 500 × 0.499 = 359.5: past several, to the nearest
        expect(frames.stop(after: 110, velocity: 500), is: 330)
        // a slow flick never goes back: 120 + 10 × 0.499 is nearest to 110, but the next is 220
        expect(frames.stop(after: 120, velocity: 10), is: 220)
        expect(frames.stop(after: 220, velocity: -10), is: 110)
    }

    @Test func `Group paging moves one group at a time`() {
        let frames = frames(.groupPaging)
        expect(frames.pageStops, are: [0, 110, 220, 330, 440])
        expect(frames.stop(after: 110, velocity: 9_000), is: 220)
        expect(frames.stop(after: 110, velocity: -9_000), is: 0)
        expect(frames.stop(after: 164, velocity: 0), is: 110)
        expect(frames.stop(after: 440, velocity: 1), is: 440)
        expect(frames.stop(after: 0, velocity: -1), is: 0)
    }

    @Test func `Paging moves by the container's width`() {
        let frames = frames(.paging)
        // multiples of 250 below 440, then 440
        expect(frames.pageStops, are: [0, 250, 440])
        expect(frames.stop(after: 10, velocity: 1), is: 250)
        expect(frames.stop(after: 250, velocity: 1), is: 440)
        expect(frames.stop(after: 430, velocity: -1), is: 250)
        expect(frames.stop(after: 120, velocity: 0), is: 0)
    }

    @Test func `Centred paging also centres the first group and the last`() {
        let frames = frames(.groupPagingCentered)
        // group i is centred at 20 + 110 i + 50, the container at 125: offset 110 i − 55
        expect(frames.pageStops, are: [-55, 55, 165, 275, 385, 495])
        expect(frames.initialOffset, is: -55)
        expect(frames.offsetRange.lowerBound, is: -55)
        expect(frames.offsetRange.upperBound, is: 495)
        expect(frames.stop(after: 55, velocity: 3), is: 165)
        expect(frames.stop(after: 0, velocity: 0), is: -55)  // equally near to 55: the earlier one wins
    }

    @Test func `Content that fits has one stop`() {
        for scrolling in [LayoutScrolling.paging, .groupPaging, .continuousGroupLeadingBoundary] {
            expect(frames(scrolling, items: 1).pageStops, are: [0])
            expect(frames(scrolling, items: 0).pageStops, are: [0])
        }
        // one group centred: 20 + 50 − 125
        expect(frames(.groupPagingCentered, items: 1).pageStops, are: [-55])
        expect(frames(.groupPagingCentered, items: 0).pageStops, are: [0])
    }

    @Test func `Right to left starts at the other end`() {
        let frames = frames(.groupPaging, rightToLeft: true)
        // the content is 690 wide: the first item's left edge is 690 − 20 − 100
        expect(frames.frame(ofItem: 0), is: rect(570, 0, 100, 50))
        expect(frames.initialOffset, is: 440)
        expect(frames.pageStops, are: [0, 110, 220, 330, 440])  // 440 − each
        // scrolling right moves towards the start
        expect(frames.stop(after: 220, velocity: 1), is: 330)
        expect(frames.stop(after: 220, velocity: -1), is: 110)

        let centred = self.frames(.groupPagingCentered, rightToLeft: true)
        expect(centred.initialOffset, is: 495)  // 440 + 55
        expect(centred.pageStops, are: [-55, 55, 165, 275, 385, 495])
    }

    @Test func `A short row is on the right when read from right to left`() {
        let frames = frames(.continuous, items: 1, rightToLeft: true)
        expect(frames.frame(ofItem: 0), is: rect(130, 0, 100, 50))  // 250 − 20 − 100
        expect(frames.initialOffset, is: 0)
    }

    @Test func `Visible items follow the offset`() {
        let frames = frames(.continuous)
        // items at 20…120, 130…230, 240…340, 350…450, 460…560, 570…670
        #expect(frames.items(in: rect(0, 0, 250, 50)) == [0, 1, 2])
        #expect(frames.items(in: rect(120, 0, 250, 50)) == [1, 2, 3])
        #expect(frames.items(in: rect(440, 0, 250, 50)) == [3, 4, 5])
        #expect(frames.items(in: rect(230, 0, 10, 50)).isEmpty)
        #expect(frames.items(in: rect(0, 50, 690, 50)).isEmpty)
    }

    @Test func `The item at a point in the middle of the screen is found`() {
        let frames = frames(.paging)
        // the point offset + 10 + width / 2, 20: at offset 250 it is 250 + 10 + 125 = 385, inside 350…450
        let middle = frames.items(in: rect(250, 0, 250, 50)).filter {
            frames.frame(ofItem: $0)?.contains(x: 250 + 10 + 125, y: 20) == true
        }
        #expect(middle == [3])
    }
}
