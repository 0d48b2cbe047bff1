import Foundation
import JWTKit
import MarqueeModel
import MarqueeServer
import Synchronization
import Testing

@testable import MarqueeAccess

/// Claims that are accepted, which tests change.
struct JWTTestClaims: JWTPayload {
    var iss: String? = "https://id.example"
    var aud: [String] = ["other", "films"]
    var exp: Double? = 1_600
    var nbf: Double?
    var sub: String? = "ana"
    var jti: String?
    var scope: String?

    func verify(using algorithm: some JWTAlgorithm) {}
}

/// Claims in JSON of any kind.
struct JWTTextClaims: JWTPayload {
    let json: [String: JWTTextValue]

    init(_ text: String) throws {
        json = try JSONDecoder().decode([String: JWTTextValue].self, from: Data(text.utf8))
    }

    init(from decoder: any Decoder) throws { json = try [String: JWTTextValue](from: decoder) }
    func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
    func verify(using algorithm: some JWTAlgorithm) {}
}

/// A value of JSON.
enum JWTTextValue: Codable, Sendable {
    case null
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JWTTextValue])
    case object([String: JWTTextValue])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([JWTTextValue].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: JWTTextValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .flag(let flag): try value.encode(flag)
        case .integer(let integer): try value.encode(integer)
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .list(let list): try value.encode(list)
        case .object(let object): try value.encode(object)
        }
    }
}

/// The keys of an issuer, and a file with their public parts.
final class JWTTestKeys {
    private(set) var published: [[String: String]] = []
    /// Each with one key: a collection of several would take another one.
    private var signers: [JWTKeyCollection] = []
    let file = FileManager.default.temporaryDirectory.appending(path: "marquee-jwt-\(UUID().uuidString).json")

    /// With one key, `k1`.
    init() async throws { try await add("k1") }

    deinit { try? FileManager.default.removeItem(at: file) }

    /// Makes a key and publishes it.
    /// - Parameters:
    ///   - name: the one in the set; `nil` for none.
    ///   - saysAlgorithm: whether the set names the algorithm.
    func add(_ name: String?, _ algorithm: String = "ES256", saysAlgorithm: Bool = true) async throws {
        let signer = JWTKeyCollection()
        let (curve, x, y): (String, String, String)
        if algorithm == "ES384" {
            let key = ES384PrivateKey()
            await signer.add(ecdsa: key)
            let parameters = try #require(key.parameters)
            (curve, x, y) = ("P-384", parameters.x, parameters.y)
        } else {
            let key = ES256PrivateKey()
            await signer.add(ecdsa: key)
            let parameters = try #require(key.parameters)
            (curve, x, y) = ("P-256", parameters.x, parameters.y)
        }
        signers.append(signer)
        var written = ["kty": "EC", "crv": curve, "x": Self.url(x), "y": Self.url(y)]
        written["kid"] = name
        if saysAlgorithm { written["alg"] = algorithm }
        published.append(written)
        try publish()
    }

    /// Takes a key out of the set; tokens can still be signed with it.
    func withdraw(_ index: Int) throws {
        try publish(published.enumerated().filter { $0.offset != index }.map(\.element))
    }

    /// Changes a key's entry.
    func change(_ index: Int, _ name: String, to value: String?) throws {
        published[index][name] = value
        try publish()
    }

    private func publish(_ keys: [[String: String]]? = nil) throws {
        try Self.set(keys ?? published).write(to: file, options: .atomic)
    }

    static func set(_ keys: [[String: String]]) throws -> Data {
        try JSONSerialization.data(withJSONObject: ["keys": keys])
    }

    /// As JWK sets are written.
    private static func url(_ text: String) -> String {
        text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// A token.
    /// - Parameters:
    ///   - kid: the name of the key in it.
    ///   - index: which key signs it.
    func token(
        _ claims: some JWTPayload, kid: String? = "k1", by index: Int = 0, header: JWTHeader = JWTHeader()
    ) async throws -> String {
        try await signers[index].sign(claims, kid: kid.map { JWKIdentifier(string: $0) }, header: header)
    }

    static let policy = JWTPolicy(issuer: "https://id.example", audience: "films", standardScopes: .readOnly)

    /// An issuer with the keys of the file.
    /// - Parameter now: seconds of Unix time.
    func issuer(
        _ policy: JWTPolicy = policy, now: Double = 1_000, say: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> JWTIssuer {
        let issuer = JWTIssuer(
            policy, source: .file(file.path), clock: { Date(timeIntervalSince1970: now) }, say: say)
        try await issuer.refresh()
        return issuer
    }

    func issuers(_ policy: JWTPolicy = policy, now: Double = 1_000) async throws -> JWTIssuers {
        JWTIssuers([try await issuer(policy, now: now)])
    }
}

/// The lines that an operator sees.
final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// Why a token is refused, in words.
func refusal(_ body: () async throws -> Identity) async -> String {
    let status = await #expect(throws: Status.self) { _ = try await body() }
    #expect(status?.reason == "TOKEN_REFUSED" && status?.remedy == .reauthenticate)
    return status?.message ?? ""
}
