import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Writes bytes to a connection's socket past the pipeline: one system call, no promise, no queue. It is the pipeline's
/// first handler, next to the socket, so its input is exactly the bytes that the client receives.
///
/// Belongs to one channel and must only be used on its event loop. Three things could go wrong, and don't:
///
/// - *Bytes for one client reach another.* The descriptor belongs to NIO, which closes it. Its number may then be
///   reused for another connection at once, as other threads accept and open. A channel closes only on its event loop,
///   in `close0`: it takes the socket out of the selector, calls `close(2)` and becomes inactive, all without calling
///   any handler. Then it fails the promises of pending writes; next come `errorCaught`, the promise of `close`,
///   `channelInactive`, which this handler is the first to receive, and, in a later task, `handlerRemoved` and
///   `closeFuture`. Every close takes this path, whether the application, the client, an error or the end of the event
///   loop causes it. So nothing is written after `channelInactive`, or after an `errorCaught` that finds the channel
///   inactive. A promise may fail before that, but only if bytes are waiting, and in that case `Channel.isActive` is
///   checked. Otherwise it isn't: it keeps its answer in an object of its own, and reading that for each delivery costs
///   more than the rest of a write; debug builds compare the two.
/// - *Bytes overtake others.* Everything written through the pipeline passes through `write(context:data:promise:)`,
///   which notes that NIO may have bytes waiting. From then on nothing is written directly until NIO has none.
/// - *Bytes are written after the end.* Half closing lets NIO finish what it has, then calls `shutdown(2)`. It passes
///   through `close`, after which nothing is written directly. When the client has closed a direction, the write fails
///   with an error.
///
/// It must not be used with TLS, as nothing would encrypt what it writes.
final class DirectOutput: ChannelDuplexHandler, CutOutput {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    enum Outcome: Hashable {
        /// The system took all bytes.
        case sent
        /// NIO has the bytes that the system didn't take, and writes them as soon as it can. If the connection is
        /// broken, NIO finds that too, and closes it.
        case handedOver
        /// Nothing was written, and the caller keeps the bytes. The system takes none at present, bytes written earlier
        /// are waiting in the pipeline, or the channel isn't active. In all three cases, write through the pipeline
        /// instead: NIO waits for the socket, and `isWritable` tells when it has written enough. Nothing announces when
        /// a direct write will succeed again.
        case notNow
    }

    private let descriptor: CInt
    /// Whether each cut is a WebSocket message. Its header goes out with the cut's shared bytes, which aren't copied.
    var sendsMessages = false
    private var context: ChannelHandlerContext?
    /// Whether the descriptor is still this connection's, and this direction hasn't been closed.
    private var isOpen = true
    /// Whether bytes that were written through the pipeline may still be in it.
    private var mayHaveWaiting = false

    private init(_ descriptor: CInt) { self.descriptor = descriptor }

    /// Adds one to a channel; must be called on its event loop. The channel must not have handlers that change bytes.
    /// - Returns: `nil` if the channel has no socket, as in tests.
    /// - Throws: when the channel has closed.
    static func add(to channel: any Channel) throws -> DirectOutput? {
        let pipeline = channel.pipeline.syncOperations
        guard let descriptor = try pipeline.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self, { $0 })
        else { return nil }
        let output = DirectOutput(descriptor)
        try pipeline.addHandler(output, position: .first)
        return output
    }

    // MARK: - Past the pipeline

    func write(_ cut: CohortCut) -> Bool {
        (sendsMessages ? write(message: cut.bytes) : write(cut.bytes)) != .notNow
    }

    /// Writes a WebSocket message with these bytes, or nothing. The part that the system doesn't take is shared with
    /// the buffer.
    func write(message buffer: ByteBuffer) -> Outcome {
        guard isClear else { return .notNow }
        let header = WebSocketHeader(length: buffer.readableBytes)
        let taken = header.withBytes { head in
            buffer.withUnsafeReadableBytes { Self.send(head, $0, to: descriptor) }
        }
        switch taken {
        case header.count + buffer.readableBytes: return .sent
        case 0: return .notNow
        // On an error, NIO will run into the same one and close.
        default:
            handOver(header.rest(of: buffer, after: taken ?? 0))
            return .handedOver
        }
    }

    /// Writes all of a buffer, or nothing. The part that the system doesn't take is shared with the buffer, not copied.
    func write(_ buffer: ByteBuffer) -> Outcome {
        buffer.withUnsafeReadableBytes { bytes in
            write(bytes) { buffer.getSlice(at: buffer.readerIndex + $0, length: bytes.count - $0) ?? ByteBuffer() }
        }
    }

    /// Writes all bytes, or nothing. Calls no handler, except `channelWritabilityChanged` if the bytes handed over to
    /// NIO fill its buffer.
    /// - Parameter rest: the bytes from an offset on, for NIO to keep. Called only when the system doesn't take all.
    func write(_ bytes: UnsafeRawBufferPointer, rest: (Int) -> ByteBuffer) -> Outcome {
        guard isClear else { return .notNow }
        switch Self.send(bytes, to: descriptor) {
        case bytes.count: return .sent
        case 0: return .notNow
        case let taken?:
            handOver(rest(taken))
        case nil:
            // NIO will run into the same error and, as for any failed write, read the bytes that have arrived, then
            // close.
            handOver(rest(0))
        }
        return .handedOver
    }

    /// Whether bytes may be written directly.
    private var isClear: Bool {
        guard isOpen, !mayHaveWaiting || hasNothingWaiting else { return false }
        assert(context?.channel.isActive == true && context?.eventLoop.inEventLoop == true)
        return true
    }

    /// Asks NIO, which takes ten times as long as the rest of a write.
    private var hasNothingWaiting: Bool {
        guard let channel = context?.channel, channel.isActive, let options = channel.syncOptions,
            let waiting = try? options.getOption(.bufferedWritableBytes)
        else { return false }
        mayHaveWaiting = waiting > 0
        return !mayHaveWaiting
    }

    private func handOver(_ bytes: ByteBuffer) {
        guard let context else { return }
        mayHaveWaiting = true
        context.write(wrapOutboundOut(bytes), promise: nil)
        // Deferred, because a flush may find an error and close the channel, and the caller may be in the middle of a
        // round of connections.
        context.eventLoop.execute { [channel = context.channel] in channel.flush() }
    }

    /// - Returns: the bytes taken; `nil` after an error.
    private static func send(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> Int? {
        taken { systemSend(descriptor, bytes.baseAddress, bytes.count, flags) }
    }

    /// Makes a system call that sends, and repeats it if a signal interrupts it.
    /// - Returns: the bytes taken, 0 if the system takes none at present; `nil` after an error.
    private static func taken(_ call: () -> Int) -> Int? {
        while true {
            let taken = call()
            if taken >= 0 { return taken }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return 0
            default: return nil
            }
        }
    }

    /// Sends two pieces of memory, one after the other.
    /// - Returns: the bytes taken; `nil` after an error.
    private static func send(
        _ head: UnsafeRawBufferPointer, _ rest: UnsafeRawBufferPointer, to descriptor: CInt
    ) -> Int? {
        withUnsafeTemporaryAllocation(of: iovec.self, capacity: 2) { pieces in
            pieces.initializeElement(at: 0, to: iovec(head))
            pieces.initializeElement(at: 1, to: iovec(rest))
            var message = msghdr()
            message.msg_iov = pieces.baseAddress
            message.msg_iovlen = .init(pieces.count)
            return taken { sendmsg(descriptor, &message, flags) }
        }
    }

    #if canImport(Darwin)
        // NIO has set `SO_NOSIGPIPE`.
        private static let flags = MSG_DONTWAIT
    #else
        private static let flags = CInt(MSG_DONTWAIT | MSG_NOSIGNAL)
    #endif

    // MARK: - In the pipeline

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        isOpen = false
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        isOpen = false
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !context.channel.isActive { isOpen = false }
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        mayHaveWaiting = true
        context.write(data, promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode != .input { isOpen = false }
        context.close(mode: mode, promise: promise)
    }
}

extension iovec {
    /// A piece of memory that is only read.
    fileprivate init(_ bytes: UnsafeRawBufferPointer) {
        self.init(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: .init(bytes.count))
    }
}

/// `send(2)`, which a method of the same name would hide.
private func systemSend(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: CInt) -> Int {
    send(descriptor, bytes, count, flags)
}
