import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeScreens

@Suite struct SearchTests {
    private func search(
        _ query: String, in changes: [Change], page: UInt32 = 1, locale: String? = nil
    ) throws -> SearchAnswer {
        var screens = try Screens(changes, programme: try Samples.programme())
        return try screens.search(SearchRequest(query: query, queryID: 7, page: page, locale: locale))
    }

    @Test func caseAndAccentsDoNotMatter() throws {
        let changes: [Change] = [
            .movie(Movie(1, "Amélie")), .movie(Movie(2, "LÉON", popularity: 2)), .movie(Movie(3, "Alien")),
        ]
        #expect(try search("AMELIE", in: changes).items.map(\.id) == ["movie/1"])
        #expect(try search("éli", in: changes).items.map(\.id) == ["movie/1"])
        #expect(try search(" leon ", in: changes).items.map(\.id) == ["movie/2"])
        #expect(try search("l", in: changes).items.map(\.id) == ["movie/2", "movie/1", "movie/3"])
        #expect(try search("l", in: changes).queryID == 7)
    }

    @Test func localizedAndOriginalTitlesAreSearched() throws {
        let changes = try Samples.changes()
        #expect(try search("아가씨", in: changes).items.map(\.id) == ["movie/290098"])
        #expect(try search("인셉", in: changes, locale: "ko").items.map(\.id) == ["movie/27205"])
        #expect(try search("인셉", in: changes, locale: "en").items.isEmpty)
        #expect(try search("ㅇ", in: changes, locale: "ko").items.isEmpty, "a part of a syllable is no letter")
    }

    @Test func pagesAreOrderedByPopularityThenID() throws {
        let changes = (1...45).map { Change.movie(Movie(UInt64($0), "Part \($0)", popularity: Double($0 / 10))) }
        let first = try search("part", in: changes)
        #expect(first.total == 45)
        #expect(first.pages == 3)
        #expect(first.items.count == Screens.pageSize)
        #expect(Array(first.items.map(\.id).prefix(7)) == [40, 41, 42, 43, 44, 45, 30].map { "movie/\($0)" })
        #expect(try search("part", in: changes, page: 3).items.count == 5)
        #expect(try search("part", in: changes, page: .max).items.isEmpty)
        let all = try (1...3).flatMap { try search("part", in: changes, page: $0).items.map(\.id) }
        #expect(Set(all).count == 45)
    }

    @Test func aMovieIsFoundByItsNewTitleOnly() throws {
        var screens = try Screens([.movie(Movie(1, "Old"))], programme: try Samples.programme())
        #expect(try screens.search(SearchRequest(query: "old", queryID: 1)).total == 1)
        try screens.commit([.movie(Movie(1, "New"))])
        #expect(try screens.search(SearchRequest(query: "old", queryID: 2)).total == 0)
        #expect(try screens.search(SearchRequest(query: "new", queryID: 3)).total == 1)
    }

    @Test func queriesWithoutLettersFindNothingAndLongOnesAreRefused() throws {
        let changes: [Change] = [.movie(Movie(1, "A\nB"))]
        #expect(try search("", in: changes).total == 0)
        #expect(try search("  ", in: changes).pages == 0)
        #expect(throws: Status.self) { try search(String(repeating: "a", count: 257), in: changes) }
        #expect(throws: Status.self) { try search("a", in: changes, page: 0) }
    }
}
