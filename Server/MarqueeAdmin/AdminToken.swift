import Crypto
import Foundation
import MarqueeModel
import Synchronization

/// The permissions of an operator. Each role includes those before it.
package enum AdminRole: String, CaseIterable, Comparable, Sendable {
    /// Reading `/metrics`.
    case metrics
    /// Reading everything.
    case read
    /// Ending sessions and changing the log's level, too.
    case admin

    package static func < (a: AdminRole, b: AdminRole) -> Bool { a.rank < b.rank }

    private var rank: Int {
        switch self {
        case .metrics: 0
        case .read: 1
        case .admin: 2
        }
    }

    /// All of them, for messages.
    static var names: String { "metrics, read or admin" }
}

/// An operator who makes a request.
struct AdminCaller: Hashable, Sendable {
    /// The name of the token; `nil` for those who need none.
    var name: String?
    var role: AdminRole
}

/// The secret with which an operator has access to the node from other machines. Only its hash is kept.
package struct AdminToken: Sendable {
    /// The length of a token in bytes: shorter ones could be guessed, longer ones don't fit in a header.
    package static let lengths = 16...1_024
    private static let hashPrefix = "sha256:"

    let caller: AdminCaller
    private let hash: [UInt8]

    /// A token that allows everything.
    /// - Parameter text: a file's content; whitespace around the token is ignored.
    /// - Returns: `nil` if it is too short, too long, or has characters other than visible ASCII.
    package init?(_ text: String) { self.init(text, name: AdminRole.admin.rawValue, role: .admin) }

    /// - Parameter name: the token's name in the log.
    init?(_ text: String, name: String, role: AdminRole) {
        let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard Self.lengths.contains(token.utf8.count), token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        self.init(AdminCaller(name: name, role: role), hash: Self.hash(of: token))
    }

    /// - Parameter text: the token, or `sha256:` and its hash in hexadecimal digits.
    init?(orHash text: String, name: String, role: AdminRole) {
        guard text.hasPrefix(Self.hashPrefix) else {
            self.init(text, name: name, role: role)
            return
        }
        guard let hash = [UInt8](hexadecimal: text.dropFirst(Self.hashPrefix.count)), hash.count == SHA256.byteCount
        else { return nil }
        self.init(AdminCaller(name: name, role: role), hash: hash)
    }

    private init(_ caller: AdminCaller, hash: [UInt8]) {
        self.caller = caller
        self.hash = hash
    }

    func matches(_ other: String) -> Bool { hasHash(Self.hash(of: other)) }

    func isSame(as other: AdminToken) -> Bool { hasHash(other.hash) }

    /// Compares in constant time, wherever the hashes differ.
    private func hasHash(_ other: [UInt8]) -> Bool { zip(hash, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0 }

    private static func hash(of token: String) -> [UInt8] { Array(SHA256.hash(data: Data(token.utf8))) }
}

/// The tokens in force, which can be replaced while the node runs. Thread safe.
final class AdminTokens: Sendable {
    private let current: Mutex<[AdminToken]?>

    /// - Parameter tokens: `nil` if everybody who reaches the address may do everything.
    init(_ tokens: [AdminToken]?) { current = Mutex(tokens) }

    var now: [AdminToken]? {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
}
