import MarqueeTLS
import NIOCore

/// A way to open connections, with the kind of thread that it needs for them. Thread safe.
protocol Transport: Sendable {
    /// Creates a thread for one client.
    func makeThread() -> any EventLoopGroup

    /// Opens a connection, protected as the configuration says.
    /// - Parameters:
    ///   - loop: a loop of `makeThread`.
    ///   - handler: creates the handler, which gets the connection's events once the server has proved its identity.
    /// - Returns: a failure if there is no connection; a `TLSProblem` when it can't be protected.
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
    /// A client with its own certificate uses sockets everywhere: the certificate is given as PEM files, from which the
    /// system can create no identity without putting the key into a keychain. There, too, the server is checked in the
    /// same way.
    static func chosen(for configuration: ClientConfiguration) -> any Transport {
        #if canImport(Network)
            guard case .tls(let options) = configuration.security, options.certificate != nil else {
                return NetworkTransport()
            }
        #endif
        return SocketTransport()
    }
}
