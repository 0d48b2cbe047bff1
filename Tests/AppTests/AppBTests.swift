import Foundation
import MarqueeCatalogue
@_spi(Admin) import MarqueeClient
import MarqueeLayout
import MarqueeModel
import MarqueePresetRecords
import MarqueeStore
import PresetSupport
import Testing

/// The genres of the app with their names.
private let genreNames: [UInt64: (korean: String, english: String)] = [
    28: ("액션", "Action"), 12: ("어드벤쳐", "Adventure"), 16: ("애니메이션", "Animation"), 35: ("코미디", "Comedy"),
    80: ("범죄", "Crime"), 99: ("다큐멘터리", "Documentary"), 18: ("드라마", "Drama"), 10751: ("가족", "Family"),
    14: ("판타지", "Fantasy"), 36: ("역사", "History"), 27: ("호러", "Horror"), 10402: ("음악", "Music"),
    9648: ("미스터리", "Mystery"), 10749: ("로맨스", "Romance"), 878: ("공상과학", "Science Fiction"), 53: ("스릴러", "Thriller"),
    10752: ("전쟁", "War"), 37: ("서부극", "Western"),
]

@Suite("B. Box office app: home and genres", .timeLimit(.minutes(10)))
struct AppBHomeTests {
    @Test func `home: one heterogeneous list of movies and genre tiles`() async throws {
        try await withApp(.boxOffice) { _, client in
            let home = try await client.shown(.home)
            #expect(home.sections.map(\.kind) == [.rank, .genres])
            #expect(home.sections[0].movies.count == home.sections[0].items.count)
            #expect(home.sections[1].genres.count == home.sections[1].items.count)
            #expect(Set(home.sections.flatMap(\.items).map(\.kind)) == [.movie, .genre])
        }
    }

    @Test func `identity: the same movie keeps its id across refreshes`() async throws {
        try await withApp(.boxOffice) { app, client in
            var updates = client.screen(.home).makeAsyncIterator()
            let first = try await updates.live().screen.sections[0]
            #expect(first.ids == first.movies.compactMap { movie in movie.id.map { "movie/\($0)" } })
            // A feed reread with different figures and a different title.
            var movie = try storedMovie(try #require(first.movies[3].id), in: app.store)
            movie.title = "A new title"
            movie.voteCount = 5
            try await app.commit(movie.change)
            let second = try await updates.live { !$0.changes.isEmpty }
            #expect(second.screen.sections[0].ids == first.ids)
            #expect(second.changes.isInPlace)
            #expect(second.changes.reconfiguredItems == [ItemPosition(section: 0, item: 3)])
            #expect(second.screen.sections[0].movies[3].title == "A new title")
        }
    }

    @Test
    func `rank: ten movies in two orders, missing dates last; re-sorting only moves, repeating nothing`() async throws {
        try await withApp(.boxOffice) { app, client in
            var undated = Movie(id: 900_001, title: "Without a date")
            undated.popularity = 600
            try await app.commit(undated.change)
            var updates = client.screen(.home).makeAsyncIterator()
            let first = try await updates.live().screen.sections[0]
            #expect(first.items.count == 10)
            #expect(first.head.sort == "popularity")
            #expect(first.head.sorts.map(\.id) == ["popularity", "release-date"])
            let popularity = first.movies.compactMap(\.popularity)
            #expect(popularity.count == 10 && popularity == popularity.sorted(by: >))
            #expect(first.ids[1] == "movie/900001")
            // The buttons are actions of the header.
            let buttons = first.head.header?.actions.filter { $0.id == "sort" }
            #expect(buttons?.map(\.target) == ["popularity", "release-date"])

            try await client.setOptions([SectionOptions(section: "rank", sort: "release-date")], for: .home)
            let sorted = try await updates.live { $0.screen.sections[0].head.sort == "release-date" }
            #expect(Set(sorted.screen.sections[0].ids) == Set(first.ids), "the same ten")
            #expect(sorted.changes.insertedItems + sorted.changes.deletedItems == 0)
            #expect(sorted.changes.movedItems > 0)
            #expect(sorted.animatesDifferences)
            let dates = sorted.screen.sections[0].movies.map(\.releaseDate)
            #expect(dates.last == .some(nil))
            #expect(dates.dropLast().compactMap { $0 } == dates.compactMap { $0 }.sorted(by: >))

            // Choosing the current order again has no effect: the next state is from the next commit.
            try await client.setOptions([SectionOptions(section: "rank", sort: "release-date")], for: .home)
            var update = MovieUpdate(id: try #require(sorted.screen.sections[0].movies[0].id))
            update.voteCount = 77
            try await app.commit(update.change)
            let next = try #require(try await updates.next())
            #expect(next.changes.isInPlace)
            #expect(next.changes.reconfiguredItems == [ItemPosition(section: 0, item: 0)])

            let frames = try first.frames
            #expect(frames.scrolling == .groupPaging)
            expect(try first.supplementary("header"), is: rect(0, 0, 390, 44))
            // group 0.4 × 390 = 156 by 0.8 × 390 = 312, slot 156 by 1.7 × 156 = 265.2
            expect(frames.frame(ofItem: 0), is: rect(10, 54, 136, 245.2))
        }
    }

    @Test
    func `genre: twelve tiles in order, with their top movies' backdrops; six, then all, then six`() async throws {
        let order: [UInt64] = [28, 99, 16, 35, 36, 10749, 14, 18, 10751, 37, 10752, 9648]
        try await withApp(.boxOffice) { app, client in
            var updates = client.screen(.home).makeAsyncIterator()
            let six = try await updates.live().screen.sections[1]
            #expect(six.genres.map(\.id) == Array(order.prefix(6)))
            #expect(six.head.total == 12)
            #expect(six.head.hasMore)
            #expect(six.head.windows == [6, 12])
            #expect(six.head.footer?.title == "More")
            #expect(six.head.footer?.actions.map(\.id) == ["more"])

            try await client.setOptions([SectionOptions(section: "genres", window: 12)], for: .home)
            let expanded = try await updates.live { $0.screen.sections[1].items.count == 12 }
            let twelve = expanded.screen.sections[1]
            #expect(twelve.genres.map(\.id) == order)
            #expect(!twelve.head.hasMore)
            #expect(twelve.head.footer?.title == "Close")
            #expect(twelve.head.footer?.actions.map(\.id) == ["close"])
            #expect(expanded.changes.insertedItems == 6)
            #expect(expanded.changes.deletedItems + expanded.changes.movedItems == 0)
            let movies = try app.store.movies()
            for tile in twelve.genres {
                let top = movies.filter { $0.genres?.contains(tile.id ?? 0) == true }
                    .max { ($0.revenue ?? 0, $1.id) < ($1.revenue ?? 0, $0.id) }
                #expect(tile.image == top?.backdrop, "\(tile.name)")
            }

            // A different movie has the highest revenue: the tile gets its backdrop.
            var update = MovieUpdate(id: 1430)
            update.revenue = 9_000_000_000
            try await app.commit(update.change)
            let changed = try await updates.live { $0.changes.reconfiguredItems == [ItemPosition(section: 1, item: 1)] }
            #expect(changed.screen.sections[1].genres[1].image?.name == "1430-backdrop")

            try await client.setOptions([SectionOptions(section: "genres", window: 6)], for: .home)
            let collapsed = try await updates.live { $0.screen.sections[1].items.count == 6 }
            #expect(collapsed.changes.deletedItems == 6)
            #expect(collapsed.changes.insertedItems + collapsed.changes.movedItems == 0)
            #expect(collapsed.screen.sections[1].head.footer?.title == "More")

            let frames = try six.frames
            expect(try six.supplementary("header"), is: rect(0, 0, 390, 40))
            // group 390 by 130, minus 20 trailing: 370; slot 370 / 3 by 0.35 × 370 = 129.5; the last of three lines
            // ends at 40 + 130 × 2
            expect(frames.frame(ofItem: 0), is: rect(10, 50, 103.33, 109.5))
            expect(frames.frame(ofItem: 1), is: rect(133.33, 50, 103.33, 109.5))
            expect(frames.frame(ofItem: 3), is: rect(10, 180, 103.33, 109.5), "three per row")
            expect(try six.supplementary("footer"), is: rect(0, 300, 390, 55))
        }
    }

    @Test(arguments: ["ko", "en"])
    func `genre names: Korean and English`(locale: String) async throws {
        try await withApp(.boxOffice, locale: locale) { _, client in
            for (id, names) in genreNames {
                let screen = try await client.fetchScreen(.genre(id))
                let name = locale == "ko" ? names.korean : names.english
                #expect(screen.title == name)
                #expect(try screen.section("movies").head.header?.title == name)
            }
            let tiles = try await client.shown(.home).sections[1].genres
            #expect(
                tiles.allSatisfy {
                    $0.name == (locale == "ko" ? genreNames[$0.id ?? 0]?.korean : genreNames[$0.id ?? 0]?.english)
                })
        }
    }

    @Test func `genre screen: one list of a genre's movies by revenue, on a background`() async throws {
        try await withApp(.boxOffice) { app, client in
            let screen = try await client.shown(.genre(37))
            #expect(screen.sections.count == 1)
            let section = screen.sections[0]
            let western = try app.store.movies().filter { $0.genres?.contains(37) == true }
            #expect(Set(section.movies.map(\.id)) == Set(western.map(\.id)))
            let revenues = section.movies.map { $0.revenue ?? 0 }
            #expect(revenues == revenues.sorted(by: >))
            #expect(section.movies.allSatisfy { $0.backdrop != nil })

            let frames = try section.frames
            #expect(section.head.layout?.decoration != nil)
            expect(frames.decorationFrame, is: rect(0, 0, 390, frames.contentSize.height))
            #expect(section.head.layout?.supplementaries.first?.height == .estimated(50))
            // insets 5 / 20 / 0 / 20 below a header of 50, cells of 80, 7 between them
            expect(frames.frame(ofItem: 0), is: rect(20, 55, 350, 80))
            expect(frames.frame(ofItem: 1), is: rect(20, 142, 350, 80))
        }
    }

    @Test func `placeholders: 10 for rank, 6 for genre, 16 for credits, known before data arrives`() async throws {
        try await withApp(.boxOffice) { _, client in
            let offer = try await client.describe()
            func expected(_ pattern: String) throws -> [String: Int] {
                let screen = try #require(offer.screens.first { $0.pattern == pattern })
                return Dictionary(uniqueKeysWithValues: screen.sections.map { ($0.id, $0.placeholders) })
            }
            #expect(try expected("home") == ["rank": 10, "genres": 6])
            #expect(try expected("detail/<movie>") == ["detail": 1, "credits": 16])
            #expect(try await client.shown(.home).sections.map(\.placeholders) == [10, 6])
            #expect(try await client.shown(.detail(27205)).sections.map(\.placeholders) == [1, 16])
        }
    }

    @Test func `a section known to be empty waits for nothing`() async throws {
        try await withApp(.boxOffice) { app, client in
            try await app.commit(.remove(.credits(27205)))
            let sections = try await client.shown(.detail(27205)).sections
            #expect(sections.map(\.items.count) == [1, 0])
            #expect(sections.map(\.placeholders) == [1, 0])
            #expect(sections.allSatisfy { $0.head.error == nil })
        }
    }
}

func storedMovie(_ id: UInt64, in store: any StoreEngine) throws -> Movie {
    try #require(try store.movies().first { $0.id == id })
}
