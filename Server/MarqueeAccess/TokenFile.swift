package import Foundation
import MarqueeModel
package import MarqueeScreens
package import MarqueeServer
import MarqueeTLS
import MarqueeTypes
import Yams

/// The tokens and certificates that a server accepts, from a YAML file.
///
/// ```yaml
/// tokens:
///   - name: importer
///     hash: sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
///     scopes: [publish *, read *]
///   - name: ana
///     user: ana
///     hash: sha256:60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752
///     scopes: [read *, search, favorites]
///     expires: 2027-01-31T12:00:00Z
///     claims: {plan: plus, groups: [beta]}
/// certificates:
///   - name: publisher
///     subject: publisher.example
///     scopes: [publish *, read *]
/// revoked: [4f0c1d7e]
/// ```
package struct TokenFile: Sendable {
    /// Limits on the number of tokens, and on the size of a file in bytes.
    package static let maximumTokens = 10_000
    package static let maximumBytes = 8 << 20
    /// The most bytes of a token's name.
    package static let maximumNameBytes = 64
    package static let maximumCertificates = 1_000
    /// Limits on the number of revoked ids of JSON Web Tokens, and on the length of one in bytes.
    package static let maximumRevoked = 10_000
    package static let maximumRevokedBytes = 256

    /// A token that is accepted.
    package struct Entry: Sendable {
        package var name: String
        /// The user that it identifies; `nil` for an anonymous client.
        package var user: String?
        var hash: TokenHash
        package var scopes: Scopes
        /// When the token expires; `nil` for never.
        package var expires: Date?
        package var claims: Claims

        /// - Throws: `TokenFileProblem` for an invalid name, user or hash.
        package init(
            name: String, user: String?, hash: String, scopes: Scopes, expires: Date?, claims: Claims = .none
        ) throws(TokenFileProblem) {
            try TokenFile.checkName(name)
            guard let hash = TokenHash(text: hash) else {
                throw TokenFileProblem("the hash of '\(name)' is not sha256: and 64 hexadecimal digits")
            }
            self.name = name
            self.user = user
            self.hash = hash
            self.scopes = scopes
            self.expires = expires
            self.claims = claims
        }

        package func hasExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }
    }

    /// A certificate that is accepted from a client that proves possession of its key.
    package struct CertificateEntry: Sendable {
        package var name: String
        /// A name that the certificate proves: its subject's common name, or one of its alternative names.
        package var subject: String
        /// The user that it identifies; `nil` for an anonymous client.
        package var user: String?
        package var scopes: Scopes
        package var claims: Claims
    }

    package private(set) var entries: [Entry] = []
    package private(set) var certificates: [CertificateEntry] = []
    /// The ids (`jti`) of JSON Web Tokens that are no longer accepted.
    package private(set) var revoked: Set<String> = []

    package init() {}

    fileprivate static func checkName(_ name: String) throws(TokenFileProblem) {
        guard !name.isEmpty, name.utf8.count <= maximumNameBytes,
            name.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace && $0.value >= 0x20 })
        else {
            throw TokenFileProblem(
                "a name has 1 to \(maximumNameBytes) bytes and no spaces, unlike '\(name.prefix(80))'")
        }
    }

    /// Reads a file.
    /// - Throws: `TokenFileProblem`, which names the file.
    package init(path: String) throws(TokenFileProblem) {
        let data = try Self.content(of: path)
        do {
            try self.init(text: String(decoding: data, as: UTF8.self))
        } catch {
            throw TokenFileProblem("\(path): \(error.description)")
        }
    }

    private static func content(of path: String) throws(TokenFileProblem) -> [UInt8] {
        let bytes: [UInt8]
        do throws(BoundedFile.Problem) { bytes = try BoundedFile.read(path, limit: maximumBytes) } catch {
            throw TokenFileProblem(path, "can't be read", error.code, error.description)
        }
        guard bytes.count <= maximumBytes else {
            throw TokenFileProblem("\(path) has more than \(maximumBytes >> 20) MiB")
        }
        return bytes
    }

    /// - Throws: `TokenFileProblem`.
    package init(text: String) throws(TokenFileProblem) {
        let written: Written
        do {
            // A file that is empty or holds nothing but comments has no tokens.
            let root = try YAMLDocument.compose(text).flatMap { $0.null == nil ? $0 : nil }
            guard let root else { return }
            try Written.checkKeys(root)
            written = try YAMLDecoder().decode(Written.self, from: root)
        } catch let problem as TokenFileProblem {
            throw problem
        } catch let mistake as YAMLKeys.Mistake {
            throw TokenFileProblem(mistake.description)
        } catch let mistake as YAMLDocument.Mistake {
            throw TokenFileProblem(mistake.description)
        } catch {
            throw TokenFileProblem("it isn't a list of tokens: \(YAMLKeys.reason(error))")
        }
        let tokens = written.tokens ?? []
        guard tokens.count <= Self.maximumTokens else {
            throw TokenFileProblem("there are \(tokens.count) tokens, at most \(Self.maximumTokens) are possible")
        }
        for token in tokens { try add(try token.entry()) }
        let certificates = written.certificates ?? []
        guard certificates.count <= Self.maximumCertificates else {
            throw TokenFileProblem(
                "there are \(certificates.count) certificates, at most \(Self.maximumCertificates) are possible")
        }
        self.certificates = try certificates.map { certificate throws(TokenFileProblem) in try certificate.entry() }
        for name in Set(certificates.map(\.name)) where certificates.count(where: { $0.name == name }) > 1 {
            throw TokenFileProblem("there are two certificates '\(name)'")
        }
        for id in written.revoked ?? [] { try revoke(jwt: id) }
    }

    /// Refuses a JSON Web Token from now on.
    /// - Parameter id: its claim `jti`.
    package mutating func revoke(jwt id: String) throws(TokenFileProblem) {
        guard !id.isEmpty, id.utf8.count <= Self.maximumRevokedBytes else {
            throw TokenFileProblem("the id of a revoked token has 1 to \(Self.maximumRevokedBytes) bytes")
        }
        guard revoked.count < Self.maximumRevoked else {
            throw TokenFileProblem("there are \(Self.maximumRevoked) revoked ids already; remove those that have ended")
        }
        revoked.insert(id)
    }

    /// - Throws: `TokenFileProblem` if there is one of the same name.
    package mutating func add(_ entry: Entry) throws(TokenFileProblem) {
        guard !entries.contains(where: { $0.name == entry.name }) else {
            throw TokenFileProblem("there is a token '\(entry.name)' already; revoke it first, or choose another name")
        }
        guard entries.count < Self.maximumTokens else {
            throw TokenFileProblem("there are \(entries.count) tokens already, the most that a file may have")
        }
        entries.append(entry)
    }

    /// - Returns: `false` if there is none of that name.
    package mutating func remove(_ name: String) -> Bool {
        guard let index = entries.firstIndex(where: { $0.name == name }) else { return false }
        entries.remove(at: index)
        return true
    }

    /// This file without tokens and certificates; its revocations remain.
    var withoutEntries: TokenFile {
        var file = TokenFile()
        file.revoked = revoked
        return file
    }

    /// Finds a token. Compares it with all of them, so that the time taken reveals nothing about them.
    package func entry(for token: String) -> Entry? {
        let hash = Token.hash(of: token)
        var found: Entry?
        for entry in entries where entry.hash.equals(hash) { found = entry }
        return found
    }

    /// The file's text.
    package func text() throws -> String {
        try YAMLEncoder().encode(
            Written(
                tokens: entries.map(Written.Token.init),
                certificates: certificates.isEmpty ? nil : certificates.map(Written.Certificate.init),
                revoked: revoked.isEmpty ? nil : revoked.sorted()))
    }

    /// Reads a file, changes it and replaces it in one step, while other processes are locked out. A new file is
    /// readable by its owner only; an existing one keeps its owner and permissions.
    /// - Parameter creating: whether a missing file counts as one without tokens.
    /// - Throws: `TokenFileProblem`, or the error of `change`; the file is unchanged then.
    package static func change(
        _ path: String, creating: Bool, _ change: (inout TokenFile) throws -> Void
    ) throws {
        let locked = try LockedFile(path, creating: creating)
        var file = try TokenFile(path: path)
        try change(&file)
        try locked.replace(by: Data(try file.text().utf8))
    }
}

extension Date {
    /// A time such as `2027-01-31T12:00:00Z`. Foundation's own parser takes 30 February for 2 March.
    package init?(written text: String) {
        guard let moment = Moment(written: text) else { return nil }
        self.init(timeIntervalSince1970: Double(moment.milliseconds) / 1_000)
    }
}

/// The reason why a token file can't be used or changed, for the operator.
package struct TokenFileProblem: Error, Hashable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// Something in the file, or in an addition to it, is invalid.
        case invalid
        case missing
        case forbidden
        /// Another process is changing it.
        case busy
        case io
    }

    package var code: Code
    package var description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    init(_ description: String) { self.init(.invalid, description) }

    /// - Parameter errno: the system's error number.
    init(_ path: String, _ what: String, errno: Int32) {
        self.init(path, what, errno, String(cString: strerror(errno)))
    }

    fileprivate init(_ path: String, _ what: String, _ errno: Int32, _ reason: String) {
        let code: Code =
            switch errno {
            case ENOENT, ENOTDIR: .missing
            case EACCES, EPERM: .forbidden
            default: .io
            }
        self.init(code, "\(path) \(what): \(reason.lowercased())")
    }
}

/// A token file's YAML.
private struct Written: Codable {
    struct Token: Codable {
        enum CodingKeys: String, CodingKey, CaseIterable {
            case name, user, hash, scopes, expires, claims
        }

        var name: String
        var user: String?
        var hash: String
        var scopes: [String]
        var expires: String?
        var claims: [String: WrittenClaim]?

        init(_ entry: TokenFile.Entry) {
            name = entry.name
            user = entry.user
            hash = entry.hash.text
            scopes = entry.scopes.texts
            expires = entry.expires?.ISO8601Format()
            claims = TokenFile.written(entry.claims)
        }

        func entry() throws(TokenFileProblem) -> TokenFile.Entry {
            var date: Date?
            if let expires {
                guard let parsed = Date(written: expires) else {
                    throw TokenFileProblem(
                        "'\(name)' expires at '\(expires)', which isn't a time such as 2027-01-31T12:00:00Z")
                }
                date = parsed
            }
            return try TokenFile.Entry(
                name: name, user: user, hash: hash, scopes: try Written.scopes(scopes, of: name), expires: date,
                claims: try TokenFile.claims(written: claims, of: name))
        }
    }

    struct Certificate: Codable {
        enum CodingKeys: String, CodingKey, CaseIterable {
            case name, subject, user, scopes, claims
        }

        var name: String
        var subject: String
        var user: String?
        var scopes: [String]
        var claims: [String: WrittenClaim]?

        init(_ entry: TokenFile.CertificateEntry) {
            name = entry.name
            subject = entry.subject
            user = entry.user
            scopes = entry.scopes.texts
            claims = TokenFile.written(entry.claims)
        }

        func entry() throws(TokenFileProblem) -> TokenFile.CertificateEntry {
            try TokenFile.checkName(name)
            guard !subject.isEmpty else { throw TokenFileProblem("the certificate '\(name)' has an empty subject") }
            return TokenFile.CertificateEntry(
                name: name, subject: subject, user: user, scopes: try Written.scopes(scopes, of: name),
                claims: try TokenFile.claims(written: claims, of: name))
        }
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case tokens, certificates, revoked
    }

    var tokens: [Token]?
    var certificates: [Certificate]?
    var revoked: [String]?

    /// Refuses unknown keys, and keys of an entry without a value: with a misspelt or empty `expires`, a token would
    /// never expire.
    static func checkKeys(_ root: Node) throws {
        for field in try YAMLKeys.fields(root, of: "a file of tokens", CodingKeys.allCases.map(\.rawValue)) {
            guard let entries = field.value.sequence else { continue }
            let (what, allowed) =
                switch CodingKeys(rawValue: field.name) {
                case .tokens: ("a token", Token.CodingKeys.allCases.map(\.rawValue))
                case .certificates: ("a certificate", Certificate.CodingKeys.allCases.map(\.rawValue))
                case .revoked, nil: ("", [String]())
                }
            guard !allowed.isEmpty else { continue }
            for entry in entries {
                for field in try YAMLKeys.fields(entry, of: what, allowed)
                where field.value.null != nil || field.value.scalar?.string.isEmpty == true {
                    throw TokenFileProblem(
                        "\(YAMLKeys.line(of: field.value))'\(field.name)' of \(what) is empty; leave it out for none")
                }
            }
        }
    }

    fileprivate static func scopes(_ texts: [String], of name: String) throws(TokenFileProblem) -> Scopes {
        do throws(ScopeMistake) { return try Scopes(texts) } catch {
            throw TokenFileProblem("'\(name)': \(error.description)")
        }
    }
}
