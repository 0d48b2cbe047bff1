import Foundation
import NIOCore
import NIOPosix

/// An answer over HTTP.
struct WebReply {
    var status: Int
    /// The header fields by their names in lower case.
    var fields: [String: String]
    var body: String

    /// A problem's reason, for programs.
    var reason: String? {
        let document = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
        return document?["reason"] as? String
    }
}

/// A connection that sends any bytes, and takes what comes back.
final class WebSocketBytes: Sendable {
    struct Ended: Error {}

    private let channel: any Channel
    private let received: NIOLoopBoundBox<ByteBuffer>
    private let arrivals: AsyncStream<Void>

    init(port: Int) async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let received = NIOLoopBoundBox.makeBoxSendingValue(ByteBuffer(), eventLoop: loop)
        channel = try await ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Collector(received, continuation))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        self.received = received
        arrivals = stream
    }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)) }

    /// Begins or stops to take what comes.
    func set(reads: Bool) async throws { try await channel.setOption(.autoRead, value: reads).get() }

    func close() async { try? await channel.close() }

    /// Waits until `read` finds what it looks for in the bytes received, which it takes from them.
    func next<Value: Sendable>(_ read: @escaping @Sendable (inout ByteBuffer) -> Value?) async throws -> Value {
        var iterator = arrivals.makeAsyncIterator()
        while true {
            let value = try await channel.eventLoop.submit { [received] in read(&received.value) }.get()
            if let value { return value }
            guard await iterator.next() != nil else {
                let value = try await channel.eventLoop.submit { [received] in read(&received.value) }.get()
                if let value { return value }
                throw Ended()
            }
        }
    }

    /// Waits for the connection's end; returns what came before it.
    func rest() async throws -> [UInt8] {
        for await _ in arrivals {}
        return try await channel.eventLoop.submit { [received] in Array(received.value.readableBytesView) }.get()
    }

    /// The next response.
    func reply(withoutBody: Bool = false) async throws -> WebReply {
        try await next { bytes in
            let view = String(buffer: bytes)
            guard let end = view.firstRange(of: "\r\n\r\n") else { return nil }
            let lines = view[..<end.lowerBound].components(separatedBy: "\r\n")
            var fields: [String: String] = [:]
            for line in lines.dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2 else { continue }
                fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
            }
            let length = withoutBody ? 0 : fields["content-length"].flatMap(Int.init) ?? 0
            let head = view[..<end.upperBound].utf8.count
            guard bytes.readableBytes >= head + length, lines[0].hasPrefix("HTTP/1.1 ") else { return nil }
            bytes.moveReaderIndex(forwardBy: head)
            let body = bytes.readString(length: length) ?? ""
            return WebReply(status: Int(lines[0].split(separator: " ")[1]) ?? 0, fields: fields, body: body)
        }
    }

    /// The next chunk of a body.
    func chunk() async throws -> String {
        try await next { bytes in
            let text = String(buffer: bytes)
            guard let end = text.firstRange(of: "\r\n"), let length = Int(text[..<end.lowerBound], radix: 16) else {
                return nil
            }
            let head = text[..<end.upperBound].utf8.count
            guard bytes.readableBytes >= head + length + 2 else { return nil }
            bytes.moveReaderIndex(forwardBy: head)
            let chunk = bytes.readString(length: length)
            bytes.moveReaderIndex(forwardBy: 2)
            return chunk
        }
    }

    // MARK: - WebSocket

    static let connect = """
        GET /v1/connect HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
        Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
        Sec-WebSocket-Protocol: marquee.v1\r\n\r\n
        """

    /// Makes the connection a WebSocket.
    func upgrade() async throws -> WebReply {
        try await send(Self.connect)
        return try await reply()
    }

    /// A message or a control frame of a client.
    static func frame(
        _ first: UInt8, _ payload: [UInt8], mask: [UInt8]? = [1, 2, 3, 4], length: [UInt8]? = nil
    ) -> [UInt8] {
        let short: [UInt8] =
            payload.count < 126
            ? [UInt8(payload.count)] : [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        var length = length ?? short
        guard let mask else { return [first] + length + payload }
        length[0] |= 0x80
        return [first] + length + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
    }

    /// The next frame of the server: its first byte, and its payload.
    func frame() async throws -> (first: UInt8, payload: [UInt8]) {
        try await next { bytes in
            var rest = bytes
            guard let first: UInt8 = rest.readInteger(), let short: UInt8 = rest.readInteger() else { return nil }
            let length: Int
            switch short {
            case 126:
                guard let long: UInt16 = rest.readInteger() else { return nil }
                length = Int(long)
            case 127:
                guard let long: UInt64 = rest.readInteger() else { return nil }
                length = Int(long)
            default: length = Int(short)
            }
            guard let payload = rest.readBytes(length: length) else { return nil }
            bytes = rest
            return (first, payload)
        }
    }

    /// The code of the close frame with which the server ends the connection, past other frames.
    func closeCode() async throws -> Int {
        while true {
            let frame = try await frame()
            if frame.first == 0x88 { return Int(frame.payload[0]) << 8 | Int(frame.payload[1]) }
        }
    }
}

private final class Collector: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let received: NIOLoopBoundBox<ByteBuffer>
    private let arrivals: AsyncStream<Void>.Continuation

    init(_ received: NIOLoopBoundBox<ByteBuffer>, _ arrivals: AsyncStream<Void>.Continuation) {
        self.received = received
        self.arrivals = arrivals
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.value.writeImmutableBuffer(unwrapInboundIn(data))
        arrivals.yield()
    }

    func channelInactive(context: ChannelHandlerContext) { arrivals.finish() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
