import Foundation
import MarqueeCatalogue
@_spi(Admin) import MarqueeClient
import MarqueeLayout
import MarqueeModel
import MarqueePresetRecords
import PresetSupport
import Testing

@Suite("B. Box office app: search, favorites and errors", .timeLimit(.minutes(10)))
struct AppBPersonalTests {
    @Test(
        arguments: [
            ("괴물", [1255]), ("추억", [11423]), ("생충", [496_243]), ("기생", [496_243]), ("\"PARAS\"", [496_243]),
            ("\"amelie\"", [194]),
            ("千尋", [129]), ("\"godfather\" OR", []), ("zzzz", []),
        ] as [(String, [UInt64])])
    func `search: by localized and original title, whatever is typed`(_ sample: (String, [UInt64])) async throws {
        try await withApp(.boxOffice, locale: "ko") { _, client in
            let page = try await client.searchPage(sample.0)
            #expect(page.items.map(\.subject) == sample.1.map { .movie($0) })
            #expect(page.total == UInt32(sample.1.count))
            #expect(page.pages == (sample.1.isEmpty ? 0 : 1))
        }
    }

    @Test
    func `search: empty, loading and found states, pages, a grid of three; the newest query counts`() async throws {
        try await withApp(.boxOffice) { app, client in
            let search = client.liveSearch()
            var states = search.states.makeAsyncIterator()
            guard case .idle? = await states.next() else {
                Issue.record("nothing is searched for at first")
                return
            }
            for query in ["t", "th", "the"] { search.search(query) }
            var found: SearchResults?
            while found == nil, let state = await states.next() {
                switch state {
                case .searching(let query): #expect(["t", "th", "the"].contains(query))
                case .found(let results): found = results
                default: throw AppTestError("it is searching: \(state)")
                }
            }
            let first = try #require(found)
            #expect(first.query == "the", "late answers of an older query never mix in")
            #expect(first.items.count == 20)
            #expect(first.hasMore)
            search.showMore()
            while let state = await states.next() {
                guard case .found(let results) = state, !results.isLoadingMore else { continue }
                #expect(results.items.prefix(20).map(\.id) == first.items.map(\.id))
                #expect(results.items.count == Int(results.total))
                #expect(Set(results.items.map(\.id)).count == results.items.count)
                #expect(!results.hasMore)
                break
            }
            search.search(" ")
            guard case .idle? = await states.next() else {
                Issue.record("an empty query shows nothing")
                return
            }
            // Where the results go: the screen `search` has only the layout.
            let section = try await client.shown("search").section("results")
            #expect(section.items.isEmpty)
            let frames = SectionFrames(layout: try #require(section.head.layout), container: phone, itemCount: 20)
            // slot 390 / 3 = 130 by 844 / 3.6 = 234.44, insets 10 / 5 / 5 / 5
            expect(frames.frame(ofItem: 0), is: rect(5, 10, 120, 219.44))
            expect(frames.frame(ofItem: 2), is: rect(265, 10, 120, 219.44))
            expect(frames.frame(ofItem: 3), is: rect(5, 244.44, 120, 219.44))
            // An answer belongs to the position it names.
            try await app.commit(Movie(id: 900_400, title: "Zzyzx").change)
            let page = try await client.searchPage("zzyzx")
            #expect(page.items.map(\.subject) == [.movie(900_400)])
            #expect(page.revision.catalogueRevision == (try await client.health().revision.catalogueRevision))
        }
    }

    @Test
    func `favorites: on every open screen and device, newest first, each once, removed one by one`() async throws {
        try await withApp(.boxOffice, user: "mina") { app, phoneClient in
            let tablet = try app.client(user: "mina")
            let other = try app.client(user: "jun")
            var list = tablet.screen(.favorites).makeAsyncIterator()
            var detail = tablet.screen(.detail(27205)).makeAsyncIterator()
            var home = phoneClient.screen(.home).makeAsyncIterator()
            #expect(try await list.live().screen.sections[0].items.isEmpty)
            _ = try await detail.live()
            _ = try await home.live()

            for movie in [27205, 496_243, 157_336] as [UInt64] {
                try await phoneClient.setFavorite(true, for: .movie(movie))
                // Setting a favorite that is already set changes nothing.
                try await phoneClient.setFavorite(true, for: .movie(movie))
            }
            let three = try await list.live { $0.screen.sections[0].items.count == 3 }
            #expect(
                three.screen.sections[0].items.map(\.subject) == [.movie(157_336), .movie(496_243), .movie(27205)])
            #expect(Set(three.screen.sections[0].ids).count == 3)
            let starred = try await detail.live { $0.screen.sections[0].items[0].favorite == .yes }
            #expect(starred.screen.sections[0].items[0].subject == .movie(27205))
            let ranked = try await home.live { update in
                update.screen.sections[0].items.contains { $0.subject == .movie(157_336) && $0.favorite == .yes }
            }
            #expect(ranked.screen.sections[0].items.filter { $0.favorite == .yes }.count >= 1)

            // Edit mode removes one.
            try await tablet.setFavorite(false, for: .movie(496_243))
            let two = try await list.live { $0.screen.sections[0].items.count == 2 }
            #expect(two.screen.sections[0].items.map(\.subject) == [.movie(157_336), .movie(27205)])
            #expect(two.changes.deletedItems == 1)
            #expect(two.changes.insertedItems + two.changes.movedItems == 0)
            #expect(try await tablet.waitForConfirmation(within: .seconds(30)))
            #expect(try await other.shown(.favorites).sections[0].items.isEmpty, "each user has their own set")

            let section = two.screen.sections[0]
            let frames = try section.frames
            // below a header of 44: slot 130 by 234.44, insets 12 / 7 / 5 / 7
            expect(frames.frame(ofItem: 0), is: rect(7, 56, 116, 217.44))
            // A 30-point badge at the item's top right, moved right by a quarter of its size and up by 0.6.
            let badge = frames.badgeFrames(ofItem: 0)
            #expect(badge.map(\.kind) == ["minus"])
            // The header leaves room for it: at the top of the screen it would be cut off.
            expect(badge.first?.frame, is: rect(123 - 30 + 7.5, 56 - 18, 30, 30))
            await tablet.close()
            await other.close()
        }
    }

    @Test func `errors: typed, per section, and for a whole screen with a reason`() async throws {
        try await withApp(.boxOffice) { app, client in
            var home = client.screen(.home).makeAsyncIterator()
            var detail = client.screen(.detail(550)).makeAsyncIterator()
            let before = try await home.live().screen
            #expect(try await detail.live().screen.sections.allSatisfy { $0.head.error == nil })
            try await app.commit(.remove(.movie(550)))
            var end: ClientError?
            do {
                _ = try await detail.live { update in
                    #expect(update.screen.sections.allSatisfy { $0.head.error == nil }, "it isn't emptied first")
                    return false
                }
            } catch let error as ClientError {
                end = error
            }
            #expect(end?.code == .notFound)
            #expect(end?.status?.reason == "UNKNOWN_RECORD")
            let after = try await home.live { !$0.changes.isEmpty }
            #expect(after.screen.sections.allSatisfy { $0.head.error == nil }, "the other screens continue")
            #expect(after.screen.sections.map(\.id) == before.sections.map(\.id))

            for (screen, reason) in [
                ("detail/1", "UNKNOWN_RECORD"), ("genre/1", "UNKNOWN_RECORD"), ("nowhere", "UNKNOWN_SCREEN"),
                ("favorites", "USER_REQUIRED"),
            ] {
                let error = await #expect(throws: ClientError.self) { _ = try await client.shown(ScreenID(screen)) }
                #expect(error?.code == (reason == "USER_REQUIRED" ? .notSignedIn : .notFound))
                #expect(error?.status?.reason == reason)
            }
        }
    }

    @Test
    func `errors: no notification arrives twice after leaving a screen, and leaving frees everything`() async throws {
        try await withApp(.boxOffice) { app, client in
            for _ in 0..<5 { _ = try await client.shown(.home) }
            var updates = client.screen(.home).makeAsyncIterator()
            _ = try await updates.live()
            // The closed screens are gone: one subscription remains, and each commit arrives once.
            try await eventually { try await client.health().subscriptions == 1 }
            var revisions: [UInt64] = []
            for step in 1...5 {
                var update = MovieUpdate(id: 157_336)
                update.voteCount = UInt32(step)
                try await app.commit(update.change)
                let next = try #require(try await updates.next())
                #expect(next.changes.reconfiguredItems == [ItemPosition(section: 0, item: 0)])
                #expect(next.screen.sections[0].movies[0].voteCount == UInt32(step))
                revisions.append(next.screen.revision.catalogueRevision)
            }
            #expect(Set(revisions).count == 5)
            #expect(revisions == revisions.sorted())
        }
        // A subscription ends with its owner.
        try await withApp(.boxOffice) { _, client in
            _ = try await client.shown(.home)
            _ = try await client.shown(.detail(27205))
            try await eventually { try await client.health().subscriptions == 0 }
        }
    }

    /// Waits for something another thread does.
    private func eventually(_ condition: () async throws -> Bool) async throws {
        for _ in 0..<3_000 {
            if try await condition() { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw AppTestError("it didn't happen within thirty seconds")
    }
}
