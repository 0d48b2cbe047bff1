import MarqueeServer
import NIOCore
import NIOHTTP1
import Testing

@testable import MarqueeWeb

@Suite("Bodies on the wire", .timeLimit(.minutes(5)))
struct WebFramingTests {
    private static let post =
        "POST /v1/publish?dry-run HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    private static let chunked = post + "Transfer-Encoding: chunked\r\n\r\n"
    private static let change = #"{"merge": {"type": "movie", "id": "27205", "record": {"popularity": 1.5}}}"#

    /// - Parameter more: extensions.
    private static func chunk(_ text: String, _ more: String = "") -> String {
        "\(String(text.utf8.count, radix: 16))\(more)\r\n\(text)\r\n"
    }

    // MARK: - Heads

    private func refusal(_ version: HTTPVersion, _ fields: KeyValuePairs<String, String>) -> WebProblem? {
        let headers = HTTPHeaders(fields.map { ($0.key, $0.value) })
        let head = HTTPRequestHead(version: version, method: .POST, uri: "/", headers: headers)
        do throws(WebProblem) {
            try WebFraming.check(head)
            return nil
        } catch {
            return error
        }
    }

    @Test func `A body's length is given once, and its one transfer coding is chunked`() {
        let coding = "Transfer-Encoding"
        #expect(refusal(.http1_1, [:]) == nil)
        #expect(refusal(.http1_0, ["Content-Length": "3"]) == nil)
        #expect(refusal(.http1_1, [coding: "chunked"]) == nil)
        #expect(refusal(.http1_1, [coding: "Chunked "]) == nil)
        #expect(refusal(.http1_1, [coding: "gzip, chunked"]) == .transferCodingUnknown)
        #expect(refusal(.http1_1, [coding: "gzip", "transfer-encoding": "chunked"]) == .transferCodingUnknown)
        for value in ["gzip", "chunked, gzip", "chunked, chunked", "identity", "xchunked", "chunked;q=1", ""] {
            #expect(refusal(.http1_1, [coding: value]) == .framingUnclear, "\(value)")
        }
        #expect(refusal(.http1_0, [coding: "chunked"]) == .framingUnclear)
        #expect(refusal(.http1_1, [coding: "chunked", "Content-Length": "3"]) == .framingUnclear)
        #expect(refusal(.http1_1, ["Content-Length": "3", "content-length": "3"]) == .framingUnclear)
    }

    @Test(arguments: [
        ("HTTP/1.1", "Transfer-Encoding: gzip, chunked", 501, "TRANSFER_CODING_UNKNOWN"),
        ("HTTP/1.1", "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked", 501, "TRANSFER_CODING_UNKNOWN"),
        ("HTTP/1.1", "Transfer-Encoding: gzip", 400, "HEAD_MALFORMED"),
        ("HTTP/1.1", "Transfer-Encoding: identity", 400, "HEAD_MALFORMED"),
        ("HTTP/1.1", "Transfer-Encoding: chunked, gzip", 400, "HEAD_MALFORMED"),
        ("HTTP/1.1", "Transfer-Encoding: ", 400, "HEAD_MALFORMED"),
        ("HTTP/1.0", "Transfer-Encoding: chunked", 400, "HEAD_MALFORMED"),
        ("HTTP/1.1", "Transfer-Encoding: chunked\r\nContent-Length: 3", 400, "HEAD_MALFORMED"),
        ("HTTP/1.1", "Content-Length: 3\r\nTransfer-Encoding: chunked", 400, "HEAD_MALFORMED"),
        ("HTTP/1.1", "Content-Length: 3\r\nContent-Length: 3", 400, "HEAD_MALFORMED"),
        ("HTTP/1.1", "Content-Length: 3, 3", 400, "HEAD_MALFORMED"),
        ("HTTP/1.1", "Content-Length: +3", 400, "HEAD_MALFORMED"),
    ])
    func `A body whose end others may see elsewhere is refused, and the connection ends`(
        version: String, fields: String, status: Int, reason: String
    ) async throws {
        let world = try await WebWorld()
        let socket = try await WebSocketBytes(port: world.port)
        let head = Self.post.replacing("HTTP/1.1", with: version)
        // The request after the body is never answered.
        try await socket.send(
            head + fields + "\r\n\r\n3\r\nabc\r\n0\r\n\r\nGET /v1/screens HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let reply = try await socket.reply()
        #expect(reply.status == status)
        #expect(reply.reason == reason)
        #expect(reply.fields["connection"] == "close")
        #expect(try await socket.rest() == [])
        #expect(world.server.limitHits[.webHeads] == 1)
        await world.stop()
    }

    // MARK: - Chunks

    @Test(arguments: [
        "zz\r\nabc\r\n", "3\r\nabcd\r\n", "3\nabc\r\n", "3\r\nabc\n", "3\rabc", "3 \r\nabc\r\n", "\r\n", "-1\r\n",
        "0x3\r\nabc\r\n", "FFFFFFFFFFFFFFFFF\r\n", "3;\r\nabc\r\n", "0\r\n: y\r\n\r\n", "0\r\nno field\r\n\r\n",
    ])
    func `A malformed chunk is answered, and the connection ends`(bytes: String) async throws {
        let world = try await WebWorld()
        // After the head, while the client is being identified, and after a good chunk.
        for request in [Self.chunked, Self.chunked + Self.chunk("{")] {
            let socket = try await WebSocketBytes(port: world.port)
            try await socket.send(request + bytes)
            let reply = try await socket.reply()
            #expect(reply.status == 400)
            #expect(reply.reason == "BODY_MALFORMED")
            #expect(try await socket.rest() == [])
        }
        #expect(world.server.limitHits[.webBodies] == 2)
        await world.stop()
    }

    @Test func `A malformed chunk of a request that has no body is answered`() async throws {
        let world = try await WebWorld()
        let socket = try await WebSocketBytes(port: world.port)
        try await socket.send(Self.get + "Transfer-Encoding: chunked\r\n\r\nzz\r\n")
        #expect(try await socket.reply().reason == "BODY_MALFORMED")
        #expect(try await socket.rest() == [])
        await world.stop()
    }

    private static let get = "GET /v1/screens HTTP/1.1\r\nHost: localhost\r\n"

    @Test func `A body that goes on after a malformed chunk doesn't cost the client its answer`() async throws {
        let world = try await WebWorld()
        let socket = try await WebSocketBytes(port: world.port)
        try? await socket.send(Self.chunked + Self.chunk("{") + "zz\r\n" + String(repeating: "a", count: 100_000))
        #expect(try await socket.reply().reason == "BODY_MALFORMED")
        await world.stop()
    }

    @Test func `Requests before one that can't be read are answered first`() async throws {
        let world = try await WebWorld()
        let socket = try await WebSocketBytes(port: world.port)
        try await socket.send(Self.get + "\r\n" + Self.get + "\r\nNONSENSE\r\n\r\n")
        for _ in 0..<2 { #expect(try await socket.reply().status == 200) }
        #expect(try await socket.reply().reason == "HEAD_MALFORMED")
        #expect(try await socket.rest() == [])
        await world.stop()
    }

    @Test func `A stream answers the lines before a malformed chunk, then says that it is one`() async throws {
        let world = try await WebWorld()
        let socket = try await WebSocketBytes(port: world.port)
        try await socket.send(
            "POST /v1/publish/stream HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n\(Self.chunk(Self.change + "\n"))zz\r\n")
        #expect(try await socket.reply(withoutBody: true).status == 200)
        #expect(try await socket.chunk().contains(#""revision":2"#))
        #expect(try await socket.chunk().contains(#""reason":"BODY_MALFORMED""#))
        #expect(String(decoding: try await socket.rest(), as: UTF8.self) == "0\r\n\r\n")
        await world.stop()
    }

    @Test func `Spaces that fill the buffer of a head are too large a head`() async throws {
        let world = try await WebWorld()
        let socket = try await WebSocketBytes(port: world.port)
        try? await socket.send(Self.get + "X:" + String(repeating: " ", count: 100_000))
        #expect(try await socket.reply().reason == "HEAD_TOO_LARGE")
        await world.stop()
    }

    @Test func `A body in chunks of one byte is taken, even while the client is being identified`() async throws {
        let world = try await WebWorld()
        let socket = try await WebSocketBytes(port: world.port)
        // So that much is read at once.
        let long = "[\(Self.change)\(String(repeating: " ", count: 100_000))]"
        try await socket.send(Self.post + "Content-Length: \(long.utf8.count)\r\n\r\n" + long)
        #expect(try await socket.reply().status == 200)
        let body = "[\(Self.change)\(String(repeating: " ", count: 4_000))]"
        try await socket.send(Self.chunked + body.map { Self.chunk(String($0)) }.joined() + "0\r\n\r\n")
        #expect(try await socket.reply().status == 200)
        await world.stop()
    }

    // MARK: - Padding

    @Test func `Bytes on the wire are counted against those of the body`() {
        let free = WebBounds.paddingBytes
        var body = BodyWire()
        #expect(!body.isPadded(received: 1 << 40))
        body.take(.head(HTTPRequestHead(version: .http1_1, method: .POST, uri: "/")), received: 1_000)
        #expect(body.isOpen)
        #expect(!body.isPadded(received: 1_000 + free + WebBounds.wireBytesPerByte - 1))
        #expect(body.isPadded(received: 1_000 + free + WebBounds.wireBytesPerByte))
        body.take(.body(ByteBuffer(repeating: 0, count: 100)), received: 1_200)
        #expect(!body.isPadded(received: 1_000 + free + 101 * WebBounds.wireBytesPerByte - 1))
        #expect(body.isPadded(received: 1_000 + free + 101 * WebBounds.wireBytesPerByte))
        body.take(.end(nil), received: 1_300)
        #expect(!body.isOpen)
        #expect(!body.isPadded(received: 1 << 40))
    }

    @Test(arguments: ["POST /v1/publish", "POST /v1/publish/stream", "GET /v1/screens"])
    func `A body that is little but extensions of chunks, or zeros before their sizes, is refused`(
        line: String
    ) async throws {
        let world = try await WebWorld()
        let head =
            "\(line) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n"
        let many = Int(WebBounds.paddingBytes) * 4
        for bytes in [
            "1;a=" + String(repeating: "b", count: many), String(repeating: "0", count: many),
            String(repeating: "1;a=\(String(repeating: "b", count: 100))\r\n \r\n", count: many / 100),
        ] {
            let socket = try await WebSocketBytes(port: world.port)
            try? await socket.send(head + bytes)
            let text = String(decoding: try await socket.rest(), as: UTF8.self)
            // A request that has no body is refused for the first byte of one, too.
            #expect(
                text.contains("BODY_PADDED") || (text.contains("BODY_UNEXPECTED") && bytes.contains(" ")), "\(text)")
        }
        await world.stop()
    }

    @Test func `A few extensions of chunks are dropped`() async throws {
        let world = try await WebWorld()
        let socket = try await WebSocketBytes(port: world.port)
        let body = Self.change.map { Self.chunk(String($0), #";a=b;c="d e""#) }.joined()
        try await socket.send(Self.chunked + body + "0;last\r\nX-Sum: 1\r\n\r\n")
        #expect(try await socket.reply().status == 200)
        await world.stop()
    }
}
