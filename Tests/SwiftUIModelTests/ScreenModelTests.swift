import MarqueeClient
import MarqueeSwiftUI
import MarqueeTesting
import Synchronization
import Testing

@MainActor @Suite struct ScreenModelTests {
    static func film(_ id: String, _ title: String) -> SampleItem {
        .card(id, title: title, subject: Subject("film/\(id)"))
    }

    static let films = [film("alien", "Alien"), film("brazil", "Brazil"), film("dune", "Dune")]
    static let home = SampleScreen(.home, title: "Home", [SampleSection("new", title: "New", items: films)])

    /// Runs a model while a test looks at it.
    private func running<Content: Sendable>(
        _ model: ScreenModel<Content>, _ test: () async throws -> Void
    ) async throws {
        let run = Task { await model.run() }
        do { try await test() } catch {
            run.cancel()
            throw error
        }
        run.cancel()
        await run.value
    }

    private func ids<Content>(_ model: ScreenModel<Content>) -> [String] {
        model[section: "new"]?.items.map(\.id.item) ?? []
    }

    @Test func aScreenLoadsAndIsLive() async throws {
        let server = ScriptedServer([Self.home])
        server.network = .slow(.seconds(1))
        let model = ScreenModel(.home, of: server.makeClient())
        #expect(model.phase == .loading && model.sections.isEmpty && model.asOf == nil)
        try await running(model) {
            // The client asks for the screen when the model begins to run.
            while server.connections == 0 { await Task.yield() }
            server.advance(by: .seconds(3))
            try await eventually { model.phase == .live }
            #expect(model.title == "Home" && model[section: "new"]?.title == "New")
            #expect(ids(model) == ["alien", "brazil", "dune"] && model.asOf == server.date)
        }
        #expect(ids(model) == ["alien", "brazil", "dune"] && model.phase == .stored, "nobody keeps it current")
    }

    @Test func aPageIsAskedForNearTheEndAndOnce() async throws {
        let items = (1...9).map { Self.film("f\($0)", "Film \($0)") }
        let server = ScriptedServer([
            SampleScreen(.home, [SampleSection("new", items: items).windowed([5, 9])])
        ])
        let model = ScreenModel(.home, of: server.makeClient())
        #expect(!model.wantsMore(of: "new", showing: 4), "nothing is there yet")
        try await running(model) {
            try await eventually { model.phase == .live }
            #expect((0...4).map { model.wantsMore(of: "new", showing: $0) } == [false, false, true, true, true])
            #expect(!model.wantsMore(of: "old", showing: 4))
            server.network = .slow(.seconds(1))
            let asking = Task { await model.showMore(of: "new") }
            try await eventually { model.changingSections == ["new"] }
            #expect(!model.wantsMore(of: "new", showing: 4))
            server.network = .online
            server.advance(by: .seconds(2))
            await asking.value
            try await eventually { model.sections[0].items.count == 9 }
            #expect(!model.wantsMore(of: "new", showing: 8))
        }
    }

    @Test func theNoticeSaysWhatTheRowsDont() async throws {
        let server = ScriptedServer([Self.home])
        let missing = ScreenModel("film/none", of: server.makeClient())
        #expect(missing.notice == .loading)
        await missing.run()
        guard case .refused(let error) = missing.phase else {
            Issue.record("the screen exists")
            return
        }
        #expect(missing.notice == .unavailable(error))
        let model = ScreenModel(.home, of: server.makeClient())
        try await running(model) {
            try await eventually { model.phase == .live }
            #expect(model.notice == nil)
            server[.home] = nil
            try await eventually { model.phase != .live }
            #expect(model.notice == .stored(model.asOf), "its rows stay")
        }
    }

    @Test func offlineItIsStoredAndSaysSinceWhen() async throws {
        let server = ScriptedServer([Self.home])
        let model = ScreenModel(.home, of: server.makeClient())
        try await running(model) {
            try await eventually { model.phase == .live }
            let date = server.date
            server.network = .offline
            try await eventually { model.phase == .stored }
            #expect(model.asOf == date && ids(model).count == 3)
            server.network = .online
            server.advance(by: .seconds(30))
            try await eventually { model.phase == .live }
        }
    }

    @Test func aRefusedScreenSaysWhyAndCanBeTriedAgain() async throws {
        let server = ScriptedServer([Self.home])
        server.refuse(.home, .denied("not for you"))
        let model = ScreenModel(.home, of: server.makeClient())
        await model.run()
        guard case .refused(let error) = model.phase else {
            Issue.record("not refused")
            return
        }
        #expect(error.message == "not for you" && error.code == .notAllowed)
        server.refuse(.home, nil)
        try await running(model) { try await eventually { model.phase == .live } }
    }

    @Test func itemsAreDecodedOnceAndKeepTheirIdentity() async throws {
        let server = ScriptedServer([Self.home])
        let decoded = Log()
        let model = ScreenModel(.home, of: server.makeClient()) { item in
            decoded.add(item.id)
            return item.id.uppercased()
        }
        try await running(model) {
            try await eventually { model.phase == .live }
            #expect(decoded.all == ["alien", "brazil", "dune"])
            let identities = model.sections[0].items.map(\.id)
            server.move("dune", to: 0, in: "new", of: .home)
            try await eventually { ids(model) == ["dune", "alien", "brazil"] }
            #expect(Set(model.sections[0].items.map(\.id)) == Set(identities))
            #expect(model.changes.batches.first?.movedItems.count == 1)
            server.update(.home) { $0.sections[0].items[1] = Self.film("alien", "Alien (1979)") }
            try await eventually { !model.changes.reconfiguredItems.isEmpty }
            #expect(decoded.all.count == 4 && decoded.all.last == "alien" && model.changes.batches.isEmpty)
            await model.toggleFavorite(model.sections[0].items[2])
            try await eventually { model.sections[0].items[2].favorite == .yes }
            #expect(decoded.all.count == 4)
        }
    }

    @Test func onlyMovesAreAnimated() async throws {
        let server = ScriptedServer([Self.home])
        let model = ScreenModel(.home, of: server.makeClient())
        var animated: [Bool] = []
        model.perform = { update, show in
            animated.append(update.animatesDifferences)
            show()
        }
        try await running(model) {
            try await eventually { model.phase == .live }
            server.move("dune", to: 0, in: "new", of: .home)
            try await eventually { ids(model).first == "dune" }
            server.update(.home) { $0.sections[0].items[0] = Self.film("dune", "Dune: Part Two") }
            try await eventually { !model.changes.reconfiguredItems.isEmpty }
        }
        #expect(animated == [false, true, false])
    }

    @Test func aFavoriteIsPendingThenConfirmed() async throws {
        let server = ScriptedServer([Self.home])
        let model = ScreenModel(.home, of: server.makeClient())
        try await running(model) {
            try await eventually { model.phase == .live }
            server.network = .slow(.seconds(2))
            await model.toggleFavorite(model.sections[0].items[1])
            try await eventually { model.sections[0].items[1].favorite == .pendingYes }
            server.advance(by: .seconds(2))
            try await eventually { model.sections[0].items[1].favorite == .yes }
            #expect(server.members() == ["film/brazil"] && model.actionError == nil)
        }
    }

    @Test func aRefusedFavoriteGoesBackAndSaysWhy() async throws {
        let server = ScriptedServer([Self.home])
        server.refuseChanges { _, _ in .denied("too many favorites") }
        let model = ScreenModel(.home, of: server.makeClient())
        try await running(model) {
            try await eventually { model.phase == .live }
            await model.toggleFavorite(model.sections[0].items[0])
            try await eventually { model.sections[0].items[0].favoriteError?.message == "too many favorites" }
            #expect(model.sections[0].items[0].favorite == .no)
        }
    }

    @Test func anActionThatCantBeStoredIsSaidAtOnce() async throws {
        let model = ScreenModel(.home, of: ScriptedServer([Self.home]).makeClient(user: nil))
        try await running(model) {
            try await eventually { model.phase == .live }
            await model.toggleFavorite(model.sections[0].items[0])
            #expect(model.actionError != nil)
            model.dismissError()
            #expect(model.actionError == nil)
        }
    }

    @Test func windowsAndOrdersAreTheServersAndSurviveALeave() async throws {
        var home = Self.home
        home.sections[0] = home.sections[0].sorted("newest", title: "Newest")
            .sorted("title", title: "Title", ids: ["dune", "brazil", "alien"]).windowed([1, 2, 3])
        let server = ScriptedServer([home])
        let model = ScreenModel(.home, of: server.makeClient())
        try await running(model) {
            try await eventually { model.phase == .live }
            #expect(ids(model) == ["alien"] && model[section: "new"]?.canShowMore == true)
            await model.showMore(of: "new")
            try await eventually { ids(model) == ["alien", "brazil"] }
            await model.setSort("title", of: "new")
            try await eventually { ids(model) == ["dune", "brazil"] }
            await model.setSort("length", of: "new")
            #expect(model.actionError?.code == .unknownOptions && model.changingSections.isEmpty)
            #expect(ids(model) == ["dune", "brazil"])
        }
        // The model still has what it showed; a new title is what only the second run can bring.
        server.update(.home) { $0.title = "Home again" }
        try await running(model) {
            try await eventually { model.title == "Home again" }
            #expect(model.phase == .live && ids(model) == ["dune", "brazil"])
            await model.showLess(of: "new")
            try await eventually { ids(model) == ["dune"] }
        }
    }

    @Test func aModelThatNoClientWasGivenToSaysSo() async throws {
        let model = ScreenModel<ItemContent>(.home, ofClient: nil, sorts: [:], windows: [:]) { $0.content }
        await model.run()
        guard case .refused(let error) = model.phase else {
            Issue.record("nothing can be shown")
            return
        }
        #expect(error.code == .closed && error.message.contains(".marquee(client)"))
        await model.toggleFavorite("film/alien")
        #expect(model.actionError == error && model.hasActionError)
        model.hasActionError = false
        #expect(model.actionError == nil)
    }
}

/// The ids of the decoded items, in order.
private final class Log: Sendable {
    private let entries = Mutex<[String]>([])

    var all: [String] { entries.withLock { $0 } }
    func add(_ entry: String) { entries.withLock { $0.append(entry) } }
}
