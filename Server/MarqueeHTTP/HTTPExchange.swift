import NIOCore
import NIOHTTP1

/// Sends a request once the connection is established, and collects the answer.
final class HTTPExchange: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let head: HTTPRequestHead
    private let body: ByteBuffer?
    /// Completed once; later results are ignored.
    private let answer: EventLoopPromise<HTTPClient.Answer>
    private var received: HTTPClient.Answer?

    init(_ head: HTTPRequestHead, _ body: ByteBuffer?, _ answer: EventLoopPromise<HTTPClient.Answer>) {
        self.head = head
        self.body = body
        self.answer = answer
    }

    func channelActive(context: ChannelHandlerContext) {
        let answer = answer
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenFailure { answer.fail($0) }
        // A head that isn't valid HTTP is refused here.
        context.write(wrapOutboundOut(.head(head)), promise: written)
        if let body { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            received = HTTPClient.Answer(status: head.status, headers: head.headers, body: ByteBuffer())
        case .body(var bytes): received?.body.writeBuffer(&bytes)
        case .end:
            if let received { answer.succeed(received) }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        answer.fail(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { answer.fail(HTTPProblem.cutOff) }

    func handlerRemoved(context: ChannelHandlerContext) { answer.fail(HTTPProblem.cutOff) }
}

/// Fails a connection when the other side sends too much.
final class ByteLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let maximum: Int
    private var left: Int

    init(_ maximum: Int) {
        self.maximum = maximum
        left = maximum
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let count = unwrapInboundIn(data).readableBytes
        guard left >= count else {
            left = 0
            return context.fireErrorCaught(HTTPProblem("the answer has more than \(maximum) bytes"))
        }
        left -= count
        context.fireChannelRead(data)
    }
}
