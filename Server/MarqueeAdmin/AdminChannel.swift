import Hummingbird
import HummingbirdCore
import Logging
import MarqueeTLS
import NIOCore

/// Hands accepted connections to Hummingbird once it can work on them.
///
/// Hummingbird's own channels have tasks read from each connection as soon as it is accepted. If such a connection is
/// dropped before a task has taken it, as happens to one that arrives while the server stops, NIO ends the process.
struct AdminChannel: ServerChildChannel {
    /// An accepted connection, from which nothing is read yet. It is closed when it is dropped.
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
            // A connection that closed before its handlers were added would never report it.
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
