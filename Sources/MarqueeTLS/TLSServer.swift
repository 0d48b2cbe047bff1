package import Foundation
import MarqueeLocks
package import NIOCore
import NIOSSL

/// A server's side of TLS: its certificate and key, which can be read again while connections are open. Thread safe.
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

    package let files: Files
    private let context: Locked<NIOSSLContext>
    private let now: @Sendable () -> Date

    /// Reads the files.
    /// - Parameter now: the clock that certificates of clients are compared with, besides the system's.
    /// - Throws: `TLSProblem`, which names the file that can't be used.
    package init(_ files: Files, now: @escaping @Sendable () -> Date = { Date() }) throws(TLSProblem) {
        self.files = files
        self.now = now
        context = Locked(try Self.read(files))
    }

    /// Reads the files again, for connections to come; those that are open keep what they have. Tickets given until
    /// then are worth nothing any more, as each context has a key of its own for them.
    /// - Throws: `TLSProblem`; nothing changes then.
    package func reload() throws(TLSProblem) {
        let fresh = try Self.read(files)
        context.withLock { $0 = fresh }
    }

    /// The first handlers of a new connection's pipeline, in order.
    /// - Parameter agreed: called on the connection's event loop when the handshake has succeeded.
    package func handlers(agreed: @escaping () -> Void = {}) -> [any ChannelHandler] {
        [NIOSSLServerHandler(context: context.withLock { $0 }), HandshakeCheck(now: now, agreed: agreed)]
    }

    /// The certificate that the client of a connection proved to have, in DER; `nil` if it showed none.
    /// Must be called on the channel's event loop.
    package static func certificate(of channel: any Channel) -> [UInt8]? {
        guard let handler = try? channel.pipeline.syncOperations.handler(type: NIOSSLServerHandler.self),
            let certificate = handler.peerCertificate
        else { return nil }
        return try? certificate.toDERBytes()
    }

    private static func read(_ files: Files) throws(TLSProblem) -> NIOSSLContext {
        let chain = try PEMFile.certificates(files.certificate.chain)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(try PEMFile.key(files.certificate.key)))
        configuration.minimumTLSVersion = .tlsv13
        configuration.applicationProtocols = [MarqueeProtocol.name]
        if let file = files.clientAuthorities {
            configuration.trustRoots = .certificates(try PEMFile.certificates(file))
            configuration.certificateVerification = .noHostnameVerification
        }
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw TLSProblem(
                "\(files.certificate.chain) and \(files.certificate.key) can't be used together: is it the "
                    + "certificate's key? (\(error))")
        }
    }
}
