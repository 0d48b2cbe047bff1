import LayoutVectors
import MarqueeModel
import Testing

@testable import MarqueeLayout

@Suite("Group elements for UIKit") struct GroupElementsTests {
    /// The layout as passed to UIKit: without counts, each group a list of elements with their own sizes.
    private func writtenOut(_ node: LayoutNode) -> LayoutNode {
        guard case .group(var group) = node, let elements = node.elements else { return node }
        let children: [LayoutNode]
        switch elements {
        case .list(let nodes, let spacing): (children, group.spacing) = (nodes, spacing)
        case .copies(let node, let count): (children, group.spacing) = (Array(repeating: node, count: count), 0)
        }
        group.count = nil
        group.children = children.map { writtenOut($0) }
        return .group(group)
    }

    private func nodes(in node: LayoutNode) -> Int {
        guard case .group(let group) = node else { return 1 }
        return group.children.reduce(1) { $0 + nodes(in: $1) }
    }

    @Test func `Copies without spacing are fractions of the group`() {
        // 342 wide: a share is 114, where the item's own width of 0.3 would have been 102.6
        let group = row(fw(0.9), est(200), count: 3, item(fw(0.3), fh(0.75), insets: insets(10, 5, 0, 5)))
        #expect(group.elements == .copies(item(fw(1 / 3), fh(0.75), insets: insets(10, 5, 0, 5)), count: 3))
        let down = column(fw(0.75), est(200), count: 2, item(fw(1), fh(1)))
        #expect(down.elements == .copies(item(fw(1), fh(0.5)), count: 2))
    }

    @Test func `Spacing is taken from each copy by insets`() {
        // (300 − 2 × 15) / 3 = 90 at 0, 105 and 210; the thirds begin at 0, 100 and 200
        let group = row(abs(300), abs(50), spacing: 15, count: 3, item(fw(0.9), fh(0.5)))
        #expect(
            group.elements
                == .list(
                    [
                        item(fw(1 / 3), fh(0.5), insets: insets(0, 0, 0, 10)),
                        item(fw(1 / 3), fh(0.5), insets: insets(0, 5, 0, 5)),
                        item(fw(1 / 3), fh(0.5), insets: insets(0, 10, 0, 0)),
                    ], spacing: 0))
    }

    @Test func `A list is unchanged`() {
        let tiles = [item(fw(0.5), fh(1)), item(fw(0.25), fh(1))]
        #expect(row(fw(1), abs(40), spacing: 4, tiles[0], tiles[1]).elements == .list(tiles, spacing: 4))
        #expect(item(fw(1), fh(1)).elements == nil)
    }

    @Test func `A count that comes from outside is bounded`() {
        func count(_ count: Int) -> Int? {
            guard case .copies(_, let copies) = row(fw(1), fh(1), count: count, item(fw(1), fh(1))).elements else {
                return nil
            }
            return copies
        }
        #expect([Int.max, 0, -5].map { count($0) } == [LayoutLimits.count, 1, 1])
    }

    @Test func `The elements for UIKit give the same frames as the engine`() {
        var compared = 0
        for seed in 0..<UInt64(400) {
            var layouts = RandomLayouts(seed: seed, wild: false)
            var layout = layouts.layout()
            let engine = SectionFrames(layout: layout, container: phone, itemCount: 60)
            let original = layout.group
            layout.group = writtenOut(original)
            // A layout beyond the engine's node limit would be truncated.
            guard layout.group != original, nodes(in: layout.group) <= SectionLayout.maximumNodes else { continue }
            compared += 1
            let written = SectionFrames(layout: layout, container: phone, itemCount: 60)
            for index in 0..<60 {
                let (one, other) = (engine.frame(ofItem: index), written.frame(ofItem: index))
                guard let one, let other else {
                    #expect(one == other, "seed \(seed), item \(index)")
                    continue
                }
                // If the spacings alone fill a group, there is no room to place anything.
                guard one.width > 0, one.height > 0 else { continue }
                let far = [one.x - other.x, one.y - other.y, one.maxX - other.maxX, one.maxY - other.maxY]
                #expect(far.allSatisfy { $0.magnitude < 0.01 }, "seed \(seed), item \(index): \(one) and \(other)")
            }
        }
        #expect(compared > 100)
    }
}
