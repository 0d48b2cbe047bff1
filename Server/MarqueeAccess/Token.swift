import Crypto
import Foundation
import MarqueeModel

/// A token: random bytes that prove an identity. Only its hash is kept.
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

    /// Returns the hash under which the file keeps a token. A random token, unlike a password, has too many bits to be
    /// guessed, so plain SHA-256 is enough.
    static func hash(of token: String) -> TokenHash { TokenHash(bytes: Array(SHA256.hash(data: Data(token.utf8)))) }
}

/// The SHA-256 of a token.
struct TokenHash: Sendable {
    private static let prefix = "sha256:"
    private let bytes: [UInt8]

    fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

    /// - Returns: `nil` if the text isn't a hash.
    init?(text: String) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        guard let bytes = [UInt8](hexadecimal: text.dropFirst(Self.prefix.count)), bytes.count == SHA256.byteCount
        else { return nil }
        self.bytes = bytes
    }

    var text: String {
        Self.prefix + bytes.hexadecimal
    }

    /// Compares in constant time, wherever the hashes differ.
    func equals(_ other: TokenHash) -> Bool {
        zip(bytes, other.bytes).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
