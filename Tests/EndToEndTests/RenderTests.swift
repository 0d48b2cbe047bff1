import Foundation
import Testing

/// Pictures from a real server, and from what a mirror kept of it.
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

    @Test func aScreenIsDrawnFromAServerAndThenFromTheMirror() async throws {
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

        // What a subscription has stored is drawn when the server is gone, and said to be stored.
        _ = try await run(
            ["subscribe", "home", "--count", "1", "--output", "ndjson", "--timeout", "60"] + source, in: folder)
        try await server.stop()
        let offline = try await run(["render", "home"] + source, in: folder)
        #expect(offline.output == live)
        #expect(offline.errors.contains("from the mirror, stored "))
        #expect(try await run(["render", "home", "--offline"] + source, in: folder).output == live)

        // What the mirror does not have can't be drawn.
        let missing = try RunningProcess("marquee", ["render", "genre/28", "--offline"] + source, in: folder)
        #expect(try await missing.ended() == 66)
        #expect(missing.errors.contains("has no screen genre/28 in en"))
        let unreachable = try RunningProcess("marquee", ["render", "genre/28"] + source, in: folder)
        #expect(try await unreachable.ended() == 69)
    }

    @Test func aFavoriteThatWaitsIsAHollowStar() async throws {
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
