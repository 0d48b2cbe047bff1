import MarqueeClient
import MarqueeSwiftUI
import MarqueeTesting
import Testing

@MainActor @Suite struct SearchModelTests {
    @Test func aQueryFindsThingsAndAnEmptyOneNothing() async throws {
        let model = SearchModel(of: ScriptedServer([ScreenModelTests.home]).makeClient())
        model.query = "e"
        let run = Task { await model.run() }
        try await eventually { model.phase == .found }
        #expect(model.items.map(\.id.item) == ["film/alien", "film/dune"] && model.total == 2 && !model.hasMore)
        model.query = "braz"
        try await eventually { model.items.map(\.id.item) == ["film/brazil"] }
        model.query = ""
        try await eventually { model.phase == .idle && model.items.isEmpty }
        run.cancel()
        await run.value
    }

    @Test func thereAreMorePagesThanOne() async throws {
        let films = (10..<35).map { ScreenModelTests.film("film\($0)", "Film \($0)") }
        let server = ScriptedServer([SampleScreen(.home, [SampleSection("all", items: films)])])
        let model = SearchModel(of: server.makeClient())
        let run = Task { await model.run() }
        model.query = "film"
        try await eventually { model.items.count == 20 && model.hasMore }
        model.showMore()
        try await eventually { model.items.count == 25 && !model.hasMore }
        run.cancel()
        await run.value
    }

    @Test func theConnectionAndWhatWasRefusedAreSaid() async throws {
        let server = ScriptedServer([ScreenModelTests.home])
        server.refuseChanges { _, _ in .denied("no") }
        let client = server.makeClient()
        let model = ConnectionModel(of: client)
        let run = Task { await model.run() }
        try await client.setFavorite(true, for: "film/alien")
        try await eventually { model.isConnected && model.rejections.count == 1 }
        #expect(model.rejections.first?.subject == "film/alien" && model.rejections.first?.error.message == "no")
        await model.clearRejectedChanges()
        #expect(model.rejections.isEmpty)
        server.network = .offline
        try await eventually { !model.isConnected }
        run.cancel()
        await run.value
    }

    @Test func aCollectionIsPendingThenConfirmedOrRejected() async throws {
        let server = ScriptedServer([ScreenModelTests.home], collections: [.favorites, "progress"])
        let model = CollectionModel("progress", of: server.makeClient())
        let run = Task { await model.run() }
        await model.set("film/alien", value: 120)
        try await eventually { model["film/alien"]?.isPending == false && model.isLive }
        #expect(model["film/alien"]?.value == 120 && model.error == nil)
        server.network = .slow(.seconds(1))
        await model.set("film/alien", value: 130)
        try await eventually {
            model["film/alien"] == CollectionMember(subject: "film/alien", value: 130, isPending: true)
        }
        server.advance(by: .seconds(1))
        try await eventually { model["film/alien"]?.isPending == false }
        server.refuseChanges { _, _ in .denied("full") }
        await model.set("film/dune", value: 1)
        server.advance(by: .seconds(1))
        try await eventually { model.rejected.map(\.error.message) == ["full"] }
        #expect(model["film/dune"] == nil)
        run.cancel()
        await run.value
    }
}
