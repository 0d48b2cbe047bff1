import Crypto
package import Foundation
import JWTKit

/// The public keys of an issuer of JSON Web Tokens: a JWK set (RFC 7517). Each key is bound to one algorithm, so that a
/// token can't choose how its signature is checked.
package struct JWTKeys: Sendable {
    /// Limits on a set's size in bytes, and on the number of its keys.
    package static let maximumBytes = 256 << 10
    package static let maximumKeys = 64

    struct Key: Sendable {
        /// The key's id (`kid`), by which tokens name it; `nil` if it has none.
        var id: String?
        /// A name that is unique while the key is in force: a hash of its issuer, algorithm and public parameters.
        var name: String
        var algorithm: String
        /// Holds this key alone: a collection of several would try another key if it didn't know the id.
        var verifier: JWTKeyCollection
    }

    let keys: [Key]
    private let names: Set<String>

    /// Keys for other purposes, and of kinds that aren't accepted, are left out.
    /// - Parameters:
    ///   - json: the set.
    ///   - policy: the issuer's policy, with the accepted algorithms.
    /// - Throws: `JWTProblem` if no key is left.
    package init(json: Data, for policy: JWTPolicy) async throws(JWTProblem) {
        guard json.count <= Self.maximumBytes else {
            throw JWTProblem("the keys have more than \(Self.maximumBytes >> 10) KiB")
        }
        guard let set = try? JSONDecoder().decode(WrittenKeys.self, from: json) else {
            throw JWTProblem("it isn't a JWK set: a JSON object with a list 'keys'")
        }
        guard set.keys.count <= Self.maximumKeys else {
            throw JWTProblem("there are \(set.keys.count) keys, at most \(Self.maximumKeys) are possible")
        }
        var keys: [Key] = []
        for written in set.keys {
            guard var key = written.key, let algorithm = Self.algorithm(of: key), policy.algorithms.contains(algorithm)
            else { continue }
            let id = key.keyIdentifier?.string
            key.keyIdentifier = JWKIdentifier(string: id ?? "")
            key.algorithm = JWK.Algorithm(rawValue: algorithm)
            let verifier = JWTKeyCollection()
            guard (try? await verifier.add(jwk: key)) != nil else { continue }
            let name = Self.name(of: key, algorithm, policy.issuer)
            keys.append(Key(id: id, name: name, algorithm: algorithm, verifier: verifier))
        }
        if keys.isEmpty {
            throw JWTProblem(
                "none of its \(set.keys.count) keys can be used; signatures are accepted by "
                    + policy.algorithms.sorted().joined(separator: ", "))
        }
        self.keys = keys
        names = Set(keys.map(\.name))
    }

    private static func name(of key: JWK, _ algorithm: String, _ issuer: String) -> String {
        let parts = [issuer, algorithm, key.curve?.rawValue, key.x, key.y, key.modulus, key.exponent]
        // None of the parts after the issuer has a space in it.
        let text = parts.map { $0 ?? "" }.joined(separator: " ")
        return SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
    }

    /// The algorithm that a key is for, or the default of its type.
    private static func algorithm(of key: JWK) -> String? {
        if let algorithm = key.algorithm { return algorithm.rawValue }
        switch key.keyType {
        case .rsa: return "RS256"
        case .octetKeyPair: return "EdDSA"
        case .ecdsa: return ["P-256": "ES256", "P-384": "ES384", "P-521": "ES512"][key.curve?.rawValue ?? ""]
        default: return nil
        }
    }

    /// The keys that may have signed a token: those for its algorithm, whose id is the token's if both have one.
    /// - Parameter id: the key's id in the token; `nil` if it names none.
    func keys(_ id: String?, _ algorithm: String) -> [Key] {
        keys.filter { $0.algorithm == algorithm && (id == nil || $0.id == nil || $0.id == id) }
    }

    /// Whether a key is still in force.
    func contains(_ name: String) -> Bool { names.contains(name) }
}

/// A problem with keys for JSON Web Tokens.
package struct JWTProblem: Error, Hashable, CustomStringConvertible {
    package var description: String

    init(_ description: String) { self.description = description }
}

/// A JWK set, decoded so that an unreadable key doesn't affect the others.
private struct WrittenKeys: Decodable {
    struct Written: Decodable {
        private enum CodingKeys: String, CodingKey {
            case use
        }

        /// `nil` if it isn't for signatures, or can't be read.
        var key: JWK?

        init(from decoder: any Decoder) throws {
            let use = try? decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(String.self, forKey: .use)
            key = use == nil || use == "sig" ? try? JWK(from: decoder) : nil
        }
    }

    var keys: [Written]
}
