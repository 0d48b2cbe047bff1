import Crypto
import Foundation
import MarqueeModel

/// A token: random bytes that prove who somebody is. Only its hash is kept.
package enum Token {
    static let prefix = "marquee_"
    private static let bytes = 32

    /// A new token, and its hash.
    package static func make() -> (token: String, hash: String) {
        var generator = SystemRandomNumberGenerator()
        let random = (0..<bytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let token =
            prefix
            + Data(random).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
        return (token, hash(of: token).text)
    }

    /// Returns the hash that the file keeps of a token. A random token has so many bits that a plain SHA-256 is enough:
    /// there are too many to guess, unlike passwords.
    static func hash(of token: String) -> TokenHash { TokenHash(bytes: Array(SHA256.hash(data: Data(token.utf8)))) }
}

/// The SHA-256 of a token.
struct TokenHash: Sendable {
    private static let prefix = "sha256:"
    private let bytes: [UInt8]

    fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

    /// - Returns: `nil` if that is no hash.
    init?(text: String) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        guard let bytes = [UInt8](hexadecimal: text.dropFirst(Self.prefix.count)), bytes.count == SHA256.byteCount
        else { return nil }
        self.bytes = bytes
    }

    var text: String {
        Self.prefix + bytes.hexadecimal
    }

    /// Compares in a time that doesn't depend on where two hashes differ.
    func equals(_ other: TokenHash) -> Bool {
        zip(bytes, other.bytes).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
