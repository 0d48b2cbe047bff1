import MarqueeModel
import MarqueeStore
import Testing

@testable import MarqueeServer

/// The welcome that clients get while the store can't be reached.
@Suite struct OutageWelcomeTests {
    private let world: HubWorld
    private let catalogue: UInt64
    private let users: UInt64

    init() throws {
        world = try HubWorld()
        catalogue = try world.store.catalogueHead().epoch
        users = try world.store.userHead("ana").epoch
    }

    private func place(
        _ user: String?, seen: Cut? = nil, answered: UInt64 = 0
    ) throws(StoreError) -> (cut: Cut, lastMutation: UInt64?) {
        let identity = Identity(user: user, scopes: .everything)
        let caller = ContentCaller(identity: identity, clientID: [UInt8](repeating: 7, count: 16))
        do throws(StoreError) {
            return try world.positions.place(of: caller, in: world.reads)
        } catch {
            let claim = PositionClaim(seen: seen, answeredThrough: answered)
            guard let place = world.positions.place(of: caller, claim, after: error) else { throw error }
            return place
        }
    }

    private func position(_ user: UInt64? = nil) -> Cut {
        Cut(
            catalogueEpoch: catalogue, catalogueRevision: 4, userEpoch: user == nil ? 0 : users,
            userRevision: user ?? 0)
    }

    @Test func `A client without a user gets the server's position and its own last answer`() throws {
        world.reads.fails(.io)
        let new = try place(nil)
        #expect(new.cut == position() && new.lastMutation == nil)
        let known = try place(nil, seen: position(), answered: 7)
        #expect(known.cut == position() && known.lastMutation == 7)
    }

    @Test func `A user with something on screen gets the position that is shown`() throws {
        _ = try world.view("favorites", user: "ana")
        try world.favorite("ana", "movie/1")
        world.reads.fails(.io)
        #expect(try place("ana").cut == position(1))
        #expect(try place("ana", seen: position(0)).cut == position(1))
    }

    @Test func `Any other user gets the position of their mirror`() throws {
        _ = world.position(of: "ana")
        world.reads.fails(.io)
        #expect(try place("ben").cut == position(0))
        #expect(try place("ben", seen: position(5)).cut == position(5))
        // The read for them must not be older.
        let request = OpenRequest(screen: "favorites", locale: nil, parameters: [], user: "ben")
        let reading = try world.hub.open(request).reading()
        _ = try place("ben", seen: position(5))
        world.reads.fails(nil)
        let old = try reading.read(from: world.reads)
        #expect(throws: Never.self) { try world.hub.open(request, with: old).reading() }
    }

    @Test func `A client that has seen other logs waits, and so do users until one of them is known`() throws {
        world.reads.fails(.io)
        #expect(throws: StoreError.self) { try place("ana") }
        var other = position()
        other.catalogueEpoch += 1
        #expect(throws: StoreError.self) { try place(nil, seen: other) }
        world.reads.fails(nil)
        _ = world.position(of: "ana")
        world.reads.fails(.io)
        #expect(throws: Never.self) { try place("ana") }
        var others = position(3)
        others.userEpoch += 1
        #expect(throws: StoreError.self) { try place("ana", seen: others) }
    }

    @Test(arguments: [StoreError.Code.lost, .lostCommits, .corrupt, .closed, .busy])
    func `Only a store that can't be reached makes a server believe its clients`(code: StoreError.Code) {
        world.reads.fails(code)
        #expect(throws: StoreError.self) { try place(nil) }
    }

    @Test func `A relay's guests get no position during an outage`() {
        let caller = ContentCaller(identity: Identity(user: nil, scopes: .everything), clientID: [])
        #expect(world.positions.place(of: caller, nil, after: StoreError(.io, "no answer")) == nil)
    }
}
