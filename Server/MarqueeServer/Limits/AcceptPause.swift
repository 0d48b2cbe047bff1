import Foundation
import NIOCore

/// Stops accepting for a while in two cases. When the system has no descriptors or memory left for another connection:
/// the listening socket stays readable then, and the event loop would do nothing but fail to accept. And when too many
/// connections arrived within a second: each has to be greeted, which with TLS costs a signature.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = any Channel

    /// The pause before the next attempt.
    static let pause = TimeAmount.milliseconds(250)

    private let hits: LimitHits
    private var allowance: Allowance
    private var isPausing = false

    /// - Parameter rate: the most connections a second.
    init(rate: Int, hits: LimitHits) {
        self.hits = hits
        allowance = Allowance(perSecond: rate)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let now = NIODeadline.now().uptimeNanoseconds
        if let wait = allowance.take(now: now) {
            hits.hit(.accepts)
            pause(context, for: .nanoseconds(Int64(clamping: wait)))
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, Self.passes(error.errnoCode) else { return context.fireErrorCaught(error) }
        hits.hit(.descriptors, ["error": "\(error)"])
        pause(context, for: Self.pause)
    }

    private func pause(_ context: ChannelHandlerContext, for time: TimeAmount) {
        guard !isPausing else { return }
        isPausing = true
        let channel = context.channel
        channel.setOption(.autoRead, value: false).whenFailure { _ in }
        context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            self.isPausing = false
            channel.setOption(.autoRead, value: true).whenFailure { _ in }
        }
    }

    /// Whether an error is temporary: the process or the system has run out of descriptors or memory.
    private static func passes(_ code: CInt) -> Bool {
        [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code)
    }
}
