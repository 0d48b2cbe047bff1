import Foundation
import GRDB
import MarqueeModel
import Testing

@testable import MarqueeClient

@Suite("Damage to a mirror's file", .timeLimit(.minutes(10)))
struct DamageTests {
    @Test func `A flipped bit in a stored body is found, named, and fetched again`() async throws {
        let harness = try await Harness()
        let client = try harness.client(mirror: "m.sqlite")
        var updates = client.screen(.home).makeAsyncIterator()
        let first = try await updates.first { $0.origin == .live }
        await client.close()
        let path = harness.folder.appending(path: "m.sqlite").path
        #expect(try MirrorInspection.verify(at: path).isEmpty)

        // As another program would, knowing nothing of sums: the longest body of the chart.
        let chart = try #require(first.screen.sections.first { $0.kind == .chart })
        let body = try #require(chart.items.first).item.body
        var flipped = body
        flipped[body.count / 2] ^= 0x04
        let queue = try DatabaseQueue(path: path)
        let changed = try await queue.write { [flipped] db -> Int in
            var changed = 0
            for table in try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'") {
                for column in try db.columns(in: table) where column.type.uppercased() == "BLOB" {
                    try db.execute(
                        sql: "UPDATE \"\(table)\" SET \"\(column.name)\" = ? WHERE \"\(column.name)\" = ?",
                        arguments: [Data(flipped), Data(body)])
                    changed += db.changesCount
                }
            }
            return changed
        }
        try queue.close()
        #expect(changed >= 1)

        let damage = try MirrorInspection.verify(at: path)
        #expect(damage.contains { $0.section == chart.id && $0.screen == .home })

        // Without a server all other items of the section are shown, and it is said that one is missing.
        let offline = try #require(try MirrorInspection.screen(.home, locale: "en", at: path))
        #expect(offline.damagedSections == [chart.id])
        let rest = try #require(offline.sections.first { $0.id == chart.id }).items.map(\.item)
        #expect(rest == chart.items.dropFirst().map(\.item))

        let again = try harness.client(mirror: "m.sqlite")
        var repaired = again.screen(.home).makeAsyncIterator()
        let stored = try #require(try await repaired.next())
        #expect(stored.damagedSections.contains(chart.id))
        let live = try await repaired.first { $0.origin == .live }
        #expect(live.screen.sum == first.screen.sum)
        await again.close()
        #expect(try MirrorInspection.verify(at: path).isEmpty)
        await harness.stop()
    }

    @Test(
        arguments: [
            "UPDATE item SET body = CAST(zeroblob(8) AS BLOB) WHERE number = (SELECT min(number) + 20 FROM item)",
            "UPDATE section SET head = x'0802' WHERE id = (SELECT min(id) + 2 FROM section)",
            "UPDATE section SET item_order = NULL WHERE id = (SELECT min(id) + 2 FROM section)",
            "UPDATE section SET head = x'' WHERE name = ''",
            "UPDATE view SET cut = randomblob(32)",
            "DELETE FROM item WHERE number % 5 = 0",
        ])
    func `Repairing a screen costs less than a snapshot; intact parts aren't resent`(_ damage: String) async throws {
        let harness = try await Harness()
        let relay = try await Relay.start(to: harness.server.summary.port)
        func received() -> Int { relay.passed.withLock { ($0[.data] ?? 0) + ($0[.stage] ?? 0) } }
        var client = try harness.client(mirror: "m.sqlite", port: relay.port)
        var updates = client.screen(.home).makeAsyncIterator()
        let first = try await updates.first { $0.origin == .live }
        let snapshot = received()
        await client.close()
        let path = harness.folder.appending(path: "m.sqlite").path
        let queue = try DatabaseQueue(path: path)
        try await queue.write { try $0.execute(sql: damage) }
        try queue.close()
        #expect(try !MirrorInspection.verify(at: path).isEmpty)

        relay.passed.withLock { $0.removeAll() }
        client = try harness.client(mirror: "m.sqlite", port: relay.port)
        let events = client.events
        var repaired = client.screen(.home).makeAsyncIterator()
        let live = try await repaired.first { $0.origin == .live }
        #expect(live.screen.sum == first.screen.sum)
        #expect(received() < snapshot, "\(received()) bytes, a snapshot has \(snapshot)")
        var isTold = false
        for await event in events {
            if case .mirrorDamaged = event {
                isTold = true
                break
            }
        }
        #expect(isTold)
        await client.close()
        #expect(try MirrorInspection.verify(at: path).isEmpty)
        await relay.stop()
        await harness.stop()
    }

    @Test func `The background check finds untouched damage; the client gets a new file and reports it`() async throws {
        let harness = try await Harness()
        let client = try harness.client(mirror: "m.sqlite")
        var updates = client.screen(.home).makeAsyncIterator()
        let first = try await updates.first { $0.origin == .live }
        await client.close()
        let file = harness.folder.appending(path: "m.sqlite")
        let queue = try DatabaseQueue(path: file.path)
        // Only pending favorites are looked up through it.
        let (page, size) = try await queue.read { db in
            (
                try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'item_subject'") ?? 0,
                try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
            )
        }
        try queue.close()
        let handle = try FileHandle(forUpdating: file)
        try handle.seek(toOffset: UInt64((page - 1) * size))
        try handle.write(contentsOf: Data(repeating: 0xA5, count: size))
        try handle.close()

        let again = try harness.client(mirror: "m.sqlite")
        var setAside: String?
        for await event in again.events {
            if case .mirrorRecovered(let path, _) = event {
                setAside = path
                break
            }
        }
        #expect(FileManager.default.fileExists(atPath: try #require(setAside)))
        var shown = again.screen(.home).makeAsyncIterator()
        #expect(try await shown.next()?.screen.sum == first.screen.sum)
        _ = try await shown.first { $0.origin == .live }
        await again.close()
        #expect(try MirrorInspection.verify(at: file.path).isEmpty)
        await harness.stop()
    }

    @Test func `A mirror that is no longer a database is set aside, and the first listener is told`() async throws {
        let harness = try await Harness()
        let client = try harness.client(mirror: "m.sqlite")
        var updates = client.screen(.home).makeAsyncIterator()
        _ = try await updates.first { $0.origin == .live }
        await client.close()
        let file = harness.folder.appending(path: "m.sqlite")
        try Data(repeating: 0x5A, count: 40_000).write(to: file)

        let again = try harness.client(mirror: "m.sqlite")
        var setAside: String?
        for await event in again.events {
            if case .mirrorRecovered(let path, _) = event {
                setAside = path
                break
            }
        }
        #expect(FileManager.default.fileExists(atPath: try #require(setAside)))
        var fresh = again.screen(.home).makeAsyncIterator()
        _ = try await fresh.first { $0.origin == .live }
        await again.close()
        await harness.stop()
    }
}
