import DivesApp
import Foundation
import MarqueeClient
import MarqueeTesting
import MarqueeUIKit
import Testing

/// The app's own tests: no server, no network, no waiting, and no UIKit.
@MainActor @Suite struct DivesAppTests {
    static func dive(_ id: String, _ title: String) -> SampleItem {
        .card(id, title: title, subject: Subject("dive/\(id)")) { card in
            card.subtitle = "Red Sea"
            card.actions = [.sample("open", title: "Open", target: "dive/\(id)")]
        }
    }

    static let dives = (1...30).map { dive("d\($0)", "Dive \($0)") }
    let server = ScriptedServer([
        SampleScreen(
            .home, title: "Dives", [SampleSection("latest", title: "Latest", items: dives).windowed([10, 20])]),
        SampleScreen("dive/d1", title: "Dive 1", [SampleSection("about", items: [dives[0]])]),
    ])

    private func showing<Content: Sendable>(
        _ model: ScreenModel<Content>, while test: () async throws -> Void
    ) async throws {
        let run = Task { await model.run() }
        defer { run.cancel() }
        try await eventually { model.phase == .live }
        try await test()
    }

    @Test func theEndOfASectionBringsItsNextPageAndNoMore() async throws {
        let home = AppModel(client: server.makeClient()).screen(.home)
        try await showing(home) {
            #expect(home.sections[0].items.count == 10)
            #expect(!home.wantsMore(of: "latest", showing: 0))
            #expect(home.wantsMore(of: "latest", showing: 9))
            await home.showMore(of: "latest")
            try await eventually { home.sections[0].items.count == 20 }
            #expect(!home.wantsMore(of: "latest", showing: 9))
            #expect(!home.wantsMore(of: "latest", showing: 19), "there is no larger window")
        }
    }

    @Test func aDiveLeadsToItsScreen() async throws {
        let app = AppModel(client: server.makeClient())
        let home = app.screen(.home)
        try await showing(home) {
            let target = try #require(home.sections[0].items[0].content.target)
            let detail = app.screen(target)
            try await showing(detail) { #expect(detail.title == "Dive 1") }
        }
    }

    @Test func aStarShowsAtOnce() async throws {
        let home = AppModel(client: server.makeClient()).screen(.home)
        try await showing(home) {
            await home.toggleFavorite(home.sections[0].items[0])
            try await eventually { home.sections[0].items[0].favorite == .yes }
        }
    }

    @Test func theAppSaysWhenItIsOffline() async throws {
        let home = AppModel(client: server.makeClient()).screen(.home)
        #expect(home.notice == .loading)
        try await showing(home) {
            #expect(home.notice == nil && AppModel.words(for: home.notice) == nil)
            server.network = .offline
            try await eventually { home.notice == .stored(home.asOf) }
            #expect(AppModel.words(for: home.notice)?.hasPrefix("Offline. As of ") == true)
        }
    }
}
