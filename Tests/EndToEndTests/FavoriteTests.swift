import Foundation
import MarqueeModel
import MarqueePresetRecords
import MarqueeScreens
import MarqueeTypes
import Testing

@testable import MarqueeClient

@Suite("Favorites over real sockets", .timeLimit(.minutes(10)))
struct FavoriteTests {
    @Test func `A favorite shows at once, is confirmed, and reaches the user's other device`() async throws {
        let harness = try await Harness()
        let one = try harness.client(user: "mina", mirror: "one.sqlite")
        let two = try harness.client(user: "mina", mirror: "two.sqlite")
        var favorites = two.screen(.favorites).makeAsyncIterator()
        _ = try await favorites.first { $0.origin == .live }
        var home = one.screen(.home).makeAsyncIterator()
        let live = try await home.first { $0.origin == .live }
        let item = try #require(live.screen.sections.first { $0.kind == .rank }?.items.first)
        let subject = try #require(item.subject)

        try await one.setFavorite(true, for: subject)
        let marked = try await home.first { update in
            update.screen.sections.first { $0.kind == .rank }?.items.first?.favorite.isFavorite == true
        }
        #expect(!marked.changes.reconfiguredItems.isEmpty)
        #expect(try await one.waitForConfirmation(within: .seconds(60)))
        if marked.screen.sections.first(where: { $0.kind == .rank })?.items.first?.favorite != .yes {
            _ = try await home.first { update in
                update.screen.sections.first { $0.kind == .rank }?.items.first?.favorite == .yes
            }
        }
        try await one.setFavorite(true, for: .movie(496_243))
        let both = try await favorites.first { $0.screen.sections.first?.items.count == 2 }
        #expect(both.screen.sections.first?.items.map(\.subject) == [.movie(496_243), subject])

        try await two.setFavorite(false, for: subject)
        _ = try await favorites.first { $0.screen.sections.first?.items.count == 1 }
        _ = try await home.first { update in
            update.screen.sections.first { $0.kind == .rank }?.items.first?.favorite == .no
        }
        await one.close()
        await two.close()
        await harness.stop()
    }

    @Test
    func `A favorite set offline is shown, survives a restart, and is sent once a server is there`() async throws {
        let harness = try await Harness()
        let first = try harness.client(user: "mina", mirror: "m.sqlite")
        var screen = first.screen(.favorites).makeAsyncIterator()
        _ = try await screen.first { $0.origin == .live }
        var home = first.screen(.home).makeAsyncIterator()
        _ = try await home.first { $0.origin == .live }
        await first.close()

        let offline = try harness.client(user: "mina", mirror: "m.sqlite", port: 1)
        try await offline.setFavorite(true, for: .movie(27_205))
        #expect(try await offline.favorites().map(\.mark) == [.pendingYes])
        var stored = offline.screen(.favorites).makeAsyncIterator()
        let value = try #require(try await stored.next())
        #expect(value.screen.sections.first?.items.first?.subject == .movie(27_205))
        #expect(value.screen.sections.first?.head.total == 1)
        try await offline.setFavorite(false, for: .movie(27_205))
        let unset = try #require(try await stored.next())
        #expect(unset.screen.sections.first?.head.total == 0)
        #expect(unset.changes.reconfiguredSections == [0])
        try await offline.setFavorite(true, for: .movie(27_205))
        await offline.close()

        let again = try harness.client(user: "mina", mirror: "m.sqlite")
        _ = again.events
        var favorites = again.screen(.favorites).makeAsyncIterator()
        _ = try await favorites.first { $0.origin == .live && $0.screen.sections.first?.items.first?.favorite == .yes }
        #expect(try await again.waitForConfirmation(within: .seconds(60)))
        await again.close()
        await harness.stop()
    }

    @Test func `A refused favorite rolls back with a reason`() async throws {
        let harness = try await Harness()
        let client = try harness.client(user: "mina")
        let events = client.events
        try await client.setFavorite(true, for: Subject("movie/1\u{7}"))
        for await event in events {
            if case .changeRejected(_, let subject, let error) = event {
                #expect(subject.name == "movie/1\u{7}")
                #expect(!error.message.isEmpty)
                break
            }
        }
        #expect(try await client.favorites().isEmpty)
        await client.close()
        await harness.stop()
    }

    @Test func `One user's mirror is refused to another, and the message says what to do`() async throws {
        let harness = try await Harness()
        let client = try harness.client(user: "mina", mirror: "m.sqlite")
        var screen = client.screen(.favorites).makeAsyncIterator()
        _ = try await screen.first { $0.origin == .live }
        await client.close()
        let other = try harness.client(user: "jun", mirror: "m.sqlite")
        var refused = other.screen(.favorites).makeAsyncIterator()
        let error = await #expect(throws: ClientError.self) { _ = try await refused.next() }
        #expect(error?.code == .mirrorOfAnotherUser)
        await harness.stop()
    }

    @Test func `A screen fetched once shows the favorites too`() async throws {
        let harness = try await Harness()
        let writer = try harness.client(user: "mina", mirror: "w.sqlite")
        try await writer.setFavorite(true, for: .movie(27_205))
        #expect(try await writer.waitForConfirmation(within: .seconds(60)))
        await writer.close()
        let reader = try harness.client(user: "mina")
        let items = try await reader.fetchScreen(.home).sections.flatMap(\.items)
        #expect(items.contains { $0.favorite == .yes })
        #expect(items.allSatisfy { ($0.favorite == .yes) == ($0.subject == .movie(27_205)) })
        await reader.close()
        await harness.stop()
    }

    @Test func `Favorites are listed where no screen shows them`() async throws {
        let programme = try Programme.parse(
            text: """
                locales: [en]
                screens:
                  home:
                    title: Home
                    sections:
                      - {id: all, kind: list, source: {records: {type: movie, limit: 2}}}
                """, file: "programme.yaml", types: TypeSet(PresetCatalogue.types, file: "types.yaml"))
        let harness = try await Harness(programme: programme)
        let address = "127.0.0.1:\(harness.server.summary.port)"
        func marquee(_ arguments: String...) async throws -> RunningProcess {
            let process = try RunningProcess(
                "marquee",
                ["favorite"] + arguments
                    + ["--user", "ana", "--server", address, "--mirror", harness.folder.appending(path: "f").path],
                in: harness.folder)
            #expect(try await process.ended() == 0, "\(process.errors)")
            return process
        }
        #expect(try await marquee("list").output == "no favorites\n")
        _ = try await marquee("add", "movie/680")
        #expect(try await marquee("list").output == "♥ movie/680\n")
        await harness.stop()
    }

    @Test func `Without a user the favorites screen ends with a reason, and other screens continue`() async throws {
        let harness = try await Harness()
        let client = try harness.client()
        var home = client.screen(.home).makeAsyncIterator()
        var favorites = client.screen(.favorites).makeAsyncIterator()
        await #expect(throws: ClientError.self) { _ = try await favorites.next() }
        #expect(try await home.first { $0.origin == .live }.screen.sections.isEmpty == false)
        await client.close()
        await harness.stop()
    }
}
