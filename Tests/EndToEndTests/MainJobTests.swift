import MarqueeModel
import Testing

@testable import MarqueeClient

@Suite("The main job over real sockets", .timeLimit(.minutes(2)))
struct MainJobTests {
    @Test("A home screen arrives as a snapshot and then changes through diffs")
    func snapshotThenDiffs() async throws {
        let harness = try await Harness()
        let client = try harness.client()
        var updates = client.screen(.home).makeAsyncIterator()
        let first = try await updates.first { $0.origin == .live }
        #expect(first.screen.sections.count >= 6)
        let chart = try #require(first.screen.sections.first { $0.kind == .chart })
        #expect(chart.items.count == 10)

        try await harness.showChart("2024-05-02")
        let second = try await updates.first { $0.screen.revision.catalogueRevision > first.screen.revision.catalogueRevision }
        #expect(!second.changes.isEmpty)
        #expect(second.screen.sum != first.screen.sum)
        let asked = try await client.get(.home)
        #expect(asked.sections.map(\.sum) == second.screen.sections.map(\.sum))
        await client.close()
        await harness.stop()
    }
}
