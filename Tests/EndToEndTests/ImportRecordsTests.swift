import Foundation
import MarqueeModel
import MarqueeStore
import Testing

/// `marquee-server import records`, as processes: a thousand rows into a folder, and into a running server.
@Suite("Imports of records", .timeLimit(.minutes(5)))
struct ImportRecordsTests {
    private static let sample = Harness.samples.deletingLastPathComponent().appending(path: "dives")
    private static let rows = 1_000

    private let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-import-\(UUID().uuidString)")

    private func run(_ program: String, _ arguments: [String]) async throws -> (
        status: Int32?, output: String, errors: String
    ) {
        let process = try RunningProcess(program, arguments, in: folder)
        let status = try await process.ended()
        return (status, process.output, process.errors)
    }

    /// - Parameter depth: of all dives, in metres.
    private func table(_ name: String, depth: Int) throws {
        let rows = (0..<Self.rows).map {
            "dive-\($0),Dive \($0),\($0 % 28 + 1)/11/2026 09:00,\(depth),\($0 % 7),moray,easy,Ana,\n"
        }
        try ("Code,Title,Starts,Depth,Places,Fish seen,Level,Guide,Notes\n" + rows.joined())
            .write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
    }

    @Test func `A thousand rows are imported into a folder and into a running server`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.copyItem(at: Self.sample, to: folder)
        let options = ["--type", "dive", "--types", "types.yaml", "--map-file", "mapping.yaml"]
        try table("first.csv", depth: 12)
        try table("second.csv", depth: 13)
        let first = try await run("marquee-server", ["import", "records", "first.csv", "--data", "data"] + options)
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.output.hasPrefix("1000 rows: 1000 imported (dive 1000), 0 unchanged, 0 bad; "))
        let sound = try await run("marquee-server", ["verify", "--data", "data"])
        #expect(sound.output.hasSuffix(" rows; dive 1000\n"))

        let server = try RunningProcess(
            "marquee-server",
            ["serve", "--data", "data", "--programme", "programme.yaml", "--open", "--listen", "127.0.0.1:0"],
            in: folder)
        let ready = try await server.line(with: " ready on ")
        #expect(ready.contains(": dive 1000, revision "))
        let address = try #require(ready.firstMatch(of: #/127\.0\.0\.1:\d+/#)).output.description
        let second = try await run("marquee-server", ["import", "records", "second.csv", "--to", address] + options)
        #expect(second.status == 0, "\(second.errors)")
        #expect(second.output.hasPrefix("1000 rows: 1000 imported (dive 1000), 0 unchanged, 0 bad; 1 publication, "))
        let again = try await run("marquee-server", ["import", "records", "second.csv", "--to", address] + options)
        #expect(again.output.hasPrefix("1000 rows: 0 imported, 1000 unchanged, 0 bad; "))

        let health = try await run("marquee", ["health", "--server", address])
        #expect(health.output.contains(", dive 1,000\n"))
        #expect(!health.output.contains("movie"))
        let screen = try await run(
            "marquee", ["get", "home", "--server", address, "--descriptors", "dive.desc", "--output", "ndjson"])
        #expect(screen.output.contains(#""fields":{"code":"dive-0","depth":13,"#))

        // The server judges by its own types: these have a field that it doesn't know.
        let newer = try String(contentsOf: folder.appending(path: "types.yaml"), encoding: .utf8)
            .replacing("  dive:", with: "  trip:")
        try newer.write(to: folder.appending(path: "newer.yaml"), atomically: true, encoding: .utf8)
        let refused = try await run(
            "marquee-server",
            ["import", "records", "places.csv", "--type", "trip", "--types", "newer.yaml", "--to", address])
        #expect(refused.status == 66, "\(refused.output)")
        try "Code\nx\n".write(to: folder.appending(path: "places.csv"), atomically: true, encoding: .utf8)
        let unknown = try await run(
            "marquee-server",
            ["import", "records", "places.csv", "--type", "trip", "--types", "newer.yaml", "--to", address])
        #expect(unknown.status == 65)
        #expect(unknown.errors.contains("places.csv:2: there is no type 'trip'"), "\(unknown.errors)")
        #expect(try await server.stop(SIGTERM) == 0)
    }
}
