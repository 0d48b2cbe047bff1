import Foundation
import LayoutVectors
import MarqueeModel
import Testing

@testable import MarqueeLayout

@Suite("Explanations") struct ExplanationTests {
    private let container = LayoutSize(width: 400, height: 800)

    private func lines(
        _ layout: SectionLayout, items: Int = 4, item: Int? = 0, measured: [Int: LayoutSize] = [:],
        rightToLeft: Bool = false
    ) -> [String] {
        SectionFrames.explanation(
            layout: layout, container: container, itemCount: items, measured: measured, rightToLeft: rightToLeft,
            item: item
        ).lines
    }

    @Test func `An explanation matches the layout`() throws {
        for wild in [false, true] {
            for seed in 0..<UInt64(200) {
                var layouts = RandomLayouts(seed: seed, wild: wild)
                let layout = layouts.layout()
                let count = 1 + layouts.number(in: 0...100)
                let measured = layouts.isTrue(0.5) ? layouts.measured(of: count) : [:]
                let item = layouts.number(in: 0...(count - 1))
                let rightToLeft = layouts.isTrue(0.3)
                let frames = SectionFrames(
                    layout: layout, container: container, itemCount: count, measured: measured, rightToLeft: rightToLeft
                )
                let explanation = SectionFrames.explanation(
                    layout: layout, container: container, itemCount: count, measured: measured,
                    rightToLeft: rightToLeft, item: item)
                let frame = try #require(frames.frame(ofItem: item))
                #expect(explanation.frames.frame(ofItem: item) == frame)
                #expect(explanation.frames.supplementaryFrames == frames.supplementaryFrames)
                // Nothing about other items, and the frame comes last.
                let told = explanation.steps.filter { if case .item = $0.element { true } else { false } }
                #expect(told.allSatisfy { $0.element == .item(item) }, "seed \(seed)")
                #expect(told.last?.words == "frame: \(LayoutWords.frame(frame))", "seed \(seed)")
                for (index, supplementary) in frames.supplementaryFrames.enumerated() {
                    let last = explanation.steps.last {
                        $0.element == .supplementary(index, kind: supplementary.kind)
                    }
                    #expect(last?.words == "frame: \(LayoutWords.frame(supplementary.frame))", "seed \(seed)")
                }
            }
        }
    }

    @Test func `Without an item, only the section is explained`() {
        let layout = SectionLayout(group: row(fw(1), abs(80), item(fw(1), fh(1))), supplementaries: [header(abs(30))])
        let elements = SectionFrames.explanation(layout: layout, container: container, itemCount: 4).steps.map(
            \.element)
        #expect(Set(elements) == [.section, .supplementary(0, kind: "header")])
        #expect(lines(layout, item: 9) == lines(layout, item: nil))
    }

    @Test func `A nested group is named by its position`() {
        let layout = SectionLayout(
            group: row(
                fw(1), abs(300), spacing: 20, item(fw(0.6), fh(1)),
                column(fw(0.3), fh(1), insets: insets(10, 0, 0, 0), count: 2, item(fw(1), fh(1)))))
        let told = lines(layout, item: 2)
        #expect(
            told.contains(
                "  elements repeat along the width while they fit 400: 2 fit, 380 long with spacings of 20; one more would end at 640"
            ))
        // the second in the row: 0.6 × 400 = 240, then the spacing
        #expect(told.contains("group 1 in it"))
        #expect(told.contains("  in its group: x = the one before it 240 + spacing 20 = 260; y = 0"))
        #expect(told.contains("  insets top 10: inside it is 120 wide and 300 − 10 = 290 high"))
        #expect(told.contains("  2 equal elements share the height: 290 / 2 = 145"))
        #expect(told.contains("  in its group: x = 0; y = the group's inset 10 + the one before it 145 = 155"))
        #expect(told.contains("  frame: x 260, y 155, 120 × 145"))
    }

    @Test func `Measured sizes are given along with their estimates`() {
        let layout = SectionLayout(
            group: row(fw(1), est(40), item(fw(0.5), est(40)), item(fw(0.5), fh(1), insets: insets(1, 0, 0, 0))))
        let measured = [0: LayoutSize(width: 0, height: 90)]
        let first = lines(layout, item: 0, measured: measured)
        #expect(first.contains { $0.hasPrefix("  height: estimated 40, measured 90") })
        #expect(first.contains { $0.hasPrefix("  height: 90, that of its measured content") })
        let second = lines(layout, item: 1, measured: measured)
        #expect(second.contains { $0.hasPrefix("  its elements are placed again in the measured height of 90") })
        #expect(second.contains("  height: fraction of height 1 of 90 = 90"))
        #expect(second.contains("  frame: x 200, y 1, 200 × 89"))
        // the next group starts after the measured content
        let third = lines(layout, item: 2, measured: measured)
        #expect(
            third.contains(
                "  of the section's 2 groups, number 2: y = 90 after the first, including what was measured before it")
        )
    }

    @Test func `Badge anchors and offsets are explained`() {
        let badge = LayoutSupplementary(
            kind: "minus", width: abs(30), height: abs(30), edges: [.top, .trailing], offsetX: 0.25, offsetY: -0.6,
            offsetIsFractional: true)
        let layout = SectionLayout(group: row(fw(1), abs(200), item(fw(0.5), fh(1), badges: [badge])))
        let told = lines(layout)
        #expect(told.contains { $0.hasPrefix("  anchored at the item's trailing and top: 170, 0 inside its frame") })
        #expect(told.contains("  moved by 0.25 × 30 = 7.5 and −0.6 × 30 = −18"))
        #expect(told.contains("  frame: x 177.5, y −18, 30 × 30"))
    }

    @Test func `Mirroring is explained`() {
        let layout = SectionLayout(group: row(fw(1), abs(80), item(fw(0.25), fh(1))))
        #expect(
            lines(layout, item: 1, rightToLeft: true).contains {
                $0.hasPrefix("  from right to left: x = 400 − 100 − 100 = 200")
            })
    }

    @Test func `A screen explanation says where a section starts`() throws {
        let section = ScreenLayout.Section(
            layout: SectionLayout(group: row(fw(1), abs(80), item(fw(1), fh(1)))), itemCount: 2)
        let explanation = try #require(
            ScreenLayout.explanation(ofSection: 2, sections: [section, section, section], container: container))
        #expect(explanation.lines.prefix(2) == ["section", "  below the 2 preceding sections: y 320 on the screen"])
        #expect(ScreenLayout.explanation(ofSection: 3, sections: [section], container: container) == nil)
    }

    @Test func `The documentation lists every reading`() throws {
        var root = URL(filePath: #filePath)
        while root.lastPathComponent != "Tests" { root.deleteLastPathComponent() }
        let page = root.deletingLastPathComponent().appending(path: "Docs/layout.md")
        let words = try String(contentsOf: page, encoding: .utf8).split(whereSeparator: \.isWhitespace)
        let text = words.joined(separator: " ")
        let missing = LayoutAssumption.allCases.filter { !text.contains($0.sentence) }
        #expect(missing.isEmpty)
    }
}
