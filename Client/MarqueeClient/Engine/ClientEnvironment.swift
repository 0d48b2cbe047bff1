import Foundation
import MarqueeTLS
package import NIOCore
import NIOPosix

/// What an engine needs from outside: time, randomness and connections. A program uses the system's; a simulation
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
    func close()
}

/// The system's clock, random numbers and sockets.
final class SystemEnvironment: ClientEnvironment {
    private static let connectTimeout = TimeAmount.seconds(10)

    /// Made for the first connection.
    private var tls: TLSClient?

    func uptime() -> UInt64 { NIODeadline.now().uptimeNanoseconds / 1_000_000 }
    func wallTime() -> Double { Date().timeIntervalSince1970 }
    func fraction() -> Double { Double.random(in: 0..<1) }
    func newClientID() -> [UInt8] { (0..<16).map { _ in UInt8.random(in: .min ... .max) } }

    func connect(
        _ reader: ConnectionReader, to configuration: ClientConfiguration, on loop: any EventLoop
    ) -> EventLoopFuture<Void> {
        let secure: TLSClient?
        do throws(TLSProblem) { secure = try tlsClient(for: configuration) } catch {
            return loop.makeFailedFuture(error)
        }
        let reader = NIOLoopBound(reader, eventLoop: loop)
        let isSecure = secure.map { _ in loop.makePromise(of: Void.self) }
        let connection = ClientBootstrap(group: loop)
            .connectTimeout(Self.connectTimeout)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let secure { try channel.pipeline.syncOperations.addHandlers(secure.handlers(done: isSecure)) }
                    try channel.pipeline.syncOperations.addHandler(ClientHandler(reader.value))
                }
            }
            .connect(host: configuration.host, port: configuration.port).map { _ in }
        guard let isSecure else { return connection }
        // Without a connection there is no handshake that could fail.
        connection.cascadeFailure(to: isSecure)
        return isSecure.futureResult
    }

    /// - Returns: `nil` for plain TCP.
    private func tlsClient(for configuration: ClientConfiguration) throws(TLSProblem) -> TLSClient? {
        guard case .tls(let options) = configuration.security else { return nil }
        if let tls { return tls }
        let fresh = try TLSClient(options, host: configuration.host)
        tls = fresh
        return fresh
    }
}

private struct SocketLink: ClientLink {
    let channel: any Channel

    func write(_ frame: ByteBuffer) { channel.writeAndFlush(frame, promise: nil) }
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
