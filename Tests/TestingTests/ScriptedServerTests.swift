@_spi(Admin) import MarqueeClient
import MarqueeTesting
import Testing

@Suite struct ScriptedServerTests {
    @Test func aScreenIsLiveAtOnce() async throws {
        let client = ScriptedServer([Films.home()]).makeClient()
        var updates = client.screen(.home).makeAsyncIterator()
        let first = try #require(try await updates.next())
        #expect(first.origin == .live && first.isFirst)
        #expect(first.screen.title == "Home" && first.screen.ids() == ["alien", "brazil", "casablanca"])
        guard case .card(let card)? = first.screen.sections.first?.items.first?.content else {
            Issue.record("not a card")
            return
        }
        #expect(card.title == "Alien")
    }

    @Test func aRowThatMovesIsAMove() async throws {
        let server = ScriptedServer([Films.home()])
        let client = server.makeClient()
        var updates = client.screen(.home).makeAsyncIterator()
        _ = try await updates.next()
        server.move("casablanca", to: 0, in: "new", of: .home)
        let update = try #require(try await updates.next())
        #expect(update.screen.ids() == ["casablanca", "alien", "brazil"])
        let batch = try #require(update.changes.batches.first)
        #expect(batch.deletedItems.isEmpty && batch.insertedItems.isEmpty && batch.movedItems.count == 1)
    }

    @Test func severalScreensChangeInOneStep() async throws {
        let server = ScriptedServer([Films.home(), Films.detail("alien")])
        let client = server.makeClient()
        var home = client.screen(.home).makeAsyncIterator()
        var detail = client.screen("film/alien").makeAsyncIterator()
        _ = try await home.next()
        _ = try await detail.next()
        server.show(Films.home(["dune"]), SampleScreen("film/alien", title: "Alien (1979)", []))
        let update = try #require(try await home.next())
        #expect(update.screen.ids() == ["dune"])
        let other = try #require(try await detail.next())
        #expect(other.screen.title == "Alien (1979)" && other.screen.sections.isEmpty)
        #expect(other.status.revision == update.status.revision)
    }

    @Test func aFavoriteIsPendingUntilTheServerConfirmsIt() async throws {
        let server = ScriptedServer([Films.home()])
        let client = server.makeClient()
        var updates = client.screen(.home).makeAsyncIterator()
        _ = try await updates.next()
        server.network = .slow(.seconds(2))
        try await client.setFavorite(true, for: "film/brazil")
        #expect(try await updates.next()?.screen.marks() == [.no, .pendingYes, .no])
        #expect(server.members() == ["film/brazil"])
        server.advance(by: .seconds(2))
        let confirmed = try #require(try await updates.next())
        #expect(confirmed.screen.marks() == [.no, .yes, .no])
        #expect(confirmed.status.pendingFavorites == 0)
    }

    @Test func aRefusedFavoriteGoesBackAndSaysWhy() async throws {
        let server = ScriptedServer([Films.home()])
        server.refuseChanges { _, subject in subject == "film/alien" ? .denied("not in your country") : nil }
        let client = server.makeClient()
        var updates = client.screen(.home).makeAsyncIterator()
        _ = try await updates.next()
        try await client.setFavorite(true, for: "film/alien")
        let update = try #require(try await updates.next())
        let item = try #require(update.screen.sections.first?.items.first)
        #expect(item.favorite == .no && item.favoriteError?.message == "not in your country")
        #expect(server.members().isEmpty)
        try await client.setFavorite(true, for: "film/brazil")
        #expect(server.members() == ["film/brazil"])
    }

    @Test func anotherDeviceOfTheUserIsSeen() async throws {
        let server = ScriptedServer([Films.home(), Films.favorites])
        let client = server.makeClient()
        var updates = client.screen(.favorites).makeAsyncIterator()
        #expect(try await updates.next()?.screen.ids("favorites") == [])
        server.set("film/alien")
        server.set("film/brazil")
        #expect(try await updates.next()?.screen.ids("favorites") == ["film/brazil", "film/alien"])
        server.remove("film/brazil")
        #expect(try await updates.next()?.screen.ids("favorites") == ["film/alien"])
    }

    @Test func offlineTheMirrorIsShownAndWritesWait() async throws {
        let server = ScriptedServer([Films.home()])
        let client = server.makeClient()
        var updates = client.screen(.home).makeAsyncIterator()
        _ = try await updates.next()
        server.network = .offline
        #expect(try await updates.next()?.origin == .store)
        try await client.setFavorite(true, for: "film/alien")
        #expect(try await updates.next()?.screen.marks().first == .pendingYes)
        #expect(server.members().isEmpty && server.connections == 0)
        server.network = .online
        server.advance(by: .seconds(30))
        let update = try #require(try await updates.next())
        #expect(update.origin == .live && update.screen.marks().first == .yes)
        #expect(server.members() == ["film/alien"])
    }

    @Test func aRefusedScreenEndsAloneAndTheOthersDont() async throws {
        let server = ScriptedServer([Films.home(), Films.detail("alien")])
        let client = server.makeClient()
        var home = client.screen(.home).makeAsyncIterator()
        var detail = client.screen("film/alien").makeAsyncIterator()
        _ = try await home.next()
        _ = try await detail.next()
        server.refuse("film/alien", .denied("not for you"))
        let error = await #expect(throws: ClientError.self) { _ = try await detail.next() }
        #expect(error?.message == "not for you")
        server.show(Films.home(["dune"]))
        #expect(try await home.next()?.screen.ids() == ["dune"])
        #expect(server.watchedScreens == [.home])
    }

    @Test func aRefusedSectionKeepsItsContentAndTheOthersMove() async throws {
        var home = Films.home()
        home.sections.append(SampleSection("old", items: [Films.film("alien")]))
        let server = ScriptedServer([home])
        let client = server.makeClient()
        var updates = client.screen(.home).makeAsyncIterator()
        _ = try await updates.next()
        server.refuse(section: "new", of: .home, .busy("no room"))
        #expect(try await updates.next()?.status.sectionErrors["new"]?.message == "no room")
        home.sections[0].items = [Films.film("dune")]
        home.sections[1].items = [Films.film("brazil")]
        server.show(home)
        let update = try #require(try await updates.next())
        #expect(update.screen.ids() == ["alien", "brazil", "casablanca"] && update.screen.ids("old") == ["brazil"])
        server.refuse(section: "new", of: .home, nil)
        let repaired = try #require(try await updates.next())
        #expect(repaired.screen.ids() == ["dune"] && repaired.status.sectionErrors.isEmpty)
    }

    @Test func manyTasksAtOnceAreOneAfterTheOther() async throws {
        let server = ScriptedServer([Films.home()])
        let clients = (0..<4).map { _ in server.makeClient() }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    _ = try? await clients[number % 4].setFavorite(true, for: Subject("film/\(number)"))
                    server.move("alien", to: number % 3, in: "new", of: .home)
                    server.advance(by: .milliseconds(10))
                }
            }
        }
        #expect(server.members().count == 40)
        for client in clients {
            let favorites = try await client.favorites()
            #expect(favorites.count == 40 && favorites.allSatisfy { $0.mark == .yes })
        }
    }

    @Test func aRefusedTokenIsReplacedByANewOne() async throws {
        let server = ScriptedServer([Films.home()])
        server.refuseTokens { $0 == "old" }
        let client = server.makeClient(tokens: ["old", "new"])
        var updates = client.screen(.home).makeAsyncIterator()
        #expect(server.connections == 0)
        server.advance(by: .seconds(1))
        #expect(try await updates.next()?.origin == .live)
    }

    @Test func aWrongUpdateIsNeverShownAndIsRepaired() async throws {
        let server = ScriptedServer([Films.home()])
        let client = server.makeClient()
        var updates = client.screen(.home).makeAsyncIterator()
        _ = try await updates.next()
        server.makeNextUpdateWrong()
        server.show(Films.home(["dune", "alien"]))
        let update = try #require(try await updates.next())
        #expect(update.screen.ids() == ["dune", "alien"] && update.origin == .live)
        #expect(server.repairs == 1)
    }

    @Test func ordersAndWindowsAreTheServers() async throws {
        var home = Films.home(["casablanca", "alien", "dune", "brazil"])
        home.sections[0] = home.sections[0].sorted("newest", title: "Newest")
            .sorted("title", title: "Title", ids: ["alien", "brazil", "casablanca", "dune"]).windowed([2, 4])
        let server = ScriptedServer([home])
        let client = server.makeClient()
        var updates = client.screen(.home).makeAsyncIterator()
        let first = try #require(try await updates.next()?.screen)
        #expect(first.ids() == ["casablanca", "alien"])
        let head = try #require(first.sections.first?.head)
        #expect(head.sort == "newest" && head.window == 2 && head.total == 4 && head.hasMore)
        try await client.setOptions([SectionOptions(section: "new", sort: "title")], for: .home)
        #expect(try await updates.next()?.screen.ids() == ["alien", "brazil"])
        try await client.showMore(of: "new", on: .home)
        #expect(try await updates.next()?.screen.ids() == ["alien", "brazil", "casablanca", "dune"])
        let error = await #expect(throws: ClientError.self) {
            try await client.setOptions([SectionOptions(section: "new", sort: "length")], for: .home)
        }
        #expect(error?.code == .unknownOptions)
    }

    @Test func whatIsSlowComesLaterAndInOrder() async throws {
        let server = ScriptedServer([Films.home()])
        server.network = .slow(.seconds(1))
        let client = server.makeClient()
        var updates = client.screen(.home).makeAsyncIterator()
        #expect(try await client.status(of: .home)?.isLive != true)
        server.advance(by: .seconds(5))
        #expect(try await updates.next()?.origin == .live)
        server.show(Films.home(["dune"]))
        server.network = .online
        server.show(Films.home(["brazil"]))
        server.advance(by: .seconds(1))
        #expect(try await updates.next()?.screen.ids() == ["brazil"])
    }

    @Test func aSilentConnectionIsGivenUpAsTimePasses() async throws {
        let server = ScriptedServer([Films.home()])
        let client = server.makeClient()
        var updates = client.screen(.home).makeAsyncIterator()
        _ = try await updates.next()
        server.network = .silent
        server.advance(by: .seconds(45))
        let update = try #require(try await updates.next())
        #expect(update.origin == .store && update.status.lastError?.message == "the server is silent")
    }

    @Test func callsAreAnswered() async throws {
        let server = ScriptedServer([Films.home(), Films.detail("dune")])
        let client = server.makeClient()
        #expect(try await client.fetchScreen(.home).ids() == ["alien", "brazil", "casablanca"])
        let found = try await client.search("DUN")
        #expect(found.items.map(\.id) == ["film/dune"] && found.total == 1)
        #expect(try await client.describe().screens.map(\.pattern) == ["film/dune", "home"])
        #expect(try await client.health().sessions == 1)
        let error = await #expect(throws: ClientError.self) { _ = try await client.fetchScreen("nowhere") }
        #expect(error?.status?.reason == "UNKNOWN_SCREEN")
    }

    @Test func aCallTimesOutWhenTimePasses() async throws {
        let server = ScriptedServer([Films.home()])
        server.network = .offline
        let client = server.makeClient()
        let call = Task { try await client.fetchScreen(.home) }
        // The call is there as soon as the client looks for a connection.
        for await event in client.events { if case .state(.waiting) = event { break } }
        server.advance(by: .seconds(10))
        let error = await #expect(throws: ClientError.self) { _ = try await call.value }
        #expect(error?.code == .timeout || error?.code == .unavailable)
    }

    @Test func otherCollectionsKeepValues() async throws {
        let server = ScriptedServer([Films.home()], collections: [.favorites, "progress"])
        let client = server.makeClient()
        try await client.set("film/alien", in: "progress", value: 120)
        #expect(
            try await client.members(of: "progress") == [
                CollectionMember(subject: "film/alien", value: 120, isPending: false)
            ])
        var events = client.events.makeAsyncIterator()
        try await client.set("film/alien", in: "watched")
        while let event = await events.next() {
            guard case .changeRejected(let collection, let subject, let error) = event else { continue }
            #expect(
                collection == "watched" && subject == "film/alien"
                    && error.message == "there is no collection 'watched'")
            break
        }
    }

    @Test func everyClientHasItsOwnUser() async throws {
        let server = ScriptedServer([Films.home(), Films.favorites])
        let ana = server.makeClient(user: "ana")
        let nobody = server.makeClient(user: nil)
        try await ana.setFavorite(true, for: "film/alien")
        #expect(server.members(user: "ana") == ["film/alien"] && server.members(user: "tester").isEmpty)
        var updates = nobody.screen(.favorites).makeAsyncIterator()
        let error = await #expect(throws: ClientError.self) { _ = try await updates.next() }
        #expect(error?.status?.reason == "USER_REQUIRED")
    }

    @Test func theServerMayGoBeforeItsClient() async throws {
        let client = ScriptedServer([Films.home()]).makeClient()
        try await client.setFavorite(true, for: "film/alien")
        #expect(try await client.favorites().map(\.mark) == [.yes])
        await client.close()
    }
}
