import Crypto
import Foundation
import Synchronization

/// What an operator has to know to see the node from elsewhere. Only its hash is kept.
package struct AdminToken: Sendable {
    /// Bytes of a token: fewer could be guessed, more don't fit a header.
    package static let lengths = 16...1_024

    private let hash: SHA256.Digest

    /// - Parameter text: a file's content; spaces and line ends around the token don't count.
    /// - Returns: `nil` if it is too short, too long, or has other than visible ASCII characters.
    package init?(_ text: String) {
        let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard Self.lengths.contains(token.utf8.count), token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        hash = SHA256.hash(data: Data(token.utf8))
    }

    /// Compares in a time that doesn't depend on where two tokens differ.
    func matches(_ other: String) -> Bool { SHA256.hash(data: Data(other.utf8)) == hash }
}

/// The token in force, which may be replaced while the node runs. Thread safe.
final class AdminTokens: Sendable {
    private let current: Mutex<AdminToken?>

    /// - Parameter token: `nil` if everybody who reaches the address may see it.
    init(_ token: AdminToken?) { current = Mutex(token) }

    var now: AdminToken? {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
}
