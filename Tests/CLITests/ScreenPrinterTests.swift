import MarqueeClient
import MarqueeModel
import MarqueePresets
import MarqueeScreenJSON
import Testing

@testable import marquee

struct ScreenPrinterTests {
    private let printer = ScreenPrinter(columns: 60, rows: 3, style: .plain)

    @Test func `A screen is printed as a table`() {
        let screen = Screens.screen(
            [
                Screens.section(
                    "popular", .rank, title: "Popular now", total: 4_803, sort: "popularity",
                    [
                        Screens.movie(1, "Inception", year: 2010, rating: 8.13, mark: .yes),
                        Screens.movie(2, "기생충", year: 2019, rating: 8.5, mark: .pendingYes),
                        Screens.movie(3, "Untitled"), Screens.movie(4, "Fourth"), Screens.movie(5, "Fifth"),
                    ])
            ], revision: 124)
        #expect(
            printer.lines(of: screen, note: "(live)") == [
                "Home  revision 124 (live)",
                "",
                "Popular now  popular · by popularity · 5 of 4,803",
                "   1  ♥ Inception  2010  ★ 8.1",
                "   2  ♡ 기생충     2019  ★ 8.5",
                "   3    Untitled",
                "  +2 more",
            ])
    }

    @Test func `No line is wider than the terminal`() {
        let long = String(repeating: "긴 제목 ", count: 40)
        var detail = DetailContent(id: 1, title: long)
        detail.overview = long
        detail.infoLine = long
        let screen = Screens.screen(
            [
                Screens.section(
                    "popular", .rank, title: long, sort: "popularity", [Screens.movie(1, long, year: 2010, rating: 8)]),
                Screens.section("detail", .detail, [Screens.item("d", .detail, .detail(detail))]),
                Screens.section("tiles", .genres, [Screens.item("g", .genre, .genre(GenreContent(id: 1, name: long)))]),
            ], title: long)
        for columns in [20, 33, 80] {
            for line in ScreenPrinter(columns: columns, rows: 10, style: .plain).lines(of: screen) {
                #expect(TextWidth.columns(line) <= columns)
            }
        }
    }

    @Test func `Narrow terminals keep the title and lose the facts`() {
        let section = Screens.section("popular", .rank, [Screens.movie(1, "The Dark Knight", year: 2008, rating: 8.5)])
        let lines = ScreenPrinter(columns: 24, rows: 0, style: .plain).lines(of: section)
        #expect(lines.last == "   1  The Dark Knight")
    }

    @Test func `A chart shows money`() {
        let lines = printer.lines(
            of: Screens.section("chart", .chart, [Screens.entry("a", "Frozen", gross: 1_234_567)]))
        #expect(lines == ["chart  1", "   1  Frozen  $1,234,567"])
    }

    @Test func `Genres are tiles in two lines`() {
        let names = ["Action", "Documentary", "Animation", "Comedy", "History", "Romance", "Fantasy"]
        let items = names.enumerated().map { index, name in
            Screens.item("\(index)", .genre, .genre(GenreContent(id: UInt64(index), name: name)))
        }
        let narrow = ScreenPrinter(columns: 30, rows: 10, style: .plain)
        #expect(
            narrow.lines(of: Screens.section("genres", .genres, items)) == [
                "genres  7", "  [Action] [Documentary]", "  [Animation] [Comedy]", "  +3 more",
            ])
    }

    @Test func `A detail is a block`() {
        var detail = DetailContent(id: 496_243, title: "Parasite")
        detail.originalTitle = "기생충"
        detail.releaseDate = CalendarDate(year: 2019, month: 5, day: 30)
        detail.infoLine = "2019.05.30 │ KR │ Comedy │ 133 min"
        detail.certification = CertificationContent(country: "US", code: "R", label: "adults only", colorClass: .adult)
        detail.directors = ["Bong Joon-ho"]
        detail.voteAverage = 8.5
        detail.voteCount = 1
        detail.overview = "All unemployed, Ki-taek's family takes peculiar interest in the wealthy and glamorous Parks."
        let section = Screens.section("detail", .detail, [Screens.item("d", .detail, .detail(detail), mark: .yes)])
        #expect(
            printer.lines(of: section) == [
                "detail  1",
                "  Parasite (2019)  ♥",
                "  original title: 기생충",
                "  2019.05.30 │ KR │ Comedy │ 133 min",
                "  R (adults only) · ★ 8.5 (1 vote)",
                "  directed by Bong Joon-ho",
                "  All unemployed, Ki-taek's family takes peculiar interest",
                "  in the wealthy and glamorous Parks.",
            ])
    }

    @Test(arguments: [
        (
            PresetContent.credit(CreditContent(person: 1, name: "Song Kang-ho", character: "Ki-taek")), "Song Kang-ho",
            "as Ki-taek"
        ),
        (.credit(CreditContent(person: 1, name: "Han", job: "Director")), "Han", "Director"),
        (.place(PlaceContent(title: "Seoul", distance: "2 km")), "Seoul", "2 km"),
        (
            .text(TextContent(text: "Try it", action: ScreenAction(id: "open", title: "Go", target: "genre/28"))),
            "Try it", "→ genre/28"
        ),
        (.genre(GenreContent(id: 1, name: "Drama", movies: 2)), "Drama", "2 movies"),
    ])
    func `Each kind has its words`(_ content: PresetContent, _ title: String, _ fact: String) {
        let text = ItemText(.preset(content))
        #expect(text.title == title)
        #expect(text.cells.map(\.text) == [fact])
    }

    @Test func `A chart is numbered by its source and says how each entry moved`() {
        var entries = ["One", "Two", "Three", "Four"].map { ChartEntryContent(title: $0) }
        (entries[0].previousRank, entries[1].rank, entries[1].previousRank) = (3, 1, 1)
        entries[2].isNew = true
        entries[3].previousRank = 2
        let items = entries.map { Screens.item($0.title, .chartEntry, .chartEntry($0)) }
        #expect(
            RowTable(items).lines(within: 80) == [
                "   1  One    ▲2", "   1  Two    =", "   3  Three  NEW", "   4  Four   ▼2",
            ])
    }

    @Test func `A section that is hidden while it is empty isn't printed`() {
        let screen = Screens.screen([
            Screens.section("package", .list, []), Screens.section("other", .list, title: "Other", []),
        ])
        let lines = printer.lines(of: screen)
        #expect(!lines.contains { $0.contains("package") } && lines.contains { $0.hasPrefix("Other") }, "\(lines)")
        #expect(lines.count { $0 == "  (empty)" } == 1)
    }

    @Test func `A title is not cut for a long fact beside it`() {
        var banner = BannerContent(title: "An hour a day goes a long way")
        banner.caption = "Courses by people who do it for a living, to be taken at your own pace, wherever you are."
        let line = RowTable([Screens.item("a", .banner, .banner(banner))]).lines(within: 80)
        #expect(line.count == 1 && line[0].hasPrefix("   1  An hour a day goes a long way  Courses by people who"))
        #expect(line.allSatisfy { TextWidth.columns($0) <= 80 && $0.hasSuffix("…") })
    }

    @Test func `An unknown kind is shown as such`() {
        let text = ItemText(.encoded(kind: ItemKind(rawValue: 42), bytes: [UInt8](repeating: 0, count: 17)))
        #expect(text.title == "(unknown kind 42, 17 bytes)")
    }

    @Test func `Nothing from the wire reaches the terminal uncleaned`() {
        let evil = "\u{1B}[2J\u{202E}evil\u{9B}"
        var banner = BannerContent(title: evil)
        banner.caption = evil
        var detail = DetailContent(id: 1, title: evil)
        detail.overview = evil
        detail.directors = [evil]
        let screen = Screens.screen(
            [
                Screens.section(
                    evil, .rank, title: evil, [Screens.movie(1, evil), Screens.item("b", .banner, .banner(banner))]),
                Screens.section("d", .detail, [Screens.item("d", .detail, .detail(detail))]),
            ], title: evil)
        let other = Screens.screen([Screens.section(evil, .rank, [Screens.movie(1, "\(evil)2")])])
        let difference = ScreenDifference(from: screen, to: other, changes: Screens.changes(from: screen, to: other))
        let changes = ChangeWriter(columns: 80, rows: 0, style: .plain).lines(difference, to: other)
        for line in printer.lines(of: screen) + changes {
            #expect(line.unicodeScalars.allSatisfy(TerminalText.isHarmless))
        }
    }
}
