import Logging
import MarqueeServer
import MarqueeStore
import MarqueeWire
import NIOPosix
import Testing

/// A server behind a load balancer that names each connection's client.
@Suite(.timeLimit(.minutes(10)))
struct ProxyProtocolTests {
    /// A balancer's header for a client at 192.0.2.7:50000.
    private static let header: [UInt8] =
        [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A, 0x21, 0x11, 0, 12]
        + [192, 0, 2, 7, 10, 0, 0, 1, 0xC3, 0x50, 0x1C, 0xFC]

    @Test func `A balancer's client has its own address, and a connection that names none is refused`() async throws {
        let store = MemoryStore()
        try Harness.fill(store)
        var configuration = MarqueeServer.Configuration(host: "127.0.0.1", port: 0)
        configuration.proxies = [try #require(AddressNetwork("127.0.0.0/8"))]
        configuration.adjustSettings = Harness.bearSilence
        let (server, _) = try await MarqueeServer.start(
            configuration, store: store, programme: Harness.programme(), logger: Logger(label: "test"))
        let client = try await RawConnection.open(port: server.summary.port)
        try await client.send(Self.header)
        #expect(try await client.greet(user: "mina")?.user == "mina")
        let bound = AnswerBound(loop: MultiThreadedEventLoopGroup.singleton.next(), limit: .seconds(60))
        #expect(try await server.figures(within: bound).sessions.map(\.address) == ["192.0.2.7:50000"])
        let other = try await RawConnection.open(port: server.summary.port)
        #expect(try await other.greet() == nil)
        #expect(server.limitHits[.proxies] == 1)
        await client.close()
        await server.drain()
    }
}
