import Foundation
package import MarqueeServer
import MarqueeTLS
import MarqueeTypes
import Yams

/// A file that lists issuers of JSON Web Tokens.
///
/// ```yaml
/// issuers:
///   - issuer: https://id.example
///     keys: https://id.example/.well-known/jwks.json
///     audience: films
///     user-prefix: ""
///   - issuer: https://partner.example
///     keys: partner.json
///     audience: films
///     user-prefix: "partner:"
///     scope-claim: films_scopes
///     claims: [plan, country]
/// ```
package struct JWTIssuersFile: Sendable {
    /// Limits on the number of issuers, and on the size of a file in bytes.
    package static let maximumIssuers = 16
    package static let maximumBytes = 256 << 10

    package struct Entry: Sendable {
        package var policy: JWTPolicy
        package var source: JWTKeySource

        package init(policy: JWTPolicy, source: JWTKeySource) {
            self.policy = policy
            self.source = source
        }
    }

    package let entries: [Entry]
    private let text: String

    /// Reads a file. Relative paths in it start at its folder.
    /// - Parameter standardScopes: the scopes of a token without a scope claim, for an issuer that sets neither
    ///   `scopes` nor `scope-claim`.
    /// - Throws: `JWTProblem`, which names the file.
    package init(path: String, standardScopes: Scopes) throws(JWTProblem) {
        let text = try Self.text(path)
        do throws(JWTProblem) {
            try self.init(text: text, path: path, standardScopes: standardScopes)
        } catch {
            throw JWTProblem("\(path): \(error.description)")
        }
    }

    private static func text(_ path: String) throws(JWTProblem) -> String {
        let bytes: [UInt8]
        do throws(BoundedFile.Problem) { bytes = try BoundedFile.read(path, limit: maximumBytes) } catch {
            throw JWTProblem("\(path) can't be read: \(error)")
        }
        guard bytes.count <= maximumBytes else {
            throw JWTProblem("\(path) has more than \(maximumBytes >> 10) KiB")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the file's content is unchanged.
    package func isCurrent(at path: String) throws(JWTProblem) -> Bool { try Self.text(path) == text }

    init(text: String, path: String, standardScopes: Scopes) throws(JWTProblem) {
        let written: Written
        do {
            guard let root = try YAMLDocument.compose(text) else { throw JWTProblem("it is empty") }
            try Written.checkKeys(root)
            written = try YAMLDecoder().decode(Written.self, from: root)
        } catch let problem as JWTProblem {
            throw problem
        } catch let mistake as YAMLKeys.Mistake {
            throw JWTProblem(mistake.description)
        } catch let mistake as YAMLDocument.Mistake {
            throw JWTProblem(mistake.description)
        } catch {
            throw JWTProblem("it isn't a list of issuers: \(YAMLKeys.reason(error))")
        }
        guard !written.issuers.isEmpty else { throw JWTProblem("it lists no issuer") }
        guard written.issuers.count <= Self.maximumIssuers else {
            throw JWTProblem("it lists \(written.issuers.count) issuers, at most \(Self.maximumIssuers) are possible")
        }
        var entries: [Entry] = []
        for issuer in written.issuers {
            do throws(JWTProblem) {
                // Without a prefix, any issuer could name the users of another one.
                guard issuer.userPrefix != nil || written.issuers.count == 1 else {
                    throw JWTProblem(
                        "of several issuers each needs a 'user-prefix', which keeps its users apart from the others'; "
                            + "\"\" for none")
                }
                entries.append(try issuer.entry(path, standardScopes))
            } catch {
                throw JWTProblem("'\(issuer.issuer)': \(error.description)")
            }
            guard entries.count(where: { $0.policy.issuer == issuer.issuer }) == 1 else {
                throw JWTProblem("'\(issuer.issuer)' is there twice")
            }
        }
        self.entries = entries
        self.text = text
    }
}

/// The file's YAML.
private struct Written: Decodable {
    struct Issuer: Decodable {
        enum CodingKeys: String, CodingKey, CaseIterable {
            case issuer, keys, audience, algorithms, scopes, claims, skew
            case authorities = "keys-ca"
            case userClaim = "user-claim"
            case userPrefix = "user-prefix"
            case scopeClaim = "scope-claim"
        }

        var issuer: String
        var keys: String
        var audience: String
        var algorithms: [String]?
        var scopes: [String]?
        var claims: [String]?
        var skew: Int?
        var authorities: String?
        var userClaim: String?
        var userPrefix: String?
        var scopeClaim: String?

        func entry(_ path: String, _ standardScopes: Scopes) throws(JWTProblem) -> JWTIssuersFile.Entry {
            var policy = JWTPolicy(
                issuer: issuer, audience: audience, standardScopes: scopeClaim == nil ? standardScopes : .nothing)
            if let algorithms { try policy.accept(algorithms) }
            if let skew { try policy.allow(skew: skew) }
            if let scopes {
                do throws(ScopeMistake) { policy.standardScopes = try Scopes(scopes) } catch {
                    throw JWTProblem("'scopes': \(error.description)")
                }
            }
            if let claims { try policy.take(claims: claims) }
            if let userClaim { policy.userClaim = userClaim }
            if let userPrefix { policy.userPrefix = userPrefix }
            if let scopeClaim { policy.scopeClaim = scopeClaim }
            policy.file = path
            func beside(_ name: String) -> String {
                name.contains("://") || name.hasPrefix("/")
                    ? name : URL(filePath: path).deletingLastPathComponent().appending(path: name).path
            }
            return JWTIssuersFile.Entry(
                policy: policy, source: try JWTKeySource(beside(keys), authorities: authorities.map(beside)))
        }
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case issuers
    }

    var issuers: [Issuer]

    /// Refuses unknown keys, and keys without a value.
    static func checkKeys(_ root: Node) throws {
        _ = try YAMLKeys.fields(root, of: "the file", CodingKeys.allCases.map(\.rawValue))
        for issuer in root["issuers"]?.sequence ?? [] {
            for field in try YAMLKeys.fields(issuer, of: "an issuer", Issuer.CodingKeys.allCases.map(\.rawValue))
            where field.value.null != nil || isEmpty(field) {
                throw JWTProblem("\(YAMLKeys.line(of: field.key))'\(field.name)' is empty; leave it out for none")
            }
        }
    }

    private static func isEmpty(_ field: YAMLKeys.Field) -> Bool {
        field.value.scalar?.string.isEmpty == true && field.name != Issuer.CodingKeys.userPrefix.rawValue
    }
}
