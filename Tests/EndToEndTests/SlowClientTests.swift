import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeClient

@Suite("Slow and greedy clients", .timeLimit(.minutes(10)))
struct SlowClientTests {
    // kubernetes/kubernetes#141450
    @Test
    func `A client that stops acknowledging skips versions and catches up with one patch`() async throws {
        let harness = try await Harness(adjust: Harness.bearSilence)
        let client = try harness.client()
        var healthy = client.screen(.home).makeAsyncIterator()
        _ = try await healthy.first { $0.origin == .live }

        let slow = try await RawConnection.open(port: harness.server.summary.port)
        var hello = Hello()
        hello.clientID = .init(repeating: 7, count: 16)
        hello.limits.creditBytes = 1
        try await slow.send(.hello(hello))
        var messages = slow.frames.makeAsyncIterator()
        _ = try #require(await messages.next(), "welcome")
        try await slow.send(.subscribe(Subscribe(subscription: 1, screen: "home")))
        var taken: UInt64 = 0
        var base: UInt64?
        var handle: UInt64?
        // Each frame is acknowledged until the view has joined; after that, none is.
        while let frame = await messages.next() {
            let message = try #require(try MessageCodec.decode(frame, limits: .client))
            if case .stage = message {
                taken += UInt64(frame.wireBytes)
                try await slow.send(.ack(bytes: taken, cut: nil))
            }
            if case .join(let join) = message {
                let chart = try #require(join.sections.first { $0.section == "chart" })
                (handle, base) = (chart.handle, chart.sum)
                break
            }
        }
        // One cut may start, then the credit is used up.
        try await harness.showChart("2024-05-02")
        let (first, bytes) = try #require(await nextData(&messages))
        #expect(first.base == base)
        for day in 3...9 { try await harness.showChart("2024-05-0\(day)") }
        _ = try await healthy.first {
            $0.screen.revision.catalogueRevision == (try? harness.store.catalogueHead().revision)
        }
        try await slow.send(.ack(bytes: taken + UInt64(bytes), cut: nil))
        let (patch, _) = try #require(await nextData(&messages))
        #expect(patch.handle == handle)
        #expect(patch.base == first.target || patch.base == nil, "one patch leads over all that was missed")
        let current = try await client.fetchScreen(.home)
        #expect(patch.target == current[section: "chart"]?.sum)
        await slow.close()
        await client.close()
        await harness.stop()
    }

    /// The next part of a cut, with the bytes of its frame; other frames may come between.
    private func nextData(_ frames: inout AsyncStream<Frame>.Iterator) async -> (part: Part, bytes: Int)? {
        while let frame = await frames.next() {
            let message = try? MessageCodec.decode(frame, limits: .client)
            if case .data(let part) = message { return (part, frame.wireBytes) }
        }
        return nil
    }

    @Test func `Calls beyond the limit are refused, the others answered`() async throws {
        let harness = try await Harness(adjust: Harness.bearSilence)
        let connection = try await RawConnection.open(port: harness.server.summary.port)
        let welcome = try #require(try await connection.greet())
        let count = welcome.limits.calls + 20
        let burst = (1...count).flatMap { call in
            Array(
                MessageCodec.encode(.request(Request(call: call, method: .health)), flags: []).readableBytesView)
        }
        try await connection.send(burst)
        var answered: Set<UInt32> = []
        for await message in connection.messages {
            if case .answer(let answer) = message, !answer.more { answered.insert(answer.call) }
            if answered.count == Int(count) { break }
        }
        #expect(answered.count == Int(count))
        await connection.close()
        await harness.stop()
    }
}
