import Foundation
import Testing

/// The programme file of a running server, with a subscriber that watches.
@Suite("The programme of a running server", .timeLimit(.minutes(10)), .serialized)
struct ProgrammeReloadTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-reload-\(UUID().uuidString)")
    private var file: URL { folder.appending(path: "programme.yaml") }

    /// - Parameters:
    ///   - header: of the section that always exists.
    ///   - more: a further section.
    private func programme(header: String, more: String = "") -> String {
        """
        locales: [en]
        screens:
          home:
            title: Home
            sections:
              - {id: top, kind: rank, header: "\(header)", source: {records: {type: movie, sort: -popularity, limit: 10}}}
              \(more)
        """
    }

    private func put(_ text: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    /// The revision at the end of a line such as `programme.yaml: in force, revision 12`.
    private func revision(in line: String) throws -> Int {
        try #require(line.split(separator: " ").last.flatMap { Int($0) })
    }

    @Test
    func `A changed file moves live views by patches; a wrong one is reported and changes nothing`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try put(programme(header: "First"))
        let server = try ServerProcess(in: folder, options: ["--programme", file.path])
        let running = try await server.started()
        let subscriber = try RunningProcess(
            "marquee",
            [
                "subscribe", "home", "--server", server.address, "--mirror",
                folder.appending(path: "mirror.sqlite").path, "--output", "ndjson", "--count", "4",
            ], in: folder)
        _ = try await subscriber.line(with: "\"title\":\"First\"")

        // Noticed automatically.
        try put(programme(header: "Second"))
        let second = try revision(in: try await running.line(with: "in force, revision"))
        let update = try await subscriber.line(with: "\"title\":\"Second\"")
        #expect(update.contains("\"type\":\"update\""))
        #expect(update.contains("\"op\":\"section-update\""))
        #expect(!update.contains("movie/"), "the items stay and are not sent again")

        // Wrong in two places, and noticed too.
        try put(
            programme(header: "Third").replacing("kind: rank", with: "kind: ranks").replacing(
                "limit: 10", with: "limit: 0"))
        try await eventually("a complaint; the server said: \(running.errors)") {
            running.errors.contains("stays in force")
        }
        #expect(running.errors.components(separatedBy: "programme.yaml:6: ").count == 3, "\(running.errors)")

        // On request.
        let whole = programme(
            header: "Fourth",
            more: "- {id: action, kind: basic, source: {records: {type: movie, where: {genres: 28}, limit: 3}}}")
        try put(whole)
        running.signal(SIGHUP)
        let fourth = try await running.line(with: "in force, revision \(second + 1)")
        #expect(try revision(in: fourth) == second + 1, "the wrong one was no commit")
        let last = try await subscriber.line(with: "\"title\":\"Fourth\"")
        #expect(last.contains("\"op\":\"section-insert\""))
        #expect(subscriber.output.components(separatedBy: "\"type\":\"snapshot\"").count == 2, "one, at the beginning")
        #expect(!subscriber.output.contains("Third"))

        // A screen's title comes with the whole screen.
        let renamed = whole.replacing("title: Home", with: "title: House")
        try put(renamed)
        running.signal(SIGHUP)
        _ = try await running.line(with: "in force, revision \(second + 2)")
        #expect(try await subscriber.line(with: "\"title\":\"House\"").contains("\"type\":\"snapshot\""))
        #expect(try await subscriber.ended() == 0)

        // Applying the same file again makes no commit.
        running.signal(SIGHUP)
        _ = try await running.line(with: "in force already")
        #expect(try await server.stop() == 0)
    }

    @Test func `A missing or unreadable file ends nothing`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try put(programme(header: "First"))
        let server = try ServerProcess(in: folder, options: ["--programme", file.path])
        let running = try await server.started()
        try FileManager.default.removeItem(at: file)
        running.signal(SIGHUP)
        try await eventually("a complaint; the server said: \(running.errors)") {
            running.errors.contains("can't be read")
        }
        #expect(try await server.stop() == 0)

        let without = try ServerProcess(in: folder.appending(path: "without"))
        let other = try await without.started()
        other.signal(SIGHUP)
        try await eventually("a hint; the server said: \(other.errors)") { other.errors.contains("--programme") }
        #expect(other.isRunning)
        #expect(try await without.stop() == 0)
    }
}

extension ServerProcess {
    /// Starts it and returns its process once it serves.
    fileprivate func started() async throws -> RunningProcess {
        try await start()
        return try #require(running)
    }
}
