import MarqueeLayout
import MarqueeModel
import Testing

@Suite("Frames by where insets begin") struct InsetsReferenceTests {
    private func frames(
        _ reference: LayoutInsetsReference, width: Double = 390, surroundings: LayoutSurroundings? = nil,
        rightToLeft: Bool = false
    ) -> SectionFrames {
        SectionFrames(
            layout: SectionLayout(
                group: row(fw(1), abs(100), item(fw(0.5), fh(1))), insets: insets(7, 5, 9, 10),
                insetsReference: reference, supplementaries: [header(abs(30))]),
            container: LayoutSize(width: width, height: 844), itemCount: 2, rightToLeft: rightToLeft,
            surroundings: surroundings)
    }

    @Test func `Insets begin at the screen's edges unless a layout says otherwise`() {
        for reference in [LayoutInsetsReference.automatic, .none, .safeArea] {
            // 390 − 5 − 10 = 375
            expect(frames(reference).frame(ofItem: 0), is: rect(5, 37, 187.5, 100))
        }
    }

    @Test func `Insets from the margins are that much longer, for headers too`() {
        // 16 + 5 = 21 and 16 + 10 = 26: 390 − 21 − 26 = 343
        let phone = frames(.layoutMargins)
        expect(phone.frame(ofItem: 1), is: rect(21 + 171.5, 37, 171.5, 100))
        expect(phone.supplementaryFrames[0].frame, is: rect(21, 0, 343, 30))
        expect(phone.contentSize.height, is: 146)  // 30 + 7 + 100 + 9
        expect(frames(.layoutMargins, rightToLeft: true).supplementaryFrames[0].frame, is: rect(26, 0, 343, 30))
        // from 414 on, margins are 20: 430 − 25 − 30 = 375
        expect(frames(.layoutMargins, width: 430).supplementaryFrames[0].frame, is: rect(25, 0, 375, 30))
    }

    @Test func `Readable content is 672 wide, and never wider than the margins leave`() {
        // (1,024 − 672) / 2 = 176
        expect(frames(.readableContent, width: 1_024).supplementaryFrames[0].frame, is: rect(181, 0, 657, 30))
        expect(frames(.readableContent).supplementaryFrames[0].frame, is: rect(21, 0, 343, 30))
    }

    @Test func `An app's own surroundings count`() {
        let sideways = LayoutSurroundings(
            safeArea: insets(0, 47, 21, 47), layoutMargins: insets(0, 67, 0, 67), readableContent: insets(0, 86, 0, 86))
        func x(_ reference: LayoutInsetsReference) -> Double? {
            frames(reference, width: 844, surroundings: sideways).supplementaryFrames.first?.frame.x
        }
        expect(LayoutInsetsReference.allCases.compactMap(x), are: [52, 5, 52, 72, 91])
    }

    @Test func `An explanation says where insets begin`() {
        let layout = SectionLayout(
            group: row(fw(1), abs(80), item(fw(1), fh(1))), insets: insets(0, 4, 0, 0), insetsReference: .layoutMargins)
        let lines = SectionFrames.explanation(layout: layout, container: phone, itemCount: 1).lines
        #expect(
            lines.contains { $0.hasPrefix("  its insets begin at the screen's margins: leading 16, trailing 16 more") })
        #expect(lines.contains("  insets leading 20, trailing 16"))
        #expect(lines.contains("  width for its groups: 390 − 20 − 16 = 354"))
    }
}
