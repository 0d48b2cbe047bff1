import MarqueeModel
import MarqueeWire
import NIOCore
import Testing

@testable import MarqueeRelay
@testable import MarqueeServer

/// The rules of a relay that loses its server and finds one again. Each has a planted fault
/// that the simulation hardly finds.
@Suite struct RelayLossTests {
    /// A relay without a server, and what it says and decides.
    private final class Wire {
        var hellos: [Hello] = []
        var disconnections: [String] = []
        var publications: [Publication] = []
        let relay: RelayCore

        init() {
            relay = RelayCore(
                library: VersionLibrary(), clientID: [UInt8](repeating: 9, count: Hello.clientIDBytes), agent: "relay",
                now: 0,
                outlet: RelayCore.Outlet(
                    send: { _ in }, disconnect: { _ in }, publish: { _ in }, guestEnded: { _ in }, report: { _ in }))
            relay.direct(
                to: RelayCore.Outlet(
                    send: { [unowned self] in if case .hello(let hello) = $0 { hellos.append(hello) } },
                    disconnect: { [unowned self] in disconnections.append($0.reason) },
                    publish: { [unowned self] in publications.append($0) }, guestEnded: { _ in }, report: { _ in }))
        }

        /// A connection to a server at a position.
        func connect(at cut: Cut) {
            relay.connected(now: 0)
            var welcome = Welcome()
            welcome.cluster = "c"
            welcome.cut = cut
            relay.received(.welcome(welcome), Frame(kind: .welcome, flags: [], body: ByteBuffer()))
        }
    }

    private static let shown = Cut(catalogueEpoch: 7, catalogueRevision: 5)

    @Test func `A relay tells each server the position that it shows`() {
        let wire = Wire()
        wire.connect(at: Self.shown)
        wire.relay.disconnected(now: 0)
        wire.connect(at: Self.shown)
        #expect(wire.hellos.map(\.seen) == [nil, Self.shown])
    }

    @Test func `A relay accepts no server that is behind what it shows`() {
        let wire = Wire()
        wire.connect(at: Self.shown)
        wire.relay.disconnected(now: 0)
        wire.connect(at: Cut(catalogueEpoch: 7, catalogueRevision: 4))
        #expect(wire.disconnections == ["it is behind what this relay has shown"])
        #expect(!wire.relay.isLive && wire.relay.position == Self.shown)
    }

    @Test func `When the logs upstream have new epochs, sessions end, and a relay begins at the new position`() {
        let wire = Wire()
        wire.connect(at: Self.shown)
        wire.relay.disconnected(now: 0)
        let others = Cut(catalogueEpoch: 8, catalogueRevision: 3)
        wire.connect(at: others)
        #expect(wire.publications.map(\.end?.reason) == ["EPOCH_CHANGED", nil])
        #expect(wire.publications.last?.catalogueRevision == 3)
        #expect(wire.relay.position == others)
    }

    @Test func `An older state of a user who has seen more isn't shown`() throws {
        let world = try RelayWorld.live()
        let guest = try #require(world.introduce("ana"))
        world.open(1, "favorites", user: "ana", guest: guest)
        world.settle()
        for movie in 1...2 {
            try world.world.favorite("ana", "movie/\(movie)")
            world.settle()
        }
        let shown = world.shown[1]?.sums
        world.cut()
        world.lagOfUsers = 1
        world.connect()
        world.settle()
        #expect(!world.relay.isCurrent && world.shown[1]?.sums == shown)
        #expect(world.ended.isEmpty && world.disconnections.isEmpty && world.guestsUpstream == 0)
        // It has heard of the rest.
        world.lagOfUsers = 0
        world.pass(1_000)
        #expect(world.relay.isCurrent && world.shown[1]?.sums == shown)
        #expect(try world.relay.locate(guest).get().cut.userRevision == 2)
    }

    @Test func `A server that doesn't catch up with what a user has seen is left for another one`() throws {
        let world = try RelayWorld.live()
        _ = try #require(world.introduce("ana"))
        try world.world.favorite("ana", "movie/1")
        world.settle()
        world.cut()
        world.lagOfUsers = 1
        world.connect()
        world.settle()
        for _ in 1..<10 { world.pass(1_000) }
        #expect(world.disconnections.isEmpty)
        world.pass(1_000)
        #expect(world.disconnections == ["it is behind what this relay has shown to a user"])
    }

    @Test func `A user's position is named once the changes that led there are shown, and not before`() throws {
        let world = try RelayWorld.live()
        let guest = try #require(world.introduce("ana"))
        world.open(1, "favorites", user: "ana", guest: guest)
        world.settle()
        world.cut()
        try world.world.favorite("ana", "movie/2")
        world.connect()
        let before = world.publications.count
        var named: [UInt64] = []
        while world.publications.count == before, named.count < 1_000 {
            // It arrives with the answer to the introduction, and the section after that.
            if world.relay.guests.users["ana"]?.arrived == 1 {
                named.append(try world.relay.locate(guest).get().cut.userRevision)
            }
            world.serverReads()
            world.hubWorks()
            world.serverWrites(1)
            world.relayReads()
        }
        #expect(Set(named) == [0])
        #expect(try world.relay.locate(guest).get().cut.userRevision == 1)
    }

    @Test func `A change whose answer is lost with the connection isn't confirmed`() throws {
        let world = try RelayWorld.live()
        let guest = try #require(world.introduce("ana"))
        let change = CollectionRequest(number: 1, answeredThrough: 0, subject: "movie/2", isMember: true)
        var answers: [String] = []
        world.relay.perform(.collection(change), guest: guest, deadline: nil) {
            switch $0 {
            case .success: answers.append("confirmed")
            case .failure(let status): answers.append(status.reason)
            }
        }
        world.cut()
        #expect(answers == [Status.upstreamAway.reason])
    }
}
