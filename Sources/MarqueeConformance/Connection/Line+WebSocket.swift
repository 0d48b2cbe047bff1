import MarqueeWire
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

extension Line {
    /// The subprotocol whose messages carry the protocol's frames.
    private static let subprotocol = "marquee.v1"
    /// The most bytes of a message from a server.
    private static let messageBytes = 4 << 20

    /// Connects to a server by WebSocket.
    static func connect(
        webSocket path: String, host: String, port: Int, limits: WireLimits, within limit: Duration
    ) async throws -> Line {
        let inbox = Inbox.ofArrivals()
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(TimeAmount(limit))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: host, port: port).get()
        let upgraded = channel.eventLoop.makePromise(of: Void.self)
        do {
            try await channel.eventLoop.submit {
                let upgrader = NIOWebSocketClientUpgrader(maxFrameSize: messageBytes) { channel, _ in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        pipeline.removeHandler(
                            context: try pipeline.context(handlerType: UpgradeAnswer.self), promise: nil)
                        try pipeline.addHandlers([MessageFramer(), FrameReader(inbox, limits: limits)])
                    }
                }
                try channel.pipeline.syncOperations.addHTTPClientHandlers(
                    leftOverBytesStrategy: .forwardBytes,
                    withClientUpgrade: (upgraders: [upgrader], completionHandler: { _ in upgraded.succeed() }))
                try channel.pipeline.syncOperations.addHandler(UpgradeAnswer(upgraded))
                let fields: HTTPHeaders = ["Host": "\(host):\(port)", "Sec-WebSocket-Protocol": subprotocol]
                let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: fields)
                channel.write(HTTPClientRequestPart.head(head), promise: nil)
                channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
            }.get()
            let timer = channel.eventLoop.scheduleTask(in: TimeAmount(limit)) {
                upgraded.fail(ChannelError.connectTimeout(TimeAmount(limit)))
            }
            defer { timer.cancel() }
            try await upgraded.futureResult.get()
        } catch {
            upgraded.fail(error)
            try? await channel.close()
            throw error
        }
        return Line(channel: channel, inbox: inbox, peer: "server")
    }
}

/// Detects that a server refuses the upgrade to a WebSocket.
private final class UpgradeAnswer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let upgraded: EventLoopPromise<Void>

    init(_ upgraded: EventLoopPromise<Void>) { self.upgraded = upgraded }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        upgraded.fail(WebSocketRefused(status: "\(head.status.code) \(head.status.reasonPhrase)"))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        upgraded.fail(WebSocketRefused(status: "the end of the connection"))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        upgraded.fail(error)
        context.close(promise: nil)
    }
}

/// Thrown when a server refuses the upgrade to a WebSocket.
private struct WebSocketRefused: Error, CustomStringConvertible {
    var status: String
    var description: String { "no WebSocket, but \(status)" }
}

/// Sends each write as one binary message, and passes on the payload of incoming messages.
private final class MessageFramer: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = WebSocketFrame

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .binary, .continuation: context.fireChannelRead(wrapInboundOut(frame.unmaskedData))
        case .connectionClose:
            write(.connectionClose, frame.unmaskedData, context, nil)
            context.flush()
            context.close(promise: nil)
        case .ping:
            write(.pong, frame.unmaskedData, context, nil)
            context.flush()
        default: break
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        write(.binary, unwrapOutboundIn(data), context, promise)
    }

    private func write(
        _ opcode: WebSocketOpcode, _ payload: ByteBuffer, _ context: ChannelHandlerContext,
        _ promise: EventLoopPromise<Void>?
    ) {
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: payload)
        context.write(wrapOutboundOut(frame), promise: promise)
    }
}
