import Hummingbird
import HummingbirdCore
import Logging
import MarqueeTLS
import NIOCore

/// Hands accepted connections to Hummingbird once it can work on them.
///
/// Hummingbird itself makes each connection one that tasks read from as soon as it is accepted; NIO ends the process if
/// such a connection is given up before a task has had it, as happens to those that arrive while the server stops.
struct AdminChannel: ServerChildChannel {
    /// An accepted connection, from which nothing is read yet. One that is given up is closed.
    final class Value: ServerChildChannelValue {
        let channel: any Channel

        init(_ channel: any Channel) { self.channel = channel }

        deinit { channel.close(promise: nil) }
    }

    /// `nil` for plain HTTP.
    let tls: TLSServer?
    let http: HTTP1Channel

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.setOption(.autoRead, value: false).map { Value(channel) }
    }

    func handle(value: Value, logger: Logger) async {
        let channel = value.channel
        let connection = channel.eventLoop.flatSubmit { () -> EventLoopFuture<HTTP1Channel.Value> in
            // A connection that was closed before would never be said to be.
            guard channel.isActive else {
                return channel.eventLoop.makeFailedFuture(ChannelError.alreadyClosed)
            }
            if let tls {
                do { try channel.pipeline.syncOperations.addHandlers(tls.handlers()) } catch {
                    return channel.eventLoop.makeFailedFuture(error)
                }
            }
            return http.setup(channel: channel, logger: logger).flatMap { connection in
                channel.setOption(.autoRead, value: true).map { connection }
            }
        }
        guard let connection = try? await connection.get() else { return }
        await http.handle(value: connection, logger: logger)
    }
}
