import Foundation
import MarqueeCatalogue
import MarqueeImport
import MarqueeModel
import MarqueePresetRecords
import MarqueeStore
import PresetSupport
import SeededRandom
import Testing

/// Charts over time.
@Suite struct ChartImportTests {
    private static let header =
        "date,rank,rank_yesterday,release_id,title,gross_usd,theaters,gross_to_date_usd,days_in_release,distributor\n"

    private let folder: ImportFolder
    private let store = MemoryStore()

    init() throws { folder = try ImportFolder() }

    private func run(_ rows: String, id: String = "us-daily") throws -> ImportReport {
        try Importer(store: store).chart(file: try folder.file("chart.csv", ChartImportTests.header + rows), id: id)
    }

    private func add(_ id: UInt64, _ title: String, _ date: String?) throws {
        var movie = Movie(id: id, title: title)
        movie.releaseDate = date.flatMap { CalendarDate($0) }
        _ = try store.write([
            .catalogue(key: nil, changes: [.types(PresetCatalogue.types), movie.change], mutation: nil)
        ])
    }

    @Test func `Each day is stored in order of rank, and the first is shown`() throws {
        let report = try run(
            """
            2014-01-01,2,,rl2,Her,100,3,200,15,
            2014-01-01,1,1,rl1,Frozen,8718939,3335,271811587,41,Walt Disney
            2014-01-02,1,2,rl1,Frozen,,,,,

            """)
        #expect(report.rows == 3)
        #expect(report.imported == 3)
        #expect(report.bad == 0)
        let days = try store.chartDays()
        #expect(days.map(\.date.description) == ["2014-01-01", "2014-01-02"])
        #expect(days.map { $0.entries.map(\.key) } == [["rl1", "rl2"], ["rl1"]])
        var first = ChartDay.Entry(key: "rl1", title: "Frozen")
        first.previousRank = 1
        first.gross = 8_718_939
        first.grossToDate = 271_811_587
        first.theaters = 3_335
        first.daysInRelease = 41
        first.distributor = "Walt Disney"
        #expect(days.first?.entries.first == first)
        var second = ChartDay.Entry(key: "rl1", title: "Frozen")
        second.previousRank = 2
        #expect(days.last?.entries == [second])
        #expect(try store.shownDays().map(\.description) == ["2014-01-01"])
    }

    @Test func `A chart that shows a day keeps showing it`() throws {
        _ = try run("2014-01-05,1,,rl1,Frozen,1,1,1,1,\n")
        let report = try run("2014-01-04,1,,rl1,Frozen,1,1,1,1,\n")
        #expect(report.imported == 1)
        #expect(try store.shownDays().map(\.description) == ["2014-01-05"])
    }

    @Test func `Importing twice changes nothing`() throws {
        let rows = "2014-01-01,1,,rl1,Frozen,1,1,1,1,\n2014-01-02,1,,rl1,Frozen,1,1,1,2,\n"
        _ = try run(rows)
        let head = try store.catalogueHead()
        let again = try run(rows)
        #expect(again.unchanged == 2)
        #expect(again.imported == 0)
        #expect(try store.catalogueHead() == head)
    }

    @Test func `An entry is matched with the movie of the same title and time`() throws {
        try add(1, "The Host", "2006-07-27")
        try add(2, "The Host", "2013-03-22")
        try add(3, "AMÉLIE", "2001-04-25")
        try add(4, "Undated", nil)
        _ = try run(
            """
            2014-01-01,1,,a,The Host,1,1,1,286,
            2014-01-01,2,,b,the host,1,1,1,2600,
            2014-01-01,3,,c,The Host,1,1,1,1500,
            2014-01-01,4,,d,Amelie,1,1,1,4500,
            2014-01-01,5,,e,Undated,1,1,1,1,
            2014-01-01,6,,f,Nobody Knows,1,1,1,1,

            """)
        #expect(try store.chartDays().first?.entries.map(\.movie) == [2, 1, nil, 3, nil, nil])
    }

    @Test func `Of two matching movies, the nearest is taken`() throws {
        try add(1, "Twins", "2013-01-10")
        try add(2, "Twins", "2013-12-20")
        _ = try run("2014-01-01,1,,a,Twins,1,1,1,10,\n2014-01-01,2,,b,Twins,1,1,1,350,\n")
        #expect(try store.chartDays().first?.entries.map(\.movie) == [2, 1])
    }

    @Test func `Rows may come in any order`() throws {
        let rows = (1...9).flatMap { day in
            (1...4).map { "2014-01-0\(day),\($0),,rl\((day + $0) % 5),T\((day + $0) % 5),1,1,1,1,\n" }
        }
        _ = try run(rows.joined())
        let ordered = try store.chartDays()
        let shuffled = MemoryStore()
        var random = SeededGenerator(seed: 7)
        let file = try folder.file("s.csv", ChartImportTests.header + rows.shuffled(using: &random).joined())
        let report = try Importer(store: shuffled).chart(file: file, id: "us-daily")
        #expect(report.imported == rows.count)
        #expect(try shuffled.chartDays() == ordered)
        #expect(try shuffled.shownDays() == store.shownDays())
    }

    @Test func `An entry is matched with a movie whose punctuation differs`() throws {
        try add(1, "Battle: Los Angeles", "2013-12-01")
        try add(2, "Ocean's Eight", "2013-12-01")
        try add(3, "Spider-Man", "2013-12-01")
        _ = try run(
            """
            2014-01-01,1,,a,Battle Los Angeles,1,1,1,1,
            2014-01-01,2,,b,Oceans Eight,1,1,1,1,
            2014-01-01,3,,c,Spider Man,1,1,1,1,

            """)
        #expect(try store.chartDays().first?.entries.map(\.movie) == [1, 2, 3])
    }

    @Test func `An entry is matched by the original title too`() throws {
        var movie = Movie(id: 7, title: "Spirited Away")
        movie.originalTitle = "Sen to Chihiro"
        movie.releaseDate = CalendarDate("2013-12-01")
        _ = try store.write([
            .catalogue(key: nil, changes: [.types(PresetCatalogue.types), movie.change], mutation: nil)
        ])
        _ = try run("2014-01-01,1,,a,Sen to Chihiro,1,1,1,1,\n")
        #expect(try store.chartDays().first?.entries.map(\.movie) == [7])
    }

    @Test func `Bad rows are reported and the rest of the day is kept`() throws {
        let report = try run(
            """
            2014-01-01,1,,rl1,Frozen,1,1,1,1,
            2014-13-01,1,,rl1,Frozen,1,1,1,1,
            2014-01-01,0,,rl2,Her,1,1,1,1,
            2014-01-01,2,,rl1,Frozen,1,1,1,1,
            2014-01-01,2,,,Her,1,1,1,1,
            2014-01-01,2,,rl3,,1,1,1,1,
            2014-01-01,2,,rl4,Her,many,1,1,1,
            2014-01-02,1,,rl1,Frozen,1,1,1,1,
            2014-01-01,3,,rl5,Her,1,1,1,1,
            ,3,,rl5,Her,1,1,1,1,

            """)
        #expect(report.rows == 10)
        #expect(report.imported == 3)
        #expect(report.bad == 7)
        #expect(report.problems.map(\.line) == [3, 4, 5, 6, 7, 8, 11])
        #expect(try store.chartDays().map { $0.entries.map(\.key) } == [["rl1", "rl5"], ["rl1"]])
        #expect(try store.chartDays()[0].entries.map(\.rank) == [nil, 3], "a lost rank doesn't renumber the others")
    }

    @Test func `An invalid chart name is refused`() throws {
        let error = #expect(throws: ImportError.self) { try run("", id: "") }
        #expect(error?.code == .malformed)
    }

    @Test func `A chart without rows changes nothing`() throws {
        #expect(try run("") == ImportReport())
        #expect(try store.catalogueHead().revision == 0)
    }
}

/// Changes as lines of JSON.
@Suite struct NDJSONImportTests {
    @Test func `Each line is a change, and bad lines are reported`() throws {
        let folder = try ImportFolder()
        let store = MemoryStore()
        _ = try Importer(store: store).change(.types(PresetCatalogue.types), file: "types.yaml")
        let file = try folder.file(
            "c.ndjson",
            """
            {"put": {"type": "movie", "id": "1", "record": {"id": 1, "title": {"en": "Inception"}}}}\r

            {"merge": {"type": "movie", "id": "1", "record": {"popularity": 5}}}
            {"put": {"type": "movie", "record": {}}}
            nonsense
            {"unknown": {}}
            {"merge": {"type": "movies", "id": "1", "record": {"popularity": 5}}}
            {"put": {"type": "movie", "id": "1", "record": {"id": 1, "title": {"en": "Inception"}, "popularity": 5}}}
            {"programme": "text"}
            """)
        let report = try Importer(store: store).ndjson(file: file)
        #expect(report.rows == 8)
        #expect(report.imported == 3)
        #expect(report.unchanged == 1)
        #expect(report.bad == 4)
        #expect(report.problems.compactMap(\.line) == [4, 5, 6, 7], "the store's refusals have line numbers too")
        #expect(report.problems.first { $0.line == 4 }?.reason == "put: the field 'id' is missing")
        #expect(report.problems.first { $0.line == 7 }?.reason == "there is no type 'movies'; did you mean 'movie'?")
        var movie = Movie(id: 1, title: "Inception")
        movie.popularity = 5
        #expect(try store.movies() == [movie])
        #expect(try store.allChanges().last == .programme("text"))
    }
}
