import Foundation
import MarqueeClient
import MarqueeTesting
import Testing

/// The app's life by the public calls, which are the same on every system.
@Suite struct LifecycleTests {
    @Test func aSuspendedClientLeavesItsMirrorToOthersAndGoesOnFromIt() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).mirror").path
        let server = ScriptedServer([Films.home()])
        let client = server.makeClient { $0.mirror = .file(path) }
        var updates = client.screen(.home).makeAsyncIterator()
        _ = try await updates.next()
        await client.suspend()
        #expect(server.connections == 0)
        await #expect(throws: ClientError.self) { try await client.setFavorite(true, for: "film/brazil") }
        // Another owner, as a second process would be.
        let other = server.makeClient { $0.mirror = .file(path) }
        try await other.setFavorite(true, for: "film/alien")
        await other.close()
        server.move("casablanca", to: 0, in: "new", of: .home)
        try await client.resume()
        // Attempts keep a distance.
        server.advance(by: .seconds(1))
        let live = try #require(try await updates.first { $0.isLive && $0.screen.ids().first == "casablanca" })
        #expect(live.screen.ids() == ["casablanca", "alien", "brazil"])
        #expect(live.screen.marks() == [.no, .yes, .no])
        try await client.erase()
    }

    @Test func theBackgroundSuspendsAndTheForegroundResumes() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).mirror").path
        let server = ScriptedServer([Films.home()])
        let client = server.makeClient { $0.mirror = .file(path) }
        var updates = client.screen(.home).makeAsyncIterator()
        _ = try await updates.next()
        client.enteredBackground()
        #expect(server.connections == 0)
        client.networkChanged()
        server.advance(by: .seconds(60))
        #expect(server.connections == 0)
        client.enteredForeground()
        server.advance(by: .seconds(1))
        #expect(server.connections == 1)
        _ = try #require(try await updates.first { $0.isLive })
        try await client.erase()
    }
}

extension ScreenUpdates.Iterator {
    fileprivate mutating func first(where isWanted: (ScreenUpdate) -> Bool) async throws -> ScreenUpdate? {
        while let update = try await next() { if isWanted(update) { return update } }
        return nil
    }
}
