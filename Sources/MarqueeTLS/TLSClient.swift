package import NIOCore
package import NIOSSL

/// A client's side of TLS for one server: its settings read once, for any number of connections. Thread safe.
package final class TLSClient: Sendable {
    private let context: NIOSSLContext
    private let server: ServerCheck

    /// Reads the files.
    /// - Parameter host: the host that is connected to.
    /// - Throws: `TLSProblem`, which names the file that can't be used.
    package init(_ options: TLSOptions, host: String) throws(TLSProblem) {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv13
        configuration.applicationProtocols = [MarqueeProtocol.name]
        if let file = options.authorities {
            configuration.trustRoots = .certificates(try PEMFile.certificates(file))
        }
        if let files = options.certificate {
            configuration.certificateChain = try PEMFile.certificates(files.chain).map { .certificate($0) }
            configuration.privateKey = .privateKey(try PEMFile.key(files.key))
        }
        do {
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw TLSProblem("the TLS settings can't be used: \(error)")
        }
        let name = options.serverName ?? host
        // An address is compared with those in the certificate, and is not sent.
        server = ServerCheck(serverName: Loopback.isAddress(name) ? nil : name, publicKeys: options.publicKeys)
    }

    /// The first handlers of a new connection's pipeline, in order.
    /// - Parameter done: completed once the server has proved who it is, or why it hasn't.
    package func handlers(done: EventLoopPromise<Void>? = nil) throws(TLSProblem) -> [any ChannelHandler] {
        do {
            return [
                try NIOSSLClientHandler(context: context, serverHostname: server.serverName),
                HandshakeCheck(server: server, done: done),
            ]
        } catch {
            throw TLSProblem("'\(server.serverName ?? "")' can't be the name of a server: \(error)")
        }
    }
}

/// The application protocol that both sides name in the handshake (ALPN, RFC 7301).
package enum MarqueeProtocol {
    package static let name = "marquee/1"
}

/// PEM files.
package enum PEMFile {
    /// - Throws: `TLSProblem`, which names the file.
    package static func certificates(_ path: String) throws(TLSProblem) -> [NIOSSLCertificate] {
        let found: [NIOSSLCertificate]
        do { found = try NIOSSLCertificate.fromPEMFile(path) } catch {
            throw TLSProblem("\(path) can't be read as certificates (PEM): \(error)")
        }
        guard !found.isEmpty else { throw TLSProblem("\(path) holds no certificate (PEM)") }
        return found
    }

    /// - Throws: `TLSProblem`, which names the file.
    package static func key(_ path: String) throws(TLSProblem) -> NIOSSLPrivateKey {
        do { return try NIOSSLPrivateKey(file: path, format: .pem) } catch {
            throw TLSProblem("\(path) can't be read as a private key (PEM): \(error)")
        }
    }
}
