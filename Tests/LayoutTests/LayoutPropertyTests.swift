import LayoutVectors
import MarqueeModel
import Testing

@testable import MarqueeLayout

@Suite("Properties of any layout") struct LayoutPropertyTests {
    private static let seeds = 0..<UInt64(200)
    private static let container = LayoutSize(width: 390, height: 844)

    private func frames(_ seed: UInt64, wild: Bool, rightToLeft: Bool = false) -> SectionFrames {
        var layouts = RandomLayouts(seed: seed, wild: wild)
        let layout = layouts.layout()
        let count = layouts.number(in: 0...300)
        let measured = layouts.isTrue(0.5) ? layouts.measured(of: count) : [:]
        return SectionFrames(
            layout: layout, container: LayoutPropertyTests.container, itemCount: count, measured: measured,
            rightToLeft: rightToLeft)
    }

    /// Rectangles all over a section, some sharing edges with items.
    private func rectangles(over frames: SectionFrames, _ seed: UInt64) -> [LayoutRect] {
        var random = RandomLayouts(seed: seed &+ 1_000_000, wild: false)
        var rectangles = [LayoutRect(x: -1e9, y: -1e9, width: 2e9, height: 2e9)]
        for _ in 0..<8 {
            rectangles.append(
                LayoutRect(
                    x: random.number(in: -100...(frames.contentSize.width + 100)),
                    y: random.number(in: -100...(frames.contentSize.height + 100)), width: random.number(in: 0...400),
                    height: random.number(in: 0...900)))
            if frames.itemCount > 0,
                let frame = frames.frame(ofItem: random.number(in: 0...(frames.itemCount - 1)))
            {
                rectangles.append(frame)
                rectangles.append(LayoutRect(x: frame.maxX, y: frame.y, width: 5, height: 5))
                rectangles.append(LayoutRect(x: frame.x, y: frame.maxY, width: 5, height: 5))
            }
        }
        return rectangles
    }

    private func everyItem(of frames: SectionFrames, in rect: LayoutRect) -> [Int] {
        guard rect.width > 0, rect.height > 0 else { return [] }
        return (0..<frames.itemCount).filter { frames.frame(ofItem: $0)?.intersects(rect) == true }
    }

    @Test func `Whatever fits its container stays inside it`() throws {
        for seed in LayoutPropertyTests.seeds {
            let frames = frames(seed, wild: false)
            for index in 0..<frames.itemCount {
                let frame = try #require(frames.frame(ofItem: index))
                #expect(
                    frame.x > -0.01 && frame.y > -0.01 && frame.width >= 0 && frame.height >= 0
                        && frame.maxY < frames.contentSize.height + 0.01
                        && frame.maxX < max(frames.contentSize.width, frames.container.width) + 0.01,
                    "seed \(seed), item \(index): \(frame) in \(frames.contentSize)")
            }
        }
    }

    @Test func `Visible items match an exhaustive search`() {
        for wild in [false, true] {
            for rightToLeft in [false, true] {
                for seed in LayoutPropertyTests.seeds {
                    let frames = frames(seed, wild: wild, rightToLeft: rightToLeft)
                    for rect in rectangles(over: frames, seed) {
                        #expect(
                            frames.items(in: rect) == everyItem(of: frames, in: rect),
                            "seed \(seed), wild \(wild), right to left \(rightToLeft), \(rect)")
                    }
                }
            }
        }
    }

    @Test func `Right to left mirrors every frame`() {
        for wild in [false, true] {
            for seed in LayoutPropertyTests.seeds {
                let frames = frames(seed, wild: wild)
                let mirrored = self.frames(seed, wild: wild, rightToLeft: true)
                let width = max(frames.contentSize.width, frames.container.width)
                #expect(mirrored.contentSize == frames.contentSize)
                for index in 0..<frames.itemCount {
                    #expect(mirrored.frame(ofItem: index) == frames.frame(ofItem: index)?.mirrored(in: width))
                    #expect(
                        mirrored.badgeFrames(ofItem: index).map(\.frame)
                            == frames.badgeFrames(ofItem: index).map { $0.frame.mirrored(in: width) })
                }
                #expect(
                    mirrored.supplementaryFrames.map(\.frame)
                        == frames.supplementaryFrames.map { $0.frame.mirrored(in: frames.container.width) })
                #expect(mirrored.decorationFrame == frames.decorationFrame?.mirrored(in: frames.container.width))
                // The initially visible part is mirrored on screen as well.
                if let frame = frames.frame(ofItem: 0), let other = mirrored.frame(ofItem: 0), !wild {
                    expect(
                        other.x - mirrored.initialOffset,
                        is: frames.container.width - (frame.x - frames.initialOffset) - frame.width)
                }
            }
        }
    }

    @Test func `Measured groups follow each other without a gap`() {
        for seed in LayoutPropertyTests.seeds {
            let strip = frames(seed, wild: true).strip
            var item = 0
            for index in 0..<strip.groupCount {
                #expect(strip[index].firstItem == item, "seed \(seed)")
                item += strip[index].resolved.slots.count
            }
        }
    }

    @Test func `Stops ascend, and the last is at the end of the content`() {
        for seed in LayoutPropertyTests.seeds {
            for rightToLeft in [false, true] {
                let frames = frames(seed, wild: false, rightToLeft: rightToLeft)
                let stops = Array(frames.pageStops)
                #expect(zip(stops, stops.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed)")
                guard let first = stops.first, let last = stops.last else { continue }
                expect(first, is: frames.offsetRange.lowerBound)
                expect(last, is: frames.offsetRange.upperBound)
            }
        }
    }

    @Test func `Every movement ends at a stop`() {
        for seed in LayoutPropertyTests.seeds {
            for rightToLeft in [false, true] {
                let frames = frames(seed, wild: false, rightToLeft: rightToLeft)
                let stops = Array(frames.pageStops)
                for offset in [-100, 0, 77.7, 400, 5_000, Double.nan, .infinity] {
                    for velocity in [-2_000, -1, 0, 1, 2_000, Double.nan, -Double.infinity] {
                        let end = frames.stop(after: offset, velocity: velocity)
                        #expect(stops.isEmpty ? frames.offsetRange.contains(end) : stops.contains(end))
                    }
                }
            }
        }
    }

    @Test func `Going from stop to stop visits all of them`() {
        for seed in LayoutPropertyTests.seeds {
            let frames = frames(seed, wild: false)
            let stops = Array(frames.pageStops)
            guard var offset = stops.first else { continue }
            var visited = [offset]
            while visited.count < stops.count {
                offset = frames.stop(after: offset, velocity: 0.001)
                visited.append(offset)
            }
            #expect(visited == stops, "seed \(seed)")
            for stop in stops.reversed().dropFirst() {
                offset = frames.stop(after: offset, velocity: -0.001)
                #expect(offset == stop, "seed \(seed)")
            }
        }
    }
}
