import Foundation
import Logging
import NIOCore

/// Stops accepting for a while when the system has no descriptors or memory left for another connection. The listening
/// socket stays readable then: without a pause, the event loop would do nothing but fail to accept.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = any Channel

    /// The pause before the next attempt.
    static let pause = TimeAmount.milliseconds(250)

    private let logger: Logger
    private var isPausing = false

    init(logger: Logger) { self.logger = logger }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, Self.passes(error.errnoCode) else { return context.fireErrorCaught(error) }
        guard !isPausing else { return }
        isPausing = true
        logger.warning("no connection can be accepted for now: \(error)")
        let channel = context.channel
        channel.setOption(.autoRead, value: false).whenFailure { _ in }
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
            self.isPausing = false
            channel.setOption(.autoRead, value: true).whenFailure { _ in }
        }
    }

    /// Whether an error is temporary: the process or the system has run out of descriptors or memory.
    private static func passes(_ code: CInt) -> Bool {
        [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code)
    }
}
