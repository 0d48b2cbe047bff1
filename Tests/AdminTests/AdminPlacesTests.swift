import Testing

@testable import MarqueeAdmin

struct AdminPlacesTests {
    private func filled() -> AdminPlaces<Int> {
        var places = AdminPlaces<Int>(maximum: 3)
        for id in 1...3 { #expect(places.add(id, now: UInt64(id)) == .admitted) }
        return places
    }

    @Test func `A newcomer takes the place of whoever has kept the server waiting for longest`() {
        var places = filled()
        #expect(places.add(4, now: 10) == .insteadOf(1))
        #expect(places.add(5, now: 11) == .insteadOf(2))
        places.remove(3)
        #expect(places.add(6, now: 12) == .admitted)
        #expect(places.count == 3)
    }

    @Test func `A connection keeps its place while its answer is worked out`() {
        var places = filled()
        places.asked(1)
        places.asked(2)
        #expect(places.add(4, now: 10) == .insteadOf(3))
        places.asked(4)
        #expect(places.add(5, now: 11) == .refused)
        #expect(places.count == 3)
        // The others would wait for whoever doesn't take an answer.
        places.answered(2, now: 12)
        places.answered(1, now: 13)
        #expect(places.add(6, now: 14) == .insteadOf(2))
        #expect(places.add(7, now: 15) == .insteadOf(1))
    }

    @Test func `Connections that had to go are heard of no more`() {
        var places = filled()
        #expect(places.add(4, now: 10) == .insteadOf(1))
        places.asked(1)
        places.answered(1, now: 0)
        #expect(places.add(5, now: 11) == .insteadOf(2))
    }
}
