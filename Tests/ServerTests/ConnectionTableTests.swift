import NIOCore
import Testing

@testable import MarqueeServer

@Suite struct ConnectionTableTests {
    private static func table(_ adjust: (inout ServerLimits) -> Void) -> ConnectionTable {
        var limits = ServerLimits()
        adjust(&limits)
        return ConnectionTable(limits: limits)
    }

    private static func key(_ address: String) throws -> AddressKey? {
        AddressKey(try SocketAddress(ipAddress: address, port: 1))
    }

    @Test func `An address has a bounded number of connections`() throws {
        var table = Self.table { $0.connectionsPerAddress = 2 }
        let (here, there) = (try Self.key("192.0.2.1"), try Self.key("192.0.2.2"))
        #expect(table.admit(1, from: here) == .admitted && table.admit(2, from: here) == .admitted)
        #expect(table.admit(3, from: here) == .refused(.connectionsPerAddress))
        #expect(table.admit(4, from: there) == .admitted)
        table.remove(1, from: here)
        #expect(table.admit(5, from: here) == .admitted)
        // Connections without an address aren't counted.
        for id in 10...20 as ClosedRange<ConnectionID> { #expect(table.admit(id) == .admitted) }
    }

    @Test func `Unauthenticated connections make room for one another, and no authenticated one does`() {
        var table = Self.table { $0.unauthenticated = 2 }
        _ = table.admit(1)
        let isWelcome = table.welcome(1, user: nil)
        #expect(isWelcome)
        #expect(table.admit(2) == .admitted && table.admit(3) == .admitted)
        #expect(table.admit(4) == .inPlaceOf(2, .unauthenticated))
        #expect(table.admit(5) == .inPlaceOf(3, .unauthenticated))
        #expect(table.count == 3 && table.unauthenticatedCount == 2)
    }

    @Test func `A user has a bounded number of connections`() {
        var table = Self.table { $0.connectionsPerUser = 1 }
        for id in 1...4 as ClosedRange<ConnectionID> { _ = table.admit(id) }
        let first = table.welcome(1, user: "ana")
        let second = table.welcome(2, user: "ana")
        let other = table.welcome(3, user: "ben")
        #expect(first && !second && other)
        table.left(user: "ana")
        let third = table.welcome(4, user: "ana")
        #expect(third)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("2001:db8::1", "2001:db8::2", true),
        ("2001:db8::1", "2001:db8:0:1::1", false), ("::ffff:192.0.2.1", "192.0.2.1", true),
        ("fe80::1", "fe80::2", true), ("1.0.0.0", "0.0.0.1", false),
    ])
    func `An IPv6 network counts as one address`(a: String, b: String, isOne: Bool) throws {
        let (first, second) = (try #require(try Self.key(a)), try #require(try Self.key(b)))
        #expect((first == second) == isOne)
    }

    @Test(arguments: ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
    func `This machine isn't counted`(address: String) throws {
        #expect(try Self.key(address) == nil)
    }

    @Test func `The rate of connections is bounded, with a burst of one second's worth`() {
        var allowance = Allowance(perSecond: 10)
        let start: UInt64 = 100_000_000_000
        let atOnce = (0..<10).filter { _ in allowance.take(now: start) == nil }.count
        #expect(atOnce == 10)
        #expect(allowance.take(now: start) == 100_000_000)
        #expect(allowance.take(now: start + 200_000_000) == nil)
    }

    @Test func `At the limit, the connection unused for longest makes room`() {
        var table = Self.table { $0.connections = 4 }
        for id in 1...4 as ClosedRange<ConnectionID> { #expect(table.admit(id) == .admitted) }
        table.set(1, isUsed: true)
        table.set(2, isUsed: true)
        table.set(2, isUsed: false)
        #expect(table.admit(5) == .inPlaceOf(3, .connections))
        #expect(table.admit(6) == .inPlaceOf(4, .connections))
        #expect(table.admit(7) == .inPlaceOf(2, .connections), "it showed something until after the others had come")
        #expect(table.count == 4)
    }

    @Test func `If all are in use, a new one is refused`() {
        var table = Self.table { $0.connections = 2 }
        for id in 1...2 as ClosedRange<ConnectionID> {
            _ = table.admit(id)
            table.set(id, isUsed: true)
        }
        #expect(table.admit(3) == .refused(.connections))
        table.remove(1)
        #expect(table.admit(4) == .admitted)
        #expect(table.admit(5) == .inPlaceOf(4, .connections))
    }

    @Test func `A closed connection no longer counts, even if it still sends`() {
        var table = Self.table { $0.connections = 1 }
        _ = table.admit(1)
        #expect(table.admit(2) == .inPlaceOf(1, .connections))
        table.set(1, isUsed: true)
        table.set(1, isUsed: false)
        table.remove(1)
        #expect(table.count == 1)
        #expect(table.admit(3) == .inPlaceOf(2, .connections))
    }

    @Test(arguments: [(20_000, 1_048_576, 20_000), (20_000, 1_024, 960), (20_000, 64, 1), (5, 1_024, 5)])
    func `Some descriptors are reserved for the store`(wanted: Int, descriptors: Int, connections: Int) {
        #expect(DescriptorLimit.connections(wanted: wanted, descriptors: descriptors) == connections)
    }
}
