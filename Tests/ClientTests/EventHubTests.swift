import MarqueeModel
import MarqueePresets
import Testing

@testable import MarqueeClient

@Suite struct EventHubTests {
    @Test func `A listener begins with the current state`() async {
        let hub = EventHub()
        hub.send(.state(.connecting))
        let events = hub.events()
        hub.finish()
        #expect(await told(events) == ["state connecting"])
    }

    @Test func `Every listener receives everything in order`() async {
        let hub = EventHub()
        let listeners = [hub.events(), hub.events()]
        hub.send(.state(.connecting))
        hub.send(.progress(Cut(catalogueRevision: 5)))
        hub.finish()
        for listener in listeners {
            #expect(await told(listener) == ["state idle", "state connecting", "progress 5"])
        }
    }

    @Test(arguments: [false, true])
    func `A refused token is told to each listener until there is a connection`(isConnected: Bool) async {
        let hub = EventHub()
        var first = hub.events().makeAsyncIterator()
        hub.send(.tokenRefused(ClientError(.tokenRefused, "no")))
        _ = await first.next()
        let server = ServerInfo(cluster: "c", node: "n", user: nil, agent: "a", locales: ["en"], imageBaseURL: nil)
        hub.send(.state(isConnected ? .connected(server) : .connecting))
        let late = hub.events()
        hub.finish()
        #expect(await told(late).dropFirst() == (isConnected ? [] : ["other"]))
    }

    @Test func `A slow listener loses the oldest events`() async {
        let hub = EventHub()
        let events = hub.events()
        for revision in 1...1_000 as ClosedRange<UInt64> { hub.send(.progress(Cut(catalogueRevision: revision))) }
        hub.finish()
        let told = await told(events)
        #expect(told.count < 1_000)
        #expect(told.last == "progress 1000")
        #expect(!told.contains("progress 1"))
    }

    @Test func `After the end, a listener receives the last state and the end`() async {
        let hub = EventHub()
        hub.send(.state(.closed))
        hub.finish()
        hub.send(.progress(Cut()))
        #expect(await told(hub.events()) == ["state closed"])
    }

    @Test(.timeLimit(.minutes(10)))
    func `Progress and news of the connection never push out a rejected favorite`() async {
        let hub = EventHub()
        let events = hub.events()
        hub.send(.changeRejected(.favorites, .movie(1), ClientError(.changeRefused, "no")))
        for revision in 1...1_000 as ClosedRange<UInt64> {
            hub.send(.progress(Cut(catalogueRevision: revision)))
            hub.send(.state(.connecting))
        }
        hub.send(.changeRejected(.favorites, .movie(2), ClientError(.changeRefused, "no")))
        hub.finish()
        var rejected: [Subject] = []
        for await event in events { if case .changeRejected(_, let subject, _) = event { rejected.append(subject) } }
        #expect(rejected == [.movie(1), .movie(2)])
    }

    @Test func `A listener never loses a rejection; with too many unread, the hub is full`() async {
        let hub = EventHub()
        var iterator = hub.events().makeAsyncIterator()
        for movie in 1...UInt64(EventBacklog.maximumRejections) {
            #expect(!hub.isFull)
            hub.send(.changeRejected(.favorites, .movie(movie), ClientError(.changeRefused, "")))
        }
        #expect(hub.isFull)
        var rejected: UInt64 = 0
        _ = await iterator.next()
        while rejected < EventBacklog.maximumRejections,
            case .changeRejected(_, let subject, _)? = await iterator.next()
        {
            rejected += 1
            #expect(subject == .movie(rejected))
        }
        #expect(rejected == EventBacklog.maximumRejections && !hub.isFull)
    }

    @Test func `A loop that begins later gets what has happened since the events were read`() async {
        let hub = EventHub()
        _ = hub.events().makeAsyncIterator()
        let events = hub.events()
        hub.send(.state(.connecting))
        hub.send(.changeRejected(.favorites, .movie(1), ClientError(.changeRefused, "no")))
        hub.finish()
        #expect(await told(events) == ["state idle", "state connecting", "other"])
    }

    @Test func `What is remembered for later listeners is bounded, even if all of it matters`() {
        var backlog = EventBacklog(keepsRejections: false)
        for movie in 1...1_000 as ClosedRange<UInt64> {
            backlog.append(.changeRejected(.favorites, .movie(movie), ClientError(.changeRefused, "")))
        }
        #expect(backlog.events.count == EventBacklog.maximum)
        guard case .changeRejected(_, let last, _)? = backlog.events.last?.event else {
            Issue.record("the newest event is gone")
            return
        }
        #expect(last == .movie(1_000))
    }

    private func told(_ events: ClientSequence<ClientEvent, Never>) async -> [String] {
        var told: [String] = []
        for await event in events {
            switch event {
            case .state(let state): told.append("state \(state)")
            case .progress(let cut): told.append("progress \(cut.catalogueRevision)")
            default: told.append("other")
            }
        }
        return told
    }
}
