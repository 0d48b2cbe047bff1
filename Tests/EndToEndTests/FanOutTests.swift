import MarqueeModel
import MarqueeWire
import NIOCore
import NIOPosix
import Testing

@Suite("Fan-out", .timeLimit(.minutes(10)))
struct FanOutTests {
    /// The encodings that a server makes for a snapshot and a number of commits.
    private func encodes(subscribers: Int) async throws -> (encodes: UInt64, deliveries: UInt64) {
        let harness = try await Harness(adjust: Harness.bearSilence)
        let port = harness.server.summary.port
        let connections = try await withThrowingTaskGroup(of: RawConnection.self) { group in
            for _ in 0..<subscribers {
                group.addTask {
                    let connection = try await RawConnection.open(port: port)
                    _ = try await connection.greet()
                    try await connection.send(.subscribe(Subscribe(subscription: 1, screen: "home")))
                    return connection
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        // Everybody has joined before anything changes, and sees each change before the next.
        try await allReach(0, connections)
        for day in 2...6 {
            try await harness.showChart("2024-05-0\(day)")
            try await allReach(harness.store.catalogueHead().revision, connections)
        }
        for connection in connections { await connection.close() }
        // The last write is counted a moment later.
        await harness.stop()
        return (harness.server.counters.encodes, harness.server.deliveries)
    }

    private func allReach(_ revision: UInt64, _ connections: [RawConnection]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for connection in connections {
                group.addTask {
                    for await message in connection.messages {
                        switch message {
                        case .join(let join) where revision == 0 && join.cut.catalogueRevision != nil: return
                        case .data(let part) where revision > 0 && part.cut.catalogueRevision == revision: return
                        case .progress(let cut) where revision > 0 && cut.catalogueRevision == revision: return
                        default: continue
                        }
                    }
                    Issue.record("a connection ended")
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `Each (variant, base, target) is encoded once, for 1 subscriber and for 200`() async throws {
        let one = try await encodes(subscribers: 1)
        let many = try await encodes(subscribers: 200)
        #expect(one.encodes > 5)
        #expect(many.encodes == one.encodes)
        #expect(many.deliveries == 200 * one.deliveries)
    }
}
