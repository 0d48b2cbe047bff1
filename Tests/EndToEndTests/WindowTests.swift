import Foundation
import GRDB
import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords
import MarqueeScreens
import MarqueeTypes
import Synchronization
import Testing

@testable import MarqueeClient

@Suite("Windows and sorts over real sockets", .timeLimit(.minutes(10)))
struct WindowTests {
    private struct Rows: Equatable {
        var sections = 0
        var items = 0
        var itemBytes = 0
    }

    /// The contents of a mirror's file.
    private func rows(_ harness: Harness, _ mirror: String) throws -> Rows {
        let queue = try DatabaseQueue(path: harness.folder.appending(path: mirror).path)
        defer { try? queue.close() }
        return try queue.read { db in
            Rows(
                sections: try Int.fetchOne(db, sql: "SELECT count(*) FROM section") ?? 0,
                items: try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? 0,
                itemBytes: try Int.fetchOne(db, sql: "SELECT sum(length(body)) FROM item") ?? 0)
        }
    }

    @Test func `Growing a window, re-sorting and going back leave nothing behind in the mirror's file`() async throws {
        let harness = try await Harness()
        let client = try harness.client(mirror: "m.sqlite")
        var updates = client.screen(.home).makeAsyncIterator()
        let first = try await updates.first { $0.origin == .live }
        let before = try rows(harness, "m.sqlite")
        let genres = try #require(first.screen.sections.first { $0.kind == .genres })
        let rank = try #require(first.screen.sections.first { $0.kind == .rank })
        let widest = try #require(genres.head.windows.last)
        let otherSort = try #require(rank.head.sorts.map(\.id).first { $0 != rank.head.sort })
        for _ in 0..<3 {
            try await client.setOptions(
                [
                    SectionOptions(section: genres.id, window: Int(widest)),
                    SectionOptions(section: rank.id, sort: otherSort),
                ],
                for: .home)
            let grown = try await updates.first {
                $0.screen[section: genres.id]?.items.count == Int(widest)
                    && $0.screen[section: rank.id]?.head.sort == otherSort
            }
            #expect(grown.screen.sum != first.screen.sum)
            #expect(try rows(harness, "m.sqlite").items > before.items)
            try await client.setOptions(
                [
                    SectionOptions(section: genres.id, window: Int(genres.head.window)),
                    SectionOptions(section: rank.id, sort: rank.head.sort),
                ], for: .home)
            _ = try await updates.first { $0.screen.sum == first.screen.sum }
            #expect(try rows(harness, "m.sqlite") == before)
        }
        await client.close()
        #expect(try MirrorInspection.verify(at: harness.folder.appending(path: "m.sqlite").path).isEmpty)
        await harness.stop()
    }

    @Test func `A window and a sort survive restarts and broken connections, and then cost nothing`() async throws {
        let harness = try await Harness()
        let relay = try await Relay.start(to: harness.server.summary.port)
        var client = try harness.client(mirror: "m.sqlite", port: relay.port)
        var updates = client.screen(.home).makeAsyncIterator()
        let first = try await updates.first { $0.origin == .live }
        let genres = try #require(first.screen.sections.first { $0.kind == .genres })
        let rank = try #require(first.screen.sections.first { $0.kind == .rank })
        let widest = try #require(genres.head.windows.last)
        let otherSort = try #require(rank.head.sorts.map(\.id).first { $0 != rank.head.sort })
        try await client.setOptions(
            [
                SectionOptions(section: genres.id, window: Int(widest)),
                SectionOptions(section: rank.id, sort: otherSort),
            ],
            for: .home)
        let chosen = try await updates.first {
            $0.screen[section: genres.id]?.items.count == Int(widest)
                && $0.screen[section: rank.id]?.head.sort == otherSort
        }
        relay.passed.withLock { $0.removeAll() }
        await relay.interrupt()
        _ = try await updates.first { $0.origin == .store }
        await relay.restore()
        #expect(try await updates.first { $0.origin == .live }.screen.sum == chosen.screen.sum)
        await relay.interrupt()
        try await harness.restart()
        _ = try await updates.first { $0.origin == .store }
        await relay.restore()
        #expect(try await updates.first { $0.origin == .live }.screen.sum == chosen.screen.sum)
        await client.close()

        client = try harness.client(mirror: "m.sqlite", port: relay.port)
        var again = client.screen(.home).makeAsyncIterator()
        let stored = try #require(try await again.next())
        #expect(stored.screen.sum == chosen.screen.sum)
        let live = try await again.first { $0.origin == .live }
        #expect(live.screen.sum == chosen.screen.sum)
        // Tier 0: only the sums were exchanged.
        let data = relay.passed.withLock { ($0[.data] ?? 0) + ($0[.stage] ?? 0) }
        #expect(data == 0)
        await client.close()
        await relay.stop()
        await harness.stop()
    }

    @Test func `A choice made while disconnected is shown once there is a connection`() async throws {
        let harness = try await Harness()
        let isDown = Flag()
        let relay = try await Relay.start(to: harness.server.summary.port) { isDown.value ? nil : $0 }
        let client = try harness.client(mirror: "m.sqlite", port: relay.port)
        var updates = client.screen(.home).makeAsyncIterator()
        let first = try await updates.first { $0.origin == .live }
        let genres = try #require(first.screen.sections.first { $0.kind == .genres })
        let widest = try #require(genres.head.windows.last)
        isDown.set(true)
        await relay.cut()
        _ = try await updates.first { $0.origin == .store }
        try await client.setOptions([SectionOptions(section: genres.id, window: Int(widest))], for: .home)
        isDown.set(false)
        await relay.cut()
        _ = try await updates.first { $0.screen[section: genres.id]?.items.count == Int(widest) }
        await client.close()
        await relay.stop()
        await harness.stop()
    }

    private final class Flag: Sendable {
        private let state = Mutex(false)
        var value: Bool { state.withLock { $0 } }
        func set(_ value: Bool) { state.withLock { $0 = value } }
    }

    @Test func `A sort the section lacks is refused with a reason, and the screen stays as it is`() async throws {
        let harness = try await Harness()
        let client = try harness.client()
        let events = client.events
        var updates = client.screen(.home).makeAsyncIterator()
        let first = try await updates.first { $0.origin == .live }
        let rank = try #require(first.screen.sections.first { $0.kind == .rank })
        let thrown = await #expect(throws: ClientError.self) {
            try await client.setOptions([SectionOptions(section: rank.id, sort: "by-colour")], for: .home)
        }
        #expect(thrown?.code == .unknownOptions)
        for await event in events {
            guard case .optionsRefused(let screen, let error) = event else { continue }
            #expect(screen == .home)
            #expect(error.status?.reason == "UNKNOWN_SORT")
            break
        }
        #expect(try await client.status(of: .home)?.lastError?.status?.reason == "UNKNOWN_SORT")
        try await harness.showChart("2024-05-02")
        let next = try await updates.first { !$0.changes.isEmpty }
        #expect(next.screen[section: rank.id]?.sum == rank.sum)
        #expect(next.status.lastError == nil)
        await client.close()
        await harness.stop()
    }

    // MARK: - Anywhere in a list

    private static func long() throws -> Programme {
        try Programme.parse(
            text: """
                screens:
                  home:
                    title: All
                    sections: [{id: all, kind: list, windows: anywhere, source: {records: {type: movie, sort: title}}}]
                """, file: "programme.yaml", types: TypeSet(PresetCatalogue.types, file: "types.yaml"))
    }

    @Test(arguments: [false, true])
    func `A list can be read from any place, and its window follows a row`(isRelayed: Bool) async throws {
        let harness = try await Harness(programme: Self.long())
        let relayed = isRelayed ? try await Relayed(harness) : nil
        func connected() throws -> MarqueeClient {
            try relayed?.client(mirror: "m.sqlite") ?? harness.client(mirror: "m.sqlite")
        }
        var client = try connected()
        var list = client.screen(.home)
        var updates = list.makeAsyncIterator()
        func next(_ condition: (ScreenSection) -> Bool) async throws -> ScreenSection {
            let update = try await updates.first { $0.isLive && $0.screen[section: "all"].map(condition) == true }
            return try #require(update.screen[section: "all"])
        }
        let start = try await next { _ in true }
        #expect(start.offset == 0 && start.items.count == 50 && start.hasMore)
        let total = start.total
        // "M" is in the middle of the titles; the page after it begins where that one ends.
        try await list.setWindow(of: "all", from: "m", before: 2, after: 9)
        let jumped = try await next { $0.offset > 0 }
        #expect(jumped.items.count == 12 && jumped.total == total)
        let row = try #require(jumped.items.last)
        try await list.setWindow(of: "all", around: row.id, before: 5, after: 6)
        let page = try await next { $0.offset != jumped.offset }
        #expect(page.offset == jumped.offset + 6)
        #expect(page.items.prefix(6).map(\.id) == jumped.items.suffix(6).map(\.id))
        // New rows above move nothing.
        try await harness.commit([Movie(id: 999_001, title: "AAA").change, Movie(id: 999_002, title: "AAB").change])
        let moved = try await next { $0.offset == page.offset + 2 }
        #expect(moved.items == page.items && moved.total == total + 2)
        // The row goes, and the window stays near it.
        try await harness.commit([.remove(RecordID(type: "movie", id: String(row.id.dropFirst("movie/".count))))])
        let left = try await next { $0.total == total + 1 }
        #expect(!left.items.contains { $0.id == row.id } && left.error == nil)
        #expect(abs(left.offset - moved.offset) <= 12)
        await client.close()

        // A stored window is asked for again as it was.
        client = try connected()
        list = client.screen(.home)
        updates = list.makeAsyncIterator()
        let stored = try #require(try await updates.next()?.screen[section: "all"])
        #expect(stored.items == left.items && stored.offset == left.offset)
        let live = try await next { _ in true }
        #expect(live.items == left.items && live.offset == left.offset)
        let refused = await #expect(throws: ClientError.self) {
            try await list.setWindow(of: "all", around: row.id, before: 500, after: 500)
        }
        #expect(refused?.code == .unknownOptions && refused?.status?.reason == "UNKNOWN_WINDOW")
        await client.close()
        if let relayed { await relayed.stop() } else { await harness.stop() }
    }
}
