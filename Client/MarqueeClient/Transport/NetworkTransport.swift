#if canImport(Network)
    import Foundation
    import MarqueeLocks
    import MarqueeTLS
    import NIOCore
    import NIOTransportServices
    import Network

    /// Network.framework, which handles VPNs, IP-level proxies, low data mode and the choice between several paths.
    final class NetworkTransport: Transport {
        func makeThread() -> any EventLoopGroup { NIOTSEventLoopGroup(loopCount: 1) }

        func connect(
            to configuration: ClientConfiguration, on loop: any EventLoop,
            handler: @escaping @Sendable () -> any ChannelHandler
        ) -> EventLoopFuture<Void> {
            // Without a usable path the attempt fails immediately: the engine pauses and tries again.
            let bootstrap = NIOTSConnectionBootstrap(validatingGroup: loop)?
                .connectTimeout(connectTimeout)
                .channelOption(NIOTSChannelOptions.waitForActivity, value: false)
            guard let bootstrap else {
                return loop.makeFailedFuture(ClientError(.unavailable, "Network.framework needs a thread of its own"))
            }
            let secure: NetworkTLSClient?
            do throws(TLSProblem) {
                // Files may have been replaced since the last connection.
                secure =
                    if case .tls(let options) = configuration.security {
                        try NetworkTLSClient(options, host: configuration.host)
                    } else { nil }
            } catch {
                return loop.makeFailedFuture(error)
            }
            guard let secure else {
                return bootstrap.channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(handler()) }
                }
                .connect(host: configuration.host, port: configuration.port).map { _ in }
            }
            let isSecure = loop.makePromise(of: Void.self)
            let refusal = Locked<TLSProblem?>(nil)
            bootstrap.tlsOptions(secure.options(refusal: refusal))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandlers(secure.handlers(done: isSecure) + [handler()])
                    }
                }
                .connect(host: configuration.host, port: configuration.port).map { _ in }
                .cascadeFailure(to: isSecure)
            // The system says only that the handshake failed.
            return isSecure.futureResult.flatMapErrorThrowing { error in
                throw refusal.withLock { $0 } ?? error
            }
        }
    }

    extension NWError {
        /// The system's reason in its own words; `nil` for one that has none.
        var words: String? {
            switch self {
            case .posix(let code): String(cString: strerror(code.rawValue)).lowercased()
            case .dns: "no address is known for the host"
            default: nil
            }
        }
    }
#endif
