import Foundation
import MarqueeAccess
import MarqueeModel
import MarqueeServer
import Synchronization
import Testing

@Suite struct TokenTests {
    private static let scopes = Scopes.everything

    private static func file(_ names: String..., user: String? = nil, expires: Date? = nil) throws -> (
        TokenFile, [String: String]
    ) {
        var file = TokenFile()
        var tokens: [String: String] = [:]
        for name in names {
            let (token, hash) = Token.make()
            tokens[name] = token
            try file.add(
                TokenFile.Entry(name: name, user: user, hash: hash, scopes: scopes, expires: expires))
        }
        return (file, tokens)
    }

    @Test func `A file holds hashes and no tokens, and is read back as it was written`() throws {
        let (file, tokens) = try Self.file("ana", "importer", user: "ana", expires: Date(timeIntervalSince1970: 2e9))
        let text = try file.text()
        for token in tokens.values { #expect(!text.contains(token.dropFirst("marquee_".count))) }
        let again = try TokenFile(text: text)
        #expect(again.entries.map(\.name) == ["ana", "importer"])
        #expect(again.entries.map(\.expires) == file.entries.map(\.expires))
        #expect(again.entries.allSatisfy { $0.scopes == Self.scopes && $0.user == "ana" })
        #expect(again.entry(for: tokens["importer"] ?? "")?.name == "importer")
        #expect(again.entry(for: "marquee_other") == nil)
    }

    @Test func `Tokens differ`() {
        let tokens = (0..<100).map { _ in Token.make() }
        #expect(Set(tokens.map(\.token)).count == 100 && Set(tokens.map(\.hash)).count == 100)
        #expect(tokens.allSatisfy { $0.token.hasPrefix("marquee_") && $0.token.utf8.count == 51 })
    }

    @Test func `Only its owner can read a new file`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "marquee-tokens-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try TokenFile.change(path, creating: true) { $0 = try Self.file("a").0 }
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try TokenFile(path: path).entries.count == 1)
    }

    /// A service that runs as another user than whoever revokes a token could no longer read it, and would go on
    /// accepting the token.
    @Test func `A file that is replaced keeps its owner and permissions`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "marquee-tokens-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try TokenFile.change(path, creating: true) { $0 = try Self.file("a").0 }
        #expect(chmod(path, 0o640) == 0)
        // Only root can give files away.
        let (owner, group): (uid_t, gid_t) = geteuid() == 0 ? (65_534, 65_533) : (geteuid(), getegid())
        #expect(chown(path, owner, group) == 0)
        try TokenFile.change(path, creating: false) { $0 = try Self.file("b").0 }
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o640)
        #expect(status.st_uid == owner && status.st_gid == group)
        #expect(try TokenFile(path: path).entries.map(\.name) == ["b"])
    }

    @Test(arguments: [
        "tokens: 5", "tokens: [{name: a}]", "tokens: [{name: a, hash: md5:00, scopes: []}]",
        "tokens: [{name: a, hash: sha256:00, scopes: []}]",
        "tokens: [{name: '', hash: 'sha256:\(String(repeating: "0", count: 64))', scopes: []}]",
        "tokens: [{name: a b, hash: 'sha256:\(String(repeating: "0", count: 64))', scopes: []}]",
        "tokens: [{name: a, hash: 'sha256:\(String(repeating: "0", count: 64))', scopes: [fly]}]",
        "tokens: [{name: a, hash: 'sha256:\(String(repeating: "0", count: 64))', scopes: [], expires: soon}]",
        "tokens: [", "\u{0}",
    ])
    func `A file with a mistake is refused in words`(text: String) {
        let problem = #expect(throws: TokenFileProblem.self) { try TokenFile(text: text) }
        #expect(problem?.description.isEmpty == false)
    }

    @Test func `A name is there once`() throws {
        let (file, _) = try Self.file("a")
        var both = file
        let entry = try #require(file.entries.first)
        #expect(throws: TokenFileProblem.self) { try both.add(entry) }
        let isRemoved = both.remove("a")
        let isPresent = both.remove("a")
        #expect(isRemoved && !isPresent)
    }

    // MARK: - Who gets in

    @Test func `A token proves its user, and no other`() async throws {
        let (file, tokens) = try Self.file("phone", user: "ana")
        let authenticator = AccessAuthenticator(TokenRegister(file), anonymous: .readOnly)
        for claim in [nil, "ana"] {
            let identity = try await authenticator.authenticate(Credentials(user: claim, token: tokens["phone"]))
            #expect(identity.user == "ana" && identity.grant.source == .token("phone"))
        }
        await Self.refused("TOKEN_OF_ANOTHER") {
            try await authenticator.authenticate(Credentials(user: "ben", token: tokens["phone"]))
        }
        await Self.refused("TOKEN_REFUSED") {
            try await authenticator.authenticate(Credentials(user: nil, token: "marquee_x"))
        }
        await Self.refused("TOKEN_REFUSED") { try await authenticator.authenticate(Credentials(user: nil, token: "")) }
        // A user is never believed without a token.
        await Self.refused("TOKEN_NEEDED") {
            try await authenticator.authenticate(Credentials(user: "ana", token: nil))
        }
    }

    @Test func `Whoever has no token is anonymous, or stays out`() async throws {
        let (file, _) = try Self.file("a")
        let identity = try await AccessAuthenticator(TokenRegister(file), anonymous: .readOnly).authenticate(
            Credentials(user: nil, token: nil))
        #expect(identity.user == nil && identity.scopes == .readOnly)
        await Self.refused("TOKEN_NEEDED") {
            try await AccessAuthenticator(TokenRegister(file), anonymous: nil).authenticate(
                Credentials(user: nil, token: nil))
        }
    }

    @Test func `A token ends, for those who come and those who are there`() async throws {
        let end = Date(timeIntervalSince1970: 1_000)
        let (file, tokens) = try Self.file("a", expires: end)
        let now = Mutex(end.addingTimeInterval(-1))
        let authenticator = AccessAuthenticator(
            TokenRegister(file, clock: { now.withLock { $0 } }), anonymous: .readOnly)
        let identity = try await authenticator.authenticate(Credentials(user: nil, token: tokens["a"]))
        #expect(authenticator.standing(of: identity) == .until(1_000))
        now.withLock { $0 = end }
        #expect(authenticator.standing(of: identity) == .ended)
        await Self.refused("TOKEN_REFUSED") {
            try await authenticator.authenticate(Credentials(user: nil, token: tokens["a"]))
        }
    }

    @Test func `Another file revokes what it lacks or changes, and leaves the rest alone`() async throws {
        let (file, tokens) = try Self.file("stays", "goes", "changes")
        let register = TokenRegister(file)
        let authenticator = AccessAuthenticator(register, anonymous: .readOnly)
        var identities: [String: Identity] = [:]
        for (name, token) in tokens {
            identities[name] = try await authenticator.authenticate(Credentials(user: nil, token: token))
        }
        let anonymous = try await authenticator.authenticate(Credentials(user: nil, token: nil))
        var next = TokenFile()
        for entry in file.entries where entry.name != "goes" {
            var entry = entry
            if entry.name == "changes" { entry.scopes = .readOnly }
            try next.add(entry)
        }
        register.replace(by: next)
        for (name, identity) in identities {
            #expect((authenticator.standing(of: identity) == .untilRevoked) == (name == "stays"), "\(name)")
        }
        #expect(authenticator.standing(of: anonymous) == .untilRevoked)
        let changed = try await authenticator.authenticate(Credentials(user: nil, token: tokens["changes"]))
        #expect(changed.scopes == .readOnly && authenticator.standing(of: changed) == .untilRevoked)
        await Self.refused("TOKEN_REFUSED") {
            try await authenticator.authenticate(Credentials(user: nil, token: tokens["goes"]))
        }
    }

    private static func refused(_ reason: String, _ body: () async throws -> Identity) async {
        do {
            _ = try await body()
            Issue.record("admitted, not \(reason)")
        } catch let status as Status {
            #expect(status.reason == reason)
        } catch {
            Issue.record("\(error)")
        }
    }
}
