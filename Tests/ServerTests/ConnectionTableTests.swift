import Testing

@testable import MarqueeServer

@Suite struct ConnectionTableTests {
    @Test func `At the limit, the connection unused for longest makes room`() {
        var table = ConnectionTable(limit: 4)
        for id in 1...4 as ClosedRange<ConnectionID> { #expect(table.admit(id) == .admitted) }
        table.set(1, isUsed: true)
        table.set(2, isUsed: true)
        table.set(2, isUsed: false)
        #expect(table.admit(5) == .inPlaceOf(3))
        #expect(table.admit(6) == .inPlaceOf(4))
        #expect(table.admit(7) == .inPlaceOf(2), "it showed something until after the others had come")
        #expect(table.count == 4)
    }

    @Test func `If all are in use, a new one is refused`() {
        var table = ConnectionTable(limit: 2)
        for id in 1...2 as ClosedRange<ConnectionID> {
            _ = table.admit(id)
            table.set(id, isUsed: true)
        }
        #expect(table.admit(3) == .refused)
        table.remove(1)
        #expect(table.admit(4) == .admitted)
        #expect(table.admit(5) == .inPlaceOf(4))
    }

    @Test func `A closed connection no longer counts, whatever it still sends`() {
        var table = ConnectionTable(limit: 1)
        _ = table.admit(1)
        #expect(table.admit(2) == .inPlaceOf(1))
        table.set(1, isUsed: true)
        table.set(1, isUsed: false)
        table.remove(1)
        #expect(table.count == 1)
        #expect(table.admit(3) == .inPlaceOf(2))
    }

    @Test(arguments: [(20_000, 1_048_576, 20_000), (20_000, 1_024, 960), (20_000, 64, 1), (5, 1_024, 5)])
    func `Some descriptors are reserved for the store`(wanted: Int, descriptors: Int, connections: Int) {
        #expect(DescriptorLimit.connections(wanted: wanted, descriptors: descriptors) == connections)
    }
}
