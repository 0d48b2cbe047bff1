import Foundation
import MarqueeWire
package import NIOCore

/// The external services of an engine: time, randomness and connections. A program uses the system's; a simulation
/// brings its own.
///
/// Used only on the engine's event loop.
package protocol ClientEnvironment: AnyObject {
    /// Milliseconds of a clock that never goes back.
    func uptime() -> UInt64
    /// Seconds since 1970.
    func wallTime() -> Double
    /// A random number, uniform in 0..<1.
    func fraction() -> Double
    /// 16 random bytes.
    func newClientID() -> [UInt8]
    /// Opens a connection and reports to `reader`: `opened` first, and `closed` at the end.
    /// - Returns: a failure if there is no connection; `reader` is not called then.
    func connect(
        _ reader: ConnectionReader, to configuration: ClientConfiguration, on loop: any EventLoop
    ) -> EventLoopFuture<Void>
}

/// An open connection, as an engine writes to it.
package protocol ClientLink {
    func write(_ frame: ByteBuffer)
    /// Writes a frame, and calls back on the engine's loop once it has been sent, or never will be.
    func write(_ frame: ByteBuffer, whenSent: @escaping @Sendable () -> Void)
    func close()
}

extension ClientLink {
    /// A default for links that send immediately.
    package func write(_ frame: ByteBuffer, whenSent: @escaping @Sendable () -> Void) {
        write(frame)
        whenSent()
    }
}

/// The system's clock, random numbers and connections.
final class SystemEnvironment: ClientEnvironment {
    private let transport: any Transport

    init(_ transport: any Transport) { self.transport = transport }

    func uptime() -> UInt64 { NIODeadline.now().uptimeNanoseconds / 1_000_000 }
    func wallTime() -> Double { Date().timeIntervalSince1970 }
    func fraction() -> Double { Double.random(in: 0..<1) }
    func newClientID() -> [UInt8] { Hello.newClientID() }

    func connect(
        _ reader: ConnectionReader, to configuration: ClientConfiguration, on loop: any EventLoop
    ) -> EventLoopFuture<Void> {
        let reader = NIOLoopBound(reader, eventLoop: loop)
        return transport.connect(to: configuration, on: loop) { ClientHandler(reader.value) }
    }
}

private struct SocketLink: ClientLink {
    let channel: any Channel

    func write(_ frame: ByteBuffer) { channel.writeAndFlush(frame, promise: nil) }

    func write(_ frame: ByteBuffer, whenSent: @escaping @Sendable () -> Void) {
        channel.writeAndFlush(frame).whenComplete { _ in whenSent() }
    }

    func close() { channel.close(promise: nil) }
}

/// Passes a socket's events on to the reader.
private final class ClientHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let reader: ConnectionReader

    init(_ reader: ConnectionReader) { self.reader = reader }

    func channelActive(context: ChannelHandlerContext) { reader.opened(SocketLink(channel: context.channel)) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { reader.received(unwrapInboundIn(data)) }

    func channelInactive(context: ChannelHandlerContext) { reader.closed("the connection was closed") }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        reader.closed(ClientEngine.describe(error))
        context.close(promise: nil)
    }
}
