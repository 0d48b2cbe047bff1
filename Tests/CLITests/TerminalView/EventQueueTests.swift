import Testing

@testable import marquee

@Suite struct EventQueueTests {
    private enum Event: Equatable {
        case key(Int)
        case state(Int)
    }

    private func queue(_ bound: Int) -> EventQueue<Event> {
        EventQueue(bound: bound) { if case .state = $0 { true } else { false } }
    }

    @Test func `A key is not lost however many states come`() async {
        let queue = queue(4)
        queue(.key(1))
        for state in 1...100 { queue(.state(state)) }
        queue(.key(2))
        var taken: [Event] = []
        for await event in queue.events {
            taken.append(event)
            if event == .key(2) { break }
        }
        #expect(taken.contains(.key(1)))
        #expect(taken.contains(.state(100)))
        #expect(taken.count <= 5)
    }

    @Test func `Posting ends even if no event can be dropped`() async {
        let queue = queue(2)
        for key in 1...3 { queue(.key(key)) }
        var reader = queue.events.makeAsyncIterator()
        let taken = [await reader.next(), await reader.next()]
        #expect(taken.contains(.key(2)) || taken.contains(.key(3)))
    }
}
