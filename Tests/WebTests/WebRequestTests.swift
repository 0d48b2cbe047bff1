import MarqueeServer
import MarqueeWeb
import Testing

@Suite("Requests to the web door", .timeLimit(.minutes(5)))
struct WebRequestTests {
    @Test func `A request that can't be answered is told why, as a problem`() async throws {
        let world = try await WebWorld()
        let connect = "GET /v1/connect HTTP/1.1"
        for (line, fields, status, reason) in [
            ("GET /nowhere HTTP/1.1", [], 404, "UNKNOWN_PATH"),
            ("POST /v1/connect HTTP/1.1", [], 405, "METHOD_NOT_ALLOWED"),
            (connect, [], 426, "UPGRADE_REQUIRED"),
            (
                connect, ["Upgrade: websocket", "Connection: upgrade", "Sec-WebSocket-Version: 8"], 426,
                "UPGRADE_REQUIRED"
            ),
            (
                connect,
                ["Upgrade: websocket", "Connection: upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: x"],
                400, "WEBSOCKET_KEY_INVALID"
            ),
            (
                connect,
                [
                    "Upgrade: websocket", "Connection: upgrade", "Sec-WebSocket-Version: 13",
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol: mqtt",
                ], 400, "SUBPROTOCOL_MISSING"
            ),
            (connect, ["Host: evil.example"], 421, "HOST_UNKNOWN"),
            (connect, ["Origin: https://evil.example"], 403, "ORIGIN_REFUSED"),
            ("NONSENSE", [], 400, "HEAD_MALFORMED"), ("GET /v1/connect HTTP/3.1", [], 400, "HEAD_MALFORMED"),
            ("GET / HTTP/1.1", ["X: \(String(repeating: "x", count: 20_000))"], 431, "HEAD_TOO_LARGE"),
            ("GET /\(String(repeating: "x", count: 40_000)) HTTP/1.1", [], 431, "HEAD_TOO_LARGE"),
            ("GET / HTTP/1.1", (0..<100).map { "X\($0): 1" }, 431, "HEAD_TOO_LARGE"),
        ] as [(String, [String], Int, String)] {
            let socket = try await WebSocketBytes(port: world.port)
            let host = fields.contains { $0.hasPrefix("Host") } ? [] : ["Host: 127.0.0.1"]
            try await socket.send(([line] + host + fields).joined(separator: "\r\n") + "\r\n\r\n")
            let reply = try await socket.reply()
            #expect(reply.status == status, "\(line.prefix(40))")
            #expect(reply.reason == reason, "\(line.prefix(40))")
            #expect(reply.fields["content-type"] == "application/problem+json")
            #expect(reply.fields["access-control-allow-origin"] == nil)
        }
        #expect(world.server.limitHits[.webOrigins] == 2)
        #expect((world.server.limitHits[.webHeads] ?? 0) >= 5)
        await world.stop()
    }

    @Test func `A million bytes of a head are not kept`() async throws {
        let world = try await WebWorld()
        let socket = try await WebSocketBytes(port: world.port)
        try? await socket.send("GET /" + String(repeating: "a", count: 1_000_000))
        #expect(try await socket.reply().status == 431)
        await world.stop()
    }

    @Test func `A head that doesn't come in time ends its connection`() async throws {
        let world = try await WebWorld { configuration in
            configuration.adjustSettings = { $0.helloTimeoutMilliseconds = 50 }
        }
        let socket = try await WebSocketBytes(port: world.port)
        try? await socket.send("GET /v1/connect HTTP/1.1\r\nHost:")
        _ = try await socket.rest()
        #expect(world.server.limitHits[.webHeads] == 1)
        await world.stop()
    }

    @Test func `The time for hello begins with the connection`() async throws {
        let world = try await WebWorld { configuration in
            configuration.adjustSettings = { $0.helloTimeoutMilliseconds = 50 }
        }
        let socket = try await WebSocketBytes(port: world.port)
        _ = try? await socket.upgrade()
        _ = try await socket.rest()
        await world.stop()
    }

    @Test func `Pipelined requests are answered in order`() async throws {
        let world = try await WebWorld()
        let socket = try await WebSocketBytes(port: world.port)
        let request = { (path: String) in "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n" }
        try await socket.send(request("/a") + request("/b") + WebSocketBytes.connect)
        #expect(try await socket.reply().body.contains("'/a'"))
        #expect(try await socket.reply().body.contains("'/b'"))
        #expect(try await socket.reply().status == 101)
        await world.stop()
    }

    @Test func `A page of a listed site is told that it may read`() async throws {
        let world = try await WebWorld(WebGate(origins: [WebOrigin("https://app.example")].compactMap { $0 }))
        let socket = try await WebSocketBytes(port: world.port)
        let connect = WebSocketBytes.connect.replacing(
            "Upgrade: web", with: "Origin: https://app.example\r\nUpgrade: web")
        try await socket.send(connect)
        #expect(try await socket.reply().status == 101)
        await world.stop()
    }

    @Test func `A load balancer states a connection's address, and nobody else may`() async throws {
        let networks = [AddressNetwork("127.0.0.1")].compactMap { $0 }
        let world = try await WebWorld { $0.proxies = networks }
        let header: [UInt8] =
            [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A, 0x21, 0x11, 0, 12]
            + [203, 0, 113, 7, 127, 0, 0, 1, 0x30, 0x39, 0x1C, 0xFE]
        let socket = try await WebSocketBytes(port: world.port)
        try await socket.send(header + Array("GET /v1/screens HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        #expect(try await socket.reply().status == 200)
        let other = try await WebSocketBytes(port: world.port)
        try? await other.send("GET /v1/screens HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try await other.rest() == [])
        #expect(world.server.limitHits[.proxies] == 1)
        await world.stop()
    }

    @Test func `A connection that says nothing makes room, and leaves when the server does`() async throws {
        let world = try await WebWorld { $0.limits.unauthenticated = 1 }
        let oldest = try await WebSocketBytes(port: world.port)
        // It is there once it has been answered; a refused request leaves it unauthenticated.
        try await oldest.send("GET /v1/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try await oldest.reply().status == 404)
        let newest = try await WebSocketBytes(port: world.port)
        _ = try await oldest.rest()
        #expect(world.server.limitHits[.unauthenticated] == 1)
        await world.server.drain(grace: .seconds(300))
        _ = try await newest.rest()
    }
}
