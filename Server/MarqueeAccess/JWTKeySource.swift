package import Foundation
package import MarqueeHTTP
import MarqueeTLS

/// The source of the keys for JSON Web Tokens.
package enum JWTKeySource: Hashable, Sendable, CustomStringConvertible {
    /// The path of a file.
    case file(String)
    /// An HTTPS address; HTTP is for this machine only.
    /// - Parameter authorities: the path of a PEM file with the certificates to trust there; `nil` for the system's.
    case address(HTTPAddress, authorities: String?)

    /// How long an address may take to answer.
    private static let seconds: Int64 = 5
    /// Room for a response's head and framing.
    private static let frameBytes = 64 << 10

    /// - Parameters:
    ///   - text: a path or an address.
    ///   - authorities: the path of a PEM file with the certificates to trust; only for an address with HTTPS.
    /// - Throws: `JWTProblem` for an address without TLS that isn't on this machine.
    package init(_ text: String, authorities: String? = nil) throws(JWTProblem) {
        guard text.contains("://") else {
            guard authorities == nil else { throw JWTProblem("\(text) is a file, which needs no authorities") }
            self = .file(text)
            return
        }
        let address: HTTPAddress
        do throws(HTTPProblem) { address = try HTTPAddress(text) } catch { throw JWTProblem(error.description) }
        guard address.isProtected || Loopback.contains(address.host) else {
            throw JWTProblem("\(text) is read without protection, so anybody could replace the keys: use https")
        }
        guard address.isProtected || authorities == nil else {
            throw JWTProblem("\(text) is read without TLS, which needs no authorities")
        }
        self = .address(address, authorities: authorities)
    }

    package var description: String {
        switch self {
        case .file(let path): path
        case .address(let address, _): address.description
        }
    }

    /// Whether a failure may be temporary, as when an address can't be reached for a while.
    package var isRefetched: Bool { if case .address = self { true } else { false } }

    /// Checks the file of authorities, without which no request can be made.
    /// - Throws: `JWTProblem`.
    package func check() throws(JWTProblem) {
        guard case .address(let address, let authorities) = self, address.isProtected else { return }
        do throws(HTTPProblem) { try Self.client(authorities).checkAuthorities() } catch {
            throw JWTProblem(error.description)
        }
    }

    /// Reads the keys.
    /// - Throws: `JWTProblem`, which names the source.
    package func keys(for policy: JWTPolicy) async throws(JWTProblem) -> JWTKeys {
        let json = try await read()
        do throws(JWTProblem) { return try await JWTKeys(json: json, for: policy) } catch {
            throw JWTProblem("\(self): \(error.description)")
        }
    }

    private static func client(_ authorities: String?) -> HTTPClient {
        HTTPClient(
            maximumBytes: JWTKeys.maximumBytes + frameBytes, timeout: .seconds(seconds), authorities: authorities)
    }

    private func read() async throws(JWTProblem) -> Data {
        switch self {
        case .file(let path):
            do throws(BoundedFile.Problem) {
                return Data(try BoundedFile.read(path, limit: JWTKeys.maximumBytes))
            } catch {
                throw JWTProblem("\(path) can't be read: \(error)")
            }
        case .address(let address, let authorities):
            let answer: HTTPClient.Answer
            do throws(HTTPProblem) { answer = try await Self.client(authorities).send(.GET, address) } catch {
                throw JWTProblem(error.description)
            }
            switch answer.status.code {
            case 200: return Data(answer.body.readableBytesView)
            case 300..<400:
                throw JWTProblem(
                    "\(address) answers \(answer.status): redirects are not followed; name the address with the keys"
                )
            default: throw JWTProblem("\(address) answers \(answer.status)")
            }
        }
    }
}
