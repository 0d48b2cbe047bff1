import Foundation
import MarqueeModel
import Testing

@_spi(Admin) @testable import MarqueeClient

@Suite("Ends and leaks", .timeLimit(.minutes(10)), .serialized)
struct LifetimeTests {
    @Test func `Leaving the loop ends the subscription`() async throws {
        let harness = try await Harness()
        let client = try harness.client()
        for try await update in client.screen(.home) where update.origin == .live { break }
        try await eventually("the server's last subscription going") { try await client.health().subscriptions == 0 }
        await client.close()
        await harness.stop()
    }

    @Test func `Cancelling the task ends the sequence`() async throws {
        let harness = try await Harness()
        let client = try harness.client()
        let task = Task {
            var count = 0
            for try await _ in client.screen(.home) { count += 1 }
            return count
        }
        try await eventually("the subscription") { try await client.health().subscriptions == 1 }
        task.cancel()
        _ = try await task.value
        try await eventually("the server's last subscription going") { try await client.health().subscriptions == 0 }
        await client.close()
        await harness.stop()
    }

    @Test func `Dropping the client frees everything: object, descriptors, session`() async throws {
        let harness = try await Harness()
        // The first client loads what stays loaded for good.
        try await useAndDrop(harness, "first.sqlite")
        try await eventually("the first session's end") { harness.server.connectionCount == 0 }
        let before = Self.descriptors()
        let reference = try await useAndDrop(harness, "second.sqlite")
        try await eventually("the client's end") { reference.client == nil }
        try await eventually("the session's end") { harness.server.connectionCount == 0 }
        try await eventually("the descriptors' return (\(before) before)") { Self.descriptors() <= before }
        await harness.stop()
    }

    /// The files of a mirror that this process has open.
    private static func open(_ mirror: URL) -> [String] {
        let links = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let name = mirror.pathComponents.suffix(2).joined(separator: "/")
        return links.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
            .filter { $0.contains(name) }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
    func `A suspended client has no connection and no open file, and comes back to what has changed`() async throws {
        let harness = try await Harness()
        let mirror = harness.folder.appending(path: "suspended.sqlite")
        let client = try harness.client(user: "mina", mirror: "suspended.sqlite")
        var updates = client.screen(.home).makeAsyncIterator()
        _ = try await updates.first { $0.origin == .live }
        #expect(!Self.open(mirror).isEmpty)
        await client.suspend()
        #expect(Self.open(mirror) == [])
        try await eventually("the session's end") { harness.server.connectionCount == 0 }
        try await harness.showChart("2024-05-02")
        let revision = try harness.store.catalogueHead().revision
        try await client.resume()
        _ = try await updates.first { $0.origin == .live && $0.screen.revision.catalogueRevision == revision }
        #expect(try await client.counters().connections == 2)
        await client.close()
        await harness.stop()
    }

    private final class Reference: @unchecked Sendable {
        // Written once before it is shared.
        weak var client: MarqueeClient?
        init(_ client: MarqueeClient) { self.client = client }
    }

    @discardableResult
    private func useAndDrop(_ harness: Harness, _ mirror: String) async throws -> Reference {
        let client = try harness.client(user: "mina", mirror: mirror)
        var updates = client.screen(.home).makeAsyncIterator()
        _ = try await updates.first { $0.origin == .live }
        return Reference(client)
    }

    private static func descriptors() -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }

    @Test func `Two readers of one screen share one subscription, and nothing is delivered twice`() async throws {
        let harness = try await Harness()
        let client = try harness.client()
        var a = client.screen(.home).makeAsyncIterator()
        var b = client.screen(.home).makeAsyncIterator()
        _ = try await a.first { $0.origin == .live }
        _ = try await b.first { $0.origin == .live }
        #expect(try await client.health().subscriptions == 1)
        try await harness.showChart("2024-05-02")
        let first = try #require(try await a.next())
        #expect(!first.changes.isEmpty)
        try await harness.showChart("2024-05-03")
        let second = try #require(try await a.next())
        #expect(second.screen.revision.catalogueRevision > first.screen.revision.catalogueRevision)
        await client.close()
        #expect(try await a.next()?.screen.sum == nil)
        await harness.stop()
    }
}
