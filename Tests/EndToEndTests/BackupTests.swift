import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords
import MarqueeStore
import SeededRandom
import Testing

@_spi(Admin) @testable import MarqueeClient

@Suite("Backup and restore as processes", .timeLimit(.minutes(10)))
struct BackupTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-backup-\(UUID().uuidString)")
    private var file: URL { folder.appending(path: "saved.backup") }

    private func marqueeServer(_ arguments: String...) async throws -> (status: Int32?, output: String, errors: String)
    {
        let process = try RunningProcess("marquee-server", arguments, in: folder)
        let status = try await process.ended()
        return (status, process.output, process.errors)
    }

    private func client(_ server: ServerProcess, mirror: String?) throws -> MarqueeClient {
        var configuration = ClientConfiguration(
            host: "127.0.0.1", port: server.port, user: "mina", locale: "en", mirror: .memory)
        if let mirror { configuration.mirror = .file(folder.appending(path: mirror).path) }
        configuration.backoff = .milliseconds(10)...(.milliseconds(100))
        return MarqueeClient(configuration)
    }

    private func set(_ movie: UInt64, _ on: Bool = true, by client: MarqueeClient) async throws {
        try await client.setFavorite(on, for: .movie(movie))
        #expect(try await client.waitForConfirmation(within: .seconds(60)))
    }

    @Test func `A restore brings back the moment of the backup; mirrors follow, in use or opened later`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess(in: folder)
        try await server.start()
        let watching = try client(server, mirror: "watching.sqlite")
        let away = try client(server, mirror: "away.sqlite")
        var home = watching.screen(.home).makeAsyncIterator()
        _ = try await home.first { $0.origin == .live }
        var seen = away.screen(.home).makeAsyncIterator()
        _ = try await seen.first { $0.origin == .live }
        try await set(27_205, by: watching)
        try await set(13, by: away)
        await away.close()

        let writer = try client(server, mirror: nil)
        let writing = Task {
            var round = 0
            while !Task.isCancelled {
                // The result of a cancelled call doesn't matter.
                _ = try? await writer.publish([Harness.update(680, #""popularity": \#(round)"#)])
                _ = try? await writer.setFavorite(round % 2 == 1, for: .movie(680))
                round += 1
            }
            return round
        }
        let saved = try await marqueeServer("backup", file.path, "--data", server.data.path)
        #expect(saved.status == 0, "\(saved.errors)")
        writing.cancel()
        #expect(await writing.value > 0)
        await writer.close()

        // None of this is in the backup.
        try await set(27_205, false, by: watching)
        try await set(157_336, by: watching)
        _ = try await watching.publish([Harness.update(27_205, #""popularity": 100000"#)])
        #expect(try await server.stop() == 0)
        let restored = try await marqueeServer("restore", "--force", file.path, "--data", server.data.path)
        #expect(restored.status == 0, "\(restored.errors)")
        try await server.start()

        let late = try client(server, mirror: "away.sqlite")
        // A client that shows nothing needs no connection.
        var mirrored = late.screen(.home).makeAsyncIterator()
        _ = try await mirrored.first { $0.origin == .live }
        for client in [watching, late] {
            try await eventually("the favorites of the backup") {
                let favorites = Set(try await client.favorites().map(\.subject)).subtracting([.movie(680)])
                return favorites == [.movie(27_205), .movie(13)]
            }
        }
        try await set(496_243, by: watching)
        try await eventually("a favorite set after the restore, on the other device") {
            try await late.favorites().map(\.subject).contains(.movie(496_243))
        }
        let fresh = try client(server, mirror: nil)
        let truth = try await fresh.fetchScreen(.home).sections.map(\.items)
        for client in [watching, late] {
            var states = client.screen(.home).makeAsyncIterator()
            _ = try await states.first { $0.origin == .live && $0.screen.sections.map(\.items) == truth }
        }
        for client in [watching, late, fresh] { await client.close() }
        for mirror in ["watching.sqlite", "away.sqlite"] {
            let verify = try RunningProcess(
                "marquee", ["mirror", "verify", "--mirror", folder.appending(path: mirror).path], in: folder)
            #expect(try await verify.ended() == 0)
        }
        #expect(try await server.stop() == 0)
    }

    @Test
    func `The first command after a restore shows what the server has, not what was stored before`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess(in: folder)
        try await server.start()
        func favorite(_ arguments: String...) async throws -> (output: String, errors: String) {
            let mirror = folder.appending(path: "mirror.sqlite").path
            let process = try RunningProcess(
                "marquee",
                ["favorite"] + arguments
                    + ["--user", "mina", "--server", server.address, "--mirror", mirror, "--timeout", "60"],
                in: folder)
            #expect(try await process.ended() == 0, "\(process.errors)")
            return (process.output, process.errors)
        }
        _ = try await favorite("add", "13")
        #expect(try await marqueeServer("backup", file.path, "--data", server.data.path).status == 0)
        _ = try await favorite("add", "680")
        #expect(try await server.stop() == 0)
        #expect(try await marqueeServer("restore", "--force", file.path, "--data", server.data.path).status == 0)
        try await server.start()
        let list = try await favorite("list")
        #expect(list.output.contains("movie/13") && !list.output.contains("movie/680"), "\(list.output)")
        #expect(!list.errors.contains("this is what is stored"), "\(list.errors)")
        #expect(try await server.stop() == 0)
    }

    @Test func `A running server keeps its data folder; a damaged or foreign backup changes nothing`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess(in: folder)
        try await server.start()
        #expect(try await marqueeServer("backup", file.path, "--data", server.data.path).status == 0)
        #expect(try await marqueeServer("backup", file.path, "--data", server.data.path).status == 73)
        #expect(try await marqueeServer("restore", "--force", file.path, "--data", server.data.path).status == 75)
        #expect(try await server.stop() == 0)
        #expect(try await marqueeServer("restore", file.path, "--data", server.data.path).status == 73)

        let whole = try Data(contentsOf: file)
        try whole.prefix(whole.count / 2).write(to: file)
        let before = try Data(contentsOf: server.data.appending(path: "catalogue.sqlite"))
        let damaged = try await marqueeServer("restore", "--force", file.path, "--data", server.data.path)
        #expect(damaged.status == 65)
        #expect(damaged.errors.contains("damaged"))
        let foreign = try await marqueeServer(
            "restore", server.data.appending(path: "users.sqlite").path, "--data", folder.appending(path: "new").path)
        #expect(foreign.status == 65)
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "new").path))
        #expect(try Data(contentsOf: server.data.appending(path: "catalogue.sqlite")) == before)
        #expect(try await marqueeServer("restore", "nowhere", "--data", server.data.path).status == 66)
    }

    @Test func `A backup or restore ended by Ctrl-C leaves nothing behind`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let data = folder.appending(path: "data")
        try fillMuch(data)
        try await untilInterrupted(by: SIGINT, ["backup", file.path, "--data", data.path], writing: file, in: folder)
        #expect(partial(in: folder) == nil)
        #expect(!FileManager.default.fileExists(atPath: file.path))

        #expect(try await marqueeServer("backup", file.path, "--data", data.path).status == 0)
        let new = folder.appending(path: "new")
        try await untilInterrupted(by: SIGTERM, ["restore", file.path, "--data", new.path], writing: new, in: new)
        #expect(!FileManager.default.fileExists(atPath: new.path))
    }

    /// Runs a command and interrupts it. On a busy machine it may finish before the signal arrives: then its result is
    /// removed, and it starts again.
    private func untilInterrupted(
        by signal: Int32, _ arguments: [String], writing made: URL, in place: URL
    ) async throws {
        for _ in 0..<50 {
            let process = try RunningProcess("marquee-server", arguments, in: folder)
            try await eventually("the command under way") { !process.isRunning || partial(in: place) != nil }
            let status = try await process.stop(signal)
            if status == 130 { return }
            #expect(status == 0)
            try FileManager.default.removeItem(at: made)
        }
        Issue.record("the command was always done before the signal came")
    }

    @Test func `A killed restore leaves either the old store or the new one`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess(in: folder)
        #expect(try await marqueeServer("backup", file.path, "--data", server.data.path).status == 0)
        let old = try SQLiteStore(folder: server.data.path)
        var epoch = try old.catalogueHead().epoch
        let usersEpoch = try old.userHead("mina").epoch
        #expect(epoch != usersEpoch)
        _ = try old.write([
            .favorite(
                user: "mina", subject: "movie/13", on: true,
                mutation: MutationID(client: [UInt8](repeating: 1, count: 16), number: 1, answeredThrough: 0))
        ])
        try old.close()

        var random = SeededGenerator(seed: 7)
        var isOld = true
        for _ in 1...30 {
            let restoring = try RunningProcess(
                "marquee-server", ["restore", "--force", file.path, "--data", server.data.path], in: folder)
            // At any point from its first instruction to its last.
            try await Task.sleep(for: .microseconds(random.int(0...150_000)))
            try await restoring.stop(SIGKILL)
            let store = try SQLiteStore(folder: server.data.path)
            let now = try store.catalogueHead().epoch
            let favorites = try store.members(of: "mina").members.count
            if now != epoch { isOld = false }
            epoch = now
            // The catalogue and the users are from the same moment.
            #expect(favorites == (isOld ? 1 : 0))
            #expect(try store.catalogueHead().revision > 0)
            try store.close()
            #expect(partial(in: server.data) == nil)
        }
    }

    /// The name of an incomplete backup.
    private func partial(in folder: URL) -> String? {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return names?.first { $0.contains(".partial") }
    }

    /// Enough to take a while.
    private func fillMuch(_ data: URL) throws {
        let store = try SQLiteStore(folder: data.path)
        _ = try store.write([.catalogue(key: nil, changes: [.types(PresetCatalogue.types)], mutation: nil)])
        var movie = Movie(id: 1, title: "x")
        movie.overview = String(repeating: "Words. ", count: 1_000)
        for batch in 0..<3 as Range<UInt64> {
            _ = try store.write(
                (0..<1_000 as Range<UInt64>).map { number in
                    movie.id = batch * 1_000 + number + 1
                    return .catalogue(key: nil, changes: [movie.change], mutation: nil)
                })
        }
        try store.close()
    }
}
