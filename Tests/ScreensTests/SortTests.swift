import MarqueeCatalogue
import MarqueeModel
import Testing

@testable import MarqueeScreens

/// Orders of movies, including after changes.
@Suite struct SortTests {
    private let movies = [
        Movie(1, "beta", popularity: 5, released: "2001-01-01", revenue: 10, rating: 7),
        Movie(2, "Alpha", popularity: 9, released: "2003-01-01", revenue: 0, rating: 7),
        Movie(3, "alpha"),
        Movie(4, "Gamma", popularity: 5, released: "2002-05-05", revenue: 20, rating: 0),
        Movie(5, "delta", popularity: .nan, released: "2002-05-06"),
    ]

    private func programme(_ sort: String) -> String {
        """
        screens:
          home:
            title: Home
            sections: [{id: a, kind: list, source: {movies: {sort: \(sort)}}}]
        """
    }

    @Test(
        arguments: [
            ("popularity", [2, 1, 4, 3, 5]),
            ("release-date", [2, 5, 4, 1, 3]),
            ("revenue", [4, 1, 2, 3, 5]),
            ("rating", [1, 2, 4, 3, 5]),
            ("title", [2, 3, 1, 5, 4]),
        ] as [(String, [UInt64])])
    func `A missing value comes last, and ties break by id`(sort: String, order: [UInt64]) throws {
        var screens = try Screens(movies.map { .movie($0) }, programme: programme(sort))
        #expect(try screens.section("a").ids == order.map { "movie/\($0)" })
    }

    @Test(arguments: MovieSort.allCases)
    func `Changes keep the order`(sort: MovieSort) throws {
        var screens = try Screens(movies.map { .movie($0) }, programme: programme(sort.rawValue))
        _ = try screens.section("a")
        let changes: [[Change]] = [
            [.movie(Movie(3, "zeta", popularity: 7, released: "2002-05-05", revenue: 15, rating: 9))],
            [.removeMovie(1)], [.movie(Movie(6, "epsilon", popularity: 5, revenue: 15))],
            [.movie(Movie(2, "Alpha"))], [.removeMovie(99)], [.movie(movies[0])],
        ]
        var all = movies.map { Change.movie($0) }
        for change in changes {
            try screens.commit(change)
            all += change
            var fresh = try Screens(all, programme: programme(sort.rawValue))
            #expect(try screens.section("a").ids == fresh.section("a").ids)
        }
    }

    @Test func `Another sort reorders what the source has picked`() throws {
        let programme = """
            screens:
              home:
                title: Home
                sections:
                  - {id: a, kind: rank, sorts: [popularity, release-date], source: {movies: {limit: 3}}}
            """
        var screens = try Screens(movies.map { .movie($0) }, programme: programme)
        #expect(try screens.section("a").ids == ["movie/2", "movie/1", "movie/4"])
        let byDate = try screens.section("a", sort: "release-date")
        #expect(byDate.ids == ["movie/2", "movie/4", "movie/1"])
        #expect(byDate.head.sort == "release-date")
        #expect(byDate.head.sorts.map(\.id) == ["popularity", "release-date"])
    }
}
