import HubSupport
import MarqueeCatalogue
import MarqueeModel
import MarqueeScreens
import MarqueeWire
import SeededRandom
import Testing

@testable import MarqueeRelay
@testable import MarqueeServer

/// Relays behind relays: what each shows is what the server showed at one position, however connections are lost while
/// clients arrive.
@Suite struct RelayChainTests {
    /// So many relays behind each other, the one that is nearest to the hub first; all are connected.
    private func chain(_ depth: Int) throws -> [RelayWorld] {
        let hub = try HubWorld()
        var relays: [RelayWorld] = []
        for _ in 0..<depth {
            let relay = RelayWorld(hub, above: relays.last)
            relays.append(relay)
            relay.connect()
            settle(relays)
        }
        return relays
    }

    private func settle(_ relays: [RelayWorld]) {
        for _ in 0..<30 { for relay in relays { relay.settle() } }
    }

    private func introduce(_ user: String?, at relay: RelayWorld, _ relays: [RelayWorld]) throws -> UInt32 {
        var guest: UInt32?
        let credentials = Credentials(user: user, clientID: [UInt8](repeating: 3, count: Hello.clientIDBytes))
        relay.relay.introduce(credentials) { guest = (try? $0.get())?.guest }
        settle(relays)
        return try #require(guest)
    }

    /// The content that the server shows of a view.
    private func expected(_ hub: HubWorld, _ screen: String, user: String?) throws -> [String: UInt64] {
        let view = try hub.view(screen, user: user)
        defer { hub.hub.release(view.handles) }
        return Dictionary(
            ([view.list] + view.sections).map { ($0.section, $0.current.version.sum) }, uniquingKeysWith: { a, _ in a })
    }

    /// A relay that can't plan a view again after a loss goes on to the next position without its sections; whoever
    /// opens the view behind another relay was shown what the sections had been before.
    @Test(arguments: 2...3)
    func `Content that a relay gave up isn't shown behind it at a later position`(depth: Int) throws {
        let relays = try chain(depth)
        let (first, last) = (relays[0], relays[depth - 1])
        let guest = try introduce("ana", at: last, relays)
        // A change on another screen brings the position along.
        last.open(0, "detail/1", user: "ana", guest: guest)
        last.open(1, "home", user: "ana", guest: guest)
        settle(relays)
        let before = try #require(last.shown[1]?.sums)
        first.cut()
        for title in ["Alpha", "Zulu"] { try first.world.commit(first.world.movie(1, genre: 1, title: title)) }
        let after = try expected(first.world, "home", user: "ana")
        #expect(before != after)
        first.isRefusingPlans = true
        first.connect()
        first.settle()
        first.isRefusingPlans = false
        #expect(first.relay.position.catalogueRevision == first.world.hub.catalogueRevision)
        var tickets = 1
        for _ in 0..<400 {
            for relay in relays.reversed() {
                relay.serverReads()
                relay.hubWorks()
                relay.serverWrites(1)
                relay.relayReads()
            }
            if last.isQuiet, tickets < 50 {
                tickets += 1
                last.open(tickets, "home", user: "ana", guest: guest)
            }
            // A session that has asked anew shows nothing until it is answered.
            guard last.isQuiet else { continue }
            let isAhead = last.relay.position.catalogueRevision == first.world.hub.catalogueRevision
            for (ticket, member) in last.shown where ticket > 0 {
                #expect(member.sums == (isAhead ? after : before), "view \(ticket)")
            }
        }
        settle(relays)
        #expect(last.shown.count > 1)
        for (ticket, member) in last.shown where ticket > 0 { #expect(member.sums == after) }
        for relay in relays { #expect(relay.relay.isCurrent && relay.disconnections.isEmpty) }
    }

    /// The same at the relay itself, if its connection is lost again before what it gave up has come.
    @Test func `Content that was given up isn't shown after another loss`() throws {
        let world = try RelayWorld.live()
        let guest = try #require(world.introduce("ana"))
        world.open(1, "home", user: "ana", guest: guest)
        world.settle()
        world.cut()
        try world.world.commit(world.world.movie(1, genre: 1, title: "Zulu"))
        let after = try expected(world.world, "home", user: "ana")
        world.isRefusingPlans = true
        world.connect()
        // Ask again as long as it isn't at the new position: the view that was refused is still there then.
        while world.relay.position.catalogueRevision < world.world.hub.catalogueRevision {
            world.serverReads()
            world.hubWorks()
            world.serverWrites(1)
            world.relayReads()
        }
        world.isRefusingPlans = false
        // Its plan is known again, and what it shows has not come.
        while world.relay.plans.all.isEmpty {
            world.serverReads()
            world.hubWorks()
            world.serverWrites(1)
            world.relayReads()
        }
        world.cut()
        world.open(2, "home", user: "ana", guest: guest)
        #expect(world.shown[2] == nil)
        world.connect()
        for _ in 0..<100 {
            world.serverReads()
            world.hubWorks()
            world.serverWrites(1)
            world.relayReads()
            if world.shown[2] == nil, world.isQuiet { world.open(2, "home", user: "ana", guest: guest) }
            if let sums = world.shown[2]?.sums { #expect(sums == after) }
        }
        world.settle()
        #expect(world.shown[2]?.sums == after)
    }

    @Test(arguments: 1...3, 1...Extent.of(4, full: 40))
    func `No relay goes back at any depth, whatever is lost while clients arrive`(depth: Int, seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed * 10 + depth))
        let programmes = [HubWorld.programme, HubWorld.programme.replacing("limit: 5", with: "limit: 1")]
        let relays = try chain(depth)
        let hub = relays[0].world
        var truth: [UInt64: [String: UInt64]] = [hub.hub.catalogueRevision: try expected(hub, "home", user: nil)]
        func commit(_ change: Change) throws {
            try hub.commit(change)
            truth[hub.hub.catalogueRevision] = try expected(hub, "home", user: nil)
        }
        let guests = try relays.map { relay in
            try ["ana", "ben", nil].map { (user: $0, number: try introduce($0, at: relay, relays)) }
        }
        for (at, relay) in relays.enumerated() {
            relay.open(9, "home", user: "ana", guest: guests[at][0].number)
            settle(relays)
        }
        var positions = [UInt64](repeating: 0, count: depth)
        var compared = 0
        for _ in 0..<(200 * depth) {
            let at = random.int(0...depth - 1)
            let relay = relays[at]
            switch random.int(0...15) {
            case 0, 1:
                let guest = guests[at][random.int(0...2)]
                guard relay.relay.guests[guest.number] != nil else { continue }
                let screen = ["home", "home", "detail/1", "favorites"][random.int(0...3)]
                relay.open(random.int(1...8), screen, user: guest.user, guest: guest.number)
            case 2: relay.close(random.int(1...8))
            case 3, 4:
                let title = ["A", "B", "Movie"][random.int(0...2)]
                try commit(hub.movie(UInt64(random.int(1...4)), genre: UInt64(random.int(1...2)), title: title))
            case 5 where random.chance(20): try commit(.programme(programmes[random.int(0...1)]))
            case 6: relay.isRefusingPlans.toggle()
            case 7 where random.chance(40): relay.cut()
            case 8: relay.connect()
            case 9: relay.serverReads()
            case 10: relay.hubWorks()
            case 11: relay.serverWrites(random.int(1...3))
            case 12 where random.chance(30): settle(relays)
            default: for _ in 0...random.int(0...3) { relay.relayReads() }
            }
            for (number, relay) in relays.enumerated() {
                let revision = relay.relay.position.catalogueRevision
                #expect(revision >= positions[number], "seed \(seed): relay \(number) goes back")
                positions[number] = revision
                guard relay.isQuiet else { continue }
                for member in relay.shown.values where member.view.screen == "home" {
                    #expect(truth[revision] == member.sums, "seed \(seed): relay \(number), revision \(revision)")
                    compared += 1
                }
            }
        }
        #expect(compared > 0)
        for relay in relays {
            relay.isRefusingPlans = false
            relay.connect()
            settle(relays)
        }
        for relay in relays {
            // Guests whom a relay above has forgotten are introduced again.
            relay.pass(1_000)
            settle(relays)
            #expect(relay.relay.isCurrent && relay.disconnections.isEmpty, "seed \(seed): \(relay.disconnections)")
            for member in relay.shown.values where member.view.screen == "home" {
                #expect(truth[hub.hub.catalogueRevision] == member.sums, "seed \(seed)")
            }
        }
    }
}
