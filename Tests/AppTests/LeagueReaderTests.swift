import Foundation
import MarqueeClient
import MarqueeModel
import Testing

/// The searches, favorites and alerts of the league app's readers.
@Suite("League: search, favorites, alerts", .timeLimit(.minutes(10)))
struct LeagueReaderTests {
    @Test func `search finds teams; favorites are the reader's teams; alerts say when to notify`() async throws {
        try await withApp(.league, user: "mina") { app, client in
            #expect(try await client.search("밀").items.map(\.id) == ["team/mill"])
            var followed = client.screen(.favorites).makeAsyncIterator()
            _ = try await followed.live()
            try await client.setFavorite(true, for: "team/mill")
            // Until it is confirmed it stands there by its name alone.
            let teams = try await followed.live {
                try $0.screen.section("favorites").cards.first?.subtitle?.hasPrefix("21 points · ") == true
            }
            #expect(try teams.screen.section("favorites").cards.map(\.title) == ["Mill Rovers"])
            var updates = client.screen(.home).makeAsyncIterator()
            _ = try await updates.live()
            try await client.set(
                "team/mill", in: "alerts", value: CollectionValue(json: #"{"goals": true, "minutesBefore": 15}"#))
            let told = try await updates.live { try $0.screen.section("alerts").cards.first?.subtitle != nil }
            #expect(try told.screen.section("alerts").cards.first?.subtitle == "15 min before kick-off")
            let other = try app.client(user: "jun")
            #expect(try await other.shown(.home).section("alerts").items.isEmpty)
            await other.close()
        }
    }
}
