import Foundation
import ProcessSupport

/// The file of tokens that the nodes read, and the tokens themselves, one in a file.
struct Tokens: Sendable {
    /// Names of those who aren't users.
    static let relay = "relay"
    static let publisher = "publisher"

    private let folder: URL

    /// The file with their hashes.
    var file: String { folder.appending(path: "tokens.yaml").path }

    /// Makes one for each user, one for the relays and one for the publisher.
    /// - Parameter program: `marquee-server`.
    init(folder: URL, program: String, users: [String]) async throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for user in users { try await make(user, ["--user", user], program) }
        try await make(Self.relay, ["--scope", "relay"], program)
        try await make(Self.publisher, ["--scope", "publish *", "--scope", "read *"], program)
    }

    func path(of name: String) -> String { folder.appending(path: "\(name).token").path }

    /// The token itself.
    func token(of name: String) throws -> String {
        try String(contentsOfFile: path(of: name), encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func make(_ name: String, _ options: [String], _ program: String) async throws {
        let process = try RunningProcess(program, ["token", "new", name, "--file", file] + options, in: folder)
        guard try await process.ended(within: Bounds.start) == 0 else {
            throw NodesError("no token can be made: \(process.errors)")
        }
        _ = FileManager.default.createFile(
            atPath: path(of: name), contents: Data(process.output.utf8), attributes: [.posixPermissions: 0o600])
    }
}
