import NIOCore

/// Passes data to the TLS handler in small pieces.
///
/// On a flush, NIOSSL encrypts everything that waits into one buffer, which keeps its largest size for as long as the
/// connection lasts. So writes are flushed here piece by piece, and `RecordGatherer`, on the handler's other side,
/// joins the pieces into one write again.
final class WriteSplitter: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Bytes to encrypt at a time. NIOSSL's own writes, its part of a handshake, are about as long. Each piece is a
    /// record, which costs 22 bytes and about a microsecond.
    static let pieceBytes = 2 << 10

    private let gatherer: RecordGatherer
    private var unflushed = 0

    init(gatherer: RecordGatherer) { self.gatherer = gatherer }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var rest = unwrapOutboundIn(data)
        while rest.readableBytes > Self.pieceBytes - unflushed,
            let piece = rest.readSlice(length: Self.pieceBytes - unflushed)
        {
            context.write(wrapOutboundOut(piece), promise: nil)
            unflushed = 0
            gatherer.gather { context.flush() }
        }
        unflushed += rest.readableBytes
        context.write(wrapOutboundOut(rest), promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        unflushed = 0
        context.flush()
    }
}

/// Copies what the TLS handler writes into buffers of the right size, which last until the socket has taken them.
///
/// Otherwise NIOSSL's own buffer would be written, and replaced by a new one of 16 KiB or more for each write that the
/// socket has not taken yet.
final class RecordGatherer: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The most bytes held back to be joined with others.
    static let gatheredBytes = 32 << 10

    private var gathered = ByteBuffer()
    private var written: EventLoopPromise<Void>?
    private var isGathering = false

    /// Holds back anything flushed during `flush` until the next flush, up to `gatheredBytes`.
    func gather(while flush: () -> Void) {
        isGathering = true
        flush()
        isGathering = false
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        gathered.writeImmutableBuffer(unwrapOutboundIn(data))
        if let promise { written.setOrCascade(to: promise) }
    }

    func flush(context: ChannelHandlerContext) {
        if isGathering, gathered.readableBytes < Self.gatheredBytes { return }
        passOn(context)
        context.flush()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        passOn(context)
        context.flush()
        context.close(mode: mode, promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        written?.fail(ChannelError.ioOnClosedChannel)
        written = nil
    }

    private func passOn(_ context: ChannelHandlerContext) {
        guard gathered.readableBytes > 0 || written != nil else { return }
        let (bytes, promise) = (gathered, written)
        (gathered, written) = (ByteBuffer(), nil)
        context.write(wrapOutboundOut(bytes), promise: promise)
    }
}
