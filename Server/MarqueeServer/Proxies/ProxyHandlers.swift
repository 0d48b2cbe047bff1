import NIOCore

/// Handles a connection from a trusted load balancer: nothing is done for it until its header has given the client's
/// address. It is the first handler of its pipeline until then.
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
    ///   - patience: how long the header may take to arrive.
    ///   - serve: builds the rest of the pipeline, for a client at this address.
    ///   - refuse: called with the reason why the connection is closed.
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
        // The connection has closed already.
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

/// Handles a connection from any other peer, on a server where load balancers send PROXY headers: this one must not
/// send any. Checks the first bytes and removes itself.
final class ProxyHeaderGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let refuse: (any Channel, String) -> Void
    private var held = ByteBuffer()
    private var isRefused = false

    /// - Parameter refuse: called with the reason why the connection is closed.
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
