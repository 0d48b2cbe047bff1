import NIOCore
import NIOEmbedded
import Testing

@testable import MarqueeServer

@Suite final class HandshakeTurnsTests {
    private var scheduled: [() -> Void] = []
    private var clock: UInt64 = 0
    /// The texts of the handshakes that have gone on, in order.
    private var went: [String] = []
    private lazy var turns = HandshakeTurns(
        afterReading: { [unowned self] in scheduled.append($0) }, later: { [unowned self] in scheduled.append($0) },
        now: { [unowned self] in clock })

    /// Stands in for TLS.
    private final class Handshake: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let received: (String) -> Void
        init(_ received: @escaping (String) -> Void) { self.received = received }
        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received(String(buffer: unwrapInboundIn(data)))
        }
    }

    /// Stands in for the socket.
    private final class Socket: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        var reads = 0
        func read(context: ChannelHandlerContext) { reads += 1 }
    }

    private func connection(
        from address: String, _ socket: Socket = Socket()
    ) throws -> (EmbeddedChannel, HandshakeGate) {
        let address = try SocketAddress(ipAddress: address, port: 4_000)
        let gate = HandshakeGate(turns: turns, address: AddressKey(address))
        let handshake = Handshake { [unowned self] text in
            went.append(text)
            clock += 100_000
        }
        return (EmbeddedChannel(handlers: [socket, gate, handshake]), gate)
    }

    private func takeTurn() {
        if !scheduled.isEmpty { scheduled.removeFirst()() }
    }

    @Test func `One waiting handshake goes on each time the loop has read`() throws {
        let channels = try (1...3).map { _ in try connection(from: "192.0.2.1").0 }
        for (index, channel) in channels.enumerated() { try channel.writeInbound(ByteBuffer(string: "\(index)")) }
        for count in 0...3 {
            #expect(went == (0..<count).map { "\($0)" })
            #expect(scheduled.count == (count < 3 ? 1 : 0))
            takeTurn()
        }
    }

    @Test func `An address with few connections doesn't wait behind one with many`() throws {
        let flood = try (1...100).map { _ in try connection(from: "192.0.2.1").0 }
        for channel in flood { try channel.writeInbound(ByteBuffer(string: "flood")) }
        for _ in 0..<10 { takeTurn() }
        let newcomer = try connection(from: "198.51.100.1").0
        try newcomer.writeInbound(ByteBuffer(string: "hello"))
        for _ in 0..<2 { takeTurn() }
        #expect(went.suffix(2).contains("hello"))
        try newcomer.writeInbound(ByteBuffer(string: "finished"))
        for _ in 0..<2 { takeTurn() }
        #expect(went.suffix(2).contains("finished"))
    }

    @Test func `A waiting connection reads no more, and bytes that came anyway go on together`() throws {
        let socket = Socket()
        let (channel, _) = try connection(from: "192.0.2.1", socket)
        try channel.writeInbound(ByteBuffer(string: "a"))
        try channel.writeInbound(ByteBuffer(string: "b"))
        let reads = socket.reads
        channel.read()
        #expect(socket.reads == reads)
        takeTurn()
        #expect(went == ["ab"])
        #expect(socket.reads == reads + 1)
    }

    @Test func `The turn of a closed connection goes to the next one`() throws {
        let channels = try (1...2).map { _ in try connection(from: "192.0.2.1").0 }
        for (index, channel) in channels.enumerated() { try channel.writeInbound(ByteBuffer(string: "\(index)")) }
        _ = try channels[0].finish()
        takeTurn()
        #expect(went == ["1"])
    }

    @Test func `Once the handshake is done, everything passes at once`() throws {
        let (channel, gate) = try connection(from: "192.0.2.1")
        try channel.writeInbound(ByteBuffer(string: "handshake"))
        gate.open()
        takeTurn()
        channel.embeddedEventLoop.run()
        #expect(throws: (any Error).self) { try channel.pipeline.syncOperations.handler(type: HandshakeGate.self) }
        try channel.writeInbound(ByteBuffer(string: "hello"))
        #expect(went == ["handshake", "hello"])
        #expect(scheduled.isEmpty)
    }

    @Test func `A connection that sends too much before its turn is closed`() throws {
        let (channel, _) = try connection(from: "192.0.2.1")
        for _ in 0..<70 { try channel.writeInbound(ByteBuffer(repeating: 22, count: 1 << 10)) }
        takeTurn()
        #expect(went.isEmpty)
    }
}
