import Foundation
import MarqueeClient
import MarqueeModel
import MarqueeTLS

/// How the connection is protected.
extension ConnectionOptions {
    /// - Parameter host: the server's.
    func security(for host: String, environment: [String: String]) throws -> TransportSecurity {
        var options = TLSOptions(
            authorities: authorities ?? environment.named("MARQUEE_TLS_CA"),
            serverName: serverName ?? environment.named("MARQUEE_TLS_NAME"))
        if let path = publicKeys ?? environment.named("MARQUEE_TLS_PUBLIC_KEY") {
            options.publicKeys = try Self.publicKeys(in: path)
        }
        switch (certificate ?? environment.named("MARQUEE_TLS_CERT"), keyFile(environment)) {
        case (let chain?, let key?): options.certificate = CertificateFiles(chain: chain, key: key)
        case (nil, nil): break
        default: throw Failure(.usage, "MARQUEE_TLS_CERT and MARQUEE_TLS_KEY go together")
        }
        let (wantsTLS, allowsUnencryptedHere) = (
            try Self.isOn("MARQUEE_TLS", environment), try Self.isOn("MARQUEE_ALLOW_UNENCRYPTED", environment)
        )
        // The argument excludes the others, and overrides what the environment says about TLS.
        if allowsUnencrypted { return .unencrypted }
        try Self.check(options)
        return .chosen(
            for: host, wantsTLS: tls || wantsTLS, options, allowsUnencrypted: allowsUnencryptedHere)
    }

    private static func isOn(_ variable: String, _ environment: [String: String]) throws -> Bool {
        do throws(FlagVariable.Mistake) { return try FlagVariable.isOn(variable, in: environment) } catch {
            throw Failure(.usage, error.description)
        }
    }

    /// The private key, as an argument or in the environment.
    func keyFile(_ environment: [String: String]) -> String? { key ?? environment.named("MARQUEE_TLS_KEY") }

    /// Reads the files first, so that a file that can't be used isn't mistaken for a server that can't be reached.
    private static func check(_ options: TLSOptions) throws {
        for path in [options.authorities, options.certificate?.chain, options.certificate?.key].compactMap(\.self) {
            if let obstacle = PrivateFile.obstacle(path) {
                throw Failure(.noInput, "\(path) can't be read: \(obstacle)")
            }
        }
        do throws(TLSProblem) {
            if let path = options.authorities { _ = try PEMFile.certificates(path) }
            if let files = options.certificate {
                _ = try PEMFile.certificates(files.chain)
                _ = try PEMFile.key(files.key)
            }
        } catch {
            throw Failure(.dataError, error.description)
        }
    }

    /// The most bytes of a file with public keys.
    private static let keyBytes = 1 << 20

    private static func publicKeys(in path: String) throws -> Set<ServerPublicKey> {
        let text: String
        do throws(BoundedFile.Problem) {
            text = String(decoding: try BoundedFile.read(path, limit: keyBytes), as: UTF8.self)
        } catch {
            throw Failure(.noInput, "\(path) can't be read: \(error)")
        }
        do throws(ServerPublicKeyError) { return Set(try ServerPublicKey.keys(pem: text)) } catch {
            throw Failure(.dataError, "\(path) can't be used as public keys: \(error)")
        }
    }
}

/// A token, and where it comes from.
struct TokenText: Hashable, Sendable {
    private enum Source: Hashable {
        case file(String)
        case text(String)
    }

    private let source: Source

    /// - Returns: `nil` if there is none.
    /// - Throws: `Failure` if the file can't be read.
    init?(file: String?, environment: [String: String]) throws {
        if let file {
            source = .file(file)
            _ = try newest()
        } else if let text = environment.named("MARQUEE_TOKEN") {
            do throws(SecretFileProblem) {
                source = .text(try SecretFile.secret(in: text, of: "MARQUEE_TOKEN"))
            } catch {
                throw Failure(.usage, error.description)
            }
        } else {
            return nil
        }
    }

    /// The token as it is now: the file may have changed since it was last read.
    func newest() throws -> String {
        switch source {
        case .text(let text): return text
        case .file(let path):
            do throws(SecretFileProblem) { return try SecretFile.read(path) } catch {
                throw Failure(.noInput, "the token can't be read: \(error.description)")
            }
        }
    }
}
