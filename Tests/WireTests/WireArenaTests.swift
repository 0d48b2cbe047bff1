import CMarqueeProto
import Testing

@testable import MarqueeModel
@testable import MarqueeWire

@Suite struct WireArenaTests {
    @Test func `A thread reuses the same memory for each message`() {
        let first = WireArena.onThisThread { $0.reserve(100) }
        let second = WireArena.onThisThread { $0.reserve(100) }
        #expect(first == second)
    }

    @Test func `While a thread's arena is in use, nested calls get another one`() {
        WireArena.onThisThread { outer in
            WireArena.onThisThread { inner in #expect(inner !== outer) }
            // The first nested call neither reset nor released the outer arena.
            WireArena.onThisThread { inner in #expect(inner !== outer) }
        }
    }

    @Test func `Decoding a body doesn't disturb another that is still lent`() {
        let card = BodyCodec.encode(.card(CardContent(title: "the outer one")))
        let other = BodyCodec.encode(.card(CardContent(title: String(repeating: "inner ", count: 100))))
        var title: String?
        let isRead = Unpacker.withBody(card, as: Proto.CardBody.descriptor) { message, unpacker in
            _ = BodyCodec.decode(kind: .card, bytes: other)
            title = unpacker.text(message.assumingMemoryBound(to: Proto.CardBody.self).pointee.title)
        }
        #expect(isRead && title == "the outer one")
    }

    @Test func `An arena is returned after an error`() {
        let before = WireArena.onThisThread { ObjectIdentifier($0) }
        #expect(failure(.ping, RawMessage().number(1, 1).times(100_000), limits: .server) == .tooManyRecords)
        #expect(failure(.subscribe, RawMessage().number(1, 1)) == .missingField)
        #expect(WireArena.onThisThread { ObjectIdentifier($0) } == before)
    }

    @Test func `Memory for a large message isn't kept`() {
        WireArena.onThisThread { $0.reset(limit: WireArena.retainedBytes + 1) }
        WireArena.onThisThread { #expect($0.capacity == WireArena.firstBlockBytes) }
        WireArena.onThisThread { $0.reset(limit: WireArena.retainedBytes) }
        WireArena.onThisThread { #expect($0.capacity == WireArena.retainedBytes) }
    }

    @Test func `Memory that grew while packing is reused`() {
        WireArena.onThisThread { arena in
            for _ in 0..<100 { _ = arena.reserve(1_000) }
            #expect(arena.capacity > WireArena.firstBlockBytes)
        }
        WireArena.onThisThread {
            #expect((WireArena.firstBlockBytes + 1...WireArena.retainedBytes).contains($0.capacity))
        }
    }

    @Test func `Allocations are aligned, disjoint and capped`() {
        WireArena.onThisThread { arena in
            arena.reset(limit: 64)
            let places = [1, 17, 16, 1].map { arena.room.pointee.take($0) }
            #expect(places.map { $0.map { Int(bitPattern: $0) % WireArena.alignment } } == [0, 0, 0, nil])
            if let first = places[0] { #expect(places[1] == first + 16 && places[2] == first + 48) }
        }
    }
}
