import Dispatch
import Foundation
import MarqueeServer
import Synchronization
import Testing

@testable import MarqueeAccess

/// Files of tokens, as several commands change them at once and as people write them.
@Suite final class TokenFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-tokens-\(UUID().uuidString)")
    private var path: String { folder.appending(path: "tokens.yaml").path }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func entry(_ name: String) throws -> TokenFile.Entry {
        try TokenFile.Entry(name: name, user: nil, hash: Token.make().hash, scopes: .readOnly, expires: nil)
    }

    private var names: [String] { get throws { try TokenFile(path: path).entries.map(\.name).sorted() } }

    // MARK: - Text

    @Test func `A byte order mark is no part of the file, and a tab is called one`() throws {
        #expect(try TokenFile(text: "\u{FEFF}tokens: []\n").entries.isEmpty)
        let tab = #expect(throws: TokenFileProblem.self) { try TokenFile(text: "tokens:\n\t- name: a\n") }
        #expect(tab?.description == "line 2: the line begins with a tab; YAML is indented with spaces")
        let missing = #expect(throws: TokenFileProblem.self) { try TokenFile(text: "tokens:\n  - name: a\n") }
        #expect(missing?.description.contains("'tokens 1 hash' is missing") == true)
    }

    // MARK: - Changes

    @Test func `Of many changes at once none is lost`() throws {
        try TokenFile.change(path, creating: true) { file in
            for number in 0..<10 { try file.add(Self.entry("old\(number)")) }
        }
        let failures = Mutex<[String]>([])
        let path = path
        DispatchQueue.concurrentPerform(iterations: 20) { number in
            do {
                try TokenFile.change(path, creating: true) { file in
                    if number < 10 {
                        try file.add(Self.entry("new\(number)"))
                    } else {
                        guard file.remove("old\(number - 10)") else { throw CancellationError() }
                    }
                }
            } catch {
                failures.withLock { $0.append("\(number): \(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
        #expect(try names == (0..<10).map { "new\($0)" })
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["tokens.yaml"])
    }

    @Test func `Of many that make the file at once all are kept`() throws {
        let path = path
        DispatchQueue.concurrentPerform(iterations: 10) { number in
            try? TokenFile.change(path, creating: true) { try $0.add(Self.entry("\(number)")) }
        }
        #expect(try names == (0..<10).map { "\($0)" })
    }

    @Test func `A change that fails leaves the file as it was, and none that wasn't there`() throws {
        #expect(throws: CancellationError.self) {
            try TokenFile.change(path, creating: true) { _ in throw CancellationError() }
        }
        #expect(!FileManager.default.fileExists(atPath: path))
        try TokenFile.change(path, creating: true) { try $0.add(Self.entry("a")) }
        #expect(throws: CancellationError.self) {
            try TokenFile.change(path, creating: true) { file in
                try file.add(Self.entry("b"))
                throw CancellationError()
            }
        }
        #expect(try names == ["a"])
        let problem = #expect(throws: TokenFileProblem.self) {
            try TokenFile.change(folder.appending(path: "other.yaml").path, creating: false) { _ in }
        }
        #expect(problem?.code == .missing)
    }

    @Test func `A symbolic link stays one`() throws {
        let target = folder.appending(path: "target.yaml").path
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        try TokenFile.change(path, creating: true) { try $0.add(Self.entry("a")) }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
        #expect(try TokenFile(path: target).entries.map(\.name) == ["a"])
    }

    // MARK: - What people write

    private static let hash = "hash: 'sha256:\(String(repeating: "0", count: 64))'"

    @Test(arguments: [
        ("tokens: [{name: a, \(hash), scopes: [], expire: 2027-01-31T12:00:00Z}]", "did you mean 'expires'"),
        ("tokens: [{name: a, \(hash), scopes: [], expires: }]", "'expires' of a token is empty"),
        (
            "tokens: [{name: a, \(hash), scopes: [], expires: 2027-02-30T12:00:00Z}]",
            "'a' expires at '2027-02-30T12:00:00Z', which isn't a time"
        ),
        ("tokens: [{name: a, \(hash), scopes: [], user: ''}]", "'user' of a token is empty"),
        ("tokens: [{name: a, \(hash), scopes: [], uesr: ana}]", "did you mean 'user'"),
        ("tokens: []\nrevokd: [x]", "line 2: a file of tokens has no 'revokd'; did you mean 'revoked'"),
        (
            "certificates: [{name: a, subject: b, scopes: [], expires: 2027-01-31T12:00:00Z}]",
            "a certificate has no 'expires', only name, subject"
        ), ("tokens: [a]", "a token is a mapping"), ("[a]", "a file of tokens is a mapping"),
    ])
    func `A key that means nothing is refused, and so is one without a value`(text: String, words: String) {
        let problem = #expect(throws: TokenFileProblem.self) { try TokenFile(text: text) }
        #expect(problem?.description.contains(words) == true, "\(problem?.description ?? "")")
    }

    @Test(arguments: ["", "# none yet\n", "tokens:", "tokens: []\ncertificates: []\nrevoked: []"])
    func `A file without tokens has none`(text: String) throws {
        #expect(try TokenFile(text: text).entries.isEmpty)
    }

    // MARK: - While a server runs

    @Test func `A file that is gone takes its tokens along, and one that can't be understood changes nothing`() throws {
        let (token, hash) = Token.make()
        try TokenFile.change(path, creating: true) { file in
            try file.add(TokenFile.Entry(name: "a", user: nil, hash: hash, scopes: .readOnly, expires: nil))
            try file.revoke(jwt: "4f0c")
        }
        let register = TokenRegister()
        _ = try register.read(path)
        let identity = try #require(register.identity(token: token))
        try Data("tokens: [{name: b, expire: x}]".utf8).write(to: URL(filePath: path))
        #expect(throws: TokenFileProblem.self) { try register.read(path) }
        #expect(register.standing(of: identity.grant) == .untilRevoked)
        try FileManager.default.removeItem(atPath: path)
        let problem = #expect(throws: TokenFileProblem.self) { try register.read(path) }
        #expect(problem?.code == .missing)
        #expect(register.standing(of: identity.grant) == .ended && register.identity(token: token) == nil)
        #expect(register.hasRevoked(jwt: "4f0c"), "or it would be accepted again")
    }
}
