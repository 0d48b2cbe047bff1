import Foundation
import Testing

/// Pictures from a real server, and from its copy in a mirror.
@Suite("Rendered screens")
struct RenderTests {
    private func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-render-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    private func run(_ arguments: [String], in folder: URL) async throws -> RunningProcess {
        let process = try RunningProcess("marquee", arguments, in: folder)
        let status = try await process.ended()
        #expect(status == 0, "\(arguments): \(process.errors)")
        return process
    }

    @Test func `A screen is drawn from a server and then from the mirror`() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess(in: folder)
        try await server.start()
        let source = ["--server", server.address, "--user", "ann", "--mirror", folder.appending(path: "m.sqlite").path]
        _ = try await run(["favorite", "add", "movie/27205", "--timeout", "60"] + source, in: folder)

        let live = try await run(["render", "home"] + source, in: folder).output
        // Main is 450 + 20 high; the ranked row begins below its header of 44, as the default programme has it.
        #expect(live.contains("\n  item 0 at 10, 524, 136 × 245.2 id "))
        #expect(live.contains("\n  header at 0, 470, 390 × 44 \"Top 10\" sorts popularity* release-date\n"))
        let picture = folder.appending(path: "home.png")
        _ = try await run(["render", "home", "--scale", "1", "-o", picture.path] + source, in: folder)
        #expect(try Data(contentsOf: picture).prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
        let explained = try await run(["explain", "home", "rank", "1"] + source, in: folder).output
        #expect(explained.contains("\n  height: fraction of width 0.8 of 390 = 312\n"))
        #expect(explained.contains("\n  frame: x 166, y 54, 136 × 245.2\n"))

        // A stored screen is drawn when the server is gone, and marked as stored.
        _ = try await run(
            ["subscribe", "home", "--count", "1", "--output", "ndjson", "--timeout", "60"] + source, in: folder)
        try await server.stop()
        let offline = try await run(["render", "home"] + source, in: folder)
        #expect(offline.output == live)
        #expect(offline.errors.contains("from the mirror, stored "))
        #expect(try await run(["render", "home", "--offline"] + source, in: folder).output == live)

        // So does `get`, and it says so in both forms.
        let stored = try await run(["get", "home"] + source, in: folder)
        #expect(stored.errors.contains("from the mirror, stored "))
        #expect(stored.output.hasPrefix("Home  revision ") && stored.output.contains("(stored, as of "))
        let document = try await run(["get", "home", "--output", "ndjson", "--offline"] + source, in: folder)
        #expect(document.output.contains(#""origin":"store""#) && document.output.contains(#""asOf":"#))
        let section = try RunningProcess("marquee", ["get", "home", "--sort", "no=x"] + source, in: folder)
        #expect(try await section.ended() == 64)
        #expect(section.errors.contains("'home' has no section 'no'; it has main, rank"))

        // A screen that isn't in the mirror can't be drawn.
        let missing = try RunningProcess("marquee", ["render", "genre/28", "--offline"] + source, in: folder)
        #expect(try await missing.ended() == 66)
        #expect(missing.errors.contains("has no screen genre/28 in en"))
        let unreachable = try RunningProcess("marquee", ["render", "genre/28"] + source, in: folder)
        #expect(try await unreachable.ended() == 69)
    }

    @Test func `a missing section ends every command with 64, and what can't be shown is reported`()
        async throws
    {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess(in: folder)
        try await server.start()
        let source = ["--server", server.address, "--user", "ann", "--mirror", folder.appending(path: "m.sqlite").path]
        let commands = [
            ["get", "home", "--sort", "no=popularity"], ["get", "home", "--window", "no=6"],
            ["subscribe", "home", "--output", "lines", "--count", "1", "--timeout", "60", "--sort", "no=popularity"],
            ["explain", "home", "no"], ["render", "home", "--section-offset", "no=3"],
            ["render", "home", "--window", "no=6"],
        ]
        for command in commands {
            let process = try RunningProcess("marquee", command + source, in: folder)
            #expect(try await process.ended() == 64, "\(command): \(process.errors)")
            #expect(process.errors.contains("has no section 'no'; it has "), "\(command): \(process.errors)")
        }
        let window = "the section 'genres' shows 12, not 7: its windows are 6, 12"
        #expect(try await run(["get", "home", "--window", "genres=7"] + source, in: folder).errors.contains(window))
        let live = [
            "subscribe", "home", "--count", "1", "--timeout", "60", "--window", "genres=7", "--output", "lines",
        ]
        #expect(try await run(live + source, in: folder).errors.contains(window))
        let missing = try RunningProcess("marquee", ["get", "detail/1"] + source, in: folder)
        #expect(try await missing.ended() == 76)
        #expect(missing.errors.contains("there is no movie '1' (NOT_FOUND)"))

        // A favorite of an existing subject is confirmed silently, of an unknown one with a note.
        let added = try await run(["favorite", "add", "movie/1", "27205", "--timeout", "60"] + source, in: folder)
        #expect(added.output.contains("♥ movie/1 added") && added.output.contains("♥ movie/27205 added"))
        #expect(added.errors.contains("the server has no movie/1") && !added.errors.contains("movie/27205"))
        // Both are kept, so both are listed.
        let listed = try await run(["favorite", "list", "--timeout", "60"] + source, in: folder).output
        #expect(listed.contains("movie/27205") && listed.contains("movie/1  (kept; the server has no such record)"))
        // The server refuses what can't be a favorite.
        let refused = try RunningProcess(
            "marquee", ["favorite", "add", "genre/28", "--timeout", "60"] + source, in: folder)
        #expect(try await refused.ended() == 76)
        try await server.stop()
    }

    @Test func `A pending favorite is a hollow star`() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess(in: folder)
        try await server.start()
        let source = ["--server", server.address, "--user", "ann", "--mirror", folder.appending(path: "m.sqlite").path]
        _ = try await run(
            ["subscribe", "genre/878", "--count", "1", "--output", "ndjson", "--timeout", "60"] + source, in: folder)
        try await server.stop()
        let waiting = try RunningProcess(
            "marquee", ["favorite", "add", "movie/27205", "--timeout", "0"] + source, in: folder)
        _ = try await waiting.ended()
        let drawn = try await run(["render", "genre/878", "--offline", "--full-height"] + source, in: folder).output
        let line = drawn.split(separator: "\n").first { $0.contains("id movie/27205 ") }
        #expect(line?.contains(" star pending") == true, "\(drawn)")
    }
}
