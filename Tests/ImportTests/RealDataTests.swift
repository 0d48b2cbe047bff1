import Foundation
import MarqueeModel
import MarqueePresetRecords
import MarqueeStore
import PresetSupport
import SeededRandom
import Testing

@testable import MarqueeImport

/// Imports of real data, which isn't part of the repository. `MARQUEE_DATA` names its folder; if the folder can't be
/// read, that is an error, not a reason to skip.
@Suite(.enabled(if: RealData.isPresent, Comment(rawValue: RealData.howToSet)))
struct RealDataTests {
    @Test func `All of TMDB 5000 is imported`() throws {
        let (store, first) = try RealData.tmdb5000.get()
        #expect(first.problems == [])
        #expect(first.rows == 4_803 + Extent.of(1_601, full: 4_803))
        #expect(first.imported == first.rows)

        let movies = try store.movies()
        #expect(movies.count == 4_803)
        #expect(movies.filter { $0.releaseDate == nil }.map(\.id) == [380_097])
        #expect(movies.filter { $0.runtime == nil }.count == 37)
        #expect(movies.filter { $0.revenue == nil }.count == 1_427)
        #expect(movies.filter { $0.genres == nil }.count == 28)
        #expect(movies.filter { $0.countries == nil }.count == 174)
        #expect(movies.filter { $0.certifications?["US"] == "PG-13" }.count == 1_286)
        #expect(movies.filter { $0.certifications?["US"] == "R" }.count == 1_592)
        // 1,197 have no certificate, and 92 are not rated.
        #expect(movies.filter { $0.certifications == nil }.count == 1_289)
        let genres = try store.genres()
        #expect(genres.count == 20)
        #expect(genres.filter { $0.names["ko"] != nil }.count == 18)
        let credits = try store.credits()
        let expected: (movies: Int, cast: Int, directors: Int, withoutCast: Int, withoutCharacter: Int) = Extent.of(
            (1_601, 34_983, 1_730, 20, 250), full: (4_803, 106_257, 5_166, 43, 683))
        #expect(credits.count == expected.movies)
        let cast = credits.flatMap(\.cast)
        #expect(cast.count == expected.cast)
        // Only directors are imported.
        let crew = credits.flatMap(\.crew)
        #expect(crew.count == expected.directors)
        let withoutCast = credits.count(where: \.cast.isEmpty)
        #expect(withoutCast == expected.withoutCast)
        let withoutCharacter = cast.count { $0.character == nil }
        #expect(withoutCharacter == expected.withoutCharacter)

        #expect(first.notes == [])
    }

    @Test func `Charts of two years are imported, and most top ten entries are matched with movies`() throws {
        let store = try MemoryStore(standbyOf: RealData.tmdb5000.get().store, seed: 1)
        for (year, rows) in Extent.of([(2014, 17_677)], full: [(2014, 17_677), (2015, 16_503)]) {
            let chart = "us-daily-\(year)"
            let file = try RealData.path("rank_series/us_boxoffice_daily_\(year).csv.gz")
            let report = try Importer(store: store).chart(file: file, id: chart)
            #expect(report.problems == [])
            #expect(report.imported == rows)
            let days = try store.chartDays().filter { $0.chart == chart }
            #expect(days.count == 365)
            #expect(days.map(\.entries.count).reduce(0, +) == rows)
            // By title alone 92 % (2014) and 85 % (2015) match; the release year excludes only a few.
            let topTen = days.flatMap { $0.entries.prefix(10) }
            #expect(topTen.filter { $0.movie != nil }.count * 100 >= topTen.count * 80)
            #expect(try Importer(store: store).chart(file: file, id: chart).unchanged == rows)
        }
        #expect(
            try store.shownDays().map(\.description) == Extent.of(["2014-01-01"], full: ["2014-01-01", "2015-01-01"]))
    }

    /// As long as everything before it.
    @Suite(.enabled(if: Extent.isFull, "MARQUEE_FULL_SIZE=1 runs it")) struct RepeatedImportTests {
        @Test func `TMDB 5000 imported a second time changes nothing`() throws {
            let (store, first) = try RealData.tmdb5000.get()
            let copy = try MemoryStore(standbyOf: store, seed: 1)
            let second = try RealData.importTMDB5000(into: copy)
            #expect(second.imported == 0)
            #expect(second.unchanged == first.imported)
            #expect(try copy.catalogueHead() == store.catalogueHead())
        }
    }
}

/// Charts and pages of other sources.
@Suite(.enabled(if: RealData.isPresent, Comment(rawValue: RealData.howToSet)))
struct RealFeedTests {
    @Test func `Five years of weekly top tens are imported completely`() throws {
        let store = MemoryStore()
        let file = try RealData.path("rank_series/netflix_top10_global_weekly.tsv.gz")
        let report = try Importer(store: store).chart(file: file, id: "top10")
        #expect(report.problems == [])
        #expect(report.imported == 10_560)
        let days = try store.chartDays()
        #expect(
            Set(days.map(\.chart)) == [
                "top10.films-english", "top10.films-non-english", "top10.tv-english", "top10.tv-non-english",
            ])
        #expect(days.count == 264 * 4)
        #expect(days.allSatisfy { $0.entries.count == 10 })
        let withoutViews = days.flatMap(\.entries).count { $0.views == nil }
        #expect(withoutViews == 4_080)
        #expect(try store.shownDays().map(\.description) == Array(repeating: "2021-07-04", count: 4))

        let popular = try RealData.path("rank_series/netflix_most_popular.tsv")
        let list = try Importer(store: store).chart(
            file: popular, id: "popular", date: CalendarDate("2026-07-19"))
        #expect(list.problems == [])
        #expect(list.imported == 40)
    }

    @Test func `Hourly reservations are imported with all their flaws`() throws {
        let store = MemoryStore()
        let file = try RealData.path("kobis/reservation_rank_hourly.csv.gz")
        let report = try Importer(store: store).chart(file: file, id: "reservations")
        #expect(report.problems == [])
        #expect(report.imported == 12_857)
        let days = try store.chartDays()
        #expect(days.count == 72)
        #expect(days.map(\.step) == days.map(\.step).sorted())
        // The source's ranks for 6,718 entries, from each one's position or its stated rank, including the 1,479 ties.
        let ranks = days.map { $0.entries.enumerated().map { Int($1.rank ?? UInt32($0 + 1)) } }
        #expect(ranks.allSatisfy { $0 == $0.sorted() })
        let ties = ranks.flatMap { Dictionary(grouping: $0, by: \.self).values.filter { $0.count > 1 } }
        #expect(ties.count == 1_479)
        let tied: Int = ties.map(\.count).reduce(0, +)
        #expect(tied == 6_718)
        #expect(ranks.count { !Set(1...10).isSubset(of: $0) } == 4, "lists missing a rank in the top ten")
        #expect(days.map(\.entries.count).min() == 41)
        #expect(days.map(\.entries.count).max() == 308)
        // One name appears twice in nine lists, and both films keep their keys throughout.
        let twins = days.compactMap { day in
            let second = day.entries.filter { $0.key.hasSuffix(" (2)") }
            return second.isEmpty ? nil : (day, second)
        }
        #expect(twins.count == 9)
        #expect(twins.allSatisfy { $0.1.count == 1 && $0.1[0].audienceToDate == 1_217_205 })
        let first = twins[0].1[0].title
        let totals = days.compactMap { day in day.entries.first { $0.key == first }?.audienceToDate }
        #expect(totals.count == 72)
        #expect(totals == totals.sorted(), "the older film's total never falls")
        #expect(try Importer(store: store).chart(file: file, id: "reservations").unchanged == 12_857)
    }

    @Test func `Daily top tens are imported`() throws {
        let store = MemoryStore()
        for day in 19...25 {
            let report = try Importer(store: store).chart(
                file: try RealData.path("kobis/daily_202601\(day).json"), id: "daily")
            #expect(report.problems == [])
            #expect(report.imported == 10)
        }
        let days = try store.chartDays()
        #expect(days.count == 7)
        // The source's previous rank matches the previous list.
        var compared = 0
        for (before, day) in zip(days, days.dropFirst()) {
            for (place, entry) in day.entries.enumerated() {
                #expect(entry.rank == nil, "none of these lists has a tie or a gap")
                guard let earlier = before.entries.firstIndex(where: { $0.key == entry.key }) else { continue }
                #expect(entry.isNew != true)
                #expect(entry.previousRank == UInt32(earlier + 1), "\(day.date) \(place + 1)")
                compared += 1
            }
        }
        #expect(compared > 40)
    }

    @Test func `A real course home is imported completely`() throws {
        let store = MemoryStore()
        let file = try RealData.path("sections/udemy_home_payload.json")
        let report = try Importer(store: store).courses(file: file, page: "home")
        #expect(report.problems == [])
        #expect(report.imported == 17)
        let page = try #require(try store.pages().first)
        #expect(page.sections.count == 10)
        let lane = try #require(try store.shelf(page.sections[2].list)).items
        #expect(lane.map(\.id).suffix(3).first == "a15eb974-fb80-41ed-96ae-1727530cf012")
        #expect(lane[4].id == "a15eb974-fb80-41ed-96ae-1727530cf012-2", "the payload has this id twice")
        let prices = lane.compactMap { if case .course(let course) = $0.content { course.price } else { nil } }
        #expect(prices == ["19.99", "39.99", "29.99", "19.99", "19.99", "35.99"])
    }
}

extension RealData {
    /// All movies of TMDB-5000 with their certificates, and their credits, imported once for all tests. None of them
    /// writes to the store.
    fileprivate static let tmdb5000 = Result {
        let store = MemoryStore()
        return (store: store, report: try importTMDB5000(into: store))
    }

    fileprivate static func importTMDB5000(into store: any StoreEngine) throws -> ImportReport {
        let folder = try ImportFolder()
        return try withExtendedLifetime(folder) {
            try Importer(store: store).tmdb5000(
                movies: path("tmdb5000/tmdb_5000_movies.csv.gz"), credits: credits(in: folder),
                certification: path("tmdb5000/certification.csv"))
        }
    }

    /// The file of the credits, which take most of the time: of every third movie at the usual size.
    private static func credits(in folder: ImportFolder) throws -> String {
        let whole = try path("tmdb5000/tmdb_5000_credits.rebuilt.csv.gz")
        if Extent.isFull { return whole }
        let content = Data(try FileContent.read(ImportSource(whole), limit: 1 << 26))
        let lineBreak = Data([UInt8(ascii: "\n")])
        var (some, start, number) = (Data(), content.startIndex, 0)
        // No field has a line break in it.
        while let end = content.range(of: lineBreak, in: start..<content.endIndex)?.upperBound {
            if number == 0 || number % 3 == 1 { some += content[start..<end] }
            (start, number) = (end, number + 1)
        }
        return try folder.file("credits.csv", some)
    }
}
