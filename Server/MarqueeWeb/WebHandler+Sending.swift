import DequeModule
import NIOCore

extension WebHandler {
    /// Sends the rest of a response, large ones in slices: other connections' turns come in between.
    /// - Parameter done: called with whether everything was sent.
    func send(
        _ body: Deque<ByteBuffer>, _ context: ChannelHandlerContext, then done: @escaping @Sendable (Bool) -> Void
    ) {
        var body = body
        var room = WebBounds.sliceBytes
        while room > 0, var part = body.popFirst() {
            guard let slice = part.readSlice(length: min(room, part.readableBytes)) else { break }
            room -= slice.readableBytes
            if part.readableBytes > 0 { body.prepend(part) }
            context.write(wrapOutboundOut(.body(.byteBuffer(slice))), promise: nil)
        }
        guard !body.isEmpty else {
            return context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { result in
                if case .success = result { done(true) } else { done(false) }
            }
        }
        let me = NIOLoopBound((self, context, body), eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer())))).whenSuccess {
            let (_, context, _) = me.value
            // The loop runs everything that is due before it reads from connections.
            context.eventLoop.scheduleTask(in: WebBounds.slicePause) {
                let (handler, context, body) = me.value
                if case .answering = handler.state { handler.send(body, context, then: done) }
            }
        }
    }
}
