import Foundation
import MarqueeLocks
package import NIOCore
package import NIOSSL

/// The client's side of TLS for one server and any number of connections. Files that have been replaced are read again
/// for the next connection. Thread safe.
package final class TLSClient: Sendable {
    /// The content of the files, and their versions.
    private struct Read {
        var context: NIOSSLContext
        var versions: [FileVersion?]
    }

    private let options: TLSOptions
    private let read: Locked<Read>
    private let server: ServerCheck

    /// Reads the files.
    /// - Parameter host: the host to connect to.
    /// - Throws: `TLSProblem`, which names the file that can't be used.
    package init(_ options: TLSOptions, host: String) throws(TLSProblem) {
        self.options = options
        read = Locked(try Self.read(options))
        let name = options.serverName ?? host
        // An address is compared with those in the certificate, and is not sent.
        server = ServerCheck(serverName: Loopback.isAddress(name) ? nil : name, publicKeys: options.publicKeys)
    }

    private static func read(_ options: TLSOptions) throws(TLSProblem) -> Read {
        // Taken before the files are read: one that is replaced in between is read again next time.
        let versions = options.paths.map(FileVersion.init)
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
            return Read(context: try NIOSSLContext(configuration: configuration), versions: versions)
        } catch {
            throw TLSProblem("the TLS settings can't be used: \(error)")
        }
    }

    private func context() throws(TLSProblem) -> NIOSSLContext {
        let known = read.withLock { $0 }
        guard options.paths.map(FileVersion.init) != known.versions else { return known.context }
        let fresh = try Self.read(options)
        read.withLock { $0 = fresh }
        return fresh.context
    }

    /// The first handlers of a new connection's pipeline, in order.
    /// - Parameter done: completed once the server has proved its identity; fails with the reason if it doesn't.
    /// - Throws: `TLSProblem`, which names the file that can't be used.
    package func handlers(done: EventLoopPromise<Void>? = nil) throws(TLSProblem) -> [any ChannelHandler] {
        let context = try context()
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

extension TLSOptions {
    /// The files that they name.
    fileprivate var paths: [String] {
        [authorities, certificate?.chain, certificate?.key].compactMap { $0 }
    }
}

/// Distinguishes a file from its replacement without reading it.
private struct FileVersion: Hashable {
    private let number, size, seconds, nanoseconds: Int64

    /// - Returns: `nil` if there is no file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        number = Int64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
        #if canImport(Darwin)
            let changed = status.st_ctimespec
        #else
            let changed = status.st_ctim
        #endif
        (seconds, nanoseconds) = (Int64(changed.tv_sec), Int64(changed.tv_nsec))
    }
}

/// The application protocol that both sides name in the handshake (ALPN, RFC 7301).
package enum MarqueeProtocol {
    package static let name = "marquee/1"
}

/// PEM files.
package enum PEMFile {
    /// The most bytes of a file; the authorities that a system trusts are a quarter of a MiB.
    private static let maximumBytes = 16 << 20

    private static func bytes(_ path: String) throws(TLSProblem) -> [UInt8] {
        let bytes: [UInt8]
        do throws(BoundedFile.Problem) { bytes = try BoundedFile.read(path, limit: maximumBytes) } catch {
            throw TLSProblem("\(path) can't be read: \(error)")
        }
        guard bytes.count <= maximumBytes else { throw TLSProblem("\(path) has more than \(maximumBytes >> 20) MiB") }
        return bytes
    }

    /// - Throws: `TLSProblem`, which names the file.
    package static func certificates(_ path: String) throws(TLSProblem) -> [NIOSSLCertificate] {
        let bytes = try bytes(path)
        guard let found = try? NIOSSLCertificate.fromPEMBytes(bytes), !found.isEmpty else {
            throw TLSProblem("\(path) holds no certificate, or one that can't be read (PEM)")
        }
        return found
    }

    /// - Throws: `TLSProblem`, which names the file.
    package static func key(_ path: String) throws(TLSProblem) -> NIOSSLPrivateKey {
        let bytes = try bytes(path)
        guard let key = try? NIOSSLPrivateKey(bytes: bytes, format: .pem) else {
            throw TLSProblem("\(path) holds no private key that can be read (PEM, without a passphrase)")
        }
        return key
    }
}
