import Foundation
import MarqueeCatalogue
import MarqueeImport
import MarqueeModel
import MarqueePresetRecords
import MarqueeStore
import PresetSupport
import Testing

/// Charts in formats other than a daily box office.
@Suite struct ChartFormatTests {
    private let folder: ImportFolder
    private let store = MemoryStore()

    init() throws { folder = try ImportFolder() }

    private func run(
        _ text: String, category: String? = nil, country: String? = nil, date: String? = nil
    ) throws -> ImportReport {
        try Importer(store: store).chart(
            file: try folder.file("chart", text), id: "top", category: category, country: country,
            date: date.flatMap { CalendarDate($0) })
    }

    private static let weekly = """
        week\tcategory\tweekly_rank\tshow_title\tseason_title\tweekly_hours_viewed\truntime\tweekly_views\tcumulative_weeks_in_top_10
        2026-07-19\tFilms (English)\t1\tOrbit, "again"\tN/A\t16600000\t1.5\t11100000\t2
        2026-07-19\tTV (English)\t1\tHarbor\tHarbor: Season 2\t900\t\t\t1
        2026-07-19\tTV (English)\t2\tHarbor\tPart One\t800\t\t\t1
        2026-07-12\tFilms (English)\t1\tOrbit, "again"\tN/A\t100\t1.5\t50\t1

        """

    @Test func `Each category of a weekly top ten is a chart, and the earliest week is shown`() throws {
        let report = try run(ChartFormatTests.weekly)
        #expect(report.imported == 4)
        #expect(report.problems == [])
        let days = try store.chartDays()
        #expect(days.map(\.chart) == ["top.films-english", "top.films-english", "top.tv-english"])
        var film = ChartDay.Entry(key: #"Orbit, "again""#, title: #"Orbit, "again""#)
        film.hours = 16_600_000
        film.views = 11_100_000
        film.weeks = 2
        #expect(days[1].entries == [film])
        #expect(days[2].entries.map(\.key) == ["Harbor / Harbor: Season 2", "Harbor / Part One"])
        #expect(days[2].entries.map(\.title) == ["Harbor: Season 2", "Harbor: Part One"])
        #expect(days[2].entries[0].views == nil)
        #expect(try store.shownDays().map(\.description) == ["2026-07-12", "2026-07-19"])
    }

    @Test func `A single category takes the id, and an unknown one is an error`() throws {
        #expect(try run(ChartFormatTests.weekly, category: "Films (English)").imported == 2)
        #expect(try store.chartDays().map(\.chart) == ["top", "top"])
        let error = #expect(throws: ImportError.self) { try run(ChartFormatTests.weekly, category: "Opera") }
        #expect(error?.message.contains("it has 'Films (English)', 'TV (English)'") == true)
    }

    private static let countries = """
        country_name\tcountry_iso2\tweek\tcategory\tweekly_rank\tshow_title\tseason_title\tcumulative_weeks_in_top_10
        Argentina\tAR\t2026-07-19\tFilms\t1\tOrbit\tN/A\t2
        South Korea\tKR\t2026-07-19\tFilms\t1\tHarbor\tN/A\t1
        South Korea\tKR\t2026-07-19\tFilms\t2\tOrbit\tN/A\t3
        South Korea\tKR\t2026-07-19\tTV\t1\tLantern\tLantern: Season 1\t1

        """

    @Test(arguments: ["KR", "kr", "South Korea"])
    func `One country is imported from a file of many`(country: String) throws {
        let report = try run(ChartFormatTests.countries, country: country)
        #expect(report.imported == 3)
        #expect(report.problems == [])
        let days = try store.chartDays()
        #expect(days.map(\.chart) == ["top.films", "top.tv"])
        #expect(days[0].entries.map(\.title) == ["Harbor", "Orbit"])
        #expect(days[0].entries.map(\.weeks) == [1, 3])
    }

    @Test func `A file of many countries needs one that it has`() throws {
        let missing = #expect(throws: ImportError.self) { try run(ChartFormatTests.countries) }
        #expect(missing?.message.contains("--country") == true)
        let unknown = #expect(throws: ImportError.self) { try run(ChartFormatTests.countries, country: "XX") }
        #expect(unknown?.message.contains("it has AR (Argentina), KR (South Korea)") == true)
        #expect(throws: ImportError.self) { try run(ChartFormatTests.weekly, country: "KR") }
        #expect(try store.chartDays() == [])
    }

    @Test func `A list without a date needs one`() throws {
        let text = """
            category\trank\tshow_title\tseason_title\thours_viewed_first_91_days\truntime\tviews_first_91_days
            Films (English)\t1\tOrbit\tN/A\t541800000\t1.6667\t325100000

            """
        #expect(throws: ImportError.self) { try run(text) }
        #expect(try run(text, date: "2026-07-19").imported == 1)
        #expect(try store.chartDays().map(\.date.description) == ["2026-07-19"])
    }

    private static let reservationHeader =
        "time_kst,rank,movie_name,reservation_rate_pct,reserved_audience,reserved_sales_krw,audience_total,sales_total_krw\n"

    @Test func `Reservations have several lists a day, with ties and gaps`() throws {
        let report = try run(
            ChartFormatTests.reservationHeader + """
                2026-01-20 19:11,1,휴민트,12.5,37412,526170540,378,5670000
                2026-01-20 19:11,3,"왕, 남자",10.3,30725,349063510,349,3141000
                2026-01-20 19:11,3,가,0.0,1,2,3,4
                2026-01-20 19:11,3,나,0.0,1,2,3,4
                2026-01-20 20:02,1,휴민트,12.6,37500,526170999,378,5670000
                2026-01-20 20:02,0,휴민트,12.6,37500,526170999,378,5670000
                yesterday,1,휴민트,12.6,37500,526170999,378,5670000

                """)
        #expect(report.imported == 5)
        #expect(report.problems.map(\.line) == [7, 8])
        let days = try store.chartDays()
        #expect(days.map(\.step.description) == ["2026-01-20 19:11", "2026-01-20 20:02"])
        #expect(days[0].entries.map(\.key) == ["휴민트", "가", "나", "왕, 남자"], "ties are broken by key")
        #expect(days[0].entries.map(\.rank) == [nil, 3, nil, 3], "an entry states 3 where that isn't its position")
        let first = days[0].entries[0]
        #expect(first.share == 12.5)
        #expect(first.audience == 37_412)
        #expect(first.audienceToDate == 378)
        #expect(first.gross == 526_170_540)
        #expect(first.grossToDate == 5_670_000)
        #expect(first.currency == "KRW")
        #expect(
            try store.allChanges().contains { $0 == .show(chart: "top", days[0].step) })
    }

    @Test func `Two films with one name are told apart by their audience`() throws {
        func row(_ time: String, _ rank: Int, _ total: Int) -> String {
            "2026-01-20 \(time),\(rank),사랑,0.1,1,1,\(total),1\n"
        }
        _ = try run(
            ChartFormatTests.reservationHeader + row("01:00", 5, 1_217_000) + row("02:00", 5, 846_400)
                + row("02:00", 9, 1_217_205) + row("03:00", 4, 1_217_300) + row("04:00", 4, 846_500)
                + row("04:00", 5, 1_217_310))
        let days = try store.chartDays()
        #expect(days.map { $0.entries.map(\.title) } == [["사랑"], ["사랑", "사랑"], ["사랑"], ["사랑", "사랑"]])
        #expect(
            days.map { $0.entries.map(\.key) } == [["사랑"], ["사랑 (2)", "사랑"], ["사랑"], ["사랑 (2)", "사랑"]])
    }

    @Test func `A daily top ten of JSON is imported`() throws {
        var movie = Movie(id: 7, title: "What If")
        movie.titles = ["ko": "만약에 우리"]
        movie.releaseDate = CalendarDate("2025-12-31")
        _ = try store.write([
            .catalogue(key: nil, changes: [.types(PresetCatalogue.types), movie.change], mutation: nil)
        ])
        let report = try run(
            #"""
            {"date": "20260119", "movies": [
             {"rank": "2", "rankInten": "0", "rankOldAndNew": "NEW", "movieCd": "2", "movieNm": "둘", "openDt": "", "salesAmt": ""},
             {"rank": "5", "rankInten": "-2", "rankOldAndNew": "OLD", "movieCd": "5", "movieNm": "다섯"},
             {"rank": "1", "rankInten": "3", "rankOldAndNew": "OLD", "movieCd": "20249255", "movieNm": "만약에 우리", "openDt": "2025-12-31", "salesAmt": "470408840",
              "salesShare": "34.5", "salesAcc": "15830139090", "audiCnt": "48031", "audiAcc": "1621870", "scrnCnt": "986"},
             {"rank": "x", "movieCd": "3", "movieNm": "셋"}, {"rank": "4", "movieNm": "넷"}]}
            """#)
        #expect(report.imported == 3)
        #expect(
            report.problems.map(\.reason) == [
                "movie 4: 'rank' is not a number but 'x'", "movie 5: 'movieCd' is missing",
            ])
        let entries = try #require(try store.chartDays().first).entries
        #expect(entries.map(\.key) == ["20249255", "2", "5"])
        #expect(entries.map(\.rank) == [nil, nil, 5])
        #expect(entries.map(\.previousRank) == [4, nil, 3])
        #expect(entries.map(\.isNew) == [nil, true, nil])
        #expect(entries[0].movie == 7)
        #expect(entries[0].gross == 470_408_840)
        #expect(entries[0].share == 34.5)
        #expect(entries[0].daysInRelease == 20)
        #expect(entries[0].theaters == 986)
    }

    @Test func `A file that isn't a chart is refused`() throws {
        for text in ["", "a,b,c\n1,2,3\n", "{}", #"{"date":"x","movies":[]}"#, #"{"date":"20260119"}"#] {
            #expect(throws: ImportError.self) { try run(text) }
        }
    }
}
