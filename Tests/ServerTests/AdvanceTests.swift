import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import Testing

@testable import MarqueeServer

@Suite struct AdvanceTests {
    /// Hands over the new commits of the log.
    private func begin(_ world: HubWorld) throws -> Advance {
        let commits = try world.store.commits(after: world.hub.catalogueRevision, limit: 64)
        return try #require(world.hub.begin(commits, changesAtOnce: 0))
    }

    /// Expects the hub to show the same as one that begins with the log as it is now.
    private func expectCurrent(
        _ world: HubWorld, _ screens: [String], user: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let fresh = try HubWorld(store: world.store)
        for screen in screens {
            let (shown, expected) = (try world.view(screen, user: user), try fresh.view(screen, user: user))
            #expect(shown.list.current.version.sum == expected.list.current.version.sum, sourceLocation: sourceLocation)
            #expect(
                shown.sections.map(\.current.version.sum) == expected.sections.map(\.current.version.sum),
                "\(screen)", sourceLocation: sourceLocation)
        }
    }

    @Test func `Until many changes have been applied, the hub serves the earlier state`() throws {
        let world = try HubWorld()
        let (home, first) = (try world.open("home"), try world.open("detail/1"))
        let favorites = try world.open("favorites", user: "ana")
        try world.write(world.movie(1, genre: 1, title: "Other"), world.movie(3, genre: 2), .remove(.movie(2)))
        let advance = try begin(world)
        // Meanwhile a client shows a movie that is about to go, and a favorite that is about to change.
        let second = try world.open("detail/2")
        try world.favorite("ana", "movie/1")
        #expect(world.last?.catalogueRevision == 4)
        #expect(world.changed == [favorites["favorites"]].compactMap(\.self))
        world.hub.release(first.values.sorted())
        #expect(world.hub.catalogueRevision == 4)

        try advance.run()
        #expect(world.hub.catalogueRevision == 4)
        world.hub.finish(advance)
        #expect(world.hub.catalogueRevision == 5)
        #expect(world.last?.gone == [second[""]].compactMap(\.self))
        #expect(world.change(home["rank"]) != nil && world.change(favorites["favorites"]) != nil)
        #expect(world.change(first["detail"]) == nil)
        try expectCurrent(world, ["home", "detail/1", "favorites"], user: "ana")
        // They are kept current as before.
        try world.commit(world.movie(1, genre: 2, title: "Once more"))
        try world.favorite("ana", "movie/3")
        try expectCurrent(world, ["home", "detail/1", "favorites"], user: "ana")
    }

    @Test func `A programme among many changes also applies to screens opened meanwhile`() throws {
        let world = try HubWorld()
        try world.write(.programme(HubWorld.programme.replacing("id: basic", with: "id: other")))
        let advance = try begin(world)
        _ = try world.open("home")
        try world.favorite("ana", "movie/1")
        _ = try world.open("favorites", user: "ana")
        try advance.run()
        world.hub.finish(advance)
        #expect(world.last?.replans.contains("home") == true)
        #expect(try world.view("home").sections.map(\.section) == ["rank", "other"])
        try expectCurrent(world, ["home", "favorites"], user: "ana")
    }

    /// Found by the simulation: a relay, which shows variants and not screens, went on showing the old content.
    @Test func `A section that is missing among many changes is current again once a programme has it`() throws {
        let world = try HubWorld()
        try world.write(.programme(HubWorld.programme.replacing("id: basic", with: "id: other")))
        let advance = try begin(world)
        let home = try world.open("home")
        try advance.run()
        world.hub.finish(advance)
        try world.commit(world.movie(3, genre: 2, title: "Other"))
        #expect(world.change(home["basic"]) == nil)
        try world.commit(.programme(HubWorld.programme))
        let basic = try #require(try HubWorld(store: world.store).view("home").sections.last)
        #expect(basic.section == "basic")
        #expect(world.change(home["basic"])?.version.sum == basic.current.version.sum)
        try world.commit(world.movie(3, genre: 2, title: "Once more"))
        #expect(world.change(home["basic"]) != nil, "it is kept current from then on")
    }

    @Test func `A hub that has moved on by itself doesn't go back`() throws {
        let world = try HubWorld()
        _ = try world.open("home")
        try world.write(world.movie(1, genre: 1, title: "Other"))
        let advance = try begin(world)
        try world.commit(world.movie(2, genre: 1, title: "Another"))
        let published = world.publications.count
        try advance.run()
        world.hub.finish(advance)
        #expect(world.publications.count == published)
        #expect(world.hub.catalogueRevision == 6)
        try expectCurrent(world, ["home"], user: "ana")
    }

    @Test func `A few changes are not handed over`() throws {
        let world = try HubWorld()
        try world.write(world.movie(1, genre: 1, title: "Other"))
        #expect(world.hub.begin(try world.store.commits(after: 4, limit: 64)) == nil)
    }

    @Test func `A change of types or of the programme is handed over if there are many records`() throws {
        let world = try HubWorld()
        try world.write(.programme(HubWorld.programme.replacing("id: basic", with: "id: other")))
        let commits = try world.store.commits(after: 4, limit: 64)
        #expect(world.hub.begin(commits, changesAtOnce: 4) != nil, "there are four records")
        #expect(world.hub.begin(commits, changesAtOnce: 5) == nil)
    }
}
