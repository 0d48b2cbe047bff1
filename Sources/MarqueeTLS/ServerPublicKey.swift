import Foundation

/// A public key that a server may have: a client that knows its server's keys doesn't depend on the honesty of
/// authorities (RFC 7469 calls this pinning).
public struct ServerPublicKey: Hashable, Sendable {
    /// The most bytes of a PEM text, which may hold several keys.
    package static let maximumBytes = 64 << 10

    /// The key with its algorithm, as a SubjectPublicKeyInfo in DER (RFC 5280, 4.1.2.7).
    public let bytes: [UInt8]

    /// - Parameter bytes: a SubjectPublicKeyInfo in DER.
    public init(bytes: [UInt8]) { self.bytes = bytes }

    /// The keys in a PEM text, as `openssl x509 -in server.pem -pubkey -noout` prints them.
    /// - Throws: `ServerPublicKeyError` when there is none, or something that isn't one.
    public static func keys(pem text: String) throws(ServerPublicKeyError) -> [ServerPublicKey] {
        guard text.utf8.count <= maximumBytes else {
            throw ServerPublicKeyError("it has more than \(maximumBytes) bytes")
        }
        var keys: [ServerPublicKey] = []
        var inside: String?
        for line in text.split(whereSeparator: \.isNewline).map({ $0.trimmingCharacters(in: .whitespaces) }) {
            switch (line, inside) {
            case ("-----BEGIN PUBLIC KEY-----", nil): inside = ""
            case ("-----END PUBLIC KEY-----", let base64?):
                guard let data = Data(base64Encoded: base64), !data.isEmpty else {
                    throw ServerPublicKeyError("key \(keys.count + 1) isn't Base64")
                }
                keys.append(ServerPublicKey(bytes: Array(data)))
                inside = nil
            case (_, let base64?): inside = base64 + line
            case (_, nil):
                // Text between blocks is for people, but another kind of block is a mistake: a certificate, say.
                if line.hasPrefix("-----BEGIN") { throw ServerPublicKeyError("it holds \(line), not a public key") }
            }
        }
        guard inside == nil else { throw ServerPublicKeyError("key \(keys.count + 1) has no end") }
        guard !keys.isEmpty else { throw ServerPublicKeyError("it holds no public key (PEM)") }
        return keys
    }
}

/// The reason why a text holds no public keys, in words for people.
public struct ServerPublicKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
