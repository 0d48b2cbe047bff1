import Foundation
import MarqueeModel
import MarqueePresets
import Testing

@testable import MarqueeClient

@Suite("A client as an app uses it", .timeLimit(.minutes(10)))
struct ClientAPITests {
    @Test func `After signing out, the next user finds the shared screen and nothing of the last one`() async throws {
        let harness = try await Harness()
        let first = try harness.client(user: "mina", mirror: "m.sqlite")
        var home = first.screen(.home).makeAsyncIterator()
        var favorites = first.screen(.favorites).makeAsyncIterator()
        _ = try await home.first { $0.isLive }
        let change = try await first.setFavorite(true, for: .movie(27_205))
        #expect(try await first.result(of: change, within: .seconds(60)) == .confirmed)
        _ = try await favorites.first { $0.isLive && $0.screen.sections.first?.items.isEmpty == false }
        try await first.signOut()
        #expect(try await home.next() == nil)

        let second = try harness.client(user: "jun", mirror: "m.sqlite")
        let stored = try await second.fetchScreen(.home, source: .mirror)
        #expect(!stored.isLive && !stored.sections.isEmpty)
        #expect(stored.sections.flatMap(\.items).allSatisfy { $0.favorite == .no })
        let hidden = await #expect(throws: ClientError.self) {
            _ = try await second.fetchScreen(.favorites, source: .mirror)
        }
        #expect(hidden?.code == .notStored)
        #expect(try await second.collection(.favorites).state().members.isEmpty)
        var again = second.screen(.home).makeAsyncIterator()
        _ = try await again.first { $0.isLive }
        try await second.erase()
        await harness.stop()
    }

    @Test func `Two readers of a screen page through a section on their own`() async throws {
        let harness = try await Harness()
        let client = try harness.client()
        let (one, two) = (client.screen(.home), client.screen(.home))
        var first = one.makeAsyncIterator()
        var second = two.makeAsyncIterator()
        let shown = try await first.first { $0.isLive }
        _ = try await second.first { $0.isLive }
        let genres = try #require(shown.screen.sections.first { $0.kind == .genres })
        let steps = genres.windows
        #expect(try await one.showMore(of: genres.id))
        let more = try await first.first { $0.screen[section: genres.id]?.window == steps[1] }
        #expect(more.screen[section: genres.id]?.items.prefix(genres.items.count).map(\.id) == genres.items.map(\.id))
        try await harness.showChart("2024-05-02")
        let other = try await second.first { !$0.changes.isEmpty }
        #expect(other.screen[section: genres.id]?.items.count == genres.items.count)
        #expect(try await !one.showMore(of: genres.id), "there is no larger step")
        await client.close()
        await harness.stop()
    }

    @Test func `A change that the server refuses comes back with its reason`() async throws {
        let harness = try await Harness()
        let client = try harness.client(user: "mina")
        let change = try await client.collection("no-such-collection").add("movie/1")
        guard case .rejected(let error) = try await client.result(of: change, within: .seconds(60)) else {
            Issue.record("it was refused")
            return
        }
        #expect(error.code == .changeRefused && error.status?.reason == "COLLECTION_UNKNOWN")
        let counters = try await client.counters()
        #expect(counters.rejectedChanges == 1 && counters.connections == 1)
        #expect(counters.bytesReceived > 0 && counters.bytesSent > 0 && counters.changes.count == 1)
        await client.close()
        await harness.stop()
    }

    @Test func `A mirror that another client has open is reported by every call`() async throws {
        let harness = try await Harness()
        let owner = try harness.client(user: "mina", mirror: "m.sqlite")
        _ = try await owner.mirrorStatus()
        let second = try harness.client(user: "mina", mirror: "m.sqlite")
        let fetched = await #expect(throws: ClientError.self) { _ = try await second.fetchScreen(.home) }
        #expect(fetched?.code == .mirrorInUse)
        let marked = await #expect(throws: ClientError.self) { try await second.setFavorite(true, for: .movie(1)) }
        #expect(marked?.code == .mirrorInUse)
        await second.close()
        await owner.close()
        await harness.stop()
    }
}
