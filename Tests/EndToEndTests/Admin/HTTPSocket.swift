import NIOCore
import NIOPosix
import Synchronization

/// A TCP connection that sends any bytes, right or wrong, and collects what comes back.
final class HTTPSocket: Sendable {
    private let channel: any Channel
    private let received = Mutex("")

    /// The text that has come back so far.
    var text: String { received.withLock { $0 } }
    var isOpen: Bool { channel.isActive }

    private init(_ channel: any Channel) { self.channel = channel }

    static func open(port: Int) async throws -> HTTPSocket {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port).get()
        let socket = HTTPSocket(channel)
        try await channel.eventLoop.submit { try channel.pipeline.syncOperations.addHandler(Collector(socket)) }.get()
        return socket
    }

    func send(_ text: String) async throws { try await channel.writeAndFlush(ByteBuffer(string: text)) }

    func close() async { try? await channel.close() }

    /// Waits for the server to close the connection.
    func ended() async throws -> String {
        try await eventually("the end of a connection that got '\(text)'") { !isOpen }
        return text
    }

    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let socket: HTTPSocket

        init(_ socket: HTTPSocket) { self.socket = socket }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let text = String(buffer: unwrapInboundIn(data))
            socket.received.withLock { $0 += text }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
