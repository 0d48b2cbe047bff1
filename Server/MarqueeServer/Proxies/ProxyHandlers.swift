import NIOCore

/// A connection from a trusted load balancer: nothing is done for it before its header has said who is at the other
/// end. The first handler of its pipeline, until then.
final class ProxyHeaderHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let patience: TimeAmount
    private let serve: (any Channel, SocketAddress?) throws -> Void
    private let refuse: (any Channel, String) -> Void
    private var held = ByteBuffer()
    private var isDone = false
    private var timeout: Scheduled<Void>?

    /// - Parameters:
    ///   - patience: how long the header may take.
    ///   - serve: makes the rest of the pipeline, for a client at this address.
    ///   - refuse: is told why the connection is closed.
    init(
        patience: TimeAmount, serve: @escaping (any Channel, SocketAddress?) throws -> Void,
        refuse: @escaping (any Channel, String) -> Void
    ) {
        self.patience = patience
        self.serve = serve
        self.refuse = refuse
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        timeout = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timeout?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        // Of a connection that is closed already.
        guard !isDone else { return }
        held.writeBuffer(&bytes)
        switch ProxyHeader.read(held) {
        case .incomplete: break
        case .wrong(let why):
            isDone = true
            refuse(context.channel, why)
            context.close(promise: nil)
        case .whole(let source, let length):
            isDone = true
            held.moveReaderIndex(forwardBy: length)
            goOn(context, as: source ?? context.channel.remoteAddress)
        }
    }

    private func goOn(_ context: ChannelHandlerContext, as client: SocketAddress?) {
        do {
            try serve(context.channel, client)
            if held.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(held)) }
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        } catch {
            context.close(promise: nil)
        }
    }
}

/// A connection from anybody else, where load balancers say who is at the other end: it must not. Sees the first bytes
/// and leaves.
final class ProxyHeaderGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let refuse: (any Channel, String) -> Void
    private var held = ByteBuffer()
    private var isRefused = false

    /// - Parameter refuse: is told why the connection is closed.
    init(refuse: @escaping (any Channel, String) -> Void) { self.refuse = refuse }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        var bytes = unwrapInboundIn(data)
        held.writeBuffer(&bytes)
        switch ProxyHeader.begins(held) {
        case nil: break
        case true?:
            isRefused = true
            refuse(context.channel, "it begins with a PROXY header, and its address isn't trusted with one")
            context.close(promise: nil)
        case false?:
            context.fireChannelRead(wrapInboundOut(held))
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        }
    }
}
