import MarqueeModel
import MarqueeScreens
import MarqueeWire
import Testing

@testable import MarqueeRelay
@testable import MarqueeServer

/// Guests of a relay who see other sections by what their tokens say of them.
@Suite struct RelayAudienceTests {
    private static func world() throws -> RelayWorld {
        let world = RelayWorld(try HubWorld(programme: AudienceViewTests.programme))
        world.claims = ["plus": AudienceViewTests.plus, "free": AudienceViewTests.free]
        world.connect()
        world.settle()
        return world
    }

    /// Shows home to guests of one user with these tokens, under the tickets 1, 2 and so on.
    private static func show(_ tokens: [String?], user: String? = "ana", in world: RelayWorld) throws -> [UInt32] {
        let guests = try tokens.map { try #require(world.introduce(user, token: $0)) }
        for (index, guest) in guests.enumerated() {
            world.open(index + 1, "home", user: user, guest: guest)
            world.settle()
        }
        return guests
    }

    private static func sections(_ world: RelayWorld) -> [Int: [String]] {
        world.shown.mapValues { $0.view.sections.map(\.section) }
    }

    private static let seen = [1: ["rank", "offer"], 2: ["rank", "upsell"], 3: ["rank"], 4: ["rank", "offer"]]

    @Test(arguments: ["ana", nil])
    func `Each guest sees what the server would show, even beside others of the same user`(user: String?) throws {
        let world = try Self.world()
        _ = try Self.show(["plus", "free", nil, "plus"], user: user, in: world)
        #expect(Self.sections(world) == Self.seen)
        // Three lists, and three sections.
        #expect(world.relay.connection.subscriptions.handles.count == 6)
        #expect(world.shown[1]?.sums == world.shown[4]?.sums)
    }

    @Test func `Each guest sees its own rendition of a section, and those of one rendition share it`() throws {
        let world = RelayWorld(try HubWorld(programme: AudienceViewTests.renditions))
        world.claims = ["plus": AudienceViewTests.plus, "free": AudienceViewTests.free]
        world.connect()
        world.settle()
        _ = try Self.show(["plus", "free", nil, "plus"], in: world)
        // One list, and two sections.
        #expect(world.relay.connection.subscriptions.handles.count == 3)
        let sums = world.shown.mapValues { $0.sums["rank"] }
        #expect(sums[1] == sums[4] && sums[2] == sums[3] && sums[1] != sums[2])
    }

    @Test(arguments: ["ana", nil])
    func `After a lost connection, everything that guests see comes again`(user: String?) throws {
        let world = try Self.world()
        _ = try Self.show(["plus", "free", nil, "plus"], user: user, in: world)
        world.cut()
        try world.world.commit(world.world.movie(3, genre: 2, title: "Changed"))
        world.connect()
        world.settle()
        #expect(world.relay.staleMilliseconds(now: world.now) == nil)
        #expect(Self.sections(world) == Self.seen)
        let view = try world.world.hub.open(
            OpenRequest(screen: "home", locale: nil, parameters: [], user: nil, claims: AudienceViewTests.plus)
        ).get()
        #expect(world.shown[1]?.sums["offer"] == view.sections.last?.current.version.sum)
    }

    @Test func `When the only guest who may ask for a view has left meanwhile, the others' come again`() throws {
        let world = try Self.world()
        let guests = try Self.show(["plus", "free", nil], in: world)
        world.cut()
        world.close(1)
        world.relay.dismiss(guests[0])
        world.connect()
        world.settle()
        #expect(world.relay.staleMilliseconds(now: world.now) == nil)
        #expect(Self.sections(world) == [2: ["rank", "upsell"], 3: ["rank"]])
    }

    @Test func `When the only guest who may ask for a view leaves before asking, the others' come again`() throws {
        let world = try Self.world()
        let guests = try Self.show(["plus", "free", nil], in: world)
        world.cut()
        world.connect()
        // The welcome, and nothing more.
        for _ in 0..<4 {
            world.serverReads()
            world.hubWorks()
            world.serverWrites()
            world.relayReads()
        }
        world.close(1)
        world.relay.dismiss(guests[0])
        world.settle()
        #expect(world.relay.staleMilliseconds(now: world.now) == nil)
        #expect(Self.sections(world) == [2: ["rank", "upsell"], 3: ["rank"]])
    }

    @Test func `A guest whose claims have changed after a lost connection has to reconnect`() throws {
        let world = try Self.world()
        let guests = try Self.show(["plus", "free"], in: world)
        world.cut()
        world.claims["plus"] = AudienceViewTests.free
        world.connect()
        world.settle()
        #expect(world.ended == [guests[0]])
        #expect(world.guestsUpstream == 1, "the other one")
    }

    @Test func `A relay behind a relay shows the same`() throws {
        let above = try Self.world()
        let world = RelayWorld(above.world, above: above)
        world.connect()
        func settle() {
            for _ in 0..<20 {
                world.settle()
                above.settle()
            }
        }
        settle()
        for (ticket, token) in [(1, "plus"), (2, "free"), (3, nil)] as [(Int, String?)] {
            var guest: UInt32?
            let client = [UInt8](repeating: 3, count: Hello.clientIDBytes)
            world.relay.introduce(Credentials(user: "ana", token: token, clientID: client)) {
                guest = (try? $0.get())?.guest
            }
            settle()
            world.open(ticket, "home", user: "ana", guest: try #require(guest))
            settle()
        }
        #expect(Self.sections(world) == [1: ["rank", "offer"], 2: ["rank", "upsell"], 3: ["rank"]])
    }
}
