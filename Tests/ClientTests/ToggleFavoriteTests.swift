import MarqueeModel
import MarqueePresets
import Testing

@testable import MarqueeClient

@Suite("Toggling a favorite", .timeLimit(.minutes(10)))
struct ToggleFavoriteTests {
    @Test func `However quickly toggles come, each acts on the last one's result`() async throws {
        // Nobody listens there, so toggled favorites stay pending.
        let client = MarqueeClient(ClientConfiguration(host: "127.0.0.1", port: 1, user: "mina", mirror: .memory))
        func toggle(_ count: Int) async throws -> [Bool] {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<count { group.addTask { try await client.toggleFavorite(.movie(7)) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        let even = try await toggle(100)
        #expect(even.count { $0 } == 50)
        #expect(try await client.favorites().isEmpty)
        let odd = try await toggle(101)
        #expect(odd.count { $0 } == 51)
        #expect(try await client.favorites().map(\.subject) == [.movie(7)])
        await client.close()
    }

    @Test func `A toggle acts on what is shown: it unsets a confirmed favorite, and sets one being unset`() throws {
        let test = try TestEngine()
        _ = test.watch()
        test.connect(confirmed: [7])
        #expect(try !test.engine.toggleFavorite(.movie(7)))
        #expect(test.mark(7) == .pendingNo)
        #expect(try test.engine.toggleFavorite(.movie(7)))
        #expect(test.mark(7) == .yes)
        #expect(try test.engine.toggleFavorite(.movie(8)))
        #expect(test.mark(8) == .pendingYes)
        #expect(test.outbox == ["1 -movie/7", "2 +movie/7", "3 +movie/8"])
        test.world.end()
    }

    @Test func `Without a user there is nothing to toggle, and the error says what is missing`() async throws {
        let client = MarqueeClient(ClientConfiguration(host: "127.0.0.1", port: 1, mirror: .memory))
        let error = await #expect(throws: ClientError.self) { try await client.toggleFavorite(.movie(7)) }
        #expect(error?.code == .notSignedIn)
        await client.close()
    }
}
