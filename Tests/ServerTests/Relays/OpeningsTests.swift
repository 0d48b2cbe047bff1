import MarqueeModel
import MarqueeServer
import MarqueeWire
import Testing

@testable import MarqueeRelay

/// The views that a relay's clients have asked for.
@Suite struct OpeningsTests {
    private static func opening(_ guest: UInt32?) -> RelayCore.Opening {
        RelayCore.Opening(request: OpenRequest(GetScreenRequest(screen: "home"), user: nil), guest: guest) { _ in }
    }

    @Test func `What arrives is given only to the openings that wait for it`() {
        var openings = Openings()
        let tickets = (0..<4).map { _ in openings.add(Self.opening(nil)) }
        openings.wait(tickets[0], for: 1)
        openings.wait(tickets[1], for: 2)
        openings.wait(tickets[2], for: nil)
        #expect(openings.arrived([1]) == [tickets[0], tickets[2]])
        openings.wait(tickets[0], for: 2)
        #expect(openings.arrived([1]) == [tickets[2]])
        #expect(openings.arrived([2, 3]) == [tickets[0], tickets[1], tickets[2]])
        openings.plan(tickets[1], nil)
        _ = openings.remove(tickets[2])
        #expect(openings.arrived([2]) == [tickets[0]])
    }

    @Test func `The openings of a guest are found without the others`() {
        var openings = Openings()
        let tickets = ([1, 2, 1, nil] as [UInt32?]).map { openings.add(Self.opening($0)) }
        #expect(openings.tickets(of: 1) == [tickets[0], tickets[2]])
        #expect(openings.remove(tickets[0])?.guest == 1 && openings.remove(tickets[0]) == nil)
        #expect(openings.tickets(of: 1) == [tickets[2]] && openings.tickets(of: 3) == [])
        #expect(openings.tickets == Array(tickets[1...]))
    }
}
