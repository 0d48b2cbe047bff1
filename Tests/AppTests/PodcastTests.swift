import Foundation
import MarqueeCatalogue
import MarqueeClient
import MarqueeModel
import MarqueeStore
import Testing

/// An app made of files alone: its types, its programme and its records.
@Suite("Podcasts, from files alone", .timeLimit(.minutes(10)))
struct PodcastTests {
    private func cards(_ section: String, on screen: ScreenID, _ client: MarqueeClient) async throws -> [CardContent] {
        try await client.shown(screen).section(section).cards
    }

    private func change(_ json: String) throws -> Change { try Change(document: Array(json.utf8)) }

    @Test
    func `home: what a query finds, in its order, as cards with texts of the records they refer to`() async throws {
        try await withApp(.podcasts) { _, client in
            let shows = try await cards("shows", on: .home, client)
            #expect(shows.count == 12)
            #expect(shows.first?.title == "Cold Signal")
            #expect(shows.first?.caption == "91,230 followers")
            let new = try await cards("new", on: .home, client)
            #expect(new.first?.title == "The lighthouse strike")
            #expect(new.first?.subtitle == "Tide Tables · 38 min")
        }
    }

    @Test func `the reader's locale decides the texts of records and of the programme`() async throws {
        try await withApp(.podcasts, locale: "ko") { _, client in
            let screen = try await client.shown(.home)
            #expect(screen.title == "팟캐스트")
            #expect(try screen.section("shows").cards.first?.title == "차가운 신호")
        }
    }

    @Test func `detail: the record named by the screen, its chapters, and more of its show`() async throws {
        try await withApp(.podcasts) { _, client in
            let screen = try await client.shown(ScreenID("episode/tide-tables-01"))
            #expect(screen.title == "The pilot's lantern")
            #expect(try screen.section("chapters").cards.map(\.title).first == "Opening")
            #expect(try screen.section("more").cards.count == 5)
            #expect(try !screen.section("more").items.contains { $0.id == "episode/tide-tables-01" })
        }
    }

    @Test func `live: one field moves a record within its order; a show's new title reaches its cards`() async throws {
        try await withApp(.podcasts) { app, client in
            var updates = client.screen(.home).makeAsyncIterator()
            _ = try await updates.live()
            try await app.commit(
                change(#"{"merge": {"type": "show", "id": "crumb", "record": {"followers": 99999}}}"#))
            let moved = try await updates.live { try $0.screen.section("shows").cards.first?.title == "Crumb" }
            #expect(try moved.screen.section("shows").cards[1].title == "Cold Signal")
            try await app.commit(
                change(#"{"merge": {"type": "show", "id": "tide-tables", "record": {"title": {"en": "Tides"}}}}"#))
            let named = try await updates.live {
                try $0.screen.section("new").cards.first?.subtitle == "Tides · 38 min"
            }
            #expect(named.changes.reconfiguredItems.count >= 1)
        }
    }

    @Test func `favorites: a record of any type is marked, shown with its type's body, and unmarked`() async throws {
        try await withApp(.podcasts, user: "mina") { _, client in
            var updates = client.screen(ScreenID("favorites")).makeAsyncIterator()
            _ = try await updates.live()
            try await client.setFavorite(true, for: "show/crumb")
            try await client.setFavorite(true, for: "episode/tide-tables-01")
            // Until it is confirmed, an item that no screen has shown yet stands there by its name alone.
            let set = try await updates.live { update in
                guard let cards = update.screen.sections.first?.cards else { return false }
                return cards.count == 2 && cards.allSatisfy { !$0.title.isEmpty }
            }
            #expect(set.screen.sections.first?.items.map(\.id) == ["episode/tide-tables-01", "show/crumb"])
            #expect(set.screen.sections.first?.cards.map(\.title) == ["The pilot's lantern", "Crumb"])
            try await client.setFavorite(false, for: "show/crumb")
            _ = try await updates.live { $0.screen.sections.first?.items.count == 1 }
        }
    }

    @Test func `a screen ends with its record`() async throws {
        try await withApp(.podcasts) { app, client in
            var updates = client.screen(ScreenID("episode/crumb-01")).makeAsyncIterator()
            _ = try await updates.live()
            try await app.commit(.remove(RecordID(type: "episode", id: "crumb-01")))
            await #expect(throws: ClientError.self) {
                while try await updates.next() != nil {}
            }
        }
    }
}
