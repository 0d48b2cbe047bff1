import MarqueeLayout
import MarqueeModel
import Testing

@Suite("Sections without a layout") struct SectionDesignTests {
    private func frames(
        _ kind: SectionKind, items: Int = 5, header: Bool = true, footer: Bool = false, width: Double = 390,
        measured: [Int: LayoutSize] = [:]
    ) -> SectionFrames {
        var head = SectionHead(kind: kind)
        head.header = header ? Supplement(title: "Title") : nil
        head.footer = footer ? Supplement(title: "More") : nil
        return SectionFrames(
            layout: SectionDesign(of: kind).layout(for: head, in: .screen(width: width)),
            container: LayoutSize(width: width, height: 844), itemCount: items, measured: measured)
    }

    @Test func `Each kind has its design`() {
        let designs = SectionKind.names.map { ($0.1, SectionDesign(of: $0.0)) }
        func names(_ design: SectionDesign) -> [String] { designs.filter { $0.1 == design }.map(\.0) }
        #expect(names(.text) == ["detail", "text"])
        #expect(names(.picture) == ["main", "banner", "hero"])
        #expect(names(.tiles) == ["genres"])
        #expect(names(.grid) == ["grid"])
        #expect(names(.bare) == ["other"])
        #expect(SectionDesign(of: SectionKind(rawValue: 4_711)) == .bare)
    }

    @Test func `Lines are 80 high and 8 apart`() {
        let frames = frames(.list, footer: true)
        expect(frames.supplementaryFrames[0].frame, is: rect(15, 0, 360, 44))
        expect(frames.frame(ofItem: 0), is: rect(15, 44, 360, 80))
        expect(frames.frame(ofItem: 1), is: rect(15, 132, 360, 80))  // 44 + 80 + 8
        expect(frames.supplementaryFrames[1].frame.y, is: 486)  // 44 + 5 × 80 + 4 × 8 + 10
        expect(frames.contentSize.height, is: 530)
    }

    @Test func `Tiles are four to a line, and more on a wider screen`() {
        let phone = frames(.genres)
        expect(phone.frame(ofItem: 1), is: rect(107, 44, 84, 80))  // (360 − 3 × 8) / 4 = 84; 15 + 84 + 8
        expect(phone.frame(ofItem: 4), is: rect(15, 132, 84, 80))
        // 780 is two phones: eight; (750 − 7 × 8) / 8 = 86.75
        expect(frames(.genres, items: 9, width: 780).frame(ofItem: 7), is: rect(678.25, 44, 86.75, 80))
        expect(SectionDesign.tiles.leastWidth(), is: 84)
    }

    @Test func `A grid has three pictures to a line`() {
        let frames = frames(.grid, header: false)
        expect(frames.frame(ofItem: 2), is: rect(15 + 2 * (344.0 / 3 + 8), 0, 344.0 / 3, 200))  // 360 − 2 × 8 = 344
        expect(frames.frame(ofItem: 3), is: rect(15, 208, 344.0 / 3, 200))
    }

    @Test func `A picture is 240 high, and a text as high as it is`() {
        expect(frames(.hero, items: 1).frame(ofItem: 0), is: rect(15, 44, 360, 240))
        expect(frames(.detail, items: 1).frame(ofItem: 0), is: rect(15, 44, 360, 200))
        let measured = frames(.detail, items: 1, measured: [0: LayoutSize(width: 360, height: 510)])
        expect(measured.frame(ofItem: 0), is: rect(15, 44, 360, 510))
        expect(measured.contentSize.height, is: 564)  // 44 + 510 + 10
    }

    @Test(arguments: [SectionKind.other, SectionKind(rawValue: 4_711)])
    func `A section of an unknown type or kind takes no space but that of its items`(kind: SectionKind) {
        let empty = frames(kind, items: 0, footer: true)
        #expect(empty.supplementaryFrames.isEmpty)
        expect(empty.contentSize.height, is: 0)
        expect(frames(kind, items: 2).contentSize.height, is: 168)  // 2 × 80 + 8
    }

    @Test func `A grid with nothing but words is shown as lines, and no other kind changes`() {
        for (kind, name) in SectionKind.names {
            let words = SectionDesign(of: kind, hasOnlyWords: true)
            #expect(words == (kind == .grid ? .lines : SectionDesign(of: kind)), "\(name)")
        }
    }
}
