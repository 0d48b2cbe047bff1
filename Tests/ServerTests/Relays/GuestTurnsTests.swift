import Testing

@testable import MarqueeRelay

@Suite struct GuestTurnsTests {
    private func all(_ turns: inout GuestTurns<String>) -> [String] {
        var all: [String] = []
        while let first = turns.first, let next = turns.popFirst() {
            #expect(first == next)
            all.append(next)
        }
        return all
    }

    @Test func `Guests take turns, and the relay's own work comes first`() {
        var turns = GuestTurns<String>()
        for number in 1...3 { turns.append("a\(number)", for: 1) }
        turns.append("b1", for: 2)
        turns.append("own", for: nil)
        turns.append("b2", for: 2)
        turns.append("c1", for: 3)
        #expect(turns.count == 7)
        #expect(all(&turns) == ["own", "a1", "b1", "c1", "a2", "b2", "a3"])
        #expect(turns.count == 0 && turns.first == nil)
    }

    @Test func `The waiting work of a guest who left is removed, and a new guest with its number starts afresh`() {
        var turns = GuestTurns<String>()
        for guest in 1...2 as ClosedRange<UInt32> { turns.append("\(guest)a", for: guest) }
        turns.append("1b", for: 1)
        #expect(turns.remove(1) == ["1a", "1b"])
        #expect(turns.remove(1) == [])
        #expect(turns.remove(9) == [])
        turns.append("1c", for: 1)
        #expect(turns.count == 2)
        #expect(all(&turns) == ["2a", "1c"])
    }

    @Test func `However many guests use all they may, another guest has room`() {
        var turns = GuestTurns<String>()
        for guest in 1...100 as ClosedRange<UInt32> {
            while turns.hasRoom(for: guest, limit: 4_096) { turns.append("x", for: guest) }
        }
        #expect(turns.count < 4_096)
        #expect(turns.hasRoom(for: 101, limit: 4_096))
        #expect(turns.removeAll().count > 3_000)
        #expect(turns.count == 0)
    }
}
