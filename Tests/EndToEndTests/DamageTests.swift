import Foundation
import GRDB
import MarqueeModel
import Testing

@testable import MarqueeClient

@Suite("Damage to a mirror's file", .timeLimit(.minutes(2)))
struct DamageTests {
    @Test("One flipped bit of a stored body is found, named, and fetched again")
    func flippedBit() async throws {
        let harness = try await Harness()
        let client = try harness.client(mirror: "m.sqlite")
        var updates = client.screen(.home).makeAsyncIterator()
        let first = try await updates.first { $0.origin == .live }
        await client.close()
        let path = harness.folder.appending(path: "m.sqlite").path
        #expect(try MirrorInspection.verify(at: path).isEmpty)

        // As another program would, without knowing of sums: the longest body of the chart.
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

    @Test("A mirror that is no database any more is set aside, and whoever listens first is told")
    func corruptFile() async throws {
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
