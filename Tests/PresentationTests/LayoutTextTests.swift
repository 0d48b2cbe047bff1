import MarqueeClient
import MarqueeLayout
import MarqueeModel
import MarqueePresentation
import MarqueePresets
import Testing

@Suite("Screens as text with exact frames") struct LayoutTextTests {
    private let phone = LayoutSize(width: 390, height: 844)

    private func text(
        _ screen: Screen, _ edit: (inout ScreenPresentation.Options) -> Void = { _ in }
    ) -> String {
        var options = ScreenPresentation.Options(size: phone)
        edit(&options)
        return LayoutText.lines(of: ScreenPresentation(screen, options: options)).joined(separator: "\n")
    }

    private func movies(_ count: Int) -> [ScreenItem] {
        (1...count).map { SampleScreens.movie(UInt64($0), "Movie \($0)", year: 2_000 + $0) }
    }

    @Test func `Every visible element has its frame`() {
        let screen = SampleScreens.screen(
            SampleScreens.section("main", .main, SampleScreens.main, [movies(1)[0]]),
            SampleScreens.section(
                "rank", .rank, SampleScreens.rank, movies(10), header: "Top 10", sorts: ["popularity", "release-date"]),
            SampleScreens.section("action", .basic, SampleScreens.basic, movies(7), header: "Action"))
        // main 450 + 20; rank 44 + 312; basic 200; the first 18 points of basic are visible
        #expect(
            text(screen) == """
                screen home 390 × 844 of 390 × 1026 from 0
                section main kind main at 0, 0, 390 × 470 shows 1 of 1
                  item 0 at 0, 0, 390 × 450 id movie/1 hero "Movie 1" star off
                section rank kind rank at 0, 470, 390 × 356 shows 10 of 10
                  item 0 at 10, 524, 136 × 245.2 id movie/1 ranked "Movie 1" "2001" rank 1 star off
                  item 1 at 166, 524, 136 × 245.2 id movie/2 ranked "Movie 2" "2002" rank 2 star off
                  item 2 at 322, 524, 136 × 245.2 id movie/3 ranked "Movie 3" "2003" rank 3 star off
                  header at 0, 470, 390 × 44 "Top 10" sorts popularity* release-date
                section action kind basic at 0, 826, 390 × 200 shows 7 of 7
                  item 0 at 10, 836, 104 × 140 id movie/1 poster "Movie 1" "2001" star off
                  item 1 at 124, 836, 104 × 140 id movie/2 poster "Movie 2" "2002" star off
                  item 2 at 238, 836, 104 × 140 id movie/3 poster "Movie 3" "2003" star off
                  item 3 at 352, 836, 104 × 140 id movie/4 poster "Movie 4" "2004" star off
                """)
    }

    @Test func `A screen scrolls down, and a section sideways`() {
        let screen = SampleScreens.screen(
            SampleScreens.section("main", .main, SampleScreens.main, [movies(1)[0]]),
            SampleScreens.section("action", .basic, SampleScreens.basic, movies(7)),
            SampleScreens.section("list", .list, SampleScreens.list, movies(20)))
        // 470 + 200 + 50 + 5 + 20 × 80 + 19 × 7 = 2458; 1036 − 390 = 646 is the maximum offset of the basic section;
        // item 5 is the last in the second group: 5 + 342 + 2 × 114 + 5 = 580
        let scrolled = text(screen) {
            $0.offset = 600
            $0.sectionOffsets = ["action": 9_999]
            $0.size = LayoutSize(width: 390, height: 200)
        }
        #expect(
            scrolled == """
                screen home 390 × 200 of 390 × 2458 from 600
                section action kind basic at 0, -130, 390 × 200 shows 7 of 7 offset 646
                  item 5 at -66, -120, 104 × 140 id movie/6 poster "Movie 6" "2006" star off
                  item 6 at 48, -120, 104 × 140 id movie/7 poster "Movie 7" "2007" star off
                section list kind list at 0, 70, 390 × 1788 shows 20 of 20
                  background at 0, 70, 390 × 1788 background
                  item 0 at 20, 125, 350 × 80 id movie/1 row "Movie 1" "2001" star off
                  header at 20, 70, 350 × 50 ""
                """)
        // Offsets are clamped to the end.
        #expect(text(screen) { $0.offset = 1e9 }.hasPrefix("screen home 390 × 844 of 390 × 2458 from 1614\n"))
        #expect(text(screen) { $0.offset = -50 }.hasPrefix("screen home 390 × 844 of 390 × 2458 from 0\n"))
        #expect(text(screen) { $0.isFullHeight = true }.contains("item 19 at 20, 2378, 350 × 80"))
    }

    @Test func `Elements are in the order of their z-indices`() {
        func order(_ edit: (inout SectionLayout) -> Void) -> [String] {
            var list = SampleScreens.list
            edit(&list)
            let screen = SampleScreens.screen(SampleScreens.section("list", .list, list, movies(1), header: "All"))
            return text(screen).split(separator: "\n").dropFirst(2).map {
                $0.split(separator: " ").first.map(String.init) ?? ""
            }
        }
        #expect(order { _ in } == ["background", "item", "header"])
        #expect(order { $0.supplementaries[0].zIndex = -1 } == ["background", "header", "item"])
        #expect(order { $0.decoration?.zIndex = 0 } == ["background", "item", "header"])
        #expect(order { $0.decoration?.zIndex = 9 } == ["item", "header", "background"])
    }

    @Test func `A pinned header is where the screen is scrolled to, in front of its items`() throws {
        var list = SampleScreens.list
        list.supplementaries[0].isPinned = true
        let screen = SampleScreens.screen(SampleScreens.section("list", .list, list, movies(20), header: "All"))
        let scrolled = text(screen) { $0.offset = 600 }
        // 50 + 5 + 20 × 80 + 19 × 7 = 1788, so the header has room to stay
        #expect(scrolled.contains("\n  header at 20, 0, 350 × 50 \"All\""))
        var options = ScreenPresentation.Options(size: phone)
        func firstShape() throws -> Shape {
            let elements = ScreenPresentation(screen, options: options).elements
            let header = try #require(elements.last)
            return try #require(ElementDrawing(theme: .dark).shapes(of: header).first)
        }
        options.offset = 600
        #expect(
            try firstShape() == .box(LayoutRect(x: 20, y: 0, width: 350, height: 50), .color(Theme.dark.background)))
        options.offset = 0
        if case .box = try firstShape() { Issue.record("nothing is behind a header at its own place") }
    }

    @Test func `Badges stick out of their items`() {
        let screen = SampleScreens.screen(
            SampleScreens.section(
                "favorites", .favorites, SampleScreens.favorites,
                [
                    SampleScreens.movie(1, "New", mark: .pendingYes), SampleScreens.movie(2, "Old", mark: .yes),
                ]), id: .favorites)
        #expect(
            text(screen) == """
                screen favorites 390 × 844 of 390 × 234.44 from 0
                section favorites kind favorites at 0, 0, 390 × 234.44 shows 2 of 2
                  item 0 at 7, 12, 116 × 217.44 id movie/1 poster "New" star pending
                  item 1 at 137, 12, 116 × 217.44 id movie/2 poster "Old" star on
                  badge at 100.5, -6, 30 × 30 minus of item 0
                  badge at 230.5, -6, 30 × 30 minus of item 1
                """)
    }

    @Test func `Placeholders are where items will be`() {
        let screen = SampleScreens.screen(
            SampleScreens.section("rank", .rank, SampleScreens.rank, [], header: "Top 10", placeholders: 10),
            SampleScreens.section(
                "broken", .rank, SampleScreens.rank, [], header: "Chart", placeholders: 10, error: "no such chart"))
        #expect(
            text(screen) == """
                screen home 390 × 844 of 390 × 400 from 0
                section rank kind rank at 0, 0, 390 × 356 shows 0 of 0
                  placeholder 0 at 10, 54, 136 × 245.2
                  placeholder 1 at 166, 54, 136 × 245.2
                  placeholder 2 at 322, 54, 136 × 245.2
                  header at 0, 0, 390 × 44 "Top 10"
                section broken kind rank at 0, 356, 390 × 44 shows 0 of 0
                  header at 0, 356, 390 × 44 "Chart" error "no such chart"
                """)
    }

    @Test func `Unknown items are skipped and leave no gap`() {
        let unknown = SampleScreens.item(
            "x", ItemKind(rawValue: 99), .encoded(kind: ItemKind(rawValue: 99), bytes: [1]))
        let screen = SampleScreens.screen(
            SampleScreens.section("rank", .rank, SampleScreens.rank, [movies(1)[0], unknown, movies(2)[1]]),
            SampleScreens.section("only", .basic, SampleScreens.basic, [unknown]))
        #expect(
            text(screen) == """
                screen home 390 × 844 of 390 × 356 from 0
                section rank kind rank at 0, 0, 390 × 356 shows 2 of 3
                  item 0 at 10, 54, 136 × 245.2 id movie/1 ranked "Movie 1" "2001" rank 1 star off
                  item 1 at 166, 54, 136 × 245.2 id movie/2 ranked "Movie 2" "2002" rank 3 star off
                  header at 0, 0, 390 × 44 ""
                section only kind basic at 0, 356, 390 × 0 shows 0 of 1
                """)
    }

    @Test func `Estimated heights come from the text`() throws {
        let short = TextContent(text: "Top picks")
        let long = TextContent(
            text: "Because you searched for a language that can be read as well as it can be run",
            highlighted: "a language")
        let screen = SampleScreens.screen(
            SampleScreens.section(
                "text", .text, SampleScreens.text,
                [SampleScreens.item("1", .text, .text(short)), SampleScreens.item("2", .text, .text(long))]))
        // 20-point bold: lines of 26. One line + 12; three lines + 12 for 78 letters in 350 points. The bottom inset is
        // 8.
        #expect(
            text(screen) == """
                screen home 390 × 844 of 390 × 136 from 0
                section text kind text at 0, 0, 390 × 136 shows 2 of 2
                  item 0 at 20, 0, 350 × 38 id 1 text "Top picks"
                  item 1 at 20, 38, 350 × 90 id 2 text "Because you searched for a language that can be read as well as it can be run"
                """)
    }

    @Test func `A header of estimated height is as high as its text`() {
        func header(_ title: String, _ height: LayoutDimension) -> String? {
            let layout = SectionLayout(
                group: SampleScreens.list.group, supplementaries: [SampleScreens.band("header", height)])
            let screen = SampleScreens.screen(SampleScreens.section("list", .list, layout, movies(1), header: title))
            return text(screen).split(separator: "\n").first { $0.contains(" header ") }.map {
                String($0.prefix { $0 != "\"" }.dropFirst(2))
            }
        }
        let title = "Everything that was filmed between the mountains and the sea and never shown"
        // 20-point bold: lines of 26, three of them in 350 points, and 12
        #expect(header(title, .estimated(20)) == "header at 0, 0, 390 × 90 ")
        #expect(header("All", .estimated(20)) == "header at 0, 0, 390 × 38 ")
        // an estimate that has room for the text stays, and so does a height that isn't one
        #expect(header("All", .estimated(50)) == "header at 0, 0, 390 × 50 ")
        #expect(header(title, .absolute(20)) == "header at 0, 0, 390 × 20 ")
    }

    @Test func `What follows a measured header starts below it, and footers are measured too`() {
        let label = "Show everything that was ever filmed between the mountains and the sea"
        var layout = SampleScreens.list
        layout.supplementaries = [
            SampleScreens.band("header", .estimated(20)), SampleScreens.band("footer", .estimated(10), .bottom),
        ]
        let screen = SampleScreens.screen(
            SampleScreens.section(
                "list", .list, layout, movies(1), header: "All", footer: Supplement(title: label)))
        // header 38, inset 5, item 80; the label of 14-point letters takes two lines of 18, and 18
        #expect(text(screen).contains("item 0 at 20, 43, 350 × 80"))
        #expect(text(screen).contains("footer at 20, 123, 350 × 54 "))
    }

    @Test func `Views of any kind say what the section's head has for them`() {
        var layout = SampleScreens.list
        layout.supplementaries = [
            SampleScreens.band("season-banner", .absolute(30)),
            LayoutSupplementary(kind: "letter-index", width: .absolute(20), height: .estimated(10), edges: .leading),
            LayoutSupplementary(kind: "scale", width: .absolute(20), height: .absolute(10), edges: .trailing),
        ]
        let section = SampleScreens.section(
            "list", .list, layout, movies(1), header: "All",
            supplements: ["letter-index": Supplement(title: "A–Z"), "season-banner": Supplement(title: "May")])
        let lines = text(SampleScreens.screen(section)).split(separator: "\n").map(String.init)
        #expect(lines.contains("  season-banner at 20, 0, 350 × 30 \"May\""))
        // 13-point bold letters of 748, 500 and 668 thousandths: 1.01 × 13 × 1.916 = 25.16 wide, and 24
        #expect(lines.contains("  letter-index at 20, 35, 20 × 49.16 \"A–Z\""))
        #expect(lines.contains("  scale at 350, 35, 20 × 10"))
    }

    @Test func `Expanded prose makes a detail higher`() throws {
        var content = DetailContent(id: 1, title: "Heat")
        content.infoLine = "1995.12.15 │ US │ Crime │ 170 min"
        content.overview = String(repeating: "A very long story about a city and two men. ", count: 12)
        let screen = SampleScreens.screen(
            SampleScreens.section(
                "detail", .detail, SampleScreens.detail,
                [SampleScreens.item("detail", .detail, .detail(content), subject: "movie/1")]), id: .detail(1))
        func height(_ isExpanded: Bool) throws -> Double {
            var options = ScreenPresentation.Options(size: phone)
            options.isExpanded = isExpanded
            return ScreenPresentation(screen, options: options).layout.contentSize.height
        }
        let (folded, unfolded) = (try height(false), try height(true))
        #expect(folded > 390 * 9 / 16 + 100 && folded < 600)
        // 14-point lines are 18 high.
        #expect(unfolded > folded + 5 * 18)
        let lines = (unfolded - folded) / 18
        #expect((lines - lines.rounded()).magnitude < 1e-9)
    }

    @Test func `A section without a layout is shown as a list`() {
        let screen = SampleScreens.screen(
            SampleScreens.section("movies", .list, nil, movies(2), header: "Movies"))
        #expect(
            text(screen) == """
                screen home 390 × 844 of 390 × 222 from 0
                section movies kind list at 0, 0, 390 × 222 shows 2 of 2
                  item 0 at 15, 44, 360 × 80 id movie/1 row "Movie 1" "2001" star off
                  item 1 at 15, 132, 360 × 80 id movie/2 row "Movie 2" "2002" star off
                  header at 15, 0, 360 × 44 "Movies"
                """)
    }

    @Test func `A section of an unknown type takes no space`() {
        let unknown = SampleScreens.item("x", .other, .encoded(kind: .other, bytes: [1]))
        let screen = SampleScreens.screen(
            SampleScreens.section("first", .other, nil, [unknown], header: "Unknown"),
            SampleScreens.section("second", .other, nil, [], header: "Unknown", placeholders: 3),
            SampleScreens.section("movies", .list, nil, movies(1), header: "Movies"))
        let text = text(screen)
        #expect(text.contains("section movies kind list at 0, 0, 390 × 134"))  // 44 + 80 + 10
        #expect(!text.contains("Unknown") && !text.contains("placeholder"))
    }

    @Test func `A right-to-left screen is mirrored`() {
        let screen = SampleScreens.screen(
            SampleScreens.section("rank", .rank, SampleScreens.rank, movies(10), header: "Top"))
        // The first item is on the right: 390 − 10 − 136. Initially the section shows the end of its content, 1560 −
        // 390.
        #expect(
            text(screen) { $0.isRightToLeft = true } == """
                screen home 390 × 844 of 390 × 356 from 0
                section rank kind rank at 0, 0, 390 × 356 shows 10 of 10 offset 1170
                  item 0 at 244, 54, 136 × 245.2 id movie/1 ranked "Movie 1" "2001" rank 1 star off
                  item 1 at 88, 54, 136 × 245.2 id movie/2 ranked "Movie 2" "2002" rank 2 star off
                  item 2 at -68, 54, 136 × 245.2 id movie/3 ranked "Movie 3" "2003" rank 3 star off
                  header at 0, 0, 390 × 44 "Top"
                """)
    }

    @Test func `Quotes in titles don't end them`() {
        let screen = SampleScreens.screen(
            SampleScreens.section("rank", .rank, SampleScreens.rank, [SampleScreens.movie(1, #"A "B" \ C"#)]))
        #expect(text(screen).contains(#"ranked "A \"B\" \\ C" rank 1"#))
    }

    @Test func `Explanations match the layout`() throws {
        let screen = SampleScreens.screen(
            SampleScreens.section("main", .main, SampleScreens.main, [movies(1)[0]]),
            SampleScreens.section("rank", .rank, SampleScreens.rank, movies(10)))
        let presentation = ScreenPresentation(screen, options: .init(size: phone))
        let lines = try #require(presentation.explanation(ofSection: 1, item: 2)).lines
        #expect(lines.contains("  below the previous section: y 470 on the screen"))
        #expect(lines.contains("  frame: x 322, y 54, 136 × 245.2"))
        #expect(presentation.explanation(ofSection: 2, item: nil) == nil)
    }
}
