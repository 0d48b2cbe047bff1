package import NIOCore
import NIOSSL
import NIOTLS

/// Holds a connection back until the handshake has settled the protocol and the peer's identity: a client checks the
/// server's name; a server checks that the client's certificate, if it has one, is still good. The handlers behind it
/// learn of the connection only then, so nothing is written to a wrong server, and nothing read from a wrong client.
package final class HandshakeCheck: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = ByteBuffer

    /// How long a server may take.
    private static let timeout = TimeAmount.seconds(10)

    /// The accepted protocols, by their names in ALPN; `nil` accepts that none is negotiated.
    private let protocols: Set<String?>
    private let server: ServerCheck?
    private let client: ClientCheck?
    private let agreed: () -> Void
    private var done: EventLoopPromise<Void>?
    private var timer: Scheduled<Void>?

    /// - Parameters:
    ///   - protocols: the accepted ones; `nil` among them accepts that none is negotiated.
    ///   - server: the demands on the server's certificate; `nil` for none.
    ///   - done: completed when the check has succeeded or failed.
    ///   - client: the demands on a client's certificate; `nil` for none.
    ///   - agreed: called on the event loop when the handshake has succeeded.
    init(
        _ protocols: Set<String?> = [MarqueeProtocol.name], server: ServerCheck? = nil, client: ClientCheck? = nil,
        done: EventLoopPromise<Void>? = nil,
        agreed: @escaping () -> Void = {}
    ) {
        self.protocols = protocols
        self.server = server
        self.client = client
        self.agreed = agreed
        self.done = done
    }

    package func channelActive(context: ChannelHandlerContext) {
        guard done != nil else { return }
        let me = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: Self.timeout) {
            let (check, context) = me.value
            check.fail(TLSProblem("the other side doesn't finish the TLS handshake"), context)
        }
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted(let negotiated)? = event as? TLSUserEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        guard protocols.contains(negotiated) else {
            return fail(TLSProblem("the other side speaks TLS, but not Marquee"), context)
        }
        if let server {
            let handler = try? context.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self)
            if let problem = server.problem(with: handler?.peerCertificate) { return fail(problem, context) }
        }
        if let client {
            let handler = try? context.pipeline.syncOperations.handler(type: NIOSSLServerHandler.self)
            if let refusal = client.refusal(of: handler?.peerCertificate) { return fail(refusal, context) }
        }
        end(.success(()))
        agreed()
        context.fireChannelActive()
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    /// Drops the bytes that follow a handshake refused here. After a successful one, this handler is removed before the
    /// first bytes arrive.
    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(.failure(error))
        context.fireErrorCaught(error)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        end(.failure(TLSProblem("the connection was closed during the TLS handshake")))
        context.fireChannelInactive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        end(.failure(TLSProblem("the connection was closed during the TLS handshake")))
    }

    private func fail(_ problem: any Error, _ context: ChannelHandlerContext) {
        end(.failure(problem))
        context.fireErrorCaught(problem)
        context.close(promise: nil)
    }

    private func end(_ result: Result<Void, any Error>) {
        timer?.cancel()
        timer = nil
        done?.completeWith(result)
        done = nil
    }
}

/// The names of servers in certificates (RFC 9525).
enum ServerName {
    /// Whether a server's name matches a name in a certificate: the same, ignoring case, or with `*` in place of the
    /// first label.
    static func matches(_ name: String, pattern: String) -> Bool {
        let (name, pattern) = (labels(name), labels(pattern))
        guard name.count == pattern.count, !name.contains("") else { return false }
        guard pattern.first == "*" else { return name == pattern }
        // Directly below a top-level domain, `*` would match everybody's names.
        return pattern.count > 2 && name.dropFirst() == pattern.dropFirst()
    }

    private static func labels(_ name: String) -> [Substring] {
        let name = name.hasSuffix(".") ? name.dropLast() : name[...]
        return name.lowercased().split(separator: ".", omittingEmptySubsequences: false).map { $0 }
    }
}
