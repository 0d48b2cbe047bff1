import MarqueeServer
import NIOCore
import NIOWebSocket

/// Connects a WebSocket with a session: the content of clients' messages goes on as bytes, and each write of the
/// session goes out as a binary message.
final class WebSocketHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = WebSocketFrame

    /// How long a client may take to close the connection after it was told to.
    private static let closeTimeout = TimeAmount.seconds(5)

    private let connection: DoorConnection
    private var reader = WebSocketReader(messageBytes: WebBounds.messageBytes, emptyFrames: WebBounds.emptyFrames)
    /// The last full second for which the reader's allowance was renewed, by the server's clock.
    private var second: UInt64 = 0
    /// Whether the client was refused: nothing that it sends is read.
    private var isRefused = false
    /// Whether a close frame has been sent: nothing follows it.
    private var isClosing = false

    init(_ connection: DoorConnection) { self.connection = connection }

    // MARK: - In

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        let now = connection.now() / 1_000
        if now > second {
            second = now
            reader.renew()
        }
        reader.append(unwrapInboundIn(data))
        var hasAnswered = false
        defer { if hasAnswered { context.flush() } }
        do throws(WebSocketRefusal) {
            while let event = try reader.next() {
                switch event {
                case .bytes(let bytes):
                    // Nobody listens any more.
                    if !isClosing { context.fireChannelRead(wrapInboundOut(bytes)) }
                case .ping(let payload):
                    // Answers don't pile up for a client that doesn't read.
                    guard !isClosing, context.channel.isWritable else { continue }
                    write(.pong, payload, context)
                    hasAnswered = true
                case .close(let code): close(code, context)
                }
            }
        } catch {
            refuse(error, context)
        }
    }

    /// Answers the client's close frame, and closes the connection.
    private func close(_ code: WebSocketErrorCode, _ context: ChannelHandlerContext) {
        sendClose(code, "", context)
        context.flush()
        context.close(promise: nil)
    }

    /// Ends the connection. The rest of what comes is read and dropped until the client has closed: otherwise the close
    /// frame could be lost.
    private func refuse(_ refusal: WebSocketRefusal, _ context: ChannelHandlerContext) {
        isRefused = true
        if isClosing {
            // Both have ended their direction.
            if reader.isClosed { context.close(promise: nil) }
            return
        }
        connection.hit(.webMessages, refusal.reason)
        sendClose(refusal.code, refusal.reason, context)
        context.flush()
        let channel = context.channel
        context.close(mode: .output, promise: nil)
        context.eventLoop.scheduleTask(in: Self.closeTimeout) { channel.close(promise: nil) }
    }

    // MARK: - Out

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let bytes = unwrapOutboundIn(data)
        guard !isClosing else {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        // A session that ends writes an empty buffer, to learn when everything before it has been sent.
        if bytes.readableBytes == 0 { return sendClose(.normalClosure, "", context, promise) }
        write(.binary, bytes, context, promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode != .input, !isClosing {
            sendClose(.normalClosure, "", context)
            context.flush()
        }
        context.close(mode: mode, promise: promise)
    }

    private func sendClose(
        _ code: WebSocketErrorCode, _ reason: String, _ context: ChannelHandlerContext,
        _ promise: EventLoopPromise<Void>? = nil
    ) {
        guard !isClosing else { return }
        isClosing = true
        var payload = context.channel.allocator.buffer(capacity: 2 + reason.utf8.count)
        payload.write(webSocketErrorCode: code)
        payload.writeString(reason)
        write(.connectionClose, payload, context, promise)
    }

    private func write(
        _ opcode: WebSocketOpcode, _ payload: ByteBuffer, _ context: ChannelHandlerContext,
        _ promise: EventLoopPromise<Void>? = nil
    ) {
        context.write(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: payload)), promise: promise)
    }
}
