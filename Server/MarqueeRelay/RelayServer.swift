import Foundation
package import Logging
import MarqueeModel
package import MarqueeServer
package import MarqueeTLS
import MarqueeWire
import NIOCore
import NIOPosix

/// A server without a store: it shows the content of another server, which also decides who may see and change it.
package enum RelayServer {
    package struct Configuration: Sendable {
        /// The addresses of the server upstream: one, or several of the same cluster, which are tried in turn.
        package var upstream: [UpstreamAddress]
        /// Returns the security of a connection to a host upstream.
        package var security: @Sendable (_ host: String) -> TransportSecurity
        /// Returns the token that authorizes this relay upstream; called for each connection, and to renew an identity.
        package var token: @Sendable () -> String?
        package var bounds = RelayCore.Bounds()

        package init(
            upstream: [UpstreamAddress], security: @escaping @Sendable (_ host: String) -> TransportSecurity,
            token: @escaping @Sendable () -> String?
        ) {
            self.upstream = upstream
            self.security = security
            self.token = token
        }

        fileprivate func tls(for host: String) throws(TLSProblem) -> TLSClient? {
            switch security(host) {
            case .tls(let options): try TLSClient(options, host: host)
            case .unencrypted: nil
            }
        }
    }

    /// Connects upstream, binds the relay's own address once upstream has answered, and serves.
    /// - Parameters:
    ///   - relay: the servers upstream, and the limits of the relay.
    ///   - serving: the settings for serving clients. Its authenticator and image URL are replaced by upstream's.
    /// - Throws: `TLSProblem` when a file for the connection upstream can't be used, `IOError` when the address can't
    ///   be bound, `CancellationError` when the task is cancelled before upstream has answered.
    package static func start(
        _ relay: Configuration, serving: MarqueeServer.Configuration, logger: Logger
    ) async throws -> MarqueeServer {
        let upstream = try relay.upstream.map { (address: $0, tls: try relay.tls(for: $0.host)) }
        let library = VersionLibrary { refused in logger.warning("a patch was refused: \(refused)") }
        let hits = LimitHits(logger: logger)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let source = RelaySource(loop: loop, hits: hits)
        do {
            let shell = try await loop.submit {
                let shell = RelayShell(
                    relay, upstream, source: source, library: library, variantLimit: serving.limits.variants,
                    loop: loop, logger: logger)
                source.begin(shell)
                shell.connect()
                return NIOLoopBound(shell, eventLoop: loop)
            }.get()
            let welcome = try await withTaskCancellationHandler {
                try await loop.flatSubmit { shell.value.firstWelcome() }.get()
            } onCancel: {
                loop.execute { shell.value.giveUp() }
            }
            var serving = serving
            serving.authenticator = source
            serving.imageBaseURL = welcome.imageBaseURL
            return try await MarqueeServer.start(
                serving, cluster: welcome.cluster, source: source, library: library, hits: hits, on: group,
                logger: logger
            ) { audience in
                try await loop.submit { shell.value.begin(audience) }.get()
            }
        } catch {
            source.stop()
            try? await group.shutdownGracefully()
            throw error
        }
    }
}
