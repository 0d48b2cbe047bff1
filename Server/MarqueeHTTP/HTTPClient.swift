import Foundation
import MarqueeTLS
package import NIOCore
package import NIOHTTP1
import NIOPosix
import NIOSSL

/// Sends requests over HTTP/1.1, each on its own connection. Redirects aren't followed: they are answers like any
/// other. Thread safe.
package struct HTTPClient: Sendable {
    package struct Answer: Sendable {
        package var status: HTTPResponseStatus
        package var headers: HTTPHeaders
        package var body: ByteBuffer

        package var text: String { String(buffer: body) }
    }

    /// The environment variable with the path to the authorities' certificates, which OpenSSL reads too.
    private static let authoritiesVariable = "SSL_CERT_FILE"

    /// The most bytes of an answer, its head and its framing included.
    package var maximumBytes: Int
    /// How long an exchange may take, from the look-up of the host's name to the last byte.
    package var timeout: TimeAmount
    /// The path of a PEM file with the certificates of trusted authorities; `nil` for those of `SSL_CERT_FILE` or, if
    /// that isn't set, of the system.
    package var authorities: String?

    package init(maximumBytes: Int, timeout: TimeAmount, authorities: String? = nil) {
        self.maximumBytes = maximumBytes
        self.timeout = timeout
        self.authorities = authorities
    }

    /// Sends one request. The authorities' certificates are read each time, so renewed ones take effect.
    /// - Throws: `HTTPProblem`, which names the address.
    package func send(
        _ method: HTTPMethod = .GET, _ address: HTTPAddress, headers: HTTPHeaders = [:], body: ByteBuffer? = nil
    ) async throws(HTTPProblem) -> Answer {
        var head = HTTPRequestHead(version: .http1_1, method: method, uri: address.target, headers: headers)
        head.headers.replaceOrAdd(name: "Host", value: address.authority)
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        if let body { head.headers.replaceOrAdd(name: "Content-Length", value: "\(body.readableBytes)") }
        do {
            return try await exchange(head, body, address)
        } catch {
            throw HTTPProblem(error, at: address)
        }
    }

    private func exchange(
        _ head: HTTPRequestHead, _ body: ByteBuffer?, _ address: HTTPAddress
    ) async throws -> Answer {
        let context = address.isProtected ? try tlsContext() : nil
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let answer = loop.makePromise(of: Answer.self)
        let (maximumBytes, timeout) = (maximumBytes, timeout)
        let overdue = HTTPProblem("there is no complete answer within \(timeout.nanoseconds / 1_000_000) ms")
        let deadline = loop.scheduleTask(in: timeout) { answer.fail(overdue) }
        ClientBootstrap(group: loop)
            .connectTimeout(timeout)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let context {
                        // The certificate must be for this name; for an IP address, NIOSSL takes the peer's address.
                        let name = Loopback.isAddress(address.host) ? nil : address.host
                        try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: name))
                    }
                    try pipeline.addHandler(ByteLimit(maximumBytes))
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(HTTPExchange(head, body, answer))
                }
            }
            .connect(host: address.host, port: address.port)
            .whenComplete { result in
                switch result {
                case .success(let channel): answer.futureResult.whenComplete { _ in channel.close(promise: nil) }
                case .failure(ChannelError.connectTimeout): answer.fail(overdue)
                case .failure(let error): answer.fail(error)
                }
            }
        defer { deadline.cancel() }
        return try await withTaskCancellationHandler {
            try await answer.futureResult.get()
        } onCancel: {
            answer.fail(CancellationError())
        }
    }

    /// Checks that the authorities' certificates can be read.
    /// - Throws: `HTTPProblem`, which names the file.
    package func checkAuthorities() throws(HTTPProblem) { _ = try tlsContext() }

    private func tlsContext() throws(HTTPProblem) -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        let environment = ProcessInfo.processInfo.environment[Self.authoritiesVariable].flatMap {
            $0.isEmpty ? nil : $0
        }
        do {
            if let file = authorities ?? environment {
                configuration.trustRoots = .certificates(try PEMFile.certificates(file))
            }
            return try NIOSSLContext(configuration: configuration)
        } catch let problem as TLSProblem {
            let source = authorities == nil ? " (\(Self.authoritiesVariable))" : ""
            throw HTTPProblem(problem.description + source)
        } catch {
            throw HTTPProblem("the authorities' certificates can't be used: \(error)")
        }
    }
}
