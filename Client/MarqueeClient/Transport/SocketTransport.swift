import MarqueeLocks
import MarqueeTLS
import NIOCore
import NIOPosix

/// The system's sockets, with SwiftNIO's TLS.
final class SocketTransport: Transport {
    private let tls = Locked<TLSClient?>(nil)

    func makeThread() -> any EventLoopGroup { MultiThreadedEventLoopGroup(numberOfThreads: 1) }

    func connect(
        to configuration: ClientConfiguration, on loop: any EventLoop,
        handler: @escaping @Sendable () -> any ChannelHandler
    ) -> EventLoopFuture<Void> {
        let secure: TLSClient?
        do throws(TLSProblem) {
            secure = try client(for: configuration)
        } catch {
            return loop.makeFailedFuture(error)
        }
        let isSecure = secure.map { _ in loop.makePromise(of: Void.self) }
        let connection = ClientBootstrap(group: loop)
            .connectTimeout(connectTimeout)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let secure { try channel.pipeline.syncOperations.addHandlers(secure.handlers(done: isSecure)) }
                    try channel.pipeline.syncOperations.addHandler(handler())
                }
            }
            .connect(host: configuration.host, port: configuration.port).map { _ in }
        guard let isSecure else { return connection }
        // Without a connection there is no handshake that could fail.
        connection.cascadeFailure(to: isSecure)
        return isSecure.futureResult
    }

    /// The client's side of TLS. It is created for the first connection, because that reads files, and kept.
    /// - Returns: `nil` for plain TCP.
    private func client(for configuration: ClientConfiguration) throws(TLSProblem) -> TLSClient? {
        guard case .tls(let options) = configuration.security else { return nil }
        return try tls.withLock { known throws(TLSProblem) in
            if let known { return known }
            let fresh = try TLSClient(options, host: configuration.host)
            known = fresh
            return fresh
        }
    }
}
