import DequeModule
import NIOCore

extension WebHandler {
    /// Sends the rest of a response: a slice now, and each further one when it is the connection's turn.
    /// - Parameter done: called with whether everything was sent.
    /// - Returns: whether this is the last slice.
    @discardableResult
    func send(
        _ body: Deque<ByteBuffer>, _ context: ChannelHandlerContext, then done: @escaping @Sendable (Bool) -> Void
    ) -> Bool {
        var body = body
        var room = WebBounds.sliceBytes
        while room > 0, var part = body.popFirst() {
            guard let slice = part.readSlice(length: min(room, part.readableBytes)) else { break }
            room -= slice.readableBytes
            if part.readableBytes > 0 { body.prepend(part) }
            context.write(wrapOutboundOut(.body(.byteBuffer(slice))), promise: nil)
        }
        if body.isEmpty {
            context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { result in
                if case .success = result { done(true) } else { done(false) }
            }
            return true
        }
        let me = NIOLoopBound((self, context, body), eventLoop: context.eventLoop)
        // Nothing more is written until the socket has taken this.
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer())))).whenSuccess {
            let (handler, context, body) = me.value
            handler.connection.takeTurn {
                guard case .answering = handler.state else { return true }
                return handler.send(body, context, then: done)
            }
        }
        return false
    }
}
