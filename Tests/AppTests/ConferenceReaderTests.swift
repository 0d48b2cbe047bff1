import Foundation
import MarqueeClient
import MarqueeModel
import Testing

/// The searches, favorites and notes of the conference app's readers.
@Suite("Conference: search, favorites, notes", .timeLimit(.minutes(10)))
struct ConferenceReaderTests {
    @Test func `search finds sessions in every language, and speakers by what they do`() async throws {
        try await withApp(.conference) { _, client in
            #expect(try await client.search("조수").items.map(\.id) == ["session/tide-clock"])
            let found = try await client.searchPage("night")
            #expect(Set(found.items.map(\.id)) == ["session/sleep", "speaker/haneul-seo", "speaker/priya-nair"])
            #expect(try await client.search("compiler").items.contains { $0.id == "speaker/felix-brandt" })
        }
    }

    @Test
    func `favorites are a schedule, notes a reader's own words; all the reader's devices have both`() async throws {
        try await withApp(.conference, user: "mina") { app, client in
            let other = try app.client(user: "mina")
            var updates = other.screen(.home).makeAsyncIterator()
            _ = try await updates.live()
            try await client.setFavorite(true, for: "session/panel")
            try await client.set("session/panel", in: "notes", value: CollectionValue(json: #""Ask about the pager""#))
            let noted = try await updates.live { try !$0.screen.section("notes").items.isEmpty }
            #expect(try noted.screen.section("notes").cards.map(\.caption) == ["Ask about the pager"])
            let schedule = try await other.shown(.favorites).section("favorites")
            #expect(schedule.cards.map(\.title) == ["Panel: whose pager is it?"])
            #expect(schedule.cards.map(\.caption) == ["Ask about the pager"])
            try await client.remove("session/panel", from: "notes")
            _ = try await updates.live { try $0.screen.section("notes").items.isEmpty }
            await other.close()
        }
    }
}
