import Foundation
import ProcessSupport
import Testing

/// Drafts by the command line, against a server process.
@Suite("Drafts", .timeLimit(.minutes(10)))
struct DraftTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-draft-\(UUID().uuidString)")

    private static let programme = """
        locales: [en]
        screens:
          home:
            title: Home
            sections:
              - {id: top, kind: rank, header: "Spring", source: {records: {type: movie, sort: -popularity, limit: 3}}}
        """

    private static func merge(_ popularity: Double) -> String {
        #"{"merge": {"type": "movie", "id": "27205", "record": {"popularity": \#(popularity)}}}"#
    }

    private func put(_ lines: String..., as name: String) throws {
        try lines.joined(separator: "\n").write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
    }

    @Test func `A draft is seen by those who ask for it, and is published once, by hand or when it is due`()
        async throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let server = try ServerProcess(in: folder)
        try await server.start()
        func marquee(_ arguments: String...) async throws -> Newcomer.Answer {
            try await Newcomer.run(
                arguments + ["--server", server.address], "marquee", in: folder)
        }
        let text = String(decoding: try JSONEncoder().encode(["programme": Self.programme]), as: UTF8.self)
        try put(text, Self.merge(1.5), as: "spring.ndjson")
        try put(Self.merge(2.5), as: "other.ndjson")
        try put(Self.merge(3.5), #"{"merge": {"type": "movie", "id": "27205", "record": {"x": 1}}}"#, as: "bad.ndjson")

        let bad = try await marquee("publish", "bad.ndjson", "--draft", "spring")
        #expect(bad.status == 65 && bad.errors.contains("bad.ndjson:2: "), "\(bad.errors)")
        let added = try await marquee("publish", "spring.ndjson", "--draft", "spring")
        #expect(added.status == 0 && added.output == "draft spring, 2 changes\n", "\(added)")
        let listed = try await marquee("draft", "list")
        #expect(listed.output == "spring  2 changes in 1 publication\n")
        #expect(try await !marquee("get", "home").output.contains("Spring"))
        let seen = try await marquee("get", "home", "--draft", "spring", "--at", "2026-12-24T20:00Z")
        #expect(seen.output.contains("Spring"), "\(seen)")
        let unknown = try await marquee("get", "home", "--draft", "autumn")
        #expect(unknown.status != 0 && unknown.errors.contains("there is no draft 'autumn'"))
        let diff = try await marquee("draft", "diff", "spring").output
        #expect(diff.contains("movie/27205  changed\n  popularity  ") && diff.contains(" → 1.5"), "\(diff)")
        #expect(diff.contains("the programme  changed\n"), "\(diff)")

        // Somebody else changes the same.
        #expect(try await marquee("publish", "other.ndjson").status == 0)
        #expect(try await marquee("draft", "diff", "spring").output.contains("movie/27205  changed  CONFLICT"))
        let refused = try await marquee("draft", "publish", "spring")
        #expect(refused.status != 0 && refused.errors.contains("changed in the catalogue since: movie/27205"))
        let published = try await marquee("draft", "publish", "spring", "--despite-conflicts")
        let revision = try #require(published.output.firstMatch(of: #/^revision (\d+), draft spring is published/#)?.1)
        try await eventually("the draft is shown") { try await marquee("get", "home").output.contains("Spring") }
        #expect(try await marquee("draft", "list").output.isEmpty)
        let undone = try await marquee("publish", "--undo", String(revision))
        #expect(undone.status == 0 && undone.output.hasSuffix("revision \(revision) is undone\n"), "\(undone)")
        try await eventually("it is undone") { try await !marquee("get", "home").output.contains("Spring") }

        // At a time, at which the server may be off.
        #expect(try await marquee("publish", "spring.ndjson", "--draft", "later").status == 0)
        let soon = Date(timeIntervalSinceNow: 2).formatted(.iso8601)
        let scheduled = try await marquee("draft", "publish", "later", "--at", "2099-01-01T00:00Z")
        #expect(scheduled.output.hasPrefix("draft later, to be published at 2099-01-01T00:00:00"))
        #expect(try await marquee("draft", "list").output.contains("  at 2099-01-01T00:00:00"))
        #expect(try await marquee("publish", "other.ndjson", "--draft", "later").errors.contains("hold it first"))
        #expect(try await marquee("draft", "hold", "later").output == "draft later, held\n")
        #expect(try await marquee("draft", "publish", "later", "--at", soon).status == 0)
        try await server.kill()
        try await server.start()
        try await eventually("it is published when it is due") {
            try await marquee("get", "home").output.contains("Spring")
        }
        #expect(try await marquee("draft", "list").output.isEmpty)
        #expect(try await marquee("publish", "spring.ndjson", "--draft", "x").status == 0)
        #expect(try await marquee("draft", "drop", "x").output == "draft x, dropped\n")
        #expect(try await server.stop() == 0)
    }

    @Test func `A screen with a draft is followed while the draft and the catalogue change, until it is published`()
        async throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let server = try ServerProcess(in: folder)
        try await server.start()
        func marquee(_ arguments: String...) async throws -> Newcomer.Answer {
            try await Newcomer.run(arguments + ["--server", server.address], "marquee", in: folder)
        }
        try put(
            String(decoding: try JSONEncoder().encode(["programme": Self.programme]), as: UTF8.self), as: "p.ndjson")
        #expect(try await marquee("publish", "p.ndjson", "--draft", "spring").status == 0)
        let follower = try RunningProcess(
            "marquee",
            ["subscribe", "home", "--draft", "spring", "--output", "ndjson", "--server", server.address], in: folder)
        _ = try await follower.line(with: "\"snapshot\"")
        // The draft moves, then the catalogue.
        try put(#"{"merge": {"type": "movie", "id": "27205", "record": {"popularity": 99999}}}"#, as: "a.ndjson")
        #expect(try await marquee("publish", "a.ndjson", "--draft", "spring").status == 0)
        let first = try await follower.line(with: "\"update\"")
        #expect(first.contains("movie/27205"), "\(first)")
        try put(#"{"merge": {"type": "movie", "id": "496243", "record": {"popularity": 999999}}}"#, as: "b.ndjson")
        #expect(try await marquee("publish", "b.ndjson").status == 0)
        try await eventually("the catalogue's change beside the draft") {
            follower.output.contains("movie/496243")
        }
        #expect(try await marquee("draft", "publish", "spring", "--despite-conflicts").status == 0)
        #expect(try await follower.ended() == 0)
        #expect(follower.errors.contains("the draft 'spring' has been published or dropped"), "\(follower.errors)")
        let unknown = try await marquee("subscribe", "home", "--draft", "spring", "--count", "1")
        #expect(unknown.status != 0 && unknown.errors.contains("there is no draft 'spring'"), "\(unknown)")
        #expect(try await server.stop() == 0)
    }

    @Test func `Without its scope nobody sees a draft, puts anything into it or publishes it`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let tokens = folder.appending(path: "tokens.yaml").path
        for (name, scopes) in [
            ("editor", ["read *", "publish *", "draft spring"]), ("publisher", ["read *", "publish *"]),
            ("device", ["read *", "draft spring"]),
        ] {
            let made = try await Newcomer.run(
                ["token", "new", name, "--file", tokens, "--output", "\(name).token"]
                    + scopes.flatMap { ["--scope", $0] }, in: folder)
            #expect(made.status == 0, "\(made.errors)")
        }
        let server = try ServerProcess(in: folder, options: ["--tokens", tokens], isOpen: false)
        try await server.start()
        func marquee(_ arguments: String..., by token: String) async throws -> Newcomer.Answer {
            try await Newcomer.run(
                arguments + ["--server", server.address, "--token-file", "\(token).token"], "marquee", in: folder)
        }
        try put(Self.merge(1.5), as: "spring.ndjson")
        let foreign = try await marquee("publish", "spring.ndjson", "--draft", "autumn", by: "editor")
        #expect(foreign.status == 77 && foreign.errors.contains("needs the scope 'draft autumn'"), "\(foreign)")
        #expect(try await marquee("publish", "spring.ndjson", "--draft", "spring", by: "publisher").status == 77)
        #expect(try await marquee("publish", "spring.ndjson", "--draft", "spring", by: "device").status == 77)
        #expect(try await marquee("publish", "spring.ndjson", "--draft", "spring", by: "editor").status == 0)
        #expect(try await marquee("draft", "list", by: "publisher").output.isEmpty)
        #expect(try await marquee("draft", "diff", "spring", by: "publisher").status == 77)
        #expect(try await marquee("get", "home", "--draft", "spring", by: "publisher").status == 77)
        #expect(try await marquee("get", "home", "--draft", "spring", by: "device").status == 0)
        #expect(try await marquee("draft", "publish", "spring", by: "publisher").status == 77)
        #expect(try await marquee("draft", "publish", "spring", by: "device").status == 77)
        #expect(try await marquee("draft", "publish", "spring", by: "editor").status == 0)
        #expect(try await server.stop() == 0)
    }
}
