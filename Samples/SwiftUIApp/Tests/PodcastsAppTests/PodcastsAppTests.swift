import Foundation
import MarqueeClient
import MarqueeSwiftUI
import MarqueeTesting
import PodcastsApp
import Testing

/// The app's own tests: no server, no network, no waiting.
@MainActor @Suite struct PodcastsAppTests {
    let server = ScriptedServer(Samples.screens)

    /// Runs models as views do, while a test looks at them.
    private func showing(_ runs: [@MainActor () async -> Void], while test: () async throws -> Void) async throws {
        let tasks = runs.map { run in Task { await run() } }
        defer { for task in tasks { task.cancel() } }
        try await test()
    }

    @Test func homeShowsEpisodesAndMoreOfThem() async throws {
        let app = AppModel(client: server.makeClient())
        try await showing([{ await app.home.run() }]) {
            try await eventually { app.home.phase == .live }
            #expect(app.home.title == "Podcasts")
            #expect(app.home.sections[0].items.map(\.content.title) == ["Tides", "A Year of Moss"])
            #expect(app.home.sections[0].items[0].content.progress == 0.25)
            await app.home.showMore(of: "new")
            try await eventually { app.home.sections[0].items.count == 3 }
        }
    }

    @Test func anEpisodeLeadsToItsScreen() async throws {
        let app = AppModel(client: server.makeClient())
        try await showing([{ await app.home.run() }]) {
            try await eventually { app.home.phase == .live }
            let target = try #require(app.home.sections[0].items[0].content.target)
            let detail = app.detail(target)
            try await showing([{ await detail.run() }]) {
                try await eventually { detail.phase == .live }
                #expect(detail.sections[0].items[0].content.subtitle == "Harbour Lights")
            }
        }
    }

    @Test func aFavoriteAppearsOnBothScreens() async throws {
        let app = AppModel(client: server.makeClient())
        try await showing([{ await app.home.run() }, { await app.favorites.run() }]) {
            try await eventually { app.home.phase == .live && app.favorites.phase == .live }
            await app.home.toggleFavorite(app.home.sections[0].items[0])
            try await eventually { app.favorites.sections.first?.items.map(\.content.title) == ["Tides"] }
            try await eventually { app.home.sections[0].items[0].favorite == .yes }
        }
    }

    @Test func aFavoriteThatFailsIsTakenBackAndSaid() async throws {
        server.refuseChanges { _, _ in .denied("at most 100 favorites") }
        let app = AppModel(client: server.makeClient())
        try await showing([{ await app.home.run() }, { await app.connection.run() }]) {
            try await eventually { app.home.phase == .live }
            await app.home.toggleFavorite(app.home.sections[0].items[0])
            try await eventually { app.notice == "Not saved: At most 100 favorites." }
            try await eventually {
                app.home.sections[0].items[0].favoriteError?.localizedDescription == "At most 100 favorites."
            }
            #expect(app.home.sections[0].items[0].favorite == .no)
        }
    }

    @Test func theAppStartsOfflineWithWhatItHad() async throws {
        let mirror = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).mirror")
        defer { try? FileManager.default.removeItem(at: mirror) }
        let client = server.makeClient { $0.mirror = .file(mirror.path) }
        let first = AppModel(client: client)
        try await showing([{ await first.home.run() }]) { try await eventually { first.home.phase == .live } }
        await client.close()

        server.network = .offline
        let second = AppModel(client: server.makeClient { $0.mirror = .file(mirror.path) })
        try await showing([{ await second.home.run() }, { await second.connection.run() }]) {
            try await eventually { second.home.phase == .stored }
            #expect(second.home.sections[0].items.map(\.content.title) == ["Tides", "A Year of Moss"])
            #expect(second.notice == "Offline. You see what was stored.")
        }
    }

    @Test func aSearchFindsEpisodes() async throws {
        let app = AppModel(client: server.makeClient())
        try await showing([{ await app.search.run() }]) {
            app.search.query = "moss"
            try await eventually { app.search.items.map(\.content.title) == ["A Year of Moss"] }
        }
    }

    @Test func thePreviewShowsTheSamples() async throws {
        let app = AppModel(client: .preview(Samples.screens, favorites: ["episode/moss"]))
        try await showing([{ await app.home.run() }]) {
            try await eventually { app.home.phase == .live }
            #expect(app.home.sections[0].items.map(\.favorite) == [.no, .yes])
        }
    }
}
