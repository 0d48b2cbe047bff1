import Foundation
import Testing

@Suite("Server and client as processes", .timeLimit(.minutes(5)), .serialized)
struct ProcessTests {
    /// The folder of the built executables: this test's own.
    private static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    private let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-process-\(UUID().uuidString)")

    /// A process that is killed when it is forgotten.
    private final class Running {
        let process = Process()
        let output = Pipe()
        private var text = ""

        init(_ program: String, _ arguments: [String], in folder: URL) throws {
            process.executableURL = ProcessTests.products.appending(path: program)
            process.arguments = arguments
            process.environment = ["XDG_STATE_HOME": folder.path, "PATH": "/usr/bin:/bin", "HOME": folder.path]
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            process.standardInput = FileHandle.nullDevice
            try process.run()
        }

        deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

        /// Reads on until a line has the text; `nil` at the end of the output.
        func line(with wanted: String) -> String? {
            while true {
                if let end = text.firstIndex(of: "\n") {
                    let line = String(text[..<end])
                    text.removeSubrange(...end)
                    if line.contains(wanted) { return line }
                    continue
                }
                let data = output.fileHandleForReading.availableData
                if data.isEmpty { return nil }
                text += String(decoding: data, as: UTF8.self)
            }
        }

        /// Waits for the end.
        func end() -> (status: Int32, output: String) {
            let data = (try? output.fileHandleForReading.readToEnd()) ?? nil
            process.waitUntilExit()
            return (process.terminationStatus, text + String(decoding: data ?? Data(), as: UTF8.self))
        }

        func stop(_ signal: Int32) {
            kill(process.processIdentifier, signal)
            process.waitUntilExit()
        }
    }

    private func run(_ program: String, _ arguments: String...) throws -> (status: Int32, output: String) {
        try Running(program, arguments, in: folder).end()
    }

    /// - Returns: the server with its address, once it is ready.
    private func serve(port: String = "0", _ more: String...) throws -> (server: Running, address: String) {
        let server = try Running(
            "marquee-server",
            ["serve", "--data", folder.appending(path: "data").path, "--listen", "127.0.0.1:\(port)", "--open"] + more,
            in: folder)
        let ready = try #require(server.line(with: " ready on "))
        let address = try #require(ready.split(separator: " ").first { $0.hasPrefix("127.0.0.1:") }).dropLast()
        return (server, String(address))
    }

    private func prepare() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["catalogue.ndjson", "chart.ndjson"] {
            let file = Harness.samples.appending(path: name).path
            let imported = try run(
                "marquee-server", "import", "ndjson", file, "--data", folder.appending(path: "data").path)
            #expect(imported.status == 0)
        }
    }

    @Test("A subscriber outlives the server's kill -9, and its mirror is whole")
    func subscriberOutlivesServer() throws {
        try prepare()
        defer { try? FileManager.default.removeItem(at: folder) }
        var (server, address) = try serve()
        let port = String(try #require(address.split(separator: ":").last))
        let mirror = folder.appending(path: "mirror.sqlite").path
        let subscriber = try Running(
            "marquee",
            ["subscribe", "home", "--server", address, "--mirror", mirror, "--output", "ndjson", "--count", "2"],
            in: folder)
        #expect(subscriber.line(with: "\"snapshot\"") != nil)
        server.stop(SIGKILL)
        (server, address) = try serve(port: port)
        let change = folder.appending(path: "change.ndjson")
        try #"{"movieUpdate": {"id": 27205, "popularity": 999}}"#.write(to: change, atomically: true, encoding: .utf8)
        #expect(try run("marquee", "publish", change.path, "--server", address).status == 0)
        #expect(subscriber.line(with: "\"update\"") != nil)
        #expect(subscriber.end().status == 0)
        #expect(try run("marquee", "mirror", "verify", "--mirror", mirror).status == 0)
        server.stop(SIGTERM)
        #expect(server.process.terminationReason == .exit)
        #expect(server.process.terminationStatus == 0)
    }

    @Test("Every confirmed favorite is there after the server's kill -9, round after round")
    func confirmedFavoritesSurvive() throws {
        try prepare()
        defer { try? FileManager.default.removeItem(at: folder) }
        let movies = [27_205, 496_243, 157_336, 13, 680]
        for (round, movie) in movies.enumerated() {
            let (server, address) = try serve()
            let added = try run(
                "marquee", "favorite", "add", "\(movie)", "--user", "mina", "--server", address,
                "--mirror", folder.appending(path: "writer-\(round).sqlite").path)
            #expect(added.status == 0)
            server.stop(SIGKILL)
            let (again, sameStore) = try serve()
            let list = try run(
                "marquee", "get", "favorites", "--user", "mina", "--server", sameStore, "--output", "ndjson")
            for known in movies.prefix(round + 1) { #expect(list.output.contains("movie/\(known)")) }
            again.stop(SIGTERM)
        }
    }
}
