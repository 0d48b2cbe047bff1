import LayoutVectors
import MarqueeModel
import Testing

@testable import MarqueeLayout

@Suite("Screens") struct ScreenLayoutTests {
    private let home = [
        ScreenLayout.Section(
            layout: SectionLayout(group: column(fw(1), abs(450), item(fw(1), fh(1))), insets: insets(0, 0, 20, 0)),
            itemCount: 1),
        ScreenLayout.Section(
            layout: SectionLayout(
                group: row(fw(0.9), est(200), count: 3, item(fw(0.3), fh(0.75), insets: insets(10, 5, 0, 5))),
                insets: insets(0, 5, 0, 5), scrolling: .continuous),
            itemCount: 9),
        ScreenLayout.Section(
            layout: SectionLayout(
                group: row(fw(1), fw(1 / 3), item(fw(1 / 3), fh(1))),
                supplementaries: [header(abs(40)), footer(abs(55))]),
            itemCount: 6),
    ]

    @Test func `Sections are stacked vertically`() {
        let screen = ScreenLayout(sections: home, container: phone)
        expect(screen.frame(ofSection: 0), is: rect(0, 0, 390, 470))  // 450 + 20
        expect(screen.frame(ofSection: 1), is: rect(0, 470, 390, 200))
        expect(screen.frame(ofSection: 2), is: rect(0, 670, 390, 355))  // 40 + 2 × 130 + 55
        #expect(screen.frame(ofSection: 3) == nil)
        expect(screen.contentSize.height, is: 1_025)
        expect(screen.contentSize.width, is: 390)
    }

    @Test func `Item frames follow their section and its offset`() {
        let screen = ScreenLayout(sections: home, container: phone)
        expect(screen.frame(ofItem: 3, inSection: 1), is: rect(352, 480, 104, 140))
        expect(screen.frame(ofItem: 3, inSection: 1, offset: 342), is: rect(10, 480, 104, 140))
        expect(screen.frame(ofItem: 3, inSection: 2), is: rect(0, 840, 130, 130))  // 670 + 40 + 130
        #expect(screen.frame(ofItem: 0, inSection: 3) == nil)
        #expect(screen.frame(ofItem: 1, inSection: 0) == nil)
    }

    @Test func `The screen shows the items within its rectangle`() {
        let screen = ScreenLayout(sections: home, container: phone)
        func shown(_ rect: LayoutRect, _ offsets: [Int: Double] = [:]) -> [[Int]] {
            screen.items(in: rect, offsets: offsets).map { [$0.section, $0.item] }
        }
        // basic at 10, 124, 238 and 352, each 104 wide; the grid's rows at 710 and 840
        #expect(
            shown(rect(0, 0, 390, 844)) == [
                [0, 0], [1, 0], [1, 1], [1, 2], [1, 3], [2, 0], [2, 1], [2, 2], [2, 3], [2, 4], [2, 5],
            ])
        #expect(shown(rect(0, 480, 390, 1), [1: 342]) == [[1, 3], [1, 4], [1, 5], [1, 6]])
        #expect(shown(rect(0, 470, 390, 10)).isEmpty)
        #expect(screen.sections(in: rect(0, 470, 390, 200)) == 1..<2)
        #expect(screen.sections(in: rect(0, 469, 390, 202)) == 0..<3)
        #expect(screen.sections(in: rect(0, 5_000, 390, 10)).isEmpty)
    }

    @Test func `Right to left mirrors the screen`() {
        let screen = ScreenLayout(sections: home, container: phone)
        let mirrored = ScreenLayout(sections: home, container: phone, rightToLeft: true)
        for (section, item) in screen.items(in: rect(0, 0, 390, 2_000)) {
            let frame = screen.frame(ofItem: item, inSection: section)
            expect(
                mirrored.frame(ofItem: item, inSection: section), is: frame?.mirrored(in: 390) ?? rect(0, 0, 0, 0))
        }
        let (shown, other) = (screen.items(in: rect(0, 0, 390, 844)), mirrored.items(in: rect(0, 0, 390, 844)))
        #expect(shown.count == other.count && zip(shown, other).allSatisfy { $0 == $1 })
    }

    @Test func `Sections in a rectangle match an exhaustive search`() {
        for seed in 0..<UInt64(50) {
            var layouts = RandomLayouts(seed: seed, wild: true)
            let sections = (0..<20).map { _ in
                ScreenLayout.Section(layout: layouts.layout(), itemCount: layouts.number(in: 0...30))
            }
            let screen = ScreenLayout(sections: sections, container: phone)
            for _ in 0..<10 {
                let rect = rect(
                    0, layouts.number(in: -100...max(screen.contentSize.height, 0)), 390, layouts.number(in: 1...900))
                let expected = sections.indices.filter {
                    screen.frame(ofSection: $0).map { $0.y < rect.maxY && rect.y < $0.maxY } == true
                }
                let found = screen.sections(in: rect).filter { screen.sections[$0].contentSize.height > 0 }
                #expect(found == expected.filter { screen.sections[$0].contentSize.height > 0 }, "seed \(seed)")
            }
        }
    }

    @Test func `An empty screen has no height`() {
        let screen = ScreenLayout(sections: [], container: phone)
        expect(screen.contentSize.height, is: 0)
        #expect(screen.items(in: rect(0, 0, 390, 844)).isEmpty)
    }
}

@Suite("Cost of layouts, in placements and tests") struct LayoutCostTests {
    private func screen(itemsPerSection: Int) -> ScreenLayout {
        let shapes: [SectionLayout] = [
            SectionLayout(
                group: row(fw(1), abs(100), count: 3, item(fw(1), fh(1))), supplementaries: [header(abs(30))]),
            SectionLayout(
                group: row(fw(0.9), est(200), count: 3, item(fw(0.3), fh(0.75))), scrolling: .continuous),
            SectionLayout(
                group: row(fw(1), abs(300), item(fw(0.7), fh(1)), column(fw(0.3), fh(1), count: 2, item(fw(1), fh(1)))),
                scrolling: .groupPagingCentered),
            SectionLayout(group: row(fw(1), est(40), item(fw(1), est(40))), spacing: 7, decoration: "background"),
        ]
        return ScreenLayout(
            sections: (0..<100).map { ScreenLayout.Section(layout: shapes[$0 % 4], itemCount: itemsPerSection) },
            container: phone)
    }

    @Test func `A hundred sections of a thousand items cost as much as those of one item`() {
        let large = screen(itemsPerSection: 1_000)
        let placements = large.sections.reduce(0) { $0 + $1.strip.placements }
        // group and items: 1 + 3, 1 + 3, 2 + 3 and 1 + 1, and the list tries one more that doesn't fit
        #expect(placements == 25 * (4 + 4 + 6 + 3))
        #expect(placements == screen(itemsPerSection: 1).sections.reduce(0) { $0 + $1.strip.placements })
        #expect(large.sections.allSatisfy { $0.itemCount == 1_000 })
    }

    @Test func `Finding visible items looks only at the groups near the rectangle`() {
        for shape in 0..<4 {
            var tests: [Int] = []
            for items in [1_000, 60_000] {
                let section = screen(itemsPerSection: items).sections[shape]
                let isSideways = section.scrolling != .none
                let middle = LayoutRect(
                    x: isSideways ? section.contentSize.width / 2 : 0, y: isSideways ? 0 : 5_000, width: 390,
                    height: 844)
                var count = 0
                let found = section.items(in: middle, tests: &count)
                #expect(!found.isEmpty)
                // the groups the rectangle crosses, plus up to two on each side, with at most three items
                #expect(count <= found.count + 12, "shape \(shape), \(items) items")
                tests.append(count)
            }
            #expect((tests[0] - tests[1]).magnitude <= 3, "shape \(shape)")
        }
    }

    @Test func `Only groups with measured items are placed again`() {
        let layout = SectionLayout(group: row(fw(1), est(40), count: 2, item(fw(1), est(40))))
        let size = LayoutSize(width: 0, height: 70)
        let frames = SectionFrames(
            layout: layout, container: phone, itemCount: 10_000, measured: [4: size, 5: size, 9_000: size])
        // one group by estimates, two with measured items, 1 + 2 each
        #expect(frames.strip.placements == 9)
        // 5,000 groups of 40, two of them 30 taller or, with one item measured, as tall as it
        expect(frames.contentSize.height, is: 200_060)
    }
}
