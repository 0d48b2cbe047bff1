package import Foundation
import MarqueeLocks
package import NIOCore
import NIOSSL

/// The server's side of TLS: its certificate and key, which can be read again while connections are open. Thread safe.
package final class TLSServer: Sendable {
    /// The paths of PEM files.
    package struct Files: Hashable, Sendable {
        package var certificate: CertificateFiles
        /// The authorities of client certificates; `nil` if clients aren't asked for one.
        package var clientAuthorities: String?

        package init(certificate: CertificateFiles, clientAuthorities: String? = nil) {
            self.certificate = certificate
            self.clientAuthorities = clientAuthorities
        }

        /// All of them.
        package var paths: [String] { [certificate.chain, certificate.key] + (clientAuthorities.map { [$0] } ?? []) }
    }

    /// The protocol that is spoken over the connections.
    package enum Content: Sendable {
        /// Marquee's protocol, and over connections of their own, HTTP/1.1 (`handlers(forWeb:)`).
        case marquee
        /// HTTP/1.1. Clients needn't name it in the handshake, as many don't.
        case http

        fileprivate var name: String {
            switch self {
            case .marquee: MarqueeProtocol.name
            case .http: TLSServer.http
            }
        }
    }

    /// HTTP/1.1, as ALPN names it.
    private static let http = "http/1.1"

    /// The content of the files.
    private struct Read {
        var context: NIOSSLContext
        /// For connections that speak HTTP/1.1.
        var web: NIOSSLContext
        var ends: Date
    }

    /// How long a client may take to confirm the end of a connection.
    private static let farewell = TimeAmount.seconds(1)

    package let files: Files
    private let content: Content
    private let read: Locked<Read>
    private let revoked: (any RevokedCertificates)?
    private let now: @Sendable () -> Date

    /// Reads the files.
    /// - Parameters:
    ///   - content: the protocol spoken over the connections.
    ///   - revoked: the certificates of clients that are no longer accepted.
    ///   - now: the clock that certificates are compared with; BoringSSL compares those of clients with the system's,
    ///     too.
    /// - Throws: `TLSProblem`, which names the file that can't be used.
    package init(
        _ files: Files, for content: Content = .marquee, revoked: (any RevokedCertificates)? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws(TLSProblem) {
        self.files = files
        self.content = content
        self.revoked = revoked
        self.now = now
        read = Locked(try Self.read(files, for: content, now: now()))
    }

    /// Reads the files again for new connections; open ones keep their settings. Tickets issued before are no longer
    /// accepted, because each context has a ticket key of its own.
    /// - Throws: `TLSProblem`; nothing changes then.
    package func reload() throws(TLSProblem) {
        let fresh = try Self.read(files, for: content, now: now())
        read.withLock { $0 = fresh }
    }

    /// When the certificate in force expires.
    package var ends: Date { read.withLock { $0.ends } }

    /// Whether clients are asked for a certificate.
    package var asksClients: Bool { files.clientAuthorities != nil }

    /// The first handlers of a new connection's pipeline, in order.
    /// - Parameters:
    ///   - isWeb: whether HTTP/1.1 is spoken over the connection and not Marquee's protocol itself.
    ///   - agreed: called on the connection's event loop when a handshake for Marquee's protocol, or the web, has
    ///     succeeded.
    package func handlers(forWeb isWeb: Bool = false, agreed: @escaping () -> Void = {}) -> [any ChannelHandler] {
        let tls = NIOSSLServerHandler(context: read.withLock { isWeb ? $0.web : $0.context })
        guard content == .marquee else { return [tls] }
        let client = ClientCheck(now: { [now] in now().unixMilliseconds }, revoked: revoked)
        let gatherer = RecordGatherer()
        // Many programs speak HTTP without naming it.
        let protocols: Set<String?> = isWeb ? [Self.http, nil] : [MarqueeProtocol.name]
        return [
            gatherer, tls, HandshakeCheck(protocols, client: client, agreed: agreed), WriteSplitter(gatherer: gatherer),
        ]
    }

    /// The certificate that the client of a connection proved to have; `nil` if it showed none.
    /// Must be called on the channel's event loop.
    package static func certificate(of channel: any Channel) -> ClientCertificate? {
        let handler = try? channel.pipeline.syncOperations.handler(type: NIOSSLServerHandler.self)
        return handler?.peerCertificate.flatMap(ClientCertificate.init)
    }

    /// Whether a connection's handshake is still going on, so that nothing can be sent over it yet.
    /// Must be called on the channel's event loop.
    package static func isShakingHands(_ channel: any Channel) -> Bool {
        (try? channel.pipeline.syncOperations.handler(type: HandshakeCheck.self)) != nil
    }

    /// How much longer a client's certificate is valid, in milliseconds; `nil` if it has expired or is revoked.
    package func remaining(of certificate: CertificateValidity) -> UInt64? {
        let (left, _) = certificate.ends.subtractingReportingOverflow(now().unixMilliseconds)
        guard left > 0, revoked?.contains(certificate.id) != true else { return nil }
        return UInt64(left)
    }

    private static func read(_ files: Files, for content: Content, now: Date) throws(TLSProblem) -> Read {
        let chain = try PEMFile.certificates(files.certificate.chain)
        let ends = try checkDates(of: chain.first, files.certificate.chain, now: now)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(try PEMFile.key(files.certificate.key)))
        configuration.minimumTLSVersion = .tlsv13
        configuration.applicationProtocols = [content.name]
        configuration.shutdownTimeout = farewell
        if let file = files.clientAuthorities {
            configuration.trustRoots = .certificates(try PEMFile.certificates(file))
            configuration.certificateVerification = .noHostnameVerification
        }
        var web = configuration
        web.applicationProtocols = [http]
        do {
            return Read(
                context: try NIOSSLContext(configuration: configuration),
                web: try NIOSSLContext(configuration: web), ends: ends)
        } catch {
            throw TLSProblem(
                "\(files.certificate.chain) and \(files.certificate.key) can't be used together: is it the "
                    + "certificate's key? (\(error))")
        }
    }

    /// No client would accept a certificate that has expired or isn't valid yet.
    /// - Returns: when it expires.
    private static func checkDates(
        of certificate: NIOSSLCertificate?, _ file: String, now: Date
    ) throws(TLSProblem) -> Date {
        guard let certificate else { throw TLSProblem("\(file) holds no certificate (PEM)") }
        let begins = Date(timeIntervalSince1970: TimeInterval(certificate.notValidBefore))
        let ends = Date(timeIntervalSince1970: TimeInterval(certificate.notValidAfter))
        guard ends > now else {
            throw TLSProblem("the certificate in \(file) expired at \(ends.ISO8601Format()): renew it")
        }
        guard begins <= now else {
            throw TLSProblem(
                "the certificate in \(file) is not valid before \(begins.ISO8601Format()): wait, or look at this "
                    + "machine's clock")
        }
        return ends
    }
}

extension Date {
    /// Milliseconds of Unix time; the largest number for a date beyond that.
    package var unixMilliseconds: Int64 { Int64(exactly: (timeIntervalSince1970 * 1_000).rounded()) ?? .max }
}
