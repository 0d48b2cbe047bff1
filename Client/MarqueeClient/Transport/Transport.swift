import MarqueeTLS
import NIOCore

/// How a client opens its connections, and the kind of thread that it needs for them. Thread safe.
protocol Transport: Sendable {
    /// A thread of its own for one client.
    func makeThread() -> any EventLoopGroup

    /// Opens a connection, protected as the configuration says.
    /// - Parameters:
    ///   - loop: of `makeThread`.
    ///   - handler: makes what hears of the connection once the server has proved who it is.
    /// - Returns: why there is no connection; a `TLSProblem` when it can't be protected.
    func connect(
        to configuration: ClientConfiguration, on loop: any EventLoop,
        handler: @escaping @Sendable () -> any ChannelHandler
    ) -> EventLoopFuture<Void>
}

/// How long a connection attempt may take.
let connectTimeout = TimeAmount.seconds(10)

enum SystemTransport {
    /// Network.framework where it exists, and sockets elsewhere.
    ///
    /// A client's own certificate needs sockets everywhere: it comes as PEM files, from which the system can make no
    /// identity without putting the key into a keychain. The server is checked in the same way there.
    static func chosen(for configuration: ClientConfiguration) -> any Transport {
        #if canImport(Network)
            guard case .tls(let options) = configuration.security, options.certificate != nil else {
                return NetworkTransport()
            }
        #endif
        return SocketTransport()
    }
}
