import MarqueeModel
import MarqueeStore
import Testing

@Suite("A truncated log", .timeLimit(.minutes(10)))
struct CutHistoryTests {
    @Test func `A running server that missed commits reads the catalogue again, and goes on`() async throws {
        var limits = StoreLimits()
        limits.historyCommits = 1
        let store = MemoryStore(limits: limits)
        try Harness.fill(store)
        let harness = try await Harness(store: store)
        let client = try harness.client()
        var updates = client.screen(.home).makeAsyncIterator()
        _ = try await updates.next()

        // Five commits at once, of which the log keeps one: the server hears of them when it is too late.
        let writes = (2...6).map { day in
            StoreWrite.catalogue(
                key: nil, changes: [.show(list: Harness.chart, edition: "2024-05-0\(day)")], mutation: nil)
        }
        _ = try store.write(writes)
        let missed = try store.catalogueHead().revision
        _ = try await updates.first { $0.screen.revision.catalogueRevision == missed }

        try await harness.showChart("2024-05-01")
        let head = try store.catalogueHead().revision
        #expect(head == missed + 1)
        _ = try await updates.first { $0.screen.revision.catalogueRevision == head }
        await client.close()
        await harness.stop()
    }
}
