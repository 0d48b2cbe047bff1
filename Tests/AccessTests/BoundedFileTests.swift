import Foundation
import MarqueeServer
import Testing

@testable import MarqueeAccess
@testable import MarqueeTLS

/// Files that a person names, and that turn out to be something else.
struct BoundedFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "bounded-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    /// The path of a new pipe.
    private func pipe() throws -> String {
        let path = folder.appending(path: "pipe").path
        try #require(mkfifo(path, 0o600) == 0)
        return path
    }

    @Test func `A pipe that nothing is written to doesn't hold its reader`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = try pipe()
        let problem = #expect(throws: BoundedFile.Problem.self) {
            try BoundedFile.read(path, limit: 10, patience: 1)
        }
        #expect(problem?.description == "it is a pipe that nothing is written to")
    }

    @Test func `A pipe is read to its end, also by those who read tokens from it`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = try pipe()
        let text = String(repeating: "# nothing\n", count: 40_000)
        Thread.detachNewThread { try? Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
        #expect(try BoundedFile.read(path, limit: 1 << 20) == Array(text.utf8))
    }

    @Test(arguments: [(nil, "No such file or directory"), ("", "Is a directory")])
    func `A file that isn't one has the system's reason, whatever reads it`(_ name: String?, _ reason: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: name ?? "missing").path
        #expect(throws: SecretFileProblem(description: "\(path) can't be read: \(reason)")) {
            try SecretFile.read(path)
        }
        let tokens = #expect(throws: TokenFileProblem.self) { try TokenFile(path: path) }
        #expect(tokens?.description == "\(path) can't be read: \(reason.lowercased())")
        let keys = #expect(throws: TLSProblem.self) { try PEMFile.key(path) }
        #expect(keys?.description == "\(path) can't be read: \(reason)")
        let certificates = #expect(throws: TLSProblem.self) { try PEMFile.certificates(path) }
        #expect(certificates?.description == "\(path) can't be read: \(reason)")
        let issuers = #expect(throws: JWTProblem.self) { try JWTIssuersFile(path: path, standardScopes: .readOnly) }
        #expect(issuers?.description == "\(path) can't be read: \(reason)")
    }

    @Test func `Of a file without an end, little more than the limit is read`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try BoundedFile.read("/dev/zero", limit: 100_000).count < 200_000)
    }

    @Test func `A secret is a text's first line, without white space around it`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try SecretFile.secret(in: " abc\t\n", of: "MARQUEE_TOKEN") == "abc")
        #expect(throws: SecretFileProblem(description: "the first line of MARQUEE_TOKEN is empty")) {
            try SecretFile.secret(in: " \n", of: "MARQUEE_TOKEN")
        }
    }
}
