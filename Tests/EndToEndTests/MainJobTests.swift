import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords
import MarqueePresets
import MarqueeWire
import Testing

@testable import MarqueeClient

@Suite("The main job over real sockets", .timeLimit(.minutes(10)))
struct MainJobTests {
    @Test func `A home screen arrives as a snapshot and then changes by diffs`() async throws {
        let harness = try await Harness()
        let client = try harness.client()
        var updates = client.screen(.home).makeAsyncIterator()
        let first = try await updates.first { $0.origin == .live }
        #expect(first.screen.sections.count >= 6)
        let chart = try #require(first.screen.sections.first { $0.kind == .chart })
        #expect(chart.items.count == 10)

        try await harness.showChart("2024-05-02")
        let second = try await updates.first {
            $0.screen.revision.catalogueRevision > first.screen.revision.catalogueRevision
        }
        #expect(!second.changes.isEmpty)
        #expect(second.screen.sum != first.screen.sum)
        let asked = try await client.fetchScreen(.home)
        #expect(asked.sections.map(\.sum) == second.screen.sections.map(\.sum))
        await client.close()
        await harness.stop()
    }

    @Test(arguments: ["home.sqlite", nil])
    func `A mirror opens with what it had, and a server restart costs no snapshot`(mirror: String?) async throws {
        let harness = try await Harness()
        let relay = try await Relay.start(to: harness.server.summary.port)
        let client = try harness.client(mirror: mirror, port: relay.port)
        var updates = client.screen(.home).makeAsyncIterator()
        let first = try await updates.first { $0.origin == .live }
        relay.passed.withLock { $0.removeAll() }

        try await harness.restart()
        try await harness.showChart("2024-05-03")
        let second = try await updates.first {
            $0.origin == .live && $0.screen.revision.catalogueRevision > first.screen.revision.catalogueRevision
        }
        #expect(second.screen.sections.map(\.id) == first.screen.sections.map(\.id))
        // All sections but the chart have equal sums: they cost nothing again (tier 0).
        #expect((relay.passed.withLock { $0[.stage] ?? 0 }) < 8_192)
        await client.close()

        if let mirror {
            await harness.stop()
            let offline = try harness.client(mirror: mirror, port: 1)
            var stored = offline.screen(.home).makeAsyncIterator()
            let value = try #require(try await stored.next())
            #expect(value.origin == .store)
            #expect(value.screen.sum == second.screen.sum)
            #expect(value.screen.asOf.timeIntervalSince1970 > 0)
            await offline.close()
        } else {
            await harness.stop()
        }
        await relay.stop()
    }

    @Test func `A broken connection resumes with exactly the patch of what was missed`() async throws {
        let harness = try await Harness()
        let relay = try await Relay.start(to: harness.server.summary.port)
        let client = try harness.client(port: relay.port)
        var updates = client.screen(.home).makeAsyncIterator()
        let first = try await updates.first { $0.origin == .live }
        relay.passed.withLock { $0.removeAll() }
        await relay.cut()
        try await harness.commit([update(27_205, popularity: 999)])
        let second = try await updates.first {
            $0.origin == .live && $0.screen.revision.catalogueRevision > first.screen.revision.catalogueRevision
        }
        #expect(second.screen.sections.first { $0.kind == .rank }?.items.first?.subject == .movie(27_205))
        #expect(relay.passed.withLock { $0[.stage] } == nil, "nothing was staged: every base was still known")
        await client.close()
        await relay.stop()
        await harness.stop()
    }

    @Test func `Re-sorting and showing more change the live view; going back leaves nothing behind`() async throws {
        let harness = try await Harness()
        let client = try harness.client()
        var updates = client.screen(.home).makeAsyncIterator()
        let first = try await updates.first { $0.origin == .live }
        let rank = try #require(first.screen.sections.first { $0.kind == .rank })
        let genres = try #require(first.screen.sections.first { $0.kind == .genres })
        let otherSort = try #require(rank.head.sorts.map(\.id).first { $0 != rank.head.sort })
        let widest = try #require(genres.head.windows.last)

        try await client.setOptions(
            [
                SectionOptions(section: rank.id, sort: otherSort),
                SectionOptions(section: genres.id, window: Int(widest)),
            ],
            for: .home)
        let second = try await updates.first { $0.screen[section: genres.id]?.items.count == Int(widest) }
        #expect(second.screen[section: rank.id]?.head.sort == otherSort)
        try await client.setOptions(
            [
                SectionOptions(section: rank.id, sort: rank.head.sort),
                SectionOptions(section: genres.id, window: Int(genres.head.window)),
            ], for: .home)
        let third = try await updates.first { $0.screen.sum == first.screen.sum }
        #expect(third.screen.sections.map(\.sum) == first.screen.sections.map(\.sum))
        await client.close()
        await harness.stop()
    }

    @Test func `A sum altered in transit is refused, and the section repaired on the same connection`() async throws {
        let harness = try await Harness()
        let altered = Counter()
        let relay = try await Relay.start(to: harness.server.summary.port) { frame in
            guard frame.kind == .data, case .data(var part)? = try? MessageCodec.decode(frame, limits: .client),
                altered.next() == 1
            else { return frame }
            part.target ^= 1
            var bytes = MessageCodec.encode(.data(part), flags: frame.flags)
            bytes.moveReaderIndex(forwardBy: Frame.headerBytes)
            return Frame(kind: frame.kind, flags: frame.flags, body: bytes.slice())
        }
        let client = try harness.client(port: relay.port)
        var updates = client.screen(.home).makeAsyncIterator()
        let first = try await updates.first { $0.origin == .live }
        try await harness.showChart("2024-05-03")
        let second = try await updates.first {
            $0.screen.revision.catalogueRevision > first.screen.revision.catalogueRevision
        }
        let asked = try await client.fetchScreen(.home)
        #expect(second.screen.sections.map(\.sum) == asked.sections.map(\.sum))
        #expect(altered.value >= 1)
        await client.close()
        await relay.stop()
        await harness.stop()
    }

    @Test
    func `A screen that doesn't exist ends its sequence with the server's reason, harming no other`() async throws {
        let harness = try await Harness()
        let client = try harness.client()
        var good = client.screen(.home).makeAsyncIterator()
        _ = try await good.first { $0.origin == .live }
        var bad = client.screen("detail/1").makeAsyncIterator()
        await #expect(throws: ClientError.self) { _ = try await bad.next() }
        try await harness.showChart("2024-05-03")
        _ = try await good.next()
        await client.close()
        await harness.stop()
    }

    @Test func `Detail, genre and Korean titles arrive`() async throws {
        let harness = try await Harness()
        let client = try harness.client(locale: "ko")
        var detail = client.screen(.detail(496_243)).makeAsyncIterator()
        let update = try await detail.first { $0.origin == .live }
        guard case .detail(let content)? = update.screen.sections.first?.items.first?.content.preset else {
            Issue.record("the first item of a detail screen is the detail")
            return
        }
        #expect(content.title == "기생충")
        #expect(!content.directors.isEmpty)
        let credits = try #require(update.screen.sections.first { $0.kind == .credits })
        #expect(!credits.items.isEmpty)
        var genre = client.screen(.genre(28)).makeAsyncIterator()
        #expect(try await genre.first { $0.origin == .live }.screen.sections.first?.items.isEmpty == false)
        await client.close()
        await harness.stop()
    }

    @Test func `A chosen sort that the programme no longer has doesn't keep the screen from showing`() async throws {
        let harness = try await Harness()
        let first = try harness.client(mirror: "s.sqlite")
        let options = [SectionOptions(section: "rank", sort: "release-date")]
        var sorted = first.screen(.home, options: options).makeAsyncIterator()
        _ = try await sorted.first { $0.origin == .live && $0.screen[section: "rank"]?.head.sort == "release-date" }
        await first.close()

        let other = PresetCatalogue.programme.replacing("release-date", with: "title")
        try await harness.commit([.programme(other)])
        let second = try harness.client(mirror: "s.sqlite")
        var shown = second.screen(.home).makeAsyncIterator()
        let live = try await shown.first { $0.origin == .live }
        #expect(live.screen[section: "rank"]?.head.sort == "popularity")
        // A request for something that doesn't exist is an error.
        var wrong = second.screen(.home, options: options).makeAsyncIterator()
        _ = try await wrong.first { $0.origin == .live }
        let third = try harness.client()
        var refused = third.screen(.home, options: options).makeAsyncIterator()
        await #expect(throws: ClientError.self) { _ = try await refused.next() }
        for client in [second, third] { await client.close() }
        await harness.stop()
    }

    @Test func `A draining server says so, and its clients come back to the next one`() async throws {
        let harness = try await Harness()
        let client = try harness.client()
        let events = client.events
        var updates = client.screen(.home).makeAsyncIterator()
        _ = try await updates.first { $0.origin == .live }
        // Read before the server goes: many attempts while it is away would push it out of the events.
        func connected() async { for await event in events { if case .state(.connected) = event { return } } }
        await connected()
        try await harness.restart()
        await connected()
        await client.close()
        await harness.stop()
    }
}

/// A change of one movie's popularity.
func update(_ movie: UInt64, popularity: Double) -> Change {
    var update = MovieUpdate(id: movie)
    update.popularity = popularity
    return update.change
}
