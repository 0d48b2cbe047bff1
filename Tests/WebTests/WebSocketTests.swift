import MarqueeConformance
import MarqueeModel
import MarqueeServer
import MarqueeWeb
import MarqueeWire
import NIOCore
import Testing

@Suite("WebSocket", .timeLimit(.minutes(5)))
struct WebSocketTests {
    /// The server waits longer for a hello than servers do, and no frame has room for so many records.
    private static let notOfServers: Set = ["hello-in-time", "too-many-records"]
    /// No section of the door's programme has windows anywhere.
    private static let ofOtherProgrammes: Set = ["windows-anywhere", "unknown-anchor"]

    @Test func `The server passes every check over WebSocket`() async throws {
        let world = try await WebWorld()
        var subject = ServerSubject(host: "127.0.0.1", port: world.port, user: "conform", mayPublish: true)
        subject.webSocketPath = "/v1/connect"
        let checks = ServerChecks.all.filter {
            !Self.notOfServers.union(Self.ofOtherProgrammes).contains($0.name)
        }
        let report = try await subject.runner().run(checks) { _ in }
        for result in report.results {
            switch result.outcome {
            case .passed: continue
            case .failed(let deviation):
                Issue.record(
                    """
                    \(result.name): expected \(deviation.expected), came \(deviation.actual)
                    \(deviation.transcript.joined(separator: "\n"))
                    """)
            case .notApplicable(let reason): Issue.record("\(result.name) is not applicable: \(reason)")
            }
        }
        await world.stop()
    }

    private static func hello() -> [UInt8] {
        var hello = Hello()
        hello.clientID = [UInt8](repeating: 7, count: Hello.clientIDBytes)
        return Array(MessageCodec.encode(.hello(hello), flags: []).readableBytesView)
    }

    /// A WebSocket that was welcomed.
    private func greeted(_ world: WebWorld) async throws -> WebSocketBytes {
        let socket = try await WebSocketBytes(port: world.port)
        #expect(try await socket.upgrade().status == 101)
        try await socket.send(WebSocketBytes.frame(0x82, Self.hello()))
        #expect(try await socket.frame().first == 0x82)
        return socket
    }

    @Test func `The handshake answers as RFC 6455 computes it`() async throws {
        let world = try await WebWorld()
        let reply = try await WebSocketBytes(port: world.port).upgrade()
        #expect(reply.status == 101)
        #expect(reply.fields["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(reply.fields["sec-websocket-protocol"] == "marquee.v1")
        await world.stop()
    }

    @Test func `Messages that end within a frame, and several frames in one, are taken`() async throws {
        let world = try await WebWorld()
        let socket = try await WebSocketBytes(port: world.port)
        let hello = Self.hello()
        // Some of it follows the request, before its answer.
        try await socket.send(Array(WebSocketBytes.connect.utf8) + WebSocketBytes.frame(0x82, Array(hello[..<9])))
        #expect(try await socket.reply().status == 101)
        try await socket.send(WebSocketBytes.frame(0x82, Array(hello[9...])))
        var decoder = FrameDecoder(maximumLength: WireLimits.client.frameBytes)
        guard case .welcome? = try await Self.next(&decoder, socket) else {
            Issue.record("no welcome")
            return
        }
        let pings = [5, 6].flatMap { MessageCodec.encode(.ping(nonce: $0), flags: []).readableBytesView }
        try await socket.send(WebSocketBytes.frame(0x82, pings))
        for nonce in [5, 6] as [UInt64] {
            while try await Self.next(&decoder, socket) != .pong(nonce: nonce) {}
        }
        await world.stop()
    }

    /// The next message of the server.
    private static func next(_ decoder: inout FrameDecoder, _ socket: WebSocketBytes) async throws -> Message? {
        while true {
            if let frame = try decoder.next() { return try MessageCodec.decode(frame, limits: .client) }
            decoder.append(ByteBuffer(bytes: try await socket.frame().payload))
        }
    }

    @Test func `A ping is answered, and the client's end with the same code`() async throws {
        let world = try await WebWorld()
        let socket = try await greeted(world)
        try await socket.send(WebSocketBytes.frame(0x89, [1, 2, 3]))
        var pong = try await socket.frame()
        while pong.first == 0x82 { pong = try await socket.frame() }
        #expect(pong.first == 0x8A)
        #expect(pong.payload == [1, 2, 3])
        try await socket.send(WebSocketBytes.frame(0x88, [0x03, 0xE9]))
        #expect(try await socket.closeCode() == 1001)
        _ = try await socket.rest()
        await world.stop()
    }

    @Test func `A client that sends little but pings is refused`() async throws {
        let world = try await WebWorld()
        for opcode in [0x89, 0x8A, 0x82] as [UInt8] {
            let socket = try await greeted(world)
            try await socket.send((0..<1_000).flatMap { _ in WebSocketBytes.frame(opcode, []) })
            #expect(try await socket.closeCode() == 1008)
        }
        await world.stop()
    }

    @Test(arguments: [
        (WebSocketBytes.frame(0x81, [0x41]), 1003), (WebSocketBytes.frame(0x82, [1], mask: nil), 1002),
        (WebSocketBytes.frame(0x82, [], length: [127, 0, 0, 0, 1, 0, 0, 0, 0]), 1009),
        (WebSocketBytes.frame(0x88, [0x03]), 1002), (WebSocketBytes.frame(0x88, [0x03, 0xED]), 1002),
        (WebSocketBytes.frame(0x88, [0x03, 0xE8, 0xC3, 0x28]), 1007),
    ])
    func `An invalid message is refused with its code, and counted`(bytes: [UInt8], code: Int) async throws {
        let world = try await WebWorld()
        let socket = try await greeted(world)
        try await socket.send(bytes)
        #expect(try await socket.closeCode() == code)
        #expect(try await socket.rest() == [])
        #expect(world.server.limitHits[.webMessages] == 1)
        await world.stop()
    }

    @Test func `Before hello a frame has the same limit as over TCP, in however many messages`() async throws {
        let world = try await WebWorld()
        let socket = try await WebSocketBytes(port: world.port)
        #expect(try await socket.upgrade().status == 101)
        let length = Array(ByteBuffer(integer: WireLimits.unauthenticatedFrameBytes + 1).readableBytesView)
        try await socket.send(
            WebSocketBytes.frame(0x82, Array(length[..<2])) + WebSocketBytes.frame(0x82, Array(length[2...])))
        // Our own close frame comes first.
        let close = try await socket.frame()
        #expect(close.first == 0x82)
        let frame = try MessageCodec.decode(
            Frame(kind: .close, flags: [], body: ByteBuffer(bytes: Array(close.payload.dropFirst(12)))), limits: .client
        )
        guard case .close(let status)? = frame else {
            Issue.record("\(String(describing: frame))")
            return
        }
        #expect(status.reason == "FRAME_TOO_LONG")
        #expect(try await socket.closeCode() == 1000)
        await world.stop()
    }

    @Test func `A cohort's cuts arrive in messages`() async throws {
        let world = try await WebWorld()
        let sockets = [try await greeted(world), try await greeted(world)]
        let subscribe = MessageCodec.encode(.subscribe(Subscribe(subscription: 1, screen: "home")), flags: [])
        for socket in sockets { try await socket.send(WebSocketBytes.frame(0x82, Array(subscribe.readableBytesView))) }
        for (index, day) in ["2024-05-02", "2024-05-03"].enumerated() {
            try await world.commit([.show(list: "chart/boxoffice", edition: day)])
            let revision = world.server.summary.revision + UInt64(index) + 1
            for socket in sockets {
                var decoder = FrameDecoder(maximumLength: WireLimits.client.frameBytes)
                var position: UInt64 = 0
                while position < revision {
                    let message = try await socket.frame()
                    #expect(message.first == 0x82)
                    decoder.append(ByteBuffer(bytes: message.payload))
                    while let frame = try decoder.next() {
                        switch try MessageCodec.decode(frame, limits: .client) {
                        case .data(let part)?: position = max(position, part.cut.catalogueRevision ?? 0)
                        case .progress(let cut)?: position = max(position, cut.catalogueRevision ?? 0)
                        default: break
                        }
                    }
                    // Every message of the server holds whole frames.
                    #expect(decoder.pendingBytes == 0)
                }
            }
        }
        await world.stop()
    }
}
