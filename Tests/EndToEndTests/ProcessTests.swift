import Foundation
import Testing

@Suite("Server and client as processes", .timeLimit(.minutes(10)))
struct ProcessTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-process-\(UUID().uuidString)")

    private func run(_ arguments: String...) async throws -> (status: Int32?, output: String) {
        let process = try RunningProcess("marquee", arguments, in: folder)
        let status = try await process.ended()
        return (status, process.output)
    }

    @Test func `A process started here inherits no files, which would stay open with it`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        // Not closed by `exec`, just like NIO's sockets.
        var pipes: [CInt] = [0, 0]
        #expect(pipe(&pipes) == 0)
        defer { for end in pipes { close(end) } }
        func links(of id: String) throws -> [String] {
            let files = "/proc/\(id)/fd"
            return try FileManager.default.contentsOfDirectory(atPath: files).compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "\(files)/\($0)")
            }
        }
        let name = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(pipes[0])")
        #expect(try links(of: "self").contains(name))
        let server = try ServerProcess(in: folder)
        try await server.start()
        let inherited = try links(of: "\(try #require(server.id))")
        #expect(inherited.count > 3 && !inherited.contains(name))
        #expect(try await server.stop() == 0)
    }

    @Test func `A subscriber outlives the server's kill -9, and its mirror is intact`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess(in: folder)
        try await server.start()
        let mirror = folder.appending(path: "mirror.sqlite").path
        let subscriber = try RunningProcess(
            "marquee",
            [
                "subscribe", "home", "--server", server.address, "--mirror", mirror, "--output", "ndjson", "--count",
                "2",
            ],
            in: folder)
        _ = try await subscriber.line(with: "\"snapshot\"")
        try await server.kill()
        try await server.start()
        let change = folder.appending(path: "change.ndjson")
        try Harness.update(27_205, #""popularity": 999"#).write(to: change, atomically: true, encoding: .utf8)
        #expect(try await run("publish", change.path, "--server", server.address).status == 0)
        _ = try await subscriber.line(with: "\"update\"")
        #expect(try await subscriber.ended() == 0)
        #expect(try await run("mirror", "verify", "--mirror", mirror).status == 0)
        #expect(try await server.stop() == 0)
    }

    @Test func `Every confirmed favorite survives the server's kill -9, round after round`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess(in: folder)
        let movies = [27_205, 496_243, 157_336, 13, 680]
        for (round, movie) in movies.enumerated() {
            try await server.start()
            let added = try await run(
                "favorite", "add", "\(movie)", "--user", "mina", "--server", server.address,
                "--mirror", folder.appending(path: "writer-\(round).sqlite").path)
            #expect(added.status == 0)
            try await server.kill()
            try await server.start()
            let list = try await run(
                "get", "favorites", "--user", "mina", "--server", server.address, "--output", "ndjson")
            for known in movies.prefix(round + 1) { #expect(list.output.contains("movie/\(known)")) }
            try await server.stop()
        }
    }

    @Test func `Changes from a named pipe are published`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess(in: folder)
        try await server.start()
        let pipe = folder.appending(path: "changes").path
        #expect(mkfifo(pipe, 0o600) == 0)
        // Each line at once, so that the answer says that the pipe has been opened and read.
        let publisher = try RunningProcess(
            "marquee", ["publish", pipe, "--each", "--server", server.address], in: folder)
        // Opened for both directions, which waits for nobody.
        let end = open(pipe, O_RDWR | O_CLOEXEC)
        let change = Array((Harness.update(27_205, #""popularity": 999"#) + "\n").utf8)
        #expect(write(end, change, change.count) == change.count)
        _ = try await publisher.line(with: "1 change")
        close(end)
        #expect(try await publisher.ended() == 0)
        #expect(try await server.stop() == 0)
    }
}
