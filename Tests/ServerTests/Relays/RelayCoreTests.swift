import MarqueeModel
import MarqueeScreens
import MarqueeWire
import SeededRandom
import Testing

@testable import MarqueeRelay
@testable import MarqueeServer

@Suite struct RelayCoreTests {
    /// Returns the sums that the server upstream shows of a view, by section.
    private func expected(_ world: RelayWorld, _ screen: String, user: String?) throws -> [String: UInt64] {
        let view = try world.world.view(screen, user: user)
        defer { world.world.hub.release(view.handles) }
        return Dictionary(
            ([view.list] + view.sections).map { ($0.section, $0.current.version.sum) }, uniquingKeysWith: { a, _ in a })
    }

    @Test func `A view is asked for once, and its variants are subscribed to once`() throws {
        let world = try RelayWorld.live()
        let (ana, ben) = (try #require(world.introduce("ana")), try #require(world.introduce("ben")))
        for (ticket, guest) in [(1, ana), (2, ben), (3, ana)] {
            world.open(ticket, "home", user: "ana", guest: guest)
            world.settle()
        }
        #expect(world.shown.count == 3)
        #expect(world.relay.connection.subscriptions.handles.count == 3)
        #expect(try world.shown[1]?.sums == expected(world, "home", user: "ana"))
        #expect(world.relay.staleMilliseconds(now: world.now) == nil)
    }

    @Test func `Views are subscribed to a few at a time, and those of a guest who has left are given up`() throws {
        let world = RelayWorld(try HubWorld(movies: 20))
        world.connect()
        world.settle()
        let (ana, ben) = (try #require(world.introduce("ana")), try #require(world.introduce("ben")))
        for number in 1...20 { world.open(number, "detail/\(number)", user: "ana", guest: ana) }
        for _ in 1...20 { world.serverReads() }
        for _ in 1...20 { world.hubWorks() }
        world.serverWrites()
        for _ in 1...100 { world.relayReads() }
        #expect(world.relay.connection.subscriptions.handles.count == RelayCore.Subscriptions.atOnce)
        #expect(world.relay.connection.subscriptions.waiting.count == 40 - RelayCore.Subscriptions.atOnce)

        world.open(100, "detail/20", user: "ben", guest: ben)
        world.relay.dismiss(ana)
        #expect(
            world.relay.connection.subscriptions.waiting.count == 2, "what somebody else waits for, too, isn't given up"
        )
        world.settle()
        #expect(Array(world.shown.keys) == [100])
        #expect(world.isQuiet)
        #expect(world.relay.connection.subscriptions.handles.count == RelayCore.Subscriptions.atOnce + 2)
        #expect(
            world.relay.connection.subscriptions.waiting.count == 0
                && world.relay.connection.subscriptions.unanswered.isEmpty)
    }

    @Test func `Frames are passed on as they came, and none is encoded`() throws {
        let world = try RelayWorld.live()
        let guest = try #require(world.introduce("ana"))
        world.open(1, "home", user: "ana", guest: guest)
        world.settle()
        let before = try #require(world.shown[1]?.view.sections.first)
        try world.world.commit(world.world.movie(1, genre: 1, title: "Zulu"))
        world.settle()
        let after = try #require(world.shown[1]?.view.sections.first)
        #expect(after.current.version.sum != before.current.version.sum)
        world.now += 1_000
        world.library.tick(now: world.now)
        let route = world.library.route(
            to: after.current.version, of: after.handle, from: (before.current.version.sum, before.current.content),
            since: after.current.since)
        guard case .patch(let shared) = route else {
            Issue.record("\(route)")
            return
        }
        let theirs = world.world.library.route(
            to: after.current.version, of: after.handle,
            from: (before.current.version.sum, try #require(world.world.hub.table.variants[after.handle]).content),
            since: after.current.since)
        guard case .patch(let original) = theirs else {
            Issue.record("\(theirs)")
            return
        }
        #expect(shared.encoded.frame(0) == original.encoded.frame(0))
        #expect(world.library.counters.encodes == 0)
    }

    @Test func `Wrong content is never published, and isn't offered again`() throws {
        let world = try RelayWorld.live()
        let guest = try #require(world.introduce("ana"))
        world.open(1, "home", user: "ana", guest: guest)
        world.settle()
        let before = world.shown[1]?.sums
        var isDamaged = false
        world.transform = { frame in
            guard !isDamaged, case .data(var part)? = try? MessageCodec.decode(frame, limits: .client) else {
                return frame
            }
            isDamaged = true
            part.target ^= 1
            var bytes = MessageCodec.encode(.data(part), flags: frame.flags)
            bytes.moveReaderIndex(forwardBy: Frame.headerBytes)
            return Frame(kind: frame.kind, flags: frame.flags, body: bytes)
        }
        try world.world.commit(world.world.movie(1, genre: 1, title: "Zulu"))
        world.settle()
        #expect(isDamaged && world.disconnections.count == 1)
        #expect(world.shown[1]?.sums == before)
        #expect(world.relay.staleMilliseconds(now: world.now + 5) == 5)
        world.connect()
        world.settle()
        #expect(try world.shown[1]?.sums == expected(world, "home", user: "ana"))
    }

    @Test func `After a loss nothing is published until everything shown has come again`() throws {
        let world = try RelayWorld.live()
        let guest = try #require(world.introduce("ana"))
        for (ticket, screen) in [(1, "home"), (2, "detail/1"), (3, "favorites")] {
            world.open(ticket, screen, user: "ana", guest: guest)
            world.settle()
        }
        world.cut()
        try world.world.commit(world.world.movie(1, genre: 1, title: "Zulu"))
        try world.world.favorite("ana", "movie/2")
        world.connect()
        let count = world.publications.count
        var steps = 0
        while world.publications.count == count, steps < 1_000 {
            world.serverReads()
            world.hubWorks()
            world.serverWrites(1)
            world.relayReads()
            steps += 1
        }
        for (ticket, screen) in [(1, "home"), (2, "detail/1"), (3, "favorites")] {
            #expect(try world.shown[ticket]?.sums == expected(world, screen, user: "ana"), "\(screen)")
        }
        #expect(world.publications.last?.users == ["ana": 1])
        #expect(world.relay.staleMilliseconds(now: world.now) == nil)
    }

    @Test func `A guest who isn't admitted again is out, and the guest's views aren't asked for`() throws {
        let world = try RelayWorld.live()
        let (ana, ben) = (try #require(world.introduce("ana")), try #require(world.introduce("ben")))
        world.open(1, "favorites", user: "ana", guest: ana)
        world.open(2, "favorites", user: "ben", guest: ben)
        world.settle()
        world.cut()
        world.refused = ["ana"]
        world.connect()
        world.settle()
        #expect(world.ended == [ana])
        world.close(1)
        world.settle()
        #expect(try world.shown[2]?.sums == expected(world, "favorites", user: "ben"))
        #expect(world.relay.staleMilliseconds(now: world.now) == nil)
        #expect(world.relay.guests.users.keys.sorted() == ["ben"])
    }

    @Test func `A user's position comes after the changes that led there`() throws {
        let world = try RelayWorld.live()
        let guest = try #require(world.introduce("ana"))
        world.open(1, "favorites", user: "ana", guest: guest)
        world.settle()
        #expect(try world.relay.locate(guest).get().cut.userRevision == 0)
        try world.world.favorite("ana", "movie/2")
        world.settle()
        #expect(try world.relay.locate(guest).get().cut.userRevision == 1)
        #expect(try world.shown[1]?.sums == expected(world, "favorites", user: "ana"))
        // Nobody shows them any more; the position moves on.
        world.close(1)
        try world.world.favorite("ana", "movie/3")
        world.settle()
        #expect(try world.relay.locate(guest).get().cut.userRevision == 2)
    }

    /// Found by the simulation, seed 614: it says the position at once, and waits with answers until it can write them.
    @Test func `A position that comes before the answer to the user's introduction counts`() throws {
        let world = try RelayWorld.live()
        var guest: UInt32?
        world.relay.introduce(Credentials(user: "ana", clientID: [UInt8](repeating: 3, count: Hello.clientIDBytes))) {
            guest = try? $0.get().guest
        }
        // The server has looked up who that is and where the user's log is, and has not written that down yet.
        world.serverReads()
        world.hubWorks()
        world.hubWorks()
        var kinds: [FrameKind] = []
        world.transform = {
            kinds.append($0.kind)
            return $0
        }
        try world.world.favorite("ana", "movie/2")
        world.settle()
        #expect(kinds == [.userProgress, .answer])
        #expect(try world.relay.locate(try #require(guest)).get().cut.userRevision == 1)
        #expect(world.disconnections == [])
    }

    /// Found by `make nodes`: nothing was published for seconds, until a thousand guests had been looked up.
    @Test func `After a loss all guests are introduced again, first one of each user`() throws {
        var bounds = RelayCore.Bounds()
        bounds.introductions = 2
        let world = try RelayWorld.live(bounds: bounds)
        let users = ["ana", "ana", "ben", "ana", "ben"]
        let guests = try users.map { try #require(world.introduce($0)) }
        for (ticket, guest) in guests.enumerated() {
            world.open(ticket, "favorites", user: users[ticket], guest: guest)
        }
        world.settle()
        world.cut()
        try world.world.favorite("ana", "movie/2")
        world.connect()
        world.settle()
        #expect(world.ended == [])
        #expect(!world.relay.guests.all.values.contains { !$0.isIntroduced })
        #expect(world.introduced.dropFirst(users.count) == ["ana", "ben", "ana", "ana", "ben"])
        for (ticket, user) in users.enumerated() {
            #expect(try world.shown[ticket]?.sums == expected(world, "favorites", user: user))
        }
        #expect(world.relay.staleMilliseconds(now: world.now) == nil)
    }

    /// Found by the simulation, seed 7408: others took the places of those who waited for theirs.
    @Test func `Whichever guests come or leave during introductions, all who stay are guests upstream`() throws {
        var bounds = RelayCore.Bounds()
        bounds.introductions = 1
        let world = try RelayWorld.live(bounds: bounds)
        let guests = try ["ana", "ben", "ana", "ben"].map { try #require(world.introduce($0)) }
        world.cut()
        world.connect()
        world.serverReads()
        world.hubWorks()
        world.serverWrites()
        world.relayReads()
        world.serverReads()
        // One of them is being introduced again, one waits for that.
        world.relay.dismiss(guests[0])
        world.relay.dismiss(guests[1])
        #expect(world.introduce("eve") != nil)
        #expect(world.relay.guests.all.count == 3)
        #expect(!world.relay.guests.all.values.contains { !$0.isIntroduced })
        #expect(world.guestsUpstream == 3)
    }

    @Test func `A connection whose call numbers are used up is replaced by another one`() throws {
        let world = try RelayWorld.live()
        let guest = try #require(world.introduce("ana"))
        world.open(1, "favorites", user: "ana", guest: guest)
        world.settle()
        world.relay.connection.calls.sent = OpenCalls(next: RelayCore.numbersPerConnection)
        world.relay.tick(now: world.now)
        #expect(world.disconnections == ["its numbers are used up"])
        world.connect()
        try world.world.favorite("ana", "movie/2")
        world.settle()
        #expect(world.relay.connection.calls.sent.next < 100)
        #expect(try world.shown[1]?.sums == expected(world, "favorites", user: "ana"))
    }

    /// Found by the simulation, seed 1544: their views were waited for without end.
    @Test func `A guest whom the server can't look up after a loss is introduced again`() throws {
        let world = try RelayWorld.live()
        let guest = try #require(world.introduce("ana"))
        world.cut()
        world.isLookingNobodyUp = true
        world.connect()
        world.settle()
        world.open(1, "favorites", user: "ana", guest: guest)
        world.settle()
        #expect(world.shown.isEmpty && world.ended.isEmpty)
        world.isLookingNobodyUp = false
        world.now += 1_000
        world.relay.tick(now: world.now)
        world.settle()
        #expect(try world.shown[1]?.sums == expected(world, "favorites", user: "ana"))
        #expect(world.ended == [])
    }

    @Test func `Introductions that fail leave nothing behind`() throws {
        let world = try RelayWorld.live()
        let guest = try #require(world.introduce("ana"))
        world.refused = ["ben"]
        for _ in 0..<3 { #expect(world.introduce("ben") == nil) }
        #expect(Array(world.relay.numbers.values) == [guest])
    }

    /// Found by the simulation, seed 4238: a connection that was lost before views had come again forgot what they
    /// showed, so they were planned anew after the next, and opened at once with what was held.
    @Test func `Content held before two losses isn't shown at a later position`() throws {
        let world = try RelayWorld.live()
        let guest = try #require(world.introduce("ana"))
        world.open(1, "home", user: "ana", guest: guest)
        world.settle()
        let before = world.shown[1]?.sums
        world.cut()
        world.connect()
        world.serverReads()
        world.serverWrites()
        world.relayReads()
        world.cut()
        try world.world.commit(world.world.movie(1, genre: 1, title: "Zulu"))
        world.connect()
        let after = try expected(world, "home", user: "ana")
        var compared = 0
        for _ in 0..<100 {
            world.serverReads()
            world.hubWorks()
            world.serverWrites(1)
            world.relayReads()
            let isAhead = world.publications.last?.catalogueRevision == world.world.hub.catalogueRevision
            guard world.isQuiet else { continue }
            #expect(world.shown[1]?.sums == (isAhead ? after : before))
            compared += 1
        }
        #expect(compared > 0)
        #expect(world.shown[1]?.sums == after)
    }

    @Test func `Content that goes back and forth is shown each time, whatever position its frames name`() throws {
        let world = try RelayWorld.live()
        let guest = try #require(world.introduce("ana"))
        world.open(1, "favorites", user: "ana", guest: guest)
        world.settle()
        // From the second time on, frames come from the library of the server upstream.
        for isOn in [true, false, true, false, true] {
            try world.world.favorite("ana", "movie/2", on: isOn)
            world.settle()
            #expect(try world.shown[1]?.sums == expected(world, "favorites", user: "ana"))
        }
    }

    @Test func `Without a connection, only views that others show can be opened`() throws {
        let world = try RelayWorld.live()
        let guest = try #require(world.introduce("ana"))
        world.open(1, "home", user: "ana", guest: guest)
        world.settle()
        world.cut()
        var reasons: [String] = []
        for screen in ["home", "detail/1"] {
            let request = OpenRequest(screen: screen, locale: nil, parameters: [], user: "ana")
            world.relay.open(request, guest: guest) { result in
                switch result {
                case .success(let view): reasons.append(view.screen)
                case .failure(let status): reasons.append(status.reason)
                }
            }
        }
        #expect(reasons == ["home", "UPSTREAM_AWAY"])
        var introduced: Status?
        world.relay.introduce(Credentials(user: "ben", clientID: [UInt8](repeating: 1, count: 16))) {
            if case .failure(let status) = $0 { introduced = status }
        }
        #expect(introduced?.reason == "UPSTREAM_AWAY")
    }

    @Test func `A view that nobody shows stays for a while, and is then given up`() throws {
        let world = try RelayWorld.live()
        let guest = try #require(world.introduce(nil))
        world.open(1, "home", user: nil, guest: guest)
        world.settle()
        world.close(1)
        func pass(_ milliseconds: UInt64) {
            world.relay.heard(now: world.now + milliseconds)
            world.relay.tick(now: world.now + milliseconds)
        }
        pass(599_999)
        #expect(world.relay.connection.subscriptions.handles.count == 3)
        pass(600_000)
        world.settle()
        #expect(world.relay.connection.subscriptions.handles.isEmpty && world.relay.variants.all.isEmpty)
        #expect(world.subscriptionsUpstream == 0)
        #expect(world.library.bytes.versions == 0)
    }

    @Test func `Of views that nobody shows a cut changes few, and those idle longest are given up`() throws {
        var bounds = RelayCore.Bounds()
        bounds.idlePatches = 2
        let world = try RelayWorld.live(bounds: bounds)
        let guest = try #require(world.introduce(nil))
        world.open(0, "home", user: nil, guest: guest)
        for id in 1...3 { world.open(id, "detail/\(id)", user: nil, guest: guest) }
        world.settle()
        for id in [2, 3, 1] { world.close(id) }
        try world.world.commit(contentsOf: (1...3).map { world.world.movie($0, genre: 1, title: "Zulu \($0)") })
        world.settle()
        #expect(Set(world.relay.variants.all.values.map(\.name.screen)) == ["home", "detail/1"])
        #expect(world.subscriptionsUpstream == world.relay.variants.all.count)
        world.open(2, "detail/2", user: nil, guest: guest)
        world.settle()
        #expect(try world.shown[0]?.sums == expected(world, "home", user: nil))
        #expect(try world.shown[2]?.sums == expected(world, "detail/2", user: nil))
    }

    @Test(arguments: 1...Extent.of(10, full: 40))
    func `Whatever happens, a relay shows one position, and in the end the server's`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let programmes = [
            HubWorld.programme,
            HubWorld.programme.replacing(
                "      - {id: basic, kind: basic, source: {records: {type: movie, where: {genres: 2}, sort: title, limit: 5}}}\n",
                with: ""),
            HubWorld.programme.replacing("limit: 5", with: "limit: 1"),
        ]
        let world = RelayWorld(try HubWorld())
        // The content of home at each revision, the same for everybody.
        var truth: [UInt64: [String: UInt64]] = [:]
        func note() throws {
            truth[world.world.hub.catalogueRevision] = try expected(world, "home", user: "ana")
        }
        try note()
        world.connect()
        world.settle()
        let users: [String?] = ["ana", "ben", nil]
        var guests: [UInt32] = []
        for user in users { guests.append(try #require(world.introduce(user))) }
        world.open(9, "home", user: users[0], guest: guests[0])
        world.settle()
        let screens = ["home", "detail/1", "detail/2", "favorites"]
        var favorites: Set<String> = []
        var compared = 0
        for _ in 0..<300 {
            switch random.int(0...11) {
            case 0:
                let who = random.int(0...2)
                let screen = screens[random.int(0...3)]
                world.open(random.int(1...8), screen, user: users[who], guest: guests[who])
            case 1: world.close(random.int(1...8))
            case 2, 3:
                let title = ["A", "B", "Movie"][random.int(0...2)]
                try world.world.commit(world.world.movie(UInt64(random.int(1...4)), genre: 1, title: title))
                try note()
            case 4:
                let (user, movie) = (["ana", "ben"][random.int(0...1)], "movie/\(random.int(1...4))")
                let isNew = favorites.insert("\(user) \(movie)").inserted
                if !isNew { favorites.remove("\(user) \(movie)") }
                try world.world.favorite(user, movie, on: isNew)
            case 5 where random.chance(20):
                try world.world.commit(.programme(programmes[random.int(0...2)]))
                try note()
            case 6 where random.chance(30): world.cut()
            case 7: world.connect()
            case 8: world.serverReads()
            case 9: world.hubWorks()
            case 10: world.serverWrites(random.int(1...3))
            case 11 where random.chance(30): world.settle()
            default: for _ in 0...random.int(0...3) { world.relayReads() }
            }
            // Home is shown as it was at one revision.
            guard world.isQuiet, let revision = world.publications.last?.catalogueRevision else { continue }
            for member in world.shown.values where member.view.screen == "home" {
                #expect(truth[revision] == member.sums, "seed \(seed), revision \(revision)")
                compared += 1
            }
        }
        #expect(compared >= 10, "home was shown too rarely to prove anything")
        world.connect()
        world.settle()
        for (_, member) in world.shown {
            let user = world.relay.guests[member.guest]?.user
            #expect(try member.sums == expected(world, member.view.screen, user: user), "\(member.view.screen)")
        }
        #expect(world.relay.staleMilliseconds(now: world.now) == nil)
        #expect(world.reports.isEmpty && world.disconnections.isEmpty, "\(world.reports) \(world.disconnections)")
    }
}
