import Hummingbird
import HummingbirdCore
import Logging
import MarqueeServer
package import MarqueeTLS
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Shows operators what a node does, over HTTP on an address of its own.
///
/// It has one thread, which no client's connection uses. `start` returns once it listens.
package final class AdminServer: Sendable {
    /// The most connections at once. When another one arrives, the one that has kept the server waiting for longest is
    /// closed.
    package static let maximumConnections = 32
    /// Connections that may wait to be accepted.
    private static let backlog = 128
    /// How long a client may take to send a request, and to read its answer.
    static let patience = TimeAmount.seconds(10)
    /// Limits on the bytes of one header field, on those of all of them, and on their number.
    private static let headers = (field: 8 << 10, all: 16 << 10, count: 64)
    /// How long other threads may take to provide an answer.
    private static let answerLimit = TimeAmount.seconds(2)

    package let host: String
    package let port: Int
    private let running: Task<Void, any Error>
    /// `nil` for plain HTTP.
    package let tls: TLSServer?
    private let tokens: AdminTokens
    /// Created on first use and kept until the process ends: Hummingbird still gives its objects' final work to the
    /// loop after it has returned.
    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    private init(
        host: String, port: Int, tls: TLSServer?, tokens: AdminTokens, running: Task<Void, any Error>
    ) {
        self.host = host
        self.port = port
        self.tls = tls
        self.tokens = tokens
        self.running = running
    }

    /// Replaces the accepted tokens.
    package func replace(tokens: [AdminToken]) { self.tokens.now = tokens }

    /// Listens.
    /// - Parameters:
    ///   - port: 0 means any free port.
    ///   - tls: the certificate for HTTPS; `nil` for plain HTTP.
    ///   - tokens: the accepted tokens; `nil` if everybody on this machine may do everything.
    ///   - log: the log, whose level requests can change.
    /// - Throws: `IOError` when the address can't be bound.
    package static func start(
        host: String, port: Int, tls: TLSServer? = nil, tokens: [AdminToken]?, node: AdminNode, log: ServerLog
    ) async throws -> AdminServer {
        let loop = group.next()
        let reader = NodeReader(node: node, log: log, bound: AnswerBound(loop: loop, limit: answerLimit))
        let tokens = AdminTokens(tokens)
        let listening = loop.makePromise(of: SocketAddress?.self)
        let table = NIOLoopBoundBox.makeBoxSendingValue(
            AdminConnection.Table(maximum: maximumConnections), eventLoop: loop)
        let http = HTTP1Channel.Configuration(
            additionalChannelHandlers: [AdminConnection(in: table.value, patience: patience)],
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: headers.field, maxHeaderListSize: headers.all, maxHeaderFieldCount: headers.count))
        let application = Application(
            responder: AdminResponder(tokens: tokens, reader: reader, log: log),
            server: HTTPServerBuilder {
                AdminChannel(tls: tls, http: HTTP1Channel(responder: $0, configuration: http))
            },
            configuration: ApplicationConfiguration(address: .hostname(host, port: port), backlog: backlog),
            onServerRunning: { listening.succeed($0.localAddress) },
            eventLoopGroupProvider: .shared(group), logger: silent)
        // Runs until `stop`.
        let running = Task {
            do {
                try await application.run()
                listening.fail(CancellationError())
            } catch {
                listening.fail(error)
                throw error
            }
        }
        let address = try await listening.futureResult.get()
        return AdminServer(
            host: address?.ipAddress ?? host, port: address?.port ?? port, tls: tls, tokens: tokens,
            running: running)
    }

    /// Stops listening, ends all connections, and returns once no request is being answered any more. Calling it again
    /// does nothing.
    package func stop() async {
        running.cancel()
        _ = await running.result
    }

    /// Hummingbird's own lines repeat what clients send.
    private static let silent = Logger(label: "marquee.admin") { _ in SwiftLogNoOpLogHandler() }
}
